import type {
  CalibrationBody,
  CalibrationResult,
  ObservedPlace,
  ObservedQuantity,
  ObservedUnit,
  ParameterValue,
} from '@radx/contracts'
import type { Generated } from 'kysely'
import type { RunInput } from '../run-spec.ts'

export interface ObservationTable {
  id: Generated<string>
  username: string
  catchment_id: string
  name: string
  file_name: string
  place: ObservedPlace
  quantity: ObservedQuantity
  unit: ObservedUnit
  time_zone: string
  first_at: Date
  last_at: Date
  count: number
  missing: number
  /** Instants, ms UTC, then as many values in the unit (NaN = missing): 8 bytes each, little-endian. */
  data: Buffer
  bytes: number
  created_at: Generated<Date>
}

/** What a fit stands on: runs as they were when it was asked for. */
export interface CalibrationConfigRow extends Omit<CalibrationBody, 'events'> {
  events: {
    jobId: string
    title: string
    use: 'calibration' | 'validation'
    input: RunInput
    scheme: 'inertial' | 'full'
  }[]
}

export interface CalibrationTable {
  id: Generated<string>
  username: string
  catchment_id: string
  name: string
  config: CalibrationConfigRow
  /** Of the task whose trials are kept; null before its first. */
  task_hash: string | null
  fitted: ParameterValue[] | null
  result: CalibrationResult | null
  created_at: Generated<Date>
}

export interface CalibrationTrialTable {
  calibration_id: string
  trial: number
  /** See `encodeTrial`. */
  data: string
}

declare module '../../db/schema.ts' {
  interface Database {
    observation: ObservationTable
    calibration: CalibrationTable
    calibration_trial: CalibrationTrialTable
  }
}

/** Instants and values as they are kept. */
export function packSeries(times: Float64Array, values: Float64Array): Buffer {
  const both = new Float64Array(2 * times.length)
  both.set(times)
  both.set(values, times.length)
  return Buffer.from(both.buffer)
}

export function unpackSeries(data: Buffer): { times: Float64Array; values: Float64Array } {
  const both = new Float64Array(Uint8Array.from(data).buffer)
  return { times: both.subarray(0, both.length / 2), values: both.subarray(both.length / 2) }
}
