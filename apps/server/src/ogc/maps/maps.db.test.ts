import { WATER_COLORS, WATER_LIMITS_CM } from '@radx/contracts/water-classes'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CatchmentLibrary, Results, Runs } from '../../simulation/api.ts'
import { openFileStore } from '../../store/file-store.ts'
import { ARCHIVE, FRAMES, iso, NEWEST, startOgcServer } from '../testing/ogc-server.ts'
import { addResults, CREATED, MEASURED, VIRTUAL } from '../testing/results.ts'

const HOUR = 3_600_000
/** Level 8 at 2.5 E, 48.5 N: a tile that the product fills in part. */
const TILE = '8/88/129'
const WORLD_M = 20_037_508.342_789_244

interface Link {
  href: string
  rel: string
  templated?: boolean
}

/** Titles name the parts of OGC 20-057 (Tiles), 20-058 (Maps) and 07-057r7 (WMTS). */
describe('maps and tiles', () => {
  let server: Awaited<ReturnType<typeof startOgcServer>>
  beforeAll(async () => {
    server = await startOgcServer()
    await addResults(server.deps, server.dataDir)
  })
  afterAll(() => server?.close())

  const call = (path: string, token?: string) => server.call(`/ogc${path}`, token)
  const tiles = '/maps/collections/dpsri/map/tiles/WebMercatorQuad'
  const path = ({ href }: Link) => href.replace(/^https?:\/\/[^/]+/, '')
  const kvp = (changes: Record<string, string> = {}, token?: string) => {
    const [z, row, col] = TILE.split('/')
    const asked = {
      ...{ SERVICE: 'WMTS', VERSION: '1.0.0', REQUEST: 'GetTile', LAYER: 'dpsri', STYLE: 'classes' },
      ...{ FORMAT: 'image/png', TILEMATRIXSET: 'WebMercatorQuad', TILEMATRIX: z, TILEROW: row, TILECOL: col },
      ...changes,
    }
    return call(`/wmts?${new URLSearchParams(asked)}`, token)
  }
  /** The same ground by WMS, whose pixels its own tests hold against the cells. */
  const byWms = (TIME: string, token?: string) => {
    const [z, row, col] = TILE.split('/').map(Number)
    const side = (2 * WORLD_M) / 2 ** z
    const [west, north] = [col * side - WORLD_M, WORLD_M - row * side]
    const asked = {
      ...{ SERVICE: 'WMS', VERSION: '1.3.0', REQUEST: 'GetMap', LAYERS: 'dpsri', STYLES: '', TIME },
      ...{
        CRS: 'EPSG:3857',
        BBOX: [west, north - side, west + side, north].join(),
        WIDTH: '256',
        HEIGHT: '256',
      },
      ...{ FORMAT: 'image/png', TRANSPARENT: 'TRUE' },
    }
    return call(`/wms?${new URLSearchParams(asked)}`, token)
  }

  test('/req/core, /req/tilesets-list, /req/tileset: the landing page leads to each tileset and its tiles', async () => {
    const seen = new Set<string>()
    const follow = async (address: string): Promise<void> => {
      if (seen.has(address)) return
      seen.add(address)
      const answer = await server.call(address)
      // A product that has no frame has no picture.
      expect([address, answer.statusCode]).toEqual([address, address.endsWith('/sri/map') ? 404 : 200])
      if (!String(answer.headers['content-type']).includes('json')) return
      for (const [, link] of JSON.stringify(answer.json()).matchAll(
        /"href":"https?:\/\/[^/]+(\/ogc\/maps[^"{]*)"/g,
      ))
        await follow(link)
    }
    await follow('/ogc/maps')
    expect([...seen]).toEqual(
      expect.arrayContaining([
        '/ogc/maps/conformance',
        '/ogc/maps/tileMatrixSets/WebMercatorQuad',
        '/ogc/maps/collections/dpsri/map',
        `/ogc${tiles}`,
      ]),
    )
    const { links, tileMatrixSetLimits } = (await call(tiles)).json()
    const template = links.find(({ templated }: Link) => templated)
    const limits = tileMatrixSetLimits.find(({ tileMatrix }: { tileMatrix: string }) => tileMatrix === '8')
    expect(limits).toEqual({
      tileMatrix: '8',
      minTileRow: 87,
      maxTileRow: 88,
      minTileCol: 129,
      maxTileCol: 130,
    })
    const named = path(template).replace('{tileMatrix}/{tileRow}/{tileCol}', TILE)
    expect((await server.call(named)).headers['content-type']).toBe('image/png')
    const set = (await call('/maps/tileMatrixSets/WebMercatorQuad')).json()
    expect(set.tileMatrices[8]).toMatchObject({
      id: '8',
      matrixWidth: 256,
      tileWidth: 256,
      cornerOfOrigin: 'topLeft',
    })
  })

  test('a tile is the same by every way: Tiles, WMTS by keys and by address, WMS; drawn once', async () => {
    const wms = await byWms(iso(NEWEST))
    const { width, height, data } = PNG.sync.read(wms.rawPayload)
    expect([width, height]).toEqual([256, 256])
    expect(data.some((byte) => byte !== 0 && byte !== 255)).toBe(true)
    for (const answer of [
      await call(`${tiles}/${TILE}?datetime=${iso(NEWEST)}`),
      await call(`${tiles}/${TILE}`),
      await kvp({ TIME: iso(NEWEST) }),
      await kvp(),
      await call(`/wmts/1.0.0/dpsri/classes/${iso(NEWEST)}/WebMercatorQuad/${TILE}.png`),
      await call(`/wmts/1.0.0/dpsri/default/current/WebMercatorQuad/${TILE}.png`),
    ]) {
      expect(answer.headers['radx-time']).toBe(iso(NEWEST))
      expect(answer.rawPayload.equals(wms.rawPayload)).toBe(true)
    }
    const far = PNG.sync.read((await call(`${tiles}/8/0/0`)).rawPayload)
    expect(far.data.every((byte, k) => k % 4 < 3 || byte === 0)).toBe(true)
  })

  test('tiles of the live window are everyone’s and kept by caches; the archive needs a session inside its dates', async () => {
    const live = await call(`${tiles}/${TILE}?datetime=${iso(NEWEST)}`)
    expect(live.headers['cache-control']).toMatch(/public.*s-maxage=\d+/)
    const again = await server.app.inject({
      url: `/ogc${tiles}/${TILE}?datetime=${iso(NEWEST)}`,
      headers: { 'if-none-match': String(live.headers.etag) },
    })
    expect(again.statusCode).toBe(304)
    for (const ask of [
      (token?: string) => call(`${tiles}/${TILE}?datetime=${iso(ARCHIVE)}`, token),
      (token?: string) => call(`/maps/collections/dpsri/map?datetime=${iso(ARCHIVE)}`, token),
      (token?: string) => kvp({ TIME: iso(ARCHIVE) }, token),
      (token?: string) =>
        call(`/wmts/1.0.0/dpsri/classes/${iso(ARCHIVE)}/WebMercatorQuad/${TILE}.png`, token),
    ]) {
      const [nobody, early, user] = [await ask(), await ask('early'), await ask('user')]
      expect([nobody.statusCode, early.statusCode, user.statusCode]).toEqual([401, 403, 200])
      expect(user.headers['cache-control']).toContain('private')
    }
  })

  test('nobody is told whether the archive has a frame', async () => {
    const gap = iso(ARCHIVE + 30 * 24 * HOUR)
    for (const ask of [
      (token?: string) => call(`${tiles}/${TILE}?datetime=${gap}`, token),
      (token?: string) => kvp({ TIME: gap }, token),
      (token?: string) => byWms(gap, token),
    ])
      expect([
        (await ask()).statusCode,
        (await ask('early')).statusCode,
        (await ask('user')).statusCode,
      ]).toEqual([401, 403, 404])
    const wmts = (await call('/wmts/1.0.0/WMTSCapabilities.xml')).body
    expect(wmts).toContain(`<Value>${iso(NEWEST)}</Value>`)
    expect(wmts).not.toContain(iso(ARCHIVE))
    expect((await call('/wmts/1.0.0/WMTSCapabilities.xml', 'user')).body).toContain(`${iso(FRAMES[0])}/`)
  })

  test('07-057r7, 7.1: capabilities are the same by keys and by address, and name layer, style, time, limits and address', async () => {
    const answer = await call('/wmts?service=wmts&request=GetCapabilities')
    expect(answer.headers['content-type']).toContain('xml')
    expect(answer.body).toBe((await call('/wmts/1.0.0/WMTSCapabilities.xml')).body)
    for (const part of [
      '<Capabilities version="1.0.0" xmlns="http://www.opengis.net/wmts/1.0"',
      '<ows:Identifier>dpsri</ows:Identifier>',
      '<ows:LowerCorner>2 48</ows:LowerCorner>',
      '<Default>current</Default>',
      '<MinTileRow>87</MinTileRow><MaxTileRow>88</MaxTileRow>',
      '/ogc/wmts/1.0.0/dpsri/{style}/{Time}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png"',
      '<WellKnownScaleSet>urn:ogc:def:wkss:OGC:1.0:GoogleMapsCompatible</WellKnownScaleSet>',
    ])
      expect(answer.body).toContain(part)
  })

  test('07-057r7, table 25: what is wrong is told in a report with its code and place', async () => {
    for (const [changes, code, locator] of [
      [{ SERVICE: 'WMS' }, 'InvalidParameterValue', 'SERVICE'],
      [{ REQUEST: 'GetFeatureInfo' }, 'OperationNotSupported', 'REQUEST'],
      [{ REQUEST: '' }, 'MissingParameterValue', 'REQUEST'],
      [{ VERSION: '2.0.0' }, 'InvalidParameterValue', 'VERSION'],
      [{ LAYER: 'constructor' }, 'InvalidParameterValue', 'LAYER'],
      [{ STYLE: 'pastel' }, 'InvalidParameterValue', 'STYLE'],
      [{ FORMAT: 'image/jpeg' }, 'InvalidParameterValue', 'FORMAT'],
      [{ TILEMATRIXSET: 'EPSG:4326' }, 'InvalidParameterValue', 'TILEMATRIXSET'],
      [{ TILEMATRIX: '19' }, 'TileOutOfRange', 'TILEROW'],
      [{ TILEROW: '256' }, 'TileOutOfRange', 'TILEROW'],
      [{ TILECOL: '-1' }, 'TileOutOfRange', 'TILEROW'],
      [{ TIME: `${iso(ARCHIVE)},${iso(NEWEST)}` }, 'InvalidParameterValue', 'TIME'],
      [{ TIME: 'hier' }, 'InvalidParameterValue', 'TIME'],
    ] as const) {
      const answer = await kvp(changes)
      expect([changes, answer.statusCode >= 400, answer.body]).toEqual([
        changes,
        true,
        expect.stringContaining(`exceptionCode="${code}" locator="${locator}"`),
      ])
    }
    expect((await call(`/wmts/1.0.0/dpsri/classes/current/WebMercatorQuad/8/88/129.jpg`)).statusCode).toBe(
      400,
    )
    expect((await call('/wmts?request=GetTile&REQUEST=GetTile')).body).toContain('donné deux fois')
  })

  test('Maps: the whole product, a box in another system, a size; the rest is refused', async () => {
    const size = async (query: string) => {
      const answer = await call(`/maps/collections/dpsri/map?${query}`)
      expect([query, answer.statusCode]).toEqual([query, 200])
      const { width, height } = PNG.sync.read(answer.rawPayload)
      return [width, height]
    }
    expect(await size('')).toEqual([1024, 1024])
    expect(await size('width=200')).toEqual([200, 200])
    expect(await size('bbox=2,48,3,48.5&height=100')).toEqual([200, 100])
    const epsg = (code: number) => encodeURIComponent(`http://www.opengis.net/def/crs/EPSG/0/${code}`)
    // Latitude first.
    expect(await size(`bbox=48,2,48.5,3&bbox-crs=${epsg(4326)}&crs=${epsg(4326)}&height=100`)).toEqual([
      200, 100,
    ])
    const degrees = await call(
      `/maps/collections/dpsri/map?crs=${epsg(3857)}&bbox=2.1,48.1,2.9,48.9&width=80&height=80`,
    )
    const metres = (lng: number, lat: number) => [
      (lng / 180) * WORLD_M,
      (Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) * WORLD_M,
    ]
    const box = [...metres(2.1, 48.1), ...metres(2.9, 48.9)].join()
    const own = await call(
      `/maps/collections/dpsri/map?crs=${epsg(3857)}&bbox-crs=${epsg(3857)}&bbox=${box}&width=80&height=80`,
    )
    const [one, two] = [degrees, own].map(({ rawPayload }) => PNG.sync.read(rawPayload).data)
    expect(one.filter((byte, k) => byte !== two[k]).length).toBeLessThan(one.length / 500)
    for (const query of [
      'bbox=3,48,2,49',
      'bbox=2,48,3',
      'bbox=170,48,-170,49',
      'width=5000',
      'width=4096&height=4096',
      'width=0',
      'crs=EPSG:3857',
      `bbox=0,0,1,1&bbox-crs=${epsg(2154)}`,
      `bbox=-180,-90,180,90&crs=${epsg(3857)}`,
      'datetime=hier',
      'colour=red',
      'bgcolor=red',
      'f=jpeg',
    ]) {
      const answer = await call(`/maps/collections/dpsri/map?${query}`)
      expect([query, answer.statusCode]).toEqual([query, 400])
      expect(answer.json().description).toEqual(expect.any(String))
    }
    for (const missing of [
      '/maps/collections/constructor/map',
      `/maps/collections/dpsri/map/tiles/WorldCRS84Quad/${TILE}`,
      `${tiles}/8/256/0`,
      '/maps/tileMatrixSets/__proto__',
    ])
      expect([missing, (await call(missing)).statusCode]).toEqual([missing, 404])
  })

  test('the water of a run by cell and moment, in classes of depth, for who may see the run', async () => {
    const ids = async (token?: string) =>
      (await call('/maps/collections', token)).json().collections.map(({ id }: { id: string }) => id)
    const [depth, most] = [`run.${VIRTUAL}.depth`, `run.${VIRTUAL}.max-depth`]
    expect(await ids()).toEqual(['dpsri', 'sri'])
    expect(await ids('user')).toEqual(expect.arrayContaining(['dpsri', depth, most]))
    const { db, config } = server.deps
    const results = new Results(new Runs(db), new CatchmentLibrary(db, config), openFileStore(config))
    const { place, timesS } = await results.depthFrames(VIRTUAL)
    const { nrows, ncols, cellSizeM, xll, yll } = place
    const L93 = 'http://www.opengis.net/def/crs/EPSG/0/2154'
    // A pixel a cell.
    const box = [xll, yll, xll + ncols * cellSizeM, yll + nrows * cellSizeM].join()
    const cells = `crs=${L93}&bbox-crs=${L93}&bbox=${box}&width=${ncols}&height=${nrows}`
    const colorsOf = ({ rawPayload }: { rawPayload: Buffer }) => {
      const { data } = PNG.sync.read(rawPayload)
      return Array.from({ length: nrows * ncols }, (_, k) =>
        data[4 * k + 3] === 0 ? null : `#${data.subarray(4 * k, 4 * k + 3).toString('hex')}`,
      )
    }
    const wanted = (mm: number) => {
      const k = WATER_LIMITS_CM.findLastIndex((fromCm) => mm >= 10 * fromCm)
      return mm === 65535 || mm < 50 ? null : WATER_COLORS[k]
    }
    const largest = colorsOf(await call(`/maps/collections/${most}/map?${cells}`, 'user'))
    expect(largest).toEqual(Array.from(await results.runMap(VIRTUAL, 'hauteur'), wanted))
    expect(largest.some((color) => color !== null)).toBe(true)
    for (const k of [0, Math.floor(timesS.length / 2), timesS.length - 1]) {
      const at = new Date(CREATED + 1000 * timesS[k]).toISOString()
      const answer = await call(`/maps/collections/${depth}/map?${cells}&datetime=${at}`, 'user')
      expect(answer.headers).toMatchObject({
        'radx-time': iso(Date.parse(at)),
        'cache-control': 'private, no-cache',
      })
      expect(colorsOf(answer)).toEqual(Array.from(await results.framesBetween(VIRTUAL, k, k + 1), wanted))
    }
    const { extent, links } = (await call(`/maps/collections/${depth}`, 'user')).json()
    expect(extent.temporal.interval[0][0]).toBe(iso(CREATED))
    const sets = links.find(({ rel }: Link) => rel.endsWith('/tilesets-map'))
    const { tileMatrixSetLimits } = (await server.call(`${path(sets)}/WebMercatorQuad`, 'user')).json()
    const { minTileRow, minTileCol } = tileMatrixSetLimits.at(-2)
    const tile = `${path(sets)}/WebMercatorQuad/17/${minTileRow}/${minTileCol}`
    expect(PNG.sync.read((await server.call(tile, 'user')).rawPayload).width).toBe(256)
    for (const [id, token, status] of [
      [most, undefined, 401],
      // Its rain is of an hour outside the account's dates.
      [`run.${MEASURED}.depth`, 'early', 403],
      [`run.${VIRTUAL.replace(/a$/, 'd')}.depth`, 'user', 404],
      [`run.${VIRTUAL}.hauteur`, 'user', 404],
    ] as const)
      for (const rest of ['', '/map', '/map/tiles', '/map/tiles/WebMercatorQuad/0/0/0'])
        expect([id, rest, (await call(`/maps/collections/${id}${rest}`, token)).statusCode]).toEqual([
          id,
          rest,
          status,
        ])
    const before = `/maps/collections/${depth}/map?datetime=2001-01-01T00:00:00Z`
    expect((await call(before, 'user')).statusCode).toBe(404)
  })
})
