import type { RadarVolume } from '@radx/contracts/radar-volume'
import { expect, test } from 'vitest'
import { joinVolumes } from '../volume/join.ts'
import { readRainbow } from '../volume/rainbow.ts'
import { RAINBOW_MOMENTS, writeRainbowVolume } from './volume-writer.ts'

const NO = Number.NaN

test('a volume written by moment and joined again is what it was, to half a code', () => {
  const moment = (unit: string, ...values: number[]) => ({ unit, values: Float32Array.from(values) })
  const volume: RadarVolume = {
    format: 'rainbow5',
    site: { name: 'TES', lat: 48.5, lon: 2.5, altitudeM: 100 },
    wavelengthM: 0.032,
    beamWidthDeg: 1,
    sweeps: [
      {
        datetime: '2024-06-01T12:00:00Z',
        elevationDeg: 1.5,
        nrays: 4,
        nbins: 2,
        azimuthDeg: Float64Array.of(45, 135, 225, 315),
        rangeStartM: 0,
        rangeStepM: 250,
        moments: {
          DBZH: moment('dBZ', 20, -31.5, Number.NEGATIVE_INFINITY, 40.5, 10, 0, 55, 12),
          ZDR: moment('dB', 0.5, -1, NO, 2, 0, 3, 0.25, 1),
          PHIDP: moment('deg', -10, 100, NO, 359, 0, 170, -179, 20),
        },
      },
    ],
    notes: [],
  }
  const files = Object.keys(RAINBOW_MOMENTS).flatMap((name) => writeRainbowVolume(volume, name) ?? [])
  expect(files).toHaveLength(3)
  const read = joinVolumes(files.map(readRainbow))
  expect(read.notes).toEqual([])
  expect(read).toMatchObject({ site: volume.site, wavelengthM: 0.032, beamWidthDeg: 1 })
  const [sweep] = read.sweeps
  expect(sweep).toMatchObject({ elevationDeg: 1.5, nrays: 4, nbins: 2, rangeStepM: 250 })
  expect([...sweep.azimuthDeg]).toEqual([45, 135, 225, 315])
  expect([...sweep.moments.DBZH!.values]).toEqual([20, -31.5, Number.NEGATIVE_INFINITY, 40.5, 10, 0, 55, 12])
  for (const [k, value] of [350, 100, NO, 359, 0, 170, 181, 20].entries())
    if (Number.isNaN(value)) expect(sweep.moments.PHIDP!.values[k]).toBeNaN()
    else expect(sweep.moments.PHIDP!.values[k]).toBeCloseTo(value, 1)
  expect(sweep.moments.ZDR!.values[6]).toBeCloseTo(0.25, 3)
})
