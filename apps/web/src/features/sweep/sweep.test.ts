import type { VolumeSection } from '@radx/contracts/radar-volumes'
import { decodeSweepBundle, encodeSweepBundle } from '@radx/rainfall/sweep-bundle'
import { describe, expect, test } from 'vitest'
import { readAddress, writeAddress } from './address.ts'
import { byElevation, fieldShown } from './choice.ts'
import { planeOf, polarOf, SweepReader } from './gates.ts'
import { axisOf, familyOf, pathOf, ticksWithin, valueAt } from './lines.ts'
import { colorTable, scaleOf, valueText } from './scales.ts'
import { beamTo, profileAbove, sectionValue } from './section.ts'

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')
const geometry = { elevationDeg: 1, nrays: 4, nbins: 100, rangeStartM: 0, rangeStepM: 500 }
const sweep = (name: string, unit: string, value: (ray: number, bin: number) => number) =>
  decodeSweepBundle(
    encodeSweepBundle(
      { stage: 'moments', name, unit, azimuthDeg: [45, 135, 225, 315], ...geometry },
      Array.from({ length: 400 }, (_, k) => value(Math.floor(k / 100), k % 100)),
    ),
  )

describe('the address', () => {
  test('carries volume, sweep, quantity, stage and gate, and leaves defaults out', () => {
    const asked = {
      ...{ volume: 'dpsri-20260601T120000Z', sweep: 3, name: 'DBZH' },
      ...({ stage: 'corrected', azimuth: 90.4, rangeKm: 12.5 } as const),
    }
    const written = writeAddress(new URLSearchParams('x=1'), asked)
    expect(readAddress(written)).toEqual(asked)
    expect(written.get('x')).toBe('1')
    const none = { volume: null, sweep: 1, name: null, stage: 'moments', azimuth: null } as const
    expect(writeAddress(written, none).toString()).toBe('x=1')
  })

  test('what makes no sense is left aside', () => {
    const odd = new URLSearchParams('balayage=-3&etape=x&azimut=500&grandeur=%3Cb%3E&distance=loin')
    expect(readAddress(odd)).toEqual({
      ...{ volume: null, sweep: 1, name: null, stage: 'moments', azimuth: null, rangeKm: 0 },
    })
  })
})

test('a place and the gate above it lead to each other', () => {
  for (const azimuth of [0, 45, 190, 359])
    for (const elevation of [0, 5, 20]) {
      const back = polarOf(planeOf({ azimuth, rangeM: 30_000 }, elevation), elevation)
      expect(back.azimuth).toBeCloseTo(azimuth, 6)
      expect(back.rangeM).toBeCloseTo(30_000, 3)
    }
})

test('a gate is read with its height, its place and what it holds', () => {
  const reader = new SweepReader(
    sweep('DBZH', 'dBZ', (ray, bin) =>
      ray === 1 ? bin / 2 : ray === 2 ? Number.NEGATIVE_INFINITY : Number.NaN,
    ),
  )
  const radar = { lat: 48.5, lng: 2.5, altitudeM: 100 }
  const east = reader.read({ azimuth: 90.1, rangeM: 20_250 }, radar)
  expect(east).toMatchObject({
    value: 20,
    at: { lat: expect.closeTo(48.5, 2), lng: expect.closeTo(2.7748, 3) },
  })
  // 20.25 km x sin 1 degree, and what the earth falls away by meanwhile.
  expect(east.heightM).toBeCloseTo(100 + 353.4 + 24.1, 0)
  expect(reader.read({ azimuth: 200, rangeM: 1000 }, radar).value).toBe(Number.NEGATIVE_INFINITY)
  expect(reader.read({ azimuth: 90.1, rangeM: 60_000 }, radar).value).toBeNaN()
})

test('each quantity has a scale of its own, and its values are read with their units', () => {
  const dbz = sweep('DBZH', 'dBZ', (_, bin) => bin)
  expect(scaleOf({ name: 'DBZH', unit: 'dBZ' }, dbz)).toMatchObject({ low: -10, high: 60 })
  const wind = sweep('VRADH', 'm/s', (ray) => (ray === 0 ? -3 : 12))
  expect(scaleOf({ name: 'VRADH', unit: 'm/s' }, wind)).toMatchObject({ low: -15, high: 15 })
  const rain = scaleOf({ name: 'RATE', unit: 'mm h-1' }, null)
  const wet = sweep('RATE', 'mm h-1', (_, bin) => (bin < 50 ? 0.2 : 25))
  const table = colorTable(wet.header, rain)
  expect([...table.subarray(4 * wet.codes[0], 4 * wet.codes[0] + 4)]).toEqual([0, 0, 0, 0])
  expect([...table.subarray(4 * wet.codes[60], 4 * wet.codes[60] + 4)]).toEqual([255, 228, 31, 255])
  expect(plain(valueText({ name: 'DBZH', unit: 'dBZ' }, 45.04))).toBe('45,0 dBZ')
  expect(valueText({ name: 'CLASS', unit: '1' }, 3)).toBe('pluie forte')
  expect(valueText({ name: 'METHOD', unit: '1' }, 4)).toBe('R(KDP)')
  expect(valueText({ name: 'LEFT_OUT', unit: '1' }, 1)).toBe('écarté')
  expect(valueText({ name: 'PHIDP', unit: 'degree' }, null)).toBe('–')
})

test('curves of one quantity stand together, on round axes, broken where nothing is', () => {
  expect(familyOf({ name: 'DBZH_GROUND', unit: 'dBZ' })).toBe('reflectivity')
  expect(familyOf({ name: 'R_KDP', unit: 'mm h-1' })).toBe('rain')
  expect(familyOf({ name: 'CLASS', unit: '1' })).toBeNull()
  expect(axisOf(-12, 47)).toEqual({ low: -20, high: 60, ticks: [-20, 0, 20, 40, 60] })
  expect(axisOf(3, 3).ticks.length).toBeGreaterThan(1)
  expect(ticksWithin(25_000)).toEqual([0, 5, 10, 15, 20, 25])
  expect(
    pathOf(
      [1, 2, null, 3],
      (bin) => bin * 10,
      (value) => value,
    ),
  ).toBe('M0.0 1.0h0.5L10.0 2.0M30.0 3.0h0.5')
  expect(valueAt({ rangeStartM: 0, rangeStepM: 500 }, [1, 2, null], 600)).toBe(2)
  expect(valueAt({ rangeStartM: 0, rangeStepM: 500 }, [1, 2, null], 9000)).toBeNull()
})

test('a section shows each beam as wide as it is, and what the beams hold above a place', () => {
  const beam = (elevationDeg: number, value: number): VolumeSection['sweeps'][number] => ({
    ...{ elevationDeg, azimuthDeg: 90, rangeStartM: 0, rangeStepM: 500 },
    values: Array.from({ length: 100 }, () => value),
  })
  const sweeps = [beam(1, 10), beam(4, 40)]
  expect(beamTo(20_000, 400).elevationDeg).toBeCloseTo(1.08, 2)
  expect(sectionValue(sweeps, 1, 20_000, 400)).toBe(10)
  expect(sectionValue(sweeps, 1, 20_000, 1450)).toBe(40)
  // Between the beams nobody looked.
  expect(sectionValue(sweeps, 1, 20_000, 900)).toBeNull()
  const profile = profileAbove(sweeps, 20_000)
  expect(profile.map(({ value }) => value)).toEqual([10, 40])
  expect(profile[1].heightM).toBeCloseTo(1422, -1)
  expect(profileAbove(sweeps, 60_000)).toEqual([])
})

test('what is shown is what was asked for, or reflectivity; elevations go up whatever the file’s order', () => {
  const fields = (['DBZH', 'ZDR'] as const).map((name) => ({ stage: 'moments' as const, name, unit: 'dB' }))
  const rate = { stage: 'estimate' as const, name: 'RATE', unit: 'mm h-1' }
  expect(fieldShown(fields, { stage: 'moments', name: 'ZDR' }, false)).toBe(fields[1])
  expect(fieldShown(fields, { stage: 'moments', name: null }, false)).toBe(fields[0])
  expect(fieldShown(fields, { stage: 'estimate', name: 'RATE' }, true)).toBeNull()
  expect(fieldShown([...fields, rate], { stage: 'estimate', name: 'RATE' }, false)).toBe(rate)
  expect(fieldShown(fields, { stage: 'estimate', name: 'RATE' }, false)).toBe(fields[0])
  const at = (elevationDeg: number) => ({ elevationDeg }) as never
  expect(byElevation({ sweeps: [at(5), at(1), at(3)] })).toEqual([1, 2, 0])
})
