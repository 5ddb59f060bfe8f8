import type { WaterBalance } from '@radx/hydrology/balance/balance'

/** A run as the film shows it. Grids are `[row * ncols + col]`, row 0 north; series `[minute * count + k]`. */
export interface FilmRun {
  nrows: number
  ncols: number
  cellSizeM: number
  /** NaN outside the catchment. */
  elevationM: Float32Array
  /** Land use, -1 outside. */
  codes: Int16Array
  /** Simulated minutes; every series has one picture more than this. */
  minutes: number
  /** One value a minute. */
  ratesMmH: number[]
  depthMm: Uint16Array
  /** NaN outside. */
  maxDepthM: Float32Array
  /** `at` is null off the grid. */
  nodes: { name: string; at: { row: number; col: number } | null; invertM: number }[]
  /** `from` and `to` are places in `nodes`. */
  links: { from: number; to: number; diameterM: number }[]
  /** Depth over full depth of each link, 0 to 255. */
  filling: Uint8Array
  /** 1 where water stands at a node's rim. */
  overflowing: Uint8Array
  balance: WaterBalance
  /** What the computation took. */
  wallSeconds: number
}
