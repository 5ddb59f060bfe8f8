import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AlertState, type Change, type Limits, run, type Sample, startState, tick } from './machine.ts'
import { crossingFr } from './words.ts'

const MINUTE = 60_000
const limitsOf = fc
  .record({
    threshold: fc.integer({ min: 1, max: 10 }),
    below: fc.integer({ min: 0, max: 5 }),
    minMin: fc.integer({ min: 0, max: 20 }),
  })
  .map(
    ({ threshold, below, minMin }): Limits => ({
      threshold,
      clear: Math.max(0.5, threshold - below),
      minMs: minMin * MINUTE,
      blindMs: 20 * MINUTE,
    }),
  )
const values = fc.array(fc.option(fc.integer({ min: 0, max: 12 }), { freq: 6 }), { maxLength: 60 })
const samplesOf = (all: readonly (number | null)[]): Sample[] =>
  all.map((value, k) => ({ timeMs: (k + 1) * 3 * MINUTE, value }))
const of = (what: Change['what'], changes: readonly Change[]) => changes.filter((c) => c.what === what)
const crossings = (changes: readonly Change[]) =>
  changes.filter(({ what }) => what === 'raised' || what === 'ended')

/** Another way to say what alerts there are, over known values alone. */
function expected(samples: readonly Sample[], { threshold, clear, minMs }: Limits): number[] {
  const known = samples.filter(({ value }) => value !== null)
  const starts: number[] = []
  for (let k = 0; k < known.length; ) {
    if (known[k].value! < threshold) {
      k++
      continue
    }
    let end = k
    while (
      end < known.length &&
      known[end].value! >= threshold &&
      known[end].timeMs - known[k].timeMs < minMs
    )
      end++
    if (end === known.length || known[end].value! < threshold) {
      k = end
      continue
    }
    starts.push(known[k].timeMs)
    while (end < known.length && known[end].value! >= clear) end++
    k = end
  }
  return starts
}

describe('the course of a rule', () => {
  test('each crossing is told once, at its first moment over the threshold', () => {
    fc.assert(
      fc.property(values, limitsOf, (all, limits) => {
        const samples = samplesOf(all)
        const { changes } = run(startState(0), samples, limits)
        expect(of('raised', changes).map(({ crossingMs }) => crossingMs)).toEqual(expected(samples, limits))
        // An end follows each but the last.
        const order = crossings(changes).map(({ what }) => what)
        expect(order.every((what, k) => what === (k % 2 === 0 ? 'raised' : 'ended'))).toBe(true)
      }),
    )
  })

  test('what is gone over twice, or in pieces, tells the same once', () => {
    fc.assert(
      fc.property(values, limitsOf, fc.nat(60), fc.nat(60), (all, limits, cut, back) => {
        const samples = samplesOf(all)
        const whole = run(startState(0), samples, limits)
        const first = run(startState(0), samples.slice(0, cut), limits)
        const kept = JSON.parse(JSON.stringify(first.state)) as AlertState
        const second = run(kept, samples.slice(Math.max(0, cut - back)), limits)
        expect([...first.changes, ...second.changes]).toEqual(whole.changes)
        expect(second.state).toEqual(whole.state)
      }),
    )
  })

  test('what is missing is never dry: it raises, ends and delays nothing', () => {
    fc.assert(
      fc.property(values, limitsOf, fc.array(fc.nat(58), { maxLength: 20 }), (all, limits, gaps) => {
        const samples = samplesOf(all).filter(({ value }) => value !== null)
        const holes = gaps.map((k) => ({ timeMs: (k + 1) * 3 * MINUTE + MINUTE, value: null, atLeast: 0 }))
        const mixed = [...samples, ...holes].sort((a, b) => a.timeMs - b.timeMs)
        const [without, withHoles] = [samples, mixed].map((some) => run(startState(0), some, limits))
        expect(crossings(withHoles.changes)).toEqual(crossings(without.changes))
      }),
    )
  })

  test('a rule without values for too long says so once, and once that it sees again', () => {
    fc.assert(
      fc.property(values, limitsOf, fc.array(fc.nat(200), { maxLength: 30 }), (all, limits, looks) => {
        const samples = samplesOf(all)
        const { changes } = run(startState(0), samples, limits)
        const blind = of('blind', changes)
        expect(new Set(blind.map(({ crossingMs }) => crossingMs)).size).toBe(blind.length)
        expect(of('seeing', changes).length).toBeGreaterThanOrEqual(blind.length - 1)
        // Looking at the clock in between finds the same.
        const events = [
          ...samples.map((sample) => ({ atMs: sample.timeMs, sample: sample as Sample | null })),
          ...looks.map((k) => ({ atMs: k * MINUTE, sample: null })),
        ].sort((a, b) => a.atMs - b.atMs)
        let state = startState(0)
        const found: Change[] = []
        for (const { atMs, sample } of events) {
          if (atMs > 3 * MINUTE * all.length) break
          const next = sample ? run(state, [sample], limits) : null
          const [ticked, told] = next ? [next.state, next.changes] : tick(state, atMs, limits)
          state = ticked
          found.push(...told)
        }
        expect(of('seeing', found)).toEqual(of('seeing', changes))
        expect(of('blind', found).filter(({ atMs }) => atMs <= (samples.at(-1)?.timeMs ?? 0))).toEqual(blind)
      }),
    )
  })

  test('a bound over the threshold is enough to tell, one below it says nothing', () => {
    const limits = { threshold: 5, clear: 3, minMs: 0, blindMs: null }
    const told = run(startState(0), [{ timeMs: 1, value: null, atLeast: 6 }], limits)
    expect(told.changes).toEqual([{ what: 'raised', crossingMs: 1, atMs: 1, value: 6 }])
    expect(run(told.state, [{ timeMs: 2, value: null, atLeast: 1 }], limits).changes).toEqual([])
  })

  test('between its two thresholds an alert goes on, and none begins', () => {
    const limits = { threshold: 5, clear: 3, minMs: 0, blindMs: null }
    const samples = [4, 5, 4, 3, 5, 2, 4, 5].map((value, k) => ({ timeMs: k + 1, value }))
    const { changes } = run(startState(0), samples, limits)
    expect(changes.map(({ what, atMs }) => [what, atMs])).toEqual([
      ['raised', 2],
      ['ended', 6],
      ['raised', 8],
    ])
  })
})

test('a reason tells the place in words; a rule of before has its number', () => {
  const measure = {
    kind: 'flood-cell',
    catchmentId: 'melun',
    cell: 5000,
    aboveMm: 200,
    withinMin: 60,
  } as const
  const wording = { timeZone: 'Europe/Paris', catchments: { get: () => undefined } } as never
  const told = (where?: string) => crossingFr({ ...measure, ...(where && { where }) }, 50, 65, 0, wording)
  expect(told('Route près du regard J-1')).toContain('Route près du regard J-1, melun')
  expect(told()).toContain('maille 5000, melun')
})
