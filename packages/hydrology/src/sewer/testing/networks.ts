import type { SewerLink, SewerNetwork, SewerStorage } from '@radx/contracts'
import fc from 'fast-check'
import { SewerStepError } from '../errors.ts'
import { createPeaks } from '../results/peaks.ts'
import { createStatistics } from '../results/statistics.ts'
import { createSewer } from '../solver.ts'
import type { Sewer, SewerSolverOptions } from '../types.ts'
import { conduit, junction, network, outfall, section, steady, tank } from './build.ts'

const SECTIONS = [
  section('CIRCULAR', 0.6),
  section('RECT_CLOSED', 0.8, 1),
  { ...section('RECT_CLOSED', 0.7, 1), culvertCode: 10 },
  section('EGG', 1),
  section('TRAPEZOIDAL', 1.5, 1, 1, 1),
  { ...section('CIRCULAR', 0.5), barrels: 2 },
  section('FORCE_MAIN', 0.4, 120),
]

const share = fc.double({ min: 0, max: 1, noNaN: true })
const rarely = (value: number) => fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constant(value))

const shapes = fc.constantFrom<SewerStorage['shape']>(
  { type: 'functional', coefficient: 0, exponent: 0, constant: 30 },
  { type: 'functional', coefficient: 12, exponent: 1, constant: 4 },
  { type: 'functional', coefficient: 12, exponent: 0.6, constant: 4 },
  { type: 'quadratic', a0: 20, a1: 3, a2: 1 },
  { type: 'tabular', table: { name: 'T', x: [0.2, 0.5, 1.5], y: [10, 30, 35] } },
)

const pipe = fc.record({
  to: fc.nat(7),
  reversed: fc.boolean(),
  lengthM: fc.constantFrom(8, 40, 120, 260),
  profile: fc.constantFrom(...SECTIONS),
  offsets: fc.tuple(rarely(0.3), rarely(0.4)),
  loss: rarely(0.5),
  maxFlowM3S: rarely(0.2),
  seepageMS: rarely(1e-5),
  flapGate: fc.boolean(),
  device: fc.constantFrom('none', 'none', 'none', 'orifice', 'weir', 'pump'),
})

/** A tree of eight nodes over an outfall, a link besides, and all that a link can be. */
export const networks: fc.Arbitrary<SewerNetwork> = fc
  .record({
    pipes: fc.array(pipe, { minLength: 8, maxLength: 9 }),
    flows: fc.array(share, { minLength: 8, maxLength: 8 }),
    stores: fc.option(shapes),
    gate: fc.boolean(),
    stageM: fc.constantFrom(9, 10.4, 12),
    options: fc.record({
      surchargeMethod: fc.constantFrom('SLOT', 'EXTRAN'),
      inertialDamping: fc.constantFrom('NONE', 'PARTIAL', 'FULL'),
      normalFlowLimited: fc.constantFrom('SLOPE', 'FROUDE', 'BOTH'),
      forceMainEquation: fc.constantFrom('H-W', 'D-W'),
      allowPonding: fc.boolean(),
    }),
  })
  .map(({ pipes, flows, stores, gate, stageM, options }) => {
    const nodes = flows.map((flow, i) => {
      const more = { inflows: [steady(0.6 * flow * flow)], fullDepthM: 2.5 }
      return i === 3 && stores
        ? tank(`N${i}`, 11, 30, { ...more, shape: stores })
        : junction(`N${i}`, 10.2 + 0.25 * i, more)
    })
    const links = pipes.map((p, i): SewerLink => {
      // The first eight make a tree down to the outfall, the last one a loop.
      const from = i % 8
      const below = i === 0 ? 8 : p.to % Math.max(1, from)
      const to = i === 8 ? (from + 1 + (p.to % 6)) % 8 : below
      const ends: [number, number] = p.reversed ? [to, from] : [from, to]
      if (to !== 8 && p.device !== 'none') return device(p.device, `D${i}`, from, to)
      return conduit(`C${i}`, ...ends, p.lengthM, p.profile, {
        inOffsetM: p.offsets[0],
        outOffsetM: p.offsets[1],
        lossInlet: p.loss,
        lossAverage: p.loss / 2,
        maxFlowM3S: p.maxFlowM3S,
        seepageMS: p.seepageMS,
        // A gate against the stream would only fill the network.
        flapGate: p.flapGate && !p.reversed,
      })
    })
    const end = outfall('O', 10, { boundary: { type: 'fixed', stageM }, flapGate: gate })
    return network([...nodes, end], links, options as Partial<SewerNetwork['options']>)
  })

function device(kind: 'orifice' | 'weir' | 'pump', name: string, from: number, to: number): SewerLink {
  const shared = { name, from, to, vertices: [] }
  const opening = { ...shared, flapGate: false, section: section('RECT_CLOSED', 0.5, 0.5) }
  if (kind === 'orifice')
    return { ...opening, kind, orientation: 'side', offsetM: 0.1, dischargeCoefficient: 0.65, openCloseS: 0 }
  if (kind === 'weir')
    return {
      ...opening,
      kind,
      form: 'transverse',
      offsetM: 0.4,
      coefficient: 1.84,
      endContractions: 0,
      endCoefficient: 0,
      canSurcharge: true,
      roadWidthM: 0,
      roadSurface: null,
      coefficientCurve: null,
    }
  const curve = { name: 'P', x: [0.2, 0.6, 2], y: [0, 0.05, 0.1] }
  return { ...shared, kind, type: 2, curve, initiallyOn: true, startDepthM: 0, stopDepthM: 0 }
}

/** All that a sewer shows over two minutes and is remembered by, or the error that ends it. */
export function course(net: SewerNetwork, options: SewerSolverOptions): Float64Array {
  const sewer = createSewer(net, options)
  const peaks = createPeaks(sewer)
  const statistics = createStatistics(sewer)
  const shown: number[] = []
  const lateral = new Float64Array(net.nodes.length)
  if (options.coupled) sewer.openingAreas.fill(0.07, 0, 8)
  try {
    for (let i = 0; i < 24; i++) {
      // A burst, then nothing.
      lateral.fill(i > 4 && i < 10 ? 1.5 : 0, 0, 8)
      sewer.step(5, lateral)
      peaks.observe(5)
      statistics.observe(5)
      shown.push(...view(sewer))
    }
  } catch (error) {
    if (!(error instanceof SewerStepError)) throw error
    shown.push(sewer.steps, sewer.timeS)
  }
  for (const figures of [peaks.link, peaks.node, statistics.link, statistics.node])
    for (const values of Object.values(figures)) shown.push(...values)
  return Float64Array.from(shown)
}

const view = (sewer: Sewer) => [
  ...sewer.heads,
  ...sewer.volumes,
  ...sewer.flows,
  ...sewer.floodVolumes,
  ...sewer.outfallVolumes,
  sewer.nextStepS,
  sewer.steps,
  sewer.rejectedSteps,
  sewer.totals().error,
]
