import type { GridPlace } from '@radx/contracts/flood'
import type { SimulationOutput } from '@radx/contracts/simulation'

/** The largest depths of a run. */
export interface DepthField {
  nrows: number
  ncols: number
  place: GridPlace
  /** cm, `[row * ncols + col]`, row 0 north; NaN outside the basin, 0 where it stayed dry. */
  cm: Float64Array
  /** 0 where nothing was ever wet. */
  maxCm: number
  /** Wet cells, the deepest first. */
  wet: Uint32Array
}

type MaxDepthOutput = Extract<SimulationOutput, { outputType: 'max_waterdepth_10m.txt' }>

/** Depths in cm of an output in m. */
export function depthField({ data, place }: MaxDepthOutput): DepthField {
  const { nrows, ncols } = place
  const cm = new Float64Array(nrows * ncols).fill(Number.NaN)
  const wet: number[] = []
  data.forEach((row, i) => {
    row.forEach((depth, j) => {
      if (depth === null) return
      const k = i * ncols + j
      // Files have a tenth of a millimetre.
      cm[k] = Math.round(depth * 10_000) / 100
      if (cm[k] > 0) wet.push(k)
    })
  })
  const sorted = Uint32Array.from(wet).sort((a, b) => cm[b] - cm[a])
  return { nrows, ncols, place, cm, wet: sorted, maxCm: sorted.length === 0 ? 0 : cm[sorted[0]] }
}

/** How many of the wet cells are at least that deep; they come first in `wet`. */
export function countFrom({ cm, wet }: DepthField, limitCm: number): number {
  let [low, high] = [0, wet.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (cm[wet[middle]] >= limitCm) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * How much deeper a run is than its reference, cm.
 * @returns null when their grids differ
 */
export function differenceOf(own: DepthField, reference: DepthField): Float64Array | null {
  const same = (name: 'nrows' | 'ncols' | 'xll' | 'yll' | 'cellSizeM') =>
    own.place[name] === reference.place[name]
  if (!(same('nrows') && same('ncols') && same('xll') && same('yll') && same('cellSizeM'))) return null
  return own.cm.map((depth, k) => depth - reference.cm[k])
}
