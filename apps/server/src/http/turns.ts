import { FairQueue } from '../threads/fair-queue.ts'
import type { App } from './app.ts'

/** Changes of one account: a person makes one at a time, a script some; each may hold a connection to the database. */
const LIMITS = { runningOfUser: 4, waitingOfUser: 64 }
const EVERYBODY = { running: Number.POSITIVE_INFINITY, waiting: Number.POSITIVE_INFINITY }
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Lets an account make a few changes at a time; more wait, many more are refused (429). Hundreds at once would each take
 * a connection and wait there for the one before, and leave none to anybody else. Forms with files have budgets of their own.
 */
export function installTurns(app: App): void {
  const queue = new FairQueue({ ...LIMITS, ...EVERYBODY })
  app.addHook('preHandler', async ({ method, session, id, headers }, reply) => {
    if (READS.has(method) || !session || headers['content-type']?.startsWith('multipart/')) return
    const { raw } = reply
    const gone = new AbortController()
    raw.once('close', () => gone.abort())
    await new Promise<void>((begin, refuse) => {
      const answered = () => {
        begin()
        return new Promise<void>((end) => {
          if (raw.closed || raw.writableFinished) end()
          raw.once('finish', end)
          raw.once('close', end)
        })
      }
      queue.run(session.userId, id, answered, gone.signal).catch(refuse)
    })
  })
}
