import { expect, test } from 'vitest'
import { boundsOfPolygons, gaugePlace } from './gauge-place.ts'

const box = (north: number, west: number) => ({
  ul: { lat: north, lng: west },
  lr: { lat: north - 1, lng: west + 1 },
})
const basins = [box(49, 2), box(47, 5)]
const layers = [box(48.5, 2.5)]
const plain = { manager: false, basins, layers: [] }

test('[GAUGE-08] a manager passes regardless of bounds', () => {
  expect(gaugePlace({ manager: true, basins, layers }, { lat: 10, lng: 10 })).toBe('allowed')
})

test('[GAUGE-09] others need the bounds of a basin, edges included', () => {
  expect(gaugePlace(plain, { lat: 48.5, lng: 2.5 })).toBe('allowed')
  expect(gaugePlace(plain, { lat: 49, lng: 2 })).toBe('allowed')
  expect(gaugePlace(plain, { lat: 46.5, lng: 5.5 })).toBe('allowed')
  expect(gaugePlace(plain, { lat: 49.001, lng: 2.5 })).toBe('outsideBasins')
  expect(gaugePlace(plain, { lat: 48.5, lng: 3.001 })).toBe('outsideBasins')
  expect(gaugePlace(plain, { lat: 48, lng: 3 })).toBe('allowed')
  expect(gaugePlace(plain, { lat: 47.999, lng: 2.5 })).toBe('outsideBasins')
  expect(gaugePlace(plain, { lat: 48.5, lng: 1.999 })).toBe('outsideBasins')
})

test('[GAUGE-10] an account with layers also needs the bounds of one of them', () => {
  const own = { ...plain, layers }
  expect(gaugePlace(own, { lat: 48.2, lng: 2.8 })).toBe('allowed')
  expect(gaugePlace(own, { lat: 48.8, lng: 2.2 })).toBe('outsideLayers')
  expect(gaugePlace(own, { lat: 48.2, lng: 3.2 })).toBe('outsideBasins')
  const two = { ...plain, layers: [...layers, box(47, 5)] }
  expect(gaugePlace(two, { lat: 48.2, lng: 2.8 })).toBe('allowed')
  expect(gaugePlace(two, { lat: 46.5, lng: 5.5 })).toBe('allowed')
})

test('bounds go around every polygon; holes lie inside anyway', () => {
  const a = [
    [2, 48],
    [2.5, 48.2],
    [2.1, 49],
  ]
  const b = [
    [1.5, 47],
    [3, 48.5],
    [2, 48.1],
  ]
  const hole = [
    [0, 0],
    [90, 90],
    [0, 90],
  ]
  expect(boundsOfPolygons([[a, hole], [b]])).toEqual({ ul: { lat: 49, lng: 1.5 }, lr: { lat: 47, lng: 3 } })
})
