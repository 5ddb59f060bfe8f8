import type { ErrorCode } from '@radx/contracts/errors'
import type { RadarVolume } from '@radx/contracts/radar-volume'
import type { MrrProFile, MrrProOptions, MrrProVariable } from '../mrrpro/mrrpro.ts'
import type { NetcdfRain } from '../netcdf/rain-grids.ts'
import type { OdimImage, OdimOptions } from '../odim/odim.ts'
import type { Hdf5Format } from './file.ts'

/** What the worker can read: the name of the job, what it is asked with, what it answers. */
export interface Hdf5Jobs {
  odim: { options: OdimOptions; result: OdimImage }
  volume: { options: object; result: RadarVolume }
  netcdf: { options: object; result: NetcdfRain }
  mrrpro: { options: MrrProOptions; result: Omit<MrrProFile, 'variables'> & { variables: object } }
}

/** First part of the error codes of each job, and whose limits it has. */
export const FORMAT_OF: Record<keyof Hdf5Jobs, Hdf5Format> = {
  odim: 'odim',
  volume: 'odim',
  netcdf: 'odim',
  mrrpro: 'mrrpro',
}

export type Hdf5Request = {
  [K in keyof Hdf5Jobs]: { job: K; bytes: Uint8Array; options: Hdf5Jobs[K]['options'] }
}[keyof Hdf5Jobs]

/** A variable of an MRR-PRO file, sent as soon as it is read; the answer then leaves its values out. */
export interface Hdf5Part {
  part: MrrProVariable
}

export type Hdf5Answer =
  | { ok: true; result: Hdf5Jobs[keyof Hdf5Jobs]['result'] }
  | {
      ok: false
      code: ErrorCode
      message: string
      details: Record<string, unknown>
      /** The library may be in disorder: this thread must not read another file. */
      spent: boolean
    }
