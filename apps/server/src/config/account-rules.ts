import { z } from 'zod'

/** What the operator asks of accounts. */
export interface AccountRules {
  /** A session that is not used for so many minutes ends; 0 never. */
  idleMinutes: number
  /** Whose rights wait for a second factor. */
  require2fa: 'manager' | null
  /** Days that the audit trail keeps; 0 for good. */
  auditDays: number
  /** Key of the seeds of one-time codes, 32 bytes; null takes the data folder's. */
  seedKey: Buffer | null
}

const wanted = (max: number) => `un nombre entier de 0 à ${max} est attendu`
const integer = (max: number, usual: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, wanted(max))
    .transform(Number)
    .refine((n) => n <= max, wanted(max))
    .default(usual)

/** Their variables. */
export const ACCOUNT_VARIABLES = {
  SESSION_IDLE_MINUTES: integer(720, 0),
  REQUIRE_2FA: z.enum(['manager'], 'la valeur manager est attendue').optional(),
  AUDIT_DAYS: integer(36_500, 365),
  SEED_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'une clé de 32 octets en base64 est attendue')
    .optional(),
}

export const accountRulesOf = (e: {
  SESSION_IDLE_MINUTES: number
  REQUIRE_2FA?: 'manager'
  AUDIT_DAYS: number
  SEED_KEY?: string
}): AccountRules => ({
  idleMinutes: e.SESSION_IDLE_MINUTES,
  require2fa: e.REQUIRE_2FA ?? null,
  auditDays: e.AUDIT_DAYS,
  seedKey: e.SEED_KEY === undefined ? null : Buffer.from(e.SEED_KEY, 'base64'),
})
