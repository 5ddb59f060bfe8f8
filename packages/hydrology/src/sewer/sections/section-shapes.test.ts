import type { SewerSection } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { section } from '../testing/build.ts'
import { SECTION_SHAPES, type SectionShape, sectionShape } from './section-shapes.ts'

const shape = (name: string, ...dims: number[]) => sectionShape(section(name, ...dims))
/** Area and hydraulic radius at a depth. */
const at = (found: SectionShape, y: number) => [found.area(y), found.radius(y)]
const closeTo = (...values: number[]) => values.map((value) => expect.closeTo(value, 9))
/** Length of a curve x(y) by small chords. */
function curveLength(x: (y: number) => number, depth: number) {
  const n = 20_000
  let sum = 0
  for (let i = 0; i < n; i++) {
    // Points lie closer where the curve is flat.
    const [y0, y1] = [(i / n) ** 2 * depth, ((i + 1) / n) ** 2 * depth]
    sum += Math.hypot(y1 - y0, x(y1) - x(y0))
  }
  return sum
}

describe('straight sections', () => {
  test('a rectangle, open: walls may be left out', () => {
    for (const [out, perimeter] of [
      [0, 3],
      [1, 2.5],
      [2, 2],
    ])
      expect(at(shape('RECT_OPEN', 1, 2, out), 0.5)).toEqual(closeTo(1, 1 / perimeter))
    const { fullDepthM, maxWidthM, closed } = shape('RECT_OPEN', 1, 2)
    expect([fullDepthM, maxWidthM, closed]).toEqual([1, 2, false])
  })

  test('a rectangle, closed: the roof is wet over the last 3 % of the area', () => {
    const box = shape('RECT_CLOSED', 1, 2)
    expect([box.fullDepthM, box.maxWidthM, box.closed]).toEqual([1, 2, true])
    expect(at(box, 0.5)).toEqual(closeTo(1, 1 / 3))
    expect(at(box, 0.97)).toEqual(closeTo(1.94, 1.94 / 3.94))
    expect(at(box, 0.985)).toEqual(closeTo(1.97, 1.97 / (3.97 + 1)))
    expect(at(box, 1)).toEqual(closeTo(2, 2 / 6))
    expect(box.radius(0)).toBe(0)
  })

  test('a trapezoid with two slopes, and a triangle', () => {
    const y = 0.6
    const ditch = shape('TRAPEZOIDAL', 1, 2, 0.5, 1.5)
    const area = y * 2 + y * y
    expect(at(ditch, y)).toEqual(closeTo(area, area / (2 + y * (Math.sqrt(1.25) + Math.sqrt(3.25)))))
    expect([ditch.fullDepthM, ditch.maxWidthM, ditch.closed]).toEqual([1, 4, false])
    // 3 m wide and 2 m deep.
    const vee = shape('TRIANGULAR', 2, 3)
    expect(at(vee, 1)).toEqual(closeTo(0.75, 0.75 / (2 * Math.sqrt(1 + 0.75 ** 2))))
    expect([vee.fullDepthM, vee.maxWidthM, vee.closed]).toEqual([2, 3, false])
  })

  test('a rectangle over a triangle', () => {
    const found = shape('RECT_TRIANGULAR', 1, 1.5, 0.3)
    const slant = Math.hypot(0.3, 0.75)
    expect(at(found, 0.15)).toEqual(closeTo(0.15 * 0.375, (0.15 * 0.375) / slant))
    expect(at(found, 0.3)).toEqual(closeTo(0.225, 0.225 / (2 * slant)))
    const area = 0.225 + 0.4 * 1.5
    expect(at(found, 0.7)).toEqual(closeTo(area, area / (2 * slant + 0.8)))
    // Its roof over the last 2 % of the area.
    const full = 0.225 + 0.7 * 1.5
    expect(at(found, 1)).toEqual(closeTo(full, full / (2 * slant + 1.4 + 1.5)))
    const part = 0.99 * full
    const y = 0.3 + (part - 0.225) / 1.5
    expect(at(found, y)).toEqual(closeTo(part, part / (2 * slant + 2 * (y - 0.3) + 0.75)))
    expect([found.maxWidthM, found.closed]).toEqual([1.5, true])
  })
})

describe('round sections', () => {
  const segment = (r: number, angle: number) => (r * r * (angle - Math.sin(angle))) / 2

  test.each(['CIRCULAR', 'FORCE_MAIN'])('%s', (name) => {
    const pipe = shape(name, 2, 130)
    for (const y of [0.1, 0.5, 1, 1.7, 2]) {
      const angle = 2 * Math.acos(1 - y)
      expect(at(pipe, y)).toEqual(closeTo(segment(1, angle), segment(1, angle) / angle))
    }
    expect([pipe.fullDepthM, pipe.maxWidthM, pipe.closed]).toEqual([2, 2, true])
    // Rounding may put a depth a hair outside.
    expect(pipe.area(2 + 1e-12)).toBeCloseTo(Math.PI, 9)
    expect(pipe.area(-1e-12)).toBe(0)
  })

  test('a pipe that is filled in part: the fill’s surface is wet', () => {
    const pipe = shape('FILLED_CIRCULAR', 2, 0.5)
    const bottom = 2 * Math.acos(0.5)
    for (const y of [0.2, 0.5, 1.2, 1.5]) {
      const angle = 2 * Math.acos(1 - (y + 0.5))
      const area = segment(1, angle) - segment(1, bottom)
      expect(at(pipe, y)).toEqual(closeTo(area, area / (angle - bottom + Math.sqrt(3))))
    }
    expect([pipe.fullDepthM, pipe.maxWidthM, pipe.closed]).toEqual([1.5, 2, true])
    expect(pipe.area(1.5 + 1e-12)).toBeCloseTo(Math.PI - segment(1, bottom), 9)
  })

  test('a rectangle over an arc', () => {
    // Arc of radius 1 over 1.2 m: it rises 0.2 m.
    const found = shape('RECT_ROUND', 1, 1.2, 1)
    const angle = 2 * Math.asin(0.6)
    const wet = 2 * Math.acos(0.9)
    expect(at(found, 0.1)).toEqual(closeTo(segment(1, wet), segment(1, wet) / wet))
    expect(at(found, 0.2)).toEqual(closeTo(segment(1, angle), segment(1, angle) / angle))
    const area = segment(1, angle) + 0.3 * 1.2
    expect(at(found, 0.5)).toEqual(closeTo(area, area / (angle + 0.6)))
    const full = segment(1, angle) + 0.8 * 1.2
    expect(at(found, 1)).toEqual(closeTo(full, full / (angle + 1.6 + 1.2)))
    const part = 0.99 * full
    const y = 0.2 + (part - segment(1, angle)) / 1.2
    expect(at(found, y)[1]).toBeCloseTo(part / (angle + 2 * (y - 0.2) + 0.6), 9)
    // The arc can be no flatter than a half circle is wide.
    expect(shape('RECT_ROUND', 1, 1.2, 0.1).area(0.6)).toBeCloseTo(segment(0.6, Math.PI), 9)
    expect([found.maxWidthM, found.closed]).toEqual([1.2, true])
  })

  test('an arc over a rectangle', () => {
    const found = shape('MODBASKETHANDLE', 1.2, 1.2, 1)
    const angle = 2 * Math.asin(0.6)
    // Walls 1 m high, the arc rises 0.2 m.
    expect(at(found, 0.5)).toEqual(closeTo(0.6, 0.6 / 2.2))
    expect(at(found, 1)).toEqual(closeTo(1.2, 1.2 / 3.2))
    const left = 2 * Math.acos(0.9)
    const area = 1.2 + segment(1, angle) - segment(1, left)
    expect(at(found, 1.1)).toEqual(closeTo(area, area / (3.2 + angle - left)))
    const full = 1.2 + segment(1, angle)
    expect(at(found, 1.2)).toEqual(closeTo(full, full / (3.2 + angle)))
    expect([found.maxWidthM, found.closed]).toEqual([1.2, true])
    for (const alias of ['MOD_BASKET', 'MODBASKETHANDLE'])
      expect(shape(alias, 1.5, 1.2, 0.1).area(1.5)).toBeCloseTo(0.9 * 1.2 + segment(0.6, Math.PI), 9)
  })
})

describe('curved channels', () => {
  test('a parabola: 4/3 of half width and depth; wet length by its integral', () => {
    const found = shape('PARABOLIC', 1, 2)
    // x = sqrt(y): half a metre deep it is sqrt(2) wide.
    expect(found.area(0.5)).toBeCloseTo((4 / 3) * 0.5 * Math.sqrt(0.5), 12)
    expect(found.area(0.5) / found.radius(0.5)).toBeCloseTo(2 * curveLength(Math.sqrt, 0.5), 5)
    expect(shape('PARABOLIC', 4, 2).area(4)).toBeCloseTo((4 / 3) * 4, 12)
    expect(shape('PARABOLIC', 4, 2).area(1) / shape('PARABOLIC', 4, 2).radius(1)).toBeCloseTo(
      2 * curveLength((y) => Math.sqrt(y / 4), 1),
      5,
    )
    expect([found.fullDepthM, found.maxWidthM, found.closed]).toEqual([1, 2, false])
  })

  test('a power: y grows with x^p', () => {
    const found = shape('POWER', 1, 2, 1.5)
    const x = (y: number) => y ** (2 / 3)
    for (const y of [0.3, 0.5004, 1]) {
      expect(found.area(y)).toBeCloseTo((2 * x(y) * y) / (5 / 3), 12)
      expect(found.area(y) / found.radius(y)).toBeCloseTo(2 * curveLength(x, y), 3)
    }
    expect([found.fullDepthM, found.maxWidthM, found.closed]).toEqual([1, 2, false])
  })
})

describe('tabulated sections (SWMM Reference Manual II, chapter 5)', () => {
  // Depth share, area over depth2, radius over depth: from the manual's tables, times the full section's.
  test.each([
    ['EGG', 12 / 25, 0.42 * 0.5105, 0.904 * 0.1931, 2 / 3],
    ['EGGSHAPED', 5 / 25, 0.12 * 0.5105, 0.465 * 0.1931, 2 / 3],
    ['HORSESHOE', 10 / 25, 0.4064 * 0.8293, 0.8873 * 0.2538, 1],
    ['BASKETHANDLE', 20 / 25, 0.877 * 0.7862, 1.206 * 0.2464, 0.944],
    ['BASKET_HANDLE', 1, 0.7862, 0.2464, 0.944],
    // Where area is the argument, A R^(2/3) over its full value gives the radius.
    ['GOTHIC', 0.4, 0.4 * 0.6554, (0.36564 / 0.4) ** 1.5 * 0.2269, 0.84],
    ['CATENARY', 0.7, 0.8 * 0.70277, (0.89213 / 0.8) ** 1.5 * 0.23172, 0.9],
    ['SEMIELLIPTICAL', 0.5, 0.58 * 0.785, (0.6 / 0.58) ** 1.5 * 0.242, 1],
    ['SEMICIRCULAR', 0.5, 0.56 * 1.2697, (0.6 / 0.56) ** 1.5 * 0.2946, 1.64],
  ])('%s at %d', (name, share, area, radius, width) => {
    const found = shape(name, 2)
    expect([found.fullDepthM, found.closed]).toEqual([2, true])
    expect(found.maxWidthM).toBeCloseTo(2 * width, 12)
    expect(found.area(2 * share)).toBeCloseTo(4 * area, 6)
    expect(found.radius(2 * share)).toBeCloseTo(2 * radius, 6)
  })

  test('radius is linear between the entries, and holds at the ends', () => {
    const egg = shape('EGG', 1)
    expect(egg.radius(12.5 / 25)).toBeCloseTo(((0.904 + 0.941) / 2) * 0.1931, 12)
    expect(egg.radius(0)).toBeCloseTo(0.01 * 0.1931, 12)
    expect(egg.radius(2)).toBeCloseTo(0.1931, 12)
    expect(shape('GOTHIC', 1).radius(0)).toBeCloseTo(0.005 * 0.2269, 12)
  })

  test('area runs smoothly through the entries: slopes are harmonic means, half a secant at the ends', () => {
    const full = 0.5105
    const egg = shape('EGG', 1)
    const slope = (y: number, h: number) => (egg.area(y + h) - egg.area(y)) / h / full
    const h = 1e-7
    // Secants around entry 12: .3700 .4200 .4700, around entry 5: .0850 .1200 .1555, a twenty-fifth apart.
    for (const [k, a, b] of [
      [12, 0.05 * 25, 0.05 * 25],
      [5, 0.035 * 25, 0.0355 * 25],
      [20, 0.055 * 25, 0.05 * 25],
    ]) {
      const mean = (2 * a * b) / (a + b)
      expect(slope(k / 25, h)).toBeCloseTo(mean, 4)
      expect(slope(k / 25, -h)).toBeCloseTo(mean, 4)
    }
    expect(slope(0, h)).toBeCloseTo((0.0116 * 25) / 2, 4)
    expect(slope(1, -h)).toBeCloseTo((0.02 * 25) / 2, 4)
    expect(egg.area(-1)).toBe(0)
    expect(egg.area(2)).toBeCloseTo(full, 12)
    // Cubic of Hermite in the middle: mean of the ends and an eighth of the difference of slopes.
    const [s0, s1] = [(2 * 1.25 * 1.25) / 2.5, (2 * 1.25 * 1.125) / 2.375]
    expect(egg.area(12.5 / 25) / full).toBeCloseTo((0.42 + 0.47) / 2 + (s0 - s1) / 8 / 25, 9)
  })

  test('ellipses and arches by their axes, or by the number of a standard pipe', () => {
    const [inch, foot] = [0.0254, 0.3048]
    const flat = shape('HORIZ_ELLIPSE', 1, 1.5)
    expect([flat.fullDepthM, flat.maxWidthM]).toEqual([1, 1.5])
    expect(at(flat, 1)).toEqual(closeTo(1.2692, 0.3061))
    expect(at(flat, 0.4)).toEqual(closeTo(0.355 * 1.2692, 0.8326 * 0.3061))
    const upright = shape('VERT_ELLIPSE', 1.5, 1)
    expect([upright.fullDepthM, upright.maxWidthM]).toEqual([1.5, 1])
    expect(at(upright, 1.5)).toEqual(closeTo(1.2692, 0.3061))
    const arch = shape('ARCH', 1, 1.6)
    expect([arch.fullDepthM, arch.maxWidthM]).toEqual([1, 1.6])
    expect(at(arch, 1)).toEqual(closeTo(0.7879 * 1.6, 0.2991))

    const first = shape('HORIZ_ELLIPSE', 1, 1, 1)
    expect([first.fullDepthM, first.maxWidthM]).toEqual(closeTo(14 * inch, 23 * inch))
    expect(at(first, first.fullDepthM)).toEqual(closeTo(1.8 * foot ** 2, 0.367 * foot))
    const last = shape('VERT_ELLIPSE', 1, 1, 23)
    expect([last.fullDepthM, last.maxWidthM]).toEqual(closeTo(180 * inch, 116 * inch))
    expect(at(last, last.fullDepthM)).toEqual(closeTo(118.6 * foot ** 2, 2.968 * foot))
    const second = shape('ARCH', 1, 1, 2)
    expect([second.fullDepthM, second.maxWidthM]).toEqual(closeTo(13.5 * inch, 22 * inch))
    expect(at(second, second.fullDepthM)).toEqual(closeTo(1.65 * foot ** 2, 0.3 * foot))
    expect(() => shape('HORIZ_ELLIPSE', 1, 1, 24)).toThrow(/^no standard size 24$/)
    expect(() => shape('ARCH', 1, 1, 103)).toThrow(/^no standard size 103$/)
  })
})

describe('sections by points', () => {
  const curve = (x: number[], y: number[], depth: number) =>
    sectionShape({ ...section('CUSTOM', depth), curve: { name: 'C', x, y } } as SewerSection)

  test('a curve of widths: area and perimeter of its pieces, the flat top at the end', () => {
    // 1 m wide at the bottom, 3 m from half its height of 2 m on: a step at the top of the slope.
    const found = curve([0, 0.5, 0.5, 1], [0.5, 1, 1.5, 1.5], 2)
    expect([found.fullDepthM, found.maxWidthM, found.closed]).toEqual([2, 3, true])
    const slope = Math.hypot(0.5, 0.25)
    expect(at(found, 0.5)).toEqual(closeTo(0.625, 0.625 / (1 + 2 * slope)))
    expect(at(found, 1)).toEqual(closeTo(1.5, 1.5 / (1 + 4 * slope)))
    expect(at(found, 1.5)).toEqual(closeTo(3, 3 / (1 + 4 * slope + 1 + 1)))
    expect(at(found, 2)).toEqual(closeTo(4.5, 4.5 / (1 + 4 * slope + 1 + 2 + 3)))
  })

  test('a curve that narrows again: part of a piece is a share of its slope', () => {
    const found = curve([0, 0.5, 1], [1, 1, 0.5], 2)
    // 1.5 m up, half of the upper piece: 2 m wide below, 1.5 m there.
    const area = 2 + 0.5 * 1.75
    expect(at(found, 1.5)).toEqual(closeTo(area, area / (2 + 2 + 2 * Math.hypot(0.5, 0.25))))
  })

  test('what makes no section is refused by what it lacks', () => {
    const custom = section('CUSTOM', 1)
    const one = { name: 'C', x: [0], y: [1] }
    for (const bad of [custom, { ...custom, curve: one }])
      expect(() => sectionShape(bad)).toThrow(/^a custom section needs its curve$/)
    expect(() => shape('IRREGULAR')).toThrow(/^a natural section needs its transect$/)
    expect(() => shape('NOTHING', 1)).toThrow(/^unknown section NOTHING$/)
    expect(() => shape('CIRCULAR', 0)).toThrow(/^empty section CIRCULAR$/)
    expect(() => shape('RECT_OPEN', 1, 0)).toThrow(/^empty section RECT_OPEN$/)
    expect(() => shape('CIRCULAR', Number.NaN)).toThrow(RangeError)
  })
})

describe('two and a half times as large', () => {
  // Lengths, then what is none: slopes, an exponent, walls left out.
  const sizes: Record<string, [number[], number[]]> = {
    CIRCULAR: [[1.2], []],
    FORCE_MAIN: [[1.2], [130]],
    FILLED_CIRCULAR: [[1.2, 0.3], []],
    RECT_CLOSED: [[1, 1.5], []],
    RECT_OPEN: [[1, 1.5], [1]],
    TRAPEZOIDAL: [
      [1, 2],
      [1.5, 2],
    ],
    TRIANGULAR: [[0.8, 3], []],
    PARABOLIC: [[0.8, 2], []],
    POWER: [[0.8, 2], [1.5]],
    RECT_TRIANGULAR: [[1, 1.5, 0.3], []],
    RECT_ROUND: [[1, 1.5, 0.9], []],
    MODBASKETHANDLE: [[1.5, 1.2, 0.7], []],
    EGG: [[1.2], []],
    EGGSHAPED: [[1.2], []],
    HORSESHOE: [[1.2], []],
    BASKETHANDLE: [[1.2], []],
    GOTHIC: [[1.2], []],
    CATENARY: [[1.2], []],
    SEMIELLIPTICAL: [[1.2], []],
    SEMICIRCULAR: [[1.2], []],
    HORIZ_ELLIPSE: [[0.9, 1.5], []],
    VERT_ELLIPSE: [[1.5, 0.9], []],
    ARCH: [[0.9, 1.6], []],
  }
  test.each(Object.entries(sizes))(
    '%s has 6.25 times the area, and 2.5 times the radius',
    (name, [lengths, others]) => {
      const small = shape(name, ...lengths, ...others)
      const large = shape(name, ...lengths.map((length) => 2.5 * length), ...others)
      expect(large.maxWidthM).toBeCloseTo(2.5 * small.maxWidthM, 12)
      for (const share of [0.1, 0.35, 0.6, 0.85, 0.999]) {
        const y = share * small.fullDepthM
        expect(large.area(2.5 * y)).toBeCloseTo(6.25 * small.area(y), 9)
        expect(large.radius(2.5 * y)).toBeCloseTo(2.5 * small.radius(y), 9)
      }
    },
  )

  test('these are all, beside those by points', () => {
    expect([...SECTION_SHAPES].sort()).toEqual(
      [...Object.keys(sizes), 'CUSTOM', 'IRREGULAR', 'STREET'].sort(),
    )
  })
})
