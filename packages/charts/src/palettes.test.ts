import { MRR_PALETTES } from '@radx/contracts'
import { expect, test } from 'vitest'
import { PALETTES, paletteBytes } from './palettes.ts'

const at = (bytes: Uint8Array, i: number) => [...bytes.subarray(4 * i, 4 * i + 4)]

test('[MRR-05] all seven palettes are there and have 256 opaque colours', () => {
  for (const name of MRR_PALETTES) {
    const bytes = paletteBytes(name)
    expect(bytes).toHaveLength(1024)
    for (let i = 0; i < 256; i++) expect(bytes[4 * i + 3]).toBe(255)
    expect(at(bytes, 0)).not.toEqual(at(bytes, 255))
  }
})

test('the second of a pair runs the other way round', () => {
  for (const name of ['viridis', 'blues', 'inferno'] as const)
    expect(at(paletteBytes(`${name} 2`), 0)).toEqual(at(paletteBytes(name), 255))
})

test('known colours: viridis is purple to yellow, spectral blue to red', () => {
  expect(at(paletteBytes('viridis'), 0)).toEqual([68, 1, 84, 255])
  expect(at(paletteBytes('viridis'), 255)).toEqual([253, 231, 37, 255])
  expect(PALETTES.spectral(0)).toBe('rgb(94, 79, 162)')
  expect(PALETTES.spectral(1)).toBe('rgb(158, 1, 66)')
})
