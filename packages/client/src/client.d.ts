import type { Calls } from './calls.js'

export type { Calls }

/** A call by method and path, as the documentation of calls names it: `GET /api/products/latestImages`. */
export type CallName = keyof Calls

type Part<K extends CallName, P extends string> = Calls[K] extends { [N in P]: infer T }
  ? { [N in P]: T }
  : Calls[K] extends { [N in P]?: infer T }
    ? { [N in P]?: T }
    : unknown

/** What a call takes: names in its path, its query, its body. */
export type Given<K extends CallName> = Part<K, 'path'> &
  Part<K, 'query'> &
  Part<K, 'body'> & { signal?: AbortSignal }

/** What a call answers as JSON; undefined where it answers a file, which `fetch` gives. */
export type Answer<K extends CallName> = Calls[K]['answer']

/** A call that needs nothing takes nothing. */
type Arguments<K extends CallName> =
  Record<never, never> extends Given<K> ? [given?: Given<K>] : [given: Given<K>]

export interface ClientOptions {
  /** Of the server, such as `https://radx.example`. */
  address: string | URL
  /** A personal access token (account screen, or `npx radx token add`), or that of a session. */
  token?: string | null
  fetch?: typeof globalThis.fetch
}

/** Calls of a RadX server, typed by its own contracts. */
export declare class RadxClient {
  constructor(options: ClientOptions)
  /** @throws RadxRefused for every status outside 200-299 */
  call<K extends CallName>(call: K, ...given: Arguments<K>): Promise<Answer<K>>
  /** As `call`, for files, pictures and streams. @throws RadxRefused */
  fetch<K extends CallName>(call: K, ...given: Arguments<K>): Promise<Response>
}

export declare class RadxRefused extends Error {
  readonly name: 'RadxRefused'
  readonly status: number
  /** Stable name of the reason, such as `auth.period`; null where no RadX answered. */
  readonly code: string | null
  readonly details: Record<string, unknown>
  constructor(status: number, body: { code?: string; message?: string; details?: object })
}
