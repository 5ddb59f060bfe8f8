import type { SewerLink } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { createSewer } from './solver.ts'
import { conduit, junction, network, outfall, section, steady } from './testing/build.ts'
import { closes } from './testing/channel.ts'

describe('where heads swing', () => {
  test('where a few nodes swing, shorter steps of these alone follow what short steps of all do', () => {
    const reaches = 60
    const town = network(
      [
        ...Array.from({ length: reaches }, (_, i) =>
          junction(`J${i}`, 20 - 0.1 * i, { fullDepthM: 4, inflows: i === 0 ? [steady(0.1)] : [] }),
        ),
        outfall('O', 20 - 0.1 * reaches),
      ],
      Array.from({ length: reaches }, (_, i) => conduit(`C${i}`, i, i + 1, 40, section('CIRCULAR', 0.6))),
    )
    const burst = (at: number, maxStepS?: number) => {
      const sewer = createSewer(town, { coupled: true, maxStepS })
      const water = new Float64Array(reaches + 1)
      const highest = new Float64Array(reaches)
      for (let i = 0; i < 240; i++) {
        // Bursts of 15 s, one a minute.
        water[at] = i > 60 && i % 12 < 3 ? 5 : 0
        sewer.step(5, water)
        for (let k = 0; k < reaches; k++) highest[k] = Math.max(highest[k], sewer.heads[k])
      }
      closes(sewer)
      return { sewer, highest }
    }
    for (const at of [30, reaches - 2]) {
      const parted = burst(at)
      const all = burst(at, 0.5)
      const exact = burst(at, 0.1)
      expect(parted.sewer.steps).toBeLessThan(all.sewer.steps / 4)
      expect(parted.sewer.rejectedSteps).toBe(0)
      for (let k = 0; k < reaches; k++) {
        const off = Math.abs(all.highest[k] - exact.highest[k])
        expect(Math.abs(parted.highest[k] - exact.highest[k])).toBeLessThan(0.04 + 2 * off)
      }
    }
  })

  test('so they do in a network with a long pipe, an orifice and one that seeps, away from these', () => {
    const reaches = 60
    const circle = section('CIRCULAR', 0.6)
    const town = network(
      [
        ...Array.from({ length: reaches }, (_, i) =>
          junction(`J${i}`, 20 - 0.1 * i, { fullDepthM: 4, inflows: i === 0 ? [steady(0.1)] : [] }),
        ),
        outfall('O', 20 - 0.1 * reaches),
      ],
      Array.from({ length: reaches }, (_, i): SewerLink => {
        if (i === 4) return conduit('long', i, i + 1, 240, circle)
        if (i === 52) return conduit('leaky', i, i + 1, 40, circle, { seepageMS: 1e-6 })
        if (i !== 48) return conduit(`C${i}`, i, i + 1, 40, circle)
        const opening = section('RECT_CLOSED', 0.6, 0.8)
        return {
          ...{ kind: 'orifice', name: 'gate', from: i, to: i + 1, vertices: [], orientation: 'side' },
          ...{ offsetM: 0, dischargeCoefficient: 0.65, flapGate: false, openCloseS: 0, section: opening },
        }
      }),
    )
    const burst = (maxStepS?: number) => {
      const sewer = createSewer(town, { coupled: true, maxStepS })
      const water = new Float64Array(reaches + 1)
      const highest = new Float64Array(reaches)
      for (let i = 0; i < 240; i++) {
        water[26] = i > 60 && i % 12 < 3 ? 5 : 0
        sewer.step(5, water)
        for (let k = 0; k < reaches; k++) highest[k] = Math.max(highest[k], sewer.heads[k])
      }
      closes(sewer)
      return { sewer, highest }
    }
    const parted = burst()
    const all = burst(0.5)
    const exact = burst(0.1)
    expect(parted.sewer.steps).toBeLessThan(all.sewer.steps / 4)
    expect(parted.sewer.rejectedSteps).toBe(0)
    expect(parted.sewer.totals().loss).toBeGreaterThan(0)
    for (let k = 0; k < reaches; k++) {
      const off = Math.abs(all.highest[k] - exact.highest[k])
      expect(Math.abs(parted.highest[k] - exact.highest[k])).toBeLessThan(0.04 + 2 * off)
    }
  })

  test('where most nodes swing at once all take the shorter steps, as if they had been asked to', () => {
    const reaches = 6
    const street = network(
      [
        ...Array.from({ length: reaches }, (_, i) => junction(`J${i}`, 20 - 0.1 * i, { fullDepthM: 4 })),
        outfall('O', 20 - 0.1 * reaches),
      ],
      Array.from({ length: reaches }, (_, i) => conduit(`C${i}`, i, i + 1, 40, section('CIRCULAR', 0.6))),
    )
    const burst = (maxStepS?: number) => {
      const sewer = createSewer(street, { coupled: true, maxStepS })
      const highest = new Float64Array(reaches)
      for (let i = 0; i < 120; i++) {
        const water = new Float64Array(reaches + 1).fill(i % 12 < 3 ? 5 : 0)
        sewer.step(5, water)
        for (let k = 0; k < reaches; k++) highest[k] = Math.max(highest[k], sewer.heads[k])
      }
      closes(sewer)
      return { sewer, highest }
    }
    const own = burst()
    // Whole steps are thrown away, and the shorter ones are of the whole network.
    expect(own.sewer.rejectedSteps).toBeGreaterThan(0)
    expect(own.sewer.steps).toBeGreaterThan(240)
    const exact = burst(0.1)
    const all = burst(0.5)
    for (let k = 0; k < reaches; k++) {
      const off = Math.abs(all.highest[k] - exact.highest[k])
      expect(Math.abs(own.highest[k] - exact.highest[k])).toBeLessThan(0.04 + 2 * off)
    }
  })
})
