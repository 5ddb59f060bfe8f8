import fc from 'fast-check'
import { expect, test } from 'vitest'
import { saveState } from '../../state/state.ts'
import { sewerWasm } from '../../testing/kernels.ts'
import { createSewer } from '../solver.ts'
import { conduit, junction, network, outfall, section } from '../testing/build.ts'
import { course, networks } from '../testing/networks.ts'

const wasm = sewerWasm()

function sameBits(found: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(found.length).toBe(expected.length)
  for (let i = 0; i < expected.length; i++)
    if (!Object.is(found[i], expected[i])) expect([i, found[i]]).toEqual([i, expected[i]])
}

test('the compiled loops give the reference’s bits, whatever the network is made of', () => {
  fc.assert(
    fc.property(networks, fc.boolean(), fc.constantFrom(undefined, 1), (net, coupled, maxStepS) => {
      const options = { coupled, maxStepS }
      sameBits(course(net, { ...options, wasm }), course(net, options))
    }),
    { numRuns: 60 },
  )
})

/** Streets down to one trunk, long enough that what swings in one is solved apart. */
const STREETS = 6
const SHAFTS = 15
const town = () => {
  const nodes = Array.from({ length: STREETS * SHAFTS }, (_, i) =>
    junction(`J${i}`, 30 - 0.2 * (i % SHAFTS) - 0.5 * Math.floor(i / SHAFTS), { fullDepthM: 2 }),
  )
  const end = nodes.length
  const links = nodes.map((_, i) => {
    const last = i % SHAFTS === SHAFTS - 1
    const below = last ? (i + SHAFTS < end ? i + SHAFTS : end) : i + 1
    return conduit(`C${i}`, i, below, 40, section('CIRCULAR', last ? 0.8 : 0.4))
  })
  return network([...nodes, outfall('O', 24)], links, { surchargeMethod: 'EXTRAN' })
}

test('so do those of parts that swing, each solved for itself', () => {
  const burst = fc.record({
    at: fc.nat(STREETS * SHAFTS - 1),
    m3: fc.double({ min: 0.5, max: 4, noNaN: true }),
  })
  const bursts = fc.array(burst, { minLength: 1, maxLength: 4 })
  let pieces = 0
  const shown = (all: readonly { at: number; m3: number }[], compiled: boolean) => {
    const sewer = createSewer(town(), { coupled: true, ...(compiled && { wasm }) })
    sewer.openingAreas.fill(0.2, 0, STREETS * SHAFTS)
    const lateral = new Float64Array(sewer.network.nodes.length)
    const values: number[] = []
    for (let i = 0; i < 12; i++) {
      lateral.fill(0.01, 0, STREETS * SHAFTS)
      if (i > 2 && i < 8) for (const { at, m3 } of all) lateral[at] = m3
      sewer.step(5, lateral)
      values.push(...sewer.heads, ...sewer.volumes, ...sewer.flows, ...sewer.floodVolumes, sewer.steps)
    }
    pieces += saveState((state) => sewer.visit(state)).numbers.get('refinement.steps') ?? 0
    return values
  }
  fc.assert(
    fc.property(bursts, (all) => sameBits(shown(all, true), shown(all, false))),
    { numRuns: 15 },
  )
  expect(pieces).toBeGreaterThan(0)
})
