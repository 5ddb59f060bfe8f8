import type { SewerConduit, SewerNode, SewerOptions, SewerSection } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { conduit, junction, network, outfall, section } from '../testing/build.ts'
import { orifice, pump, weir } from '../testing/devices.ts'
import { isPipe, lengthFactor, offsets } from './conduit-plan.ts'
import { planSewer } from './plan.ts'

const GRAVITY = 9.81
const transect = {
  name: 'T',
  stationsM: [0, 1, 3, 4],
  elevationsM: [2, 0, 0, 2],
  leftBankM: 0,
  rightBankM: 4,
  nLeft: 0.05,
  nRight: 0.06,
  nChannel: 0.03,
  lengthFactor: 1.25,
}
const NATURAL: SewerSection = { ...section('IRREGULAR'), transect }

interface Case {
  profile?: SewerSection
  more?: Partial<SewerConduit>
  bottoms?: [number, number]
  options?: Partial<SewerOptions>
  lengthM?: number
}
function planned({
  profile = section('CIRCULAR', 1),
  more,
  bottoms = [11, 10],
  options,
  lengthM = 100,
}: Case = {}) {
  const nodes: SewerNode[] = [junction('A', bottoms[0]), junction('B', bottoms[1]), outfall('O', 0)]
  const plan = planSewer(network(nodes, [conduit('C', 0, 1, lengthM, profile, more)], options))
  return { ...plan.conduits, positionOf: plan.positionOf }
}
const slopeOf = (found: { beta: Float64Array }, n = 0.013) => (found.beta[0] * n) ** 2

describe('a conduit in the plan', () => {
  const more = {
    inOffsetM: 0.25,
    outOffsetM: 0.5,
    lossInlet: 1,
    lossOutlet: 2,
    lossAverage: 3,
    initFlowM3S: 0.4,
    maxFlowM3S: 0.6,
    seepageMS: 1e-6,
    flapGate: true,
  }
  const profile = { ...section('CIRCULAR', 1), barrels: 2 }

  test('has what the file gives, flows by barrel', () => {
    const found = planned({ profile, more })
    expect([found.direction[0], found.link[0], found.count, found.barrels[0]]).toEqual([1, 0, 1, 2])
    expect([found.from[0], found.to[0]]).toEqual([found.positionOf[0], found.positionOf[1]])
    expect([found.fromInvert[0], found.toInvert[0], found.length[0]]).toEqual([11.25, 10.5, 100])
    expect([found.lossIn[0], found.lossOut[0], found.lossMean[0]]).toEqual([1, 2, 3])
    expect([found.initFlow[0], found.maxFlow[0], found.seepage[0], found.flapGate[0]]).toEqual([
      0.2, 0.6, 1e-6, 1,
    ])
    expect(found.friction[0]).toBeCloseTo(GRAVITY * 0.013 ** 2, 15)
    expect(found.forceMain[0]).toBe(0)
  })

  test('that falls against its direction is solved the other way round', () => {
    const found = planned({ profile, more: { ...more, flapGate: false }, bottoms: [10, 11] })
    expect(found.direction[0]).toBe(-1)
    expect([found.from[0], found.to[0]]).toEqual([found.positionOf[1], found.positionOf[0]])
    expect([found.fromInvert[0], found.toInvert[0]]).toEqual([11.5, 10.25])
    expect([found.lossIn[0], found.lossOut[0]]).toEqual([2, 1])
    expect([found.initFlow[0], found.flapGate[0]]).toEqual([-0.2, 0])
    // Level ones are not.
    expect(planned({ bottoms: [10, 10] }).direction[0]).toBe(1)
  })

  test('its slope is drop over horizontal length, at least 0.001 ft and MIN_SLOPE', () => {
    expect(slopeOf(planned())).toBeCloseTo(1 / Math.sqrt(100 ** 2 - 1), 12)
    expect(slopeOf(planned({ bottoms: [10, 11] }))).toBeCloseTo(1 / Math.sqrt(100 ** 2 - 1), 12)
    expect(slopeOf(planned({ bottoms: [10, 10] }))).toBeCloseTo(0.0003048 / 100, 12)
    expect(slopeOf(planned({ options: { minSlope: 0.02 } }))).toBeCloseTo(0.02, 12)
    expect(slopeOf(planned({ options: { minSlope: 0.002 } }))).toBeGreaterThan(0.009)
    // Steeper than it is long.
    expect(slopeOf(planned({ lengthM: 0.5 }))).toBeCloseTo(2, 12)
    expect(slopeOf(planned({ lengthM: 1 }))).toBeCloseTo(1, 12)
  })

  test('a force main has its own roughness, and an equal Manning n', () => {
    const found = planned({ profile: section('FORCE_MAIN', 1, 120) })
    expect(found.forceMain[0]).toBe(120)
    // n = R^(2/3) S^0.5 / (0.849 C R^0.63 S^0.54).
    const slope = 1 / Math.sqrt(100 ** 2 - 1)
    const n = (0.25 ** (2 / 3) * slope ** 0.5) / (0.849 * 120 * 0.25 ** 0.63 * slope ** 0.54)
    expect(found.friction[0]).toBeCloseTo(GRAVITY * n * n, 12)
    const darcy = planned({ profile: section('FORCE_MAIN', 1, 0.001), options: { forceMainEquation: 'D-W' } })
    const f = 0.25 / Math.log10(0.001 / 3.7) ** 2
    expect(darcy.friction[0]).toBeCloseTo((0.25 ** (1 / 3) * f) / 8, 6)
  })

  test('a natural channel: its channel’s n, shortened by the meander, n by the root of that', () => {
    const found = planned({ profile: NATURAL })
    expect(found.length[0]).toBeCloseTo(80, 12)
    expect(found.friction[0]).toBeCloseTo(GRAVITY * 0.03 ** 2 * 1.25, 12)
    expect(slopeOf(found, 0.03 * Math.sqrt(1.25))).toBeCloseTo(1 / Math.sqrt(80 ** 2 - 1), 12)
    // A street has a transect too, but no meander.
    const street = planned({ profile: { ...NATURAL, shape: 'STREET' } })
    expect(street.length[0]).toBe(100)
    expect(street.friction[0]).toBeCloseTo(GRAVITY * 0.03 ** 2, 12)
    expect(lengthFactor(conduit('C', 0, 1, 10, section('IRREGULAR')))).toBe(1)
  })
})

describe('links', () => {
  test('pipes are conduits that have a section', () => {
    expect(isPipe(conduit('C', 0, 1, 10, section('CIRCULAR', 1)))).toBe(true)
    expect(isPipe(conduit('C', 0, 1, 10, section('DUMMY')))).toBe(false)
    expect(isPipe(orifice())).toBe(false)
  })

  test('heights over their nodes: what fills a pipe’s bottom counts, below 0 does not', () => {
    const pipe = (profile: SewerSection, more = {}) => offsets(conduit('C', 0, 1, 10, profile, more))
    expect(pipe(section('CIRCULAR', 1, 0.2), { inOffsetM: 0.5, outOffsetM: 0.7 })).toEqual([0.5, 0.7])
    expect(pipe(section('CIRCULAR', 1), { inOffsetM: -0.5, outOffsetM: -0.7 })).toEqual([0, 0])
    expect(pipe(section('FILLED_CIRCULAR', 1, 0.2), { inOffsetM: 0.5 })).toEqual([0.7, 0.2])
    expect(offsets(weir({ offsetM: 0.5 }))).toEqual([0.5, 0.5])
    expect(offsets(pump())).toEqual([0, 0])
  })
})
