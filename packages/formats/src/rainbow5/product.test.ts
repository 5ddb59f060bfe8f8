import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { rainbowBlob } from '../testing/rainbow-bytes.ts'
import { refusal } from '../testing/refusal.ts'
import { readRainbowProduct } from './product.ts'

const SENSOR = `<sensorinfo type="gdrx" id="ENPC" name="Champs">
  <lon>2.587</lon><lat>48.841</lat><alt>97.5</alt><wavelen>0.0319</wavelen><beamwidth>1.0</beamwidth>
</sensorinfo>`

function header({
  depth = 8,
  rows = 2,
  columns = 3,
  type = 'dBR',
  min = -31.5,
  max = 95.5,
  projection = 'type="aeqd"',
  sensor = SENSOR,
  flagmap = true,
} = {}): string {
  return `<product version="5.43.11" datetime="2021-07-04T15:52:10" name="sri_ile" owner="radar" type="sri">
 <data date="2021-07-04" time="15:50:03">
  ${sensor}
  <radarpicture placeid="top" type="${type}" min="${min}" max="${max}">
   <datamap blobid="0" rows="${rows}" columns="${columns}" depth="${depth}"/>
   ${flagmap ? `<flagmap blobid="1" rows="${rows}" columns="${columns}" depth="1"/>` : ''}
   <projection ${projection} lat_ul="49.29" lon_ul="1.9" lat_lr="48.39" lon_lr="3.27" size_x="${columns}" size_y="${rows}"/>
  </radarpicture>
 </data>
</product>
<!-- END XML -->
`
}

const file = (head: string, ...blobs: Buffer[]): Buffer => Buffer.concat([Buffer.from(head), ...blobs])

describe('reading bytes put together by hand', () => {
  test('an 8-bit dBR product: code 0 is no echo, the others min + (code - 1) x 0.5 dB, flagged cells no data', () => {
    // Codes 1, 64 and 255 are -31.5, 0 and 95.5 dB; flags: MSB first, the fourth and the sixth cell.
    const bytes = file(header(), rainbowBlob(0, [0, 1, 64, 84, 255, 104]), rainbowBlob(1, [0b0001_0100]))
    const product = readRainbowProduct(bytes)
    expect([...product.rateMmH].map((v) => +v.toPrecision(6))).toEqual([
      0,
      +(10 ** -3.15).toPrecision(6),
      1,
      Number.NaN,
      +(10 ** 9.55).toPrecision(6),
      Number.NaN,
    ])
    expect(product).toMatchObject({
      kind: 'rainbow5-product',
      version: '5.43.11',
      name: 'sri_ile',
      type: 'sri',
      datetime: '2021-07-04T15:50:03.000Z',
      ncols: 3,
      nrows: 2,
      corners: { latUl: 49.29, lonUl: 1.9, latLr: 48.39, lonLr: 3.27 },
      sensor: {
        id: 'ENPC',
        name: 'Champs',
        lat: 48.841,
        lon: 2.587,
        altitudeM: 97.5,
        wavelengthM: 0.0319,
        beamwidthDeg: 1,
      },
    })
  })

  test('a 16-bit linear product is big-endian', () => {
    const head = header({ depth: 16, type: 'mm/h', min: 0.01, max: 655.34 })
    const bytes = file(head, rainbowBlob(0, [0, 0, 0, 1, 1, 0, 0, 100, 255, 255, 0, 2]), rainbowBlob(1, [0]))
    const rates = [...readRainbowProduct(bytes).rateMmH]
    ;[0, 0.01, 2.56, 1, 655.35, 0.02].forEach((v, i) => {
      expect(rates[i]).toBeCloseTo(v * (i === 4 ? 655.34 / 655.35 : 1), 2)
    })
  })

  test('flag rows that start on whole bytes are told by their length', () => {
    const head = header({ rows: 3, columns: 3 })
    const packed = rainbowBlob(1, [0b0010_0000, 0b1000_0000, 0b0100_0000])
    const running = rainbowBlob(1, [0b0011_0001, 0b0000_0000])
    const codes = rainbowBlob(0, [64, 64, 64, 64, 64, 64, 64, 64, 64])
    const nodata = [2, 3, 7]
    for (const flags of [packed, running]) {
      const rates = readRainbowProduct(file(head, codes, flags)).rateMmH
      expect([...rates].flatMap((v, i) => (Number.isNaN(v) ? [i] : []))).toEqual(nodata)
    }
  })

  test('older headers with radarinfo, min and max on the datamap and no flag map are read', () => {
    const head = header({ flagmap: false, sensor: SENSOR.replaceAll('sensorinfo', 'radarinfo') })
      .replace(' min="-31.5" max="95.5"', '')
      .replace('<datamap', '<datamap max="95.5" min="-31.5"')
    const product = readRainbowProduct(file(head, rainbowBlob(0, [64, 0, 0, 0, 0, 0])))
    expect(product.sensor.id).toBe('ENPC')
    expect(product.rateMmH[0]).toBeCloseTo(1)
  })

  test('names in UTF-8 and in Latin-1 are read', () => {
    const head = header().replace('name="sri_ile"', 'name="Île-de-France"')
    for (const encoding of ['utf8', 'latin1'] as const) {
      const bytes = Buffer.concat([
        Buffer.from(head, encoding),
        rainbowBlob(0, [0, 0, 0, 0, 0, 0]),
        rainbowBlob(1, [0]),
      ])
      expect(readRainbowProduct(bytes).name).toBe('Île-de-France')
    }
  })

  test('an azimuthal equidistant picture has its edges where the corners fall around the radar', () => {
    const { geometry, projection } = readRainbowProduct(
      file(header(), rainbowBlob(0, [0, 0, 0, 0, 0, 0]), rainbowBlob(1, [0])),
    )
    expect(projection.kind).toBe('aeqd')
    // Great-circle distance and bearing of the corner on a sphere of 6371 km (haversine), in the test's own words.
    const rad = Math.PI / 180
    const [lat1, lat2, dLon] = [48.841 * rad, 49.29 * rad, (1.9 - 2.587) * rad]
    const a = Math.sin((lat2 - lat1) / 2) ** 2 + Math.cos(lat1) * Math.cos(lat2) * Math.sin(dLon / 2) ** 2
    const distance = 2 * 6371000 * Math.asin(Math.sqrt(a))
    const bearing = Math.atan2(
      Math.sin(dLon) * Math.cos(lat2),
      Math.cos(lat1) * Math.sin(lat2) - Math.sin(lat1) * Math.cos(lat2) * Math.cos(dLon),
    )
    expect(geometry.left).toBeCloseTo(distance * Math.sin(bearing), 0)
    expect(geometry.top).toBeCloseTo(distance * Math.cos(bearing), 0)
  })

  test('a centre other than the radar, as elements or as a PROJ definition, is taken', () => {
    const elements = header().replace(
      /(<projection [^>]*)\/>/,
      '$1><lat_0>49</lat_0><lon_0>2</lon_0></projection>',
    )
    const proj4 = '+proj=aeqd +lat_0=49 +lon_0=2 +x_0=0 +y_0=0 +R=6371000 +units=m +no_defs'
    const definition = header().replace(
      /(<projection [^>]*)\/>/,
      `$1><proj4string>${proj4}</proj4string></projection>`,
    )
    const geometries = [elements, definition].map(
      (head) =>
        readRainbowProduct(file(head, rainbowBlob(0, [0, 0, 0, 0, 0, 0]), rainbowBlob(1, [0]))).geometry,
    )
    expect(geometries[1]).toEqual(geometries[0])
    // 1.9 E lies 7.3 km west of 2 E at that latitude.
    expect(geometries[0].left).toBeGreaterThan(-7400)
    expect(geometries[0].left).toBeLessThan(-7100)
  })

  test('a latitude-longitude picture keeps its corners as edges', () => {
    const bytes = file(
      header({ projection: 'type="latlon"' }),
      rainbowBlob(0, [0, 0, 0, 0, 0, 0]),
      rainbowBlob(1, [0]),
    )
    expect(readRainbowProduct(bytes)).toMatchObject({
      projection: { kind: 'latlon' },
      geometry: { left: 1.9, top: 49.29, right: 3.27, bottom: 48.39, ncols: 3, nrows: 2 },
    })
  })
})

describe('refusals', () => {
  const good = file(header(), rainbowBlob(0, [0, 1, 64, 84, 255, 104]), rainbowBlob(1, [0b0001_0100]))

  test('every truncation is refused with a typed error', () => {
    for (let length = 0; length < good.length - 1; length++) {
      const code = refusal(() => readRainbowProduct(good.subarray(0, length))).code
      expect(code, `cut at ${length}`).toMatch(
        /^rainbow5\.(empty|notRainbow5|truncated|badBlob|missingBlob)$/,
      )
    }
  })

  test.each([
    [
      'an inflated length that is not the grid',
      'rainbow5.badBlob',
      file(header(), rainbowBlob(0, [1, 2, 3]), rainbowBlob(1, [0])),
    ],
    ['a missing block', 'rainbow5.missingBlob', file(header(), rainbowBlob(1, [0]))],
    ['a grid too large to hold', 'rainbow5.badHeader', file(header({ rows: 1e6, columns: 1e6 }))],
    ['a depth that is not 8 or 16', 'rainbow5.unsupported', file(header({ depth: 32 }))],
    ['reflectivity', 'rainbow5.notRain', file(header({ type: 'dBZ' }))],
    ['a projection that is not read', 'rainbow5.unsupported', file(header({ projection: 'type="tmerc"' }))],
    ['a scale upside down', 'rainbow5.badHeader', file(header({ min: 3, max: 3 }))],
    ['an HDF5 file', 'rainbow5.notRainbow5', Buffer.from('\u0089HDF\r\n', 'latin1')],
    [
      'a document type',
      'rainbow5.badHeader',
      file(`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y">]>${header()}`),
    ],
    ['a volume', 'rainbow5.wrongKind', file('<volume version="5.36.5"></volume>\n<!-- END XML -->\n')],
    [
      'a date that does not exist',
      'rainbow5.badHeader',
      Buffer.from(good.toString('latin1').replace('date="2021-07-04"', 'date="2021-02-30"'), 'latin1'),
    ],
  ])('%s is refused as %s', (_, code, bytes) => {
    expect(refusal(() => readRainbowProduct(bytes)).code).toBe(code)
  })

  test('a small block that would inflate without bound is stopped at the announced length', () => {
    const bomb = deflateSync(Buffer.alloc(200 * 2 ** 20))
    const packed = Buffer.concat([Buffer.from([0, 0, 0, 6]), bomb])
    const bytes = file(
      header(),
      Buffer.from(`<BLOB blobid="0" size="${packed.length}" compression="qt">\n`),
      packed,
      Buffer.from('\n</BLOB>\n'),
      rainbowBlob(1, [0]),
    )
    const before = process.memoryUsage().rss
    expect(refusal(() => readRainbowProduct(bytes)).code).toBe('rainbow5.badBlob')
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20)
  })
})
