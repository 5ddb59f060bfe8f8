import { describe, expect, test } from 'vitest'
import { hitschfeldBordan } from './gate-by-gate.ts'
import { addTurn, phaseProfile, wrapped } from './phase.ts'
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
    const byCorrelation = [
      0, -0.96266, -1.949568, -2.988849, -4.118078, -5.394812, -6.921361, -8.919312, -12.067837, -24.806473,
    ]
    for (const [i, ratio] of byCorrelation.entries()) expect(depolarization(1, i / 9)).toBeCloseTo(ratio, 5)
  })

  test('a phase of 0 to 599 degrees, folded twice, is unfolded exactly', () => {
    const truth = Float64Array.from({ length: 600 }, (_, i) => i)
    const phase = truth.map(wrapped)
    expect([1, 2, 3].map(() => addTurn(phase, 7, -40))).toEqual([true, true, false])
    expect(phase).toEqual(truth)
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

describe('phase with noise of 2 degrees, folded, with a gap of 20 gates', () => {
  test('is rebuilt within 1 degree and 2 per cent at 97 gates of 100', () => {
    const gateKm = 0.5
    let beyond = 0
    let gates = 0
    for (let seed = 1; seed <= 40; seed++) {
      const next = random(seed)
      const truth = waves(gateKm)
      const raw = truth.map((value) => wrapped(value + 30 + 4 * next() - 2))
      raw.fill(Number.NaN, 200, 220)
      const { phidp } = phaseProfile(raw, { nbins: raw.length, gateKm, window: 7, passes: 1 })
      truth.forEach((value, i) => {
        const error = Math.abs(phidp[i] - value) - 0.02 * value
        expect(error).toBeLessThan(3.5)
        if (error > 1) beyond++
        gates++
      })
    }
    expect(beyond / gates).toBeLessThan(0.03)
  })

  /** KDP = max(0, sin 0.3 r) over 500 km, its phase held over 20 gates from gate 200 on. */
  function waves(gateKm: number): Float64Array {
    const kdp = Array.from({ length: 1000 }, (_, i) => Math.max(0, Math.sin(0.3 * i * gateKm)))
    let phase = 0
    const truth = kdp.map((value, i) => {
      if (i > 0) phase += (value + kdp[i - 1]) * gateKm
      return phase
    })
    truth.splice(200, 0, ...new Array<number>(20).fill(truth[200]))
    return Float64Array.from(truth)
  }

  /** Linear congruence of Numerical Recipes. */
  function random(seed: number): () => number {
    let state = seed
    return () => {
      state = (state * 1664525 + 1013904223) % 4294967296
      return state / 4294967296
    }
  }
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

  test('finds the alpha of a ray within its range', () => {
    for (const alpha of [0.2, 0.35]) {
      const found = zphiSelf(storm(alpha).input)
      expect([found.searched, found.found]).toEqual([1, 1])
      expect(Math.abs(found.alpha[0] - alpha)).toBeLessThan(0.03)
    }
  })

  test('takes the fixed alpha where the best lies at the edge of the range', () => {
    const found = zphiSelf(storm(0.9).input, { minRise: 1 })
    expect([found.searched, found.found, found.alpha[0]]).toEqual([1, 0, 0.28])
  })

  test('a phase without a rise takes nothing', () => {
    const { input } = storm(0.28)
    const flat = { ...input, phidp: input.phidp.map(() => 3) }
    expect(Math.max(...zphi(flat).pia)).toBe(0)
    expect(Math.max(...zphiSelf(flat).pia)).toBe(0)
  })
})
