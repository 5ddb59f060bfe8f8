/**
 * Rain on catchments and what runs off them, in SI units (m, m2, s, m/s), as the `.inp` reader makes it and the runoff
 * model takes it. Times are seconds since the start of the simulation. Names and laws are those of EPA SWMM 5.2 (SWMM
 * Reference Manuals I and III).
 */

/** A rain gage: each value holds from its start for the recording interval. */
export interface RunoffGage {
  name: string
  /** s. */
  intervalS: number
  /** Ascending, s; may begin before 0. */
  startsS: number[]
  /** m/s. */
  rates: number[]
}

/** Potential evaporation, m/s. */
export type RunoffEvaporation =
  | { type: 'constant'; rate: number }
  /** January first. */
  | { type: 'monthly'; rates: number[] }
  /** Each value holds until the next. */
  | { type: 'series'; timesS: number[]; rates: number[] }

export type RunoffInfiltration =
  | {
      type: 'horton' | 'modified-horton'
      /** Rates of dry and of wet ground, m/s. */
      maxRate: number
      minRate: number
      /** 1/s. */
      decay: number
      /** Time in which wet ground becomes dry, s. */
      dryingS: number
      /** Volume that it takes at most, m; 0 = no limit. */
      maxVolumeM: number
    }
  | {
      type: 'green-ampt' | 'modified-green-ampt'
      suctionM: number
      /** m/s. */
      conductivity: number
      /** Share of the volume that dry ground takes up. */
      deficit: number
    }
  | { type: 'curve-number'; curveNumber: number; dryingS: number }

/** Monthly factors, January first, or null. */
export type MonthlyFactors = number[] | null

export interface RunoffSubcatchment {
  name: string
  /** Index of its gage; -1 when it has none. */
  gage: number
  /** Where its water goes; null: nowhere in the model. */
  outlet: { node: number } | { subcatchment: number } | null
  areaM2: number
  /** 0 to 1. */
  imperviousShare: number
  widthM: number
  slope: number
  /** Manning's n of impervious and pervious ground; 0: what exceeds the hollows leaves at once. */
  imperviousN: number
  perviousN: number
  /** Water kept in hollows, m. */
  imperviousStoreM: number
  perviousStoreM: number
  /** Share of the impervious ground that has no hollows. */
  bareShare: number
  /** Ground that the other one drains onto, and the share that does. */
  routeTo: 'outlet' | 'impervious' | 'pervious'
  routedShare: number
  infiltration: RunoffInfiltration
  measures: RunoffMeasure[]
  /** Monthly factors on pervious roughness, hollows and conductivity. */
  monthly: { roughness: MonthlyFactors; store: MonthlyFactors; conductivity: MonthlyFactors }
}

/** Kinds of measures (LID controls), by EPA SWMM's abbreviations. */
export type RunoffControlType =
  | 'bio-cell'
  | 'rain-garden'
  | 'green-roof'
  | 'trench'
  | 'pavement'
  | 'barrel'
  | 'swale'
  | 'roof'

/** Design of a measure, layer by layer. Void fractions, not void ratios. */
export interface RunoffControl {
  name: string
  type: RunoffControlType
  surface: { depthM: number; voidShare: number; n: number; slope: number; sideSlope: number }
  pavement: {
    depthM: number
    voidShare: number
    imperviousShare: number
    conductivity: number
    clogging: number
    regenerationDays: number
    regenerationShare: number
  }
  soil: {
    depthM: number
    porosity: number
    fieldCapacity: number
    wiltingPoint: number
    conductivity: number
    conductivitySlope: number
    suctionM: number
  }
  storage: { depthM: number; voidShare: number; seepage: number; clogging: number }
  /**
   * Underdrain: outflow m/s = coefficient * head^exponent, head m above `offsetM`; for a roof `coefficient` is the
   * gutter's capacity, m/s.
   */
  drain: {
    coefficient: number
    exponent: number
    offsetM: number
    delayS: number
    openM: number
    closeM: number
    /** x head m, y factor; or null. */
    curve: { x: number[]; y: number[] } | null
  }
  mat: { depthM: number; voidShare: number; n: number }
}

/** Units of a measure in a subcatchment. */
export interface RunoffMeasure {
  /** Index of its design. */
  control: number
  count: number
  /** Of one unit. */
  areaM2: number
  widthM: number
  /** Share of soil and storage filled at the start. */
  initialShare: number
  /** Shares of the impervious and of the pervious ground's water that it takes. */
  fromImpervious: number
  fromPervious: number
  /** Whether what leaves it goes onto the pervious ground. */
  toPervious: boolean
  /** Where the drain leads; null: where the subcatchment drains. */
  drainTo: { node: number } | { subcatchment: number } | null
}

/** Rain that gets into a separate sewer: up to three triangular unit hydrographs a month (RDII). */
export interface RunoffUnitHydrographs {
  name: string
  gage: number
  /** [month][short, medium, long]. */
  months: {
    /** Share of the rain. */
    share: number
    peakS: number
    baseS: number
    /** Initial abstraction: most, recovered m/s, taken at the start; m. */
    abstractionM: number
    recovery: number
    initialM: number
  }[][]
}

export interface RunoffInfiltrationInflow {
  node: number
  hydrographs: number
  areaM2: number
}

export interface RunoffModel {
  /** Seconds since 1970-01-01, the file's clock taken as UTC: months are found by it. */
  startEpochS: number
  durationS: number
  wetStepS: number
  dryStepS: number
  /** Days without rain before the start. */
  dryDays: number
  gages: RunoffGage[]
  evaporation: RunoffEvaporation
  evaporatesWhenDryOnly: boolean
  /** Monthly factors on how fast ground dries. */
  recovery: MonthlyFactors
  /** Added to evaporation, m/s, and factors on rain and conductivity, by month. */
  adjustments: { evaporation: MonthlyFactors; rain: MonthlyFactors; conductivity: MonthlyFactors }
  subcatchments: RunoffSubcatchment[]
  controls: RunoffControl[]
  unitHydrographs: RunoffUnitHydrographs[]
  infiltrationInflows: RunoffInfiltrationInflow[]
  /** Outfalls whose water goes onto a subcatchment. */
  returns: { node: number; subcatchment: number }[]
}
