import { expect, test } from 'vitest'
import { gaugePlace } from './gauge-place.ts'

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
})

test('[GAUGE-10] an account with layers also needs the bounds of one of them', () => {
  const own = { ...plain, layers }
  expect(gaugePlace(own, { lat: 48.2, lng: 2.8 })).toBe('allowed')
  expect(gaugePlace(own, { lat: 48.8, lng: 2.2 })).toBe('outsideLayers')
  expect(gaugePlace(own, { lat: 48.2, lng: 3.2 })).toBe('outsideBasins')
})
