import type { PublicSite } from '@radx/contracts/site'
import { expect, test } from 'vitest'
import { radarFacts } from './facts.ts'

test('the prose quotes the radar of the site: 3.19 cm is 9.4 GHz, dpsri has cells of 250 m', () => {
  const site = {
    radar: { name: 'Radar', wavelengthM: 0.0319, beamwidthDeg: 1, altitudeM: 130, rangeKm: 100 },
    products: [
      {
        shortName: 'dpsri',
        bounds: { ul: { lat: 49.29013, lng: 1.899286 }, lr: { lat: 48.390853, lng: 3.2779 } },
        steps: 400,
        frameSeconds: 206,
      },
    ],
    defaultProduct: 'dpsri',
  } as unknown as PublicSite
  expect(radarFacts(site)).toEqual({
    name: 'Radar',
    wavelength: '3,2 cm',
    frequency: '9,4 GHz',
    beamwidth: '1°',
    altitude: '130 m',
    range: '100 km',
    frame: '3 min 26 s',
    cell: '250 m',
    product: 'dpsri',
  })
})
