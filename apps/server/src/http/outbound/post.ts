import { lookup } from 'node:dns'
import { type ClientRequest, request as plain, type RequestOptions } from 'node:http'
import { request as tls } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { allowedBy, isPublic } from './addresses.ts'

/** Of an answer so much is read, bytes; the rest tells nobody anything. */
const MOST_READ = 4_096

/** Why a call did not arrive. */
export class PostFailed extends Error {
  /** Trying again leads to the same. */
  readonly isFinal: boolean
  readonly status: number | null
  constructor(messageFr: string, { isFinal = false, status = null as number | null } = {}) {
    super(messageFr)
    this.isFinal = isFinal
    this.status = status
  }
}

export interface Post {
  url: string
  headers: Record<string, string>
  body: string | Buffer
  timeoutMs: number
  /** Networks that may be called though they are private, and without TLS. */
  allowed: readonly string[]
  signal?: AbortSignal
  /** Looks names up; the system does unless a test does. */
  resolve?: typeof lookup
}

/**
 * Sends to an address that a person gave. The host's name is looked up once and every address found is checked; the
 * connection goes to one of those, so that an answer of the name server that changes meanwhile (DNS rebinding) changes
 * nothing. Redirections are not followed at all.
 * @returns status of a success
 * @throws PostFailed
 */
export async function post(to: Post): Promise<number> {
  const { headers, body, timeoutMs, allowed, signal, resolve: resolver = lookup } = to
  const url = targetOf(to.url)
  const isAllowed = allowedBy(allowed)
  const isPlain = url.protocol === 'http:'
  const may = (address: string) => isAllowed(address) || (isPublic(address) && !isPlain)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const refusal = new PostFailed(
    isPlain
      ? 'Une adresse https:// est attendue'
      : `${host} mène à une adresse privée, qui n’est pas appelée`,
    { isFinal: true },
  )
  if (isIP(host) && !may(host)) throw refusal
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    // A connection of its own: one that is kept could be of a host that was checked as another.
    agent: false,
    lookup: checkedLookup(resolver, may, refusal),
  }
  const ended = AbortSignal.timeout(timeoutMs)
  const status = await new Promise<number>((resolve, reject) => {
    const sending: ClientRequest = (isPlain ? plain : tls)(
      url,
      { ...options, signal: signal ? AbortSignal.any([ended, signal]) : ended },
      (answer) => {
        const { statusCode = 0 } = answer
        let read = 0
        const done = () => resolve(statusCode)
        answer.on('data', (bytes: Buffer) => {
          read += bytes.length
          if (read <= MOST_READ) return
          done()
          sending.destroy()
        })
        answer.on('end', done)
        answer.on('error', reject)
      },
    )
    sending.on('error', reject)
    sending.end(body)
  }).catch((error: unknown) => {
    if (error instanceof PostFailed) throw error
    if (ended.aborted) throw new PostFailed(`Pas de réponse en ${Math.round(timeoutMs / 1000)}\u00a0s`)
    const { code, message } = error as NodeJS.ErrnoException
    throw new PostFailed(`Pas joignable (${code ?? message})`)
  })
  if (status >= 200 && status < 300) return status
  if (status >= 300 && status < 400)
    throw new PostFailed(`Réponse ${status}\u00a0: les redirections ne sont pas suivies`, { status })
  throw new PostFailed(`Réponse ${status}`, { status })
}

/** @throws PostFailed */
function targetOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new PostFailed('Une adresse https:// sans identifiants est attendue', { isFinal: true })
  return url
}

/** Looks a name up and gives on what was checked alone; one forbidden address refuses the name. */
function checkedLookup(
  resolver: typeof lookup,
  may: (address: string) => boolean,
  refusal: PostFailed,
): LookupFunction {
  return (hostname, options, callback) =>
    resolver(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 4)
      if (found.length === 0 || !found.every(({ address }) => may(address))) return callback(refusal, '', 4)
      if (options.all) return callback(null, found)
      return callback(null, found[0].address, found[0].family)
    })
}
