import type { MeasureTotals } from '../measures/measures.ts'
import type { Sewer } from '../sewer/types.ts'
import type { Surface } from '../surface/surface.ts'

/** Where the water went since the start, m3. */
export interface WaterBalance {
  timeS: number
  rainM3: number
  /** There at the start on the surface. */
  initialM3: number
  /** Net volume in through boundaries of the surface. */
  boundaryInM3: number
  /** Inflows that the network file itself brings (dry weather, hydrographs). */
  networkInflowM3: number
  interceptedM3: number
  infiltratedM3: number
  surfaceM3: number
  /** Gone into permanent water. */
  waterM3: number
  /** Gone out at open edges. */
  edgeOutM3: number
  /** More in the sewer than at the start. */
  sewerM3: number
  /** Out of the sewer: outfalls, losses of pipes. */
  outfallM3: number
  /** More in measures that store than at the start. Runs without measures have none of these four. */
  measuresStoredM3?: number
  /** Out of measures into the ground, and into the air. */
  measuresInfiltratedM3?: number
  measuresEvaporatedM3?: number
  /** Through drains of measures into the sewer or onto the surface, where it is counted. */
  measuresDrainedM3?: number
  /** What came in and is nowhere. */
  errorM3: number
  /** errorM3 over what came in (0 when nothing did). */
  relativeError: number
}

/** The balance of a surface and, when there are any, its measures and the sewer that it is coupled to. */
export function waterBalance(
  timeS: number,
  surface: Surface,
  sewer?: { sewer: Sewer; takenM3: number },
  measures?: MeasureTotals,
): WaterBalance {
  const { initialM3, boundaryInM3, interceptedM3, infiltratedM3, surfaceM3, waterM3, edgeOutM3, ...falling } =
    surface.volumes()
  const rainM3 = falling.rainM3 + (measures?.rainM3 ?? 0)
  const totals = sewer?.sewer.totals()
  const networkInflowM3 = totals ? totals.inflow - sewer!.takenM3 : 0
  const sewerM3 = totals ? totals.stored - totals.initial : 0
  const outfallM3 = totals ? totals.outfall + totals.loss : 0
  const incoming = rainM3 + networkInflowM3 + initialM3 + boundaryInM3
  const brought = rainM3 + networkInflowM3 + initialM3 + Math.abs(boundaryInM3)
  const inMeasures = measures ? measures.storedM3 + measures.infiltratedM3 + measures.evaporatedM3 : 0
  const errorM3 =
    incoming -
    interceptedM3 -
    infiltratedM3 -
    surfaceM3 -
    waterM3 -
    edgeOutM3 -
    sewerM3 -
    outfallM3 -
    inMeasures
  return {
    timeS,
    rainM3,
    initialM3,
    boundaryInM3,
    networkInflowM3,
    interceptedM3,
    infiltratedM3,
    surfaceM3,
    waterM3,
    edgeOutM3,
    sewerM3,
    outfallM3,
    ...(measures && {
      measuresStoredM3: measures.storedM3,
      measuresInfiltratedM3: measures.infiltratedM3,
      measuresEvaporatedM3: measures.evaporatedM3,
      measuresDrainedM3: measures.drainedM3,
    }),
    errorM3,
    relativeError: brought > 0 ? errorM3 / brought : 0,
  }
}
