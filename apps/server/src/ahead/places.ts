import type { CatchmentPackage } from '../simulation/api.ts'
import type { Grid } from './watch.ts'

/** A node that is farther away names no place, m. */
const NEAR_M = 150

/** What places of a catchment are called: what is there by its land use, and the nearest node of its network. */
export function placesOf({
  elevation: { ncols, cellSize },
  landUse,
  classes,
  network,
  nodeCells,
}: Pick<CatchmentPackage, 'elevation' | 'landUse' | 'classes' | 'network' | 'nodeCells'>): Pick<
  Grid,
  'groundOf' | 'nearTo' | 'isSealed'
> {
  const sealed = new Set(classes.filter(({ kh }) => kh === 0).map(({ code }) => code))
  return {
    isSealed: (cell) => sealed.has(landUse.data[cell]),
    groundOf(cells) {
      const counts = new Map<number, number>()
      for (const cell of cells) counts.set(landUse.data[cell], (counts.get(landUse.data[cell]) ?? 0) + 1)
      const [most] = [...counts].sort((a, b) => b[1] - a[1])
      return classes.find(({ code }) => code === most?.[0])?.title ?? null
    },
    nearTo(cell) {
      const [row, col] = [Math.floor(cell / ncols), cell % ncols]
      let [best, bestM] = [-1, NEAR_M]
      nodeCells.forEach((at, k) => {
        const m = cellSize * Math.hypot(Math.floor(at / ncols) - row, (at % ncols) - col)
        if (at >= 0 && m <= bestM) [best, bestM] = [k, m]
      })
      return best < 0 ? null : network.nodes[best].name
    },
  }
}

/** A cell in words, as the list of what is to be watched has it: the ground, and the node near it where there is one. */
export function placeNameFr(town: Parameters<typeof placesOf>[0], cell: number): string {
  const places = placesOf(town)
  const ground = places.groundOf([cell]) ?? 'Lieu'
  const near = places.nearTo(cell)
  const { ncols } = town.elevation
  if (near !== null) return `${ground} près du regard ${near}`
  return `${ground}, ligne ${Math.floor(cell / ncols) + 1}, colonne ${(cell % ncols) + 1}`
}
