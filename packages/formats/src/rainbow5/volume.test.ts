import { FormatError } from '@radx/contracts/errors'
import { describe, expect, test } from 'vitest'
import { rainbowBlob, rayAngles, VOLUME_BLOBS, VOLUME_XML, volumeBytes } from '../testing/rainbow-bytes.ts'
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
  test('a ray may be half as wide again as the step, no wider, and not of no width', () => {
    expect(stops([10, 11.4, 13])).toEqual([11.4, 12.4, 14])
    expect(stops([10, 10, 11])).toEqual([11, 11, 12])
  })
})

describe('what a volume must have', () => {
  const error = (from: string | RegExp, to: string) => {
    const xml = VOLUME_XML.replace(from, to)
    if (xml === VOLUME_XML) throw new Error(`nothing to replace: ${from}`)
    try {
      readRainbowVolume(volumeBytes(xml))
    } catch (thrown) {
      if (thrown instanceof FormatError) return thrown
      throw thrown
    }
    throw new Error('not refused')
  }
  test.each([
    [/<scan[\s\S]*<\/scan>/, 'scan'],
    [/<slice [\s\S]*<\/slice>/, 'slice'],
    [/<slicedata[\s\S]*?<\/slicedata>/, 'slicedata'],
    [/<rayinfo refid="startangle"[^>]*>/, 'rayinfo startangle'],
    [/<rawdata[^>]*dBZ[^>]*>\s*<rawdata[^>]*>/, 'rawdata'],
    [/<posangle>2.4<\/posangle>/, 'posangle'],
    [/<rangestep>0.5<\/rangestep>/, 'rangestep'],
    [/ rays="3" type="dBZ"/, 'rays'],
    [/ bins="2"/, 'bins'],
    [/ min="-31.5" max="95.5" depth="8"/, 'depth'],
    [/ min="-31.5"/, 'min'],
    [/ max="95.5"/, 'max'],
    [/ blobid="1"/, 'blobid'],
    [/ blobid="0"/, 'blobid'],
    [/<radarinfo[\s\S]*<\/radarinfo>/, 'sensorinfo'],
  ])('%s', (from, field) => {
    const refused = error(from, '')
    expect(refused.code).toBe('rainbow5.badHeader')
    expect(refused.details).toMatchObject({ field })
  })
  test('a date', () => {
    const xml = VOLUME_XML.replace(/ (time|date|datetime)="[^"]*"/g, '')
    expect(() => readRainbowVolume(volumeBytes(xml))).toThrow('« date » manque')
  })
  test.each([
    ['another root', /volume/g, 'product', 'wrongKind', "n'est pas un volume"],
    ['a kind that is not read', 'type="vol"', 'type="rhi"', 'unsupported', '« rhi »'],
    ['a gate of under a metre', '>0.25<', '>0.0009<', 'badHeader', 'pas 0.9 m'],
    ['a gate of over 10 km', '>0.25<', '>10.1<', 'badHeader', 'pas de sens'],
    ['a first gate behind the radar', '>0.1<', '>-0.1<', 'badHeader', 'pas de sens'],
    ['a first gate beyond 1,000 km', '>0.1<', '>1001<', 'badHeader', 'pas de sens'],
    ['an antenna beyond the zenith', '>0.6<', '>90.1<', 'badHeader', 'élévation 90.1°'],
    ['no scale', 'min="-31.5"', 'min="95.5"', 'badHeader', 'va de 95.5 à 95.5'],
    ['a scale beyond all measure', 'max="95.5"', 'max="1000001"', 'badHeader', 'à 1000001'],
    ['a scale below all measure', 'min="-31.5"', 'min="-1000001"', 'badHeader', 'de -1000001'],
    ['values of 4 bits', 'depth="8"', 'depth="4"', 'unsupported', '4 bits'],
    ['angles of 8 bits', 'rays="3" depth="16"', 'rays="3" depth="8"', 'badHeader', '« depth »'],
    ['too many rays', 'rays="3" type', 'rays="7201" type', 'badHeader', '« rays »'],
    ['too many gates', 'bins="2"', 'bins="16385"', 'badHeader', '« bins »'],
  ])('%s is refused', (_, from, to, code, says) => {
    const refused = error(from, to)
    expect(refused.code).toBe(`rainbow5.${code}`)
    expect(refused.message).toContain(says)
  })
  test('no more than 100 slices', () => {
    const slice = /<slice refid="1">[\s\S]*?<\/slice>/.exec(VOLUME_XML)?.[0] ?? ''
    const many = (count: number) =>
      volumeBytes(VOLUME_XML.replace('</scan>', `${slice.repeat(count)}</scan>`))
    expect(readRainbowVolume(many(98)).sweeps).toHaveLength(2 + 99 * 2)
    expect(() => readRainbowVolume(many(99))).toThrow('annonce 101 balayages')
  })
  test('reflectivity, for surface rain', () => {
    const volume = readRainbowVolume(volumeBytes())
    const none = { ...volume, sweeps: volume.sweeps.filter((sweep) => sweep.quantity === 'V') }
    expect(() => lowestReflectivitySweep(none)).toThrow('ne contient pas de réflectivité (dBZ)')
    const uncorrected = { ...volume, sweeps: volume.sweeps.slice(0, 3) }
    expect(lowestReflectivitySweep(uncorrected).quantity).toBe('dBuZ')
  })
})
