import { describe, expect, test } from 'vitest'
import { hitschfeldBordan } from './gate-by-gate.ts'
import { phaseProfile, wrapped } from './phase.ts'
import { depolarization, rainFromReflectivity, reflectivityOfRain } from './rain.ts'
import { zphi, zphiSelf } from './zphi.ts'

describe('unit values of wradlib', () => {
  test('forward attenuation, rain, depolarization ratio', () => {
    const pia = hitschfeldBordan(
      Float64Array.from({ length: 20 }, (_, i) => 3 * i),
      5,
      { a: 2e-4, b: 0.7, gateKm: 1 },
    )
    for (const [ray, last] of [3.80794694e-3, 4.28175682e-2, 0.492303379, 7.70744561].entries())
      expect(pia[ray * 5 + 4] / last).toBeCloseTo(1, 7)
    expect(rainFromReflectivity(10)).toBeCloseTo(0.1537645610180688, 12)
    expect(10 ** (reflectivityOfRain(0.15) / 10)).toBeCloseTo(9.611164492610417, 9)
    for (const [i, ratio] of [-12.719937, -12.746507, -12.766551, -12.779969, -12.786695].entries()) {
      expect(depolarization(-0.5 + i / 9, 0.9)).toBeCloseTo(ratio, 5)
      expect(depolarization(0.5 - i / 9, 0.9)).toBeCloseTo(ratio, 5)
    }
  })
})

describe('phase', () => {
  test('folded, is rebuilt within 2 degrees and 2 per cent of the truth', () => {
    const nbins = 200
    const gateKm = 0.5
    const kdp = Float64Array.from({ length: nbins }, (_, i) => Math.max(0, Math.sin(0.3 * i * gateKm)))
    const truth = new Float64Array(nbins)
    for (let i = 1; i < nbins; i++) truth[i] = truth[i - 1] + (kdp[i] + kdp[i - 1]) * gateKm
    const raw = truth.map((value) => wrapped(value + 150))
    const { phidp, folded } = phaseProfile(raw, { nbins, gateKm, window: 7 })
    expect(folded).toBe(1)
    for (let i = 0; i < nbins; i++) expect(Math.abs(phidp[i] - truth[i])).toBeLessThan(2 + 0.02 * truth[i])
  })
})

describe('ZPHI', () => {
  /** A ray of known attenuation: A = c Z^0.78 of a smooth storm, its phase by alpha. */
  function storm(alpha: number) {
    const nbins = 400
    const gateKm = 0.1
    const truth = Float64Array.from({ length: nbins }, (_, i) =>
      i < 20 || i > 380 ? 8 : 20 + 25 * Math.exp(-(((i - 200) / 60) ** 2)),
    )
    const ah = truth.map((z) => 1.4e-4 * 10 ** (0.078 * z))
    const pia = new Float64Array(nbins)
    for (let i = 1; i < nbins; i++) pia[i] = pia[i - 1] + (ah[i] + ah[i - 1]) * gateKm
    const phidp = pia.map((value) => value / alpha)
    return { pia, input: { dbz: truth.map((z, i) => z - pia[i]), phidp, nbins, gateKm, endsKm: 0.5 } }
  }

  test('gives back what the storm took, within 2 per cent', () => {
    const { pia, input } = storm(0.28)
    const found = zphi(input, 0.28)
    expect(pia[399]).toBeGreaterThan(2)
    expect(found.pia[399] / pia[399]).toBeCloseTo(1, 1.7)
  })

  test('a phase without a rise takes nothing', () => {
    const { input } = storm(0.28)
    const flat = { ...input, phidp: input.phidp.map(() => 3) }
    expect(Math.max(...zphi(flat).pia)).toBe(0)
    expect(Math.max(...zphiSelf(flat).pia)).toBe(0)
  })
})
