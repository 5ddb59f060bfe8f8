import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Hdf5Limits } from '@radx/formats/hdf5/reader'
import { MAX_FILE_BYTES } from '@radx/formats/limits'
import { readMrrProInWorker } from '@radx/formats/mrrpro/worker'
import { isoSeconds } from '@radx/locale/time'
import type { IngestHandler } from '../ingest/api.ts'
import { IngestRefusal } from '../ingest/api.ts'
import type { Store } from '../store/open-store.ts'
import { KEPT, type Kept } from './chunk-codec.ts'
import { HourEncoder } from './hour-encoder.ts'
import { insertProfiles } from './queries.ts'

/** Weather radars write netCDF as well; names of variables stand in it as they are. */
const CFRADIAL = 'sweep_start_ray_index'

/** METEK MRR-PRO netCDF4 files: any gates, ten minutes or a day, whatever they overlap. */
export function mrrHandler(
  { context, frames }: Pick<Store, 'context' | 'frames'>,
  limits?: Hdf5Limits,
): IngestHandler {
  return {
    kind: 'mrr',
    maxBytes: MAX_FILE_BYTES.mrrpro,
    settleMs: 1_000,
    matches: ({ name }) => /\.nc4?$/i.test(name),
    isForeign: async ({ path }) => (await readFile(path)).includes(CFRADIAL),
    async prepare(file) {
      const bytes = await readFile(file.path)
      let encoder: HourEncoder | undefined
      const reading = readMrrProInWorker(
        bytes,
        { ...limits, only: KEPT },
        ({ timesMs, heightsM, name, values }) => {
          encoder ??= new HourEncoder({ timesMs, heightsM })
          encoder.add(name as Kept, values)
        },
      )
      // While the file is being read in its thread, as variables are packed once they are there.
      const hash = createHash('sha256').update(bytes).digest()
      const profiles = await reading
      if (profiles.nprofiles === 0)
        throw new IngestRefusal(
          'noProfiles',
          'Le fichier MRR-PRO ne contient aucun profil. Rien à enregistrer.',
        )
      const first = profiles.timesMs.reduce((a, b) => Math.min(a, b))
      const last = profiles.timesMs.reduce((a, b) => Math.max(a, b))
      const hours = encoder ?? new HourEncoder(profiles)
      return {
        hash,
        bytes: file.bytes,
        firstMs: first,
        lastMs: last,
        summary: `mrr, ${profiles.nprofiles} profils de ${isoSeconds(first)} à ${isoSeconds(last)}`,
        commit: (source) => insertProfiles(context.db, frames, hours.finish(), source, context.timeZone),
      }
    },
  }
}
