import { z } from 'zod'
import { PASSWORD_MAX, ROLES, restrictionSchema, USERNAME_MAX } from './accounts.ts'
import { list, longText, shortText } from './bounds.ts'
import { jobStatusSchema } from './jobs.ts'
import { verificationSchema } from './radar.ts'

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
  /** Rain gauges of one's own. */
  gauges: z.int().nonnegative(),
  /** Tables of return periods. */
  tables: z.int().nonnegative(),
  /** Sewer networks. */
  networks: z.int().nonnegative(),
  catchments: z.int().nonnegative(),
  /** Of results of runs and exports, and of files of networks and catchments. */
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
  /** Its holder has not set a password with the link yet. */
  invited: z.boolean(),
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

/** `GET /api/admin/jobs`: what is under way, what waits in the order of its turn, and what failed last. */
export const adminJobsSchema = z.object({
  waiting: z.int().nonnegative(),
  running: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  done: z.int().nonnegative(),
  jobs: z
    .array(
      z.object({
        id: z.uuid(),
        kind: shortText(),
        username: shortText(),
        title: shortText().nullable(),
        status: jobStatusSchema,
        cancelled: z.boolean(),
        /** 0 to 1. */
        progress: z.number(),
        message: longText(),
        error: longText().nullable(),
        attempts: z.int().nonnegative(),
        createdAt: z.iso.datetime(),
        startedAt: z.iso.datetime().nullable(),
        finishedAt: z.iso.datetime().nullable(),
      }),
    )
    .max(1_000),
})
export type AdminJobs = z.infer<typeof adminJobsSchema>

/** `GET /api/admin/ingest` */
export const adminIngestSchema = z.object({
  at: z.iso.datetime(),
  /** Days before `at` in which gaps are looked for. */
  days: z.int().positive(),
  /** The last file of each kind and product. */
  sources: z
    .array(
      z.object({
        kind: shortText(),
        product: shortText().nullable(),
        name: shortText(),
        receivedAt: z.iso.datetime(),
        /** Instant of the newest of its data; null without any. */
        newestAt: z.iso.datetime().nullable(),
        files: z.int().nonnegative(),
      }),
    )
    .max(1_000),
  products: z
    .array(
      z.object({
        product: shortText(),
        frameSeconds: z.number().positive(),
        /** Median of the last hundred frames from their instant to their arrival, s; null without frames. */
        latencySeconds: z.number().nullable(),
        /** Of the first frame ever; null without frames. */
        firstFrame: z.iso.datetime().nullable(),
        /** Of all gaps together. */
        missingSeconds: z.number().nonnegative(),
        /** Stretches of more than three frames without any, the longest first. */
        gaps: z.array(z.object({ start: z.iso.datetime(), end: z.iso.datetime() })).max(500),
      }),
    )
    .max(100),
  /** Files put aside, the newest first. */
  rejected: z
    .array(
      z.object({
        name: shortText(),
        bytes: z.number().nonnegative(),
        at: z.iso.datetime(),
        /** French; null where none was written. */
        reason: shortText().nullable(),
      }),
    )
    .max(1_000),
  rejectedCount: z.int().nonnegative(),
})
export type AdminIngest = z.infer<typeof adminIngestSchema>

/** `GET /api/admin/storage`; sizes in bytes. */
export const adminStorageSchema = z.object({
  version: shortText(),
  postgres: shortText(),
  databaseBytes: z.number().nonnegative(),
  /** The largest ones. */
  tables: z.array(z.object({ name: shortText(), bytes: z.number().nonnegative() })).max(20),
  originals: z.object({ files: z.int().nonnegative(), bytes: z.number().nonnegative() }),
  frames: z.int().nonnegative(),
  resultBytes: z.number().nonnegative(),
  /** Of the data folder; null where it cannot be asked. */
  disk: z.object({ freeBytes: z.number(), totalBytes: z.number() }).nullable(),
  verification: verificationSchema.nullable(),
})
export type AdminStorage = z.infer<typeof adminStorageSchema>
