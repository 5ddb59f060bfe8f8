import { DAY_S } from '../constants.ts'
import { limitDrain } from './cells.ts'
import {
  drainFlow,
  type Fluxes,
  type Levels,
  shareEvaporation,
  soilPercolation,
  storageSeepage,
  surfaceOutflow,
  type UnitView,
} from './layers.ts'

/** Permeability of a pavement, m/s: it clogs with what it has taken, and is cleaned at intervals. */
export function pavementPermeability(unit: UnitView, timeS: number, cleaning: { nextDay: number }): number {
  const { pavement } = unit.design
  const room = pavement.clogging * pavement.depthM * pavement.voidShare * (1 - pavement.imperviousShare)
  if (!(room > 0)) return pavement.conductivity
  if (pavement.regenerationDays > 0 && timeS / DAY_S >= cleaning.nextDay) {
    unit.treated *= 1 - pavement.regenerationShare
    cleaning.nextDay += pavement.regenerationDays
  }
  return pavement.conductivity * (1 - Math.min(1, unit.treated / room))
}

/** Permeable pavement: surface, pavement, sand (may be absent), storage with an underdrain (Manual III, 6.6). */
export function pavementFluxes(unit: UnitView, levels: Levels, flux: Fluxes, permeability: number): void {
  const { design } = unit
  const { pavement, soil, storage, surface } = design
  const { dt } = flux
  const perviousShare = 1 - pavement.imperviousShare
  const voids = pavement.voidShare * perviousShare
  const hasSoil = soil.depthM > 0
  const soaked = hasSoil && levels.soil >= soil.porosity
  const paved = levels.pavement >= pavement.depthM
  const full = levels.storage >= storage.depthM
  const standing = levels.surface * surface.voidShare
  const inPavement = levels.pavement * voids
  const held = levels.storage * storage.voidShare
  shareEvaporation(
    flux,
    {
      surface: standing,
      pavement: inPavement,
      soil: (levels.soil - soil.wiltingPoint) * soil.depthM,
      storage: held,
    },
    perviousShare,
  )
  if (paved || soaked) flux.storageEvaporation = 0
  flux.infiltration = Math.min(flux.inflow + standing / dt, permeability)
  let through = Math.min(
    permeability,
    Math.max(0, inPavement / dt + flux.infiltration - flux.pavementEvaporation),
  )
  let perc = through
  if (hasSoil) {
    const above = Math.max(0, (levels.soil - soil.fieldCapacity) * soil.depthM) / dt - flux.soilEvaporation
    perc = Math.max(0, Math.min(soilPercolation(design, levels.soil), above))
  }
  flux.seepage = storageSeepage(unit)
  flux.drain = design.drain.coefficient > 0 ? drainFlow(unit, levels) : 0
  const pavementRoom = () =>
    ((pavement.depthM - levels.pavement) * voids) / dt + through + flux.pavementEvaporation
  /** Seepage takes its share of what leaves the storage before the drain. */
  const leave = (most: number) => {
    flux.drain = Math.max(0, most - flux.seepage)
    flux.seepage = Math.min(flux.seepage, most)
  }

  if (!hasSoil && full && paved) {
    const most = flux.storageEvaporation + flux.drain + flux.seepage
    if (through > most) through = most
    else leave(through)
    perc = through
    flux.infiltration = Math.min(flux.infiltration, through)
  } else if (soaked && full && paved) {
    let most = flux.seepage + flux.drain
    most = perc < most ? perc : Math.min(most, through)
    leave(most)
    perc = most
    through = most
    flux.infiltration = Math.min(flux.infiltration, through)
  } else if (soaked && full) {
    const most = flux.drain + flux.seepage
    if (perc > most) perc = most
    else leave(perc)
    flux.infiltration = Math.min(flux.infiltration, pavementRoom())
  } else if (soaked && paved) {
    through = Math.min(through, perc)
    perc = through
    flux.infiltration = Math.min(flux.infiltration, through)
  } else {
    flux.seepage = Math.min(flux.seepage, Math.max(0, perc - flux.storageEvaporation + held / dt))
    limitDrain(unit, levels, flux, perc)
    let room = Math.max(
      0,
      ((storage.depthM - levels.storage) * storage.voidShare) / dt +
        flux.storageEvaporation +
        flux.drain +
        flux.seepage,
    )
    if (hasSoil) {
      perc = Math.min(perc, room)
      room = ((soil.porosity - levels.soil) * soil.depthM) / dt + perc
    }
    through = Math.min(through, room)
    flux.infiltration = Math.min(flux.infiltration, pavementRoom())
  }
  flux.outflow = surfaceOutflow(unit, levels.surface, dt)
  flux.change.surface =
    (flux.inflow - flux.surfaceEvaporation - flux.infiltration - flux.outflow) / surface.voidShare
  flux.change.pavement = (flux.infiltration - flux.pavementEvaporation - through) / voids
  flux.change.soil = hasSoil ? (through - flux.soilEvaporation - perc) / soil.depthM : 0
  flux.change.storage =
    ((hasSoil ? perc : through) - flux.storageEvaporation - flux.seepage - flux.drain) / storage.voidShare
}
