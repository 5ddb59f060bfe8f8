import { describe, expect, test } from 'vitest'
import { darcyFactor, forceMainFriction, forceMainManning } from './friction.ts'
import { criticalDepth, normalDepth, sectionTable, slotWidth, tableAt } from './section-table.ts'
import { section } from './testing/build.ts'
import { transectAt, transectDepth } from './transect.ts'

const GRAVITY = 9.80665
const circle = sectionTable(section('CIRCULAR', 2))
/** 2 m wide and 2.56 m deep: a row every centimetre. */
const channel = sectionTable(section('RECT_OPEN', 2.56, 2))

describe('a table of a section', () => {
  test('has what the full section has', () => {
    expect([circle.fullDepthM, circle.maxWidthM, circle.closed]).toEqual([2, 2, true])
    expect(circle.fullAreaM2).toBeCloseTo(Math.PI, 12)
    expect(circle.fullRadiusM).toBeCloseTo(0.5, 12)
    expect(circle.widestDepthM).toBe(1)
    expect(channel.widestDepthM).toBe(0)
    expect(channel.closed).toBe(false)
  })

  test('its section factor is largest at 0.938 of a circle’s depth, and at the top of a channel', () => {
    // Chow 1959: 1.076 of the full factor.
    expect(circle.maxFactorRow / 256).toBeCloseTo(0.938, 2)
    expect(circle.maxFactor / (Math.PI * 0.5 ** (2 / 3))).toBeCloseTo(1.076, 3)
    expect(channel.maxFactorRow).toBe(256)
    expect(channel.maxFactor).toBeCloseTo(5.12 * (5.12 / 7.12) ** (2 / 3), 9)
  })

  test('columns are area, width, radius^(4/3) and A R^(2/3), linear between rows', () => {
    for (const y of [0.5, 1, 1.5]) {
      const angle = 2 * Math.acos(1 - y)
      const area = (angle - Math.sin(angle)) / 2
      const radius = area / angle
      expect(tableAt(circle, y, 0)).toBeCloseTo(area, 12)
      expect(tableAt(circle, y, 1)).toBeCloseTo(2 * Math.sin(angle / 2), 4)
      expect(tableAt(circle, y, 2)).toBeCloseTo(radius ** (4 / 3), 12)
      expect(tableAt(circle, y, 3)).toBeCloseTo(area * radius ** (2 / 3), 12)
    }
    const [low, high] = [100, 101].map((row) => tableAt(circle, row * circle.stepM, 0))
    expect(tableAt(circle, 100.25 * circle.stepM, 0)).toBeCloseTo(low + 0.25 * (high - low), 12)
  })

  test('ends: the bottom’s row below it, the crown’s above it; widths there are those of the last interval', () => {
    expect(tableAt(circle, -1, 0)).toBe(0)
    expect(tableAt(circle, 0, 1)).toBeCloseTo(tableAt(circle, circle.stepM, 0) / circle.stepM, 12)
    expect(tableAt(circle, 0, 2)).toBeCloseTo(1e-5 ** (4 / 3), 12)
    expect(tableAt(circle, 0, 3)).toBe(0)
    expect(tableAt(circle, 2, 0)).toBe(circle.fullAreaM2)
    expect(tableAt(circle, 9, 0)).toBe(circle.fullAreaM2)
    const last = circle.fullAreaM2 - tableAt(circle, 2 - circle.stepM, 0)
    expect(tableAt(circle, 9, 1)).toBeCloseTo(last / circle.stepM, 9)
    expect(tableAt(circle, Number.NaN, 0)).toBe(0)
  })
})

describe('normal and critical depth', () => {
  test('normal depth gives its flow by Manning', () => {
    const beta = Math.sqrt(0.004) / 0.013
    for (const y of [0.4, 1.2, 2.5]) {
      const area = 2 * y
      const flow = beta * area * (area / (2 + 2 * y)) ** (2 / 3)
      expect(normalDepth(channel, flow, beta)).toBeCloseTo(y, 6)
    }
  })

  test('no flow has no depth, no slope the full one; more than fits stands where the factor is largest', () => {
    expect(normalDepth(circle, 0, 5)).toBe(0)
    expect(normalDepth(circle, -1, 5)).toBe(0)
    expect(normalDepth(circle, 1, 0)).toBe(2)
    expect(normalDepth(circle, 1e6, 5)).toBe(circle.maxFactorRow * circle.stepM)
    expect(normalDepth(channel, 1e6, 5)).toBe(2.56)
    // Exactly as much as fits.
    expect(normalDepth(channel, channel.maxFactor, 1)).toBe(2.56)
  })

  test('critical depth: Q2 W = g A3, for a rectangle (q2 / g)^(1/3)', () => {
    for (const flow of [0.5, 2, 10])
      expect(criticalDepth(channel, flow)).toBeCloseTo(((flow / 2) ** 2 / GRAVITY) ** (1 / 3), 3)
    const angle = 2 * Math.acos(0)
    const area = (angle - Math.sin(angle)) / 2
    expect(criticalDepth(circle, area * Math.sqrt((GRAVITY * area) / 2))).toBeCloseTo(1, 4)
    expect(criticalDepth(circle, 0)).toBe(0)
    expect(criticalDepth(circle, -1)).toBe(0)
  })

  test('beyond the largest flow it stands below a crown, or at the top of a channel', () => {
    expect(criticalDepth(circle, 1e6)).toBe(Math.floor(0.98 * 256) * circle.stepM)
    expect(criticalDepth(channel, 1e6)).toBe(2.56)
  })
})

describe('the slot above a crown', () => {
  test.each([
    [0.98, 0],
    [0.9853, 2 * 0.5423 * Math.exp(-(0.9853 ** 2.4))],
    [1.2, 2 * 0.5423 * Math.exp(-(1.2 ** 2.4))],
    [1.78, 2 * 0.5423 * Math.exp(-(1.78 ** 2.4))],
    [1.781, 0.02],
  ])('Sjoberg’s at %d of the depth', (share, width) => {
    expect(slotWidth(circle, share, 'SLOT')).toBeCloseTo(width, 12)
  })
  test('EXTRAN has a thousandth of the width, open channels none', () => {
    expect(slotWidth(circle, 1.2, 'EXTRAN')).toBeCloseTo(0.002, 12)
    expect(slotWidth(circle, 0.98, 'EXTRAN')).toBe(0)
    expect(slotWidth(channel, 1.2, 'SLOT')).toBe(0)
    expect(slotWidth(channel, 1.2, 'EXTRAN')).toBe(0)
  })
})

describe('friction of full mains', () => {
  /** Swamee and Jain 1976. */
  const swamee = (roughness: number, diameter: number, reynolds: number) =>
    0.25 / Math.log10(roughness / (3.7 * diameter) + 5.74 / reynolds ** 0.9) ** 2

  test('Darcy’s factor: laminar, turbulent, a line in between', () => {
    expect(darcyFactor(0.001, 0.25, 5)).toBe(6.4)
    expect(darcyFactor(0.001, 0.25, 10)).toBe(6.4)
    expect(darcyFactor(0.001, 0.25, 1000)).toBeCloseTo(0.064, 12)
    expect(darcyFactor(0.001, 0.25, 2000)).toBeCloseTo(0.032, 12)
    expect(darcyFactor(0.001, 0.25, 1e5)).toBeCloseTo(swamee(0.001, 1, 1e5), 12)
    expect(darcyFactor(0.001, 0.25, 4000)).toBeCloseTo(swamee(0.001, 1, 4000), 12)
    expect(darcyFactor(0.001, 0.25, 3000)).toBeCloseTo((0.032 + swamee(0.001, 1, 4000)) / 2, 12)
    // Moody's chart: relative roughness 0.001 at Re 1e6 has 0.0199.
    expect(darcyFactor(0.001, 0.25, 1e6)).toBeCloseTo(0.0199, 3)
  })

  test('friction a second is g S / v', () => {
    const [v, r] = [1.5, 0.2]
    const hazen = (v / (0.849 * 120 * r ** 0.63)) ** 1.852
    expect(forceMainFriction(120, v, r, 'H-W')).toBeCloseTo((GRAVITY * hazen) / v, 9)
    const viscosity = 1.1e-5 * 0.3048 ** 2
    const darcy = (swamee(0.0005, 0.8, (v * 0.8) / viscosity) * v * v) / (8 * GRAVITY * r)
    expect(forceMainFriction(0.0005, v, r, 'D-W')).toBeCloseTo((GRAVITY * darcy) / v, 9)
  })

  test('the equal Manning n loses as much when the main is just full', () => {
    const [d, slope] = [0.5, 0.004]
    const r = d / 4
    const manning = (n: number) => (r ** (2 / 3) * Math.sqrt(slope)) / n
    const hazen = forceMainManning(120, d, slope, 'H-W')
    expect(manning(hazen)).toBeCloseTo(0.849 * 120 * r ** 0.63 * slope ** 0.54, 9)
    const darcy = forceMainManning(0.0005, d, slope, 'D-W')
    expect(manning(darcy)).toBeCloseTo(Math.sqrt((8 * GRAVITY * r * slope) / swamee(0.0005, d, 1e12)), 9)
  })
})

describe('natural sections', () => {
  // Banks 10 m wide and 1 m above a channel of 4 m with upright walls.
  const profile = {
    name: 'T',
    stationsM: [0, 0, 10, 10, 14, 14, 24, 24],
    elevationsM: [7, 6, 6, 5, 5, 6, 6, 7],
    leftBankM: 10,
    rightBankM: 14,
    nLeft: 0.05,
    nRight: 0.08,
    nChannel: 0.03,
    lengthFactor: 1,
  }
  const conveyance = (area: number, perimeter: number, n: number) =>
    (area * (area / perimeter) ** (2 / 3)) / n
  const radius = (k: number, area: number) => ((k * 0.03) / area) ** 1.5

  test('in the channel alone', () => {
    const { area, width, radius: r } = transectAt(profile, 0.5)
    expect([area, width]).toEqual([2, 4])
    expect(r).toBeCloseTo(2 / 5, 12)
    expect(transectDepth(profile)).toBe(2)
    expect(transectAt(profile, 0)).toEqual({ area: 0, width: 0, radius: 0 })
  })

  test('conveyances of banks and channel add up', () => {
    const { area, width, radius: r } = transectAt(profile, 1.5)
    expect([area, width]).toEqual([6 + 10, 24])
    // The outer walls stand on the banks.
    const k = conveyance(5, 10.5, 0.05) + conveyance(6, 6, 0.03) + conveyance(5, 10.5, 0.08)
    expect(r).toBeCloseTo(radius(k, 16), 12)
  })

  test('without an n of their own banks have the channel’s, the right one the left one’s before', () => {
    const of = (nLeft: number, nRight: number) => transectAt({ ...profile, nLeft, nRight }, 1.5).radius
    expect(of(0, 0)).toBe(of(0.03, 0.03))
    expect(of(0.05, 0)).toBe(of(0.05, 0.05))
    expect(of(0, 0.08)).toBe(of(0.03, 0.08))
  })

  test('on a slope: a triangle of water, its wet share of the slant', () => {
    const slope = { ...profile, stationsM: [0, 4, 4], elevationsM: [8, 5, 8], leftBankM: 0, rightBankM: 4 }
    const { area, width, radius: r } = transectAt(slope, 1.5)
    expect([area, width]).toEqual([1.5, 2])
    expect(r).toBeCloseTo(1.5 / (2.5 + 1.5), 12)
    // Full and above: the whole trapezium.
    expect(transectAt(slope, 4).area).toBeCloseTo(4 * (4 - 1.5), 12)
  })
})
