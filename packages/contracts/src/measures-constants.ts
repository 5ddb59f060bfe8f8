import type { StoringMeasure } from './measures.ts'

/**
 * Measures that store water on the ground or on roofs (SuDS), as a land-use class carries them. Layers and laws are those of
 * the LID units of EPA SWMM (Reference Manual III, chapters 5 and 6).
 */
export const MEASURE_KINDS = [
  'green-roof',
  'rain-garden',
  'swale',
  'trench',
  'pavement',
  'basin',
  'barrel',
] as const
export type MeasureKind = (typeof MEASURE_KINDS)[number]

/** Where an underdrain leads, unless a junction is named. */
export const DRAIN_NEAREST = 'nearest'
export const DRAIN_SURFACE = 'surface'

/** Least and most of every figure. Depths in mm, rates in mm/h, shares 0 to 1. */
export const MEASURE_LIMITS = {
  /** Part of its cell that the measure takes up; it gets the water of all of it. */
  share: { min: 0.001, max: 1 },
  /** Height to which water may stand on it before it overflows. */
  surfaceMm: { min: 0, max: 5000 },
  /** Part of that which plants fill. */
  vegetationShare: { min: 0, max: 0.9 },
  /** Run over rise of a swale's sides. */
  sideSlope: { min: 0, max: 20 },
  pavementMm: { min: 20, max: 1000 },
  pavementVoid: { min: 0.01, max: 0.9 },
  pavementMmH: { min: 0.1, max: 50_000 },
  soilMm: { min: 20, max: 5000 },
  porosity: { min: 0.05, max: 0.95 },
  fieldCapacity: { min: 0.01, max: 0.9 },
  wiltingPoint: { min: 0, max: 0.8 },
  soilMmH: { min: 0.1, max: 5000 },
  /** Slope of log(conductivity) against the missing moisture. */
  soilSlope: { min: 0, max: 100 },
  suctionMm: { min: 0, max: 1000 },
  /** Gravel, drainage mat, open basin, barrel. */
  storageMm: { min: 0, max: 10_000 },
  storageVoid: { min: 0.05, max: 1 },
  /** Into the ground below. */
  seepageMmH: { min: 0, max: 5000 },
  /** Moisture that the ground below a swale lacks. */
  deficit: { min: 0, max: 0.9 },
  /** Flow of the underdrain when the storage is just full; 0: none. */
  drainMmH: { min: 0, max: 50_000 },
  /** Height of the underdrain above the bottom of the storage. */
  drainOffsetMm: { min: 0, max: 10_000 },
  /** Dry hours before a barrel is emptied. */
  drainDelayH: { min: 0, max: 240 },
  /** Manning's n of a drainage mat, and the slope of the roof below it. */
  matN: { min: 0.005, max: 2 },
  roofSlope: { min: 0.0001, max: 1 },
  /** Part of soil and storage that is full at the start. */
  initialShare: { min: 0, max: 1 },
  /** Potential evaporation. */
  evaporationMmDay: { min: 0, max: 20 },
  costEurM2: { min: 0, max: 100_000 },
} as const
export type MeasureFigure = keyof typeof MEASURE_LIMITS
export type MeasureFigures = Partial<Record<MeasureFigure, number>>

/** Loamy sand and sandy loam (Rawls, Brakensiek and Miller 1983, as in EPA SWMM's table of soils); slope 0.48 sand % + 0.85 clay %. */
const LOAMY_SAND = {
  ...{ porosity: 0.437, fieldCapacity: 0.105, wiltingPoint: 0.047 },
  ...{ soilMmH: 30, soilSlope: 44, suctionMm: 61 },
}
const SANDY_LOAM = {
  ...{ porosity: 0.453, fieldCapacity: 0.19, wiltingPoint: 0.085 },
  ...{ soilMmH: 10.9, soilSlope: 40, suctionMm: 110 },
}
/** Conductivity of silt loam (Rawls 1983), as the grass of the default table. */
const NATIVE_MM_H = 6.5
/** Gravel of void ratio 0.6, in the middle of 0.5 to 0.75. */
const GRAVEL_VOID = 0.375

/** Events are short: nothing evaporates unless it is said. */
const dearAt = (costEurM2: number) => ({ evaporationMmDay: 0, costEurM2 })

/**
 * Figures of each kind, and all that it has. Ranges of EPA SWMM's help (LID controls): soil 450 to 900 mm, on roofs 75 to
 * 150 mm; gravel 150 to 450 mm, void ratio 0.5 to 0.75; mats 25 to 50 mm, voids 0.5 to 0.6, n 0.1 to 0.4; pavement 100 to
 * 150 mm, void ratio 0.12 to 0.21; barrels 600 to 900 mm; slope of conductivity 30 to 60. Costs: see docs/formats.md.
 */
export const MEASURE_DEFAULTS = {
  'green-roof': {
    ...{ share: 1, surfaceMm: 10, vegetationShare: 0, soilMm: 100, ...LOAMY_SAND },
    ...{ storageMm: 30, storageVoid: 0.5, matN: 0.2, roofSlope: 0.02, initialShare: 0.15, ...dearAt(45) },
  },
  'rain-garden': {
    ...{ share: 1, surfaceMm: 150, vegetationShare: 0.1, soilMm: 600, ...SANDY_LOAM },
    ...{ storageMm: 0, storageVoid: GRAVEL_VOID, seepageMmH: NATIVE_MM_H },
    ...{ drainMmH: 0, drainOffsetMm: 0, initialShare: 0.29, ...dearAt(20) },
  },
  swale: {
    ...{ share: 0.3, surfaceMm: 300, vegetationShare: 0.1, sideSlope: 3 },
    ...{ seepageMmH: NATIVE_MM_H, suctionMm: 167, deficit: 0.3, initialShare: 0, ...dearAt(20) },
  },
  trench: {
    ...{ share: 0.1, surfaceMm: 0, vegetationShare: 0, storageMm: 1000, storageVoid: GRAVEL_VOID },
    ...{ seepageMmH: NATIVE_MM_H, drainMmH: 0, drainOffsetMm: 0, initialShare: 0, ...dearAt(50) },
  },
  pavement: {
    ...{ share: 1, surfaceMm: 2, vegetationShare: 0, pavementMm: 120, pavementVoid: 0.14, pavementMmH: 250 },
    ...{ storageMm: 300, storageVoid: GRAVEL_VOID, seepageMmH: NATIVE_MM_H },
    ...{ drainMmH: 0, drainOffsetMm: 0, initialShare: 0, ...dearAt(110) },
  },
  basin: {
    ...{ share: 1, storageMm: 1000, seepageMmH: NATIVE_MM_H },
    ...{ drainMmH: 50, drainOffsetMm: 0, initialShare: 0, ...dearAt(35) },
  },
  barrel: {
    ...{ share: 0.01, storageMm: 900, drainMmH: 150, drainOffsetMm: 0 },
    ...{ drainDelayH: 6, initialShare: 0, ...dearAt(200) },
  },
} as const satisfies Record<MeasureKind, MeasureFigures>

/** What each kind is called where nobody named it. */
export const MEASURE_TITLES: Record<MeasureKind, string> = {
  'green-roof': 'Toiture végétalisée',
  'rain-garden': 'Jardin de pluie',
  swale: 'Noue végétalisée',
  trench: 'Tranchée d’infiltration',
  pavement: 'Pavé drainant',
  basin: 'Bassin de rétention',
  barrel: 'Cuve de récupération',
}

/** Kinds that take the rain of their cells alone; the others also what stands on them. */
export const ROOF_KINDS: readonly MeasureKind[] = ['green-roof', 'barrel']

/** Where the drain of a measure leads: roofs give onto the ground unless a junction is named. */
export const drainOf = ({ kind, drainTo }: StoringMeasure): string =>
  drainTo ?? (ROOF_KINDS.includes(kind) ? DRAIN_SURFACE : DRAIN_NEAREST)

/** All figures of a measure. */
export function figuresOf({ kind, drainTo: _, ...given }: StoringMeasure): MeasureFigures {
  return { ...MEASURE_DEFAULTS[kind], ...given }
}
