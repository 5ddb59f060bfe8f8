import { keepDoing } from '../../background.ts'
import type { App, Deps } from '../../http/app.ts'
import { keepInOneProcess } from '../../one-process.ts'
import type { Drafts } from './service.ts'

const DAY_MS = 86_400_000
const PRUNE_EVERY_MS = 6 * 3_600_000

/** Removes drafts that have not been touched for long, in one process. */
export function registerDraftRetention(app: App, deps: Deps, drafts: Drafts): void {
  const { config, clock, log, database } = deps
  keepInOneProcess(app, deps, 'drafts', async (signal) => {
    await database.whenReady()
    const round = async () => {
      const days = config.retention.drafts
      const gone = days === 0 ? 0 : await drafts.prune(new Date(clock.now() - days * DAY_MS))
      if (gone > 0) log.info({ drafts: gone }, 'Bassins en construction anciens retirés')
    }
    await keepDoing(round, {
      signal,
      pauseMs: PRUNE_EVERY_MS,
      log,
      failed: 'Les bassins en construction anciens n’ont pas pu être retirés',
      excuse: () => database.unavailable(),
    })
  })
}
