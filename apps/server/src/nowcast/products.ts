import type { StoredProduct } from '../store/catalog.ts'
import type { Store } from '../store/open-store.ts'

/** Products of the site by the area that they cover, the largest first: rain comes from outside. */
export const widestFirst = (store: Store): StoredProduct[] =>
  [...store.catalog.products.values()].filter(({ made }) => !made).sort((a, b) => areaOf(b) - areaOf(a))

const areaOf = ({ bounds: { ul, lr } }: StoredProduct) => (ul.lat - lr.lat) * (lr.lng - ul.lng)
