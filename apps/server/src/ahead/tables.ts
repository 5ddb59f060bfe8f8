import type { Generated, JSONColumnType } from 'kysely'
import type { CycleAbout } from './about.ts'

export type CycleStatus = 'state' | 'members' | 'gather' | 'done' | 'failed' | 'skipped'

export interface CycleTable {
  id: Generated<string>
  catchment_id: string
  /** The frame that it follows. */
  issued: Date
  /** Where the computation of the state began; the town was dry then. */
  epoch: Date
  catchment_hash: string
  status: CycleStatus
  reason: string | null
  dry: Generated<boolean>
  began_at: Generated<Date>
  finished_at: Date | null
  members: Generated<number>
  skipped: Generated<number>
  last_wet: Date | null
  missing_share: number | null
  state_job: string | null
  member_jobs: Generated<string[]>
  result_job: string | null
  about: JSONColumnType<CycleAbout, string, string> | null
}

declare module '../db/schema.ts' {
  interface Database {
    flood_live: {
      catchment_id: string
      enabled: boolean
      changed_at: Generated<Date>
      by_demo: Generated<boolean>
    }
    flood_cycle: CycleTable
    flood_score: { catchment_id: string; time: Date; lead_min: number; sums: number[] }
  }
}
