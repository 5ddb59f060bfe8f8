import type { RunoffMeasure } from '@radx/contracts/runoff'
import { DAY_S } from '../constants.ts'
import { GREEN_AMPT_STATE, type GreenAmptSoil, greenAmpt } from '../green-ampt.ts'
import { barrelFluxes, roofFluxes, swaleFluxes, swaleShape } from './basins.ts'
import { cellFluxes, greenRoofFluxes, trenchFluxes } from './cells.ts'
import type { Design, Fluxes, Levels, UnitView } from './layers.ts'
import { pavementFluxes, pavementPermeability } from './pavement.ts'

/** A swale's levels are found by turns of old and new rates, until they move by less than this, m. */
const SETTLED_M = 0.001
const MOST_TURNS = 20

/** Values that `Measure.save` writes. */
export const UNIT_STATE = 19 + GREEN_AMPT_STATE

const LEVELS = ['surface', 'pavement', 'soil', 'storage'] as const
const TOTALS = ['inflow', 'evaporation', 'seepage', 'outflow', 'drain', 'initial'] as const

/** What a measure gave and lost over a step, m over its area. */
export interface MeasureStep {
  evaporation: number
  seepage: number
  outflow: number
  drain: number
}

/** All units of one measure in a subcatchment, which behave alike. */
export class Measure implements UnitView {
  readonly design: Design
  readonly placed: RunoffMeasure
  readonly areaM2: number
  readonly widthM: number
  /** Area of all units, m2. */
  readonly totalM2: number
  readonly levels: Levels
  /** What the ground sent to all units and did not reach them yet, m3; may be a debt. */
  heldM3 = 0
  taken = 0
  treated = 0
  drySinceS: number
  drained = false
  /** Sums since the start, m over the units' area. */
  readonly totals = { inflow: 0, evaporation: 0, seepage: 0, outflow: 0, drain: 0, initial: 0 }
  readonly last: MeasureStep = { evaporation: 0, seepage: 0, outflow: 0, drain: 0 }
  private readonly soil: GreenAmptSoil | null
  private readonly cleaning: { nextDay: number }
  private readonly flux: Fluxes
  private readonly oldChange: Levels = { surface: 0, pavement: 0, soil: 0, storage: 0 }
  private readonly old: Levels = { surface: 0, pavement: 0, soil: 0, storage: 0 }

  constructor(design: Design, placed: RunoffMeasure, swaleSoil: GreenAmptSoil | null, dryDays: number) {
    this.design = design
    this.placed = placed
    this.areaM2 = placed.areaM2
    this.widthM = placed.widthM
    this.totalM2 = placed.areaM2 * placed.count
    this.drySinceS = dryDays * DAY_S
    const { soil, storage } = design
    const share = placed.initialShare
    this.levels = {
      surface: 0,
      pavement: 0,
      soil: soil.depthM > 0 ? soil.wiltingPoint + share * (soil.porosity - soil.wiltingPoint) : 0,
      storage: share * storage.depthM,
    }
    const deficit = (soil.porosity - soil.wiltingPoint) * (1 - share)
    this.soil =
      soil.depthM > 0
        ? greenAmpt({ suctionM: soil.suctionM, conductivity: soil.conductivity, deficit }, true)
        : swaleSoil
    this.cleaning = { nextDay: design.pavement.regenerationDays }
    this.flux = emptyFluxes()
    this.totals.initial = this.volume()
  }

  /** Everything that the next step hangs on, into `UNIT_STATE` values of an array. */
  save(into: Float64Array, at: number): void {
    const { levels, oldChange, totals, soil, cleaning } = this
    into.set(
      [
        ...LEVELS.map((name) => levels[name]),
        ...LEVELS.map((name) => oldChange[name]),
        ...TOTALS.map((name) => totals[name]),
        ...[this.taken, this.treated, this.drySinceS, this.drained ? 1 : 0, cleaning.nextDay],
        ...(soil?.figures ?? []),
      ],
      at,
    )
  }

  restore(from: Float64Array, at: number): void {
    const { levels, oldChange, totals, soil, cleaning } = this
    let k = at
    for (const name of LEVELS) levels[name] = from[k++]
    for (const name of LEVELS) oldChange[name] = from[k++]
    for (const name of TOTALS) totals[name] = from[k++]
    this.taken = from[k++]
    this.treated = from[k++]
    this.drySinceS = from[k++]
    this.drained = from[k++] !== 0
    cleaning.nextDay = from[k++]
    soil?.figures.set(from.subarray(k, k + GREEN_AMPT_STATE))
  }

  /** Water in it, m over its area. */
  volume(): number {
    const { design, levels } = this
    const { pavement, soil, storage, surface, type } = design
    const standing =
      type === 'swale'
        ? (swaleShape(this).length * swaleShape(this).areaAt(levels.surface)) / this.areaM2
        : levels.surface * surface.voidShare
    return (
      standing +
      levels.pavement * pavement.voidShare * (1 - pavement.imperviousShare) +
      levels.soil * soil.depthM +
      levels.storage * storage.voidShare
    )
  }

  /**
   * One step. What the layers' limits cut off goes over the surface, so that nothing is made or lost.
   * @param inflow rain and what the subcatchment sends, m/s
   * @param native rate at which the ground around takes water, m/s
   */
  step(dt: number, timeS: number, inflow: number, evaporation: number, native: number): MeasureStep {
    const flux = this.flux
    const { design, levels, last } = this
    const before = this.volume()
    clear(flux)
    flux.dt = dt
    flux.inflow = inflow
    flux.evaporation = evaporation
    const offered =
      design.type === 'pavement' ? 0 : this.soil ? this.soil.take(dt, inflow, levels.surface, 1, 1) : native
    const old = copyLevels(levels, this.old)
    const permeability = design.type === 'pavement' ? pavementPermeability(this, timeS, this.cleaning) : 0
    const turning = design.type === 'swale'
    for (let turn = 1; turn < MOST_TURNS; turn++) {
      flux.infiltration = offered
      this.findFluxes(permeability)
      const moved = this.move(old, dt, turning ? 0.5 : 0)
      if (!turning || moved <= SETTLED_M) break
    }
    copyLevels(flux.change, this.oldChange)
    if (design.overflows || this.widthM === 0) this.overflow(dt)
    this.close(before, dt)
    last.evaporation =
      (flux.surfaceEvaporation + flux.pavementEvaporation + flux.soilEvaporation + flux.storageEvaporation) *
      dt
    last.seepage = flux.seepage * dt
    last.outflow = flux.outflow * dt
    last.drain = flux.drain * dt
    this.drained = flux.drain > 0
    this.taken += inflow * dt
    this.treated += inflow * dt
    this.totals.inflow += inflow * dt
    this.totals.evaporation += last.evaporation
    this.totals.seepage += last.seepage
    this.totals.outflow += last.outflow
    this.totals.drain += last.drain
    return last
  }

  private findFluxes(permeability: number): void {
    const { levels } = this
    const flux = this.flux
    switch (this.design.type) {
      case 'green-roof':
        greenRoofFluxes(this, levels, flux)
        break
      case 'trench':
        trenchFluxes(this, levels, flux)
        break
      case 'pavement':
        pavementFluxes(this, levels, flux, permeability)
        break
      case 'barrel':
        barrelFluxes(this, levels, flux)
        break
      case 'roof':
        roofFluxes(this, levels, flux)
        break
      case 'swale':
        swaleFluxes(this, levels, flux, flux.infiltration)
        break
      default:
        cellFluxes(this, levels, flux)
        break
    }
  }

  /** Moves the levels by the rates, within their bounds; `weight` is that of the last step's rates. */
  private move(old: Levels, dt: number, weight: number): number {
    const { levels, design, oldChange } = this
    const { change } = this.flux
    const { soil, pavement, storage } = design
    const rate = (before: number, now: number) => weight * before + (1 - weight) * now
    const surfaceM = within(old.surface + rate(oldChange.surface, change.surface) * dt, 0, Infinity)
    const pavementM = within(
      old.pavement + rate(oldChange.pavement, change.pavement) * dt,
      0,
      pavement.depthM,
    )
    const storageM = within(old.storage + rate(oldChange.storage, change.storage) * dt, 0, storage.depthM)
    let most = Math.max(
      Math.abs(surfaceM - levels.surface),
      Math.abs(pavementM - levels.pavement),
      Math.abs(storageM - levels.storage),
    )
    levels.surface = surfaceM
    levels.pavement = pavementM
    levels.storage = storageM
    if (soil.depthM === 0) return most
    const moisture = old.soil + rate(oldChange.soil, change.soil) * dt
    const next = within(moisture, soil.wiltingPoint, soil.porosity)
    most = Math.max(most, Math.abs(next - levels.soil))
    levels.soil = next
    return most
  }

  /** What stands above the surface's height leaves. */
  private overflow(dt: number): void {
    const { surface } = this.design
    const above = this.levels.surface - surface.depthM
    if (above <= 0) return
    this.levels.surface = surface.depthM
    if (this.design.type !== 'swale') this.flux.outflow += (above * surface.voidShare) / dt
  }

  /**
   * Gives what the balance has over to the outflow; what it lacks is taken off what leaves, in turn, and at last off
   * what stands in it.
   */
  private close(before: number, dt: number): void {
    const flux = this.flux
    const losses =
      flux.surfaceEvaporation + flux.pavementEvaporation + flux.soilEvaporation + flux.storageEvaporation
    let over = flux.inflow - losses - flux.seepage - flux.outflow - flux.drain - (this.volume() - before) / dt
    for (const key of LEAVING) {
      const next = Math.max(0, flux[key] + over)
      over -= next - flux[key]
      flux[key] = next
      if (over === 0) return
    }
    this.lower(-over * dt)
  }

  /** Takes a volume off the levels, m over the area, from the top. */
  private lower(volume: number): void {
    const { design, levels } = this
    const { pavement, soil, storage, surface, type } = design
    if (type === 'swale') {
      levels.surface = swaleShape(this).depthOf(Math.max(0, this.volume() - volume) * this.areaM2)
      return
    }
    let left = volume
    const take = (key: 'surface' | 'storage' | 'pavement', voids: number) => {
      const part = Math.min(left, levels[key] * voids)
      if (voids > 0) levels[key] -= part / voids
      left -= part
    }
    take('surface', surface.voidShare)
    take('storage', storage.voidShare)
    take('pavement', pavement.voidShare * (1 - pavement.imperviousShare))
    if (soil.depthM > 0) levels.soil -= Math.min(left / soil.depthM, levels.soil - soil.wiltingPoint)
  }
}

/** Rates that the balance is closed by, in this order. */
const LEAVING = [
  'outflow',
  'drain',
  'seepage',
  'surfaceEvaporation',
  'soilEvaporation',
  'storageEvaporation',
  'pavementEvaporation',
] as const

function clear(flux: Fluxes): void {
  flux.infiltration = 0
  flux.surfaceEvaporation = 0
  flux.pavementEvaporation = 0
  flux.soilEvaporation = 0
  flux.storageEvaporation = 0
  flux.outflow = 0
  flux.seepage = 0
  flux.drain = 0
}

function copyLevels(from: Levels, to: Levels): Levels {
  to.surface = from.surface
  to.pavement = from.pavement
  to.soil = from.soil
  to.storage = from.storage
  return to
}

const within = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value))

const emptyFluxes = (): Fluxes => ({
  ...{ dt: 0, evaporation: 0, inflow: 0, infiltration: 0, outflow: 0, seepage: 0, drain: 0 },
  ...{ surfaceEvaporation: 0, pavementEvaporation: 0, soilEvaporation: 0, storageEvaporation: 0 },
  change: { surface: 0, pavement: 0, soil: 0, storage: 0 },
})
