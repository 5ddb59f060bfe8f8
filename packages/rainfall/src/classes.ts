import {
  CLASS_NO_DATA,
  CUMUL_CLASS_BOUNDS_MM,
  DROP_LEVELS_MM_H,
  INTENSITY_CLASSES,
} from '@radx/contracts/constants'
import { decodeRate } from './rates.ts'

/** Class code of a rate: 0 below 0.4 mm/h, 1 to 8 the rows of INTENSITY_CLASSES, CLASS_NO_DATA for NaN. */
export function intensityClass(rateMmH: number): number {
  if (Number.isNaN(rateMmH)) return CLASS_NO_DATA
  let code = 0
  while (code < INTENSITY_CLASSES.length && rateMmH >= INTENSITY_CLASSES[code].lowMmH) code++
  return code
}

let table: Uint8Array | undefined

/** Class code of every rate code, `[code]`, 65,536 entries. Shared: not to be written to. */
export function intensityClassTable(): Uint8Array {
  if (table === undefined) {
    table = new Uint8Array(65536)
    for (let code = 0; code < table.length; code++) table[code] = intensityClass(decodeRate(code))
  }
  return table
}

/** Level of the drop icon: how many of 0.4, 1, 3, 10, 20 and 30 mm/h the rate is above; 0 for no data. */
export function dropLevel(rateMmH: number | null): number {
  if (rateMmH === null) return 0
  return DROP_LEVELS_MM_H.reduce((level, bound) => level + (rateMmH > bound ? 1 : 0), 0)
}

/** Row of the accumulation legend, 0 (below 1 mm) to 12 (100 mm and more); -1 for NaN (no data). */
export function cumulClass(depthMm: number): number {
  if (Number.isNaN(depthMm)) return -1
  let row = 0
  while (row < CUMUL_CLASS_BOUNDS_MM.length && depthMm >= CUMUL_CLASS_BOUNDS_MM[row]) row++
  return row
}
