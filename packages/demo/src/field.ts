import { type Cell, cellsIn } from './cells.ts'
import { HOUR_MS } from './climate.ts'
import { LatticeNoise, lineNoise } from './noise.ts'
import { addPatch, clipU, type KmWindow, type Patch, patchOver } from './patch.ts'
import { type Front, strength, type WeatherSystem } from './systems.ts'

/** exp(sigma n) over n from -6 to 6, normalised to a mean of 1. */
const TABLE_STEPS = 64
const TABLE_SIZE = 12 * TABLE_STEPS
const tableIndex = (n: number) => (Math.max(0, Math.min(11.9, n + 6)) * TABLE_STEPS) | 0

const FRONT_BEND_MAX_KM = 60
const FRONT_WAVES_KM = 9

/** Rain below this is not seen by the radar, mm/h. */
export const DETECTION_MM_H = 0.06

/** Evaluates weather systems over windows; keeps its working arrays between calls. */
export class FieldPainter {
  private readonly noise = new LatticeNoise()
  private readonly tables = new Map<string, Float32Array>()
  private cells = new Float32Array(0)

  /**
   * Rain rates in mm/h over a window, `[row * ncols + col]`, row 0 north; 0 below what a radar detects.
   * Depends on nothing but its arguments.
   */
  paint(
    systems: readonly WeatherSystem[],
    window: KmWindow,
    instantMs: number,
    out: Float32Array = new Float32Array(window.nrows * window.ncols),
  ): Float32Array {
    out.fill(0)
    for (const system of systems) {
      const power = strength(system, instantMs)
      if (power === 0) continue
      const patch = patchOver(system, window, instantMs)
      const hours = (instantMs - system.frame.t0Ms) / HOUR_MS
      if (system.kind === 'outbreak') this.paintOutbreak(system, patch, window, instantMs, hours, out)
      else this.paintBand(system, patch, window, hours, power, out)
    }
    for (let k = 0; k < out.length; k++) {
      const rate = out[k]
      if (rate < DETECTION_MM_H) out[k] = 0
      else if (rate > 40) out[k] = 40 + (rate - 40) / (1 + (rate - 40) / 90)
    }
    return out
  }

  private paintBand(
    system: Exclude<WeatherSystem, { kind: 'outbreak' }>,
    whole: Patch,
    window: KmWindow,
    hours: number,
    power: number,
    out: Float32Array,
  ): void {
    const { finestKm } = system.texture
    const profile = system.kind === 'front' ? frontProfile(system) : undefined
    const patch = profile ? clipU(whole, profile.uMin / finestKm, profile.uMax / finestKm) : whole
    if (patch === undefined) return
    const { i0, j0, ni, nj } = patch
    const values = this.noise.fill(i0, i0 + ni - 1, j0, j0 + nj - 1, hours, system.texture)
    const table = this.table(system.sigma, system.threshold)
    let wettest = 0
    for (let i = 0; i < ni; i++) {
      const vKm = (i0 + i) * finestKm * system.frame.stretch
      const shift = profile ? frontShiftKm(system as Front, vKm, hours) - profile.uMin : 0
      for (let j = 0; j < nj; j++) {
        const at = i * nj + j
        const base = profile
          ? profile.at((j0 + j) * finestKm + shift)
          : (system as { rateMmH: number }).rateMmH
        const n = values[at]
        const rate = base === 0 ? 0 : power * base * table[tableIndex(n)]
        values[at] = rate
        if (rate > wettest) wettest = rate
      }
    }
    if (wettest > 0) addPatch(values, patch, window, out)
  }

  private paintOutbreak(
    system: Extract<WeatherSystem, { kind: 'outbreak' }>,
    patch: Patch,
    window: KmWindow,
    instantMs: number,
    hours: number,
    out: Float32Array,
  ): void {
    const { i0, j0, ni, nj } = patch
    const { finestKm } = system.texture
    const cells = cellsIn(
      system,
      { u0: j0 * finestKm, u1: (j0 + nj) * finestKm, v0: i0 * finestKm, v1: (i0 + ni) * finestKm },
      instantMs,
    )
    if (cells.length === 0) return
    if (this.cells.length < ni * nj) this.cells = new Float32Array(ni * nj)
    const sum = this.cells.fill(0, 0, ni * nj)
    for (const cell of cells) drawCell(cell, finestKm, i0, j0, ni, nj, sum)
    const values = this.noise.fill(i0, i0 + ni - 1, j0, j0 + nj - 1, hours, system.texture)
    const table = this.table(system.sigma, system.threshold)
    for (let at = 0; at < ni * nj; at++) {
      const base = sum[at]
      const n = values[at]
      values[at] = base < 0.02 ? 0 : base * table[tableIndex(n)]
    }
    addPatch(values, patch, window, out)
  }

  /** Factor on the rate by texture value: log-normal with a dry part below the threshold, mean 1. */
  private table(sigma: number, threshold: number): Float32Array {
    const key = `${sigma} ${threshold}`
    let table = this.tables.get(key)
    if (table === undefined) {
      table = new Float32Array(TABLE_SIZE + 1)
      let mean = 0
      let weight = 0
      for (let k = 0; k <= TABLE_SIZE; k++) {
        const n = k / TABLE_STEPS - 6
        table[k] = Math.max(0, Math.exp(sigma * n - (sigma * sigma) / 2) - threshold)
        const w = Math.exp((-n * n) / 2)
        mean += w * table[k]
        weight += w
      }
      for (let k = 0; k <= TABLE_SIZE; k++) table[k] *= weight / mean
      if (this.tables.size > 64) this.tables.clear()
      this.tables.set(key, table)
    }
    return table
  }
}

/** How far the front lags behind its straight line at v: its bend, and waves that change with time. */
function frontShiftKm(front: Front, vKm: number, hours: number): number {
  // It keeps its bend only so far to the side: beyond, it would leave the picture.
  const bend = Math.min(front.bendKm * (vKm / 100) ** 2, FRONT_BEND_MAX_KM)
  const seed = front.texture.seed
  const waves =
    5 * lineNoise(vKm / 38 + hours * 0.35, seed + 1) +
    2.6 * lineNoise(vKm / 13 - hours * 0.8, seed + 2) +
    1.1 * lineNoise(vKm / 5 + hours * 1.7, seed + 3)
  return bend + waves
}

/** Rate across a front before texture, by distance from its rear edge. */
function frontProfile(front: Front) {
  const margin = 3 * front.lineHalfWidthKm
  const uMin = Math.min(front.rearKm, -margin) - FRONT_BEND_MAX_KM - FRONT_WAVES_KM
  const uMax = Math.max(front.aheadKm, margin) + FRONT_WAVES_KM
  const width = front.aheadKm - front.rearKm
  // A place needs one of these rates, a picture most of them: each is found once, when it is asked for.
  const table = new Float32Array(Math.ceil((uMax - uMin) * 2) + 2).fill(Number.NaN)
  const rate = (k: number) => {
    const u = uMin + k / 2
    // Rises over a fifth of the width on either side.
    const inside = Math.min(u - front.rearKm, front.aheadKm - u) / (0.3 * width)
    const s = Math.min(1, Math.max(0, inside))
    const line = Math.exp(-((u / front.lineHalfWidthKm) ** 2))
    table[k] = front.rateMmH * s * s * (3 - 2 * s) + (line > 1e-3 ? front.lineRateMmH * line : 0)
    return table[k]
  }
  return {
    uMin,
    uMax,
    at: (fromRear: number) => {
      const k = (fromRear * 2) | 0
      if (!(k >= 0 && k < table.length)) return 0
      const known = table[k]
      return Number.isNaN(known) ? rate(k) : known
    },
  }
}

/** Profile of a cell by half its squared elliptical distance, up to 6. */
const CELL_PROFILE = Float32Array.from({ length: 6 * 64 + 2 }, (_, k) => {
  const q = k / 64
  return q >= 6 ? 0 : Math.exp(-q) - Math.exp(-6)
})

function drawCell(cell: Cell, km: number, i0: number, j0: number, ni: number, nj: number, sum: Float32Array) {
  const reach = 3.5 * Math.max(cell.along, cell.across)
  const iFrom = Math.max(0, Math.ceil((cell.v - reach) / km) - i0)
  const iTo = Math.min(ni - 1, Math.floor((cell.v + reach) / km) - i0)
  const jFrom = Math.max(0, Math.ceil((cell.u - reach) / km) - j0)
  const jTo = Math.min(nj - 1, Math.floor((cell.u + reach) / km) - j0)
  const cos = Math.cos(cell.angle)
  const sin = Math.sin(cell.angle)
  for (let i = iFrom; i <= iTo; i++) {
    const dv = (i0 + i) * km - cell.v
    for (let j = jFrom; j <= jTo; j++) {
      const du = (j0 + j) * km - cell.u
      const a = (du * cos + dv * sin) / cell.along
      const b = (-du * sin + dv * cos) / cell.across
      const q = 0.5 * (a * a + b * b)
      if (q < 6) sum[i * nj + j] += cell.rateMmH * CELL_PROFILE[(q * 64) | 0]
    }
  }
}
