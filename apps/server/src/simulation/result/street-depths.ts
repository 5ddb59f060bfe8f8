import type { StreetDepths } from '@radx/contracts'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import type { Streets } from '../catchment/streets.ts'

/** A kerb, and what stops a car. */
const LIMITS_M = [0.1, 0.2] as const
/** Streets that are told, the most flooded ones. */
const MOST = 500

/** Streets with water, by name, the most flooded first. @param streets none without names in the package */
export function streetDepths(
  { data, ncols, cellSize }: EsriGrid,
  streets: Streets | undefined,
): StreetDepths {
  const limitsM = [...LIMITS_M]
  if (streets === undefined) return { limitsM, named: false, streets: [] }
  const cellM2 = cellSize ** 2
  const all = streets.names.map((name) => ({ name, areasM2: limitsM.map(() => 0), wholeM2: 0, deepest: -1 }))
  for (let k = 0; k < data.length; k++) {
    const street = all[streets.ofCell[k]]
    if (street === undefined || Number.isNaN(data[k])) continue
    street.wholeM2 += cellM2
    for (let l = 0; l < limitsM.length && data[k] >= limitsM[l]; l++) street.areasM2[l] += cellM2
    if (street.deepest < 0 || data[k] > data[street.deepest]) street.deepest = k
  }
  return {
    limitsM,
    named: true,
    streets: all
      .filter(({ areasM2 }) => areasM2[0] > 0)
      .sort((a, b) => b.areasM2[0] - a.areasM2[0])
      .slice(0, MOST)
      .map(({ deepest, ...street }) => ({
        ...street,
        deepest: { depthM: data[deepest], row: Math.floor(deepest / ncols), col: deepest % ncols },
      })),
  }
}
