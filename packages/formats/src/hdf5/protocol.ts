import type { MrrProFile, MrrProOptions, MrrProVariable } from '../mrrpro/mrrpro.ts'
import type { OdimImage, OdimOptions } from '../odim/odim.ts'

/** What the worker can read: the name of the format, what it is asked with, what it answers. */
export interface Hdf5Jobs {
  odim: { options: OdimOptions; result: OdimImage }
  mrrpro: { options: MrrProOptions; result: Omit<MrrProFile, 'variables'> & { variables: object } }
}

export type Hdf5Request = {
  [K in keyof Hdf5Jobs]: { format: K; bytes: Uint8Array; options: Hdf5Jobs[K]['options'] }
}[keyof Hdf5Jobs]

/** A variable of an MRR-PRO file, sent as soon as it is read; the answer then leaves its values out. */
export interface Hdf5Part {
  part: MrrProVariable
}

export type Hdf5Answer =
  | { ok: true; result: Hdf5Jobs[keyof Hdf5Jobs]['result'] }
  | {
      ok: false
      code: string
      message: string
      details: Record<string, unknown>
      /** The library may be in disorder: this thread must not read another file. */
      spent: boolean
    }
