import { z } from 'zod'
import { PASSWORD_MAX, ROLES, restrictionSchema, USERNAME_MAX } from './accounts.ts'
import { list, shortText } from './bounds.ts'

const settings = {
  roles: z.array(z.enum(ROLES)).max(ROLES.length),
  restriction: restrictionSchema,
  /** Names of layers. */
  shapefiles: z.array(z.string().max(200)).max(1_000),
}

/** What an account keeps, as its quotas count it. */
export const accountUseSchema = z.object({
  runs: z.int().nonnegative(),
  exports: z.int().nonnegative(),
  events: z.int().nonnegative(),
  landUses: z.int().nonnegative(),
  /** Of results of runs and exports. */
  bytes: z.number().nonnegative(),
})
export type AccountUse = z.infer<typeof accountUseSchema>

export const adminAccountSchema = z.object({
  id: z.uuid(),
  name: shortText(),
  roles: list(shortText()),
  restriction: restrictionSchema,
  shapefiles: list(shortText()),
  disabled: z.boolean(),
  /** Of the demonstration: changed on the command line only. */
  demo: z.boolean(),
  secondFactor: z.boolean(),
  createdAt: z.iso.datetime(),
  /** Of a session under way; null without one. */
  lastUsedAt: z.iso.datetime().nullable(),
  use: accountUseSchema,
  /** Goes with an edit, which is refused when somebody else's came between. */
  version: z.int().positive(),
})
export type AdminAccount = z.infer<typeof adminAccountSchema>

/** `GET /api/admin/accounts` */
export const adminAccountsSchema = z.object({
  accounts: list(adminAccountSchema),
  /** Layers that an account can be given. */
  layers: list(shortText()),
  quotas: accountUseSchema,
})
export type AdminAccounts = z.infer<typeof adminAccountsSchema>

/** `POST /api/admin/accounts` */
export const newAccountBodySchema = z.object({ name: z.string().min(1).max(USERNAME_MAX), ...settings })
/** `PUT /api/admin/accounts/{id}` */
export const accountEditBodySchema = z.object({ version: z.int().positive(), ...settings })
export type AccountEditBody = z.infer<typeof accountEditBodySchema>

/** A link that sets a password once: `/compte#lien={token}`. */
export const passwordLinkSchema = z.object({ token: shortText(), expiresAt: z.iso.datetime() })
export type PasswordLink = z.infer<typeof passwordLinkSchema>

/** `POST /api/users/password-link` */
export const linkPasswordBodySchema = z.object({
  token: z.string().max(100),
  password: z.string().min(1).max(PASSWORD_MAX),
})
export const linkPasswordAnswerSchema = z.object({ name: shortText() })
export const doneSchema = z.object({ done: z.literal(true) })
