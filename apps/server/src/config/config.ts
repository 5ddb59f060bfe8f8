import { availableParallelism } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { ACCOUNT_VARIABLES, type AccountRules, accountRulesOf } from './account-rules.ts'
import { ConfigError } from './config-error.ts'
import { LIMIT_VARIABLES, type Quotas, quotasOf, type Retention, retentionOf } from './limits.ts'
import { NOTICE_VARIABLES, type NoticeSettings, noticeSettingsOf } from './notice-settings.ts'
import { OBJECT_STORE_VARIABLES, type ObjectStoreSettings, readObjectStore } from './object-store.ts'

/** Root of the checkout: defaults are relative to it, so that `radx` finds them from any folder. */
export const INSTALL_DIR = resolve(import.meta.dirname, '../../../..')

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Everything the environment sets. Paths are absolute. */
export interface Config {
  /** TCP port of the web server; 0 takes a free one. */
  port: number
  host: string
  dataDir: string
  /** PostgreSQL to use; null runs one of our own in `dataDir`. Holds a password: never log it. */
  databaseUrl: string | null
  /** Bucket for frames, originals, results and catchments; null keeps them in `dataDir`. */
  objectStore: ObjectStoreSettings | null
  /** The demonstration source and its accounts. */
  demo: boolean
  /** The demonstration's town has its floods forecast after each frame. */
  demoFloods: boolean
  siteDir: string
  /** Jobs that this process runs at a time; a server with 0 leaves them to `radx worker` processes. */
  workers: number
  /** Everything stored is read again after so many days; 0 never. */
  verifyDays: number
  /** Whether rain is followed from frame to frame in the background; without it totals hold frames still. */
  followsRain: boolean
  /** Proxies whose `X-Forwarded-For` is believed: addresses or networks, comma-separated; false for none. */
  trustProxy: string | false
  /** Group that may read and write the data folder beside RadX's own account, by name or number; null for none. */
  dataGroup: string | null
  logLevel: (typeof LOG_LEVELS)[number]
  /** What one account may keep. */
  quotas: Quotas
  retention: Retention
  accounts: AccountRules
  /** Address under which browsers reach this server, to which passkeys are bound; null takes each request's own. */
  publicUrl: string | null
  notices: NoticeSettings
}

type Env = Record<string, string | undefined>

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `un nombre entier de ${min} à ${max} est attendu`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `un nombre entier de ${min} à ${max} est attendu`)

const envSchema = z.object({
  PORT: integer(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('data'),
  DATA_GROUP: z.string().max(64).optional(),
  DATABASE_URL: z
    .string()
    .regex(
      /^postgres(ql)?:\/\//,
      'une adresse postgres://utilisateur:motdepasse@machine:port/base est attendue',
    )
    .optional(),
  ...Object.fromEntries(OBJECT_STORE_VARIABLES.map((name) => [name, z.string().optional()])),
  DEMO: z
    .enum(['0', '1'], '1 (source de démonstration) ou 0 (sans) est attendu')
    .default('1')
    .transform((v) => v === '1'),
  DEMO_FLOODS: z
    .enum(['0', '1'], '1 (prévision des inondations de la démonstration) ou 0 (sans) est attendu')
    .default('1')
    .transform((v) => v === '1'),
  SITE_DIR: z.string().default('site'),
  RADX_WORKERS: integer(0, 256).optional(),
  RADX_VERIFY_DAYS: integer(0, 3_650).default(7),
  RADX_FOLLOW_RAIN: z
    .enum(['0', '1'], '1 (la pluie est suivie d’une image à la suivante) ou 0 (non) est attendu')
    .default('1')
    .transform((v) => v === '1'),
  TRUST_PROXY: z.string().optional(),
  ...LIMIT_VARIABLES,
  ...ACCOUNT_VARIABLES,
  ...NOTICE_VARIABLES,
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'une adresse https://… est attendue' })
    .max(200)
    .optional(),
  RADX_LOG: z.enum(LOG_LEVELS, `l'une des valeurs ${LOG_LEVELS.join(', ')} est attendue`).default('info'),
})

/**
 * Reads the settings. An empty variable counts as absent.
 * A relative path that is set counts from the working folder, a default from the checkout's root.
 * @throws ConfigError naming the variable and what it takes
 */
export function loadConfig(env: Env = process.env, cwd = process.cwd()): Config {
  const set = Object.fromEntries(
    Object.keys(envSchema.shape).flatMap((key) => (env[key]?.trim() ? [[key, env[key]!.trim()]] : [])),
  )
  const parsed = envSchema.safeParse(set)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = String(issue.path[0])
    // The value of an address may hold a password; a key is one.
    const value = ['DATABASE_URL', 'SEED_KEY', 'SMTP_URL', 'NOTICE_KEY'].includes(name)
      ? ''
      : ` « ${set[name]} »`
    throw new ConfigError('environment', `Variable ${name}${value} : ${issue.message}.`, { variable: name })
  }
  const e = parsed.data
  const path = (key: 'DATA_DIR' | 'SITE_DIR') =>
    isAbsolute(e[key]) ? e[key] : set[key] ? resolve(cwd, e[key]) : join(INSTALL_DIR, e[key])
  return {
    port: e.PORT,
    host: e.HOST,
    dataDir: path('DATA_DIR'),
    dataGroup: e.DATA_GROUP ?? null,
    databaseUrl: e.DATABASE_URL ?? null,
    objectStore: readObjectStore(set),
    demo: e.DEMO,
    demoFloods: e.DEMO && e.DEMO_FLOODS,
    siteDir: path('SITE_DIR'),
    verifyDays: e.RADX_VERIFY_DAYS,
    followsRain: e.RADX_FOLLOW_RAIN,
    workers: e.RADX_WORKERS ?? Math.max(1, availableParallelism() - 1),
    trustProxy: e.TRUST_PROXY ?? false,
    logLevel: e.RADX_LOG,
    quotas: quotasOf(e),
    retention: retentionOf(e),
    accounts: accountRulesOf(e),
    publicUrl: e.PUBLIC_URL ?? null,
    notices: noticeSettingsOf(e),
  }
}
