import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { section } from '../testing/build.ts'
import { law, orifice, outlet, weir } from '../testing/devices.ts'
import type { DeviceLaw } from './devices.ts'

const CREST = 1
/** Steps of head in which a law is looked at, m: a jump does not shrink with them, a slope does. */
const FINE_M = 1e-8
/** No law rises faster than this, m2/s a m3/s of flow: it would have no slope that Newton's method could use. */
const STEEPEST = 2e3

/** Largest change of flow over FINE_M while one head passes `at` and the other stands. */
function largestChange(q: DeviceLaw, at: number, other: number, setting: number) {
  let most = 0
  let flow = 0
  for (const moves of ['from', 'to'] as const) {
    let before = Number.NaN
    for (let i = -40; i <= 40; i++) {
      const head = at + i * FINE_M
      const now = moves === 'from' ? q(head, other, setting) : q(other, head, setting)
      expect(now).not.toBeNaN()
      if (i > -40) most = Math.max(most, Math.abs(now - before))
      flow = Math.max(flow, Math.abs(now))
      before = now
    }
  }
  return { most, flow }
}

const head = fc.double({ min: -0.5, max: 4, noNaN: true })
const size = fc.double({ min: 0.2, max: 1.5, noNaN: true })
const setting = fc.constantFrom(1, 1, 0.7, 0.3)
const gate = fc.boolean()

const LAWS: [string, fc.Arbitrary<{ q: DeviceLaw; height: number }>][] = [
  [
    'orifices',
    fc
      .record({ height: size, width: size, round: fc.boolean(), bottom: fc.boolean(), gate })
      .map(({ height, width, round, bottom, gate: flapGate }) => ({
        height,
        q: law(
          orifice({
            section: round ? section('CIRCULAR', height) : section('RECT_CLOSED', height, width),
            orientation: bottom ? 'bottom' : 'side',
            flapGate,
          }),
          CREST,
        ),
      })),
  ],
  [
    'weirs',
    fc
      .record({
        height: size,
        width: size,
        form: fc.constantFrom('transverse', 'sideflow', 'vnotch', 'trapezoidal', 'roadway'),
        canSurcharge: fc.boolean(),
        gate,
      })
      .map(({ height, width, form, canSurcharge, gate: flapGate }) => ({
        height,
        q: law(
          weir({
            form: form as 'transverse',
            section:
              form === 'vnotch'
                ? section('TRIANGULAR', height, width)
                : form === 'trapezoidal'
                  ? section('TRAPEZOIDAL', height, width, 0.5, 0.5)
                  : section('RECT_OPEN', height, width),
            canSurcharge,
            flapGate,
            ...(form === 'roadway' ? { roadWidthM: 5, roadSurface: 'gravel' as const } : {}),
          }),
          CREST,
        ),
      })),
  ],
  [
    'outlets',
    fc
      .record({
        exponent: fc.double({ min: 0.1, max: 2, noNaN: true }),
        tabular: fc.boolean(),
        byHead: fc.boolean(),
      })
      .map(({ exponent, tabular, byHead }) => ({
        height: 1,
        q: law(
          outlet({
            basis: byHead ? 'head' : 'depth',
            rating: tabular
              ? { type: 'tabular', table: { name: 'R', x: [0, 1, 3], y: [0.3, 0.3, 0.9] } }
              : { type: 'functional', coefficient: 1, exponent },
          }),
          CREST,
        ),
      })),
  ],
]

describe('every law of the heads is continuous, with a slope that Newton can use', () => {
  test.each(LAWS)('%s: across level water, crest, half opening and crown', (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, head, setting, ({ q, height }, other, s) => {
        const edges = [
          CREST,
          CREST + s * height,
          CREST + (1 - s) * height,
          CREST + (s * height) / 2,
          CREST + height,
        ]
        for (const at of [other, ...edges]) {
          const { most, flow } = largestChange(q, at, other, s)
          expect(most).toBeLessThanOrEqual(STEEPEST * FINE_M * Math.max(0.1, flow) + 1e-13)
        }
      }),
      { numRuns: 150, seed: 19 },
    )
  })

  test.each(LAWS)('%s: level water does not flow, and water flows downwards', (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, head, head, setting, ({ q }, from, to, s) => {
        expect(q(from, from, s)).toBeCloseTo(0, 12)
        expect(q(from, to, s) * Math.sign(from - to)).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 300, seed: 19 },
    )
  })
})
