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

// Laws of measures with soil or gravel (SWMM Reference Manual III, chapter 6; lidproc.c). Each fills in the rates of a
// step for levels at its start, limited by what layers hold and have room for.

/** Percolation from soil, m/s, limited by what stands above field capacity. */
function percolation({ design }: UnitView, levels: Levels, flux: Fluxes): number {
  const { soil } = design
  const above = Math.max(0, (levels.soil - soil.fieldCapacity) * soil.depthM) / flux.dt - flux.soilEvaporation
  return Math.max(0, Math.min(soilPercolation(design, levels.soil), above))
}

/** What the soil has room for over the step, m/s, with what leaves it. */
const soilRoom = ({ design: { soil } }: UnitView, levels: Levels, flux: Fluxes, leaving: number) =>
  ((soil.porosity - levels.soil) * soil.depthM) / flux.dt + leaving + flux.soilEvaporation

/** What the storage has room for over the step, m/s, with what leaves it. */
export const storageRoom = ({ design: { storage } }: UnitView, levels: Levels, flux: Fluxes) =>
  ((storage.depthM - levels.storage) * storage.voidShare) / flux.dt +
  flux.seepage +
  flux.storageEvaporation +
  flux.drain

/** Limits the drain by what stands above its offset. */
export function limitDrain({ design }: UnitView, levels: Levels, flux: Fluxes, arriving: number): void {
  if (!(flux.drain > 0)) return
  const { storage, drain } = design
  let most = -flux.seepage - flux.storageEvaporation
  if (levels.storage >= storage.depthM) most += arriving
  if (drain.offsetM <= levels.storage)
    most += ((levels.storage - drain.offsetM) * storage.voidShare) / flux.dt
  flux.drain = Math.min(flux.drain, Math.max(0, most))
}

function evaporate({ design }: UnitView, levels: Levels, flux: Fluxes): void {
  const { soil, storage, surface } = design
  shareEvaporation(
    flux,
    {
      surface: levels.surface * surface.voidShare,
      pavement: 0,
      soil: (levels.soil - soil.wiltingPoint) * soil.depthM,
      storage: levels.storage * storage.voidShare,
    },
    1,
  )
  if (levels.soil >= soil.porosity) flux.storageEvaporation = 0
}

/** Changes of surface, soil and storage by the rates found, and the flow over the surface. */
function settle(unit: UnitView, levels: Levels, flux: Fluxes, perc: number): void {
  const { soil, storage, surface } = unit.design
  flux.outflow = surfaceOutflow(unit, levels.surface, flux.dt)
  flux.change.surface =
    (flux.inflow - flux.surfaceEvaporation - flux.infiltration - flux.outflow) / surface.voidShare
  flux.change.soil = (flux.infiltration - flux.soilEvaporation - perc) / soil.depthM
  flux.change.storage =
    storage.depthM === 0
      ? 0
      : (perc - flux.storageEvaporation - flux.seepage - flux.drain) / storage.voidShare
}

/** Bio-retention cells and rain gardens: surface, soil, storage with an underdrain. */
export function cellFluxes(unit: UnitView, levels: Levels, flux: Fluxes): void {
  const { soil, storage, drain } = unit.design
  evaporate(unit, levels, flux)
  let perc = percolation(unit, levels, flux)
  flux.seepage = storageSeepage(unit)
  flux.drain = drain.coefficient > 0 ? drainFlow(unit, levels) : 0
  if (storage.depthM === 0) {
    flux.storageEvaporation = 0
    perc = Math.min(perc, flux.seepage)
    flux.seepage = perc
    flux.drain = 0
    flux.infiltration = Math.min(flux.infiltration, soilRoom(unit, levels, flux, perc))
  } else if (levels.soil >= soil.porosity && levels.storage >= storage.depthM) {
    let most = flux.seepage + flux.drain
    if (perc < most) {
      most = perc
      flux.drain = Math.max(0, most - flux.seepage)
      flux.seepage = Math.min(flux.seepage, most)
    } else perc = most
    flux.infiltration = Math.min(flux.infiltration, most)
  } else {
    const held = (levels.storage * storage.voidShare) / flux.dt
    flux.seepage = Math.max(0, Math.min(flux.seepage, perc - flux.storageEvaporation + held))
    limitDrain(unit, levels, flux, perc)
    perc = Math.min(perc, storageRoom(unit, levels, flux))
    flux.infiltration = Math.min(flux.infiltration, soilRoom(unit, levels, flux, perc))
  }
  settle(unit, levels, flux, perc)
}

/** Green roofs: surface, soil, drainage mat. */
export function greenRoofFluxes(unit: UnitView, levels: Levels, flux: Fluxes): void {
  const { design, areaM2, widthM } = unit
  const { soil, storage } = design
  evaporate(unit, levels, flux)
  let perc = percolation(unit, levels, flux)
  flux.seepage = 0
  flux.drain =
    design.matAlpha > 0
      ? (design.matAlpha * levels.storage ** (5 / 3) * widthM * storage.voidShare) / areaM2
      : perc
  if (levels.soil >= soil.porosity && levels.storage >= storage.depthM) {
    perc = Math.min(perc, flux.drain)
    flux.drain = perc
    flux.infiltration = Math.min(flux.infiltration, perc)
  } else {
    let most = (levels.storage * storage.voidShare) / flux.dt - flux.storageEvaporation
    if (levels.storage >= storage.depthM) most += perc
    flux.drain = Math.min(flux.drain, Math.max(0, most))
    perc = Math.min(perc, storageRoom(unit, levels, flux))
    flux.infiltration = Math.min(flux.infiltration, soilRoom(unit, levels, flux, perc))
  }
  settle(unit, levels, flux, perc)
}

/** Infiltration trenches: surface and gravel. */
export function trenchFluxes(unit: UnitView, levels: Levels, flux: Fluxes): void {
  const { storage, surface, drain } = unit.design
  const { dt } = flux
  const standing = levels.surface * surface.voidShare
  const held = levels.storage * storage.voidShare
  shareEvaporation(flux, { surface: standing, pavement: 0, soil: 0, storage: held }, 1)
  if (levels.surface > 0) flux.storageEvaporation = 0
  const entering = flux.inflow + standing / dt
  flux.seepage = storageSeepage(unit)
  flux.drain = drain.coefficient > 0 ? drainFlow(unit, levels) : 0
  flux.seepage = Math.max(0, Math.min(flux.seepage, entering - flux.storageEvaporation + held / dt))
  limitDrain(unit, levels, flux, entering)
  flux.infiltration = Math.min(entering, storageRoom(unit, levels, flux))
  flux.outflow = surfaceOutflow(unit, levels.surface, dt)
  flux.change.surface =
    (flux.inflow - flux.surfaceEvaporation - flux.infiltration - flux.outflow) / surface.voidShare
  flux.change.storage =
    (flux.infiltration - flux.storageEvaporation - flux.seepage - flux.drain) / storage.voidShare
}
