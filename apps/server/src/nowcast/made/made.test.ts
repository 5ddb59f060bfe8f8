import type { RainFrame } from '@radx/motion/field'
import { csi } from '@radx/motion/scores/contingency'
import { addForecast, emptyScores } from '@radx/motion/scores/deterministic'
import { showers } from '@radx/motion/testing/weather'
import { catchmentWeights, decodeRates, RATE_NO_DATA } from '@radx/rainfall'
import { describe, expect, test } from 'vitest'
import { CHANCE_MISSING, countMembers, joinMembers, sumMembers } from './members.ts'
import { makePictures } from './pictures.ts'
import { encodeLevels, LEVEL_MISSING, levelRates } from './rate-levels.ts'

const steps = 64
const shape = { nrows: steps, ncols: steps }
const MINUTES = Array.from({ length: 13 }, (_, k) => 3.5 * k)
const ISSUE = MINUTES[12]
const LEADS = [10, 20]
/** Rain that moves 0.4 cells a minute to the east, and what comes 10 and 20 min later. */
const weather = () => showers(shape, [0.4, 0.1], [...MINUTES, ISSUE + 10, ISSUE + 20], 3)
const made = (frames: RainFrame[]) => makePictures(frames, shape, LEADS, [])

function csiOf(field: Float32Array, seen: Float32Array): number {
  const scores = emptyScores([1], [])
  addForecast(scores, field, seen, new Uint8Array(field.length).fill(1), steps, { row: 0, col: 0, ...shape })
  return csi(scores.tables[0])
}

describe('what frames are too bad for a forecast, and what is left of it', () => {
  test.each([
    ['a single frame', (frames: RainFrame[]) => frames.slice(-1), 'few-frames'],
    [
      'a gap of 20 min before the last',
      (frames: RainFrame[]) => [
        ...frames.slice(0, -1),
        { ...frames[12], timeMs: frames[11].timeMs + 20 * 60_000 },
      ],
      'gap',
    ],
    [
      'all dry',
      (frames: RainFrame[]) => frames.map((f) => ({ ...f, rateMmH: new Float32Array(steps ** 2) })),
      'dry',
    ],
    [
      'all missing',
      (frames: RainFrame[]) =>
        frames.map((f) => ({ ...f, rateMmH: new Float32Array(steps ** 2).fill(Number.NaN) })),
      'missing',
    ],
  ])('%s: none, and why', (_, change, reason) => {
    const { pictures } = made(change(weather().slice(0, 13)))
    expect(pictures).toEqual({ reason, motion: null, leadsMin: [], codes: [], zoneMean: [] })
  })

  test('a sector that drops out of the last frame is missing where its rain would be, and leaves the rest alone', () => {
    const frames = weather()
    const whole = made(frames.slice(0, 13)).pictures
    // The western half of the north: rain from there comes to be east of it.
    for (let row = 0; row < 20; row++) frames[12].rateMmH.fill(Number.NaN, row * steps, row * steps + 20)
    const { reason, codes } = made(frames.slice(0, 13)).pictures
    expect(reason).toBeNull()
    for (let row = 4; row < 20; row++)
      for (let col = 0; col < 20; col++) expect(codes[0][row * steps + col]).toBe(RATE_NO_DATA)
    const south = (field: Uint16Array) => decodeRates(field.slice(32 * steps))
    const [a, b] = [south(codes[0]), south(whole.codes[0])]
    const apart = a.reduce((sum, rate, i) => sum + (rate >= 0 && b[i] >= 0 ? Math.abs(rate - b[i]) : 0), 0)
    const all = b.reduce((sum, rate) => sum + (rate >= 0 ? rate : 0), 0)
    expect(apart).toBeLessThan(0.25 * all)
  })

  test('with one frame in three missing the forecast is nearly as good', () => {
    const frames = weather()
    const [whole, thinned] = [frames.slice(0, 13), frames.slice(0, 13).filter((_, k) => k % 3 !== 1)].map(
      (known) => csiOf(decodeRates(made(known).pictures.codes[1]), frames[14].rateMmH),
    )
    expect(whole).toBeGreaterThan(0.6)
    expect(thinned).toBeGreaterThan(whole - 0.1)
  })
})

test('probabilities and quantiles say the same of the members; zones are missing where a tenth of them is', () => {
  const frames = weather().slice(0, 13)
  const { start } = made(frames)
  if (typeof start === 'string') throw new Error(start)
  const grid = { bounds: { ul: { lat: 49, lng: 2 }, lr: { lat: 48, lng: 3 } }, steps }
  const square = (west: number) =>
    catchmentWeights(grid, {
      type: 'MultiPolygon',
      coordinates: [
        [
          [
            [west, 48.4],
            [west + 0.2, 48.4],
            [west + 0.2, 48.6],
            [west, 48.6],
            [west, 48.4],
          ],
        ],
      ],
    })
  const options = { leadsMin: LEADS, members: 11, seed: 7, kmPerCell: 1 }
  // The second lies where rain comes from: nothing upstream of it was seen.
  const sums = sumMembers(start, options, [square(2.5), square(2.0)])
  const [low, mid, high] = sums.quantiles[1]
  const chance = sums.chances[1][0]
  let some = 0
  for (let i = 0; i < steps ** 2; i++) {
    expect(chance[i] === CHANCE_MISSING).toBe(mid[i] === LEVEL_MISSING)
    if (chance[i] === CHANCE_MISSING) continue
    expect(low[i] <= mid[i] && mid[i] <= high[i]).toBe(true)
    // 3.5 % of 0.4 mm/h lie between two levels.
    if (levelRates[mid[i]] > 0.42) expect(chance[i]).toBeGreaterThanOrEqual(50)
    if (levelRates[mid[i]] < 0.38) expect(chance[i]).toBeLessThanOrEqual(50)
    if (chance[i] > 0 && chance[i] < 100) some++
  }
  expect(some).toBeGreaterThan(50)
  const [inside, edge] = sums.zoneQuantile[1]
  expect(inside[0]! <= inside[1]! && inside[1]! <= inside[2]!).toBe(true)
  expect(edge).toEqual([null, null, null])
  // In two threads they are the same.
  const windows = [{ row: 3, col: 5, nrows: 4, ncols: 6 }]
  const zones = [square(2.5), square(2.0)]
  const parts = (
    [
      [0, 6],
      [6, 11],
    ] as const
  ).map((which) => countMembers(start, options, zones, windows, which))
  expect(joinMembers(parts)).toEqual(sumMembers(start, options, zones, windows))
})

test('a rate comes back from its level within 2 %, dry stays dry and missing missing', () => {
  const rates = Float32Array.from({ length: 2000 }, (_, k) => 0.05 * 6000 ** (k / 1999))
  const levels = new Uint8Array(2000)
  encodeLevels(rates, levels)
  levels.forEach((level, i) => {
    expect(Math.abs(levelRates[level] / rates[i] - 1)).toBeLessThan(0.022)
  })
  encodeLevels(new Float32Array([0, Number.NaN, 1e9, 0.001]), levels)
  expect([...levels.slice(0, 4)]).toEqual([0, LEVEL_MISSING, 254, 0])
})
