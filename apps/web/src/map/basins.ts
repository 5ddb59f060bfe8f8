import type { CatchmentCollection } from '@radx/contracts/catchments'
import type { Bounds } from '@radx/contracts/site'
import { boundsOfPolygons } from '@radx/rainfall/gauge-place'

type Feature = CatchmentCollection['features'][number]

export const polygonsOf = ({ geometry }: Feature): number[][][][] =>
  geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates

/** Bounds of every basin and part of one. */
export const basinBounds = (collection: CatchmentCollection | undefined): Bounds[] =>
  collection?.features.map((feature) => boundsOfPolygons(polygonsOf(feature))) ?? []
