import { describe, expect, test } from 'vitest'
import { section } from '../testing/build.ts'
import { SECTION_SHAPES } from './section-shapes.ts'
import { criticalDepth, normalDepth, sectionTable, slotWidth, storedWidth, tableAt } from './section-table.ts'

const GRAVITY = 9.81
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

  test('of a circle they answer their own equations', () => {
    const table = sectionTable(section('CIRCULAR', 1))
    const beta = Math.sqrt(0.004) / 0.013
    for (const y of [0.1, 0.25, 0.5, 0.8]) {
      expect(normalDepth(table, beta * tableAt(table, y, 3), beta)).toBeCloseTo(y, 4)
      const area = tableAt(table, y, 0)
      expect(criticalDepth(table, area * Math.sqrt((GRAVITY * area) / tableAt(table, y, 1)))).toBeCloseTo(
        y,
        2,
      )
    }
    expect(normalDepth(table, 1e6, beta)).toBeLessThanOrEqual(1)
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
    expect(slotWidth(circle, share)).toBeCloseTo(width, 12)
    expect(storedWidth(circle, share * circle.fullDepthM, 'SLOT')).toBeCloseTo(
      width || tableAt(circle, share * circle.fullDepthM, 1),
      12,
    )
  })
  test('EXTRAN keeps the width at 0.96 of the depth, open channels their own', () => {
    const full = circle.fullDepthM
    const kept = tableAt(circle, 0.96 * full, 1)
    expect([0.5, 0.96, 0.98, 1.2, 9].map((share) => storedWidth(circle, share * full, 'EXTRAN'))).toEqual([
      tableAt(circle, 0.5 * full, 1),
      kept,
      kept,
      kept,
      kept,
    ])
    expect(slotWidth(channel, 1.2)).toBe(0)
    const top = tableAt(channel, 9, 1)
    expect(storedWidth(channel, 9, 'SLOT')).toBe(top)
    expect(storedWidth(channel, 9, 'EXTRAN')).toBe(top)
  })
})

const EXAMPLES: Record<string, number[]> = {
  CIRCULAR: [1.2],
  FORCE_MAIN: [1.2, 130],
  FILLED_CIRCULAR: [1.2, 0.3],
  RECT_CLOSED: [1, 1.5],
  RECT_OPEN: [1, 1.5, 0],
  TRAPEZOIDAL: [1, 2, 1.5, 2],
  TRIANGULAR: [1, 3],
  PARABOLIC: [1, 2],
  POWER: [1, 2, 1.5],
  RECT_TRIANGULAR: [1, 1.5, 0.3],
  RECT_ROUND: [1, 1.5, 0.9],
  MODBASKETHANDLE: [1.5, 1.2, 0.7],
  HORIZ_ELLIPSE: [1, 1.5],
  VERT_ELLIPSE: [1.5, 1],
  ARCH: [1, 1.6],
  EGG: [1.2],
  EGGSHAPED: [1.2],
  HORSESHOE: [1.2],
  GOTHIC: [1.2],
  CATENARY: [1.2],
  SEMIELLIPTICAL: [1.2],
  BASKETHANDLE: [1.2],
  SEMICIRCULAR: [1.2],
}
const profile = {
  name: 'T',
  stationsM: [0, 0, 10, 12, 14, 16, 26, 26],
  elevationsM: [3, 2, 1.8, 0, 0, 1.8, 2, 3],
  leftBankM: 10,
  rightBankM: 16,
  nLeft: 0.05,
  nRight: 0.05,
  nChannel: 0.03,
  lengthFactor: 1,
}
const make = (shape: string) => ({
  ...section(shape, ...(EXAMPLES[shape] ?? [1])),
  transect: profile,
  curve: { name: 'C', x: [0, 0.5, 1], y: [0.5, 1, 0.6] },
})

describe('every shape', () => {
  test.each(SECTION_SHAPES.map((shape) => [shape]))(
    '%s: area grows with depth, its width is the area’s slope',
    (shape) => {
      const table = sectionTable(make(shape))
      const { fullDepthM } = table
      let before = 0
      let sum = 0
      let least = Infinity
      const n = 2000
      for (let i = 1; i <= n; i++) {
        const y = (i / n) * fullDepthM
        const area = tableAt(table, y, 0)
        least = Math.min(least, area - before)
        sum += (fullDepthM / n) * tableAt(table, y - fullDepthM / n / 2, 1)
        before = area
      }
      expect(least).toBeGreaterThan(0)
      expect(sum / before).toBeCloseTo(1, 2)
      expect(tableAt(table, fullDepthM / 2, 2)).toBeGreaterThan(0)
    },
  )

  test('dimensions that make no section are refused', () => {
    expect(() => sectionTable(section('CIRCULAR', 0))).toThrow(RangeError)
    expect(() => sectionTable(section('NOTHING', 1))).toThrow(RangeError)
    expect(() => sectionTable(section('CUSTOM', 1))).toThrow(RangeError)
  })
})
