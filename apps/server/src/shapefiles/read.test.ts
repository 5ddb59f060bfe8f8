import { shapefileSchema } from '@radx/contracts/shapefiles'
import { describe, expect, test } from 'vitest'
import { LIMITS, ShapefileError } from './errors.ts'
import { fromEpsg } from './projection.ts'
import { readLayer } from './read.ts'
import {
  LAMBERT2E_PRJ,
  LAMBERT93_PRJ,
  makeDbf,
  makePointShp,
  makePolygonShp,
  makeZip,
  WGS84_PRJ,
} from './testing/make.ts'

const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const point = (coordinates: unknown, properties: unknown = {}) => ({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', properties, geometry: { type: 'Point', coordinates } }],
})
const refusal = (bytes: Uint8Array, epsg?: number): string => {
  try {
    readLayer(bytes, { epsg })
  } catch (error) {
    expect(error).toBeInstanceOf(ShapefileError)
    return (error as ShapefileError).code
  }
  return 'taken'
}

// The square before Notre-Dame de Paris, about 48.8534 N and 2.3488 E.
const LAMBERT93: [number, number] = [652_217, 6_861_684]

describe('zipped shapefiles', () => {
  test('points in Lambert-93 come out in WGS84 with their attributes', () => {
    const layer = readLayer(
      makeZip({
        'couche/Regards.shp': makePointShp([LAMBERT93, [652_317, 6_861_784]]),
        'couche/Regards.dbf': makeDbf(
          ['node_id', 'Text'],
          [
            ['J1', 'Étang'],
            ['J2', 'Près'],
          ],
        ),
        'couche/Regards.prj': LAMBERT93_PRJ,
        'couche/Regards.cpg': 'UTF-8',
        '__MACOSX/couche/._Regards.shp': 'x',
      }),
    )
    expect(layer.features).toHaveLength(2)
    expect(layer.features[0].properties).toEqual({ node_id: 'J1', Text: 'Étang' })
    const [lng, lat] = (layer.features[0].geometry as { coordinates: [number, number] }).coordinates
    expect(lng).toBeCloseTo(2.3488, 3)
    expect(lat).toBeCloseTo(48.8534, 3)
    expect(layer.bounds.ul.lat).toBeGreaterThan(layer.bounds.lr.lat)
    expect(layer.bounds.ul.lng).toBeLessThan(layer.bounds.lr.lng)
    expect(
      shapefileSchema.safeParse({
        name: 'regards',
        longName: 'Regards',
        desc: '',
        color: '#0b7285',
        shapefile: { type: 'FeatureCollection', features: layer.features },
        bounds: layer.bounds,
      }).success,
    ).toBe(true)
  })

  test('a polygon keeps its hole', () => {
    const ring = (x: number, y: number, size: number): [number, number][] => [
      [x, y],
      [x, y + size],
      [x + size, y + size],
      [x + size, y],
      [x, y],
    ]
    const hole = ring(650_100, 6_860_100, 50).reverse()
    const { features } = readLayer(
      makeZip({ 'a.shp': makePolygonShp([ring(650_000, 6_860_000, 1000), hole]), 'a.prj': LAMBERT93_PRJ }),
    )
    expect(features[0].geometry.type).toBe('Polygon')
    expect((features[0].geometry as { coordinates: unknown[] }).coordinates).toHaveLength(2)
  })

  test('Lambert II étendu is moved from NTF, which a .prj alone does not say', () => {
    const shp = makePointShp([[600_000, 2_428_000]])
    const { bounds } = readLayer(makeZip({ 'a.shp': shp, 'a.prj': LAMBERT2E_PRJ }))
    const [lng, lat] = fromEpsg(27572)([600_000, 2_428_000])
    expect(bounds.ul.lng).toBeCloseTo(lng, 6)
    expect(bounds.ul.lat).toBeCloseTo(lat, 6)
    // The meridian of Paris is at 2°20'14.025" E of Greenwich in NTF, about 2.3365° in WGS84.
    expect(lng).toBeCloseTo(2.3365, 3)
  })

  test('a table without encoding is read as UTF-8 or, failing that, as Windows-1252', () => {
    const files = { 'a.shp': makePointShp([[2.5, 48.8]]), 'a.prj': WGS84_PRJ }
    for (const encoding of ['utf8', 'latin1'] as const) {
      const { features } = readLayer(makeZip({ ...files, 'a.dbf': makeDbf(['Text'], [['Évry']], encoding) }))
      expect(features[0].properties.Text).toBe('Évry')
    }
  })

  test('a missing .prj is refused unless the system is stated', () => {
    const bytes = makeZip({ 'a.shp': makePointShp([LAMBERT93]) })
    expect(() => readLayer(bytes)).toThrow(/\.prj manque.*--epsg/)
    expect(readLayer(bytes, { epsg: 2154 }).bounds.ul.lat).toBeCloseTo(48.8534, 3)
  })

  test('what is wrong with an archive is named', () => {
    const shp = makePointShp([[2.5, 48.8]])
    const zip = makeZip({ 'a.shp': shp, 'a.prj': WGS84_PRJ })
    expect(refusal(makeZip({ 'lisez-moi.txt': 'x' }))).toBe('shapefile.noShp')
    expect(refusal(makeZip({ 'a.shp': shp, 'b.shp': shp, 'a.prj': WGS84_PRJ }))).toBe('shapefile.layers')
    expect(refusal(makeZip({ 'a.shp': shp, 'a.prj': 'LOCAL_CS["x"]' }))).toBe('shapefile.prj')
    expect(
      refusal(makeZip({ 'a.shp': shp, 'a.prj': WGS84_PRJ.replaceAll('WGS_1984', 'European_1950') })),
    ).toBe('shapefile.prj')
    expect(refusal(makeZip({ 'a.shp': shp.subarray(0, 120), 'a.prj': WGS84_PRJ }))).toBe(
      'shapefile.truncated',
    )
    expect(refusal(makeZip({ 'a.shp': 'not a shape', 'a.prj': WGS84_PRJ }))).toBe('shapefile.shp')
    expect(
      refusal(makeZip({ 'a.shp': shp, 'a.prj': WGS84_PRJ, 'a.dbf': makeDbf(['Text'], [['a'], ['b']]) })),
    ).toBe('shapefile.dbf')
    expect(refusal(zip.subarray(0, zip.length - 30))).toBe('shapefile.zip')
    expect(refusal(makeZip({ 'a.shp': makePointShp([LAMBERT93]), 'a.prj': WGS84_PRJ }))).toBe(
      'shapefile.outside',
    )
  })

  test('a zip bomb is stopped while it grows', () => {
    const bomb = makeZip({ 'a.shp': Buffer.alloc(LIMITS.unpackedBytes + 1), 'a.prj': WGS84_PRJ })
    expect(bomb.length).toBeLessThan(1024 * 1024)
    expect(refusal(bomb)).toBe('shapefile.zipSize')
    const many = Object.fromEntries(Array.from({ length: LIMITS.zipEntries + 1 }, (_, i) => [`${i}.txt`, '']))
    expect(refusal(makeZip(many))).toBe('shapefile.zipEntries')
  })
})

describe('GeoJSON', () => {
  test('heights are dropped and odd attributes are kept as text', () => {
    const { features } = readLayer(
      json(point([2.5, 48.8, 112], { Text: 'x', n: 1, on: true, o: { a: 1 }, z: null })),
    )
    expect(features[0].geometry).toEqual({ type: 'Point', coordinates: [2.5, 48.8] })
    expect(features[0].properties).toEqual({ Text: 'x', n: 1, on: true, o: '{"a":1}', z: null })
  })

  test('a stated older system is brought to WGS84', () => {
    const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::2154' } }
    const { bounds } = readLayer(json({ ...point(LAMBERT93), crs }))
    expect(bounds.ul.lat).toBeCloseTo(48.8534, 3)
  })

  test('records without a geometry are counted and left out', () => {
    const layer = readLayer(
      json({
        type: 'FeatureCollection',
        features: [...point([2, 48]).features, { type: 'Feature', properties: {}, geometry: null }],
      }),
    )
    expect([layer.features.length, layer.skipped]).toEqual([1, 1])
  })

  test('what is wrong with a file is named', () => {
    const crs = (name: string) => json({ ...point([2, 48]), crs: { type: 'name', properties: { name } } })
    expect(refusal(Buffer.alloc(0))).toBe('shapefile.empty')
    expect(refusal(Buffer.alloc(LIMITS.fileBytes + 1))).toBe('shapefile.size')
    expect(refusal(Buffer.from('{"type":'))).toBe('shapefile.json')
    expect(refusal(Buffer.from([0xff, 0xfe, 0x7b]))).toBe('shapefile.json')
    expect(refusal(json([1]))).toBe('shapefile.geojson')
    expect(refusal(json({ type: 'Topology' }))).toBe('shapefile.geojson')
    expect(refusal(json({ type: 'FeatureCollection' }))).toBe('shapefile.geojson')
    expect(refusal(json({ type: 'FeatureCollection', features: [1] }))).toBe('shapefile.geojson')
    expect(refusal(json({ type: 'FeatureCollection', features: [] }))).toBe('shapefile.empty')
    expect(refusal(json(point(LAMBERT93)))).toBe('shapefile.outside')
    expect(refusal(json(point(['2', '48'])))).toBe('shapefile.position')
    expect(refusal(json(point(null)))).toBe('shapefile.position')
    expect(refusal(json({ type: 'Polygon', coordinates: [1] }))).toBe('shapefile.position')
    expect(refusal(json({ type: 'Circle', coordinates: [2, 48] }))).toBe('shapefile.geometry')
    expect(refusal(json({ type: '__proto__', coordinates: [2, 48] }))).toBe('shapefile.geometry')
    expect(refusal(crs('EPSG:9999'))).toBe('shapefile.crs')
    expect(refusal(crs('<script>'))).toBe('shapefile.crs')
    expect(refusal(json(point([2, 48])), 1234)).toBe('shapefile.crs')
    const line = {
      type: 'LineString',
      coordinates: Array.from({ length: LIMITS.positions + 1 }, () => [2, 48]),
    }
    expect(refusal(json(line))).toBe('shapefile.positions')
  })
})

test('French plane systems meet at the same place', () => {
  // Conic conformal zone 9 and UTM 31 N have the meridian 3° E in common with Lambert-93.
  expect(fromEpsg(3949)([1_700_000, 8_200_000])[0]).toBeCloseTo(3, 9)
  expect(fromEpsg(3949)([1_700_000, 8_200_000])[1]).toBeCloseTo(49, 4)
  expect(fromEpsg(32631)([500_000, 5_400_000])[0]).toBeCloseTo(3, 9)
  expect(fromEpsg(2154)([700_000, 6_600_000])).toEqual([expect.closeTo(3, 9), expect.closeTo(46.5, 6)])
})
