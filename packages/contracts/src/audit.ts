import { z } from 'zod'
import { shortText } from './bounds.ts'

/** Everything that leaves a line in the audit trail. */
export const AUDIT_ACTIONS = [
  'login',
  'login.failed',
  'login.refused',
  'logout',
  'session.end',
  'password.change',
  'password.reset',
  'password.link',
  'factor.add',
  'factor.remove',
  'factor.codes',
  'token.create',
  'token.revoke',
  'account.create',
  'account.edit',
  'account.disable',
  'account.enable',
  'account.erase',
  'account.export',
  'setting.change',
  'data.exact',
  'data.export',
  'data.change',
  'run.submit',
  'run.cancel',
  'run.retry',
  'run.delete',
  'item.write',
  'item.delete',
  'audit.read',
  'audit.prune',
] as const
export const auditActionSchema = z.enum(AUDIT_ACTIONS)
export type AuditAction = z.infer<typeof auditActionSchema>

export const AUDIT_PAGE_MAX = 500

/** `GET /api/admin/audit`, the newest lines first. */
export const auditQuerySchema = z.object({
  since: z.iso.datetime({ offset: true }).optional(),
  /** Lines older than this one. */
  before: z.coerce.number().int().positive().optional(),
  actor: z.string().max(64).optional(),
  action: auditActionSchema.optional(),
  limit: z.coerce.number().int().min(1).max(AUDIT_PAGE_MAX).default(100),
})

export const auditEventSchema = z.object({
  n: z.int().positive(),
  at: z.iso.datetime(),
  /** Account; null for nobody signed in and for the program itself. */
  actor: shortText().nullable(),
  /** Network that it came from: an IPv4 address or an IPv6 /64; null on the server's machine. */
  address: shortText().nullable(),
  via: z.enum(['page', 'command', 'server']),
  action: shortText(),
  subject: shortText().nullable(),
  details: z.record(shortText(), shortText()),
})
export type AuditEvent = z.infer<typeof auditEventSchema>

export const auditAnswerSchema = z.object({
  events: z.array(auditEventSchema).max(AUDIT_PAGE_MAX),
  /** What `before` takes for the next page; null at the end. */
  next: z.int().positive().nullable(),
})
export type AuditAnswer = z.infer<typeof auditAnswerSchema>

/** `GET /api/admin/audit/chain`: every hash computed again. */
export const auditChainSchema = z.object({
  sound: z.boolean(),
  lines: z.int().nonnegative(),
  /** Lines that retention took away. */
  removed: z.int().nonnegative(),
  head: z.object({ n: z.int().positive(), hash: z.string().length(64) }).nullable(),
  broken: z
    .object({ n: z.int().nonnegative(), reason: z.enum(['anchor', 'missing', 'changed', 'head']) })
    .nullable(),
})
export type AuditChain = z.infer<typeof auditChainSchema>
