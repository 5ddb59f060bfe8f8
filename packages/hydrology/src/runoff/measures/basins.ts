import { FOOT_M, ZERO } from '../constants.ts'
import { drainFlow, type Fluxes, type Levels, surfaceOutflow, type UnitView } from './layers.ts'

/** Narrowest bottom of a swale, m (0.5 ft). */
const NARROWEST_M = 0.5 * FOOT_M

/** Rain barrels: a drain that opens some time after the rain. */
export function barrelFluxes(unit: UnitView, levels: Levels, flux: Fluxes): void {
  const { storage, drain } = unit.design
  flux.drain = 0
  if (drain.delayS === 0 || unit.drySinceS >= drain.delayS) {
    const head = levels.storage - drain.offsetM
    if (head > 0) flux.drain = Math.min(drainFlow(unit, levels), head / flux.dt)
  }
  flux.infiltration = Math.min(flux.inflow, (storage.depthM - levels.storage) / flux.dt + flux.drain)
  flux.change.surface = flux.inflow - flux.infiltration
  flux.change.storage = flux.infiltration - flux.drain
}

/** Roofs whose gutters lead elsewhere than into the sewer: the gutter's capacity is the drain. */
export function roofFluxes(unit: UnitView, levels: Levels, flux: Fluxes): void {
  flux.surfaceEvaporation = Math.max(0, Math.min(flux.evaporation, levels.surface / flux.dt))
  const { surface } = unit.design
  const leaving =
    unit.design.surfaceAlpha > 0
      ? surfaceOutflow(unit, levels.surface, flux.dt)
      : Math.max(0, levels.surface - surface.depthM) / flux.dt
  flux.drain = Math.min(unit.design.drain.coefficient, leaving)
  flux.outflow = leaving - flux.drain
  flux.change.surface = flux.inflow - flux.surfaceEvaporation - leaving
}

/** A swale's trapezoid for its width at the top. */
export function swaleShape({ design: { surface }, areaM2, widthM }: UnitView) {
  const top = Math.max(widthM, NARROWEST_M)
  let side = surface.sideSlope
  let bottom = top - 2 * side * surface.depthM
  if (bottom < NARROWEST_M) {
    bottom = NARROWEST_M
    side = (0.5 * (top - NARROWEST_M)) / surface.depthM
  }
  const length = areaM2 / top
  return {
    length,
    bottom,
    side,
    surfaceAt: (depth: number) => length * (bottom + 2 * side * depth),
    areaAt: (depth: number) => depth * (bottom + side * depth) * surface.voidShare,
    /** Depth at which it holds a volume, m3. */
    depthOf(volume: number): number {
      const area = volume / length / surface.voidShare
      return (2 * area) / (bottom + Math.sqrt(bottom * bottom + 4 * side * area))
    },
  }
}

/** Vegetated swales: a trapezoid with Manning's flow; the ground below takes water as that of the subcatchment. */
export function swaleFluxes(unit: UnitView, levels: Levels, flux: Fluxes, native: number): void {
  const { surface } = unit.design
  const { areaM2 } = unit
  const shape = swaleShape(unit)
  const depth = Math.min(levels.surface, surface.depthM)
  const wet = shape.surfaceAt(depth)
  const flowArea = shape.areaAt(depth)
  const evaporation = Math.min(flux.evaporation * wet, (shape.length * flowArea) / flux.dt)
  const seepage = native * wet
  let outflow = 0
  if (depth > ZERO && flowArea > ZERO) {
    const radius = flowArea / (shape.bottom + 2 * depth * Math.sqrt(1 + shape.side * shape.side))
    outflow = unit.design.surfaceAlpha * flowArea * radius ** (2 / 3)
  }
  let change = flux.inflow * areaM2 - evaporation - seepage - outflow
  if (depth === surface.depthM && change > 0) {
    outflow += change
    change = 0
  }
  flux.surfaceEvaporation = evaporation / areaM2
  flux.seepage = seepage / areaM2
  flux.outflow = outflow / areaM2
  flux.change.surface = change / wet
}
