import type { Generated } from 'kysely'

interface GaugeDayTable {
  /** Id of a gauge of the site, or the UUID of an account's. */
  gauge: string
  utc_day: string
  /** See day-codec.ts. */
  readings: Buffer
}

interface GaugeCorrectedTable extends GaugeDayTable {
  corrected_at: Generated<Date>
}

export interface GaugeOwnTable {
  id: Generated<string>
  username: string
  name: string
  lat: number
  lng: number
  measure: 'depth' | 'rate' | 'total' | 'tips'
  readings: Generated<number>
  created_at: Generated<Date>
}

export interface GaugeFlagTable {
  id: Generated<string>
  gauge: string
  start_at: Date
  end_at: Date
  kind: 'exclude' | 'keep'
  reason: string
  author: string
  set_at: Generated<Date>
  removed_by: string | null
  removed_at: Date | null
}

interface GaugeRadarTable {
  product_id: number
  /** Cell and grid, see radar-days.ts. */
  place: string
  utc_day: string
  frames: Buffer
  frame_count: number
  /** What moved rain was made of; null of the frames themselves. */
  stamp: string | null
  /** See day-bins.ts; null where they were not made. */
  bins: Buffer | null
  /** What they were made of. */
  bins_of: string | null
}

declare module '../db/schema.ts' {
  interface Database {
    gauge_day: GaugeDayTable
    gauge_corrected: GaugeCorrectedTable
    gauge_own: GaugeOwnTable
    gauge_flag: GaugeFlagTable
    gauge_radar: GaugeRadarTable
  }
}
