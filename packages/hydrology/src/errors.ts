import type { RadxErrorOptions } from '@radx/contracts'
import { RadxError } from '@radx/contracts'

/** Input that the engine refuses. Codes: `surface.*`, `rain.*`, `coupling.*`. */
export class HydrologyError extends RadxError {
  override readonly name: string = 'HydrologyError'
  constructor(code: string, messageFr: string, options: RadxErrorOptions = {}) {
    super(code, 422, messageFr, options)
  }
}
