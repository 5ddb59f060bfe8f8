import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, test } from 'vitest'

const SCRIPT = readFileSync(resolve(import.meta.dirname, '../../public/service-worker.js'), 'utf8')
const ORIGIN = 'https://radx.example'

/** As much of the browser's caches as the worker uses. */
class FakeCache {
  readonly kept = new Map<string, Response>()
  private readonly fetch: (path: string) => Promise<Response>
  constructor(fetch: (path: string) => Promise<Response>) {
    this.fetch = fetch
  }
  private key = (asked: string | { url: string }) =>
    new URL(typeof asked === 'string' ? asked : asked.url, ORIGIN).href
  match = async (asked: string | { url: string }) => this.kept.get(this.key(asked))?.clone()
  put = async (asked: string | { url: string }, answer: Response) =>
    void this.kept.set(this.key(asked), answer)
  delete = async (asked: string | { url: string }) => this.kept.delete(this.key(asked))
  keys = async () => [...this.kept.keys()].map((url) => ({ url }))
  add = (path: string) => this.addAll([path])
  addAll = async (paths: string[]) => {
    const answers = await Promise.all(paths.map((path) => this.fetch(path)))
    if (answers.some(({ ok }) => !ok)) throw new TypeError('not all came')
    paths.forEach((path, k) => void this.kept.set(this.key(path), answers[k]))
  }
}

function startWorker() {
  const network = new Map<string, () => Response>()
  const state = { online: true, network, asked: [] as { path: string; signed: boolean }[] }
  const fetch = async (asked: string | Request): Promise<Response> => {
    const request = typeof asked === 'string' ? null : asked
    const { pathname, search } = new URL(request?.url ?? (asked as string), ORIGIN)
    state.asked.push({ path: pathname + search, signed: request?.headers.has('authorization') ?? false })
    if (!state.online) throw new TypeError('no network')
    return (network.get(pathname) ?? (() => new Response('', { status: 404 })))()
  }
  const stores = new Map<string, FakeCache>()
  const open = async (name: string) => {
    const store = stores.get(name) ?? new FakeCache(fetch)
    stores.set(name, store)
    return store
  }
  const listeners = new Map<string, (event: unknown) => void>()
  runInNewContext(SCRIPT, {
    ...{ URL, Response, Set, Map, Promise, Date, Math, JSON, encodeURIComponent, fetch },
    location: new URL(ORIGIN),
    addEventListener: (type: string, listener: (event: unknown) => void) => listeners.set(type, listener),
    skipWaiting: () => undefined,
    clients: { claim: async () => undefined },
    registration: {},
    caches: {
      open,
      keys: async () => [...stores.keys()],
      delete: async (name: string) => stores.delete(name),
      match: async (asked: string | { url: string }, { cacheName }: { cacheName: string }) =>
        (await open(cacheName)).match(asked),
    },
  })
  /** Fires an event and waits for all that it began. */
  const fire = async (type: string, given: object = {}): Promise<Response | undefined> => {
    const works: Promise<unknown>[] = []
    let answer: Promise<Response> | undefined
    listeners.get(type)!({
      ports: [],
      waitUntil: (work: Promise<unknown>) => void works.push(work),
      respondWith: (given: Promise<Response>) => {
        answer = given
      },
      ...given,
    })
    const given_ = await answer
    while (works.length > 0) await works.shift()
    return given_
  }
  const ask = (path: string, { mode, token }: { mode?: string; token?: string } = {}) => {
    const request = new Request(ORIGIN + path, token ? { headers: { authorization: token } } : {})
    if (mode) Object.defineProperty(request, 'mode', { value: mode })
    return fire('fetch', { request })
  }
  return { ...state, state, stores, fire, ask, page: () => ask('/', { mode: 'navigate' }) }
}

const html = (version: string) => () =>
  new Response(`<script src="/assets/index-${version}.js"></script>`, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      link: `</assets/live-${version}.js>; rel=modulepreload`,
    },
  })
const everybodys = (body: unknown) => () =>
  Response.json(body, { headers: { 'cache-control': 'public, max-age=0, s-maxage=10' } })

describe('the service worker', () => {
  let worker: ReturnType<typeof startWorker>
  const deploy = (version: string) => {
    worker.network.clear()
    worker.network.set('/', html(version))
    for (const part of ['index', 'live'])
      worker.network.set(`/assets/${part}-${version}.js`, () => new Response(`${part} ${version}`))
    for (const plain of ['/theme-init.js', '/favicon.svg', '/manifest.webmanifest'])
      worker.network.set(plain, () => new Response(plain))
  }
  const text = async (answer: Promise<Response | undefined>) => (await answer)?.text()
  beforeEach(async () => {
    worker = startWorker()
    deploy('one')
    await worker.fire('install')
  })

  test('with a network a deploy is seen at the next page, without one the last whole version', async () => {
    deploy('two')
    expect(await text(worker.page())).toContain('index-two')
    worker.state.online = false
    expect(await text(worker.page())).toContain('index-two')
    expect(await text(worker.ask('/analyse', { mode: 'navigate' }))).toContain('index-two')
    expect(await text(worker.ask('/assets/live-two.js'))).toBe('live two')
    // Open tabs of the version before still find their files.
    expect(await text(worker.ask('/assets/index-one.js'))).toBe('index one')
  })

  test('a version of which a file did not come is not kept', async () => {
    deploy('two')
    worker.network.delete('/assets/live-two.js')
    expect(await text(worker.page())).toContain('index-two')
    worker.state.online = false
    expect(await text(worker.page())).toContain('index-one')
  })

  test('a page that is no page of the application is not kept', async () => {
    for (const answer of [
      () => new Response('construction', { status: 503, headers: { 'content-type': 'text/html' } }),
      () => Response.json({}),
    ]) {
      worker.network.set('/', answer)
      await worker.page()
    }
    worker.state.online = false
    expect(await text(worker.page())).toContain('index-one')
    for (const path of ['/api/docs', '/ogc/wms', '/images/exportgrid/a.nc', '/metrics'])
      expect([path, await worker.ask(path, { mode: 'navigate' })]).toEqual([path, undefined])
  })

  test('instants and frames of the last hours are kept together, for whatever window is asked', async () => {
    const images = [{ datetime: '2026-06-01T10:00:00Z' }, { datetime: '2026-06-01T10:03:00Z' }]
    worker.network.set('/api/products/latestImages', everybodys({ images }))
    worker.network.set('/api/products/frames', () => new Response('', { status: 503 }))
    await worker.fire('message', { data: { live: 'dpsri' } })
    expect(worker.stores.get('radx-answers')?.kept.size ?? 0).toBe(0)
    worker.network.set('/api/products/frames', everybodys('frames'))
    await worker.fire('message', { data: { live: 'dpsri' } })
    expect(worker.asked.at(-1)?.path).toBe(
      '/api/products/frames?p=dpsri&s=2026-06-01T10:00:00.000Z&e=2026-06-01T10:03:01.000Z',
    )
    worker.state.online = false
    expect(await (await worker.ask('/api/products/latestImages?p=dpsri'))!.json()).toEqual({ images })
    const window = '/api/products/frames?p=dpsri&s=a&e=b&v=1'
    expect(await (await worker.ask(window, { token: 'Bearer of somebody' }))!.json()).toBe('frames')
    // Another layer, another product: nothing that stands for it.
    for (const other of [`${window}&layer=quality`, '/api/products/frames?p=sri'])
      await expect(worker.ask(other)).rejects.toThrow('no network')
  })

  test('what a session is given is never kept, and signing out forgets the rest', async () => {
    worker.network.set('/api/site', () =>
      Response.json({ of: 'one account' }, { headers: { 'cache-control': 'private, no-cache' } }),
    )
    worker.network.set('/api/catchments', everybodys([]))
    worker.network.set('/api/users/me', everybodys({ secret: 1 }))
    await worker.ask('/api/site', { token: 'Bearer of somebody' })
    await worker.fire('message', {
      data: { answers: ['/api/site', '/api/users/me', '/api/catchments'], files: ['/assets/index-one.js'] },
    })
    expect([...worker.stores.get('radx-answers')!.kept.keys()]).toEqual([`${ORIGIN}/api/catchments`])
    // It asks for itself without anybody's session.
    expect(worker.asked.filter(({ signed }) => signed)).toHaveLength(1)
    await worker.fire('message', { data: { forget: true } })
    expect(worker.stores.has('radx-answers')).toBe(false)
    // Calls of accounts do not pass through it at all.
    expect(await worker.ask('/api/users/me', { token: 'Bearer of somebody' })).toBeUndefined()
  })
})
