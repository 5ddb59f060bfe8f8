import { describe, expect, test } from 'vitest'
import { BIN_MS, gaugeBins, risesOf, usualInterval } from './bins.ts'
import { type CheckedGauge, gaugeFaults } from './checks.ts'
import { doubleMass, pairedSteps, rainSpells, wetScores } from './compare.ts'

const STEPS = 144
const dry = () => new Float64Array(STEPS)
const rain = (from: number, to: number, mm: number) =>
  dry().map((_, i) => (i >= from && i < to ? mm + (i % 2) * 0.1 * mm : 0))
const check = (change: Partial<CheckedGauge>) =>
  gaugeFaults({ mm: dry(), radar: dry(), radarMost: dry(), neighbours: [dry()], ...change })

describe('checks of a gauge', () => {
  test('a gauge without fault has none, wet or dry', () => {
    const wet = rain(20, 80, 0.4)
    expect(check({ mm: wet, radar: wet, radarMost: wet, neighbours: [wet] })).toEqual([])
    expect(check({})).toEqual([])
  })

  test('equal rain for an hour is a gauge that is stuck, unless its readings are that long', () => {
    const mm = dry().fill(0.4, 30, 42)
    expect(check({ mm, radar: mm, radarMost: mm })).toEqual([{ fault: 'stuck', from: 30, to: 42 }])
    expect(check({ mm, radar: mm, radarMost: mm, readingSteps: 12 })).toEqual([])
    expect(check({ mm: mm.with(35, 0.5), radar: mm, radarMost: mm })).toEqual([])
  })

  test('more than any gauge ever had in five minutes is impossible', () => {
    const radar = rain(10, 40, 1)
    expect(check({ mm: radar.with(20, 45), radar, radarMost: radar })).toEqual([
      { fault: 'impossible', from: 20, to: 21 },
    ])
  })

  test('dry while radar and neighbours have rain is clogged; with the radar alone it is not known', () => {
    const wet = rain(36, 90, 0.3)
    const found = check({ radar: wet, radarMost: wet, neighbours: [wet, wet, dry()] })
    expect(found).toMatchObject([{ fault: 'clogged' }])
    // From the first to the last rain that it missed.
    expect(found).toEqual([{ fault: 'clogged', from: 36, to: 90 }])
    expect(check({ radar: wet, radarMost: wet, neighbours: [] })).toEqual([])
    expect(check({ radar: wet, radarMost: wet, neighbours: [dry(), dry(), wet] })).toEqual([])
  })

  test('light rain over a day shows a gauge that says nothing; one that tips is left alone, and so are its tips before', () => {
    const long = (mm: number) => new Float64Array(288).map((_, i) => (i >= 20 && i < 250 ? mm : 0))
    const drizzle = long(0.01)
    const silent = (mm: Float64Array) =>
      check({ mm, radar: drizzle, radarMost: drizzle, neighbours: [drizzle, drizzle] })
    expect(silent(new Float64Array(288))).toEqual([{ fault: 'clogged', from: 20, to: 250 }])
    const tips = new Float64Array(288).map((_, i) => (i % 24 === 5 ? 0.2 : 0))
    expect(silent(tips)).toEqual([])
    const stops = new Float64Array(288).map((_, i) => (i === 30 ? 0.2 : 0))
    const heavy = long(0.05)
    expect(check({ mm: stops, radar: heavy, radarMost: heavy, neighbours: [heavy] })).toEqual([
      { fault: 'clogged', from: 31, to: 250 },
    ])
  })

  test('a spike is impossible and no cleaning besides', () => {
    expect(check({ mm: dry().with(50, 45) })).toEqual([{ fault: 'impossible', from: 50, to: 51 }])
  })

  test('tips in dry weather are those of a cleaning', () => {
    const mm = dry().with(50, 2.4)
    expect(check({ mm })).toEqual([{ fault: 'cleaning', from: 50, to: 53 }])
    expect(check({ mm, radarMost: dry().with(52, 0.5) })).toEqual([])
    // A radar that saw nothing of the gauge tells of no dry weather.
    expect(check({ mm, radar: dry().fill(Number.NaN) })).toEqual([])
  })
})

describe('steps of gauges and radar', () => {
  const span = { startMs: 0, endMs: STEPS * BIN_MS }

  test('readings end at their time and last as usual, gaps stay unknown', () => {
    const times = [1, 2, 3, 7].map((k) => k * BIN_MS)
    const bins = gaugeBins(times, [1, 2, Number.NaN, 4], span)
    expect([...bins.subarray(0, 7)]).toEqual([1, 2, NaN, NaN, NaN, NaN, 4])
    const quarter = gaugeBins([3 * BIN_MS, 6 * BIN_MS], [3, 6], span)
    expect([...quarter.subarray(0, 7)]).toEqual([1, 1, 1, 2, 2, 2, NaN])
  })

  test('totals become rises, none over a fall or a gap', () => {
    const times = [0, 1, 2, 3, 20].map((k) => k * BIN_MS)
    expect([...risesOf(times, [5, 6, 2, 2.5, 9])]).toEqual([NaN, 1, NaN, 0.5, NaN])
  })

  test('steps join on multiples of their length', () => {
    const gauge = Float64Array.from([9, 1, 2, 3, 4, NaN, 5])
    const zero = gauge.map(() => 0)
    const { startMs, gauge: joined } = pairedSteps({ gauge, radar: zero }, 2 * BIN_MS, 3)
    expect(startMs).toBe(3 * BIN_MS)
    expect([...joined]).toEqual([6, NaN])
  })

  test('the usual interval is the median of the gaps, whether one of them is usual or none', () => {
    const times = (gaps: number[]) =>
      [0, ...gaps].map((_, k) => gaps.slice(0, k).reduce((sum, gap) => sum + gap, 0))
    expect(usualInterval(times([5, 5, 7, 5, 9]))).toBe(5)
    expect(usualInterval(times([1, 5, 7, 3, 9]))).toBe(5)
    expect(usualInterval(times([5, 7, 5, 7]))).toBe(7)
    expect(usualInterval([3])).toBe(BIN_MS)
  })

  test('only what both know is compared', () => {
    const gauge = rain(10, 40, 1)
    const radar = gauge.map((v) => v / 2).with(12, Number.NaN)
    const beside = { gauge, radar, low: radar, high: radar }
    const steps = pairedSteps(beside, 0, 1)
    expect(steps.gauge[12]).toBeNaN()
    expect(wetScores([steps])).toMatchObject({
      pairs: 29,
      ratioOfSums: expect.closeTo(2, 12),
      biasPct: expect.closeTo(-50, 9),
    })
    const mass = doubleMass(beside, 10)
    expect(mass).toHaveLength(10)
    expect(mass.at(-1)![1] / mass.at(-1)![0]).toBeCloseTo(2, 9)
    expect(rainSpells([beside])).toEqual([{ from: 10, to: 40 }])
  })
})
