import type { StoringMeasure } from '@radx/contracts/measures'
import { figuresOf, type MeasureKind, ROOF_KINDS } from '@radx/contracts/measures-constants'
import type { RunoffControl, RunoffControlType } from '@radx/contracts/runoff'
import { DAY_S } from '../runoff/constants.ts'
import { type Design, designOf } from '../runoff/measures/layers.ts'

import type { MeasureSite, SwaleGround } from './measures.ts'

/** Unit of the sewer's runoff that a kind is; an open basin is a trench all of whose volume is void. */
const TYPES: Record<MeasureKind, RunoffControlType> = {
  'green-roof': 'green-roof',
  'rain-garden': 'rain-garden',
  swale: 'swale',
  trench: 'trench',
  pavement: 'pavement',
  basin: 'trench',
  barrel: 'barrel',
}

/** An orifice (EPA SWMM's help, drain advisor). */
const DRAIN_EXPONENT = 0.5

const MM = 1e-3
const MM_H = 1e-3 / 3600

/**
 * A measure as a unit of the sewer's runoff.
 *
 * @param soil whether water may leave it into the ground
 */
function measureDesign(measure: StoringMeasure, soil: boolean): Design {
  const figures = figuresOf(measure)
  const { surfaceMm = 0, vegetationShare = 0, sideSlope = 0, roofSlope = 0, matN = 0 } = figures
  const { pavementMm = 0, pavementVoid = 0, pavementMmH = 0 } = figures
  const { soilMm = 0, porosity = 0, fieldCapacity = 0, wiltingPoint = 0 } = figures
  const { soilMmH = 0, soilSlope = 0, suctionMm = 0 } = figures
  const { storageMm = 0, storageVoid = 1, seepageMmH = 0 } = figures
  const { drainMmH = 0, drainOffsetMm = 0, drainDelayH = 0 } = figures
  const fullHeadM = (storageMm - drainOffsetMm) * MM
  const roof = measure.kind === 'green-roof'
  const control: RunoffControl = {
    name: measure.kind,
    type: TYPES[measure.kind],
    // No roughness: what stands above its height leaves at once, and the grid leads it on.
    surface: {
      ...{ depthM: surfaceMm * MM, voidShare: 1 - vegetationShare, n: 0, slope: roofSlope, sideSlope },
    },
    pavement: {
      ...{ depthM: pavementMm * MM, voidShare: pavementVoid, imperviousShare: 0 },
      ...{ conductivity: pavementMmH * MM_H, clogging: 0, regenerationDays: 0, regenerationShare: 0 },
    },
    soil: {
      ...{ depthM: soilMm * MM, porosity, fieldCapacity, wiltingPoint },
      ...{ conductivity: soilMmH * MM_H, conductivitySlope: soilSlope, suctionM: suctionMm * MM },
    },
    storage: {
      ...{ depthM: roof ? 0 : storageMm * MM, voidShare: storageVoid },
      ...{ seepage: soil ? seepageMmH * MM_H : 0, clogging: 0 },
    },
    drain: {
      coefficient: drainMmH > 0 ? (drainMmH * MM_H) / fullHeadM ** DRAIN_EXPONENT : 0,
      ...{ exponent: DRAIN_EXPONENT, offsetM: drainOffsetMm * MM, delayS: drainDelayH * 3600 },
      ...{ openM: 0, closeM: 0, curve: null },
    },
    mat: { depthM: roof ? storageMm * MM : 0, voidShare: storageVoid, n: matN },
  }
  return designOf(control)
}

/**
 * A measure on cells of the surface.
 *
 * @param soil whether water may leave it into the ground
 * @param node of the sewer that its drain leads to; -1: onto the surface
 */
export function measureSite(
  measure: StoringMeasure,
  { name, cells, soil, node }: { name: string; cells: ArrayLike<number>; soil: boolean; node: number },
): MeasureSite {
  const { share = 1, initialShare = 0, evaporationMmDay = 0 } = figuresOf(measure)
  return {
    ...{
      name,
      cells: Int32Array.from(cells),
      design: measureDesign(measure, soil),
      share,
      initialShare,
      node,
    },
    ...{ onRoof: ROOF_KINDS.includes(measure.kind), evaporationMS: (evaporationMmDay * MM) / DAY_S },
    ground: swaleGround(measure, soil),
  }
}

/** Ground below a swale; null where it lets nothing in. */
function swaleGround(measure: StoringMeasure, soil: boolean): SwaleGround | null {
  if (!soil || measure.kind !== 'swale') return null
  const { seepageMmH = 0, suctionMm = 0, deficit = 0 } = figuresOf(measure)
  if (seepageMmH === 0) return null
  return { suctionM: suctionMm * MM, conductivity: seepageMmH * MM_H, deficit }
}
