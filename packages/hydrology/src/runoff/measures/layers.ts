import type { RunoffControl } from '@radx/contracts/runoff'
import { FOOT_M, MANNING } from '../constants.ts'

/** A measure's design with what follows from it; depths are 0 for layers that it has not. */
export interface Design extends RunoffControl {
  /** Manning's constant of the surface and of the drainage mat, m^(1/3)/s. */
  surfaceAlpha: number
  matAlpha: number
  /** Whether what stands above the surface's height leaves at once. */
  overflows: boolean
  /** Whether water can leave it downwards. */
  pervious: boolean
}

/** What follows from a design (SWMM Reference Manual III, chapters 5 and 6; lid.c). */
export function designOf(control: RunoffControl): Design {
  const { type, surface, mat } = control
  const alpha = (n: number) => (n > 0 ? (MANNING * Math.sqrt(surface.slope)) / n : 0)
  const storage = { ...control.storage }
  const drain = { ...control.drain }
  if (type === 'green-roof')
    Object.assign(storage, { depthM: mat.depthM, voidShare: mat.voidShare, seepage: 0 })
  if (type === 'barrel') Object.assign(storage, { voidShare: 1, seepage: 0 })
  if (storage.depthM === 0) {
    storage.voidShare = 1
    drain.offsetM = 0
  }
  const surfaceAlpha = alpha(surface.n)
  const slow = ['trench', 'pavement', 'bio-cell', 'rain-garden', 'green-roof']
  return {
    ...control,
    // EPA SWMM knows no plants on a roof's surface.
    surface: surface.depthM === 0 || type === 'roof' ? { ...surface, voidShare: 1 } : surface,
    storage,
    drain,
    surfaceAlpha,
    matAlpha: alpha(mat.n),
    overflows: type !== 'roof' && !(slow.includes(type) && surfaceAlpha > 0),
    pervious: storage.depthM === 0 || storage.seepage > 0,
  }
}

/** What stands in a unit: depth on its surface, in its pavement and storage, m; moisture of its soil, share. */
export interface Levels {
  surface: number
  pavement: number
  soil: number
  storage: number
}

/** Rates within a unit over a step, m/s over its area, and the step's surroundings. */
export interface Fluxes {
  dt: number
  /** Potential evaporation. */
  evaporation: number
  inflow: number
  /** Into the surface's ground: what it could take, then what finds room. */
  infiltration: number
  surfaceEvaporation: number
  pavementEvaporation: number
  soilEvaporation: number
  storageEvaporation: number
  outflow: number
  seepage: number
  drain: number
  /** Change of each level a second. */
  change: Levels
}

/** A unit as the flux laws see it. */
export interface UnitView {
  design: Design
  areaM2: number
  widthM: number
  /** Water that it has taken since the start, m, and since its pavement was cleaned. */
  taken: number
  treated: number
  /** Seconds since it rained. */
  drySinceS: number
  /** Whether the drain ran in the last step. */
  drained: boolean
}

/** Manning's flow over the surface above its height, m/s. */
export function surfaceOutflow({ design, areaM2, widthM }: UnitView, depthM: number, dt: number): number {
  const above = depthM - design.surface.depthM
  if (above < 0) return 0
  return Math.min((design.surfaceAlpha * above ** (5 / 3) * widthM) / areaM2, above / dt)
}

/** Percolation through soil, m/s: its conductivity falls with the moisture that it lacks. */
export function soilPercolation({ soil }: Design, moisture: number): number {
  if (moisture <= soil.fieldCapacity) return 0
  return soil.conductivity * Math.exp(-(soil.porosity - moisture) * soil.conductivitySlope)
}

/** Seepage out of the storage, m/s, less where it is clogged. */
export function storageSeepage({ design: { storage }, taken }: UnitView): number {
  if (storage.seepage === 0) return 0
  const room = storage.clogging * storage.depthM * storage.voidShare
  return storage.seepage * (1 - (room > 0 ? Math.min(1, taken / room) : 0))
}

/** Flow of the underdrain, m/s, by the head of all water that stands connected above it. */
export function drainFlow({ design, drained }: UnitView, levels: Levels): number {
  const { drain, pavement, soil, storage } = design
  let head = levels.storage
  if (levels.storage >= storage.depthM) {
    if (soil.depthM > 0 && levels.soil > soil.fieldCapacity) {
      head += ((levels.soil - soil.fieldCapacity) / (soil.porosity - soil.fieldCapacity)) * soil.depthM
      if (levels.soil >= soil.porosity) head += pavement.depthM > 0 ? levels.pavement : levels.surface
    }
    if (pavement.depthM > 0) {
      head += levels.pavement
      if (levels.pavement >= pavement.depthM) head += levels.surface
    }
  }
  if (head <= (drained ? drain.closeM : drain.openM)) return 0
  head -= drain.offsetM
  if (head <= 1e-10 * FOOT_M) return 0
  return drain.coefficient * head ** drain.exponent * (drain.curve ? lookup(drain.curve, head) : 1)
}

function lookup({ x, y }: { x: number[]; y: number[] }, at: number): number {
  const last = x.length - 1
  if (at <= x[0]) return y[0]
  if (at >= x[last]) return y[last]
  let i = 1
  while (x[i] < at) i++
  return y[i - 1] + ((at - x[i - 1]) / (x[i] - x[i - 1])) * (y[i] - y[i - 1])
}

/**
 * Shares the potential evaporation among the layers from the top; none below a surface that takes water in.
 * @param volumes that can evaporate, m
 * @param share of the surface that is pervious
 */
export function shareEvaporation(
  flux: Fluxes,
  volumes: { surface: number; pavement: number; soil: number; storage: number },
  share: number,
): void {
  const { dt } = flux
  flux.surfaceEvaporation = Math.max(0, Math.min(flux.evaporation, volumes.surface / dt))
  let left = Math.max(0, flux.evaporation - flux.surfaceEvaporation) * share
  const take = (volume: number) => {
    const part = flux.infiltration > 0 ? 0 : Math.max(0, Math.min(left, volume / dt))
    left -= part
    return part
  }
  flux.pavementEvaporation = take(volumes.pavement)
  flux.soilEvaporation = take(volumes.soil)
  flux.storageEvaporation = take(volumes.storage)
}
