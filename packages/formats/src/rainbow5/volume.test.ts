import { FormatError } from '@radx/contracts/errors'
import { describe, expect, test } from 'vitest'
import { VOLUME_BLOBS, VOLUME_XML, volumeBytes } from '../testing/rainbow-bytes.ts'
import { lowestReflectivitySweep, readRainbowVolume } from './volume.ts'

function refusal(bytes: Uint8Array): string {
  try {
    readRainbowVolume(bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError)
    return (error as FormatError).code
  }
  return 'accepted'
}

describe('Rainbow 5 volumes put together by hand', () => {
  test('sweeps with their own and inherited geometry, one a quantity', () => {
    const read = readRainbowVolume(volumeBytes())
    expect(read).toMatchObject({
      version: '5.36.5',
      type: 'vol',
      name: 'essai.vol',
      datetime: '2013-05-10T00:00:06.000Z',
      sensor: { id: 'BOX', lat: 50.73, lon: 7.07, altitudeM: 99.5, beamwidthDeg: null },
    })
    expect(
      read.sweeps.map((s) => [s.quantity, s.elevationDeg, s.rangeStepM, s.rangeStartM, s.nrays, s.nbins]),
    ).toEqual([
      ['dBZ', 2.4, 500, 100, 3, 2],
      ['V', 2.4, 500, 100, 3, 1],
      ['dBuZ', 0.6, 250, 100, 2, 1],
      ['dBZ', 0.6, 250, 100, 2, 1],
    ])
    expect(read.sweeps[0].datetime).toBe('2013-05-10T00:00:33.000Z')
    expect([...read.sweeps[0].values]).toEqual([Number.NEGATIVE_INFINITY, -31.5, 95.5, 0, -31, -30.5])
    expect([...read.sweeps[1].values]).toEqual([Number.NaN, -8, 8])
  })

  test('rays without stop angles reach the next ray across north, and no further than a step over a gap', () => {
    const { azimuthStartDeg, azimuthStopDeg } = readRainbowVolume(volumeBytes()).sweeps[0]
    const near = (actual: Float64Array, expected: number[]) =>
      expected.forEach((v, i) => {
        expect(actual[i]).toBeCloseTo(v, 1)
      })
    near(azimuthStartDeg, [358.5, 359.5, 4.5])
    near(azimuthStopDeg, [359.5, 0.5, 5.5])
  })

  test('the surface sweep is the lowest reflectivity, corrected before uncorrected', () => {
    const sweep = lowestReflectivitySweep(readRainbowVolume(volumeBytes()))
    expect([sweep.elevationDeg, sweep.quantity, ...sweep.values]).toEqual([0.6, 'dBZ', -30.5, -30])
  })

  test.each([
    ['a missing block', 'rainbow5.missingBlob', volumeBytes(VOLUME_XML, VOLUME_BLOBS.slice(0, 6))],
    [
      'rays that do not fit their angles',
      'rainbow5.badHeader',
      volumeBytes(VOLUME_XML.replace('blobid="3" rays="2"', 'blobid="3" rays="3"')),
    ],
    [
      'a sweep too large to hold',
      'rainbow5.badHeader',
      volumeBytes(VOLUME_XML.replace('rays="3" type="dBZ" bins="2"', 'rays="7000" type="dBZ" bins="9000"')),
    ],
    ['a range step of nothing', 'rainbow5.badHeader', volumeBytes(VOLUME_XML.replace('>0.25<', '>0<'))],
    [
      'a scan in elevation',
      'rainbow5.unsupported',
      volumeBytes(VOLUME_XML.replace('type="vol"', 'type="ele"')),
    ],
    ['a volume cut short', 'rainbow5.truncated', volumeBytes().subarray(0, -12)],
  ])('%s is refused as %s', (_, code, bytes) => {
    expect(refusal(bytes)).toBe(code)
  })
})
