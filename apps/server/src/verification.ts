import { verifyDrafts } from './builder/drafts/verify.ts'
import { systemClock } from './clock.ts'
import type { Deps } from './http/app.ts'
import { openRecovery } from './ingest/api.ts'
import { jobOutput } from './jobs/api.ts'
import { verifyProfiles } from './mrr/api.ts'
import { verifyNetworks } from './networks/verify.ts'
import { verifyForecasts } from './nowcast/api.ts'
import { verifyCatchments } from './simulation/api.ts'
import type { Store } from './store/open-store.ts'
import { Verifier, type VerifyReport, verifyFrames } from './store/verify.ts'
import { verifyFolder, verifyOriginals } from './store/verify-files.ts'

export interface VerifyOptions {
  deps: Pick<Deps, 'config' | 'site' | 'catchments' | 'db'>
  store: Store
  /** Make again what is damaged and can be made again. */
  repair: boolean
  bytesPerSecond: number
  signal: AbortSignal
  /** Told before each part, French. */
  progress?(part: string): void
}

/**
 * Reads every stored byte and holds it against its checksum: frames, class blocks, tiles, forecasts, profiles,
 * originals, results, catchments, networks and drafts. What was stored before there were checksums gets them.
 */
export async function verifyAll(options: VerifyOptions): Promise<VerifyReport> {
  const { deps, store, progress } = options
  const verifier = new Verifier(options)
  const recovery = openRecovery({ config: deps.config, site: deps.site, store })
  try {
    progress?.('images')
    const { recover } = recovery
    const { catchments, site } = deps
    await verifyFrames({ store, catchments, timeZone: site.timeZone, recover }, verifier)
    progress?.('prévisions')
    await verifyForecasts(deps.db, store, verifier, systemClock)
    progress?.('micro radar')
    await verifyProfiles(store, verifier)
    progress?.('originaux')
    await verifyOriginals(store, verifier)
    progress?.('résultats, bassins et réseaux')
    const jobs = await deps.db.selectFrom('job').select('id').where('status', '=', 'done').execute()
    for (const { id } of jobs) await verifyFolder(store, jobOutput(id), verifier)
    await verifyCatchments(deps, verifier)
    await verifyNetworks(deps.db, store, verifier)
    await verifyDrafts(deps.db, store, verifier)
    return verifier.report
  } finally {
    await recovery.close()
  }
}
