import type { MrrPalette } from '@radx/contracts/mrr'
import {
  interpolateBlues,
  interpolateInferno,
  interpolateRdBu,
  interpolateSpectral,
  interpolateTurbo,
  interpolateViridis,
} from 'd3-scale-chromatic'

export type PaletteName = MrrPalette | 'spectral'

/** A colour `rgb(r, g, b)` or `#rrggbb` for a share from 0 to 1. */
export type Palette = (share: number) => string

/**
 * Palettes by name. The second of a pair runs the other way round: high values dark on a light page, or light on a dark
 * one.
 */
export const PALETTES: Record<PaletteName, Palette> = {
  turbo: interpolateTurbo,
  viridis: interpolateViridis,
  'viridis 2': (share) => interpolateViridis(1 - share),
  blues: interpolateBlues,
  'blues 2': (share) => interpolateBlues(1 - share),
  inferno: interpolateInferno,
  'inferno 2': (share) => interpolateInferno(1 - share),
  // Red is high, as on the other palettes.
  spectral: (share) => interpolateSpectral(1 - share),
}

/** Differences from much less (blue) through none (white) to much more (red). */
export const differencePalette: Palette = (share) => interpolateRdBu(1 - share)

/** 256 colours of a palette, four bytes each (red, green, blue, 255), for painting pixels. */
export const paletteBytes = (name: PaletteName): Uint8Array => bytesOf(PALETTES[name])
export const differenceBytes = (): Uint8Array => bytesOf(differencePalette)

function bytesOf(palette: Palette): Uint8Array {
  const bytes = new Uint8Array(1024)
  for (let i = 0; i < 256; i++) {
    const [r, g, b] = parseColor(palette(i / 255))
    bytes.set([r, g, b, 255], 4 * i)
  }
  return bytes
}

function parseColor(color: string): number[] {
  if (color.startsWith('#')) return [1, 3, 5].map((k) => Number.parseInt(color.slice(k, k + 2), 16))
  return (color.match(/\d+/g) ?? []).slice(0, 3).map(Number)
}
