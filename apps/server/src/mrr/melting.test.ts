import { expect, test } from 'vitest'
import { encodeProfiles } from './hour-encoder.ts'
import { meltingLayer } from './melting.ts'

const heightsM = Float32Array.from({ length: 128 }, (_, k) => (k + 1) * 35)

/** Rain below a height, snow above it, wet flakes between; m/s and dBZ. */
function profile(meltingM: number, changes: { rainMS?: number; brightDb?: number; topM?: number } = {}) {
  const { rainMS = 6, brightDb = 6, topM = 4000 } = changes
  const of = (value: (h: number) => number) =>
    Float32Array.from(heightsM, (h) => (h > topM ? Number.NaN : value(h)))
  const snow = (h: number) => 1 / (1 + Math.exp((meltingM - h) / 60))
  return {
    heightsM: Array.from(heightsM),
    values: {
      LWC: of(() => 0.1),
      VEL: of((h) => rainMS + (1.5 - rainMS) * snow(h)),
      Ze: of((h) => 25 - 4 * snow(h) + brightDb * Math.exp(-(((h - meltingM) / 120) ** 2))),
    },
  }
}

test.each([800, 1500, 2600])('a layer at %i m is found there', (meltingM) => {
  const found = meltingLayer(profile(meltingM))!
  expect(found.bottomM).toBeLessThan(meltingM)
  expect(found.topM).toBeGreaterThan(meltingM)
  expect(found.topM - found.bottomM).toBeLessThan(500)
})

test('a layer reaches down to where the echo is that of the rain below', () => {
  const { heightsM: heights, values } = profile(1500)
  const bright = Float32Array.from(heights, (h) => (h > 4000 ? Number.NaN : h > 1250 && h < 1600 ? 33 : 25))
  const found = meltingLayer({ heightsM: heights, values: { ...values, Ze: bright } })!
  expect(found.bottomM).toBeGreaterThanOrEqual(1250)
  expect(found.bottomM).toBeLessThan(1300)
})

test('no layer without fast rain below, without a bright band, or where nothing is seen above', () => {
  expect(meltingLayer(profile(1500, { rainMS: 2.5 }))).toBeNull()
  expect(meltingLayer(profile(1500, { brightDb: -4, rainMS: 6 }))).toBeNull()
  expect(meltingLayer(profile(1500, { topM: 1400 }))).toBeNull()
  const { heightsM: heights, values } = profile(1500)
  expect(meltingLayer({ heightsM: heights, values: { LWC: values.LWC } })).toBeNull()
})

test('water in the melting layer counts for the maximum of all, not for that of the rain', () => {
  const { heightsM: heights, values } = profile(1500)
  const layer = meltingLayer({ heightsM: heights, values })!
  const start = Date.parse('2027-01-05T10:00:00Z')
  const profiles = 31
  const many = (of: Float32Array) => {
    const all = new Float32Array(profiles * of.length)
    for (let i = 0; i < profiles; i++) all.set(of, i * of.length)
    return all
  }
  const LWC = Float32Array.from(heights, (h) =>
    h < layer.bottomM ? 0.25 : h <= layer.topM ? 2.5 : h < 3000 ? 0.125 : Number.NaN,
  )
  const found = (variables: Partial<Record<'VEL' | 'Ze', Float32Array>>) => {
    const [hour] = encodeProfiles({
      timesMs: Array.from({ length: profiles }, (_, i) => start + i * 10_000),
      heightsM: heights,
      variables: { LWC: many(LWC), ...variables },
    })
    return { all: [...hour.maxima.all.values()], rain: [...hour.maxima.rain.values()] }
  }
  expect(found({ VEL: many(values.VEL), Ze: many(values.Ze) })).toEqual({
    all: [2.5, 2.5],
    rain: [0.25, 0.25],
  })
  // Without the speeds nobody can tell.
  expect(found({})).toEqual({ all: [2.5, 2.5], rain: [2.5, 2.5] })
})
