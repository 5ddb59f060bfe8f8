import type { Kysely } from 'kysely'
import * as m0001 from './0001_setting.ts'
import * as m0020 from './0020_frames.ts'
import * as m0040 from './0040_account.ts'
import * as m0041 from './0041_article.ts'
import * as m0042 from './0042_shapefile.ts'
import * as m0060 from './0060_job.ts'
import * as m0061 from './0061_saved_event.ts'
import * as m0062 from './0062_montana_table.ts'
import * as m0080 from './0080_simulation.ts'
import * as m0081 from './0081_land_use_edit.ts'
import * as m0082 from './0082_kept.ts'
import * as m0100 from './0100_mrr.ts'
import * as m0110 from './0110_checksums.ts'

/** One step of the schema. It never changes once released; a correction is a new step. */
export interface Migration {
  // biome-ignore lint/suspicious/noExplicitAny: a step knows the tables of its own time, not today's
  up(db: Kysely<any>): Promise<void>
}

/**
 * Every step by name; a database runs those it lacks, in the order of the names.
 * Numbers: 0001-0019 platform, 0020-0039 radar and station, 0040-0059 accounts,
 * 0060-0079 events, exports and jobs, 0080-0099 simulation, 0100-0119 micro rain radar.
 */
export const migrations: Record<string, Migration> = {
  '0001_setting': m0001,
  '0020_frames': m0020,
  '0040_account': m0040,
  '0041_article': m0041,
  '0042_shapefile': m0042,
  '0060_job': m0060,
  '0061_saved_event': m0061,
  '0062_montana_table': m0062,
  '0080_simulation': m0080,
  '0081_land_use_edit': m0081,
  '0082_kept': m0082,
  '0100_mrr': m0100,
  '0110_checksums': m0110,
}
