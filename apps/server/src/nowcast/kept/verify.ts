import type { Kysely } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/schema.ts'
import type { Store } from '../../store/open-store.ts'
import type { Verifier } from '../../store/verify.ts'
import { KeptForecasts } from './kept-forecasts.ts'
import { sweepForecasts } from './prune.ts'

/**
 * Reads the files of every kept forecast. With repair a damaged one is forgotten: whoever asks gets it made again from the
 * frames, which comes to the same; files that no row knows of go.
 */
export async function verifyForecasts(
  db: Kysely<Database>,
  store: Store,
  verifier: Verifier,
  clock: Clock,
): Promise<void> {
  if (verifier.repair) verifier.report.repaired += await sweepForecasts({ db, clock }, store)
  const kept = new KeptForecasts(db, store.frames)
  for (const product of store.catalog.products.values())
    for await (const row of kept.all(product)) {
      const { sound, files, bytes } = await kept.check(product, row)
      await verifier.read(files, bytes)
      if (sound) continue
      if (verifier.repair) {
        await kept.forget(product, row)
        verifier.report.repaired++
      } else verifier.damage(`prévision ${product.shortName} du ${row.issued.toISOString()}`)
    }
}
