import type { SiteGauge } from '@radx/contracts'
import { MAX_FILE_BYTES } from '@radx/formats/limits'
import { countFr, formatDateTimeFr } from '@radx/locale/format-fr'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { DecodedFile, DecodeTask, IngestHandler } from '../ingest/api.ts'
import { IngestRefusal } from '../ingest/api.ts'
import { sourceRow } from '../store/source-file.ts'
import type { WorkerPool } from '../threads/worker-pool.ts'
import { type FileReadings, gaugesOfFile } from './gauge-file.ts'
import { storeReadings } from './readings.ts'

/** Files of the site's gauges, told by how their names begin. */
export function gaugeHandler(
  db: Kysely<Database>,
  pool: WorkerPool,
  gauges: readonly SiteGauge[],
): IngestHandler {
  return {
    kind: 'gauge',
    maxBytes: MAX_FILE_BYTES.toa5,
    // Loggers append line by line; a table is complete when it has rested.
    settleMs: 1_000,
    matches: ({ name }) => gaugesOfFile(gauges, name).length > 0,
    async prepare({ path, name, urgent }) {
      const task: DecodeTask = { task: 'gauge', path, name }
      const { hash, bytes, result } = await pool.run<DecodedFile<FileReadings[]>>(task, urgent)
      const count = result.reduce((sum, { timesMs }) => sum + timesMs.length, 0)
      if (count === 0)
        throw new IngestRefusal('noReadings', 'Le fichier ne contient aucune mesure de pluviomètre.')
      const ends = result.flatMap(({ timesMs }) => [
        timesMs.reduce((a, b) => Math.min(a, b)),
        timesMs.reduce((a, b) => Math.max(a, b)),
      ])
      const [firstMs, lastMs] = [Math.min(...ends), Math.max(...ends)]
      return {
        hash,
        bytes,
        firstMs,
        lastMs,
        summary: `${countFr(result.length, 'pluviomètre')}, ${countFr(count, 'mesure')} du ${formatDateTimeFr(firstMs, 'UTC')} au ${formatDateTimeFr(lastMs, 'UTC')} UTC`,
        commit: (source) =>
          db.transaction().execute(async (tx) => {
            const file = await tx
              .insertInto('source_file')
              .values(sourceRow(source))
              .onConflict((c) => c.column('hash').doNothing())
              .returning('hash')
              .executeTakeFirst()
            // Known files are read too: a gauge that the site names later finds its past by dropping them again. They
            // do not take back what came after them.
            const isNew = file !== undefined
            for (const readings of result) await storeReadings(tx, readings.gauge, readings, isNew)
            if (file) return null
            const known = await tx
              .selectFrom('source_file')
              .select('archive_path')
              .where('hash', '=', source.hash)
              .executeTakeFirstOrThrow()
            return { archivePath: known.archive_path }
          }),
      }
    },
  }
}
