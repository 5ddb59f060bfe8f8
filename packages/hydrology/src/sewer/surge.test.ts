import { GRAVITY } from '@radx/contracts/constants'
import { describe, expect, test } from 'vitest'
import { createSewer } from './solver.ts'
import { conduit, network, outfall, section, tank } from './testing/build.ts'
import { closes } from './testing/channel.ts'

describe('surge between two tanks', () => {
  // Rigid column: L dQ/dt / (g A) = dz - r Q |Q|; areas F each side: omega^2 = 2 g A / (L F).
  const L = 400
  const D = 1
  const A = (Math.PI * D * D) / 4
  // What EXTRAN lets half of the pipe store beside a tank, by its width at 0.96 of its depth.
  const TANK = 200
  const F = TANK + (L / 2) * D * 2 * Math.sqrt(0.96 * 0.04)
  const tanks = (roughness: number) =>
    createSewer(
      network(
        [tank('A', 0, TANK, { initDepthM: 6 }), tank('B', 0, TANK, { initDepthM: 5 }), outfall('O', 20)],
        [
          conduit('P', 0, 1, L, section('CIRCULAR', D), { roughness }),
          // The outfall hangs far above the water: it only makes the network a network.
          conduit('Q', 1, 2, 100, section('CIRCULAR', D), { inOffsetM: 19.9 }),
        ],
        { minSurfaceAreaM2: 0.01, surchargeMethod: 'EXTRAN' },
      ),
      { maxStepS: 0.5 },
    )

  test('its period is that of a rigid column', () => {
    const sewer = tanks(1e-4)
    const period = 2 * Math.PI * Math.sqrt((L * F) / (2 * GRAVITY * A))
    const crossings: number[] = []
    let before = sewer.heads[0] - sewer.heads[1]
    while (crossings.length < 5 && sewer.timeS < 4000) {
      sewer.step(0.5)
      const now = sewer.heads[0] - sewer.heads[1]
      if (before > 0 && now <= 0) crossings.push(sewer.timeS - 0.5 * (now / (now - before)))
      before = now
    }
    const measured = (crossings[4] - crossings[0]) / 4
    expect(measured / period).toBeCloseTo(1, 2)
    closes(sewer)
  })

  test('its damping is that of quadratic friction', () => {
    const n = 0.02
    const sewer = tanks(n)
    // Reference by small explicit steps of the same ordinary differential equation.
    const friction = (GRAVITY * n * n) / (D / 4) ** (4 / 3)
    let dz = 1
    let q = 0
    const peaks: number[] = []
    const reference: number[] = []
    const h = 0.01
    let last = dz
    for (let t = 0; t < 1500; t += h) {
      const v = q / A
      q += h * ((GRAVITY * A * dz) / L - friction * v * Math.abs(v) * A)
      const next = dz - (2 * h * q) / F
      if (last < dz && next < dz) reference.push(dz)
      last = dz
      dz = next
    }
    let a = 1
    let b = 1
    while (sewer.timeS < 1500) {
      // Peaks are flat: looked at so closely the tolerance of the heads would make more.
      for (let i = 0; i < 10; i++) sewer.step(0.5)
      const now = sewer.heads[0] - sewer.heads[1]
      if (a < b && now < b) peaks.push(b)
      a = b
      b = now
    }
    expect(peaks.length).toBe(reference.length)
    peaks.forEach((peak, i) => {
      expect(Math.abs(peak - reference[i])).toBeLessThan(0.02)
    })
  })
})
