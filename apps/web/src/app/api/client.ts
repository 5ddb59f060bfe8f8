import type { ErrorCode } from '@radx/contracts/errors'
import { errorTexts } from '../../texts/shell.ts'
import { expireSession } from '../auth/session.ts'
import { useAuth } from '../auth/store.ts'
import { ApiError } from './errors.ts'

const DEFAULT_TIMEOUT_MS = 30_000
/** No answer takes longer than this, however much comes. */
const LONG_MS = 3_600_000
const SESSION_OVER = 'auth.expired'

export interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Query parameters; null and undefined ones are left out. */
  query?: Record<string, string | number | boolean | null | undefined>
  /** Sent as JSON, or as it is when FormData, a file or text. */
  body?: unknown
  signal?: AbortSignal
  timeoutMs?: number
  headers?: Record<string, string>
}

export function apiUrl(path: string, query: CallOptions['query'] = {}): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    if (value !== null && value !== undefined) params.set(key, String(value))
  const text = params.toString()
  return text === '' ? path : `${path}?${text}`
}

/** @param given further ones @param token of the session */
export function signedHeaders(token: string | null, given?: Record<string, string>): Headers {
  const headers = new Headers(given)
  if (token !== null) headers.set('Authorization', `Bearer ${token}`)
  return headers
}

/** What a refused call throws; it ends the session of the page where the server knows none any more. */
export async function refusal(response: Response, token: string | null): Promise<ApiError> {
  const error = await failure(response)
  // Closed, disabled or expired on the server: what this page believes about the session is over.
  if (error.code === SESSION_OVER && token !== null && token === useAuth.getState().token) expireSession()
  return error
}

async function failure(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  let body: { message?: unknown; code?: unknown; details?: { problems?: unknown } } = {}
  try {
    body = JSON.parse(text) ?? {}
  } catch {
    // Not JSON, e.g. a proxy's own page: nothing to quote.
  }
  return new ApiError('http', errorTexts.failedStatus(response.status), {
    status: response.status,
    statusText: response.statusText,
    code: typeof body.code === 'string' ? (body.code as ErrorCode) : null,
    serverMessage: typeof body.message === 'string' ? body.message : null,
    problems: Array.isArray(body.details?.problems) ? body.details.problems.map(String) : [],
  })
}

/**
 * Sends a call with the session's bearer token when there is one, and answers the raw response.
 * @throws ApiError for every status outside 200-299, no answer, or no answer in time; an abort by the
 * caller's own signal is passed on as it is
 */
export async function send(path: string, options: CallOptions = {}): Promise<Response> {
  const { method = 'GET', query, body, signal, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const { token } = useAuth.getState()
  const headers = signedHeaders(token, options.headers)
  let payload: BodyInit | undefined
  if (body instanceof FormData || body instanceof Blob || typeof body === 'string') payload = body
  else if (body !== undefined) {
    payload = JSON.stringify(body)
    headers.set('Content-Type', 'application/json')
  }
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(apiUrl(path, query), {
      method,
      headers,
      body: payload,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    if (!response.ok) {
      throw await refusal(response, token)
    }
    return response
  } catch (error) {
    if (error instanceof ApiError || signal?.aborted) throw error
    if (timeout.aborted) throw new ApiError('timeout', errorTexts.timeout, { cause: error })
    throw new ApiError('network', errorTexts.network, { cause: error })
  }
}

/**
 * As `callJson` for a long answer: it may take as long as it likes as long as something comes.
 * @param onText each piece of text as it comes, with the answer's headers
 * @param idleMs longest wait for the next piece
 */
export async function callLongJson<T>(
  path: string,
  { idleMs, ...options }: CallOptions & { idleMs: number },
  onText: (piece: string, headers: Headers) => void,
): Promise<T> {
  const idle = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => idle.abort(), idleMs)
  }
  const signal = options.signal ? AbortSignal.any([options.signal, idle.signal]) : idle.signal
  const late = (cause: unknown) => new ApiError('timeout', errorTexts.timeout, { cause })
  try {
    wait()
    const response = await send(path, { ...options, signal, timeoutMs: LONG_MS })
    const pieces: string[] = []
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      wait()
      pieces.push(next.value)
      onText(next.value, response.headers)
    }
    return JSON.parse(pieces.join('')) as T
  } catch (error) {
    if (error instanceof ApiError || options.signal?.aborted) throw error
    if (idle.signal.aborted) throw late(error)
    throw new ApiError('unreadable', errorTexts.unreadable, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** As `send`, and reads the answer as JSON. @throws ApiError, also when it is no JSON or stops on the way */
export async function callJson<T>(path: string, options: CallOptions = {}): Promise<T> {
  const response = await send(path, options)
  try {
    return (await response.json()) as T
  } catch (error) {
    if (options.signal?.aborted) throw error
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw new ApiError('timeout', errorTexts.timeout, { cause: error })
    throw new ApiError('unreadable', errorTexts.unreadable, { status: response.status, cause: error })
  }
}
