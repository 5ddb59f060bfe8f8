import { expect, test } from 'vitest'
import type { Sewer } from '../sewer/types.ts'
import type { Surface } from '../surface/surface.ts'
import { waterBalance } from './balance.ts'

const surface = (more = {}) =>
  ({
    volumes: () => ({
      rainM3: 1000,
      interceptedM3: 100,
      infiltratedM3: 200,
      surfaceM3: 300,
      waterM3: 50,
      edgeOutM3: 30,
      addedM3: 0,
      initialM3: 0,
      boundaryInM3: 0,
      takenM3: 0,
      ...more,
    }),
  }) as unknown as Surface

test('what came in is somewhere; what is nowhere is the error', () => {
  expect(waterBalance(60, surface())).toEqual({
    timeS: 60,
    rainM3: 1000,
    initialM3: 0,
    boundaryInM3: 0,
    networkInflowM3: 0,
    interceptedM3: 100,
    infiltratedM3: 200,
    surfaceM3: 300,
    waterM3: 50,
    edgeOutM3: 30,
    sewerM3: 0,
    outfallM3: 0,
    errorM3: 320,
    relativeError: 0.32,
  })
})

test('a sewer brings its own inflows, holds more than at the start, and lets out through outfalls and beds', () => {
  const totals = { initial: 40, stored: 240, inflow: 180, outfall: 90, flooded: 0, loss: 10, error: 0 }
  const sewer = { totals: () => totals } as unknown as Sewer
  // Of the 180 m3 that the sewer got, gullies took 150 from the surface.
  const found = waterBalance(60, surface(), { sewer, takenM3: 150 })
  expect(found).toMatchObject({ networkInflowM3: 30, sewerM3: 200, outfallM3: 100 })
  expect(found.errorM3).toBe(1030 - 680 - 300)
  expect(found.relativeError).toBe(50 / 1030)
})

test('water of the start and of boundaries has come in as rain has', () => {
  const found = waterBalance(60, surface({ initialM3: 50, boundaryInM3: -370 }))
  expect(found).toMatchObject({ initialM3: 50, boundaryInM3: -370, errorM3: 0, relativeError: 0 })
})

test('where nothing came in there is no relative error', () => {
  const found = waterBalance(0, surface({ rainM3: 0 }))
  expect(found.errorM3).toBe(-680)
  expect(found.relativeError).toBe(0)
})
