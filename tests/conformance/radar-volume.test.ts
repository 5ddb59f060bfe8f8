import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RadarSweep } from '@radx/contracts/radar-volume'
import { joinVolumes } from '@radx/formats/volume/join'
import { readRadarVolume } from '@radx/formats/volume/read'
import { describe, expect, test } from 'vitest'
import { hasReferenceData, REFERENCE_DATA, referenceFiles } from './reference-data.ts'

interface Statistics {
  valid: number
  mean: number
  min: number
  max: number
}

const FOLDER = 'radar-science/polarimetric'

function statistics({ moments }: RadarSweep, name: string): Statistics {
  const values = Array.from(moments[name]!.values.filter(Number.isFinite))
  return {
    valid: values.length,
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    min: values.reduce((a, b) => Math.min(a, b)),
    max: values.reduce((a, b) => Math.max(a, b)),
  }
}

function expectStatistics(sweep: RadarSweep, name: string, expected: Statistics): void {
  const found = statistics(sweep, name)
  expect(found.valid, name).toBe(expected.valid)
  for (const key of ['mean', 'min', 'max'] as const)
    expect(found[key], `${name} ${key}`).toBeCloseTo(expected[key], 3)
}

describe.skipIf(!hasReferenceData())('polar volumes of real radars', () => {
  const reference = (): Record<string, Record<string, Statistics>> =>
    JSON.parse(readFileSync(join(REFERENCE_DATA, 'radar-science/polarimetric-reference.json'), 'utf8'))
  const read = (path: string) => readRadarVolume(readFileSync(path))

  test('Rainbow 5 by moment joins into one volume with the known counts and means', async () => {
    const files = referenceFiles(`${FOLDER}/mals`, /\.vol$/)
    const volume = joinVolumes(await Promise.all(files.map(read)))
    expect(volume.notes).toEqual([])
    expect(volume.wavelengthM).toBeCloseTo(0.03153, 4)
    expect(volume.sweeps).toHaveLength(10)
    const shares = [0.16412, 0.3228, 0.27096, 0.18803, 0.13237, 0.09809, 0.08327, 0.072, 0.09224, 0.0821]
    volume.sweeps.forEach((sweep, i) => {
      expect(Object.keys(sweep.moments).sort()).toEqual(
        ['DBZH', 'KDP', 'PHIDP', 'RHOHV', 'VRADH', 'WRADH', 'ZDR'].sort(),
      )
      expect(statistics(sweep, 'DBZH').valid / (sweep.nrays * sweep.nbins)).toBeCloseTo(shares[i], 5)
    })
    const known = reference()['mals_20191021_0824_el1.3']
    const low = volume.sweeps[1]
    expect([low.nrays, low.nbins, low.rangeStepM, low.elevationDeg]).toEqual([360, 1400, 50, 1.3])
    for (const name of ['DBZH', 'ZDR', 'RHOHV']) expectStatistics(low, name, known[name])
  })

  test('GAMIC: counts and means, rays by rising azimuth though the scan began at 182 degrees', async () => {
    const volume = await read(referenceFiles(`${FOLDER}/boxpol`, /mvol$/)[0])
    expect(volume.notes).toEqual([])
    expect(volume.wavelengthM).toBeCloseTo(0.03213, 5)
    const [sweep] = volume.sweeps
    expect([sweep.nrays, sweep.nbins, sweep.rangeStepM]).toEqual([360, 1000, 100])
    expect(sweep.azimuthDeg[114]).toBeCloseTo(114.5, 1)
    const known = reference().boxpol_20140810_1820
    for (const name of ['DBZH', 'ZDR', 'PHIDP', 'RHOHV']) expectStatistics(sweep, name, known[name])
  })

  test('CfRadial 1.3: nine moments on 360 rays of 492 gates', async () => {
    const volume = await read(referenceFiles(`${FOLDER}/monte-lema`, /MLL.*nc$/)[0])
    const [sweep] = volume.sweeps
    expect([sweep.nrays, sweep.nbins, sweep.datetime]).toEqual([360, 492, '2022-06-28T07:21:36Z'])
    expect(sweep.elevationDeg).toBeCloseTo(1, 1)
    expect(volume.wavelengthM).toBeCloseTo(0.055, 3)
    for (const name of ['DBZH', 'DBZV', 'ZDR', 'RHOHV', 'PHIDP', 'VRADH', 'WRADH', 'SNRH'])
      expect(statistics(sweep, name).valid, name).toBeGreaterThan(1000)
  })
})
