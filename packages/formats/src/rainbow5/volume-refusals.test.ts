import { describe, expect, test } from 'vitest'
import { VOLUME_XML, volumeBytes } from '../testing/rainbow-bytes.ts'
import { refusal } from '../testing/refusal.ts'
import { lowestReflectivitySweep, readRainbowVolume } from './volume.ts'

describe('what a volume must have', () => {
  const error = (from: string | RegExp, to: string) => {
    const xml = VOLUME_XML.replace(from, to)
    if (xml === VOLUME_XML) throw new Error(`nothing to replace: ${from}`)
    return refusal(() => readRainbowVolume(volumeBytes(xml)))
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
  test.each<[string, string | RegExp, string, string, string, object?]>([
    ['another root', /volume/g, 'product', 'wrongKind', "n'est pas un volume"],
    ['a kind that is not read', 'type="vol"', 'type="rhi"', 'unsupported', '« rhi »', { type: 'rhi' }],
    [
      'a kind with a long name',
      'type="vol"',
      `type="${'x'.repeat(30)}"`,
      'unsupported',
      `« ${'x'.repeat(20)} »`,
    ],
    ['a gate of under a metre', '>0.25<', '>0.0009<', 'badHeader', 'pas 0.9 m'],
    ['a gate of over 10 km', '>0.25<', '>10.1<', 'badHeader', 'pas de sens'],
    ['a first gate behind the radar', '>0.1<', '>-0.1<', 'badHeader', 'pas de sens'],
    ['a first gate beyond 1,000 km', '>0.1<', '>1001<', 'badHeader', 'pas de sens'],
    [
      'an antenna beyond the zenith',
      '>0.6<',
      '>90.1<',
      'badHeader',
      'élévation 90.1°, début 100 m, pas 250 m',
      { elevationDeg: 90.1, rangeStepM: 250, rangeStartM: 100 },
    ],
    ['no scale', 'min="-31.5"', 'min="95.5"', 'badHeader', 'va de 95.5 à 95.5', { min: 95.5, max: 95.5 }],
    ['a scale beyond all measure', 'max="95.5"', 'max="1000001"', 'badHeader', 'à 1000001'],
    ['a scale below all measure', 'min="-31.5"', 'min="-1000001"', 'badHeader', 'de -1000001'],
    ['values of 4 bits', 'depth="8"', 'depth="4"', 'unsupported', '4 bits', { depth: 4 }],
    [
      'over 16 million gates',
      'rays="3" type="dBZ" bins="2"',
      'rays="4097" type="dBZ" bins="4096"',
      'badHeader',
      'plus de valeurs que ce qui est accepté',
    ],
    // The first sweep has 6 gates of the same 16 million.
    [
      'over 16 million gates in all',
      'rays="3" type="V" bins="1"',
      'rays="4096" type="V" bins="4096"',
      'badHeader',
      'plus de valeurs que ce qui est accepté',
    ],
    [
      '16 million gates without their rays',
      'rays="3" type="dBZ" bins="2"',
      'rays="4096" type="dBZ" bins="4096"',
      'badHeader',
      '« rays »',
    ],
    ['angles of 8 bits', 'rays="3" depth="16"', 'rays="3" depth="8"', 'badHeader', '« depth »'],
    ['too many rays', 'rays="3" type', 'rays="7201" type', 'badHeader', '« rays »'],
    ['too many gates', 'bins="2"', 'bins="16385"', 'badHeader', '« bins »'],
  ])('%s is refused', (_, from, to, code, says, details = {}) => {
    const refused = error(from, to)
    expect(refused.code).toBe(`rainbow5.${code}`)
    expect(refused.message).toContain(says)
    expect(refused.details).toMatchObject(details)
  })
  test('no more than 100 slices', () => {
    const slice = /<slice refid="1">[\s\S]*?<\/slice>/.exec(VOLUME_XML)?.[0] ?? ''
    const many = (count: number) =>
      volumeBytes(VOLUME_XML.replace('</scan>', `${slice.repeat(count)}</scan>`))
    expect(readRainbowVolume(many(98)).sweeps).toHaveLength(2 + 99 * 2)
    expect(() => readRainbowVolume(many(99))).toThrow(
      expect.objectContaining({
        code: 'rainbow5.badHeader',
        message: expect.stringContaining('annonce 101 balayages'),
        details: { slices: 101 },
      }),
    )
  })
  test('reflectivity, for surface rain', () => {
    const volume = readRainbowVolume(volumeBytes())
    const none = { ...volume, sweeps: volume.sweeps.filter((sweep) => sweep.quantity === 'V') }
    const many = { ...none, sweeps: Array.from({ length: 30 }, () => none.sweeps[0]) }
    for (const [without, count] of [
      [none, 1],
      [many, 20],
    ] as const)
      expect(() => lowestReflectivitySweep(without)).toThrow(
        expect.objectContaining({
          code: 'rainbow5.notRain',
          message: expect.stringContaining('ne contient pas de réflectivité (dBZ)'),
          details: { quantities: new Array(count).fill('V') },
        }),
      )
    const uncorrected = { ...volume, sweeps: volume.sweeps.slice(0, 3) }
    expect(lowestReflectivitySweep(uncorrected).quantity).toBe('dBuZ')
  })
  test('that of the horizontal channel: dBZv is another quantity', () => {
    const volume = readRainbowVolume(volumeBytes())
    const [first, , third, fourth] = volume.sweeps
    const sweeps = [{ ...third, quantity: 'dBZv' }, { ...fourth, quantity: 'udBZ' }, first]
    expect(lowestReflectivitySweep({ ...volume, sweeps })).toBe(first)
  })
})
