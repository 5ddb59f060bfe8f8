import type { Deps } from '../../http/app.ts'
import type { Store } from '../../store/open-store.ts'
import { KeptForecasts } from './kept-forecasts.ts'

const DAY_MS = 86_400_000
/** What is made again of the archive stays as long as its frames may want to score it. */
const REPLAYED_MS = 6 * 3_600_000

/**
 * Removes forecasts that are older than the settings say; what they were worth stays.
 * @param dryRun only counts them
 * @returns how many went, or would
 */
export async function pruneForecasts(
  { config, clock, db }: Pick<Deps, 'config' | 'clock' | 'db'>,
  store: Store,
  dryRun: boolean,
): Promise<number> {
  const days = config.retention.forecasts
  if (days === 0) return 0
  const kept = new KeptForecasts(db, store.frames)
  const beforeMs = clock.now() - days * DAY_MS
  let gone = 0
  for (const product of store.catalog.products.values())
    for await (const row of kept.all(product)) {
      if (row.issued.getTime() >= beforeMs) break
      // Made again just now, by a job that scores them.
      if (row.made_at.getTime() >= clock.now() - REPLAYED_MS) continue
      if (!dryRun) await kept.forget(product, row)
      gone++
    }
  return gone
}

/** Removes forecast files that no row knows of, as a crash leaves them. @returns how many */
export async function sweepForecasts(
  { clock, db }: Pick<Deps, 'clock' | 'db'>,
  store: Store,
): Promise<number> {
  const kept = new KeptForecasts(db, store.frames)
  let gone = 0
  for (const product of store.catalog.products.values())
    for await (const name of kept.orphans(product, clock.now())) {
      await store.frames.remove(name)
      gone++
    }
  return gone
}
