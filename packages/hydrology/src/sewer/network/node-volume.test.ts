import type { SewerOptions } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { sectionTable } from '../sections/section-table.ts'
import { network, section } from '../testing/build.ts'
import {
  fadedDepth,
  fading,
  type NodeVolumeInput,
  nodeVolumes,
  type PipeEnd,
  storageArea,
  volumeAt,
} from './node-volume.ts'

describe('surface of a tank', () => {
  test('functional: coefficient d^exponent + constant', () => {
    const shape = { type: 'functional', coefficient: 3, exponent: 2, constant: 5 } as const
    expect([-1, 0, 2].map((d) => storageArea(shape, d))).toEqual([5, 5, 17])
    expect(storageArea({ ...shape, exponent: 0 }, 0)).toBe(8)
    expect(storageArea({ ...shape, coefficient: -3 }, 2)).toBe(0)
  })
  test('quadratic: a0 + a1 d + a2 d2', () => {
    const shape = { type: 'quadratic', a0: 5, a1: 3, a2: 2 } as const
    expect([-1, 0, 2].map((d) => storageArea(shape, d))).toEqual([5, 5, 19])
    expect(storageArea({ ...shape, a2: -9 }, 2)).toBe(0)
  })
  test('tabular: linear; its first value below, its last slope above', () => {
    const of = (x: number[], y: number[], d: number) =>
      storageArea({ type: 'tabular', table: { name: 'T', x, y } }, d)
    expect([0, 1, 1.5, 2, 3, 4, 6].map((d) => of([1, 2, 4], [10, 20, 60], d))).toEqual([
      10, 10, 15, 20, 40, 60, 100,
    ])
    expect(of([1, 2], [10, 4], 9)).toBe(0)
    expect([0, 5].map((d) => of([1], [10], d))).toEqual([10, 10])
  })
})

const SLOT = network([], []).options
const EXTRAN: SewerOptions = { ...SLOT, surchargeMethod: 'EXTRAN' }
/** Half of a pipe of 50 m, closed, 1.28 m high and 2 m wide. */
const half = (offsetM = 0): PipeEnd => ({
  table: sectionTable(section('RECT_CLOSED', 1.28, 2)),
  offsetM,
  halfLengthM: 25,
})
const node = (more: Partial<NodeVolumeInput> = {}): NodeVolumeInput => ({
  ownArea: () => 0,
  ends: [],
  reachEnds: [],
  crownM: 0,
  closesM: Infinity,
  ownTopM: 0,
  pondedAreaM2: 0,
  rimM: 5,
  sealed: false,
  ...more,
})
const volume = (input: NodeVolumeInput, depth: number, options = SLOT) =>
  volumeAt(nodeVolumes([input], options), 0, depth)
/** Surface between two depths, as the volumes have it. */
const surface = (input: NodeVolumeInput, depth: number, options = SLOT) =>
  (volume(input, depth + 1e-4, options) - volume(input, depth - 1e-4, options)) / 2e-4

describe('what a node stores', () => {
  test('a tank: the integral of its surface, beyond its top on the last surface', () => {
    const tank = node({ ownArea: (d) => 20 + 10 * d, ownTopM: 4 })
    expect([-1, 0, 0.013, 1, 4].map((d) => volume(tank, d))).toEqual(
      [0, 0, 0.013 * 20 + 5 * 0.013 ** 2, 25, 160].map((v) => expect.closeTo(v, 9)),
    )
    expect(volume(tank, 6)).toBeCloseTo(160 + 2 * 60, 9)
  })

  test('half of each pipe above its end: length / 2 times the area', () => {
    const ends = node({ ends: [half(), half(0.64)], crownM: 1.92 })
    // 2 m wide and 25 m long; the second begins to fill 0.64 m up.
    expect(volume(ends, 0.5)).toBeCloseTo(25, 6)
    expect(volume(ends, 1.1)).toBeCloseTo(50 * (1.1 + 0.46), 0)
    expect(surface(ends, 0.4)).toBeCloseTo(50, 6)
    expect(surface(ends, 1.1)).toBeCloseTo(100, 6)
  })

  test('never less surface than MIN_SURFAREA, nor than 0.15 square metres', () => {
    const dry = node({ ownTopM: 3 })
    expect(volume(dry, 2)).toBeCloseTo(2 * 1.167, 9)
    expect(volume(dry, 2, { ...SLOT, minSurfaceAreaM2: 0 })).toBeCloseTo(0.24, 12)
    const large = node({ ownArea: () => 3, ownTopM: 3 })
    expect(volume(large, 2)).toBeCloseTo(6, 9)
  })

  test('ponding: above the rim at least the ponded area', () => {
    const ponds = node({ ownTopM: 2, rimM: 2, pondedAreaM2: 100 })
    expect(volume(ponds, 1.98)).toBeCloseTo(1.98 * 1.167, 9)
    expect(surface(ponds, 1.9)).toBeCloseTo(1.167, 6)
    expect(surface(ponds, 2.5)).toBeCloseTo(100, 6)
    expect(surface(node({ ...ponds, ownArea: () => 300 }), 2.5)).toBeCloseTo(300, 6)
    expect(surface(node({ ...ponds, ownTopM: 3, pondedAreaM2: 0 }), 2.5)).toBeCloseTo(1.167, 6)
  })

  test('several nodes lie one behind the other', () => {
    const nodes = [
      node({ ownArea: () => 10, ownTopM: 1 }),
      node({ ownArea: () => 30, ownTopM: 9 }),
      node({ ownArea: () => 20 }),
    ]
    const volumes = nodeVolumes(nodes, SLOT)
    expect([0, 1, 2].map((k) => volumeAt(volumes, k, 0.5))).toEqual(
      [5, 15, 10].map((v) => expect.closeTo(v, 9)),
    )
    // Rows at most 1.5 cm apart, 64 at least, 400 at most.
    expect(Array.from(volumes.intervals)).toEqual([67, 400, 64])
    expect(Array.from(volumes.perMetre)).toEqual([67, 400 / 9, 640].map((v) => expect.closeTo(v, 9)))
  })

  test('p2 grows where the surface shrinks, so that both parts grow', () => {
    const hill = nodeVolumes(
      [node({ ownArea: (d) => (d < 1 ? 20 + 10 * d : 40 - 10 * d), ownTopM: 2 })],
      SLOT,
    )
    const at = (depth: number) => hill.rows.subarray(Math.round(depth * hill.perMetre[0]) * 4).subarray(0, 4)
    expect(at(1)[3]).toBe(0)
    expect(at(1)[2]).toBe(0)
    // 30 m2 at 1 m, 20 at 2 m: p2 = 10, V2 = 5.
    expect(at(2)[3]).toBeCloseTo(10, 9)
    expect(at(2)[2]).toBeCloseTo(5, 9)
    expect(at(2)[1]).toBeCloseTo(20, 9)
  })
})

describe('above the crown', () => {
  test('Sjoberg’s slot: 0.5423 exp(-(y/D)^2.4) of the width, 1 % from 1.78 D on', () => {
    const full = node({ ends: [half()], crownM: 1.28 })
    const width = (share: number) => 2 * 0.5423 * Math.exp(-(share ** 2.4))
    expect(surface(full, 1.2 * 1.28)).toBeCloseTo(25 * width(1.2), 2)
    expect(surface(full, 1.5 * 1.28)).toBeCloseTo(25 * width(1.5), 2)
    expect(surface(full, 2.5 * 1.28)).toBeCloseTo(1.167, 6)
    const none = { ...SLOT, minSurfaceAreaM2: 0 }
    expect(surface(full, 2.5 * 1.28, none)).toBeCloseTo(25 * 2 * 0.01, 6)
    // The slot begins a little below the crown.
    expect(surface(full, 0.97 * 1.28, none)).toBeCloseTo(50, 6)
    expect(surface(full, 0.997 * 1.28, none)).toBeCloseTo(25 * width(0.997), 1)
  })

  test('EXTRAN: as much as at 0.96 of the depth, up to where the node closes', () => {
    const none = { ...EXTRAN, minSurfaceAreaM2: 0 }
    const full = node({ ends: [half()], crownM: 1.28 })
    expect([1.24, 1.5, 9].map((depth) => surface(full, depth, none))).toEqual(
      [50, 50, 50].map((v) => expect.closeTo(v, 6)),
    )
    const closes = node({ ends: [half()], crownM: 1.28, closesM: 2 })
    expect(surface(closes, 1.9, none)).toBeCloseTo(50, 6)
    // Then it dies away, and the least surface with it.
    expect(surface(closes, 2.2, none)).toBeCloseTo(50 * (1 - 1.5 / 8) ** 8, 0)
    expect(surface(closes, 4, EXTRAN)).toBeCloseTo(0.12, 9)
    // Under a cover that holds the pressure nothing is stored.
    expect(surface({ ...closes, sealed: true }, 4, EXTRAN)).toBeCloseTo(0.01, 9)
    expect(surface(node({ ends: [half()], closesM: 2 }), 4)).toBeCloseTo(1.167, 6)
  })

  test('the depth that counts above a node that closes grows by the surface that is left', () => {
    expect([1, 2].map((depth) => fadedDepth(depth, 2))).toEqual([1, 2])
    for (const depth of [2.01, 2.2, 3])
      expect((fadedDepth(depth + 1e-5, 2) - fadedDepth(depth - 1e-5, 2)) / 2e-5).toBeCloseTo(
        fading(depth, 2),
        6,
      )
    expect(fadedDepth(9, Infinity)).toBe(9)
  })

  test('which begins at the crown, not below it', () => {
    const table = sectionTable(section('RECT_CLOSED', 12.8, 2))
    const tall = node({ ends: [{ ...half(), table }], crownM: 12.8 })
    expect(surface(tall, 0.99 * 12.8, { ...EXTRAN, minSurfaceAreaM2: 0 })).toBeCloseTo(50, 6)
  })

  test('an open channel keeps its top width', () => {
    const open = { ...half(), table: sectionTable(section('TRAPEZOIDAL', 1, 2, 1, 1)) }
    const full = node({ ends: [open], crownM: 1 })
    expect(surface(full, 0.5)).toBeCloseTo(25 * 3, 1)
    expect(surface(full, 2)).toBeCloseTo(25 * 4, 0)
  })

  test('a table reaches over what varies: the slot, the crown, the rim where it ponds', () => {
    const top = (input: NodeVolumeInput, options = SLOT) => {
      const { intervals, perMetre } = nodeVolumes([input], options)
      return intervals[0] / perMetre[0]
    }
    expect(top(node())).toBeCloseTo(0.1, 9)
    expect(top(node({ crownM: 3, ownTopM: 2 }))).toBeCloseTo(3, 9)
    expect(top(node({ crownM: 2, ownTopM: 3 }))).toBeCloseTo(3, 9)
    expect(top(node({ ends: [half(1)] }))).toBeCloseTo(1 + 1.28 * 1.79, 9)
    expect(top(node({ reachEnds: [half(1)] }), EXTRAN)).toBeCloseTo(1 + 1.28 * 1.02, 9)
    expect(top(node({ rimM: 4, pondedAreaM2: 10 }))).toBeCloseTo(4.05, 9)
    const open = { ...half(), table: sectionTable(section('RECT_OPEN', 1, 2)) }
    expect(top(node({ ends: [open] }))).toBeCloseTo(0.1, 9)
  })
})

describe('pipes that store by themselves', () => {
  const alone = (more: Partial<SewerOptions> = {}) => ({
    at: (depth: number) => surface(node({ reachEnds: [half()], ownTopM: 2 }), depth, { ...SLOT, ...more }),
  })
  test('take from the least surface what they bring, from 5 to 20 % of their depth on', () => {
    const least = { minSurfaceAreaM2: 200 }
    // They bring 50 m2.
    expect(alone(least).at(0.04 * 1.28)).toBeCloseTo(200, 2)
    expect(alone(least).at(0.125 * 1.28)).toBeCloseTo(175, 0)
    expect(alone(least).at(0.5 * 1.28)).toBeCloseTo(150, 6)
    expect(alone().at(0.5 * 1.28)).toBeCloseTo(0.12, 9)
    // From their own bottom on.
    const high = node({ reachEnds: [half(0.5)], ownTopM: 2 })
    expect(surface(high, 0.52, { ...SLOT, ...least })).toBeCloseTo(200, 2)
    expect(surface(high, 0.5 + 0.5 * 1.28, { ...SLOT, ...least })).toBeCloseTo(150, 6)
  })
})
