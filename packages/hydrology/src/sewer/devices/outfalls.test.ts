import type { SewerOutfall } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { planSewer } from '../network/plan.ts'
import { conduit, junction, network, outfall } from '../testing/build.ts'
import { area, CHANNEL, radius } from '../testing/pipe.ts'
import { createOutfalls } from './outfalls.ts'

const GRAVITY = 9.81
const critical = (flow: number) => ((flow / 2) ** 2 / GRAVITY) ** (1 / 3)

interface Case {
  boundary: SewerOutfall['boundary']
  flow?: number
  /** Bottom of the junction above; the outfall's is at 10 m. */
  topM?: number
  /** Of the pipe's end over the outfall's bottom. */
  offsetM?: number
  timeS?: number
  startEpochS?: number
  /** Laid from the outfall to the junction. */
  turned?: boolean
}
/** Depth at an outfall below a channel of 100 m, 2 m wide. */
function depth({ boundary, flow = 0, topM = 11, offsetM = 0, timeS = 0, startEpochS = 0, turned }: Case) {
  const link = turned
    ? conduit('C', 1, 0, 100, CHANNEL, { inOffsetM: offsetM })
    : conduit('C', 0, 1, 100, CHANNEL, { outOffsetM: offsetM })
  const net = network([junction('J', topM), outfall('O', 10, { boundary })], [link], { startEpochS })
  const plan = planSewer(net)
  const heads = new Float64Array(2).fill(-1)
  createOutfalls(net, plan, new Uint8Array(1)).update(heads, Float64Array.of(flow), timeS)
  expect(heads[plan.positionOf[0]]).toBe(-1)
  return heads[plan.positionOf[1]] - 10
}
/** Discharge of normal depth, by Manning. */
const normalFlow = (y: number, drop: number) =>
  (Math.sqrt(drop / Math.sqrt(100 ** 2 - drop ** 2)) / 0.013) * area(y) * radius(y) ** (2 / 3)

describe('a free outfall', () => {
  test('stands at the lower of critical and normal depth', () => {
    // 1 cm of fall: normal depth is the higher one; 5 m: the lower one.
    expect(depth({ boundary: { type: 'free' }, flow: 2, topM: 10.01 })).toBeCloseTo(critical(2), 3)
    const steep = depth({ boundary: { type: 'free' }, flow: 2, topM: 15 })
    expect(steep).toBeLessThan(0.6 * critical(2))
    expect(normalFlow(steep, 5)).toBeCloseTo(2, 1)
    expect(depth({ boundary: { type: 'free' }, flow: 0 })).toBe(0)
  })
  test('does so whichever way the water runs, and the pipe is laid', () => {
    expect(depth({ boundary: { type: 'free' }, flow: -2, topM: 10.01 })).toBeCloseTo(critical(2), 3)
    expect(depth({ boundary: { type: 'free' }, flow: 2, topM: 10.01, turned: true })).toBeCloseTo(
      critical(2),
      3,
    )
    // The outfall is the upper end.
    expect(depth({ boundary: { type: 'free' }, flow: 2, topM: 9.99 })).toBeCloseTo(critical(2), 3)
  })
  test('is empty below a pipe that ends above it', () => {
    expect(depth({ boundary: { type: 'free' }, flow: 2, offsetM: 0.5 })).toBe(0)
    expect(depth({ boundary: { type: 'free' }, flow: 2, offsetM: 0.5, turned: true })).toBe(0)
    // Also where the outfall is the upper end.
    expect(depth({ boundary: { type: 'free' }, flow: 2, offsetM: 0.5, topM: 9 })).toBe(0)
  })
})

describe('an outfall at normal depth', () => {
  test('stands there, or is empty below a pipe that ends above it', () => {
    const y = depth({ boundary: { type: 'normal' }, flow: 2, topM: 10.1 })
    expect(y).toBeGreaterThan(critical(2))
    expect(normalFlow(y, 0.1)).toBeCloseTo(2, 3)
    expect(depth({ boundary: { type: 'normal' }, flow: 2, topM: 12, offsetM: 0.5 })).toBe(0)
  })
})

describe('an outfall with a stage', () => {
  // SWMM Reference Manual II, 3.3.6.
  const fixed = (stageM: number, more: Partial<Case> = {}) =>
    depth({ boundary: { type: 'fixed', stageM }, flow: 2, topM: 10.01, ...more })
  test('stands at it where that is higher than the free depth', () => {
    expect(fixed(11)).toBeCloseTo(1, 12)
    expect(fixed(10.1)).toBeCloseTo(critical(2), 3)
    expect(fixed(9)).toBeCloseTo(critical(2), 3)
  })
  test('below a pipe that ends above it: stage, free depth in the end, or nothing', () => {
    const more = { topM: 10.51, offsetM: 0.5 }
    expect(fixed(12, more)).toBeCloseTo(2, 12)
    expect(fixed(10.6, more)).toBeCloseTo(0.5 + critical(2), 3)
    expect(fixed(10.5, more)).toBeCloseTo(0.5 + critical(2), 3)
    expect(fixed(10.3, more)).toBeCloseTo(0.3, 12)
    expect(fixed(9, more)).toBe(0)
  })
  test('by the tide: stage against the hour of the day', () => {
    const curve = { name: 'T', x: [0, 6, 24], y: [11, 13, 11] }
    const tidal = (timeS: number, startEpochS = 0) =>
      depth({ boundary: { type: 'tidal', curve }, timeS, startEpochS })
    expect(tidal(0)).toBeCloseTo(1, 12)
    expect(tidal(3 * 3600)).toBeCloseTo(2, 12)
    expect(tidal(27 * 3600)).toBeCloseTo(2, 12)
    expect(tidal(3600, 2 * 3600)).toBeCloseTo(2, 12)
    expect(tidal(3600, -22 * 3600)).toBeCloseTo(2, 12)
  })
  test('by a series, kept at its ends', () => {
    const series = { name: 'S', timesS: [100, 200], values: [11, 12] }
    const at = (timeS: number) => depth({ boundary: { type: 'timeseries', series }, timeS })
    expect([0, 150, 300].map(at)).toEqual([1, 1.5, 2])
  })
})

describe('several outfalls', () => {
  const net = network(
    [
      outfall('O', 10, { boundary: { type: 'fixed', stageM: 11 }, flapGate: true }),
      junction('J', 12),
      outfall('P', 9),
      outfall('Q', 8, { boundary: { type: 'fixed', stageM: 8.5 } }),
      outfall('R', 20),
    ],
    [conduit('JP', 1, 2, 100, CHANNEL), conduit('JO', 1, 0, 100, CHANNEL)],
  )
  test('each has its own boundary and pipe; one without a pipe has its stage', () => {
    const plan = planSewer(net)
    const gates = new Uint8Array(4)
    const outfalls = createOutfalls(net, plan, gates)
    const first = plan.unknowns
    expect([0, 2, 3, 4].map((node) => gates[plan.positionOf[node] - first])).toEqual([1, 0, 0, 0])
    const heads = new Float64Array(5)
    const flows = new Float64Array(2).fill(1)
    outfalls.update(heads, flows, 0)
    expect(heads[plan.positionOf[0]]).toBe(11)
    expect(heads[plan.positionOf[2]]).toBeGreaterThan(9)
    expect(heads[plan.positionOf[3]]).toBe(8.5)
    expect(heads[plan.positionOf[4]]).toBe(20)
  })

  test('a plan that takes a junction for one is refused', () => {
    const plan = planSewer(net)
    expect(() => createOutfalls(net, { ...plan, unknowns: 0 }, new Uint8Array(5))).toThrow(
      /^J is no outfall$/,
    )
  })
})
