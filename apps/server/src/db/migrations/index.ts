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
import * as m0120 from './0120_job_key.ts'
import * as m0121 from './0121_catchment_version.ts'
import * as m0130 from './0130_moved_rain.ts'
import * as m0150 from './0150_gauges.ts'
import * as m0151 from './0151_frame_bias.ts'
import * as m0170 from './0170_csv_dialect.ts'
import * as m0180 from './0180_nowcast.ts'
import * as m0190 from './0190_gauge_corrected.ts'
import * as m0200 from './0200_account_security.ts'
import * as m0201 from './0201_audit.ts'
import * as m0202 from './0202_password_link.ts'
import * as m0203 from './0203_second_factor.ts'
import * as m0215 from './0215_sealed_seeds.ts'
import * as m0216 from './0216_mrr_rain_maximum.ts'
import * as m0220 from './0220_moved_tiles.ts'
import * as m0230 from './0230_gauge_moved.ts'
import * as m0250 from './0250_account_invited.ts'
import * as m0300 from './0300_access_token.ts'
import * as m0310 from './0310_event_cumul_method.ts'
import * as m0320 from './0320_flood.ts'
import * as m0330 from './0330_network.ts'
import * as m0340 from './0340_alerts.ts'
import * as m0346 from './0346_tile_size.ts'
import * as m0347 from './0347_gauge_days.ts'
import * as m0361 from './0361_gauge_bins.ts'
import * as m0370 from './0370_alert_notices.ts'
import * as m0387 from './0387_network_crs.ts'
import * as m0392 from './0392_own_catchments.ts'
import * as m0395 from './0395_builder_draft.ts'
import * as m0400 from './0400_quality.ts'
import * as m0401 from './0401_made_products.ts'
import * as m0402 from './0402_melting.ts'
import * as m0410 from './0410_short_link.ts'
import * as m0412 from './0412_calibration.ts'
import * as m0420 from './0420_own_rain.ts'
import * as m0421 from './0421_job_batch.ts'

/** One step of the schema. It never changes once released; a correction is a new step. */
export interface Migration {
  // biome-ignore lint/suspicious/noExplicitAny: a step knows the tables of its own time, not today's
  up(db: Kysely<any>): Promise<void>
}

/**
 * Every step by name; a database runs those it lacks, in the order of the names.
 * Numbers: 0001-0019 platform, 0020-0039 radar and station, 0040-0059 accounts,
 * 0060-0079 events, exports and jobs, 0080-0099 simulation, 0100-0119 micro rain radar,
 * 0120-0129 runs and versions of catchments, 0130-0139 rain in motion, 0150-0159 rain gauges, 0170-0179 settings of accounts,
 * 0180-0189 forecasts, 0190-0199 corrections of gauges, 0200-0219 security of accounts,
 * 0300-0309 access of other programs, 0320-0329 floods ahead, 0330-0339 networks, 0346-0349 rain at
 * gauges and pixels, 0392-0394 catchments of accounts, 0395-0399 drafts of catchments, 0400-0409 polarimetry,
 * 0410-0411 sharing, 0412-0419 calibration, 0420-0429 rains of accounts and orders of many runs.
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
  '0120_job_key': m0120,
  '0121_catchment_version': m0121,
  '0130_moved_rain': m0130,
  '0150_gauges': m0150,
  '0151_frame_bias': m0151,
  '0170_csv_dialect': m0170,
  '0180_nowcast': m0180,
  '0190_gauge_corrected': m0190,
  '0200_account_security': m0200,
  '0201_audit': m0201,
  '0202_password_link': m0202,
  '0203_second_factor': m0203,
  '0215_sealed_seeds': m0215,
  '0216_mrr_rain_maximum': m0216,
  '0220_moved_tiles': m0220,
  '0230_gauge_moved': m0230,
  '0250_account_invited': m0250,
  '0300_access_token': m0300,
  '0310_event_cumul_method': m0310,
  '0320_flood': m0320,
  '0330_network': m0330,
  '0346_tile_size': m0346,
  '0347_gauge_days': m0347,
  '0361_gauge_bins': m0361,
  '0340_alerts': m0340,
  '0370_alert_notices': m0370,
  '0387_network_crs': m0387,
  '0392_own_catchments': m0392,
  '0395_builder_draft': m0395,
  '0400_quality': m0400,
  '0401_made_products': m0401,
  '0402_melting': m0402,
  '0410_short_link': m0410,
  '0412_calibration': m0412,
  '0420_own_rain': m0420,
  '0421_job_batch': m0421,
}
