/** What the quality of one gate is made of. */
export interface GateState {
  /** mm/h. */
  rateMmH: number
  /** Relative standard error of its rain by relation, noise, attenuation and blockage that may be left. */
  spread: number
  /** Share of the beam that ground hides, 0 to 1. */
  blockage: number
  /** Middle of the beam above the ground, m. */
  heightM: number
  /** Width of the beam, m. */
  beamM: number
  /** Bottom and top of the melting layer above the antenna, m; null where nobody says. */
  layer: readonly [bottomM: number, topM: number] | null
  /** How much the logarithm of rain changes from gate to gate around, a km. */
  slope: number
  /** Likelihood of clutter, 0 to 1. */
  clutter: number
}

/** What a km between the beam and the ground may change, relative; rain dries up, grows and drifts. */
const FALL_KM = 0.15
/** Of the beam's width, what a gate and the place below it may lie apart; beside it, what rain drifts as it falls, km. */
const APART = 0.5
const DRIFT_KM = 0.15
/** Rain that a radar barely tells from none, mm/h. */
const TRACE_MM_H = 0.05
/** Bright band, snow above it, a km of snow: what their correction leaves, relative. */
const BAND = 0.5
const SNOW = 0.4
const SNOW_KM = 0.5
/** Where nobody knows the melting layer, it may be anywhere above this, km. */
const LIKELY_RAIN_KM = 1
const UNKNOWN_KM = 0.15
/** Where an echo is as likely clutter as weather. */
const CLUTTER = 0.8

/**
 * Quality of a gate's rain, 0 to 1: the product of a factor exp(-e^2) for each relative error e that may spoil it, which is
 * exp(-E^2) of their sum E where they have nothing in common. The errors are those of the European quality index (Szturc et
 * al. 2011, Meteorol. Appl. 18), of Friedrich et al. (2006, J. Appl. Meteor. Climatol. 45, 1418-1436) and of Zhang et al.
 * (2011, RQI): relation and attenuation, blockage, height, beam width in uneven rain, melting layer, clutter. 0.94 is an
 * error of a quarter, 0.78 of a half, 0.37 of the rain itself.
 */
export function gateQuality(state: GateState): number {
  const { rateMmH, spread, blockage, heightM, beamM, slope, clutter } = state
  // Where nothing falls, nothing melts.
  const layer = rateMmH > 0 ? state.layer : null
  const km = Math.max(0, heightM) / 1000
  const apartKm = Math.hypot(APART * (beamM / 1000), DRIFT_KM * km, 0.1)
  const place = Math.min(1.5, slope * apartKm)
  const error =
    spread ** 2 +
    (FALL_KM * km) ** 2 +
    place ** 2 +
    (rateMmH > 0 ? TRACE_MM_H / rateMmH : 0) ** 2 +
    (layer ? layerError(layer, heightM, beamM) : UNKNOWN_KM * Math.max(0, km - LIKELY_RAIN_KM)) ** 2 +
    (CLUTTER * Math.min(1, 2 * clutter)) ** 2
  return blockage >= 1 ? 0 : Math.exp(-error)
}

/** Error by what of the beam lies in the melting layer and above it. */
function layerError([bottomM, topM]: readonly [number, number], heightM: number, beamM: number): number {
  const [low, high] = [heightM - beamM / 2, heightM + beamM / 2]
  const share = (from: number, to: number): number =>
    Math.max(0, Math.min(high, to) - Math.max(low, from)) / Math.max(1, high - low)
  const above = share(topM, Number.POSITIVE_INFINITY)
  const snowKm = Math.max(0, heightM - topM) / 1000
  return Math.hypot(BAND * share(bottomM, topM), above * (SNOW + SNOW_KM * snowKm))
}

/** What attenuation put back may be wrong by: this many dB, and a share by what it was found from. */
export const PIA_DOUBT = { own: 0.1, usual: 0.2, reflectivity: 0.6 } as const
export const PIA_DOUBT_DB = 0.3
/** Calibration of reflectivity, dB. */
export const CALIBRATION_DB = 1
/** Share of a blockage's correction that may be wrong: the beam bends from day to day. */
export const BLOCKAGE_DOUBT = 0.4
