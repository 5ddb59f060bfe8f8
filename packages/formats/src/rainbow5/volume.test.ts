import { describe, expect, test } from 'vitest'
import { rainbowBlob, rayAngles, VOLUME_BLOBS, VOLUME_XML, volumeBytes } from '../testing/rainbow-bytes.ts'
import { refusal } from '../testing/refusal.ts'
import { lowestReflectivitySweep, readRainbowVolume } from './volume.ts'

describe('Rainbow 5 volumes put together by hand', () => {
  test('sweeps with their own and inherited geometry, one a quantity', () => {
    const read = readRainbowVolume(volumeBytes())
    expect(read).toMatchObject({
      kind: 'rainbow5-volume',
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

  test('stop angles that the file has are taken, wherever they stand', () => {
    const rayinfo = /(<rayinfo refid="startangle" blobid="3"[^>]*>)\s*(<rayinfo refid="stopangle"[^>]*>)/
    for (const xml of [VOLUME_XML, VOLUME_XML.replace(rayinfo, '$2$1')]) {
      const { azimuthStartDeg, azimuthStopDeg } = readRainbowVolume(volumeBytes(xml)).sweeps[2]
      const near = [...azimuthStartDeg, ...azimuthStopDeg].map((v) => Math.round(v * 10) / 10)
      expect(near).toEqual([10, 20, 10.9, 20.9])
    }
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
    expect(refusal(() => readRainbowVolume(bytes)).code).toBe(code)
  })
})

describe('what a volume leaves out', () => {
  const sweeps = (from: string | RegExp, to: string) => {
    const xml = VOLUME_XML.replace(from, to)
    if (xml === VOLUME_XML) throw new Error(`nothing to replace: ${from}`)
    return readRainbowVolume(volumeBytes(xml))
  }
  test('is taken from the first slice, then from the scan, and the first gate begins at 0', () => {
    expect(sweeps('<rangestep>0.25</rangestep>', '').sweeps[2]).toMatchObject({
      rangeStepM: 500,
      rangeStartM: 100,
    })
    expect(sweeps('<posangle>0.6</posangle>', '').sweeps[2]).toMatchObject({ elevationDeg: 2.4 })
    expect(sweeps('<start_range>0.1</start_range>', '').sweeps[0]).toMatchObject({ rangeStartM: 0 })
  })
  test('a sweep without a time has that of the scan, the scan that of the file', () => {
    expect(sweeps('<slicedata time="00:00:33" date="2013-05-10">', '<slicedata>').sweeps[0].datetime).toBe(
      '2013-05-10T00:00:06.000Z',
    )
    expect(sweeps(' time="00:00:06" date="2013-05-10"', '').datetime).toBe('2013-05-10T00:03:17.000Z')
  })
  test('names, version and kind may be missing', () => {
    expect(sweeps(' name="essai.vol"', '').name).toBe('')
    expect(sweeps(' version="5.36.5"', '').version).toBe('')
    expect(sweeps(' type="vol"', '').type).toBe('vol')
    expect(sweeps(' type="vol"', ' type="AZI"').type).toBe('azi')
    expect(sweeps(' type="dBZ" bins="2"', ' bins="2"').sweeps[0].quantity).toBe('')
  })

  const stops = (starts: number[], step = '<anglestep>1</anglestep>') => {
    const blobs = [rainbowBlob(0, rayAngles(...starts)), ...VOLUME_BLOBS.slice(1)]
    const xml = VOLUME_XML.replace('<anglestep>1</anglestep>', step)
    return [...readRainbowVolume(volumeBytes(xml, blobs)).sweeps[0].azimuthStopDeg].map(
      (v) => Math.round(v * 10) / 10,
    )
  }
  test('rays of an antenna that turns the other way reach back', () => {
    expect(stops([1, 0, 359])).toEqual([0, 359, 358])
  })
  test('a step that is no step is an even share of the turn', () => {
    for (const step of ['', '<anglestep>0</anglestep>', '<anglestep>90</anglestep>'])
      expect(stops([0, 120, 240], step)).toEqual([120, 240, 0])
    expect(stops([0, 89, 178], '<anglestep>89</anglestep>')).toEqual([89, 178, 267])
  })
  test('a step of less than nothing is an even share too', () => {
    expect(stops([0, 120, 240], '<anglestep>-1</anglestep>')).toEqual([120, 240, 0])
  })
  test('rays that go to and fro, and a ray on its own, reach forward', () => {
    expect(stops([10, 11, 10])).toEqual([11, 12, 11])
    const one = VOLUME_XML.replaceAll('rays="3"', 'rays="1"').replace('blobid="0"', 'blobid="7"')
    const xml = one.replace('bins="2"', 'bins="6"').replace('bins="1" min="-8"', 'bins="3" min="-8"')
    const blobs = [...VOLUME_BLOBS, rainbowBlob(7, rayAngles(90))]
    expect([...readRainbowVolume(volumeBytes(xml, blobs)).sweeps[0].azimuthStopDeg]).toEqual([91])
  })
  test('half as wide again as the step is allowed', () => {
    // 2048 and 3072 of the 65,536 parts of a turn, without rounding.
    expect(stops([0, 16.875, 28.125], '<anglestep>11.25</anglestep>')).toEqual([16.9, 28.1, 39.4])
  })
  test('a ray may be half as wide again as the step, no wider, and not of no width', () => {
    expect(stops([10, 11.4, 13])).toEqual([11.4, 12.4, 14])
    expect(stops([10, 10, 11])).toEqual([11, 11, 12])
  })
})

test.each([
  ['a gate of a metre', '>0.25<', '>0.001<', { rangeStepM: 1 }],
  ['a gate of 10 km', '>0.25<', '>10<', { rangeStepM: 10_000 }],
  ['a first gate at 1,000 km', '>0.1<', '>1000<', { rangeStartM: 1e6 }],
  ['the zenith', '>0.6<', '>90<', { elevationDeg: 90 }],
])('%s is still accepted', (_, from, to, sweep) => {
  expect(readRainbowVolume(volumeBytes(VOLUME_XML.replace(from, to))).sweeps[2]).toMatchObject(sweep)
})

test('a scale of a million on either side is still accepted', () => {
  const xml = VOLUME_XML.replace('min="-31.5" max="95.5"', 'min="-1000000" max="1000000"')
  const { values } = readRainbowVolume(volumeBytes(xml)).sweeps[0]
  expect([values[1], values[2]]).toEqual([-1e6, 1e6])
})
