// Analytic cases along one axis, run by the tests and by docs/validation.md alike.
import { createSurface } from '../surface/surface.ts'
import type { KernelChoice, SurfaceOptions } from '../surface/types.ts'

export interface Profile {
  xM: number[]
  bedM: number[]
  levelM: number[]
}

export interface CaseError {
  meanAbsoluteM: number
  largestM: number
}

/** Reads the columns dx,topo,wse of the MacDonald profiles. */
export function parseProfile(csv: string): Profile {
  const rows = csv.trim().split(/\r?\n/).slice(1)
  const columns = rows.map((row) => row.split(',').map(Number))
  return { xM: columns.map((c) => c[0]), bedM: columns.map((c) => c[1]), levelM: columns.map((c) => c[2]) }
}

/** Every `factor` cells of a profile become one, the mean of theirs. */
export function coarsen({ xM, bedM, levelM }: Profile, factor: number): Profile {
  const mean = (values: number[]) =>
    Array.from({ length: Math.floor(values.length / factor) }, (_, k) => {
      const part = values.slice(k * factor, (k + 1) * factor)
      return part.reduce((sum, value) => sum + value, 0) / factor
    })
  return { xM: mean(xM), bedM: mean(bedM), levelM: mean(levelM) }
}

export interface MacDonaldOptions {
  inflowM2S: number
  rainMS: number
  endS?: number
  surface?: SurfaceOptions
}

/**
 * Steady subcritical flow in a 1 km channel, n = 0.033 (MacDonald et al. 1997). Water comes in at the first cell
 * and the level of the last cell is held.
 */
export function macDonald(profile: Profile, choice: KernelChoice, options: MacDonaldOptions): CaseError {
  const { xM, bedM, levelM } = profile
  const ncols = xM.length
  const cellSizeM = xM[1] - xM[0]
  const grid = { nrows: 1, ncols, cellSizeM, elevationM: Float64Array.from(bedM) }
  const params = { manning: new Float64Array(ncols).fill(0.033), edges: 'closed' as const }
  // The level at the end is set anew after each step: within one it would fall.
  const surface = createSurface(grid, params, choice, { ...options.surface, halvings: 0 })
  for (let cell = 0; cell < ncols; cell++) surface.setDepth(cell, 0.8)
  const last = ncols - 1
  // Inflow comes as rain on the first cell: it then enters in the same instant as the fluxes.
  const inflow = new Float64Array(ncols).fill(options.rainMS)
  inflow[0] += options.inflowM2S / cellSizeM
  surface.setRain(inflow)
  for (let t = 0; t < (options.endS ?? 7200); ) {
    const dt = surface.stableStepS()
    surface.step(dt)
    surface.setDepth(last, levelM[last] - bedM[last])
    t += dt
  }
  const errors = levelM.map((level, cell) => Math.abs(bedM[cell] + surface.depthM(cell) - level))
  surface.dispose()
  return {
    meanAbsoluteM: errors.reduce((sum, error) => sum + error, 0) / ncols,
    largestM: Math.max(...errors),
  }
}

export interface WaveOptions {
  cellSizeM: number
  endS?: number
  speedMS?: number
  manning?: number
  surface?: SurfaceOptions
}

/**
 * A wave that runs over a flat plane at constant speed u (Hunter et al. 2005):
 * h(x, t) = (7/3 n^2 u^2 (u t - x))^(3/7). The depth of the first cell is given.
 */
export function flatPlaneWave(
  choice: KernelChoice,
  { cellSizeM, endS = 3600, speedMS = 1, manning = 0.03, surface: surfaceOptions }: WaveOptions,
): CaseError & { frontM: number; exactFrontM: number } {
  const ncols = Math.ceil((1.3 * speedMS * endS) / cellSizeM)
  const depth = (x: number, t: number) =>
    Math.max(0, (7 / 3) * manning ** 2 * speedMS ** 2 * (speedMS * t - x)) ** (3 / 7)
  const grid = { nrows: 1, ncols, cellSizeM, elevationM: new Float64Array(ncols) }
  const params = { manning: new Float64Array(ncols).fill(manning), edges: 'closed' as const }
  const surface = createSurface(grid, params, choice, { dryDepthM: 1e-4, halvings: 0, ...surfaceOptions })
  const centre = (cell: number) => (cell + 0.5) * cellSizeM
  let t = 0
  while (t < endS - 1e-9) {
    const dt = Math.min(surface.stableStepS(), endS - t)
    surface.setDepth(0, depth(centre(0), t + dt))
    surface.step(dt)
    t += dt
  }
  surface.setDepth(0, depth(centre(0), t))
  let sum = 0
  let largest = 0
  let wet = 0
  let front = 0
  for (let cell = 0; cell < ncols; cell++) {
    const exact = depth(centre(cell), t)
    const h = surface.depthM(cell)
    if (h > 1e-3) front = centre(cell)
    if (exact === 0 && h < 1e-3) continue
    const error = Math.abs(h - exact)
    sum += error
    wet++
    largest = Math.max(largest, error)
  }
  surface.dispose()
  return { meanAbsoluteM: sum / wet, largestM: largest, frontM: front, exactFrontM: speedMS * t }
}
