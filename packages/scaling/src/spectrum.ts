import { createFft } from '@radx/motion/spectrum/fft'
import { lineThrough } from './moments.ts'

/** Isotropic power spectrum of squares: power by wavenumber (cycles a side), averaged over the fields. */
export interface PowerSpectrum {
  wavenumber: number[]
  power: number[]
  /** `E(k) ~ k^-beta`, over all wavenumbers but those of the last cell. */
  beta: number
  r2: number
}

const FEWEST = 4

/**
 * Power spectra of squares without a missing cell, summed over rings of equal wavenumber.
 * @param side a power of 2
 * @returns null where no field is whole and other than the same everywhere
 */
export function powerSpectrum(fields: readonly Float64Array[], side: number): PowerSpectrum | null {
  const fft = createFft({ nrows: side, ncols: side })
  const half = side / 2
  const rings = new Float64Array(half + 1)
  let used = 0
  for (const values of fields) {
    if (!values.every((v) => v >= 0) || values.every((v) => v === values[0])) continue
    used++
    fft.re.set(values)
    fft.im.fill(0)
    fft.forward()
    for (let row = 0; row < side; row++) {
      for (let col = 0; col < side; col++) {
        const k = Math.round(Math.hypot(Math.min(row, side - row), Math.min(col, side - col)))
        const at = row * side + col
        if (k >= 1 && k <= half) rings[k] += fft.re[at] ** 2 + fft.im[at] ** 2
      }
    }
  }
  const wavenumber = Array.from({ length: half }, (_, i) => i + 1)
  const power = wavenumber.map((k) => rings[k] / used / side ** 4)
  const points = wavenumber.flatMap((k, i) =>
    k < half && power[i] > 0 ? [[Math.log(k), Math.log(power[i])]] : [],
  )
  if (used === 0 || points.length < FEWEST) return null
  const { slope, r2 } = lineThrough(points)
  return { wavenumber, power, beta: -slope, r2 }
}

/** `H = (beta - 1 + K(2)) / 2`: 0 for a conserved cascade (Schertzer and Lovejoy 1987). */
export const fluctuationExponent = (beta: number, k2: number): number => (beta - 1 + k2) / 2
