import proj4 from 'proj4'
import { expect, test } from 'vitest'
import { epsgOf, projectionText } from './projections.ts'

const degreesOf = (epsg: number, at: [number, number]) => {
  const text = projectionText(epsg)
  if (text === undefined) throw new Error(`no ${epsg}`)
  return proj4(text).inverse(at)
}

// Places by PROJ 9 (cs2cs).
test.each<[string, number, [number, number], [number, number]]>([
  ['New York, US survey feet', 2263, [1_000_000, 200_000], [-73.94318507, 40.71561648]],
  ['the same by NAD83(2011)', 6539, [990_000, 210_000], [-73.97924949, 40.74307618]],
  ['Philadelphia', 2272, [2_700_000, 230_000], [-75.14111, 39.93504141]],
  ['California, falsely east and north', 2225, [6_200_000, 2_100_000], [-123.30231671, 40.5875263]],
  ['Chicago, a Mercator', 3435, [1_180_000, 1_900_000], [-87.61450966, 41.88087338]],
  ['Austin', 2277, [3_100_000, 10_070_000], [-97.78818335, 30.26690395]],
  ['Manhattan in metres', 26918, [585_000, 4_511_000], [-73.99318645, 40.74556081]],
])('%s', (_, epsg, at, [lng, lat]) => {
  const [x, y] = degreesOf(epsg, at)
  expect(x).toBeCloseTo(lng, 6)
  expect(y).toBeCloseTo(lat, 6)
})

test('feet of the survey are not international feet', () => {
  const [, survey] = degreesOf(2263, [1_000_000, 200_000])
  const [, metres] = degreesOf(32118, [(1_000_000 * 1200) / 3937, (200_000 * 1200) / 3937])
  expect(survey).toBeCloseTo(metres, 10)
})

test('a system that is none on the ground, needs a file of shifts or has no shift told is not known', () => {
  // A datum of heights, NAD27 (NTv2 grids), Xian 1980 (no shift), what no register has.
  for (const epsg of [5720, 32040, 2327, 9999, 102_100, 1.5, Number.NaN])
    expect(projectionText(epsg), String(epsg)).toBeUndefined()
})

test('every code is read in every spelling of a system, whole', () => {
  for (let epsg = 1024; epsg <= 32_767; epsg++)
    for (const name of [
      `EPSG:${epsg}`,
      `epsg:${epsg}`,
      `urn:ogc:def:crs:EPSG::${epsg}`,
      `urn:ogc:def:crs:EPSG:6.9:${epsg}`,
      `urn:x-ogc:def:crs:EPSG:${epsg}`,
      `http://www.opengis.net/def/crs/EPSG/0/${epsg}`,
    ])
      if (epsgOf(name) !== epsg) expect(epsgOf(name), name).toBe(epsg)
  for (const name of ['urn:ogc:def:crs:OGC:1.3:CRS84', 'EPSG:', 'EPSG:123', 'EPSG:3857x', 'MYEPSG:2154'])
    expect(epsgOf(name), name).toBeUndefined()
})
