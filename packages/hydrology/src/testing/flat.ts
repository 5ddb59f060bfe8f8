import type { Surface } from '../surface/surface.ts'
import type { SurfaceGrid } from '../surface/types.ts'

/** Level ground of 10 m cells. */
export const flat = (nrows: number, ncols: number): SurfaceGrid => ({
  nrows,
  ncols,
  cellSizeM: 10,
  elevationM: new Float64Array(nrows * ncols),
})

/** One roughness, closed edges. */
export const even = (grid: SurfaceGrid, manning = 0.03) => ({
  manning: new Float64Array(grid.elevationM.length).fill(manning),
  edges: 'closed' as const,
})

/** Rain that went nowhere, over all rain. */
export function relativeError(surface: Surface): number {
  const v = surface.volumes()
  const incoming = v.rainM3 + v.addedM3
  return (incoming - v.interceptedM3 - v.infiltratedM3 - v.surfaceM3 - v.waterM3 - v.edgeOutM3) / incoming
}

/** Runs until `endS` in steps as long as may be, or in equal ones. */
export function run(surface: Surface, endS: number, fixedStepS?: number): void {
  for (let t = 0; t < endS - 1e-9; ) {
    const dt = Math.min(fixedStepS ?? surface.stableStepS(), endS - t)
    surface.step(dt)
    t += dt
  }
}
