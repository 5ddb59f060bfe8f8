import { describe, expect, test } from 'vitest'
import { SECTION_SHAPES, sectionShape } from './section-shapes.ts'
import { criticalDepth, normalDepth, sectionTable, tableAt } from './section-table.ts'
import { section } from './testing/build.ts'

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

describe('cross-sections', () => {
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

  test('a circle follows its formulas', () => {
    const table = sectionTable(section('CIRCULAR', 2))
    for (const y of [0.1, 0.3, 0.7, 1, 1.5, 1.9]) {
      const angle = 2 * Math.acos(1 - y)
      expect(tableAt(table, y, 0)).toBeCloseTo(0.5 * (angle - Math.sin(angle)), 3)
      expect(tableAt(table, y, 2) ** 0.75).toBeCloseTo(0.5 * (1 - Math.sin(angle) / angle), 3)
    }
  })

  test('a compound profile carries what its parts carry', () => {
    const shape = sectionShape(make('IRREGULAR'))
    // Only the channel: 2 m bottom, sides 2 wide for 1.8 high.
    expect(shape.area(1.8)).toBeCloseTo(2 * 1.8 + 2 * (0.5 * 2 * 1.8), 6)
    const wet = 2 + 2 * Math.hypot(2, 1.8)
    expect(shape.radius(1.8)).toBeCloseTo(7.2 / wet, 6)
    const left = { area: 10 * 0.9, perimeter: Math.hypot(10, 0.2) + 1 }
    const channel = { area: shape.area(1.8) + 6 * 1.2, perimeter: wet }
    const k = (2 * left.area * (left.area / left.perimeter) ** (2 / 3)) / 0.05
    const conveyance = k * 1 + (channel.area * (channel.area / channel.perimeter) ** (2 / 3)) / 0.03
    // Overbanks at level 3: mean depth 1.1.
    const bank = 10 * 1.1
    const exact =
      (2 * bank * (bank / (Math.hypot(10, 0.2) + 1)) ** (2 / 3)) / 0.05 +
      (channel.area * (channel.area / channel.perimeter) ** (2 / 3)) / 0.03
    const total = 2 * bank + channel.area
    expect(shape.area(3)).toBeCloseTo(total, 6)
    expect((shape.radius(3) ** (2 / 3) * total) / 0.03 / exact).toBeCloseTo(1, 6)
    expect(conveyance).toBeLessThan(exact)
  })

  test('normal and critical depths answer their own equations', () => {
    const table = sectionTable(section('CIRCULAR', 1))
    const beta = Math.sqrt(0.004) / 0.013
    for (const y of [0.1, 0.25, 0.5, 0.8]) {
      expect(normalDepth(table, beta * tableAt(table, y, 3), beta)).toBeCloseTo(y, 4)
      const area = tableAt(table, y, 0)
      expect(criticalDepth(table, area * Math.sqrt((9.80665 * area) / tableAt(table, y, 1)))).toBeCloseTo(
        y,
        2,
      )
    }
    expect(normalDepth(table, 1e6, beta)).toBeLessThanOrEqual(1)
  })

  test('dimensions that make no section are refused', () => {
    expect(() => sectionTable(section('CIRCULAR', 0))).toThrow(RangeError)
    expect(() => sectionTable(section('NOTHING', 1))).toThrow(RangeError)
    expect(() => sectionTable(section('CUSTOM', 1))).toThrow(RangeError)
  })
})
