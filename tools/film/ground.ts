/** Picture of the ground as the film shows it: land use, relief and the shadows of the houses in one texture. */
import type { FilmRun } from './film-run.ts'

/** Texels along a cell. */
const FINE = 6
/** Towards the sun, cells; and how high it stands, m a cell. */
const SUN = { row: -0.62, col: -0.78, riseM: 7.5 }
const SHADOW_CELLS = 3.5

const FOREST = 1
const ROAD = 2
const GRASS = 3
export const HOUSE = 4
const GULLY = 5
export const WATER = 6

type Rgb = [number, number, number]
const COLORS: Record<number, Rgb> = {
  [FOREST]: [36, 66, 57],
  [ROAD]: [112, 128, 136],
  [GRASS]: [58, 83, 80],
  [HOUSE]: [46, 58, 64],
  [WATER]: [24, 78, 108],
}
/** Thin things win over broad ones at a shared border. */
const WEIGHT: Record<number, number> = { [FOREST]: 0.9, [ROAD]: 1.3, [GRASS]: 1, [HOUSE]: 0.8, [WATER]: 1.05 }

/** A repeatable value in [0, 1) of a place. */
export function hash(row: number, col: number): number {
  let h = Math.imul(row, 374_761_393) + Math.imul(col, 668_265_263)
  h = Math.imul(h ^ (h >>> 13), 1_274_126_177)
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32
}

/** Smooth noise with a grain of `size` cells, 0 to 1. */
function noise(row: number, col: number, size: number): number {
  const [y, x] = [row / size, col / size]
  const [r, c] = [Math.floor(y), Math.floor(x)]
  const [v, u] = [y - r, x - c].map((t) => t * t * (3 - 2 * t))
  return (
    (hash(r, c) * (1 - u) + hash(r, c + 1) * u) * (1 - v) +
    (hash(r + 1, c) * (1 - u) + hash(r + 1, c + 1) * u) * v
  )
}

/** Height of the building on a house cell, m. */
export const houseHeightM = (row: number, col: number): number =>
  5 + 9 * noise(row, col, 11) + 1.5 * hash(row, col)

/** The ground without gaps at its edge: cells outside take the height of their neighbours. */
export function groundM({ elevationM, nrows, ncols }: FilmRun): Float32Array {
  const ground = elevationM.slice()
  for (let round = 0; round < 3; round++) {
    const before = ground.slice()
    for (let row = 0; row < nrows; row++)
      for (let col = 0; col < ncols; col++) {
        if (!Number.isNaN(before[row * ncols + col])) continue
        for (const [r, c] of [
          [row - 1, col],
          [row + 1, col],
          [row, col - 1],
          [row, col + 1],
        ]) {
          const z = r < 0 || c < 0 || r >= nrows || c >= ncols ? Number.NaN : before[r * ncols + c]
          if (!Number.isNaN(z)) ground[row * ncols + col] = z
        }
      }
  }
  return ground
}

export function paintGround(run: FilmRun, ground: Float32Array): HTMLCanvasElement {
  const { nrows, ncols, codes } = run
  const canvas = document.createElement('canvas')
  canvas.width = ncols * FINE
  canvas.height = nrows * FINE
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  const image = context.createImageData(canvas.width, canvas.height)
  const at = (row: number, col: number) =>
    Math.min(nrows - 1, Math.max(0, row)) * ncols + Math.min(ncols - 1, Math.max(0, col))
  const kind = (row: number, col: number) => {
    const code = codes[at(row, col)]
    return code === GULLY ? ROAD : code < 1 ? GRASS : code
  }
  const heightM = (row: number, col: number) => {
    const z = ground[at(row, col)]
    return (Number.isNaN(z) ? 40 : z) + (kind(row, col) === HOUSE ? houseHeightM(row, col) : 0)
  }
  for (let y = 0; y < canvas.height; y++) {
    const row = (y + 0.5) / FINE - 0.5
    const [r, v] = [Math.floor(row), row - Math.floor(row)]
    for (let x = 0; x < canvas.width; x++) {
      const col = (x + 0.5) / FINE - 0.5
      const [c, u] = [Math.floor(col), col - Math.floor(col)]
      let best = GRASS
      let most = -1
      for (const code of [FOREST, ROAD, GRASS, HOUSE, WATER]) {
        let share = 0
        if (kind(r, c) === code) share += (1 - u) * (1 - v)
        if (kind(r, c + 1) === code) share += u * (1 - v)
        if (kind(r + 1, c) === code) share += (1 - u) * v
        if (kind(r + 1, c + 1) === code) share += u * v
        if (share * WEIGHT[code] > most) {
          most = share * WEIGHT[code]
          best = code
        }
      }
      const k = Math.round(row)
      const l = Math.round(col)
      let light = 1
      if (best !== WATER) {
        const east = ground[at(k, l + 1)] - ground[at(k, l - 1)]
        const south = ground[at(k + 1, l)] - ground[at(k - 1, l)]
        const slope = (SUN.row * south + SUN.col * east) / 2
        light = Math.min(1.45, Math.max(0.6, 1 + (Number.isNaN(slope) ? 0 : slope) * 0.45))
        const own = heightM(k, l)
        for (let step = 0.5; step <= SHADOW_CELLS; step += 0.25) {
          const r2 = Math.round(row + SUN.row * step)
          const c2 = Math.round(col + SUN.col * step)
          if (kind(r2, c2) === HOUSE && heightM(r2, c2) > own + SUN.riseM * step) {
            light *= 0.58
            break
          }
        }
      }
      if (best === FOREST) light *= 0.75 + 0.6 * noise(row, col, 1.1)
      else if (best === GRASS) light *= 0.9 + 0.22 * noise(row, col, 7)
      const p = (y * canvas.width + x) * 4
      const color = COLORS[best]
      for (let k3 = 0; k3 < 3; k3++) image.data[p + k3] = Math.min(255, color[k3] * light)
      image.data[p + 3] = 255
    }
  }
  context.putImageData(image, 0, 0)
  return canvas
}
