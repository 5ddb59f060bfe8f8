import type { RadarSweep, RadarVolume } from '@radx/contracts/radar-volume'
import { describe, expect, test } from 'vitest'
import { writeOdimVolume } from '../odim/volume-writer.ts'
import { cfRadialBytes, gamicBytes, odimVolumeBytes } from '../testing/polar-file.ts'
import { joinVolumes } from './join.ts'
import { momentNames } from './moments.ts'
import { inOrder } from './rays.ts'
import { readRadarVolume } from './read.ts'
import { readRadarVolumeInWorker } from './worker.ts'

function sweep(azimuths: number[], moment = 'DBZH', datetime = '2024-05-01T12:00:00Z'): RadarSweep {
  return {
    datetime,
    elevationDeg: 1,
    nrays: azimuths.length,
    nbins: 2,
    azimuthDeg: Float64Array.from(azimuths),
    rangeStartM: 0,
    rangeStepM: 100,
    moments: { [moment]: { unit: '', values: Float32Array.from(azimuths.flatMap((a) => [a, -a])) } },
  }
}

const volume = (only: RadarSweep): RadarVolume => ({
  format: 'rainbow5',
  site: { name: 'essai', lat: 48, lon: 2, altitudeM: 100 },
  wavelengthM: 0.032,
  sweeps: [only],
  notes: [],
})

describe('rays', () => {
  test('beginning elsewhere than at north is turned without a word', () => {
    const notes: string[] = []
    const turned = inOrder(sweep([180, 270, 0, 90]), notes)
    expect([...turned.azimuthDeg]).toEqual([0, 90, 180, 270])
    expect([...turned.moments.DBZH!.values]).toEqual([0, -0, 90, -90, 180, -180, 270, -270])
    expect(notes).toEqual([])
  })

  test('out of order and twice are set right and named', () => {
    const notes: string[] = []
    expect([...inOrder(sweep([0, 270, 90, 180, 90.1]), notes).azimuthDeg]).toEqual([0, 90, 180, 270])
    expect(notes.join()).toMatch(/désordre.*double/)
  })
})

describe('joining the moments of a scan', () => {
  test('takes a moment of the same gates, leaves out one of another time or geometry, and says so', () => {
    const azimuths = [0, 90, 180, 270]
    const joined = joinVolumes([
      volume(sweep(azimuths, 'ZDR')),
      volume(sweep(azimuths)),
      volume(sweep(azimuths, 'KDP', '2024-05-01T12:05:00Z')),
      volume(sweep([0, 120, 240], 'RHOHV')),
    ])
    expect(Object.keys(joined.sweeps[0].moments)).toEqual(['DBZH', 'ZDR'])
    expect(joined.notes.join('\n')).toMatch(/KDP.*instant(.|\n)*RHOHV.*géométrie/)
  })

  test('two names of one moment: the better one takes its name', () => {
    expect(Object.fromEntries(momentNames(['uPhiDP', 'PhiDP', 'odd']))).toEqual({
      uPhiDP: 'uPhiDP',
      PhiDP: 'PHIDP',
      odd: 'odd',
    })
  })
})

describe('ODIM PVOL', () => {
  test('gates without echo stay apart from gates without a value', async () => {
    const { site, sweeps } = await readRadarVolume(await odimVolumeBytes())
    expect(site).toEqual({ name: 'NOD:frtes', lat: 48, lon: 2, altitudeM: 100 })
    const [only] = sweeps
    expect([only.nrays, only.nbins, only.rangeStartM, only.rangeStepM]).toEqual([4, 2, 1000, 250])
    expect(only.datetime).toBe('2024-05-01T12:00:00Z')
    expect([...only.azimuthDeg]).toEqual([45, 135, 225, 315])
    expect([...only.moments.DBZH!.values].slice(0, 4)).toEqual([-Infinity, Number.NaN, 18, 0])
    expect([...only.moments.RHOHV!.values].slice(0, 2)).toEqual([Number.NaN, Number.NaN])
  })
})

test.each([
  ['ODIM', odimVolumeBytes],
  ['GAMIC', gamicBytes],
  ['CfRadial', cfRadialBytes],
])('the thread gives what the reader itself gives: %s', async (_, make) => {
  const bytes = await make()
  const found = await readRadarVolumeInWorker(bytes)
  expect(found).toEqual(await readRadarVolume(bytes))
  expect(found.sweeps[0].azimuthDeg).toHaveLength(4)
})

test('gates of negative distance are left out and named', () => {
  const notes: string[] = []
  const values = Float32Array.of(1, 2, 3, 4, 5, 6)
  const kept = inOrder(
    {
      datetime: '2024-05-01T12:00:00Z',
      elevationDeg: 1,
      nrays: 2,
      nbins: 3,
      azimuthDeg: Float64Array.of(90, 270),
      rangeStartM: -150,
      rangeStepM: 100,
      moments: { DBZH: { unit: 'dBZ', values } },
    },
    notes,
  )
  expect([kept.nbins, kept.rangeStartM, ...kept.moments.DBZH!.values]).toEqual([2, -50, 2, 3, 5, 6])
  expect(notes.join()).toMatch(/1 porte\(s\) de distance négative/)
})

test('a volume written as ODIM is read back as it was', async () => {
  const volume: RadarVolume = {
    format: 'odim',
    site: { name: 'NOD:frtes', lat: 48, lon: 2, altitudeM: 100 },
    wavelengthM: 0.032,
    beamWidthDeg: 1.2,
    notes: [],
    sweeps: [1, 3].map((elevationDeg) => ({
      datetime: '2024-05-01T12:00:00Z',
      elevationDeg,
      nrays: 4,
      nbins: 2,
      azimuthDeg: Float64Array.of(45, 135, 225, 315),
      rangeStartM: 0,
      rangeStepM: 250,
      moments: {
        DBZH: {
          unit: 'dBZ',
          values: Float32Array.of(1, -30.5, Number.NaN, Number.NEGATIVE_INFINITY, 5, 6, 7, 8),
        },
        PHIDP: { unit: 'deg', values: Float32Array.of(-179, 2, Number.NaN, 4, 5, 6, 7, 8) },
      },
    })),
  }
  expect(await readRadarVolume(await writeOdimVolume(volume))).toEqual(volume)
})
