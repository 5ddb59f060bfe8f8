import { readInp } from '@radx/formats/inp/read'
import { createSewer } from '@radx/hydrology/sewer/solver'
import { explicitSewerWasm, sewerWasm } from '@radx/hydrology/testing/kernels'
import { describe, expect, test } from 'vitest'
import { besideEpa } from '../../tools/swmm/beside.ts'
import { quantile } from '../../tools/swmm/compare.ts'
import { withOptions } from '../../tools/swmm/epa.ts'
import { modelBesideEpa } from '../../tools/swmm/model-beside.ts'
import { randomModel } from '../../tools/swmm/random-model.ts'
import { randomNetwork, seeded } from '../../tools/swmm/random-network.ts'

const SEEDS = [1, 2, 3, 4, 5, 6]
/** Whole models that EPA SWMM is sure of. */
const WHOLE = [312, 317, 329, 337]
const WASM = { explicit: explicitSewerWasm, implicit: sewerWasm }

describe('networks drawn at random', () => {
  test.each(['explicit', 'implicit'] as const)('end and keep their water, %s scheme', (scheme) => {
    for (const seed of SEEDS) {
      const { network } = readInp(withOptions(randomNetwork(seeded(seed)).inp, { END_TIME: '01:00' }))
      const sewer = createSewer(network, { scheme, wasm: WASM[scheme]() })
      while (sewer.timeS < network.options.durationS) sewer.step(60)
      const { error, inflow, initial } = sewer.totals()
      expect(Math.abs(error), `seed ${seed}`).toBeLessThan(1e-9 * (Math.abs(inflow) + initial))
      for (const head of sewer.heads) expect(Number.isFinite(head), `seed ${seed}`).toBe(true)
      for (const flow of sewer.flows) expect(Number.isFinite(flow), `seed ${seed}`).toBe(true)
    }
  })

  test('come out as in EPA SWMM, where it is sure of them', async () => {
    // `node tools/swmm/random.ts` draws more; others swing in surcharge, in EPA SWMM as here.
    for (const seed of [301, 304]) {
      const { inp, kinds } = randomNetwork(seeded(seed))
      const { offs, unsure, refused } = await besideEpa(inp, kinds)
      expect([refused, unsure], `seed ${seed}`).toEqual([undefined, false])
      const errors = offs.map(({ error }) => error)
      expect(quantile(errors, 0.5), `seed ${seed}`).toBeLessThan(0.003)
      expect(quantile(errors, 0.95), `seed ${seed}`).toBeLessThan(0.02)
    }
  })

  test('with rain, people, rules, losses, tides and other hands, in several units, come out as in EPA SWMM', async () => {
    // `node tools/swmm/random-models.ts` draws more.
    const traits = new Set<string>()
    for (const seed of WHOLE) {
      const model = randomModel(seeded(seed))
      for (const trait of model.traits) traits.add(trait)
      const { figures, unsure, refused, balance } = await modelBesideEpa(model.inp)
      expect([refused, unsure], `seed ${seed}`).toEqual([undefined, false])
      expect(balance, `seed ${seed}`).toBeLessThan(1e-9)
      expect(figures.length, `seed ${seed}`).toBeGreaterThan(5)
      for (const { what, error } of figures) expect(error, `seed ${seed}: ${what}`).toBeLessThan(0.02)
    }
    for (const trait of [
      'runoff',
      'rules',
      'tidal',
      'tank losses',
      'elevations',
      'scrambled',
      'start in the afternoon',
    ])
      expect(traits).toContain(trait)
  })
})
