import type { NoForecast } from '@radx/motion/nowcast/start'
import type { Generated, JSONColumnType } from 'kysely'
import type { OwnedWindow } from './windows.ts'

declare module '../../db/schema.ts' {
  interface Database {
    nowcast: NowcastTable
    nowcast_score: NowcastScoreTable
    nowcast_window: NowcastWindowTable
  }
}

export interface NowcastTable {
  product_id: number
  /** The last frame that it knows. */
  issued: Date
  made_at: Generated<Date>
  /** Why there is no forecast; then there are no files. */
  reason: NoForecast | null
  /** Minutes. */
  leads: number[]
  /** mm/h, `[lead, the issue first][zone]`, zones in the order of their ordinals; null where too little is known. */
  zone_mean: (number | null)[]
  /** Where each part of the file ends (parts.ts). */
  picture_ends: number[]
  /** CRC-32 of the file; null without one. */
  picture_check: number | null
  members: Generated<number>
  /** mm/h, `[lead][zone][quantile]`; this and what follows is null until the members are there. */
  zone_quantile: (number | null)[] | null
  member_ends: number[] | null
  member_check: number | null
  /** Places whose members are kept each, in the order of their parts. */
  windows: JSONColumnType<OwnedWindow[], string, string> | null
}

export interface NowcastScoreTable {
  product_id: number
  /** The frame that came. */
  time: Date
  /** Lead to the nearest step. */
  lead_min: number
  /** Sums as `scores/sums.ts` lays them out. */
  forecast: number[]
  persistence: number[]
  /** Null without members. */
  chances: number[] | null
}

/** Places where every member is kept. */
export interface NowcastWindowTable {
  owner: string
  north: number
  west: number
  south: number
  east: number
}
