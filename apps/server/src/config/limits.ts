import { z } from 'zod'

/** What one account may keep; it frees room by deleting. */
export interface Quotas {
  runs: number
  landUses: number
  events: number
  exports: number
  /** Rain gauges of one's own, and tables of return periods. */
  gauges: number
  tables: number
  /** Sewer networks. */
  networks: number
  catchments: number
  /** Drafts of catchments. */
  drafts: number
  /** Rains of radar pictures of one's own. */
  rains: number
  /** Series of measurements on catchments. */
  observations: number
  /** Rules of alerts. */
  alerts: number
  /** Results of runs and exports, and files of networks, catchments and drafts, and measurements, together; land uses likewise. */
  bytes: number
}

/** Days after which results that nobody keeps are removed; 0 never. */
export interface JobRetention {
  exports: number
  /** Runs without notes; those of the demonstration stay. */
  runs: number
}

export interface Retention extends JobRetention {
  /** Forecast frames; what they were worth stays. */
  forecasts: number
  /** Alerts that ended, with their log. */
  alerts: number
  /** Drafts of catchments since their last change. */
  drafts: number
}

const wanted = (min: number, max: number) => `un nombre entier de ${min} à ${max} est attendu`
const integer = (min: number, max: number, usual: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, wanted(min, max))
    .transform(Number)
    .refine((n) => n >= min && n <= max, wanted(min, max))
    .default(usual)

/** Variables of quotas and retention. */
export const LIMIT_VARIABLES = {
  QUOTA_RUNS: integer(1, 1_000_000, 300),
  QUOTA_LAND_USES: integer(1, 1_000_000, 300),
  QUOTA_EVENTS: integer(1, 1_000_000, 1_000),
  QUOTA_EXPORTS: integer(1, 1_000_000, 100),
  QUOTA_GAUGES: integer(1, 10_000, 50),
  QUOTA_TABLES: integer(1, 10_000, 50),
  QUOTA_NETWORKS: integer(1, 10_000, 100),
  QUOTA_CATCHMENTS: integer(1, 10_000, 30),
  QUOTA_DRAFTS: integer(1, 1_000, 20),
  QUOTA_RAINS: integer(1, 10_000, 50),
  QUOTA_OBSERVATIONS: integer(1, 10_000, 100),
  QUOTA_ALERTS: integer(1, 1_000, 30),
  QUOTA_MB: integer(1, 100_000_000, 20_000),
  RETENTION_EXPORTS_DAYS: integer(0, 36_500, 30),
  RETENTION_RUNS_DAYS: integer(0, 36_500, 0),
  RETENTION_FORECASTS_DAYS: integer(0, 36_500, 14),
  RETENTION_ALERTS_DAYS: integer(0, 36_500, 730),
  RETENTION_DRAFTS_DAYS: integer(0, 36_500, 180),
}
type Read = { [K in keyof typeof LIMIT_VARIABLES]: number }

export const quotasOf = (e: Read): Quotas => ({
  runs: e.QUOTA_RUNS,
  landUses: e.QUOTA_LAND_USES,
  events: e.QUOTA_EVENTS,
  exports: e.QUOTA_EXPORTS,
  gauges: e.QUOTA_GAUGES,
  tables: e.QUOTA_TABLES,
  networks: e.QUOTA_NETWORKS,
  catchments: e.QUOTA_CATCHMENTS,
  drafts: e.QUOTA_DRAFTS,
  rains: e.QUOTA_RAINS,
  observations: e.QUOTA_OBSERVATIONS,
  alerts: e.QUOTA_ALERTS,
  bytes: e.QUOTA_MB * 1e6,
})

export const retentionOf = (e: Read): Retention => ({
  exports: e.RETENTION_EXPORTS_DAYS,
  runs: e.RETENTION_RUNS_DAYS,
  forecasts: e.RETENTION_FORECASTS_DAYS,
  alerts: e.RETENTION_ALERTS_DAYS,
  drafts: e.RETENTION_DRAFTS_DAYS,
})
