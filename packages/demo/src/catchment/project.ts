import { distance } from './geometry.ts'
import { CODE } from './land-use.ts'
import { cellCentre, NCOLS, NROWS, PLACES } from './terrain.ts'

/** Streets so near to the centre belong to those who walk, m. */
const WALKED_M = 450
/** So far around, green beside streets and houses becomes gardens that take their water, m. */
const GARDENS_M = 1100

/**
 * A project to compare with the town as it is: a centre of permeable paving, and rain gardens around it.
 * @param codes land use of the demonstration catchment, `[row * NCOLS + col]`, row 0 north
 * @param project codes of the paving and of the gardens
 * @returns the cells that change, row `i` from the north, column `j`; gullies stay
 */
export function greenedCentre(
  codes: ArrayLike<number>,
  project: { paving: number; garden: number },
): { i: number; j: number; value: number }[] {
  const changes: { i: number; j: number; value: number }[] = []
  for (let i = 1; i < NROWS - 1; i++)
    for (let j = 1; j < NCOLS - 1; j++) {
      const cell = i * NCOLS + j
      const far = distance(cellCentre(i, j), PLACES.centre)
      if (codes[cell] === CODE.road && far < WALKED_M) changes.push({ i, j, value: project.paving })
      if (codes[cell] !== CODE.grass || far >= GARDENS_M) continue
      const around = [codes[cell - 1], codes[cell + 1], codes[cell - NCOLS], codes[cell + NCOLS]]
      if (around.some((code) => code === CODE.road || code === CODE.house))
        changes.push({ i, j, value: project.garden })
    }
  return changes
}
