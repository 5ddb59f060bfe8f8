import type { TownGrid } from '../../../town/api.ts'

/** How much of a kind of ground was under water. */
export interface FloodedLand {
  title: string
  /** m2 whose largest depth reaches each limit, in their order. */
  areasM2: number[]
  /** m2 in all. */
  wholeM2: number
}

/**
 * Flooded area by land use, the most flooded first; open water is no ground.
 * @param depthM largest depths, `[row * ncols + col]`, NaN outside
 * @param limitsM ascending
 */
export function floodedLand(
  { classes, land, waterCode, place }: Pick<TownGrid, 'classes' | 'land' | 'waterCode' | 'place'>,
  depthM: ArrayLike<number>,
  limitsM: readonly number[],
): FloodedLand[] {
  const cellM2 = place.cellSizeM ** 2
  const rows = classes.map(({ title }) => ({ title, areasM2: limitsM.map(() => 0), wholeM2: 0 }))
  for (let k = 0; k < land.length; k++) {
    const row = rows[land[k]]
    if (row === undefined || Number.isNaN(depthM[k])) continue
    row.wholeM2 += cellM2
    for (let l = 0; l < limitsM.length && depthM[k] >= limitsM[l]; l++) row.areasM2[l] += cellM2
  }
  return rows
    .filter(({ wholeM2 }, k) => wholeM2 > 0 && classes[k].code !== waterCode)
    .sort((a, b) => b.areasM2[0] - a.areasM2[0])
}
