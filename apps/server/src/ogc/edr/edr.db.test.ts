import { cellOf } from '@radx/rainfall'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { siteGauges } from '../../gauges/api.ts'
import { smallCatchments } from '../../testing/small-site.ts'
import { ARCHIVE, codesOf, FRAMES, iso, NEWEST, STEPS, startOgcServer } from '../testing/ogc-server.ts'

const HOUR = 3_600_000
const PERIOD = `${iso(ARCHIVE)}/${iso(ARCHIVE + HOUR)}`
const ARCHIVED = FRAMES.filter((ms) => ms < ARCHIVE + HOUR)
/** The middle of a cell. */
const middle = (row: number, col: number) => [2 + (col + 0.5) / STEPS, 49 - (row + 0.5) / STEPS]
const rate = (ms: number, row: number, col: number) => {
  const code = codesOf(ms)[row * STEPS + col]
  return code === 65535 ? null : code / 100
}

/** Titles name the abstract tests of OGC 19-086r6 (EDR 1.1), annex A, those of the core by number, or its requirements. */
describe('environmental data retrieval', () => {
  let server: Awaited<ReturnType<typeof startOgcServer>>
  beforeAll(async () => {
    server = await startOgcServer()
  })
  afterAll(() => server?.close())

  const ask = (query: string, parameters: Record<string, string> = {}, token?: string, id = 'dpsri') =>
    server.call(`/ogc/edr/collections/${id}/${query}?${new URLSearchParams(parameters)}`, token)
  const point = (row: number, col: number) => `POINT(${middle(row, col).join(' ')})`

  test('A.2 tests 1 to 3 /conf/core/http, /conf/core/root-op, /conf/core/root-success: HTTP as it is, and a landing page with its links', async () => {
    const root = await server.call('/ogc/edr')
    expect([root.statusCode, root.headers['content-type']]).toEqual([200, expect.stringContaining('json')])
    const { title, links } = root.json()
    expect(title).toBeTypeOf('string')
    for (const link of links)
      expect(link).toMatchObject({
        href: expect.stringMatching(/^http/),
        rel: expect.any(String),
        type: expect.any(String),
      })
    expect((await server.app.inject({ method: 'HEAD', url: '/ogc/edr' })).statusCode).toBe(200)
    for (const [method, url, status] of [
      ['GET', '/ogc/edr/nowhere', 404],
      ['POST', '/ogc/edr/collections', 404],
      ['DELETE', '/ogc/edr/collections/dpsri', 404],
    ] as const)
      expect([method, url, (await server.app.inject({ method, url })).statusCode]).toEqual([
        method,
        url,
        status,
      ])
  })

  test('A.2 tests 4 and 5 /conf/core/api-definition, /conf/core/api-definition-success: OpenAPI 3.0 tells every query', async () => {
    const { links } = (await server.call('/ogc/edr')).json()
    const { href, type } = links.find(({ rel }: { rel: string }) => rel === 'service-desc')
    const answer = await server.call(new URL(href).pathname)
    expect(String(answer.headers['content-type']).replaceAll(/[ "]/g, '')).toContain(type)
    const { openapi, paths } = answer.json()
    expect(openapi).toMatch(/^3\.0\./)
    for (const query of ['position', 'area', 'cube', 'trajectory', 'locations/{location}'])
      expect(
        paths[`/ogc/edr/collections/{id}/${query}`].get.parameters.map(({ name }: { name: string }) => name),
      ).toEqual(expect.arrayContaining(['datetime', 'parameter-name', 'crs', 'f']))
  })

  test('A.2 tests 6 and 7 /conf/core/conformance, /conf/core/conformance-success: the classes that hold, one for each query that is offered', async () => {
    const { conformsTo } = (await server.call('/ogc/edr/conformance')).json()
    const named = (part: string) => `http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/${part}`
    expect(conformsTo).toEqual(expect.arrayContaining(['core', 'collections', 'oas30'].map(named)))
    const { data_queries } = (await server.call('/ogc/edr/collections/dpsri')).json()
    for (const query of [
      'position',
      'area',
      'cube',
      'trajectory',
      'locations',
      'radius',
      'corridor',
      'items',
    ])
      expect([query, conformsTo.includes(named(query))]).toEqual([query, query in data_queries])
  })

  test('/req/core/root-success, /req/core/conformance, /req/collections/rc-md-success: it describes itself to everyone', async () => {
    const root = (await server.call('/ogc/edr')).json()
    for (const rel of ['self', 'service-desc', 'conformance', 'data'])
      expect(root.links.map((link: { rel: string }) => link.rel)).toContain(rel)
    for (const { rel, href } of root.links.filter((link: { rel: string }) => link.rel !== 'service-doc'))
      expect([rel, (await server.call(new URL(href).pathname)).statusCode]).toEqual([rel, 200])
    expect((await server.call('/ogc/edr/conformance')).json().conformsTo).toContain(
      'http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/core',
    )
    const { collections } = (await server.call('/ogc/edr/collections')).json()
    expect(collections.map((c: { id: string }) => c.id)).toEqual(['dpsri', 'sri'])
    const one = (await server.call('/ogc/edr/collections/dpsri')).json()
    expect(one).toEqual(collections[0])
    expect(one.extent.spatial.bbox).toEqual([[2, 48, 3, 49]])
    expect(one.extent.temporal.interval).toEqual([[iso(ARCHIVE), iso(NEWEST)]])
    expect(Object.keys(one.data_queries)).toEqual(['position', 'locations', 'area', 'cube', 'trajectory'])
    expect(one.parameter_names['rain-rate'].unit.symbol.value).toBe('mm/h')
  })

  test('/req/edr/point-coords-response: a position is the cell under it over time, missing is null', async () => {
    const answer = await ask('position', { coords: point(17, 16), datetime: PERIOD }, 'manager')
    expect(answer.headers['content-type']).toContain('coverage+json')
    const { domain, ranges } = answer.json()
    expect(domain.domainType).toBe('PointSeries')
    expect(domain.axes.t.values).toEqual(ARCHIVED.map(iso))
    expect(ranges['rain-rate']).toMatchObject({ axisNames: ['t'], shape: [ARCHIVED.length] })
    expect(ranges['rain-rate'].values).toEqual(ARCHIVED.map((ms) => rate(ms, 17, 16)))
    const unseen = (await ask('position', { coords: point(0, 3), datetime: PERIOD }, 'manager')).json()
    expect(new Set(unseen.ranges['rain-rate'].values)).toEqual(new Set([null]))
    const dry = (await ask('position', { coords: point(35, 3), datetime: PERIOD }, 'manager')).json()
    expect(new Set(dry.ranges['rain-rate'].values)).toEqual(new Set([0]))
  })

  test('an instant is its nearest frame; several places are a collection; CSV and GeoJSON have the same values', async () => {
    const coords = `MULTIPOINT((${middle(5, 6).join(' ')}),(${middle(7, 8).join(' ')}))`
    const datetime = iso(ARCHIVE + 190_000)
    const both = (await ask('position', { coords, datetime }, 'manager')).json()
    expect(both.type).toBe('CoverageCollection')
    expect(
      both.coverages.map((c: { domain: { axes: { t: { values: string[] } } } }) => c.domain.axes.t.values),
    ).toEqual([[iso(ARCHIVE + 200_000)], [iso(ARCHIVE + 200_000)]])
    const wanted = [rate(ARCHIVE + 200_000, 5, 6), rate(ARCHIVE + 200_000, 7, 8)]
    expect(
      both.coverages.map(
        (c: { ranges: Record<string, { values: number[] }> }) => c.ranges['rain-rate'].values[0],
      ),
    ).toEqual(wanted)
    const csv = (await ask('position', { coords, datetime, f: 'CSV' }, 'manager')).body.trim().split('\n')
    expect(csv[0]).toBe('datetime,longitude,latitude,rain-rate (mm/h)')
    expect(csv.slice(1).map((line) => Number(line.split(',')[3]))).toEqual(wanted)
    const { features } = (await ask('position', { coords, datetime, f: 'GeoJSON' }, 'manager')).json()
    expect(
      features.map((f: { properties: Record<string, number[]> }) => f.properties['rain-rate'][0]),
    ).toEqual(wanted)
  })

  test('a long series comes the same from a thread', async () => {
    const answer = await ask(
      'position',
      { coords: point(9, 9), datetime: `${iso(ARCHIVE)}/${iso(ARCHIVE + 30 * 24 * HOUR)}` },
      'manager',
    )
    expect(answer.json().ranges['rain-rate'].values).toEqual(ARCHIVED.map((ms) => rate(ms, 9, 9)))
  })

  test('/req/locations: catchments are named, and each gives its mean', async () => {
    const { features } = (await ask('locations')).json()
    const keys = smallCatchments().all.map(({ key }) => key)
    expect(features.map((f: { id: string }) => f.id)).toEqual(keys)
    // Gauges are told to whom they are shown, as places whose cell answers.
    const [site] = siteGauges(server.deps.site)
    const seen = (await ask('locations', {}, 'manager')).json().features
    expect(seen.map((f: { id: string }) => f.id)).toEqual([...keys, `gauge.${site.id}`])
    const own = (await ask(`locations/gauge.${site.id}`, { datetime: PERIOD }, 'manager')).json()
    const { row, col } = cellOf(server.store.catalog.products.get('dpsri')!, site.position)!
    expect(own.ranges['rain-rate'].values).toEqual(ARCHIVED.map((ms) => rate(ms, row, col)))
    expect((await ask(`locations/gauge.nulle-part`, { datetime: PERIOD }, 'manager')).statusCode).toBe(404)
    const answer = await ask('locations/melun', { datetime: PERIOD }, 'user')
    const { domain, ranges } = answer.json()
    expect(domain.domainType).toBe('PolygonSeries')
    const frames = await server.store.index.summaries(
      server.store.catalog.products.get('dpsri')!,
      { startMs: ARCHIVE, endMs: ARCHIVE + HOUR },
      'melun',
    )
    expect(ranges['rain-rate'].values).toEqual(frames.map(({ catchment }) => catchment!.mean))
    expect((await ask('locations/nulle-part', { datetime: PERIOD }, 'user')).statusCode).toBe(404)
  })

  test('/req/edr/cube-bbox, /req/edr/area: a box and a polygon give the cells whose middle lies inside', async () => {
    const [west, north] = [2 + 4 / STEPS, 49 - 2 / STEPS]
    const bbox = [west, north - 3 / STEPS, west + 2 / STEPS, north].join()
    const cube = (await ask('cube', { bbox, datetime: PERIOD }, 'manager')).json()
    expect(cube.ranges['rain-rate'].shape).toEqual([ARCHIVED.length, 3, 2])
    expect(cube.ranges['rain-rate'].values).toEqual(
      ARCHIVED.flatMap((ms) => [2, 3, 4].flatMap((row) => [4, 5].map((col) => rate(ms, row, col)))),
    )
    const triangle = `POLYGON((${middle(10, 10).join(' ')},${middle(10, 14).join(' ')},${middle(14, 10).join(' ')},${middle(10, 10).join(' ')}))`
    const area = (await ask('area', { coords: triangle, datetime: iso(ARCHIVE) }, 'manager')).json()
    const values: (number | null)[] = area.ranges['rain-rate'].values
    const { x, y } = area.domain.axes
    y.values.forEach((lat: number, r: number) => {
      x.values.forEach((lng: number, c: number) => {
        const [row, col] = [Math.floor((49 - lat) * STEPS), Math.floor((lng - 2) * STEPS)]
        if (row > 10 && col > 10 && row + col < 24)
          expect(values[r * x.values.length + c]).toBe(rate(ARCHIVE, row, col))
        if (row + col > 24) expect(values[r * x.values.length + c]).toBeNull()
      })
    })
    const told = await server.deps.db
      .selectFrom('audit_event')
      .select(['actor', 'action', 'subject'])
      .orderBy('n')
      .execute()
    expect(told).toContainEqual({
      actor: 'm',
      action: 'data.exact',
      subject: '/ogc/edr/collections/dpsri/cube',
    })
    const netcdf = await ask('cube', { bbox, datetime: PERIOD, f: 'netCDF' }, 'manager')
    expect(netcdf.rawPayload.subarray(1, 4).toString()).toBe('HDF')
  })

  test('/conf/edr/rc-coords-response-trajectory, /req/edr/linestring-coords-response: a path gives the cells that it crosses, in its order', async () => {
    const path = `LINESTRING(${middle(10, 10).join(' ')},${middle(10, 14).join(' ')},${middle(12, 14).join(' ')})`
    const cells = [...[10, 11, 12, 13, 14].map((col) => [10, col]), ...[11, 12].map((row) => [row, 14])] as [
      number,
      number,
    ][]
    const one = (await ask('trajectory', { coords: path, datetime: iso(ARCHIVE) }, 'manager')).json()
    expect(one.domain.domainType).toBe('Trajectory')
    expect(one.domain.axes.composite.coordinates).toEqual(['t', 'x', 'y'])
    expect(one.ranges['rain-rate']).toMatchObject({ axisNames: ['composite'], shape: [7] })
    expect(one.ranges['rain-rate'].values).toEqual(cells.map(([row, col]) => rate(ARCHIVE, row, col)))
    one.domain.axes.composite.values.forEach(([t, x, y]: [string, number, number], k: number) => {
      const [row, col] = cells[k]
      expect([t, Math.floor((49 - y) * STEPS), Math.floor((x - 2) * STEPS)]).toEqual([iso(ARCHIVE), row, col])
    })
    const all = (await ask('trajectory', { coords: path, datetime: PERIOD }, 'manager')).json()
    expect(all.coverages).toHaveLength(ARCHIVED.length)
    expect(all.coverages[3].ranges['rain-rate'].values).toEqual(
      cells.map(([row, col]) => rate(ARCHIVED[3], row, col)),
    )
    const csv = await ask('trajectory', { coords: path, datetime: iso(ARCHIVE), f: 'CSV' }, 'manager')
    expect(csv.body.trim().split('\n')).toHaveLength(8)
  })

  test('a path with its own moments takes each from the frame nearest to it; beside one, datetime and z are refused', async () => {
    const seconds = ARCHIVE / 1000
    const [from, to] = [middle(5, 5), middle(5, 8)]
    const coords = `LINESTRINGM(${from.join(' ')} ${seconds},${to.join(' ')} ${seconds + 1800})`
    const answer = (await ask('trajectory', { coords }, 'manager')).json()
    const values: [string, number, number][] = answer.domain.axes.composite.values
    expect(values).toHaveLength(4)
    values.forEach(([t, x], k) => {
      const ms = Date.parse(t)
      const col = Math.floor((x - 2) * STEPS)
      // The pace is even: a third of the half hour a cell, and half of that at the ends.
      expect(Math.abs(ms - (ARCHIVE + [150, 600, 1200, 1650][k] * 1000))).toBeLessThan(1000)
      const nearest = ARCHIVED.reduce((a, b) => (Math.abs(b - ms) <= Math.abs(a - ms) ? b : a))
      expect(answer.ranges['rain-rate'].values[k]).toBe(rate(nearest, 5, col))
    })
    for (const parameters of [
      { coords, datetime: PERIOD },
      { coords: 'LINESTRINGZ(2.1 48.1 100,2.2 48.2 100)', z: '100' },
      { coords: 'LINESTRINGM(2.1 48.1,2.2 48.2)' },
      { coords: `LINESTRINGM(2.1 48.1 ${seconds},2.2 48.2 ${seconds - 60})` },
      { coords: 'LINESTRINGM(2.1 48.1 1e300,2.2 48.2 1e300)' },
      { coords: `LINESTRINGM(2.1 48.1 ${seconds},2.2 48.2 ${seconds + 4e8})` },
      { coords: 'LINESTRING(2.1 48.1)' },
      { coords: 'POINT(2.1 48.1)' },
      { coords: `LINESTRING(${Array(1000).fill('2.01 48.01,2.99 48.9').join()})`, datetime: iso(ARCHIVE) },
    ] as Record<string, string>[])
      expect([parameters, (await ask('trajectory', parameters, 'manager')).statusCode]).toEqual([
        parameters,
        400,
      ])
    const far = { coords: 'LINESTRING(-10 10,-9 11)', datetime: iso(ARCHIVE) }
    expect((await ask('trajectory', far, 'manager')).statusCode).toBe(404)
    expect((await ask('trajectory', { coords }, 'user')).json().code).toBe('auth.manager')
    expect((await ask('trajectory', { coords })).statusCode).toBe(401)
  })

  test('a box across 180 degrees takes both sides, one that is reversed or far is refused', async () => {
    const across = (
      await ask('cube', { bbox: '2.9,48.4,-170,48.5', datetime: iso(ARCHIVE) }, 'manager')
    ).json()
    expect(across.domain.axes.x.values).toHaveLength(4)
    expect((await ask('cube', { bbox: '2,48.5,3,48' }, 'manager')).statusCode).toBe(400)
    expect((await ask('cube', { bbox: '-10,10,-5,20' }, 'manager')).statusCode).toBe(404)
    expect(
      (await ask('cube', { bbox: '-180,-90,180,90', datetime: iso(ARCHIVE) }, 'manager')).statusCode,
    ).toBe(200)
  })

  test('rights: nobody gets values, positions follow the rule of gauges, grids are for managers, dates hold', async () => {
    const coords = point(7, 9)
    const bbox = '2,48,3,49'
    expect((await ask('position', { coords })).statusCode).toBe(401)
    expect((await ask('locations/melun')).statusCode).toBe(401)
    expect((await ask('position', { coords, datetime: PERIOD }, 'user')).json().code).toBe('auth.gauge')
    expect((await ask('cube', { bbox }, 'user')).json().code).toBe('auth.manager')
    for (const datetime of [PERIOD, iso(ARCHIVE), '', `../${iso(ARCHIVE)}`])
      expect((await ask('locations/melun', { datetime }, 'early')).json().code).toBe('auth.period')
  })

  test('/req/core/http: what is wrong is told with code and description, and its work is bounded', async () => {
    const coords = point(7, 9)
    for (const [query, parameters, status] of [
      ['position', { coords: 'POINT(2.6)' }, 400],
      ['position', { coords: 'POINT(48 200)' }, 400],
      ['position', { coords: 'POINT((((((2 48))))))' }, 400],
      ['position', { coords: `MULTIPOINT(${Array(1000).fill('2.5 48.5').join()})` }, 400],
      ['position', { coords: 'CIRCLE(2 48)' }, 400],
      ['position', { coords, datetime: '2010-01-01/2020-01-01' }, 400],
      ['position', { coords, datetime: '2020-01-02/2020-01-01' }, 400],
      ['position', { coords, datetime: '../..' }, 400],
      ['position', { coords, datetime: Array(40).fill(iso(ARCHIVE)).join() }, 400],
      ['position', { coords, crs: 'EPSG:9999' }, 400],
      ['position', { coords, f: 'docx' }, 400],
      ['position', { coords, 'parameter-name': 'rain-rate,snow' }, 400],
      ['position', {}, 400],
      ['area', { coords: 'POLYGON((2 48,3 48,3 49,2 49))' }, 400],
      ['area', { coords: 'POLYGON()' }, 400],
      ['cube', { bbox: '2,48,3' }, 400],
      ['cube', { bbox: '2,48,3,49e999' }, 400],
    ] as [string, Record<string, string>, number][]) {
      const answer = await ask(query, parameters, 'manager')
      expect([query, parameters, answer.statusCode]).toEqual([query, parameters, status])
      expect(answer.json()).toMatchObject({ code: expect.any(String), description: expect.any(String) })
    }
    expect((await ask('position', { coords }, 'manager', 'nowhere')).statusCode).toBe(404)
  })
})
