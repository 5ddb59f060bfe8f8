import { z } from 'zod'
import { shortText } from './bounds.ts'

/**
 * What a personal access token may do: `read` rain, gauges and results; `grids` exact grids (for managers); `run` make
 * and change runs, events and what else one keeps; `manage` administration (for managers).
 */
export const TOKEN_SCOPES = ['read', 'grids', 'run', 'manage'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

/** Most tokens that an account has at a time. */
export const TOKENS_MAX = 20
export const TOKEN_NAME_MAX = 80
/** Longest life of a token, days. */
export const TOKEN_DAYS_MAX = 366
export const TOKEN_DAYS_DEFAULT = 90

const scopes = z
  .array(z.enum(TOKEN_SCOPES))
  .min(1)
  .max(TOKEN_SCOPES.length)
  .refine((given) => new Set(given).size === given.length)

/** `POST /api/users/tokens` */
export const tokenBodySchema = z.object({
  name: z.string().trim().min(1).max(TOKEN_NAME_MAX),
  scopes,
  /** Days until it expires. */
  days: z.int().min(1).max(TOKEN_DAYS_MAX).default(TOKEN_DAYS_DEFAULT),
  /** Dates that it may see, [from, to), within those of the account; null leaves a side to the account. */
  from: z.iso.datetime().nullable().default(null),
  to: z.iso.datetime().nullable().default(null),
})
export type TokenBody = z.input<typeof tokenBodySchema>

export const ownTokenSchema = z.object({
  id: z.uuid(),
  name: shortText(),
  scopes: z.array(z.enum(TOKEN_SCOPES)).max(TOKEN_SCOPES.length),
  from: z.iso.datetime().nullable(),
  to: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** To the minute; null when it was never used. */
  lastUsedAt: z.iso.datetime().nullable(),
  /** Network from which it was used last. */
  address: shortText().nullable(),
})
export type OwnToken = z.infer<typeof ownTokenSchema>

/** `GET /api/users/tokens`: those of one's account, the newest first. */
export const ownTokensSchema = z.object({
  tokens: z.array(ownTokenSchema).max(TOKENS_MAX),
  /** Scopes that the account may give: the roles in force decide. */
  scopes: z.array(z.enum(TOKEN_SCOPES)).max(TOKEN_SCOPES.length),
})
export type OwnTokens = z.infer<typeof ownTokensSchema>

/** The answer to a new token: the only time that it is shown. */
export const newTokenSchema = z.object({ token: shortText(), created: ownTokenSchema })
export type NewToken = z.infer<typeof newTokenSchema>

export const revokedTokenSchema = z.object({ revoked: z.boolean() })
