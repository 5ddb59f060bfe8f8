/** A range of box sides, both ends in cells (or frames). */
export interface ScaleRange {
  fromCells: number
  toCells: number
}

/** A range holds three scales at least: its end is four times its start. */
const LEAST = 4

/** The range after one of its ends was put at a scale: the nearer end moves, and pushes the other where it must. */
export function moveEnd({ fromCells, toCells }: ScaleRange, cells: number, side: number): ScaleRange {
  const at = Math.min(side, Math.max(1, 2 ** Math.round(Math.log2(cells))))
  const nearFrom = Math.abs(Math.log(at / fromCells)) <= Math.abs(Math.log(at / toCells))
  if (nearFrom) {
    const from = Math.min(at, side / LEAST)
    return { fromCells: from, toCells: Math.max(toCells, from * LEAST) }
  }
  const to = Math.max(at, LEAST)
  return { fromCells: Math.min(fromCells, to / LEAST), toCells: to }
}

/** A range of one part within the scales of another. */
export function clipped({ fromCells, toCells }: ScaleRange, side: number): ScaleRange {
  const to = Math.max(LEAST, Math.min(toCells, side))
  return { fromCells: Math.min(fromCells, to / LEAST), toCells: to }
}

export const sameRange = (one: ScaleRange, other: ScaleRange): boolean =>
  one.fromCells === other.fromCells && one.toCells === other.toCells

/** Scales of a side: 1, 2, 4... */
export const scalesOf = (side: number): number[] =>
  Array.from({ length: Math.round(Math.log2(side)) + 1 }, (_, k) => 2 ** k)
