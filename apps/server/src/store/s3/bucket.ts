import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { ObjectStoreSettings } from '../../config/object-store.ts'
import { ObjectStoreRefusal, ObjectStoreUnavailable } from './errors.ts'

export interface ListedObject {
  key: string
  bytes: number
  modifiedMs: number
}

/** Pauses before new tries after a network failure or an answer of 5xx or 429. */
const BACKOFF_MS = [50, 200, 800]
const TIMEOUT_MS = 60_000
const HASH_HEADER = 'x-amz-meta-sha256'

/** The few calls of S3 that RadX needs, on keys below the settings' prefix. Idempotent, so that all are retried. */
export class Bucket {
  private readonly client: AwsClient
  private readonly base: string
  private readonly prefix: string

  constructor({ bucket, prefix, endpoint, region, accessKeyId, secretAccessKey }: ObjectStoreSettings) {
    this.client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })
    this.base = endpoint ? `${endpoint}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`
    this.prefix = prefix
  }

  /** Bytes of an object or of a part of it; null when there is no object, or none there. */
  async get(key: string, part?: { offset: number; length: number }): Promise<Buffer | null> {
    const range = part && { range: `bytes=${part.offset}-${part.offset + part.length - 1}` }
    return this.call('GET', this.url(key), { headers: range }, async (response) =>
      Buffer.from(await response.arrayBuffer()),
    )
  }

  /** An object as a stream for large files; null when there is none. */
  async stream(key: string): Promise<ReadableStream<Uint8Array> | null> {
    return this.call('GET', this.url(key), {}, async (response) => response.body)
  }

  /** Size, and SHA-256 when it was put with one; null when there is no object. */
  async head(key: string): Promise<{ bytes: number; sha256: Buffer | null } | null> {
    return this.call('HEAD', this.url(key), {}, async ({ headers }) => ({
      bytes: Number(headers.get('content-length')),
      sha256: headers.has(HASH_HEADER) ? Buffer.from(headers.get(HASH_HEADER)!, 'hex') : null,
    }))
  }

  /** Puts an object in place at once; it is durable when this resolves. A Blob of a file is streamed. */
  async put(key: string, body: Uint8Array | Blob, sha256?: Buffer): Promise<void> {
    const headers: Record<string, string> = sha256 ? { [HASH_HEADER]: sha256.toString('hex') } : {}
    const found = await this.call('PUT', this.url(key), { headers, body: body as BodyInit }, async () => true)
    // A bucket that is not there answers as an object that is not.
    if (found === null) throw new ObjectStoreRefusal(404, 'NoSuchBucket')
  }

  /** Deletes an object; one that is not there is no error. */
  async delete(key: string): Promise<void> {
    await this.call('DELETE', this.url(key), {}, async () => true)
  }

  /** Objects whose keys begin so, in the order of the keys. */
  async *list(prefix: string): AsyncGenerator<ListedObject> {
    for await (const xml of this.pages(prefix, ''))
      for (const [, item] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs))
        yield {
          key: this.own(text(item, 'Key')),
          bytes: Number(text(item, 'Size')),
          modifiedMs: Date.parse(text(item, 'LastModified')),
        }
  }

  /** The `folders` right below a prefix, each ending in `/`. */
  async folders(prefix: string): Promise<string[]> {
    const found: string[] = []
    for await (const xml of this.pages(prefix, '/'))
      for (const [, item] of xml.matchAll(/<CommonPrefixes>(.*?)<\/CommonPrefixes>/gs))
        found.push(this.own(text(item, 'Prefix')))
    return found
  }

  private async *pages(prefix: string, delimiter: string): AsyncGenerator<string> {
    for (let token = ''; ; ) {
      const url = new URL(this.base.endsWith('/') ? this.base : `${this.base}/`)
      url.searchParams.set('list-type', '2')
      url.searchParams.set('prefix', this.prefix + prefix)
      if (delimiter !== '') url.searchParams.set('delimiter', delimiter)
      if (token !== '') url.searchParams.set('continuation-token', token)
      const xml = await this.call('GET', url.href, {}, (response) => response.text())
      if (xml === null) throw new ObjectStoreRefusal(404, 'NoSuchBucket')
      yield xml
      if (!/<IsTruncated>true<\/IsTruncated>/.test(xml)) return
      token = text(xml, 'NextContinuationToken')
    }
  }

  private url(key: string): string {
    const path = (this.prefix + key).split('/').map(encodeURIComponent).join('/')
    return `${this.base}/${path}`
  }

  private own(key: string): string {
    return key.slice(this.prefix.length)
  }

  /** @returns what `read` makes of a success, null of 404 and 416 */
  private async call<T>(
    method: string,
    url: string,
    init: { headers?: Record<string, string>; body?: BodyInit },
    read: (response: Response) => Promise<T>,
  ): Promise<T | null> {
    for (let attempt = 0; ; attempt++) {
      let reason: string
      try {
        const { headers } = await this.client.sign(url, { method, headers: init.headers })
        const signal = AbortSignal.timeout(TIMEOUT_MS)
        // The body is given here and not to the signature: of a file, its length must stay known.
        const response = await fetch(url, { method, headers, body: init.body, signal })
        if (response.ok) return await read(response)
        const said = await response.text()
        if (response.status === 404 || response.status === 416) return null
        const code = /<Code>(\w{1,60})<\/Code>/.exec(said)?.[1] ?? ''
        if (response.status < 500 && response.status !== 429)
          throw new ObjectStoreRefusal(response.status, code)
        reason = `${response.status} ${code}`.trim()
      } catch (error) {
        if (error instanceof ObjectStoreRefusal) throw error
        reason = networkReason(error)
      }
      if (attempt === BACKOFF_MS.length) throw new ObjectStoreUnavailable(reason)
      await sleep(BACKOFF_MS[attempt])
    }
  }
}

function networkReason(error: unknown): string {
  const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException }
  if (name === 'TimeoutError') return 'délai dépassé'
  return cause?.code === 'ECONNREFUSED' ? 'connexion refusée' : (cause?.code ?? 'connexion perdue')
}

/** Text of the first element of a name. */
function text(xml: string, name: string): string {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
  return found.replace(/&(lt|gt|quot|apos|amp);/g, (_, entity) => entities[entity])
}
