import type { SewerTransect } from '@radx/contracts'
import { expect, test } from 'vitest'
import { section } from '../testing/build.ts'
import { epaShape, interpolated } from './epa-shapes.ts'
import { sectionShape } from './section-shapes.ts'
import { criticalDepth, sectionTable } from './section-table.ts'

const profile = (x: number[], z: number[], more: Partial<SewerTransect> = {}): SewerTransect => ({
  name: 'T',
  stationsM: x,
  elevationsM: z,
  leftBankM: x[0],
  rightBankM: x[x.length - 1],
  nLeft: 0.03,
  nRight: 0.03,
  nChannel: 0.03,
  lengthFactor: 1,
  ...more,
})
const irregular = (transect: SewerTransect) => epaShape({ ...section('IRREGULAR'), transect })

test('tables are read by straight lines, in their first two intervals by parabolas', () => {
  const squares = Float64Array.from({ length: 11 }, (_, i) => (i / 10) ** 2)
  expect(interpolated(squares, 0.05)).toBeCloseTo(0.0025, 12)
  expect(interpolated(squares, 0.15)).toBeCloseTo(0.0225, 12)
  expect(interpolated(squares, 0.25)).toBeCloseTo(0.065, 12)
  expect([interpolated(squares, -1), interpolated(squares, 2)]).toEqual([0, 1])
})

test('a filled circle is the circle’s tables less the filling, by the full figures of EPA SWMM’s report', () => {
  const pipe = epaShape(section('FILLED_CIRCULAR', 100, 20))
  expect(pipe.fullDepthM).toBe(80)
  expect(pipe.area(80)).toBeCloseTo(6736.36, 2)
  expect(pipe.radius(80)).toBeCloseTo(21.33, 2)
  expect(epaShape(section('FILLED_CIRCULAR', 100, 50)).radius(50)).toBeCloseTo(15.62, 2)
  expect([pipe.area(0), pipe.width?.(0), pipe.width?.(30)]).toEqual([0, 80, 100])
})

test('a wall at the left end of a profile is wetted, one at the right end is not', () => {
  const flat = irregular(profile([0, 2, 4, 4], [0, 0, 0, 1]))
  expect(flat.area(1)).toBeCloseTo(4, 12)
  expect(flat.width?.(0.5)).toBeCloseTo(4, 12)
  // Area 4 over a bottom of 4, the left wall that is added and the profile's own right one.
  expect(flat.radius(1)).toBeCloseTo(4 / 6, 12)
  const open = irregular(profile([0, 0, 4], [1, 0, 0]))
  expect(open.radius(1)).toBeCloseTo(4 / 5, 12)
})

test('conveyances of pools and of banks with another roughness add up', () => {
  const two = irregular(profile([0, 0, 2, 2, 2, 4], [1, 0, 0, 1, 0, 0]))
  expect(two.area(0.5)).toBeCloseTo(2, 12)
  const conveyed = Math.cbrt(1 / 3) ** 2 + Math.cbrt(1 / 2.5) ** 2
  expect(two.radius(0.5)).toBeCloseTo((conveyed / 2) ** 1.5, 12)
  const banks = profile([0, 0, 3, 3, 5, 8, 8], [2, 1, 1, 0, 0, 1, 2], { leftBankM: 3, rightBankM: 8 })
  const rough = irregular({ ...banks, nLeft: 0.09 })
  expect(rough.area(2)).toBeCloseTo(irregular(banks).area(2), 12)
  expect(rough.radius(2)).toBeLessThan(irregular(banks).radius(2))
})

test('near the bottom of a triangular channel the width is that at a fiftieth of its depth', () => {
  const channel = irregular(profile([0, 5, 10], [1, 0, 1]))
  expect(channel.width?.(0)).toBeCloseTo(0.2, 12)
  expect(channel.width?.(0.5)).toBeCloseTo(5, 12)
})

test('a box as a shape curve is a closed rectangle, also where the curve ends below the top', () => {
  for (const x of [
    [0, 1],
    [0, 0.4],
  ]) {
    const box = epaShape({ ...section('CUSTOM', 2), curve: { name: 'S', x, y: [0.5, 0.5] } })
    expect(box.fullDepthM).toBe(2)
    expect(box.area(1)).toBeCloseTo(1, 12)
    expect(box.width?.(1.3)).toBeCloseTo(1, 12)
    expect(box.radius(1)).toBeCloseTo(1 / 3, 12)
    expect(box.radius(2)).toBeCloseTo(2 / 6, 12)
  }
})

test('rounded shapes are as full as ever, with EPA SWMM’s widths', () => {
  for (const shape of [
    'CIRCULAR',
    'EGG',
    'HORSESHOE',
    'GOTHIC',
    'CATENARY',
    'SEMIELLIPTICAL',
    'BASKETHANDLE',
    'SEMICIRCULAR',
  ]) {
    const epa = epaShape(section(shape, 1.5))
    const own = sectionShape(section(shape, 1.5))
    expect(epa.area(1.5)).toBeCloseTo(own.area(1.5), 9)
    expect(epa.radius(1.5)).toBeCloseTo(own.radius(1.5), 9)
    expect(epa.width?.(1.5)).toBe(0)
    for (let y = 0.1; y < 1.45; y += 0.1) expect(Math.abs(epa.area(y) / own.area(y) - 1)).toBeLessThan(0.05)
  }
  expect(epaShape(section('TRAPEZOIDAL', 1, 1, 1, 1)).width).toBeUndefined()
})

test('walls of open channels go on above the rim', () => {
  const flare = (shape: string, ...dims: number[]) => epaShape(section(shape, ...dims)).flare?.(2)
  expect(flare('TRAPEZOIDAL', 1, 1, 1, 2)).toBeCloseTo(7, 12)
  expect(flare('TRIANGULAR', 1, 3)).toBeCloseTo(6, 12)
  expect(flare('PARABOLIC', 1, 3)).toBeCloseTo(3 * Math.SQRT2, 12)
  expect(flare('POWER', 1, 3, 1)).toBeCloseTo(6, 12)
  expect([flare('RECT_OPEN', 1, 3), flare('CIRCULAR', 1)]).toEqual([undefined, undefined])
})

test('critical depths lie on straight lines between 25ths of the depth, but where there is a formula', () => {
  const pipe = section('CIRCULAR', 1)
  const table = sectionTable(pipe, epaShape(pipe))
  const exact = sectionTable(pipe)
  // EPA SWMM 5.2: a quarter of what runs critically at a 25th of the depth stands at a quarter of it, not at half.
  const least = table.critical[Math.round(256 / 25)]
  expect(criticalDepth(table, least / 4)).toBeCloseTo(0.01, 3)
  expect(criticalDepth(exact, least / 4)).toBeCloseTo(0.02, 3)
  for (const y of [0.2, 0.48, 0.8]) {
    const flow = exact.critical[Math.round(y * 256)]
    expect(criticalDepth(table, flow)).toBeCloseTo(criticalDepth(exact, flow), 2)
  }
  const box = section('RECT_CLOSED', 1, 1)
  expect(sectionTable(box, epaShape(box)).critical).toEqual(sectionTable(box).critical)
})
