import { NOTICE_CHANNELS, type NoticeChannel } from '@radx/contracts'
import { keepDoing } from '../../background.ts'
import type { RegisterFeature } from '../../http/app.ts'
import { keepInOneProcess } from '../../one-process.ts'
import { NoticeKeys } from './keys.ts'
import { Sender } from './sender.ts'

const PAUSE_MS = 1_000

/** Sends notices, in one process; should two ever do so at once, leases keep them apart. */
export const keepNotices: RegisterFeature = (app, deps) => {
  const keys = new NoticeKeys(deps.config)
  const keep = async (channel: NoticeChannel, signal: AbortSignal) => {
    const sender = new Sender({ ...deps, keys }, channel)
    await keepDoing(() => sender.sendDue(signal), {
      signal,
      pauseMs: PAUSE_MS,
      log: deps.log,
      failed: "Les avis d'alerte n'ont pas pu partir",
      excuse: () => deps.database.unavailable(),
    })
    await sender.settled()
  }
  keepInOneProcess(app, deps, 'alert-notices', async (signal) => {
    await deps.database.whenReady()
    if (!(await keys.isKnown(deps.db)))
      deps.log.warn(
        "La clé des avis d'alerte (NOTICE_KEY, ou notice.key du dossier de données) n'est pas celle d'avant : navigateurs et webhooks ne la connaissent pas",
      )
    await Promise.all(NOTICE_CHANNELS.map((channel) => keep(channel, signal)))
  })
}
