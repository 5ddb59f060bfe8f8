import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Accumulation } from './accumulation.ts'
import { cumulate, expectedFrames, representativeness } from './hyetogram.ts'
import { RATE_NO_DATA } from './rates.ts'

const s = 1000

describe('what a frame stands for', () => {
  test('regular frames share the selection between them without a gap', () => {
    const times = [0, 206, 412, 618].map((t) => t * s)
    const r = representativeness(times, { startMs: 0, endMs: 824 * s })
    expect([...r.seconds]).toEqual([103, 206, 206, 309])
    expect(r.gaps).toEqual([])
    expect(r.missingSeconds).toBe(0)
  })

  test('one missing frame is bridged by its neighbours, two leave a gap', () => {
    const one = representativeness([206 * s, 618 * s], { startMs: 103 * s, endMs: 721 * s })
    expect([...one.seconds]).toEqual([309, 309])
    expect(one.missingSeconds).toBe(0)
    const two = representativeness([206 * s, 824 * s], { startMs: 103 * s, endMs: 927 * s })
    expect([...two.seconds]).toEqual([309, 309])
    expect(two.gaps).toEqual([{ startMs: 412 * s, endMs: 618 * s }])
    expect(two.missingSeconds).toBe(206)
  })

  test('no frame stands for more than twice the nominal step, and a selection without frames is one gap', () => {
    const alone = representativeness([5000 * s], { startMs: 0, endMs: 10_000 * s })
    expect([...alone.seconds]).toEqual([412])
    expect(alone.gaps).toHaveLength(2)
    const none = representativeness([], { startMs: 0, endMs: 60 * s })
    expect(none.gaps).toEqual([{ startMs: 0, endMs: 60 * s }])
  })

  test('expected frames of a selection that does not begin at the epoch', () => {
    expect(expectedFrames({ startMs: 5_000 * s, endMs: (5_000 + 2_060) * s })).toBe(10)
    expect(expectedFrames({ startMs: 5_000 * s, endMs: 5_600 * s }, 60)).toBe(10)
  })

  test('a frame just before the selection covers none of what is after it', () => {
    const r = representativeness([-1000 * s, 500 * s], { startMs: 0, endMs: 600 * s })
    expect([...r.seconds]).toEqual([0, 306])
    expect(r.gaps).toEqual([{ startMs: 0, endMs: 294 * s }])
    const after = representativeness([100 * s, 2000 * s], { startMs: 0, endMs: 600 * s })
    expect([...after.seconds]).toEqual([306, 0])
    expect(after.gaps).toEqual([{ startMs: 306 * s, endMs: 600 * s }])
  })

  test('a frame of another size is no part of a sum', () => {
    expect(() => new Accumulation(4).add(new Uint16Array(5), 1)).toThrow('frame of another size')
  })

  test('a map of less than a second keeps what it has', () => {
    const acc = new Accumulation(2)
    acc.add(Uint16Array.of(3600, RATE_NO_DATA), 0.4)
    const { depthMm, seconds } = acc.result()
    expect(depthMm[0]).toBeCloseTo(0.004, 6)
    expect(seconds[0]).toBeCloseTo(0.4, 6)
    expect(depthMm[1]).toBeNaN()
    expect(seconds[1]).toBe(0)
  })

  test('frames and gaps fill the selection exactly, whatever the times', () => {
    const steps = fc.array(fc.integer({ min: 1, max: 1500 }), { maxLength: 40 })
    fc.assert(
      fc.property(steps, fc.nat(3000), fc.nat(20_000), (gapsS, start, length) => {
        let at = 0
        const times = gapsS.map((step) => {
          at += step
          return at * s
        })
        const r = representativeness(times, { startMs: start * s, endMs: (start + length) * s })
        const covered = r.seconds.reduce((a, b) => a + b, 0)
        expect(covered + r.missingSeconds).toBeCloseTo(length, 6)
        expect(Math.max(0, ...r.seconds)).toBeLessThanOrEqual(412)
      }),
    )
  })

  test('times that do not ascend and reversed selections are refused', () => {
    expect(() => representativeness([5, 5], { startMs: 0, endMs: 10 })).toThrow(RangeError)
    expect(() => representativeness([], { startMs: 10, endMs: 0 })).toThrow(RangeError)
  })
})

describe('cumul', () => {
  test('[ANA-61] ten millimetres an hour for an hour is ten millimetres', () => {
    const times = Array.from({ length: 18 }, (_, i) => (i + 0.5) * 200 * s)
    const time = representativeness(times, { startMs: 0, endMs: 3600 * s })
    const c = cumulate(new Array(18).fill(10), time)
    expect(c.totalMm).toBeCloseTo(10, 9)
    expect(c.runningMm).toHaveLength(18)
    expect(c.missingSeconds).toBe(0)
  })

  test('a frame without value is missing time, not dry time', () => {
    const time = representativeness([103 * s, 309 * s], { startMs: 0, endMs: 412 * s })
    const c = cumulate([null, 3.6], time)
    expect(c.totalMm).toBeCloseTo(0.206, 9)
    expect(c.missingSeconds).toBe(206)
  })

  test('cumuls of adjoining selections add up when frames on both sides are known', () => {
    const frames = fc.array(
      fc.record({
        step: fc.integer({ min: 1, max: 900 }),
        rate: fc.double({ min: 0, max: 90, noNaN: true }),
      }),
      { minLength: 1, maxLength: 30 },
    )
    fc.assert(
      fc.property(frames, fc.nat(9000), fc.nat(9000), fc.nat(9000), (list, a, b, c) => {
        let at = 0
        const times = list.map(({ step }) => {
          at += step
          return at * s
        })
        const rates = list.map(({ rate }) => rate)
        const of = (startS: number, endS: number) =>
          cumulate(rates, representativeness(times, { startMs: startS * s, endMs: endS * s }))
        const [left, middle, right] = [of(a, a + b), of(a + b, a + b + c), of(a, a + b + c)]
        expect(left.totalMm + middle.totalMm).toBeCloseTo(right.totalMm, 9)
        expect(left.missingSeconds + middle.missingSeconds).toBeCloseTo(right.missingSeconds, 6)
      }),
    )
  })

  test('the accumulation map of fields agrees with the series of each cell', () => {
    const code = fc.oneof(fc.constant(0), fc.constant(RATE_NO_DATA), fc.nat(9000))
    const fields = fc.array(fc.array(code, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(fields, (list) => {
        const times = list.map((_, i) => i * 206 * s)
        const time = representativeness(times, { startMs: 0, endMs: list.length * 206 * s })
        const acc = new Accumulation(4)
        list.forEach((codes, i) => {
          acc.add(Uint16Array.from(codes), time.seconds[i])
        })
        const map = acc.result()
        for (let cell = 0; cell < 4; cell++) {
          const rates = list.map((codes) => (codes[cell] === RATE_NO_DATA ? null : codes[cell] / 100))
          const series = cumulate(rates, time)
          const had = map.totalSeconds - series.missingSeconds
          expect(map.seconds[cell]).toBeCloseTo(had, 1)
          if (had > 1) expect(map.depthMm[cell]).toBeCloseTo(series.totalMm, 3)
          else expect(map.depthMm[cell]).toBeNaN()
        }
      }),
    )
  })

  test('dry frames count as time with data', () => {
    const acc = new Accumulation(2)
    acc.addDry(1800)
    acc.add(Uint16Array.from([200, RATE_NO_DATA]), 1800)
    const { depthMm, seconds } = acc.result()
    expect([...depthMm]).toEqual([1, 0])
    expect([...seconds]).toEqual([3600, 1800])
  })

  test('a day holds 419 frames of 206 s', () => {
    expect(expectedFrames({ startMs: 0, endMs: 86_400 * s })).toBe(419)
  })
})
