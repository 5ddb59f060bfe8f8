import { HOUR_MS } from './climate.ts'
import type { WeatherSystem } from './systems.ts'

/** Cells on a plane around the radar, km: the centre of cell (row, col) is (x0 + col dx, y0 - row dy). */
export interface KmWindow {
  /** East of the radar. */
  x0: number
  /** North of the radar. */
  y0: number
  dx: number
  dy: number
  nrows: number
  ncols: number
}

/** The lattice of a system that covers a window: i along v, j along u. */
export interface Patch {
  i0: number
  j0: number
  ni: number
  nj: number
  /** Lattice coordinates (relative to i0, j0) of cell (0, 0), and their change a row and a column. */
  i: number
  j: number
  iRow: number
  jRow: number
  iCol: number
  jCol: number
}

/** Lattice of a system under a window at an instant. */
export function patchOver(system: WeatherSystem, window: KmWindow, instantMs: number): Patch {
  const { frame, texture } = system
  const hours = (instantMs - frame.t0Ms) / HOUR_MS
  const cos = Math.cos(frame.angle) / texture.finestKm
  const sin = Math.sin(frame.angle) / texture.finestKm
  const toJ = (x: number, y: number) => x * cos + y * sin - (frame.uKmH * hours) / texture.finestKm
  const toI = (x: number, y: number) =>
    (-x * sin + y * cos - (frame.vKmH * hours) / texture.finestKm) / frame.stretch
  const x1 = window.x0 + (window.ncols - 1) * window.dx
  const y1 = window.y0 - (window.nrows - 1) * window.dy
  const corners = [
    [window.x0, window.y0],
    [x1, window.y0],
    [window.x0, y1],
    [x1, y1],
  ]
  const js = corners.map(([x, y]) => toJ(x, y))
  const is = corners.map(([x, y]) => toI(x, y))
  const i0 = Math.floor(Math.min(...is))
  const j0 = Math.floor(Math.min(...js))
  return {
    i0,
    j0,
    ni: Math.floor(Math.max(...is)) + 2 - i0,
    nj: Math.floor(Math.max(...js)) + 2 - j0,
    i: toI(window.x0, window.y0) - i0,
    j: toJ(window.x0, window.y0) - j0,
    iRow: (-cos * window.dy) / frame.stretch,
    jRow: -sin * window.dy,
    iCol: (-sin * window.dx) / frame.stretch,
    jCol: cos * window.dx,
  }
}

/** The part of a patch between two lattice columns; undefined when nothing is left. */
export function clipU(patch: Patch, jMin: number, jMax: number): Patch | undefined {
  const from = Math.max(patch.j0, Math.floor(jMin))
  const to = Math.min(patch.j0 + patch.nj - 1, Math.ceil(jMax))
  if (to <= from) return undefined
  return { ...patch, j0: from, nj: to - from + 1, j: patch.j + patch.j0 - from }
}

/** Adds a patch to the window, bilinear between lattice points; nothing outside the patch. */
export function addPatch(values: Float32Array, patch: Patch, window: KmWindow, out: Float32Array): void {
  const { nj, iCol, jCol } = patch
  const box = wetBox(values, patch)
  if (box === undefined) return
  for (let row = 0; row < window.nrows; row++) {
    const i0 = patch.i + row * patch.iRow
    const j0 = patch.j + row * patch.jRow
    // Columns of this row that lie over the wet part, found once instead of asked of every cell.
    const [a0, a1] = between(i0, iCol, box.iMin, box.iMax, window.ncols)
    const [b0, b1] = between(j0, jCol, box.jMin, box.jMax, window.ncols)
    const from = Math.max(a0, b0)
    const to = Math.min(a1, b1)
    const base = row * window.ncols
    for (let col = from; col < to; col++) {
      const i = i0 + col * iCol
      const j = j0 + col * jCol
      const ii = i | 0
      const jj = j | 0
      const at = ii * nj + jj
      const fj = j - jj
      const v0 = values[at]
      const v2 = values[at + nj]
      const a = v0 + fj * (values[at + 1] - v0)
      const b = v2 + fj * (values[at + nj + 1] - v2)
      out[base + col] += a + (i - ii) * (b - a)
    }
  }
}

/** Lattice coordinates between which a patch can give rain (exclusive); undefined when it is dry. */
function wetBox(values: Float32Array, { ni, nj }: Patch) {
  let [iFirst, iLast, jFirst, jLast] = [ni, -1, nj, -1]
  for (let i = 0; i < ni; i++)
    for (let j = 0; j < nj; j++) {
      if (values[i * nj + j] === 0) continue
      if (i < iFirst) iFirst = i
      iLast = i
      if (j < jFirst) jFirst = j
      if (j > jLast) jLast = j
    }
  if (iLast < 0) return undefined
  return {
    iMin: Math.max(0, iFirst - 1),
    iMax: Math.min(ni - 1, iLast + 1),
    jMin: Math.max(0, jFirst - 1),
    jMax: Math.min(nj - 1, jLast + 1),
  }
}

/** Columns [from, to) for which low <= start + col * step < high. */
function between(start: number, step: number, low: number, high: number, ncols: number): [number, number] {
  const inside = (col: number) => {
    const at = start + col * step
    return at >= low && at < high
  }
  if (step === 0) return inside(0) ? [0, ncols] : [0, 0]
  const x = (low - start) / step
  const y = (high - start) / step
  let from = Math.max(0, Math.ceil(Math.min(x, y)))
  let to = Math.min(ncols, Math.floor(Math.max(x, y)) + 1)
  // Rounding may be a column out at either end.
  while (from < to && !inside(from)) from++
  while (to > from && !inside(to - 1)) to--
  return [from, to]
}
