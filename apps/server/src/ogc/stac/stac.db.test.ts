import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopeOf } from '../../http/scopes.ts'
import { ARCHIVE, FRAMES, iso, NEWEST, startOgcServer } from '../testing/ogc-server.ts'
import { addResults, CREATED, MEASURED, VIRTUAL } from '../testing/results.ts'

const HOUR = 3_600_000
const idOf = (ms: number) => `dpsri-${iso(ms).replace(/[-:]/g, '')}`
/** The latest 3 h, newest first. */
const LIVE = FRAMES.filter((ms) => ms > NEWEST - 3 * HOUR).toReversed()
const ARCHIVED = FRAMES.filter((ms) => ms < ARCHIVE + HOUR).toReversed()

interface Link {
  href: string
  rel: string
  method?: string
  body?: object
}
interface Page {
  features: { id: string; collection: string; properties: Record<string, unknown> }[]
  numberReturned: number
  links: Link[]
}

/** Titles name the parts of STAC API 1.0.0. */
describe('catalogue of frames and runs', () => {
  let server: Awaited<ReturnType<typeof startOgcServer>>
  beforeAll(async () => {
    server = await startOgcServer()
    await addResults(server.deps, server.dataDir)
  })
  afterAll(() => server?.close())

  const call = (path: string, token?: string) => server.call(`/ogc/stac${path}`, token)
  const post = (payload: object, token?: string) =>
    server.app.inject({
      method: 'POST',
      url: '/ogc/stac/search',
      payload,
      headers: token ? { authorization: `Bearer ${token}` } : {},
    })
  const find = async (query: Record<string, string> = {}, token?: string): Promise<Page> =>
    (await call(`/search?${new URLSearchParams(query)}`, token)).json()
  const idsOf = ({ features }: Page) => features.map(({ id }) => id)
  const path = ({ href }: Link) => href.replace(/^https?:\/\/[^/]+/, '')
  const next = ({ links }: Page) => links.find(({ rel }) => rel === 'next')

  test('core: the catalogue leads to itself, its conformance, its search and each collection', async () => {
    const root = (await call('')).json()
    expect(root).toMatchObject({ type: 'Catalog', id: 'radx', stac_version: '1.0.0' })
    const rels = root.links.map(({ rel }: Link) => rel)
    for (const rel of [
      'self',
      'root',
      'data',
      'conformance',
      'service-desc',
      'service-doc',
      'search',
      'child',
    ])
      expect(rels).toContain(rel)
    for (const link of root.links.filter(
      ({ rel, method }: Link) => rel !== 'service-doc' && method !== 'POST',
    ))
      expect([link.href, (await server.call(path(link))).statusCode]).toEqual([link.href, 200])
    expect((await call('/conformance')).json().conformsTo).toEqual(root.conformsTo)
  })

  test('collections: one a product, and that of runs for who is signed in, each with extent and licence', async () => {
    const named = async (token?: string) =>
      (await call('/collections', token)).json().collections.map(({ id }: { id: string }) => id)
    expect(await named()).toEqual(['dpsri', 'sri'])
    expect(await named('user')).toEqual(['dpsri', 'sri', 'runs'])
    const one = (await call('/collections/dpsri')).json()
    expect(one).toMatchObject({
      type: 'Collection',
      id: 'dpsri',
      stac_version: '1.0.0',
      license: 'proprietary',
    })
    expect(one.extent).toEqual({
      spatial: { bbox: [[2, 48, 3, 49]] },
      temporal: { interval: [[iso(ARCHIVE), iso(NEWEST)]] },
    })
    const runs = (await call('/collections/runs', 'user')).json().extent
    expect(runs.temporal.interval).toEqual([[iso(ARCHIVE), iso(CREATED)]])
    expect((await call('/collections/runs')).statusCode).toBe(401)
    expect((await call('/collections/constructor/items', 'user')).statusCode).toBe(404)
  })

  test('item search: nobody is told of the live window alone, each account of what its dates and runs let it see', async () => {
    const nobody = await find({ limit: '500' })
    expect(idsOf(nobody)).toEqual(LIVE.map(idOf))
    const user = await find({ limit: '500' }, 'user')
    expect(idsOf(user)).toEqual([
      ...FRAMES.toReversed().map(idOf),
      ...[VIRTUAL, MEASURED].toSorted().toReversed(),
    ])
    expect(idsOf(await find({ limit: '500' }, 'early'))).toEqual([VIRTUAL])
    expect(idsOf(await find({ ids: `${idOf(ARCHIVE)},${MEASURED},${VIRTUAL}` }, 'early'))).toEqual([VIRTUAL])
    expect(idsOf(await find({ ids: `${idOf(ARCHIVE)},${MEASURED},${idOf(NEWEST)}` }))).toEqual([idOf(NEWEST)])
    const open = await call('/search')
    expect(open.headers['cache-control']).toContain('s-maxage')
    expect((await call('/search', 'user')).headers['cache-control']).toContain('private')
  })

  test('item search: pages lead on to every item once, by address and by body', async () => {
    const all = idsOf(await find({ limit: '500' }, 'user'))
    const byAddress: string[] = []
    let link: Link | undefined = { href: '/ogc/stac/search?limit=18', rel: 'next' }
    while (link) {
      const page: Page = (await server.call(path(link), 'user')).json()
      expect(page.numberReturned).toBe(page.features.length)
      byAddress.push(...idsOf(page))
      link = next(page)
    }
    expect(byAddress).toEqual(all)
    const byBody: string[] = []
    let body: object | undefined = { limit: 40 }
    while (body) {
      const page: Page = (await post(body, 'user')).json()
      byBody.push(...idsOf(page))
      body = next(page)?.body
    }
    expect(byBody).toEqual(all)
  })

  test('item search: time, box, outline, collections and ids', async () => {
    const datetime = `${iso(ARCHIVE)}/${iso(ARCHIVE + HOUR)}`
    expect(idsOf(await find({ datetime, limit: '500' }, 'user'))).toEqual([...ARCHIVED.map(idOf), MEASURED])
    expect(idsOf(await find({ datetime, collections: 'runs' }, 'user'))).toEqual([MEASURED])
    expect(idsOf(await find({ datetime: iso(ARCHIVE), collections: 'dpsri' }, 'user'))).toEqual([
      idOf(ARCHIVE),
    ])
    expect(idsOf(await find({ datetime }))).toEqual([])
    for (const [bbox, count] of [
      ['2.5,48.5,2.6,48.6', LIVE.length],
      ['3.5,48.5,4,49', 0],
      ['170,40,-170,60', 0],
      ['2,-90,1.5,90', LIVE.length],
      ['-180,-90,180,90', LIVE.length],
    ] as const)
      expect([bbox, (await find({ bbox, limit: '500' })).numberReturned]).toEqual([bbox, count])
    const box = {
      type: 'Polygon',
      coordinates: [
        [
          [2.6, 48.5],
          [2.7, 48.5],
          [2.7, 48.6],
          [2.6, 48.5],
        ],
      ],
    }
    const found = (await post({ intersects: box, collections: ['runs'] }, 'user')).json()
    expect(idsOf(found).toSorted()).toEqual([VIRTUAL, MEASURED])
    const away = { type: 'Point', coordinates: [2.6, 48.1] }
    expect(idsOf((await post({ intersects: away, collections: ['runs'] }, 'user')).json())).toEqual([])
    const asText = await find({ intersects: JSON.stringify(away), limit: '1' })
    expect(idsOf(asText)).toEqual([idOf(NEWEST)])
    expect(
      idsOf((await post({ ids: [idOf(ARCHIVE), 'nobody'], bbox: [2, 48, 3, 49] }, 'user')).json()),
    ).toEqual([idOf(ARCHIVE)])
  })

  test('items: what their assets lead to is there, with the rights of each', async () => {
    const frame = (await call(`/collections/dpsri/items/${idOf(NEWEST)}`)).json()
    expect(frame).toMatchObject({
      type: 'Feature',
      stac_version: '1.0.0',
      collection: 'dpsri',
      bbox: [2, 48, 3, 49],
      properties: { datetime: iso(NEWEST) },
    })
    const picture = await server.call(path(frame.assets.picture))
    expect([picture.statusCode, picture.headers['radx-time']]).toEqual([200, iso(NEWEST)])
    expect((await server.call(path(frame.assets.values))).statusCode).toBe(401)
    expect(
      (await server.call(path(frame.assets.values), 'manager')).rawPayload.subarray(1, 4).toString(),
    ).toBe('HDF')
    const run = (await call(`/collections/runs/items/${MEASURED}`, 'user')).json()
    expect(run.properties).toMatchObject({
      datetime: null,
      start_datetime: iso(ARCHIVE),
      end_datetime: iso(ARCHIVE + HOUR),
      title: 'Mesurée',
    })
    const own = (await call(`/collections/runs/items/${VIRTUAL}`, 'user')).json()
    expect(own.properties.datetime).toBe(iso(CREATED))
    expect((await server.call(path(own.assets.nodes), 'user')).json().numberMatched).toBe(3)
  })

  test('items: what is there and not the caller’s is refused, what is not there not found', async () => {
    const status = async (item: string, token?: string) =>
      (await call(`/collections/${item.startsWith('dpsri') ? 'dpsri' : 'runs'}/items/${item}`, token))
        .statusCode
    expect(await status(idOf(ARCHIVE))).toBe(401)
    expect(await status(idOf(ARCHIVE), 'early')).toBe(403)
    expect(await status(idOf(ARCHIVE), 'user')).toBe(200)
    expect(await status(idOf(ARCHIVE + 1000), 'user')).toBe(404)
    expect(await status('dpsri-20261399T000000Z', 'user')).toBe(404)
    expect(await status(VIRTUAL)).toBe(401)
    expect(await status(MEASURED, 'early')).toBe(403)
    expect(await status('00000000-0000-4000-8000-0000000000ff', 'user')).toBe(404)
    expect(await status("x' or 1=1", 'user')).toBe(404)
  })

  test.each([
    { limit: '0' },
    { limit: 'x' },
    { bbox: '3,49,2,48' },
    { bbox: '2,48,3' },
    { datetime: 'hier' },
    { datetime: '2026-01-02/2026-01-01' },
    { token: 'dpsri' },
    { token: 'constructor.1' },
    { token: 'runs.1' },
    { colour: 'red' },
    { intersects: '{"type":"Point"}' },
    { intersects: '{' },
    { bbox: '2,48,3,49', intersects: '{"type":"Point","coordinates":[2,48]}' },
    { ids: Array(101).fill('a').join() },
  ] as Record<string, string>[])('%o is refused in words and costs no work', async (query) => {
    const answer = await call(`/search?${new URLSearchParams(query)}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: expect.any(String), description: expect.any(String) })
  })

  test('a token that reads may search by body, too', () => {
    expect(scopeOf('POST', '/ogc/stac/search')).toBe('read')
  })

  test('a body is bounded as an address is', async () => {
    for (const body of [
      { bbox: [2, 48, 3] },
      { bbox: [-200, 48, 3, 49] },
      { ids: Array(101).fill('a') },
      { sortby: [] },
      { intersects: { type: 'LineString', coordinates: Array(3000).fill([2, 48]) } },
      { intersects: { type: 'GeometryCollection', geometries: [] } },
    ])
      expect((await post(body)).statusCode).toBe(400)
    expect((await post({ limit: 100_000 })).json().numberReturned).toBe(LIVE.length)
  })
})
