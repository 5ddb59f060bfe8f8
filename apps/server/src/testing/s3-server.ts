import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ObjectStoreSettings } from '../config/object-store.ts'

interface StoredObject {
  body: Buffer
  meta: Record<string, string>
  modified: Date
}

export interface TestBucket {
  settings: ObjectStoreSettings
  /** The same as environment variables. */
  env: Record<string, string>
  /** By whole key, prefix included. */
  objects: Map<string, StoredObject>
  /** Requests by method since the start. */
  requests: Record<string, number>
  /** While true every request is answered 503. */
  away: boolean
  close(): Promise<void>
}

const ACCESS_KEY = 'AKTEST'
const SECRET_KEY = 'secret/for+tests'
const REGION = 'eu-west-3'
/** Small, so that listings have pages. */
const PAGE = 100

/**
 * The part of S3 that a client of objects needs, in memory: it checks signatures of version 4 by the steps of
 * AWS's reference, pages its listings, and refuses an upload of unknown length, as the services do.
 */
export async function startTestBucket(): Promise<TestBucket> {
  const objects = new Map<string, StoredObject>()
  const bucket: TestBucket = {
    objects,
    requests: {},
    away: false,
    settings: undefined as never,
    env: undefined as never,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    bucket.requests[request.method!] = (bucket.requests[request.method!] ?? 0) + 1
    if (bucket.away) refuse(response, 503, 'SlowDown')
    else if (!signed(request)) refuse(response, 403, 'SignatureDoesNotMatch')
    else answer(objects, request, response, Buffer.concat(chunks))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  bucket.settings = {
    bucket: 'radx',
    prefix: 'site/',
    endpoint,
    region: REGION,
    accessKeyId: ACCESS_KEY,
    secretAccessKey: SECRET_KEY,
  }
  bucket.env = {
    STORE_URL: 's3://radx/site',
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: SECRET_KEY,
  }
  return bucket
}

function answer(
  objects: Map<string, StoredObject>,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): void {
  const url = new URL(request.url!, 'http://s3')
  const [, name, ...rest] = url.pathname.split('/').map(decodeURIComponent)
  const key = rest.join('/')
  if (name !== 'radx') refuse(response, 404, 'NoSuchBucket')
  else if (request.method === 'PUT') {
    if (request.headers['content-length'] === undefined) {
      refuse(response, 411, 'MissingContentLength')
      return
    }
    const meta = Object.entries(request.headers).filter(([header]) => header.startsWith('x-amz-meta-'))
    objects.set(key, { body, meta: Object.fromEntries(meta) as Record<string, string>, modified: new Date() })
    response.end()
  } else if (request.method === 'DELETE') {
    objects.delete(key)
    response.writeHead(204).end()
  } else if (key === '') list(objects, url.searchParams, response)
  else sendObject(objects.get(key), request, response)
}

function sendObject(
  found: StoredObject | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
  if (!found) refuse(response, 404, 'NoSuchKey')
  else if (range && Number(range[1]) >= found.body.length) refuse(response, 416, 'InvalidRange')
  else {
    const part = range ? found.body.subarray(Number(range[1]), Number(range[2]) + 1) : found.body
    response.writeHead(range ? 206 : 200, { ...found.meta, 'content-length': part.length })
    response.end(request.method === 'HEAD' ? undefined : part)
  }
}

function list(objects: Map<string, StoredObject>, query: URLSearchParams, response: ServerResponse): void {
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter')
  const after = query.get('continuation-token')
  const entries = new Map<string, string>()
  for (const key of [...objects.keys()].sort()) {
    if (!key.startsWith(prefix)) continue
    const cut = delimiter ? key.indexOf(delimiter, prefix.length) : -1
    const entry = cut < 0 ? key : key.slice(0, cut + 1)
    if (after !== null && entry <= Buffer.from(after, 'base64').toString()) continue
    const { body, modified } = objects.get(key)!
    entries.set(
      entry,
      cut < 0
        ? `<Contents><Key>${xml(key)}</Key><LastModified>${modified.toISOString()}</LastModified><Size>${body.length}</Size></Contents>`
        : `<CommonPrefixes><Prefix>${xml(entry)}</Prefix></CommonPrefixes>`,
    )
  }
  const page = [...entries].slice(0, PAGE)
  const more = entries.size > PAGE
  const next = more
    ? `<NextContinuationToken>${Buffer.from(page[PAGE - 1][0]).toString('base64')}</NextContinuationToken>`
    : ''
  response.end(
    `<?xml version="1.0"?><ListBucketResult><Prefix>${xml(prefix)}</Prefix><IsTruncated>${more}</IsTruncated>${next}${page.map(([, text]) => text).join('')}</ListBucketResult>`,
  )
}

const xml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
}

/** AWS, "Signature Version 4 signing process": canonical request, string to sign, derived key. */
function signed(request: IncomingMessage): boolean {
  const { authorization = '' } = request.headers
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[^/]+\/s3\/aws4_request), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    )
  if (!parts || parts[1] !== ACCESS_KEY) return false
  const [, , scope, names, signature] = parts
  const url = new URL(request.url!, 'http://s3')
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  const path = url.pathname.split('/').map(decodeURIComponent).map(encode).join('/')
  const query = [...url.searchParams].map(([k, v]) => `${encode(k)}=${encode(v)}`).sort()
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
  const canonical = [
    request.method,
    path,
    query.join('&'),
    headers.join(''),
    names,
    request.headers['x-amz-content-sha256'],
  ].join('\n')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const toSign = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hash].join('\n')
  const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const key = scope.split('/').reduce<string | Buffer>((k, part) => mac(k, part), `AWS4${SECRET_KEY}`)
  return names.split(';').includes('host') && mac(key, toSign).toString('hex') === signature
}
