import { MAX_FILE_BYTES } from '@radx/formats/limits'
import { isoSeconds } from '@radx/locale/time'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { DecodedFile, DecodeTask, IngestHandler } from '../ingest/api.ts'
import { IngestRefusal } from '../ingest/api.ts'
import type { WorkerPool } from '../threads/worker-pool.ts'
import { insertReadings } from './queries.ts'
import type { StationReadings } from './station-table.ts'

/** TOA5 tables of the weather station. A reading that is already there stays as it is. */
export function stationHandler(db: Kysely<Database>, pool: WorkerPool): IngestHandler {
  return {
    kind: 'station',
    maxBytes: MAX_FILE_BYTES.toa5,
    // Loggers append line by line; a table is complete when it has rested.
    settleMs: 1_000,
    matches: ({ name, head }) => /\.dat$/i.test(name) || head.subarray(0, 6).toString('latin1') === '"TOA5"',
    async prepare(file) {
      const { hash, bytes, result } = await pool.run<DecodedFile<StationReadings>>(
        {
          task: 'station',
          path: file.path,
        } satisfies DecodeTask,
        file.urgent,
      )
      const count = result.timesMs.length
      if (count === 0)
        throw new IngestRefusal('noReadings', 'La table TOA5 ne contient aucune mesure. Rien à enregistrer.')
      const first = result.timesMs.reduce((a, b) => Math.min(a, b))
      const last = result.timesMs.reduce((a, b) => Math.max(a, b))
      return {
        hash,
        bytes,
        firstMs: first,
        lastMs: last,
        summary: `station, ${count} mesures de ${isoSeconds(first)} à ${isoSeconds(last)}`,
        commit: (source) => insertReadings(db, result, source),
      }
    },
  }
}
