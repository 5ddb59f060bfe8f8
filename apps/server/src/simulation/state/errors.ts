import { RadxError } from '@radx/contracts/errors'

export type StateErrorCode =
  | 'state.file'
  | 'state.format'
  | 'state.damaged'
  | 'state.engine'
  | 'state.run'
  | 'state.scheme'
  | 'state.moment'
  | 'state.output'

/** A state that cannot be gone on from, or made. */
export class StateError extends RadxError {
  override readonly name: string = 'StateError'
  constructor(code: StateErrorCode, messageFr: string, details: Record<string, unknown> = {}) {
    super(code, code === 'state.output' ? 409 : 422, messageFr, { details })
  }
}
