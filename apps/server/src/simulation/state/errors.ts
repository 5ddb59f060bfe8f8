import { type CodeOf, RadxError } from '@radx/contracts/errors'

export type StateErrorCode = `state.${CodeOf<'state'>}`

/** A state that cannot be gone on from, or made. */
export class StateError extends RadxError {
  override readonly name: string = 'StateError'
  constructor(code: StateErrorCode, messageFr: string, details: Record<string, unknown> = {}) {
    super(code, code === 'state.output' ? 409 : 422, messageFr, { details })
  }
}
