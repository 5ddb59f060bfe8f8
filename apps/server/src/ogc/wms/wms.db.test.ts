import { intensityClass } from '@radx/rainfall'
import { PNG } from 'pngjs'
import proj4 from 'proj4'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ARCHIVE, codesOf, iso, NEWEST, STEPS, startOgcServer } from '../testing/ogc-server.ts'
import { picturePng } from './picture.ts'

/** Numbers in titles are the clauses of OGC 06-042 (WMS 1.3.0). */
describe('web map service', () => {
  let server: Awaited<ReturnType<typeof startOgcServer>>
  beforeAll(async () => {
    server = await startOgcServer()
  })
  afterAll(() => server?.close())

  const wms = (parameters: Record<string, string | number>, token?: string) =>
    server.call(
      `/ogc/wms?${new URLSearchParams(Object.entries(parameters).map(([k, v]) => [k, String(v)]))}`,
      token,
    )
  const MAP = {
    SERVICE: 'WMS',
    VERSION: '1.3.0',
    REQUEST: 'GetMap',
    LAYERS: 'dpsri',
    STYLES: '',
    CRS: 'EPSG:4326',
    BBOX: '48,2,49,3',
    WIDTH: 80,
    HEIGHT: 80,
    FORMAT: 'image/png',
    TRANSPARENT: 'TRUE',
  }
  const colorAt = (png: PNG, x: number, y: number) => [
    ...png.data.subarray((y * png.width + x) * 4, (y * png.width + x) * 4 + 4),
  ]
  /** The colour that the class of a cell has in the picture. */
  const colorOf = (ms: number, row: number, col: number) => {
    const code = codesOf(ms)[row * STEPS + col]
    const one = PNG.sync.read(
      picturePng(Uint8Array.of(code === 65535 ? 9 : intensityClass(code / 100)), 1, 1, {
        ground: null,
        noData: true,
      }),
    )
    return [...one.data]
  }
  const picture = async (changes: Record<string, string | number> = {}, token?: string) => {
    const answer = await wms({ ...MAP, ...changes }, token)
    expect(answer.headers['content-type'], answer.body).toBe('image/png')
    return PNG.sync.read(answer.rawPayload)
  }

  test('6.7.3.2: EPSG:4326 is latitude first in 1.3.0, longitude first in 1.1.1 and in CRS:84', async () => {
    const north = await picture()
    for (const [row, col] of [
      [0, 3],
      [5, 0],
      [12, 39],
      [29, 20],
      [30, 20],
    ])
      expect([row, col, colorAt(north, 2 * col + 1, 2 * row + 1)]).toEqual([
        row,
        col,
        colorOf(NEWEST, row, col),
      ])
    const eastFirst = await picture({ CRS: 'CRS:84', BBOX: '2,48,3,49' })
    const old = await picture({ VERSION: '1.1.1', SRS: 'EPSG:4326', BBOX: '2,48,3,49' })
    expect(eastFirst.data.equals(north.data)).toBe(true)
    expect(old.data.equals(north.data)).toBe(true)
  })

  test.each([
    ['EPSG:3857', 'EPSG:3857'],
    [
      'EPSG:2154',
      '+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 +ellps=GRS80 +units=m',
    ],
  ])('each pixel of %s shows the cell under its middle', async (code, definition) => {
    const project = proj4('WGS84', definition)
    const [west, south] = project.forward([2.1, 48.2])
    const [east, north] = project.forward([2.9, 48.9])
    const [width, height] = [211, 187]
    const png = await picture({
      CRS: code,
      BBOX: [west, south, east, north].join(),
      WIDTH: width,
      HEIGHT: height,
    })
    let edges = 0
    for (let j = 0; j < height; j += 3)
      for (let i = 0; i < width; i += 3) {
        const x = west + ((i + 0.5) / width) * (east - west)
        const y = north - ((j + 0.5) / height) * (north - south)
        const [lng, lat] = project.inverse([x, y])
        const [u, v] = [(lng - 2) * STEPS, (49 - lat) * STEPS]
        // Within a thousandth of a cell from its edge either neighbour is right.
        if (Math.abs(u - Math.round(u)) < 1e-3 || Math.abs(v - Math.round(v)) < 1e-3) edges++
        else expect([i, j, colorAt(png, i, j)]).toEqual([i, j, colorOf(NEWEST, Math.floor(v), Math.floor(u))])
      }
    expect(edges).toBeLessThan(200)
  })

  test('7.2: capabilities name layers, boxes, styles and the moments that the caller may see', async () => {
    const open = await wms({ service: 'wms', request: 'GetCapabilities' })
    expect(open.headers['content-type']).toContain('text/xml')
    expect(open.headers['cache-control']).toContain('s-maxage')
    expect(open.body).toContain('<WMS_Capabilities version="1.3.0"')
    expect(open.body).toContain('<BoundingBox CRS="EPSG:4326" minx="48" miny="2" maxx="49" maxy="3"/>')
    expect(open.body).toContain('<BoundingBox CRS="CRS:84" minx="2" miny="48" maxx="3" maxy="49"/>')
    expect(open.body).toContain(iso(NEWEST))
    expect(open.body).not.toContain(iso(ARCHIVE))
    const user = await wms({ SERVICE: 'WMS', REQUEST: 'GetCapabilities' }, 'user')
    expect(user.body).toContain(`${iso(ARCHIVE)}/${iso(NEWEST)}/PT`)
    expect(user.headers['cache-control']).toContain('private')
    const early = await wms({ SERVICE: 'WMS', REQUEST: 'GetCapabilities' }, 'early')
    expect(early.body).not.toContain('<Dimension')
    const old = await wms({ SERVICE: 'WMS', REQUEST: 'GetCapabilities', VERSION: '1.1.1' })
    expect(old.body).toContain('<WMT_MS_Capabilities version="1.1.1">')
  })

  test('annex D: TIME takes an instant (nearest frame), an interval (its newest), current, and no list', async () => {
    const timeOf = async (TIME: string, token = 'user') =>
      (await wms({ ...MAP, TIME }, token)).headers['radx-time']
    expect(await timeOf('current')).toBe(iso(NEWEST))
    expect(await timeOf(iso(ARCHIVE + 90_000))).toBe(iso(ARCHIVE))
    expect(await timeOf('2025-06-01T12:02:00+02:00')).toBe(iso(ARCHIVE + 200_000))
    expect(await timeOf(`${iso(ARCHIVE)}/${iso(ARCHIVE + 500_000)}`)).toBe(iso(ARCHIVE + 400_000))
    for (const TIME of [
      `${iso(ARCHIVE)},${iso(NEWEST)}`,
      'hier',
      '2025-02-30',
      '2025-06-01/',
      `${iso(NEWEST)}/${iso(ARCHIVE)}`,
      Array(40).fill(iso(ARCHIVE)).join(','),
      '2019-01-01',
      '9999-12-31T23:59:59Z',
    ]) {
      const refused = await wms({ ...MAP, TIME }, 'user')
      expect([TIME, refused.body]).toEqual([TIME, expect.stringContaining('code="InvalidDimensionValue"')])
    }
  })

  test('classes of the live window are everyone’s; the archive needs a session inside its dates', async () => {
    const TIME = iso(ARCHIVE)
    const [nobody, early, user] = await Promise.all([
      wms({ ...MAP, TIME }),
      wms({ ...MAP, TIME }, 'early'),
      wms({ ...MAP, TIME }, 'user'),
    ])
    expect([nobody.statusCode, early.statusCode, user.statusCode]).toEqual([401, 403, 200])
    expect(nobody.body).toContain('<ServiceExceptionReport')
    expect(user.headers['cache-control']).toContain('private')
    const live = await wms({ ...MAP, TIME: iso(NEWEST) })
    expect(live.headers['cache-control']).toMatch(/public.*s-maxage=\d+/)
    expect(live.headers.etag).toBeDefined()
  })

  test('7.4: the value of a pixel follows the rule of gauges', async () => {
    const INFO = { ...MAP, REQUEST: 'GetFeatureInfo', QUERY_LAYERS: 'dpsri', INFO_FORMAT: 'application/json' }
    expect((await wms({ ...INFO, I: 40, J: 40 })).statusCode).toBe(401)
    const [row, col] = [7, 9]
    const asked = { ...INFO, I: 2 * col, J: 2 * row, TIME: iso(ARCHIVE) }
    expect((await wms(asked, 'user')).statusCode).toBe(403)
    expect((await wms(asked, 'manager')).json()).toMatchObject({
      time: iso(ARCHIVE),
      rateMmH: codesOf(ARCHIVE)[row * STEPS + col] / 100,
    })
    expect((await wms({ ...asked, J: 0 }, 'manager')).json().rateMmH).toBeNull()
    expect((await wms({ ...asked, I: 80 }, 'manager')).body).toContain('code="InvalidPoint"')
  })

  test('a large picture, made in a thread, shows what a small one does', async () => {
    const [small, large] = [await picture(), await picture({ WIDTH: 1280, HEIGHT: 1280 })]
    for (let j = 0; j < 80; j++)
      for (let i = 0; i < 80; i++)
        expect(colorAt(large, 16 * i + 8, 16 * j + 8)).toEqual(colorAt(small, i, j))
  })

  test('what QGIS 3.22 itself asks for is answered', async () => {
    // As its own log has them: no version with the capabilities, hints about dots beside, seventeen decimals.
    const capabilities = await server.call('/ogc/wms?SERVICE=WMS&REQUEST=GetCapabilities')
    expect(capabilities.body).toContain('<WMS_Capabilities version="1.3.0"')
    const asked =
      'SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&BBOX=48.00000000000000711,2.00000000000000003,49,3&CRS=EPSG:4326' +
      '&WIDTH=80&HEIGHT=80&LAYERS=dpsri&STYLES=classes&FORMAT=image/png&DPI=100&MAP_RESOLUTION=100' +
      '&FORMAT_OPTIONS=dpi:100&TRANSPARENT=TRUE'
    const map = await server.call(`/ogc/wms?${asked}`)
    expect(map.rawPayload.equals((await wms(MAP)).rawPayload)).toBe(true)
    const tile =
      'SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER=dpsri&STYLE=classes&FORMAT=image/png' +
      '&TILEMATRIXSET=WebMercatorQuad&TILEMATRIX=8&Time=current&TILEROW=88&TILECOL=129'
    expect((await server.call(`/ogc/wmts?${tile}`)).headers['content-type']).toBe('image/png')
  })

  test('the legend is a picture', async () => {
    const answer = await wms({
      SERVICE: 'WMS',
      REQUEST: 'GetLegendGraphic',
      LAYER: 'dpsri',
      FORMAT: 'image/png',
    })
    const { width, height } = PNG.sync.read(answer.rawPayload)
    expect([width, height]).toEqual([180, 248])
  })

  test('annex E: what is wrong is told in a report with its code, and costs no work', async () => {
    for (const [changes, code] of [
      [{ CRS: 'EPSG:9999' }, 'InvalidCRS'],
      [{ LAYERS: 'dpsri,sri' }, 'LayerNotDefined'],
      [{ LAYERS: 'constructor' }, 'LayerNotDefined'],
      [{ STYLES: 'pastel' }, 'StyleNotDefined'],
      [{ FORMAT: 'image/jpeg' }, 'InvalidFormat'],
      [{ WIDTH: 100000 }, 'InvalidParameterValue'],
      [{ WIDTH: 4096, HEIGHT: 4096 }, 'InvalidParameterValue'],
      [{ WIDTH: '1e3' }, 'InvalidParameterValue'],
      [{ BBOX: '49,3,48,2' }, 'InvalidParameterValue'],
      [{ BBOX: '48,2,,3' }, 'InvalidParameterValue'],
      [{ BBOX: '' }, 'MissingParameterValue'],
      [{ REQUEST: 'GetEverything' }, 'OperationNotSupported'],
      [{ SERVICE: 'WFS' }, 'InvalidParameterValue'],
    ] as const) {
      const answer = await wms({ ...MAP, ...changes })
      expect([changes, answer.headers['content-type'], answer.body]).toEqual([
        changes,
        expect.stringContaining('xml'),
        expect.stringContaining(`code="${code}"`),
      ])
    }
    const far = await picture({ BBOX: '-90,170,90,190' })
    expect(far.data.every((byte) => byte === 0 || byte === 255)).toBe(true)
  })
})
