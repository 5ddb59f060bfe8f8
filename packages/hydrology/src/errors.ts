import type { RadxErrorOptions } from '@radx/contracts'
import { RadxError } from '@radx/contracts'
import type { ErrorCode } from '@radx/contracts/errors'

/** Input that the engine refuses. Codes: `calibration.*`, `surface.*`, `rain.*`, `coupling.*`. */
export class HydrologyError extends RadxError {
  override readonly name: string = 'HydrologyError'
  constructor(code: ErrorCode, messageFr: string, options: RadxErrorOptions = {}) {
    super(code, 422, messageFr, options)
  }
}
