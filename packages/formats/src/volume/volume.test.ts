import type { RadarSweep, RadarVolume } from '@radx/contracts/radar-volume'
import { describe, expect, test } from 'vitest'
import { writeOdimVolume } from '../odim/volume-writer.ts'
import { cfRadialBytes, classicCfRadialBytes, gamicBytes, odimVolumeBytes } from '../testing/polar-file.ts'
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

  test('files of other elevations with an echo of their own become sweeps of the volume', () => {
    const azimuths = [0, 90, 180, 270]
    const higher = { ...sweep(azimuths), elevationDeg: 3, datetime: '2024-05-01T12:02:00Z' }
    const joined = joinVolumes([
      volume(sweep(azimuths)),
      volume(higher),
      volume({ ...sweep(azimuths, 'ZDR'), elevationDeg: 3, datetime: '2024-05-01T12:02:00Z' }),
      volume({ ...sweep(azimuths), elevationDeg: 5, datetime: '2024-05-01T13:00:00Z' }),
      volume({ ...sweep(azimuths, 'KDP'), elevationDeg: 7 }),
    ])
    expect(joined.sweeps.map((one) => [one.elevationDeg, Object.keys(one.moments)])).toEqual([
      [1, ['DBZH']],
      [3, ['DBZH', 'ZDR']],
    ])
    expect(joined.notes.join('\n')).toMatch(/DBZH à 5°(.|\n)*KDP à 7°/)
    expect(Object.keys(higher.moments)).toEqual(['DBZH'])
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

describe('CfRadial in classic netCDF', () => {
  test('is read as in netCDF 4, rays as records included', async () => {
    const found = await readRadarVolume(classicCfRadialBytes())
    expect(found).toEqual(await readRadarVolume(await cfRadialBytes()))
    expect([...found.sweeps[0].moments.DBZH!.values]).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('rays of fewer gates end earlier; the standard name tells a moment; no echo is not a gate without a value', async () => {
    const rays = (values: number[]) => ({ dims: [0], values })
    const { sweeps } = await readRadarVolume(
      classicCfRadialBytes({
        ray_n_gates: rays([2, 1, 2, 2]),
        ray_start_index: rays([0, 2, 3, 5]),
        reflectivity: { dims: [0, 1], values: Array.from({ length: 8 }, () => 0), attributes: {} },
        TOTAL: {
          dims: [4],
          values: [1, 2, 3, -99, -88, 6, 7],
          attributes: { standard_name: 'log_differential_reflectivity_hv', _FillValue: -99 },
        },
        DBZ: {
          dims: [4],
          values: [1, 2, 3, -99, -88, 6, 7],
          attributes: { _FillValue: -99, _Undetect: -88 },
        },
      }),
    )
    const { ZDR, DBZH } = sweeps[0].moments
    expect([...ZDR!.values]).toEqual([1, 2, 3, Number.NaN, Number.NaN, -88, 6, 7])
    expect([...DBZH!.values]).toEqual([1, 2, 3, Number.NaN, Number.NaN, -Infinity, 6, 7])
  })

  test('a vertical cut is no turn; what is cut or lies is refused', async () => {
    const cut = classicCfRadialBytes({ sweep_mode: { dims: [2, 3], values: 'rhi'.padEnd(32, '\0') } })
    await expect(readRadarVolume(cut)).rejects.toThrow(/coupes verticales/)
    const whole = classicCfRadialBytes()
    for (const bytes of [whole.subarray(0, 300), whole.subarray(0, whole.length - 40)])
      await expect(readRadarVolume(bytes)).rejects.toMatchObject({ code: 'odim.damaged' })
    const endless = Uint8Array.from(whole)
    endless.set([0x7f, 0xff, 0xff, 0xff], 4)
    await expect(readRadarVolume(endless)).rejects.toMatchObject({ code: 'odim.damaged' })
  })
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
