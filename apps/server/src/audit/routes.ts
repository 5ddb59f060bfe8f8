import { type AuditEvent, auditAnswerSchema, auditChainSchema, auditQuerySchema } from '@radx/contracts'
import { keepDoing } from '../background.ts'
import { runAsLeader } from '../db/leader.ts'
import type { App, Deps } from '../http/app.ts'
import { originOf } from './origin.ts'
import { byProgram, listAudit, pruneAudit, record, verifyAudit } from './service.ts'
import type { AuditEventRow } from './tables.ts'

const DAY_MS = 86_400_000
const PRUNE_EVERY_MS = 6 * 3_600_000

/** The audit trail for managers, and its retention. */
export function registerAudit(app: App, deps: Deps): void {
  const { db, clock } = deps

  app.get(
    '/api/admin/audit',
    {
      schema: {
        summary: 'Journal d’audit, les lignes les plus récentes d’abord',
        tags: ['administration'],
        querystring: auditQuerySchema,
        response: { 200: auditAnswerSchema },
      },
    },
    async ({ query }) => {
      const rows = await listAudit(db, {
        ...query,
        since: query.since === undefined ? undefined : new Date(query.since),
      })
      return { events: rows.map(toAuditEvent), next: rows.length < query.limit ? null : rows.at(-1)!.n }
    },
  )

  app.get(
    '/api/admin/audit/chain',
    {
      schema: {
        summary: 'Recalcule la chaîne du journal d’audit',
        tags: ['administration'],
        response: { 200: auditChainSchema },
      },
    },
    async (request) => {
      const state = await verifyAudit(db)
      await record(db, originOf(request, clock.now()), {
        action: 'audit.read',
        details: { sound: String(state.sound), lines: String(state.lines) },
      })
      return state
    },
  )

  keepPruned(app, deps)
}

export const toAuditEvent = ({ hash: _, at, ...row }: AuditEventRow): AuditEvent => ({
  ...row,
  at: at.toISOString(),
})

/** Applies the retention of the settings in one process, and tells the log where the chain stands. */
function keepPruned(app: App, { db, database, clock, config, log }: Deps): void {
  const stop = new AbortController()
  let running = Promise.resolve()
  const round = async () => {
    const now = new Date(clock.now())
    const days = config.accounts.auditDays
    const gone = days === 0 ? 0 : await pruneAudit(db, new Date(now.getTime() - days * DAY_MS), now)
    if (gone > 0)
      await record(db, byProgram('server', now), { action: 'audit.prune', details: { lines: String(gone) } })
    const { sound, head, broken } = await verifyAudit(db)
    if (sound) log.info({ head }, 'Journal d’audit intact')
    else log.error({ broken }, 'Journal d’audit altéré')
  }
  app.addHook('onReady', async () => {
    const task = async (signal: AbortSignal) => {
      await database.whenReady()
      await keepDoing(round, {
        signal,
        pauseMs: PRUNE_EVERY_MS,
        log,
        failed: 'Le journal d’audit n’a pas pu être relu',
        excuse: () => database.unavailable(),
      })
    }
    running = runAsLeader(database, 'audit', task, { stop: stop.signal, log })
  })
  app.addHook('onClose', async () => {
    stop.abort()
    await running
  })
}
