import type { CatchmentSharing, CatchmentSummary, LuseConfig, LuseUpdate } from '@radx/contracts'
import type { Generated } from 'kysely'

interface CatchmentTable {
  id: string
  hash: string
  summary: Omit<CatchmentSummary, 'recentMsPerHour' | 'expectedMsPerHour'>
  imported_at: Generated<Date>
  /** Owner; null for one of the site, which everybody sees. */
  username: string | null
  /** Of an account's: the id in its catchment.json, of which the row's own is made. */
  package_id: string | null
  /** As its owner calls it; null for one of the site. */
  name: string | null
  sharing: Generated<CatchmentSharing>
  created_at: Generated<Date>
  /** Since then it stays only for the runs that were made on it. */
  deleted_at: Date | null
  /** Where it stands in lists, with `created_at`. */
  place: Generated<string>
}
interface CatchmentVersionTable {
  catchment_id: string
  /** Of the package, which lies under it. */
  hash: string
  summary: Omit<CatchmentSummary, 'recentMsPerHour'>
  imported_at: Generated<Date>
  /** Of its files; 0 for one of the site. */
  bytes: Generated<number>
}
export interface LuseFileTable {
  id: Generated<string>
  catchment_id: string
  /** Version of the catchment whose grid it has; empty for one that was not kept, null for the only one there was. */
  catchment_hash: string | null
  username: string
  description: string
  created_at: Generated<Date>
  configs: LuseConfig[]
  codes_zstd: Buffer
  size_bytes: number
  hash: string
  image_jpeg: Buffer
  is_reference: Generated<boolean>
  /** Cells painted on another file, which made this one; null for a file that no form made. */
  edit: LuseUpdate[] | null
}
declare module '../db/schema.ts' {
  interface Database {
    catchment: CatchmentTable
    catchment_version: CatchmentVersionTable
    catchment_share: { catchment_id: string; username: string }
    luse_file: LuseFileTable
    simulation_note: { job_id: string; comment: string }
  }
}
