import type { ErrorCode } from './error-codes.ts'

export { type CodeOf, ERROR_CODES, type ErrorCode } from './error-codes.ts'

/**
 * The error catalogue: every failure that a person or a client can meet has a stable code, an HTTP
 * status and a French message that says what happened, to what, and what to do.
 */
export interface RadxErrorOptions {
  cause?: unknown
  /** Facts for the log and for clients (never secrets): file, line, field, limits. */
  details?: Record<string, unknown>
}

export class RadxError extends Error {
  override readonly name: string = 'RadxError'
  /** One of {@link ERROR_CODES}, e.g. `rainbow5.truncated`; never translated. */
  readonly code: ErrorCode
  /** HTTP status that a server answers with when this error reaches a client. */
  readonly status: number
  readonly details: Record<string, unknown>

  constructor(code: ErrorCode, status: number, messageFr: string, options: RadxErrorOptions = {}) {
    super(messageFr, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.status = status
    this.details = options.details ?? {}
  }
}

/** Input bytes that a reader refuses. `code` starts with the format's name. */
export class FormatError extends RadxError {
  override readonly name: string = 'FormatError'
  constructor(code: ErrorCode, messageFr: string, options: RadxErrorOptions = {}) {
    super(code, 422, messageFr, options)
  }
}
