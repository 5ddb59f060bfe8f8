import type { Generated } from 'kysely'

/**
 * The tables, by name. A feature adds its own beside its queries:
 *
 *     declare module '../db/schema.ts' { interface Database { frame: FrameTable } }
 *
 * Types as the driver gives them: bigint is number, timestamptz is Date, date is 'YYYY-MM-DD',
 * numeric is string (cast in SQL where a number is wanted).
 */
export interface Database {
  setting: SettingTable
}

/** Small facts about this installation, such as when the demonstration began. */
interface SettingTable {
  key: string
  value: unknown
  updated_at: Generated<Date>
}
