import { describe, expect, test } from 'vitest'
import { section } from '../testing/build.ts'
import { law, weir } from '../testing/devices.ts'

// SWMM Reference Manual II, 6.3 and table 6-1: SI coefficients, heads in m over a crest at 0.
const GRAVITY = 9.81
const armco = (speed: number, head: number) =>
  ((4 * speed ** 2) / GRAVITY) * Math.exp((-1.15 * (speed / 0.3048)) / Math.sqrt(head / 0.3048))
/** Villemonte 1947. */
const drowned = (share: number, power: number) => (1 - share ** power) ** 0.385

const transverse = weir({ coefficient: 1.84, section: section('RECT_OPEN', 1, 2) })
const sideflow = weir({ form: 'sideflow', coefficient: 1.7, section: section('RECT_OPEN', 1, 2) })
const notch = weir({ form: 'vnotch', coefficient: 1.38, section: section('TRIANGULAR', 1, 2) })
const trapezoid = weir({
  form: 'trapezoidal',
  coefficient: 1.84,
  endCoefficient: 1.38,
  // Sides 0.5 and 1.5 wide for 1 high: 1 on the mean.
  section: section('TRAPEZOIDAL', 1, 2, 0.5, 1.5),
})

describe('free flow over a weir', () => {
  test.each([
    ['transverse: C L h^1.5', transverse, 1.84 * 2 * 0.5 ** 1.5],
    ['end contractions take 0.1 h each', { ...transverse, endContractions: 2 }, 1.84 * 1.9 * 0.5 ** 1.5],
    ['sideflow: C L^0.83 h^1.67', sideflow, 1.7 * 2 ** 0.83 * 0.5 ** 1.67],
    ['V-notch: C S h^2.5', notch, 1.38 * 0.5 ** 2.5],
    ['V-notch twice as wide', { ...notch, section: section('TRIANGULAR', 1, 4) }, 1.38 * 2 * 0.5 ** 2.5],
    ['trapezoidal: middle and ends', trapezoid, 1.84 * 2 * 0.5 ** 1.5 + 1.38 * 0.5 ** 2.5],
  ])('%s', (_, link, expected) => {
    expect(law(link)(0.5, -1, 1)).toBeCloseTo(expected, 9)
  })

  test('backwards it is the same, but for sideflow, which is then a transverse weir', () => {
    expect(law(transverse)(-1, 0.5, 1)).toBeCloseTo(-1.84 * 2 * 0.5 ** 1.5, 9)
    expect(law(sideflow)(-1, 0.5, 1)).toBeCloseTo(-1.7 * 2 * 0.5 ** 1.5, 9)
    expect(law(notch)(-1, 0.5, 1)).toBeCloseTo(-1.38 * 0.5 ** 2.5, 9)
  })

  test('nothing below the crest; contractions never turn the flow round', () => {
    expect(law(transverse)(0, -1, 1)).toBe(0)
    expect(law(transverse)(-0.2, -1, 1)).toBe(0)
    const narrow = { ...transverse, endContractions: 2, section: section('RECT_OPEN', 1, 0.1) }
    expect(law(narrow)(0.9, -1, 1)).toBe(0)
  })

  test('a curve gives the coefficient by head', () => {
    const coefficientCurve = { name: 'K', x: [0, 1], y: [1.6, 1.8] }
    expect(law({ ...transverse, coefficientCurve })(0.5, -1, 1)).toBeCloseTo(1.7 * 2 * 0.5 ** 1.5, 9)
  })

  test('the crest counts from where it lies', () => {
    expect(law(transverse, 3)(3.5, 2, 1)).toBeCloseTo(1.84 * 2 * 0.5 ** 1.5, 9)
  })
})

describe('tail water drowns a weir', () => {
  test.each([
    ['transverse', transverse, 1.5],
    ['sideflow', sideflow, 5 / 3],
    ['V-notch', notch, 2.5],
  ])('%s, by the power of its law', (_, link, power) => {
    const q = law(link)
    expect(q(0.5, 0.25, 1) / q(0.5, -1, 1)).toBeCloseTo(drowned(0.5, power), 9)
    expect(q(0.5, 0, 1)).toBe(q(0.5, -1, 1))
    expect(q(0.5, 0.5, 1)).toBeCloseTo(0, 9)
  })

  test('trapezoidal: the middle as a transverse weir, the ends as a notch', () => {
    expect(law(trapezoid)(0.5, 0.25, 1)).toBeCloseTo(
      1.84 * 2 * 0.5 ** 1.5 * drowned(0.5, 1.5) + 1.38 * 0.5 ** 2.5 * drowned(0.5, 2.5),
      9,
    )
  })
})

describe('sizes that are not one metre', () => {
  // 2 m high and 3 m wide; slopes 0.5 and 0.3 for a trapezoid 2 m wide at the bottom.
  const tall = weir({ coefficient: 1.84, endContractions: 1, section: section('RECT_OPEN', 2, 3) })
  const vee = weir({
    form: 'vnotch',
    coefficient: 1.38,
    endCoefficient: 1.2,
    section: section('TRIANGULAR', 2, 3),
  })
  const wide = weir({
    form: 'trapezoidal',
    coefficient: 1.84,
    endCoefficient: 1.38,
    section: section('TRAPEZOIDAL', 2, 2, 0.5, 0.3),
  })
  test('slopes are half the width over the height, and the mean of both sides', () => {
    expect(law(vee)(0.5, -1, 1)).toBeCloseTo(1.38 * 0.75 * 0.5 ** 2.5, 9)
    expect(law(wide)(0.5, -1, 1)).toBeCloseTo(1.84 * 2 * 0.5 ** 1.5 + 1.38 * 0.4 * 0.5 ** 2.5, 9)
  })
  test('let down by three quarters, the edge is 1.5 m up', () => {
    expect(law(tall)(1.8, -1, 0.25)).toBeCloseTo(1.84 * (3 - 0.03) * 0.3 ** 1.5, 9)
    expect(law(vee)(1.8, -1, 0.25)).toBeCloseTo(1.38 * 2.25 * 0.3 ** 1.5 + 1.2 * 0.75 * 0.3 ** 2.5, 9)
    expect(law(wide)(1.8, -1, 0.25)).toBeCloseTo(1.84 * 3.2 * 0.3 ** 1.5 + 1.38 * 0.4 * 0.3 ** 2.5, 9)
    // A flap in the 0.3 m of water over it.
    const flow = 1.84 * (3 - 0.03) * 0.3 ** 1.5
    const head = 0.3 - armco(flow / (3 * 0.3), 0.3)
    expect(law({ ...tall, flapGate: true })(1.8, -1, 0.25)).toBeCloseTo(
      1.84 * (3 - 0.1 * head) * head ** 1.5,
      9,
    )
  })
  test('contractions narrow a sideflow weir backwards too', () => {
    expect(law({ ...tall, form: 'sideflow' })(-1, 0.5, 1)).toBeCloseTo(-1.84 * 2.95 * 0.5 ** 1.5, 9)
  })
  test('full, middle and ends of a trapezoid act together', () => {
    const full = 1.84 * 2 * 2 ** 1.5 + 1.38 * 0.4 * 2 ** 2.5
    expect(law(wide)(5, -1, 1)).toBeCloseTo(full * 2, 6)
  })
  test('below 1 cm of difference the flow falls in proportion', () => {
    const full = 1.84 * 2.8 * 2 ** 1.5
    expect(law(tall)(3, 2.98, 1)).toBeCloseTo(full * Math.sqrt(0.02), 9)
    expect(law(tall)(3, 2.996, 1)).toBeCloseTo(0.4 * full * Math.sqrt(0.01), 9)
  })
})

describe('a weir that is let down in part', () => {
  test('has a higher crest, and a notch then a bottom', () => {
    // Half open: the crest is at 0.5, the head 0.3.
    expect(law(transverse)(0.8, -1, 0.5)).toBeCloseTo(1.84 * 2 * 0.3 ** 1.5, 9)
    expect(law(transverse)(0.4, -1, 0.5)).toBe(0)
    expect(law(transverse)(0.8, -1, 0)).toBe(0)
    expect(law(transverse)(1.5, -1, 0)).toBe(0)
    // The notch is 1 m wide there.
    expect(law({ ...notch, endCoefficient: 1.2 })(0.8, -1, 0.5)).toBeCloseTo(
      1.38 * 1 * 0.3 ** 1.5 + 1.2 * 0.3 ** 2.5,
      9,
    )
    // The trapezoid is 2 + 0.5 * 2 = 3 m wide.
    expect(law(trapezoid)(0.8, -1, 0.5)).toBeCloseTo(1.84 * 3 * 0.3 ** 1.5 + 1.38 * 0.3 ** 2.5, 9)
    expect(law(transverse)(0.8, 0.65, 0.5)).toBeCloseTo(1.84 * 2 * 0.3 ** 1.5 * drowned(0.5, 1.5), 9)
  })
})

describe('a weir that is full', () => {
  test('goes on as an orifice that passes as much there', () => {
    const q = law(transverse)
    const full = 1.84 * 2 * 1
    // Q = full sqrt(h / (H / 2)), h from the middle of the opening, or from the tail water above it.
    expect(q(1, -1, 1)).toBeCloseTo(full, 9)
    expect(q(2.5, -1, 1)).toBeCloseTo(full * 2, 9)
    expect(q(2.5, 0.5, 1)).toBeCloseTo(full * 2, 9)
    expect(q(2.5, 2, 1)).toBeCloseTo(full, 9)
    expect(q(-1, 2.5, 1)).toBeCloseTo(-full * 2, 9)
    // Half open: 0.5 m high, middle at 0.75.
    const half = 1.84 * 2 * 0.5 ** 1.5
    expect(q(1.75, -1, 0.5)).toBeCloseTo(half * 2, 9)
    // A sideflow weir counts as one both ways then.
    expect(law(sideflow)(-1, 2.5, 1)).toBeCloseTo(-1.7 * 2 ** 0.83 * 2, 9)
  })

  test('both sides level, it passes nothing', () => {
    expect(law(transverse)(2, 2, 1)).toBe(0)
  })

  test('unless it must not: then its own law goes on with the head of the opening', () => {
    const q = law({ ...transverse, canSurcharge: false })
    expect(q(0.9, -1, 1)).toBeCloseTo(1.84 * 2 * 0.9 ** 1.5, 9)
    expect(q(2.5, -1, 1)).toBeCloseTo(1.84 * 2, 9)
    expect(q(1.5, -1, 0.5)).toBeCloseTo(1.84 * 2 * 0.5 ** 1.5, 9)
    // Tail water counts over the whole head.
    expect(q(2, 1, 1)).toBeCloseTo(1.84 * 2 * drowned(0.5, 1.5), 9)
  })
})

describe('flap gates on weirs', () => {
  test('take head by the speed in the opening', () => {
    const free = 1.84 * 2 * 0.5 ** 1.5
    const loss = armco(free / (2 * 0.5), 0.5)
    const gated = law({ ...transverse, flapGate: true })
    expect(gated(0.5, -1, 1)).toBeCloseTo(1.84 * 2 * (0.5 - loss) ** 1.5, 9)
    // Half open: the same opening, higher up.
    expect(gated(1, -1, 0.5)).toBeCloseTo(
      1.84 * 2 * 0.5 ** 1.5 * Math.sqrt((0.25 - armco(free / 1, 0.5)) / 0.25),
      9,
    )
    expect(gated(0.9, -1, 0.5)).toBeCloseTo(
      1.84 * 2 * (0.4 - armco((1.84 * 2 * 0.4 ** 1.5) / (2 * 0.4), 0.4)) ** 1.5,
      9,
    )
  })

  test('also of a full one, by the head of the opening', () => {
    const gated = law({ ...transverse, flapGate: true })
    const flow = 1.84 * 2 * 2
    const loss = armco(flow / 2, 1)
    expect(gated(2.5, -1, 1)).toBeCloseTo(1.84 * 2 * Math.sqrt((2 - loss) / 0.5), 9)
  })

  test('of a trapezoid: middle and ends share the head', () => {
    const head = 0.5
    const flow = 1.84 * 2 * head ** 1.5 + 1.38 * head ** 2.5
    const left = head - armco(flow / (2 * head + head * head), head)
    expect(law({ ...trapezoid, flapGate: true })(head, -1, 1)).toBeCloseTo(
      1.84 * 2 * left ** 1.5 + 1.38 * left ** 2.5,
      4,
    )
  })
})

describe('roads (FHWA/RD-86/108, figure 10)', () => {
  // Coefficients in ft^0.5/s: times sqrt(0.3048) in SI.
  const coefficient = (surface: 'paved' | 'gravel' | null, width: number, head: number, tail = -1) =>
    law(weir({ form: 'roadway', coefficient: 1.5, roadWidthM: width, roadSurface: surface }))(head, tail, 1) /
    (2 * head ** 1.5) /
    Math.sqrt(0.3048)

  test.each([
    [
      'paved',
      [
        [0.2, 2.95],
        [0.45, 2.99],
        [0.7, 3.03],
        [2.35, 3.04],
        [4, 3.05],
        [5, 3.05],
        [0.1, 2.9],
      ],
    ],
    [
      'gravel',
      [
        [0.25, 2.6],
        [0.5, 2.7],
        [1, 2.8],
        [1.25, 2.85],
        [1.5, 2.9],
        [2, 2.98],
        [2.5, 3.02],
        [3, 3.03],
        [3.5, 3.04],
        [4, 3.05],
      ],
    ],
  ] as const)('%s and wide, by the head in ft', (surface, points) => {
    for (const [feet, expected] of points)
      expect(coefficient(surface, 100, feet * 0.3048), `${feet} ft`).toBeCloseTo(expected, 9)
  })

  test.each([
    [
      'paved',
      [
        [0.2, 3.075],
        [0.25, 3.1],
        [0.5, 3.1],
      ],
    ],
    [
      'gravel',
      [
        [0.225, 3.025],
        [0.3, 3.1],
        [0.5, 3.1],
      ],
    ],
  ] as const)('%s and narrow, by head over width', (surface, points) => {
    for (const [share, expected] of points)
      expect(coefficient(surface, 2, share * 2)).toBeCloseTo(expected, 9)
    // Up to 0.15 by the head: 0.3 m.
    const below = coefficient(surface, 2, 0.15 * 2)
    expect(below).toBe(coefficient(surface, 100, 0.3))
  })

  test.each([
    [
      'paved',
      [
        [0.5, 1],
        [0.8, 1],
        [0.85, 0.98],
        [0.9, 0.92],
        [0.93, 0.85],
        [0.95, 0.8],
        [0.97, 0.7],
        [0.98, 0.6],
      ],
    ],
    [
      'gravel',
      [
        [0.5, 1],
        [0.75, 1],
        [0.8, 0.985],
        [0.83, 0.97],
        [0.86, 0.93],
        [0.89, 0.9],
        [0.9, 0.87],
        [0.92, 0.8],
        [0.94, 0.7],
        [0.96, 0.6],
        [0.98, 0.5],
      ],
    ],
  ] as const)('%s, drowned', (surface, points) => {
    const free = coefficient(surface, 100, 1)
    for (const [share, expected] of points)
      expect(coefficient(surface, 100, 1, share) / free, `${share}`).toBeCloseTo(expected, 9)
  })

  test('the last of the drowning and the easing of level water, 1 cm of difference', () => {
    // At a head of 2 m, 0.99 is 2 cm of difference; 0.995 is 1 cm, below it flows fall in proportion.
    expect(coefficient('paved', 100, 2, 1.98) / coefficient('paved', 100, 2)).toBeCloseTo(0.5, 9)
    expect(coefficient('gravel', 100, 2, 1.98) / coefficient('gravel', 100, 2)).toBeCloseTo(0.4, 9)
    expect(coefficient('paved', 100, 2, 1.995) / coefficient('paved', 100, 2)).toBeCloseTo(0.45 / 2, 9)
    expect(coefficient('gravel', 100, 2, 1.995) / coefficient('gravel', 100, 2)).toBeCloseTo(0.32 / 2, 9)
  })

  test('the crest counts from where it lies', () => {
    const road = law(weir({ form: 'roadway', roadWidthM: 100, roadSurface: 'paved' }), 3)
    // 1 m over it, tail water 0.9 m over it: 0.92.
    const free = 3.03 + ((1 / 0.3048 - 0.7) / 3.3) * 0.02
    expect(road(4, 2, 1)).toBeCloseTo(free * Math.sqrt(0.3048) * 2, 9)
    expect(road(4, 3.9, 1)).toBeCloseTo(0.92 * free * Math.sqrt(0.3048) * 2, 9)
  })

  test('without surface or width it is the weir’s own coefficient', () => {
    const own = 1.5 / Math.sqrt(0.3048)
    expect(coefficient(null, 6, 0.5)).toBeCloseTo(own, 9)
    expect(coefficient('paved', 0, 0.5)).toBeCloseTo(own, 9)
    expect(law(weir({ form: 'roadway' }))(0, -1, 1)).toBe(0)
    expect(law(weir({ form: 'roadway' }))(-1, -2, 1)).toBe(0)
    expect(law(weir({ form: 'roadway', coefficient: 1.5 }))(-1, 0.5, 1)).toBeCloseTo(-1.5 * 2 * 0.5 ** 1.5, 9)
  })
})
