// Apart from the schemas, so that a page that needs a number does not load the validator.

/** The instrument (spec 2 §1, §9). */
export const MRR = {
  gates: 128,
  gateM: 35,
  averagingSeconds: 10,
  frequencyGhz: 24.2,
  wavelengthCm: 1.24,
  binMinutes: 5,
  windowHours: 1,
  refreshMs: 600_000,
} as const

/** Upper threshold and max value controls, g/m3. */
export const MRR_SCALE = { min: 0.1, max: 10, step: 0.1, default: 3 } as const

export const MRR_PALETTES = [
  'turbo',
  'viridis',
  'viridis 2',
  'blues',
  'blues 2',
  'inferno',
  'inferno 2',
] as const
export type MrrPalette = (typeof MRR_PALETTES)[number]

/** Profiles that can be looked at: liquid water content, rain rate, reflectivity, fall velocity. */
export const MRR_VARIABLES = ['LWC', 'RR', 'Ze', 'VEL'] as const
export type MrrVariableName = (typeof MRR_VARIABLES)[number]
/** Whether a value shows rain: some water or rain, or any echo. */
export const hasRain = (variable: MrrVariableName, value: number): boolean =>
  variable === 'LWC' || variable === 'RR' ? value > 0 : !Number.isNaN(value)

export const MRR_VARIABLE_UNITS: Record<MrrVariableName, { titleFr: string; unit: string }> = {
  LWC: { titleFr: 'Contenu en eau liquide', unit: 'g/m³' },
  RR: { titleFr: 'Intensité de pluie', unit: 'mm/h' },
  Ze: { titleFr: 'Réflectivité équivalente', unit: 'dBZ' },
  VEL: { titleFr: 'Vitesse de chute', unit: 'm/s' },
}
