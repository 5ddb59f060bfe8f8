import { describe, expect, test } from 'vitest'
import { LONGLAT, plainDefinition, planeOf } from './projection.ts'

const rad = Math.PI / 180
const PLACE: [number, number] = [2.5, 48.8]

describe('definitions that are taken', () => {
  test('a word counts without its plus too, as in PROJ', () => {
    const expected = planeOf('+proj=laea +lat_0=52 +lon_0=10 +x_0=100 +ellps=GRS80')!(PLACE)
    expect(expected.every(Number.isFinite)).toBe(true)
    expect(planeOf('proj=laea lat_0=52 lon_0=10 x_0=100 ellps=GRS80')!(PLACE)).toEqual(expected)
    expect(planeOf('+proj=laea +lat_0=52 lon_0=10 +x_0=100 ellps=GRS80')!(PLACE)).toEqual(expected)
  })

  test.each([
    ['laea', '+lat_0=48 +lon_0=2'],
    ['laea', '+lat_0=48'],
    ['laea', '+lon_0=2'],
    ['laea', '+lat_0=48 +lon_0=2 +x_0=0'],
    ['laea', '+lat_0=48 +lon_0=2 +y_0=0'],
    ['gnom', '+lat_0=48 +lon_0=2'],
    ['gnom', ''],
  ])('an origin that is not written is 0, as in PROJ: %s %s', (name, words) => {
    const [x, y] = planeOf(`+proj=${name} ${words} +R=6371000`)!(PLACE)
    // Snyder (1987), Map Projections, equations 22-4, 22-5 (gnom), 24-2 (laea), on the sphere.
    const of = (key: string) => Number(new RegExp(`${key}=(\\d+)`).exec(words)?.[1] ?? 0) * rad
    const [phi, dLon, phi1] = [PLACE[1] * rad, PLACE[0] * rad - of('lon_0'), of('lat_0')]
    const cosine = Math.sin(phi1) * Math.sin(phi) + Math.cos(phi1) * Math.cos(phi) * Math.cos(dLon)
    const k = name === 'laea' ? Math.sqrt(2 / (1 + cosine)) : 1 / cosine
    expect(x).toBeCloseTo(6_371_000 * k * Math.cos(phi) * Math.sin(dLon), 3)
    const north = Math.cos(phi1) * Math.sin(phi) - Math.sin(phi1) * Math.cos(phi) * Math.cos(dLon)
    expect(y).toBeCloseTo(6_371_000 * k * north, 3)
  })

  test('the origin that is another one in PROJ is left to the file', () => {
    expect(plainDefinition('+proj=lcc +lat_1=45')).toBe('+proj=lcc +lat_1=45 +lon_0=0 +x_0=0 +y_0=0')
    expect(plainDefinition('+proj=krovak')).toBe('+proj=krovak +lon_0=0 +x_0=0 +y_0=0')
    expect(plainDefinition('+proj=lcca +lat_1=45')).toContain('+lat_0=0')
  })

  test('a plane in degrees is the same place', () => {
    expect(planeOf(LONGLAT)?.(PLACE)).toEqual(PLACE)
  })

  test('the Mercator projection of the sphere, by its formula', () => {
    const plane = planeOf('+proj=merc +lon_0=0 +R=6371000 +units=m +no_defs')
    const [x, y] = plane!(PLACE)
    expect(x).toBeCloseTo(6_371_000 * 2.5 * rad, 3)
    expect(y).toBeCloseTo(6_371_000 * Math.log(Math.tan(Math.PI / 4 + (48.8 * rad) / 2)), 3)
  })

  test.each([
    ['blanks before, between and after', '  +proj=longlat   +datum=WGS84  '],
    ['words without a plus', '+proj=longlat datum=WGS84 no_defs'],
    ['500 characters', `+proj=longlat${' '.repeat(487)}`],
  ])('%s', (_, definition) => {
    expect(planeOf(definition)?.(PLACE)).toEqual(PLACE)
  })
})

test.each([
  ['a name', 'EPSG:3857'],
  ['another name', 'WGS84'],
  ['well-known text', 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]]]'],
  ['text before', 'x +proj=longlat'],
  ['text behind', '+proj=longlat ;'],
  ['a key that is a number', '+proj=longlat +1=2'],
  ['a file of shifts', '+proj=longlat +nadgrids=shifts'],
  ['a file of heights', '+proj=longlat +geoidgrids=heights'],
  ['a path', '+proj=longlat +datum=/etc/passwd'],
  ['a projection that there is not', '+proj=nonesuch'],
  ['501 characters', `+proj=longlat${' '.repeat(488)}`],
])('%s is none', (_, definition) => {
  expect(planeOf(definition)).toBeUndefined()
})

test('a place that the plane does not have is no number', () => {
  const mercator = planeOf('+proj=merc +R=6371 +units=km')!
  expect(mercator([0, 90])).toEqual([Number.NaN, Number.NaN])
  expect(mercator(PLACE)[0]).toBeCloseTo(6.371 * 2.5 * rad, 6)
})

test('the last definitions are kept, 64 of them', () => {
  // Those of the tests above are let go of on the way.
  const at = (k: number) => planeOf(`+proj=longlat +lon_0=${k}`)
  let [kept, first] = [0, at(0)]
  for (let k = 1; at(0) === first; k++) {
    kept++
    at(k)
    if (kept > 200) throw new Error('never let go of')
  }
  expect(kept).toBeLessThanOrEqual(64)
  first = at(0)
  for (let k = 1; k < 63; k++) at(k + 1000)
  expect(at(0)).toBe(first)
  at(2000)
  expect(at(0)).not.toBe(first)
})
