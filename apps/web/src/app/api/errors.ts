import type { ErrorCode } from '@radx/contracts/errors'
import { punctuated } from '@radx/locale/punctuation-fr'
import { errorTexts } from '../../texts/shell.ts'

export type ApiErrorKind = 'http' | 'network' | 'timeout' | 'unreadable'

/** A call that failed. `status` is null when no response came. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly kind: ApiErrorKind
  readonly status: number | null
  readonly statusText: string
  /** The server's stable error code, e.g. `auth.required`. */
  readonly code: ErrorCode | null
  /** The server's own message, in French; it is typed with plain spaces. */
  readonly serverMessage: string | null
  /** What all is wrong with something that was sent, where the server lists it. */
  readonly problems: readonly string[]

  constructor(
    kind: ApiErrorKind,
    message: string,
    response: {
      status?: number
      statusText?: string
      code?: ErrorCode | null
      serverMessage?: string | null
      problems?: readonly string[]
      cause?: unknown
    } = {},
  ) {
    super(message, response.cause === undefined ? undefined : { cause: response.cause })
    this.kind = kind
    this.status = response.status ?? null
    this.statusText = response.statusText ?? ''
    this.code = response.code ?? null
    this.serverMessage = response.serverMessage == null ? null : punctuated(response.serverMessage)
    this.problems = (response.problems ?? []).map(punctuated)
  }
}

/**
 * The generic error text: the error message plus the server's message; when the error message ends in
 * 401, a hint to sign in again follows.
 */
export function genericErrorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const fromServer = error instanceof ApiError ? error.serverMessage : null
  const text = fromServer ? `${message}\u00a0: ${fromServer}` : message
  return message.endsWith('401') ? `${text}${errorTexts.relogin}` : text
}

/** What the server said, or else what became of the call: for a form whose refusals are sentences of their own. */
export function serverErrorText(error: unknown): string {
  if (error instanceof ApiError && error.serverMessage) return error.serverMessage
  return error instanceof Error ? error.message : String(error)
}

/** What the error page shows: the code or '!', a text, and whether the fault was the server's (500). */
export interface ErrorView {
  code: string
  message: string
  serverFault: boolean
  /** A script of the page did not come. */
  isScript: boolean
}

const CHUNK_FAILED = /dynamically imported module|module script failed|Unable to preload/i

/**
 * Reads whatever was thrown. A script of a newer version that is no longer there has neither message nor
 * status text to show: the default text, which asks to reload, is exactly right then.
 */
export function errorView(error: unknown): ErrorView {
  const fields = (typeof error === 'object' && error !== null ? error : {}) as {
    status?: unknown
    statusText?: unknown
    message?: unknown
    serverMessage?: unknown
    data?: unknown
  }
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : null)
  const raw = text(fields.serverMessage) ?? text(fields.message)
  const isScript = raw !== null && CHUNK_FAILED.test(raw)
  const message = isScript ? null : raw
  const status = typeof fields.status === 'number' && fields.status > 0 ? fields.status : null
  return {
    code: status === null ? errorTexts.unknownCode : String(status),
    message: message ?? text(fields.statusText) ?? errorTexts.defaultMessage,
    serverFault: status === 500,
    isScript,
  }
}
