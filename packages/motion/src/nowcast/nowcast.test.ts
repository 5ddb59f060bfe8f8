import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RainFrame } from '../field.ts'
import { showers, withMissing } from '../testing/weather.ts'
import { ratesOf } from './decibels.ts'
import { distributionOf, matchDecibels, matchDistribution } from './match.ts'
import { forecastLk, forecastSprog } from './sprog.ts'
import { type NowcastStart, startNowcast } from './start.ts'
import { forecastSteps } from './steps.ts'

const kernel = join(import.meta.dirname, '../../build/fft.wasm')
const wasm = existsSync(kernel) ? readFileSync(kernel) : undefined
const shape = { nrows: 120, ncols: 128 }
const leads = [5, 15, 30]

const started = (frames: RainFrame[]): NowcastStart => {
  const start = startNowcast(frames, shape)
  if (typeof start === 'string') throw new Error(start)
  return start
}
const differences = (a: Float32Array, b: Float32Array) => {
  let [sum, n] = [0, 0]
  for (let i = 0; i < a.length; i++)
    if (a[i] >= 0 && b[i] >= 0) {
      sum += Math.abs(a[i] - b[i])
      n++
    }
  return sum / n
}

describe('forecast', () => {
  test('rain that only moves is met by Lucas-Kanade ten times as well as by standing still', () => {
    const frames = showers(shape, [0.9, -0.6], [0, 5, 10, 15, 25, 40], 4)
    const fields = forecastLk(started(frames.slice(0, 3)), leads)
    for (const [k, field] of fields.entries())
      expect(differences(field, frames[3 + k].rateMmH)).toBeLessThan(
        differences(frames[2].rateMmH, frames[3 + k].rateMmH) / 10,
      )
  })

  test('frames that do not come evenly forecast as well', () => {
    const frames = showers(shape, [0.9, -0.6], [0, 3.4, 10, 25], 4)
    const [field] = forecastLk(started(frames.slice(0, 3)), [15])
    expect(differences(field, frames[3].rateMmH)).toBeLessThan(
      differences(frames[2].rateMmH, frames[3].rateMmH) / 10,
    )
  })

  test('S-PROG keeps the wet share and the rates of the last frame, and is missing where nothing upstream was seen', () => {
    const frames = withMissing(showers(shape, [0.9, 0.1], [0, 5, 10], 4), shape, (_, col) => col < 20)
    const start = started(frames)
    const lk = forecastLk(start, leads)
    forecastSprog(start, leads, { wasm }).forEach((field, k) => {
      field.forEach((rate, i) => {
        expect(Number.isNaN(rate)).toBe(Number.isNaN(lk[k][i]))
      })
      expect(Math.max(...field.filter((rate) => rate >= 0))).toBeLessThanOrEqual(
        Math.max(...frames[2].rateMmH.filter((rate) => rate >= 0)),
      )
    })
  })

  test('S-PROG with trend leaves showers their heavy rain beside widespread rain', () => {
    // Showers in the east; in the west a wide band that keeps the higher ranks of a smoothed field.
    const frames = showers(shape, [0.6, 0], [0, 5, 10], 4)
    for (const { rateMmH, timeMs } of frames)
      for (let row = 0; row < 120; row++)
        for (let col = 0; col < 50; col++)
          rateMmH[row * 128 + col] = 8 * Math.exp(-(((col - 15 - timeMs / 100_000) / 14) ** 2))
    const start = started(frames)
    const heavy = (field: Float32Array) =>
      field.reduce((sum, rate, i) => sum + (rate >= 3 && i % 128 >= 64 && i % 128 < 112 ? 1 : 0), 0)
    const [, lk] = forecastLk(start, [15, 30])
    const [, sprog] = forecastSprog(start, [15, 30], { wasm, trend: true })
    expect(heavy(lk)).toBeGreaterThan(50)
    expect(heavy(sprog) / heavy(lk)).toBeGreaterThan(0.6)
    expect(heavy(sprog) / heavy(lk)).toBeLessThan(1.4)
  })

  test('rain that has been shrinking for half an hour goes on shrinking, more slowly than it did', () => {
    const frames = showers(shape, [0.6, 0.2], [0, 10, 20, 25, 30], 4)
    for (const { rateMmH, timeMs } of frames)
      for (let i = 0; i < rateMmH.length; i++) rateMmH[i] *= 0.4 ** (timeMs / 1_800_000)
    const wet = (field: Float32Array) => field.reduce((sum, rate) => sum + (rate >= 1 ? 1 : 0), 0)
    const share = (start: NowcastStart) =>
      wet(forecastSprog(start, [30], { wasm, trend: true })[0]) / wet(forecastLk(start, [30])[0])
    expect(share(started(frames))).toBeLessThan(0.85)
    expect(share(started(frames))).toBeGreaterThan(0.3)
    expect(share(started(showers(shape, [0.6, 0.2], [0, 10, 20, 25, 30], 4)))).toBeGreaterThan(0.85)
  })

  test('a lull of heavy rain does not last: its share of moderate rain comes back to that of the hour', () => {
    const frames = showers(shape, [0, 0], [0, 15, 30, 45, 55, 60], 4)
    const peak = frames[0].rateMmH.reduce((most, rate) => Math.max(most, rate), 0)
    for (const [k, { rateMmH }] of frames.entries())
      for (let i = 0; i < rateMmH.length; i++) {
        // Peaks of 40 mm/h, and in the last quarter of an hour of 16: with as much moderate rain.
        const share = rateMmH[i] / peak
        rateMmH[i] = share < 0.1 ? 10 * share : 1 + (share - 0.1) * (k < 4 ? 40 : 16)
      }
    const heavy = (field: Float32Array) => field.reduce((sum, rate) => sum + (rate >= 5 ? 1 : 0), 0)
    const [soon, late] = forecastSprog(started(frames), [5, 60], { wasm, trend: true }).map(heavy)
    const [now, before] = [frames[5], frames[0]].map(({ rateMmH }) => heavy(rateMmH))
    expect(before).toBeGreaterThan(1.3 * now)
    expect(late).toBeGreaterThan(1.05 * soon)
    expect(late).toBeLessThan(1.2 * before)
  })

  test('as published, S-PROG has at every lead the rates of the last frame, whatever the trend was', () => {
    // Still rain, so that nothing leaves the grid.
    const frames = showers(shape, [0, 0], [0, 10, 20, 25, 30], 4)
    for (const { rateMmH, timeMs } of frames)
      for (let i = 0; i < rateMmH.length; i++) rateMmH[i] *= 0.4 ** (timeMs / 1_800_000)
    const above = (field: Float32Array, rate: number) =>
      field.reduce((sum, value) => sum + (value >= rate ? 1 : 0), 0)
    for (const field of forecastSprog(started(frames), leads, { wasm }))
      for (const rate of [0.1, 1, 3]) {
        const last = above(frames[4].rateMmH, rate)
        expect(Math.abs(above(field, rate) - last)).toBeLessThan(0.1 * last + 20)
      }
  })

  test('the compiled transform and the reference forecast the same', () => {
    const start = started(showers(shape, [0.9, 0.1], [0, 5, 10], 9))
    const [slow, fast] = [forecastSprog(start, leads), forecastSprog(start, leads, { wasm })]
    for (const k of leads.keys()) expect(differences(slow[k], fast[k])).toBeLessThan(1e-3)
  })

  test('an ensemble follows from its seed, and more members leave the first ones as they are', () => {
    const start = started(showers(shape, [0.9, 0.1], [0, 5, 10], 9))
    const run = (members: number, seed: number) => {
      const out: Float32Array[] = []
      forecastSteps(start, { leadsMin: leads, members, seed, kmPerCell: 1, wasm }, (member, lead, rates) => {
        out[member * leads.length + lead] = rates
      })
      return out
    }
    const three = run(3, 7)
    expect(three).toHaveLength(9)
    expect(run(2, 7)).toEqual(three.slice(0, 6))
    expect(run(2, 8)[0]).not.toEqual(three[0])
    expect(differences(three[2], three[5])).toBeGreaterThan(differences(three[0], three[3]))
  })
})

describe('no forecast', () => {
  const frames = () => showers(shape, [1, 0], [0, 5, 10], 2)
  const of = (list: RainFrame[]) => startNowcast(list, shape)

  test('from one frame, a gap, no data, no rain', () => {
    expect(of([])).toBe('few-frames')
    expect(of(frames().slice(2))).toBe('few-frames')
    const late = frames()
    late[2].timeMs += 20 * 60_000
    expect(of(late)).toBe('gap')
    const gone = frames()
    gone[2].rateMmH.fill(Number.NaN)
    expect(of(gone)).toBe('missing')
    const dry = frames()
    dry[2].rateMmH.fill(0)
    expect(of(dry)).toBe('dry')
  })

  test('a frame without measures bridges no gap', () => {
    const from = (...minutes: number[]) => {
      const list = showers(shape, [0.5, 0], minutes, 2)
      list[1].rateMmH.fill(Number.NaN)
      return of(list)
    }
    expect(from(0, 10, 20)).toBe('gap')
    expect((from(0, 7, 14) as NowcastStart).frames.map(({ timeMs }) => timeMs / 60_000)).toEqual([0, 14])
    // Nor does one in the hour before, for the trend.
    const { earlier, hour } = from(0, 10, 20, 25, 30) as NowcastStart
    expect([earlier, ...hour].map((frame) => frame!.timeMs / 60_000)).not.toContain(0)
  })

  test('a gap before the last two frames leaves those two', () => {
    const late = showers(shape, [1, 0], [0, 25, 30], 2)
    expect((of(late) as NowcastStart).frames).toHaveLength(2)
  })
})

describe('distribution', () => {
  test('values get the rates of a distribution by rank; what is missing stays so', () => {
    const rates = Float32Array.of(0, 0, 3, 1, 0, 9, 0, 0)
    const known = new Uint8Array(8).fill(1)
    const values = Float32Array.of(-1, 8, 2, 3, 7, -5, 1, Number.NaN)
    known[7] = 0
    const out = matchDistribution(values, known, distributionOf(rates.subarray(0, 7)))
    expect([...out.subarray(0, 7)]).toEqual([0, 9, 0, 1, 3, 0, 0])
    expect(out[7]).toBeNaN()
    expect([...ratesOf(matchDecibels(values, known, distributionOf(rates.subarray(0, 7))))]).toEqual(
      [...out].map((rate) => (rate > 0 ? expect.closeTo(rate, 4) : rate)),
    )
  })

  test('where half of the area above each rate is left, half of the cells have it, and in decibels as in mm/h', () => {
    const [{ rateMmH }] = showers(shape, [0, 0], [0], 7)
    const known = new Uint8Array(rateMmH.length).fill(1)
    const to = distributionOf(rateMmH)
    const blocks = { across: 1, down: 1, size: 128 }
    const shares = {
      ...blocks,
      leadMin: 30,
      whole: [0.5, 0.5, 0.5],
      local: [0, 1, 2].map(() => Float32Array.of(0.5)),
    }
    const rates = matchDistribution(rateMmH, known, to, { shares, shape })
    const above = (field: Float32Array, rate: number) =>
      field.reduce((sum, value) => sum + (value >= rate ? 1 : 0), 0)
    for (const rate of [0.2, 1, 5]) expect(above(rates, rate) / above(rateMmH, rate)).toBeCloseTo(0.5, 1)
    const decibels = ratesOf(matchDecibels(rateMmH, known, to, { shares, shape }))
    for (let i = 0; i < rates.length; i++)
      expect(Math.abs(decibels[i] - rates[i])).toBeLessThan(1e-4 * rates[i] + 1e-9)
  })
})
