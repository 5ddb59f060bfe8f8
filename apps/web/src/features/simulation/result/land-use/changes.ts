import type { LuseComparison } from '@radx/contracts/simulation'

type LandCode = LuseComparison['landCodes'][number]

export interface Change {
  from: LandCode
  to: LandCode
  cells: number
  hectares: number
  /** Of all cells that had the first code in the reference file, 0 to 1. */
  share: number
}

/** Every pair of codes that cells went between, the largest first. */
export function changesOf({ chords, sourceOfLands, landCodes, cellSizeM }: LuseComparison): Change[] {
  return chords
    .flatMap((row, a) =>
      row.map((cells, b) => ({
        from: landCodes[a],
        to: landCodes[b],
        cells: a === b ? 0 : cells,
        hectares: (cells * cellSizeM ** 2) / 10_000,
        share: sourceOfLands[a] > 0 ? cells / sourceOfLands[a] : 0,
      })),
    )
    .filter(({ cells }) => cells > 0)
    .sort((a, b) => b.cells - a.cells)
}
