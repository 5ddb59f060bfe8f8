import { DatabaseUnavailable } from '../db/errors.ts'
import type { App, Deps } from '../http/app.ts'
import { RadarService } from '../radar/api.ts'
import type { StoredProduct } from '../store/catalog.ts'
import { type Store, storeOf } from '../store/open-store.ts'
import { type Answers, answersOf } from '../threads/answers.ts'

/** What the standards' calls share: the store, and who may see what of the radar. */
export interface OgcContext {
  deps: Deps
  radar: () => Promise<RadarService>
  store: () => Promise<Store>
  answers: Answers
}

export function ogcContext(app: App, deps: Deps): OgcContext {
  return {
    answers: answersOf(app, deps),
    deps,
    radar: RadarService.opener(deps),
    store() {
      const away = deps.database.unavailable()
      if (away !== null) throw new DatabaseUnavailable(away)
      return storeOf(deps)
    },
  }
}

/** First and newest frame of a product, ms; null without any. */
export async function extentOf(
  store: Store,
  product: StoredProduct,
): Promise<{ firstMs: number; newestMs: number } | null> {
  const [firstMs, newestMs] = await Promise.all([store.index.first(product), store.index.latest(product)])
  return firstMs === null || newestMs === null ? null : { firstMs, newestMs }
}
