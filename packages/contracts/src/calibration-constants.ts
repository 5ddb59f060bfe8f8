/** What can be fitted. */
export const CALIBRATED = ['roughness', 'kh', 'imperviousness', 'gullyEfficiency', 'sewerRoughness'] as const
export type Calibrated = (typeof CALIBRATED)[number]

/** In words, French. */
export const CALIBRATED_FR: Record<Calibrated, string> = {
  roughness: 'rugosité de Manning',
  kh: 'conductivité kh',
  imperviousness: 'imperméabilisation',
  gullyEfficiency: 'efficacité des avaloirs',
  sewerRoughness: 'rugosité des conduites',
}

/**
 * Bounds that no fit may pass. With a land-use code roughness (s/m^(1/3)) and kh (m/s) are the value of its class, without one a
 * factor on all classes; imperviousness is the share of a class that lets nothing in; gully efficiency the share of their law that gullies
 * take; sewer roughness a factor on Manning's n of all conduits.
 */
export const CALIBRATED_LIMITS: Record<
  Calibrated,
  { min: number; max: number; code: 'may' | 'must' | 'never'; factorMax?: number }
> = {
  roughness: { min: 0.005, max: 1, code: 'may', factorMax: 10 },
  kh: { min: 0, max: 1e-3, code: 'may', factorMax: 100 },
  imperviousness: { min: 0, max: 1, code: 'must' },
  gullyEfficiency: { min: 0, max: 1, code: 'never' },
  sewerRoughness: { min: 0.2, max: 5, code: 'never' },
}

/** `roughness.2`, `kh`: what files and answers call it. */
export const parameterKey = ({ kind, code }: { kind: Calibrated; code?: number }): string =>
  code === undefined ? kind : `${kind}.${code}`

/** Flow through a link; depth above a node's bottom or the ground; level above the datum of the model. */
export const OBSERVED_QUANTITIES = ['flow', 'depth', 'level'] as const
export type ObservedQuantity = (typeof OBSERVED_QUANTITIES)[number]
/** Units by quantity, the SI one first. */
export const OBSERVED_UNITS = {
  flow: ['m3/s', 'l/s', 'm3/h'],
  depth: ['m', 'cm', 'mm'],
  level: ['m', 'cm', 'mm'],
} as const satisfies Record<ObservedQuantity, readonly string[]>
/** What a fit makes as good as it can. */
export const CALIBRATION_OBJECTIVES = ['nse', 'kge'] as const
export type CalibrationObjective = (typeof CALIBRATION_OBJECTIVES)[number]

export const CALIBRATION_LIMITS = {
  runs: { min: 20, max: 2_000 },
  parameters: 12,
  events: 20,
  series: 40,
} as const

/** Characters of a table of measurements that is sent: half a million lines. */
export const OBSERVED_CSV_MAX = 20_000_000
