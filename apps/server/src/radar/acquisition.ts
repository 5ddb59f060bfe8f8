import type { AcquisitionParams } from '@radx/contracts'
import { isoSeconds } from '@radx/locale/time'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { FrameSensor } from '../store/schema.ts'

/** A frame further away than this says nothing about an instant. */
const REACH_MS = 3_600_000

/**
 * Acquisition parameters of the frame of an instant, or else of the one before it, or else of the one after it;
 * null when there is none within an hour.
 */
export async function acquisitionParams(
  db: Kysely<Database>,
  product: StoredProduct,
  atMs: number,
): Promise<AcquisitionParams | null> {
  const at = new Date(atMs)
  const { rows } = await sql<{ time: Date; version: string; name: string; sensor: FrameSensor }>`
    select f.time, p.version, p.name, p.sensor from (
      (select time, params_id from radar_frame
        where product_id = ${product.id} and time <= ${at} and time >= ${new Date(atMs - REACH_MS)} order by time desc limit 1)
      union all
      (select time, params_id from radar_frame
        where product_id = ${product.id} and time > ${at} and time <= ${new Date(atMs + REACH_MS)} order by time limit 1)
    ) f join radar_params p on p.id = f.params_id order by f.time limit 1`.execute(db)
  const [row] = rows
  if (!row) return null
  const { name, wavelengthM, beamwidthDeg, altitudeM } = row.sensor
  return {
    product: { version: row.version, name: row.name, datetime: isoSeconds(row.time.getTime()) },
    data: { sensorinfo: { name, wavelen: wavelengthM, beamwidth: beamwidthDeg, alt: altitudeM } },
  }
}
