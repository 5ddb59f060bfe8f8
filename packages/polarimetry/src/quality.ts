import { ramp } from './geometry.ts'

/** What the quality of one gate is made of. */
export interface GateState {
  /** Two-way attenuation that was put back, dB; NaN where it could not be known. */
  piaDb: number
  /** Share of it that may be wrong. */
  piaDoubt: number
  /** Share of the beam that ground hides, 0 to 1. */
  blockage: number
  /** Middle of the beam above the ground, m. */
  heightM: number
  /** Width of the beam, m. */
  beamM: number
  /** Where the beam lies against the melting layer; unknown where nobody says. */
  layer: 'below' | 'within' | 'above' | 'unknown'
  /** Trust in the relation that the rain was estimated by, 0 to 1. */
  estimator: number
  /** Likelihood of clutter, 0 to 1. */
  clutter: number
}

/**
 * Quality of a gate's rain, 0 to 1, as the product of a factor for each thing that spoils it, the way of the European
 * quality index (Szturc et al. 2011; Friedrich et al. 2006, J. Appl. Meteor. Climatol. 45, 1418-1436). Attenuation that
 * may be left counts by its share of the rain: 2.5 dB are a third of it. A beam is good to 500 m above the ground and
 * 300 m wide; one at 4 km or 4 km wide tells little.
 */
export function gateQuality(state: GateState): number {
  const left = Number.isFinite(state.piaDb) ? state.piaDb * state.piaDoubt : 20
  const attenuation = Math.exp(-left / 5)
  const blockage = state.blockage > 0.7 ? 0 : 1 - state.blockage
  const height = 1 - 0.8 * ramp(state.heightM, 500, 4000)
  const distance = 1 - 0.6 * ramp(state.beamM, 300, 4000)
  return (
    attenuation *
    blockage *
    height *
    distance *
    LAYER_FACTOR[state.layer] *
    state.estimator *
    (1 - Math.min(1, state.clutter))
  )
}

const LAYER_FACTOR = { below: 1, within: 0.5, above: 0.6, unknown: 0.9 } as const

/** Share of attenuation put back that may be wrong: by the ray's own alpha, by the usual one, by reflectivity alone. */
export const PIA_DOUBT = { own: 0.1, usual: 0.2, reflectivity: 0.6 } as const
