import { SWEEP_STAGES, type SweepStage } from '@radx/contracts/sweep-bundle'

/** What the page shows, as its address carries it. */
export interface SweepAddress {
  /** Null shows the newest volume. */
  volume: string | null
  /** From 1 on. */
  sweep: number
  /** Null shows reflectivity, or what there is. */
  name: string | null
  stage: SweepStage
  /** Of the ray that is looked at, degrees; null while none is chosen. */
  azimuth: number | null
  /** Of the gate, km along the beam. */
  rangeKm: number
}

const MOST_SWEEPS = 99
const MOST_KM = 1000
const isStage = (text: string | null): text is SweepStage => SWEEP_STAGES.some((stage) => stage === text)

/** A number within limits; null for anything else. */
function numberOf(text: string | null, low: number, high: number): number | null {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text)
  return value >= low && value <= high ? value : null
}

export function readAddress(params: URLSearchParams): SweepAddress {
  const stage = params.get('etape')
  const name = params.get('grandeur')
  return {
    volume: params.get('volume'),
    sweep: Math.trunc(numberOf(params.get('balayage'), 1, MOST_SWEEPS) ?? 1),
    name: name && /^\w{1,60}$/.test(name) ? name : null,
    stage: isStage(stage) ? stage : 'moments',
    azimuth: numberOf(params.get('azimut'), 0, 360),
    rangeKm: numberOf(params.get('distance'), 0, MOST_KM) ?? 0,
  }
}

/** The address after a change; defaults are left out. */
export function writeAddress(before: URLSearchParams, change: Partial<SweepAddress>): URLSearchParams {
  const next = { ...readAddress(before), ...change }
  const params = new URLSearchParams(before)
  const set = (key: string, value: string | null) =>
    value === null ? params.delete(key) : params.set(key, value)
  set('volume', next.volume)
  set('balayage', next.sweep === 1 ? null : String(next.sweep))
  set('grandeur', next.name)
  set('etape', next.stage === 'moments' ? null : next.stage)
  set('azimut', next.azimuth === null ? null : String(Math.round(next.azimuth * 10) / 10))
  set('distance', next.azimuth === null ? null : String(Math.round(next.rangeKm * 100) / 100))
  return params
}
