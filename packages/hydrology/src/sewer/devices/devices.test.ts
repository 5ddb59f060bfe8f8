import { describe, expect, test } from 'vitest'
import { sectionTable } from '../sections/section-table.ts'
import { conduit, section } from '../testing/build.ts'
import { law, orifice, outlet, pump } from '../testing/devices.ts'
import { deviceLaw, tableInterval, tableLookup } from './devices.ts'

const GRAVITY = 9.81
/** Head that a flap gate takes (Armco 1978), m: 4 v2 / g exp(-1.15 v / sqrt(h)), v in ft/s and h in ft. */
const armco = (speed: number, head: number) =>
  ((4 * speed ** 2) / GRAVITY) * Math.exp((-1.15 * (speed / 0.3048)) / Math.sqrt(head / 0.3048))

describe('tables', () => {
  const table = { name: 'T', x: [1, 2, 2, 4], y: [10, 20, 30, 50] }
  test('are linear between their points and keep their ends', () => {
    expect([0, 1, 1.5, 2, 2.5, 4, 9].map((x) => tableLookup(table, x))).toEqual([10, 10, 15, 20, 35, 50, 50])
  })
  test('of steps give the value of the next point', () => {
    expect([0, 1, 1.9, 2, 3.9, 4, 9].map((x) => tableInterval(table, x))).toEqual([
      10, 20, 20, 50, 50, 50, 50,
    ])
  })
})

describe('side orifices', () => {
  // SWMM Reference Manual II, 6.2: Q = Cd A sqrt(2 g h), and (h / hc)^1.5 of it while the opening is not full.
  const [cd, diameter] = [0.65, 0.4]
  const area = (Math.PI * diameter ** 2) / 4
  const full = (head: number) => cd * area * Math.sqrt(2 * GRAVITY * head)
  const q = law(orifice())

  test.each([
    ['drowned', 3, 2, full(1)],
    ['drowned from the other side', 2, 3, -full(1)],
    ['free', 1, 0.1, full(0.8)],
    ['free, tail water below the middle', 1, 0.19, full(0.8)],
    ['just drowned', 1, 0.5, full(0.5)],
    ['full to its crown', 0.4, -1, full(0.2)],
    ['half full', 0.2, -1, full(0.2) * 0.5 ** 1.5],
    ['half full, from the other side', -1, 0.2, -full(0.2) * 0.5 ** 1.5],
    ['half full in tail water (Villemonte)', 0.2, 0.1, full(0.2) * 0.5 ** 1.5 * (1 - 0.5 ** 1.5) ** 0.385],
    ['at its crest', 0, -1, 0],
    ['below its crest', -0.5, -1, 0],
    ['level', 2, 2, 0],
  ])('%s', (_, from, to, expected) => {
    expect(q(from, to, 1)).toBeCloseTo(expected, 4)
  })

  test('near level water the flow falls in proportion to the difference', () => {
    // Below 1 cm a line from there to 0 stands for the root.
    expect(q(2.005, 2, 1)).toBeCloseTo(full(0.01) / 2, 5)
    expect(q(2.01, 2, 1)).toBeCloseTo(full(0.01), 5)
    expect(q(2.02, 2, 1)).toBeCloseTo(full(0.02), 5)
  })

  test('the crest counts from where it lies', () => {
    const link = orifice({ section: section('RECT_CLOSED', 0.5, 0.8) })
    const whole = (head: number) => cd * 0.4 * Math.sqrt(2 * GRAVITY * head)
    expect(law(link, 1.2)(2.2, 1, 1)).toBeCloseTo(whole(0.75), 6)
    expect(law(link, 1.2)(1.45, 1, 1)).toBeCloseTo(whole(0.25) * 0.5 ** 1.5, 6)
  })

  test('a gate half shut is an opening half as high', () => {
    const half = law(orifice({ section: section('RECT_CLOSED', 0.5, 0.8) }))
    expect(half(1, -1, 0.5)).toBeCloseTo(cd * 0.2 * Math.sqrt(2 * GRAVITY * 0.875), 6)
    expect(half(1, -1, 0)).toBe(0)
  })

  test('a flap gate takes head', () => {
    const gated = law(orifice({ flapGate: true }))
    const speed = full(1) / area
    expect(gated(3, 2, 1)).toBeCloseTo(full(1 - armco(speed, 1)), 4)
    // Part full the head is the depth over the crest, and the loss takes from the fill.
    const flow = full(0.2) * 0.5 ** 1.5
    const loss = armco(flow / area, 0.2)
    expect(gated(0.2, -1, 1)).toBeCloseTo(full(0.2) * (0.5 - loss / 0.4) ** 1.5, 4)
  })
})

describe('bottom orifices', () => {
  const cd = 0.6
  test.each([
    // Weir flow up to Cd / 0.414 times area over perimeter: D / 4, or ab / 2(a + b).
    ['round', section('CIRCULAR', 0.4), (Math.PI * 0.16) / 4, 0.1],
    ['rectangular', section('RECT_CLOSED', 0.5, 0.8), 0.4, 0.4 / 2.6],
  ])('%s: a weir over its rim until it is an orifice', (_, profile, area, overLength) => {
    const q = law(orifice({ orientation: 'bottom', dischargeCoefficient: cd, section: profile }))
    const critical = (cd / 0.414) * overLength
    const full = (head: number) => cd * area * Math.sqrt(2 * GRAVITY * head)
    expect(q(1, -1, 1)).toBeCloseTo(full(1), 4)
    expect(q(1.5, 0.5, 1)).toBeCloseTo(full(1), 4)
    expect(q(critical / 2, -1, 1)).toBeCloseTo(full(critical) * 0.5 ** 1.5, 4)
    expect(q(critical, -1, 1)).toBeCloseTo(full(critical), 4)
    expect(q(-0.1, -1, 1)).toBe(0)
    expect(q(-1, 1, 1)).toBeCloseTo(-full(1), 4)
  })

  test('half shut, a round one is reckoned half as high: a quarter of that over its rim', () => {
    const q = law(orifice({ orientation: 'bottom', dischargeCoefficient: cd }))
    const half = (Math.PI * 0.16) / 8
    const critical = (cd / 0.414) * 0.05
    expect(q(critical / 2, -1, 0.5)).toBeCloseTo(
      cd * half * Math.sqrt(2 * GRAVITY * critical) * 0.5 ** 1.5,
      5,
    )
  })

  test('the crest counts from where it lies', () => {
    const q = law(orifice({ orientation: 'bottom', dischargeCoefficient: cd }), 3)
    const critical = (cd / 0.414) * 0.1
    const full = (head: number) => ((cd * Math.PI * 0.16) / 4) * Math.sqrt(2 * GRAVITY * head)
    expect(q(4, 2, 1)).toBeCloseTo(full(1), 4)
    expect(q(3 + critical / 2, 2, 1)).toBeCloseTo(full(critical) * 0.5 ** 1.5, 4)
    expect(q(2.9, 2, 1)).toBe(0)
  })

  test('its gate takes from the fill by the critical head', () => {
    const gated = law(orifice({ orientation: 'bottom', dischargeCoefficient: cd, flapGate: true }))
    const area = (Math.PI * 0.16) / 4
    const critical = (cd / 0.414) * 0.1
    const whole = cd * area * Math.sqrt(2 * GRAVITY * critical)
    const loss = armco((whole * 0.5 ** 1.5) / area, critical / 2)
    expect(gated(critical / 2, -1, 1)).toBeCloseTo(whole * (0.5 - loss / critical) ** 1.5, 4)
  })
})

describe('outlets', () => {
  test('follow a power of the depth, or of the head between both sides', () => {
    const byDepth = law(outlet())
    expect(byDepth(0.25, -1, 1)).toBeCloseTo(2 * 0.125, 12)
    expect(byDepth(0.25, 0.2, 1)).toBeCloseTo(2 * 0.125, 12)
    expect(byDepth(0.25, -1, 0.3)).toBeCloseTo(0.6 * 0.125, 12)
    expect(byDepth(0, -1, 1)).toBe(0)
    expect(byDepth(-1, -2, 1)).toBe(0)
    const byHead = law(outlet({ basis: 'head' }))
    expect(byHead(1, 0.75, 1)).toBeCloseTo(2 * 0.125, 12)
    expect(byHead(0.75, 1, 1)).toBeCloseTo(-2 * 0.125, 12)
    // Tail water below the crest does not count.
    expect(byHead(0.25, -3, 1)).toBeCloseTo(2 * 0.125, 12)
  })

  test('the crest counts from where it lies', () => {
    expect(law(outlet(), 3)(3.25, 2, 1)).toBeCloseTo(2 * 0.125, 12)
    expect(law(outlet({ basis: 'head' }), 3)(3.25, 2, 1)).toBeCloseTo(2 * 0.125, 12)
  })

  test('by depth alone, the flow fades out over the last centimetre between both sides', () => {
    const byDepth = law(outlet())
    expect(byDepth(1, 0.995, 1)).toBeCloseTo(1, 9)
    expect(byDepth(0.995, 1, 1)).toBeCloseTo(-1, 9)
    expect(byDepth(1, 1, 1)).toBe(0)
    expect(law(outlet({ basis: 'head' }))(1, 0.98, 1)).toBeCloseTo(2 * 0.02 ** 1.5, 12)
    expect(law(outlet({ basis: 'head' }))(1, 0.996, 1)).toBeCloseTo(0.4 * 2 * 0.01 ** 1.5, 12)
  })

  test('follow a table, which never gives less than nothing', () => {
    const table = { name: 'R', x: [0, 1, 2], y: [-1, 0.5, 0.6] }
    const q = law(outlet({ rating: { type: 'tabular', table } }))
    expect(q(1.5, -1, 1)).toBeCloseTo(0.55, 12)
    expect(q(0.1, -1, 1)).toBe(0)
  })
})

test('pumps, pipes and devices without a section have no law of their own', () => {
  expect(deviceLaw(pump(), null, 0)).toBeNull()
  expect(deviceLaw(orifice(), null, 0)).toBeNull()
  const pipe = conduit('C', 0, 1, 10, section('CIRCULAR', 1))
  expect(deviceLaw(pipe, sectionTable(pipe.section), 0)).toBeNull()
})
