import type { RadarSweep } from '@radx/contracts/radar-volume'
import { describe, expect, test } from 'vitest'
import { BANDS, tuningNote, tuningOf, tuningOfBand } from './bands.ts'
import { sweepSteps } from './chain.ts'
import { judgeFileKdp } from './file-kdp.ts'
import { rainFromKdp } from './rain.ts'
import { meanZdr, zdrBias } from './zdr.ts'

const NRAYS = 4
const NBINS = 400

/** Rain of 20 to 30 dBZ over 40 km whose ZDR is that of light rain at X band and `bias`. */
function lightRain(bias: number, elevationDeg = 1): RadarSweep {
  const z = Float32Array.from({ length: NRAYS * NBINS }, (_, k) => 20 + 2 * (k % 6))
  const moment = (unit: string, value: (k: number) => number) => ({
    unit,
    values: z.map((_, k) => value(k)),
  })
  return {
    datetime: '2024-05-01T12:00:00Z',
    elevationDeg,
    nrays: NRAYS,
    nbins: NBINS,
    azimuthDeg: Float64Array.of(0, 90, 180, 270),
    rangeStartM: 0,
    rangeStepM: 100,
    moments: {
      DBZH: { unit: 'dBZ', values: z },
      RHOHV: moment('1', () => 0.99),
      ZDR: moment('dB', (k) => BANDS[0].zdrOfRain[k % 6] + bias),
      PHIDP: moment('deg', (k) => 100 + 0.02 * (k % NBINS)),
    },
  }
}

describe('coefficients by wavelength', () => {
  test.each([
    [0.0321, 'X', 0.28, 0.78],
    [0.055, 'C', 0.08, 0.8],
    [0.107, 'S', 0.02, 0.64884],
  ])('%f m is of the band %s', (wavelength, name, alpha, b) => {
    const tuning = tuningOf(wavelength)!
    expect(tuning.band).toMatchObject({ name, alpha, b })
    const steps = sweepSteps(lightRain(0), tuning)
    expect(steps.zphiFixed!.alpha[0]).toBe(alpha)
    const k = 200
    expect(steps.rainKdp![k]).toBeCloseTo(rainFromKdp(steps.profile!.kdp[k], 0.299792458 / wavelength), 9)
    expect(steps.rainA![k]).toBeCloseTo(
      tuning.band.rainOfA.a * steps.zphiSelf!.ah[k] ** tuning.band.rainOfA.b,
      9,
    )
  })

  test('a wavelength that is not known, or of another band, corrects nothing and says so', () => {
    expect(tuningOf(null)).toBeNull()
    expect(tuningOf(0.0086)).toBeNull()
    expect(tuningNote(null, null)).toMatch(/ne dit pas la longueur d’onde.*--band/)
    expect(tuningNote(null, 0.0086)).toMatch(/0,86 cm, hors des bandes/)
    expect(tuningOfBand('x')!.band.name).toBe('X')
    expect(tuningOfBand('Ka')).toBeNull()
    const steps = sweepSteps(lightRain(0), null)
    expect([steps.zphiFixed, steps.zphiSelf, steps.rainA, steps.rainKdp, steps.rainZCorrected]).toEqual(
      new Array(5).fill(null),
    )
    expect(steps.profile!.kdp[200]).toBeCloseTo(0.1, 3)
  })
})

test('a phase that rises too little for an own alpha is named', () => {
  const { notes, zphiSelf } = sweepSteps(lightRain(0), tuningOf(0.032))
  expect(zphiSelf!.searched).toBe(0)
  expect(zphiSelf!.alpha[0]).toBe(0.28)
  expect(notes.join()).toMatch(/α fixe \(0,28 dB\/°\) partout/)
})

describe('ZDR', () => {
  test.each([-0.7, 0, 0.4])('gives back a bias of %f dB from light rain', (bias) => {
    const found = zdrBias([lightRain(bias)], BANDS[0])!
    expect(found.biasDb).toBeCloseTo(bias, 5)
    expect(found.gates).toBeGreaterThan(1000)
  })

  test('says nothing where there is too little light rain, or it is looked at from below', () => {
    const { RHOHV, ...moments } = lightRain(0).moments
    expect(zdrBias([{ ...lightRain(0), moments }], BANDS[0])).toBeNull()
    expect(RHOHV).toBeDefined()
    const usual = meanZdr([lightRain(0)])!
    expect(
      meanZdr([{ ...lightRain(-1), moments: { ...lightRain(-1).moments, RHOHV: undefined } }]),
    ).toBeCloseTo(usual - 1, 5)
    expect(zdrBias([lightRain(0, 45)], BANDS[0])).toBeNull()
  })
})

describe('KDP of the file', () => {
  const rebuilt = Float64Array.from({ length: 500 }, (_, k) => 1 + Math.sin(k / 20))
  const dbz = rebuilt.map(() => 30)

  test('is noise where it does not follow the phase', () => {
    const noise = rebuilt.map((_, k) => 15 * Math.sin(k * k))
    expect(judgeFileKdp(noise, rebuilt, dbz)!.isNoise).toBe(true)
    expect(
      judgeFileKdp(
        rebuilt.map((value) => value + 0.1),
        rebuilt,
        dbz,
      ),
    ).toMatchObject({ isNoise: false })
  })

  test('of light rain, near 0, is none; few gates tell nothing', () => {
    const quiet = rebuilt.map((_, k) => 0.1 * Math.sin(k * k))
    const flat = rebuilt.map((_, k) => 0.1 * Math.cos(k * 7))
    expect(judgeFileKdp(quiet, flat, dbz)!.isNoise).toBe(false)
    expect(judgeFileKdp(quiet, flat, dbz.subarray(0, 50))).toBeNull()
  })
})
