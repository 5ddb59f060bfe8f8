import { z } from 'zod'
import { PASSWORD_MAX } from './accounts.ts'
import { shortText } from './bounds.ts'

/** Most sessions that an account has at a time. */
export const SESSIONS_MAX = 50

/** `PUT /api/users/password`: one's own. */
export const ownPasswordBodySchema = z.object({
  current: z.string().min(1).max(PASSWORD_MAX),
  password: z.string().min(1).max(PASSWORD_MAX),
})
/** A device token for the new password; other sessions have ended. */
export const ownPasswordAnswerSchema = z.object({ device: shortText() })

/** `GET /api/users/sessions`: one's own, the last used first. */
export const ownSessionSchema = z.object({
  id: z.uuid(),
  /** Browser and system in words, as the browser called itself. */
  device: shortText(),
  address: shortText().nullable(),
  createdAt: z.iso.datetime(),
  /** To the minute. */
  lastUsedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** The one that asks. */
  current: z.boolean(),
})
export type OwnSession = z.infer<typeof ownSessionSchema>
export const ownSessionsSchema = z.object({
  sessions: z.array(ownSessionSchema).max(SESSIONS_MAX),
  /** Minutes without use after which a session ends; null for never. */
  idleMinutes: z.int().positive().nullable(),
})
export type OwnSessions = z.infer<typeof ownSessionsSchema>
/** `GET /api/users/session`: the session lasts, and these roles are in force. Asking is no use of it. */
export const sessionStateSchema = z.object({ roles: z.array(shortText()).max(100) })
export type SessionState = z.infer<typeof sessionStateSchema>
export const endedSessionsSchema = z.object({ ended: z.int().nonnegative() })

/** A change that asks for the password again. */
export const passwordBodySchema = z.object({ password: z.string().min(1).max(PASSWORD_MAX) })

/** `GET /api/users/security` */
export const securitySchema = z.object({
  /** An application of one-time codes is in place. */
  totp: z.boolean(),
  /** Recovery codes that were not used. */
  recoveryCodes: z.int().nonnegative(),
  passkeys: z
    .array(
      z.object({
        id: z.string().max(1_400),
        name: shortText(),
        createdAt: z.iso.datetime(),
        lastUsedAt: z.iso.datetime().nullable(),
      }),
    )
    .max(100),
  /** Rights of this account wait until it has a second factor. */
  awaited: z.boolean(),
  /** The roles in force now. */
  roles: z.array(shortText()).max(100),
  /** An account of the demonstration: nothing of it changes. */
  shared: z.boolean(),
})
export type Security = z.infer<typeof securitySchema>

/** `POST /api/users/totp`: what an application scans, or has typed in. */
export const totpStartSchema = z.object({
  address: shortText(),
  secret: shortText(),
  /** The address as a QR code: an SVG document. */
  qr: z.string().max(100_000),
})
export type TotpStart = z.infer<typeof totpStartSchema>
/** `PUT /api/users/totp` */
export const codeBodySchema = z.object({ code: z.string().min(1).max(40) })
/** Shown once; empty when nothing changed about them. */
export const recoveryCodesSchema = z.object({ codes: z.array(shortText()).max(10) })
export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>

/** Options of WebAuthn as JSON, for the browser's own call. */
export const passkeyOptionsSchema = z.object({ options: z.string().max(100_000) })

const bytes = (max: number) => z.string().max(max)
const credential = {
  id: bytes(1_400),
  rawId: bytes(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: bytes(40).optional(),
  clientExtensionResults: z.object({}),
}
/** `POST /api/users/passkeys`: RegistrationResponseJSON of WebAuthn level 3. */
export const passkeyBodySchema = z.object({
  name: z.string().trim().min(1).max(60),
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(8_000),
      attestationObject: bytes(40_000),
      transports: z.array(bytes(40)).max(10).optional(),
    }),
  }),
})
/** `POST /api/users/login/passkey`: AuthenticationResponseJSON. */
export const passkeyLoginBodySchema = z.object({
  device: bytes(100).optional(),
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(8_000),
      authenticatorData: bytes(8_000),
      signature: bytes(8_000),
      userHandle: bytes(200).optional(),
    }),
  }),
})

/** `GET /api/users/data`: how many things of each kind are kept of an account. */
export const ownDataSchema = z.object({
  runs: z.int().nonnegative(),
  exports: z.int().nonnegative(),
  /** Of results of runs and exports, and of files of networks, catchments and drafts. */
  bytes: z.number().nonnegative(),
  events: z.int().nonnegative(),
  landUses: z.int().nonnegative(),
  /** Montana coefficients. */
  tables: z.int().nonnegative(),
  gauges: z.int().nonnegative(),
  networks: z.int().nonnegative(),
  catchments: z.int().nonnegative(),
  /** Catchments on their way. */
  drafts: z.int().nonnegative(),
  sessions: z.int().nonnegative(),
  auditLines: z.int().nonnegative(),
  /** Who could take the runs over. */
  managers: z.array(shortText()).max(1_000),
})
export type OwnData = z.infer<typeof ownDataSchema>

/** `POST /api/users/erase` */
export const eraseBodySchema = z.object({
  password: z.string().min(1).max(PASSWORD_MAX),
  after: z.discriminatedUnion('runs', [
    z.object({ runs: z.literal('delete') }),
    z.object({ runs: z.literal('hand'), to: z.string().min(1).max(64) }),
  ]),
})
export type EraseBody = z.infer<typeof eraseBodySchema>
