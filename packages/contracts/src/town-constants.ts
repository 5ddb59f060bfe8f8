// Apart from the schemas, so that a page that needs a number does not load the validator.

/** In the grid of a town: outside the model. */
export const TOWN_OUTSIDE = 65_535
export const TOWN_NO_CLASS = 255

/**
 * Maps of a finished run over its whole time, `GET /api/multihydro/file/{jobId}/map/{layer}` (ours): uint16 each,
 * `value = code / perUnit`, 65535 outside the model or, where `dry` says so, also where nothing is told.
 */
export const RUN_MAPS = {
  hauteur: { unit: 'm', perUnit: 1000 },
  vitesse: { unit: 'm/s', perUnit: 1000 },
  debit: { unit: 'm²/s', perUnit: 1000 },
  infiltration: { unit: 'm', perUnit: 10_000 },
  arrivee: { unit: 's', perUnit: 0.1 },
  'duree-5': { unit: 's', perUnit: 0.1 },
  'duree-20': { unit: 's', perUnit: 0.1 },
  'duree-50': { unit: 's', perUnit: 0.1 },
  defra: { unit: '', perUnit: 1 },
  ppri: { unit: '', perUnit: 1 },
} as const
export type RunMap = keyof typeof RUN_MAPS
export const RUN_MAP_NAMES = Object.keys(RUN_MAPS) as [RunMap, ...RunMap[]]
