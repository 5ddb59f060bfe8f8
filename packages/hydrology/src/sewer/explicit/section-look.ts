import type { ConduitSections } from '../network/conduit-sections.ts'
import { FINE_ROWS, FINE_SHARE, TABLE_INTERVALS, TABLE_STRIDE } from '../sections/section-table.ts'

/** Below this share of its depth no conduit has a slot. */
export const SLOT_LOWEST = 0.98

/** First of a table's fine rows. */
const FINE_FROM = TABLE_INTERVALS + 2

/** Columns of a conduit's section by depth. */
export interface SectionLook {
  /** Column `k` at a depth >= 0, linear between rows, constant above the last: area m2, width m, radius^(4/3), section factor. */
  look(c: number, depthM: number, k: number): number
}

export function createSectionLook({ rows, firstRow, perMetre }: ConduitSections): SectionLook {
  return {
    look(c, depthM, k) {
      const coarse = depthM * perMetre[c]
      const at = coarse < FINE_ROWS ? coarse * FINE_SHARE + FINE_FROM : Math.min(coarse, TABLE_INTERVALS)
      const i = at | 0
      const row = firstRow[c] + i * TABLE_STRIDE + k
      return rows[row] + (at - i) * (rows[row + TABLE_STRIDE] - rows[row])
    },
  }
}
