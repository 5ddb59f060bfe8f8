import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { largestDepths, type SteppedRain } from './depth-duration.ts'

const steps = fc.array(
  fc.record({
    minutes: fc.double({ min: 0.5, max: 40, noNaN: true }),
    rate: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 150, noNaN: true })),
  }),
  { minLength: 1, maxLength: 25 },
)
const rainOf = (list: { minutes: number; rate: number }[], start = 0): SteppedRain => {
  const edgesMin = [start]
  for (const { minutes } of list) edgesMin.push(edgesMin[edgesMin.length - 1] + minutes)
  return { edgesMin, ratesMmH: list.map(({ rate }) => rate) }
}
/** Depth of a window, added up step by step. */
function window({ edgesMin, ratesMmH }: SteppedRain, from: number, to: number): number {
  let mm = 0
  for (let i = 0; i < ratesMmH.length; i++)
    mm += (Math.max(0, Math.min(to, edgesMin[i + 1]) - Math.max(from, edgesMin[i])) * ratesMmH[i]) / 60
  return mm
}

/** The largest of all windows with an edge at their start or end, the best known of equals, then the first. */
function amongAll({ edgesMin, ratesMmH }: SteppedRain, durationMin: number) {
  const n = ratesMmH.length
  const mm = [0]
  const missing = [0]
  for (let i = 0; i < n; i++) {
    const minutes = edgesMin[i + 1] - edgesMin[i]
    const isKnown = !Number.isNaN(ratesMmH[i])
    mm.push(mm[i] + (isKnown ? (ratesMmH[i] * minutes) / 60 : 0))
    missing.push(missing[i] + (isKnown ? 0 : minutes))
  }
  const edges = Array.from(edgesMin)
  const at = (values: number[], minute: number) => {
    const k = edges.findLastIndex((edge) => edge <= minute)
    if (k >= n) return values[n]
    return values[k] + ((values[k + 1] - values[k]) * (minute - edges[k])) / (edges[k + 1] - edges[k])
  }
  const windows = [...edges, ...edges.map((edge) => edge - durationMin)]
    .filter((from) => from >= edges[0] && from <= edges[n] - durationMin)
    .map((fromMin) => {
      const to = Math.min(fromMin + durationMin, edges[n])
      const missingMin = at(missing, to) - at(missing, fromMin)
      return { durationMin, depthMm: at(mm, to) - at(mm, fromMin), fromMin, missingMin }
    })
    .sort((x, y) => y.depthMm - x.depthMm || x.missingMin - y.missingMin || x.fromMin - y.fromMin)
  const [best] = windows
  return { ...best, depthMm: best.missingMin > durationMin - 1e-5 ? Number.NaN : Math.max(0, best.depthMm) }
}

describe('largest depth by duration', () => {
  test('no window of an unequal series holds more, and the one named holds as much', () => {
    fc.assert(
      fc.property(
        steps,
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.double({ min: -500, max: 500, noNaN: true }),
        (list, share, start) => {
          const rain = rainOf(list, start)
          const length = rain.edgesMin[list.length] - start
          const duration = share * length
          const [best] = largestDepths(rain, [duration])
          expect(window(rain, best.fromMin, best.fromMin + duration)).toBeCloseTo(best.depthMm, 6)
          for (let k = 0; k <= 300; k++) {
            const from = start + ((length - duration) * k) / 300
            expect(window(rain, from, from + duration)).toBeLessThanOrEqual(best.depthMm + 1e-6)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('windows that are passed over change nothing: depth, place and what is missing are those of every window', () => {
    const places = fc.array(
      fc.record({
        minutes: fc.constantFrom(3, 3.4, 10),
        rate: fc.oneof(fc.constantFrom(0, 0, 0, 5, 12), fc.constant(Number.NaN)),
      }),
      { minLength: 40, maxLength: 250 },
    )
    fc.assert(
      fc.property(places, fc.constantFrom(6, 10, 30, 60, 120), (list, duration) => {
        const rain = rainOf(list)
        expect(largestDepths(rain, [duration])).toEqual([amongAll(rain, duration)])
      }),
      { numRuns: 200 },
    )
  })

  test('the whole series is the longest duration; longer ones are left out', () => {
    const rain = rainOf([
      { minutes: 3, rate: 20 },
      { minutes: 7, rate: 6 },
    ])
    expect(largestDepths(rain, [3, 10, 10.1, 60])).toEqual([
      { durationMin: 3, depthMm: 1, fromMin: 0, missingMin: 0 },
      { durationMin: 10, depthMm: expect.closeTo(1.7, 10), fromMin: 0, missingMin: 0 },
    ])
  })

  test('missing minutes are told, not taken for dry ones', () => {
    const rain = { edgesMin: [0, 5, 10, 15], ratesMmH: [12, Number.NaN, 24] }
    expect(largestDepths(rain, [15])).toEqual([
      { durationMin: 15, depthMm: expect.closeTo(3, 10), fromMin: 0, missingMin: 5 },
    ])
  })

  test('where nothing is known there is no depth; a dry window that is known comes before one that is not', () => {
    const unknown = { edgesMin: [0, 5, 10], ratesMmH: [Number.NaN, Number.NaN] }
    expect(largestDepths(unknown, [5, 10])).toEqual([
      { durationMin: 5, depthMm: Number.NaN, fromMin: 0, missingMin: 5 },
      { durationMin: 10, depthMm: Number.NaN, fromMin: 0, missingMin: 10 },
    ])
    expect(largestDepths({ edgesMin: [0, 5, 10], ratesMmH: [Number.NaN, 0] }, [5, 10])).toEqual([
      { durationMin: 5, depthMm: 0, fromMin: 5, missingMin: 0 },
      { durationMin: 10, depthMm: 0, fromMin: 0, missingMin: 5 },
    ])
  })
})
