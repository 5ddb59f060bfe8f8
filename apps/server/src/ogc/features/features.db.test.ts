import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { smallCatchments } from '../../testing/small-site.ts'
import { ARCHIVE, iso, startOgcServer } from '../testing/ogc-server.ts'
import { addResults, CREATED, MEASURED, NETWORK_ID, NETWORK_RUN, VIRTUAL } from '../testing/results.ts'

const HOUR = 3_600_000
const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'
const epsg = (code: number) => `http://www.opengis.net/def/crs/EPSG/0/${code}`
/** Collections of which each kind stands for all. */
const ALL = [
  ...['catchments', 'gauges', 'runs', 'catchment.petit.nodes', 'catchment.petit.links'],
  ...['nodes', 'links', 'streets'].map((elements) => `run.${VIRTUAL}.${elements}`),
  ...['nodes', 'links'].flatMap((elements) => [
    `network.${NETWORK_ID}.${elements}`,
    `network-run.${NETWORK_RUN}.${elements}`,
  ]),
]

interface Link {
  href: string
  rel: string
  type?: string
}
interface Item {
  id: string
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: as GeoJSON has it
  geometry: { type: string; coordinates: any } | null
  properties: Record<string, unknown>
}

/** Titles name the abstract tests of OGC 17-069r4, annex A.2 (core), by number. */
describe('features', () => {
  let server: Awaited<ReturnType<typeof startOgcServer>>
  beforeAll(async () => {
    server = await startOgcServer()
    await addResults(server.deps, server.dataDir)
    await server.deps.db
      .insertInto('gauge_own')
      .values({ username: 'u', name: 'Mairie', lat: 48.55, lng: 2.45, measure: 'depth', readings: 0 })
      .execute()
  })
  afterAll(() => server?.close())

  const call = (path: string, token?: string) => server.call(`/ogc/features${path}`, token)
  const items = (id: string, query: Record<string, string> = {}, token = 'user') =>
    call(`/collections/${id}/items?${new URLSearchParams(query)}`, token)
  const ids = async (id: string, query: Record<string, string> = {}, token = 'user') =>
    ((await items(id, query, token)).json().features as Item[]).map((item) => item.id)
  const rels = (links: Link[]) => links.map(({ rel }) => rel)
  const path = ({ href }: Link) => href.replace(/^https?:\/\/[^/]+/, '')

  test('A.2.1 test 1 /conf/core/http: unknown addresses and methods are refused as HTTP has it', async () => {
    expect((await call('/nothing')).statusCode).toBe(404)
    const put = await server.app.inject({ method: 'PUT', url: '/ogc/features/collections' })
    expect(put.statusCode).toBe(404)
    const head = await server.app.inject({
      method: 'HEAD',
      url: '/ogc/features/collections/catchments/items',
    })
    expect([head.statusCode, head.body]).toEqual([200, ''])
  })

  test('A.2.1 test 2 /conf/core/crs84: positions are longitude, then latitude, and the answer says so', async () => {
    for (const id of ALL) {
      const answer = await items(id)
      expect([id, answer.headers['content-crs']]).toEqual([id, `<${CRS84}>`])
      const positions = JSON.stringify((answer.json().features as Item[]).map(({ geometry }) => geometry))
      const numbers = positions.match(/-?\d+(\.\d+)?/g)!.map(Number)
      numbers.forEach((value, k) => {
        const [least, most] = k % 2 === 0 ? [1, 4] : [47, 50]
        expect(value).toBeGreaterThan(least)
        expect(value).toBeLessThan(most)
      })
    }
  })

  test('A.2.2 tests 3 and 4 /conf/core/root-op, /conf/core/root-success: the landing page leads to everything', async () => {
    const root = await call('')
    expect(root.statusCode).toBe(200)
    const { links } = root.json() as { links: Link[] }
    expect(rels(links)).toEqual(expect.arrayContaining(['self', 'service-desc', 'conformance', 'data']))
    expect(rels(links)).toContain('service-doc')
    for (const link of links.filter(({ rel }) => rel !== 'service-doc'))
      expect([link.rel, (await server.call(path(link))).statusCode]).toEqual([link.rel, 200])
  })

  test('A.2.3 tests 5 and 6 /conf/core/api-definition-op, /conf/core/api-definition-success: OpenAPI 3 tells the calls', async () => {
    const answer = await call('/api')
    expect(answer.headers['content-type']).toContain('application/vnd.oai.openapi+json')
    const { openapi, paths } = answer.json()
    expect(openapi).toMatch(/^3\.0/)
    for (const part of ['', '/conformance', '/collections', '/collections/{id}', '/collections/{id}/items'])
      expect(paths).toHaveProperty([`/ogc/features${part}`, 'get'])
  })

  test('A.2.4 tests 7 and 8 /conf/core/conformance-op, /conf/core/conformance-success: the classes that hold', async () => {
    const answer = await call('/conformance')
    expect(answer.statusCode).toBe(200)
    for (const name of ['core', 'oas30', 'geojson'])
      expect(answer.json().conformsTo).toContain(
        `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`,
      )
  })

  test('A.2.5 tests 9 and 10 /conf/core/fc-md-op, /conf/core/fc-md-success: each collection is told with links and extent', async () => {
    const { links, collections } = (await call('/collections', 'user')).json()
    expect(rels(links)).toContain('self')
    const named = collections.map(({ id }: { id: string }) => id)
    expect(named).toEqual(expect.arrayContaining(ALL.filter((id) => !id.startsWith('network-run'))))
    // A run without drainage has no network.
    expect(named.filter((id: string) => id.includes(MEASURED))).toEqual([`run.${MEASURED}.streets`])
    for (const { id, links: own, extent } of collections) {
      expect(rels(own)).toEqual(['self', 'items'])
      // Its files are gone.
      for (const link of id === `run.${MEASURED}.streets` ? [] : (own as Link[])) {
        expect(link.type).toBeDefined()
        expect([link.href, (await server.call(path(link), 'user')).statusCode]).toEqual([link.href, 200])
      }
      if (extent?.spatial) {
        const [west, south, east, north] = extent.spatial.bbox[0]
        expect(west < east && south < north).toBe(true)
      }
    }
    const nobody = (await call('/collections')).json().collections
    expect(nobody.map(({ id }: { id: string }) => id)).toEqual(['catchments'])
  })

  test('A.2.6 tests 11 and 12 /conf/core/sfc-md-op, /conf/core/sfc-md-success: alone it says the same', async () => {
    const { collections } = (await call('/collections', 'user')).json()
    for (const id of ['catchments', 'gauges', 'runs', `run.${VIRTUAL}.nodes`]) {
      const alone = (await call(`/collections/${id}`, 'user')).json()
      expect(alone).toEqual(collections.find((one: { id: string }) => one.id === id))
    }
    for (const id of [
      'nothing',
      'catchment.petit.cells',
      'run.x.nodes',
      '__proto__',
      `run.${NETWORK_RUN}.nodes`,
    ])
      expect([id, (await call(`/collections/${id}`, 'user')).statusCode]).toEqual([id, 404])
  })

  test('A.2.7 test 13 /conf/core/fc-op: every collection answers, and has what it is said to have', async () => {
    for (const id of ALL) expect([id, (await items(id)).statusCode]).toEqual([id, 200])
    expect(await ids('catchments')).toEqual(smallCatchments().all.map(({ key }) => key))
    const gauges = (await items('gauges')).json().features as Item[]
    expect(gauges.find(({ properties }) => properties.owner === 'user')).toMatchObject({
      geometry: { type: 'Point', coordinates: [2.45, 48.55] },
      properties: { name: 'Mairie', owner: 'user' },
    })
    expect(await ids(`run.${VIRTUAL}.nodes`)).toEqual(['J-1', 'J-2', 'OUT-1'])
    const [link] = (await items(`run.${VIRTUAL}.links`)).json().features as Item[]
    expect(link).toMatchObject({
      geometry: { type: 'LineString' },
      properties: { from: 'J-1', to: 'J-2', length_m: 50, shape: 'CIRCULAR', height_m: 0.3 },
    })
    expect(link.properties.max_flow_m3s).toBeGreaterThan(0)
    const [street] = (await items(`run.${VIRTUAL}.streets`)).json().features as Item[]
    expect(street.id).toBe('Grande Rue')
    expect(street.properties.max_depth_m).toBeGreaterThan(0.1)
    const [node] = (await items(`network-run.${NETWORK_RUN}.nodes`)).json().features as Item[]
    expect(node.properties).toMatchObject({ invert_m: 28.2, max_depth_m: 1, flooded_m3: 1 })
    const run = ((await items('runs')).json().features as Item[]).find(({ id }) => id === VIRTUAL)!
    expect(run.properties).toMatchObject({ title: 'Orage', rain: 'virtual', rain_mm: 45, owner: 'u' })
  })

  test('A.2.7 tests 14 and 15 /conf/core/fc-bbox-definition, /conf/core/fc-bbox-response: a box selects what meets it', async () => {
    const [node] = (await items('catchment.petit.nodes')).json().features as Item[]
    const [lng, lat] = node.geometry!.coordinates
    const around = (metres: number) => {
      const d = metres / 111_000
      return [lng - d, lat - d, lng + d, lat + d].join()
    }
    expect(await ids('catchment.petit.nodes', { bbox: around(20) })).toEqual(['J-1'])
    // The conduit begins at the node.
    expect(await ids('catchment.petit.links', { bbox: around(1) })).toEqual(['C-1'])
    expect(await ids('catchments', { bbox: '-180,-90,180,90' })).toHaveLength(smallCatchments().all.length)
    // Across 180 degrees: all but Europe, then nearly all.
    expect(await ids('catchments', { bbox: '100,-90,-100,90' })).toEqual([])
    expect(await ids('catchments', { bbox: '2,-90,1,90' })).toHaveLength(smallCatchments().all.length)
    // Heights say nothing of ground.
    expect(await ids('gauges', { bbox: '2,48,-10,3,49,8000' })).toHaveLength(2)
    expect(await ids('gauges', { bbox: '2.46,48,3,49' })).toEqual([])
  })

  test('A.2.7 tests 16 and 17 /conf/core/fc-limit-definition, /conf/core/fc-limit-response: pages are no longer than asked, and lead on', async () => {
    const { parameters } = (await call('/api')).json().paths['/ogc/features/collections/{id}/items'].get
    const limit = parameters.find(({ name }: { name: string }) => name === 'limit')
    expect(limit).toMatchObject({
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    })
    const seen: string[] = []
    let next: string | undefined = '/ogc/features/collections/catchment.petit.nodes/items?limit=2'
    for (let pages = 0; next !== undefined && pages < 5; pages++) {
      const page: { features: Item[]; links: Link[] } = (await server.call(next, 'user')).json()
      expect(page.features.length).toBeLessThanOrEqual(2)
      seen.push(...page.features.map(({ id }) => id))
      const link = page.links.find(({ rel }) => rel === 'next')
      next = link && path(link)
    }
    expect(seen).toEqual(['J-1', 'J-2', 'OUT-1'])
    expect((await items('catchment.petit.nodes', { limit: '100000' })).statusCode).toBe(200)
    expect(await ids('catchment.petit.nodes', { offset: '500' })).toEqual([])
  })

  test('A.2.7 tests 18 and 19 /conf/core/fc-time-definition, /conf/core/fc-time-response: a time selects what is of it, and what has none', async () => {
    const during = (fromMs: number, toMs: number) => ({ datetime: `${iso(fromMs)}/${iso(toMs)}` })
    expect(await ids('runs', during(ARCHIVE - HOUR, ARCHIVE))).toEqual([MEASURED])
    expect(await ids('runs', { datetime: iso(ARCHIVE + HOUR) })).toEqual([MEASURED])
    expect(await ids('runs', { datetime: iso(ARCHIVE + HOUR + 1000) })).toEqual([])
    expect(await ids('runs', { datetime: `${iso(CREATED)}/..` })).toEqual([VIRTUAL])
    expect(await ids('runs', { datetime: `../${iso(CREATED - 1000)}` })).toEqual([MEASURED])
    expect((await ids('runs')).toSorted()).toEqual([VIRTUAL, MEASURED])
    expect(await ids(`run.${VIRTUAL}.nodes`, { datetime: iso(ARCHIVE) })).toEqual([])
    expect(await ids('catchments', { datetime: iso(ARCHIVE) })).not.toEqual([])
  })

  test('A.2.7 test 20 /conf/core/query-param-unknown: parameters that nobody told of are refused', async () => {
    for (const address of [
      '/collections/catchments/items?colour=red',
      '/collections/catchments/items/melun?limit=3',
      '/collections?bbox=2,48,3,49',
    ]) {
      const answer = await call(address)
      expect([address, answer.statusCode]).toEqual([address, 400])
      expect(answer.json()).toMatchObject({ code: 'request.invalid', description: expect.any(String) })
    }
  })

  test.each([
    ...['0', '-3', 'many', '1.5', ''].map((limit) => ({ limit })),
    ...['-1', 'x', '99999999999'].map((offset) => ({ offset })),
    ...[
      '3,49,2',
      '2,49,3,48',
      '2,48,,49',
      '-190,48,3,49',
      '2,-91,3,49',
      'a,b,c,d',
      '1,2,3,4,5',
      '2,48,3,1e999',
    ].map((bbox) => ({ bbox })),
    ...['yesterday', '2026-13-01', '2026-01-02/2026-01-01', '../..', 'a'.repeat(1000)].map((datetime) => ({
      datetime,
    })),
    { crs: epsg(9999) },
    { crs: 'EPSG:4326' },
    { bbox: '2,48,3,49', 'bbox-crs': 'constructor' },
    { bbox: '700000,6800000,600000,6900000', 'bbox-crs': epsg(2154) },
    { f: 'html' },
  ] as Record<string, string>[])(
    'A.2.7 test 21 /conf/core/query-param-invalid: %o is refused with an exception',
    async (query) => {
      const answer = await items('catchments', query, '')
      expect(answer.statusCode).toBe(400)
      expect(answer.headers['content-type']).toContain('application/json')
      expect(answer.json()).toMatchObject({ code: expect.any(String), description: expect.any(String) })
    },
  )

  test('A.2.7 tests 22 to 26 /conf/core/fc-response, fc-links, fc-timeStamp, fc-numberMatched, fc-numberReturned: the page says what it is', async () => {
    for (const id of ALL) {
      const answer = await items(id, { limit: '1' })
      expect(answer.headers['content-type']).toContain('application/geo+json')
      const page = answer.json()
      expect(page.type).toBe('FeatureCollection')
      expect(Date.parse(page.timeStamp)).toBe(server.deps.clock.now())
      const whole = (await items(id)).json()
      expect(page.numberMatched).toBe(whole.features.length)
      expect(page.numberReturned).toBe(page.features.length)
      expect(rels(page.links)).toEqual(whole.features.length > 1 ? ['self', 'next'] : ['self'])
      expect(page.links.every(({ type }: Link) => type === 'application/geo+json')).toBe(true)
      for (const feature of whole.features as Item[]) {
        expect(feature.type).toBe('Feature')
        expect(feature.geometry?.type).toMatch(/^(Point|LineString|Polygon|MultiPolygon)$/)
      }
    }
  })

  test('A.2.8 tests 27, 28 and 29 /conf/core/f-op, /conf/core/f-success, /conf/core/f-links: each feature of a page stands alone', async () => {
    for (const id of ALL) {
      for (const listed of (await items(id)).json().features as Item[]) {
        const answer = await call(`/collections/${id}/items/${encodeURIComponent(listed.id)}`, 'user')
        expect(answer.headers['content-type']).toContain('application/geo+json')
        const { links, ...alone } = answer.json()
        expect(alone).toEqual({ ...listed, links: undefined })
        expect(rels(links)).toEqual(expect.arrayContaining(['self', 'collection']))
        expect(path(links[0])).toBe(`/ogc/features/collections/${id}/items/${encodeURIComponent(listed.id)}`)
      }
      expect([id, (await call(`/collections/${id}/items/nobody`, 'user')).statusCode]).toEqual([id, 404])
    }
  })

  test('18-058r1 /conf/crs: positions and boxes in other systems, their axes in the order of the register', async () => {
    const place = async (crs: string) => {
      const answer = await items('catchment.petit.nodes', { crs, limit: '1' })
      expect(answer.headers['content-crs']).toBe(`<${crs}>`)
      return (answer.json().features as Item[])[0].geometry!.coordinates as [number, number]
    }
    const [lng, lat] = await place(CRS84)
    expect(await place(epsg(4326))).toEqual([lat, lng])
    const [x, y] = await place(epsg(2154))
    expect([x, y].map(Math.round)).toEqual([674_035, 6_827_035])
    expect((await place(epsg(3857)))[0]).toBeCloseTo((lng / 180) * 20_037_508.34, 0)
    const one = { bbox: [x - 5, y - 5, x + 5, y + 5].join(), 'bbox-crs': epsg(2154) }
    expect(await ids('catchment.petit.nodes', one)).toEqual(['J-1'])
    const swapped = { bbox: [lat - 1e-4, lng - 1e-4, lat + 1e-4, lng + 1e-4].join(), 'bbox-crs': epsg(4326) }
    expect(await ids('catchment.petit.nodes', swapped)).toEqual(['J-1'])
    expect((await call('/collections/catchments')).json()).toMatchObject({
      crs: [CRS84, epsg(4326), epsg(3857), epsg(2154)],
      storageCrs: CRS84,
    })
  })

  test('a result follows the rights and dates of its run, a network its owner, and outlines are everyone’s', async () => {
    const open = await items('catchments', {}, '')
    expect(open.headers['cache-control']).toContain('s-maxage')
    for (const id of ALL.slice(1)) {
      const refused = await call(`/collections/${id}/items`)
      expect([id, refused.statusCode]).toEqual([id, 401])
      expect((await items(id)).headers['cache-control']).toContain('private')
    }
    // Whose dates end before the measured rain.
    for (const id of [`run.${MEASURED}.nodes`, `run.${MEASURED}.streets`])
      for (const suffix of ['', '/items', '/items/J-1']) {
        const refused = await call(`/collections/${id}${suffix}`, 'early')
        expect(refused.json()).toMatchObject({ statusCode: 403, code: 'auth.period' })
      }
    expect(await ids('runs', {}, 'early')).toEqual([VIRTUAL])
    expect((await call(`/collections/runs/items/${MEASURED}`, 'early')).statusCode).toBe(403)
    const { collections } = (await call('/collections', 'early')).json()
    expect(JSON.stringify(collections)).not.toContain(MEASURED)
    // Somebody else's network; a manager may look.
    for (const id of [`network.${NETWORK_ID}.nodes`, `network-run.${NETWORK_RUN}.nodes`]) {
      expect((await items(id, {}, 'early')).statusCode).toBe(403)
      expect((await items(id, {}, 'manager')).statusCode).toBe(200)
    }
    // A catchment that is somebody's own, with its runs.
    const hide = (username: string | null) =>
      server.deps.db
        .updateTable('catchment')
        .set({ username, sharing: 'private' })
        .where('id', '=', 'petit')
        .execute()
    await hide('m')
    expect((await items('catchment.petit.nodes', {}, 'early')).statusCode).toBe(404)
    expect((await items(`run.${VIRTUAL}.nodes`, {}, 'early')).statusCode).toBe(404)
    expect(await ids('runs', {}, 'early')).toEqual([])
    expect(await ids('runs', {}, 'user')).toEqual([VIRTUAL])
    await hide(null)
  })
})
