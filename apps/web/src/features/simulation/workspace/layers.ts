import type { RunMap } from '@radx/contracts/town-constants'
import { formatSpan } from '@radx/locale/duration'
import { formatNumberFr } from '@radx/locale/format-fr'
import type { Scheme } from '../../../map/basemap.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import type { SurfaceLayer } from './address.ts'
import { type Band, RAMPS } from './bands.ts'

/** A layer that is a map over the whole run, and its bands. */
interface MapLayer {
  map: RunMap
  bands: (scheme: Scheme, durationS: number) => Band[]
}

const SPEEDS_MS = [0.1, 0.25, 0.5, 1, 2] as const
const FLOWS_M2S = [0.02, 0.05, 0.1, 0.25, 0.5] as const
const INFILTRATED_M = [0.001, 0.005, 0.01, 0.02, 0.05] as const
const MINUTE_S = 60
/** Limits of times that people use, min. */
const MINUTES = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 720, 1440] as const

/** Limits of five bands of time within a run, s, the first 0. */
function timeLimits(durationS: number): number[] {
  const fitting = MINUTES.map((minutes) => minutes * MINUTE_S).filter((limit) => limit < durationS)
  const few = [0.2, 0.4, 0.6, 0.8].map((share) => fitting[Math.floor(share * fitting.length)] ?? 0)
  return [...new Set([0, ...few])]
}

const upTo = (limits: readonly number[], name: (limit: number) => string, unit = '') =>
  limits.map((limit, k) => {
    const next = limits[k + 1]
    return next === undefined
      ? texts.bandFrom(name(limit), unit)
      : texts.bandTo(name(limit), name(next), unit)
  })

const banded = (limits: readonly number[], colors: readonly string[], labels: readonly string[]): Band[] =>
  limits.map((from, k) => ({ from, color: colors[k], label: labels[k] }))

const hazard = (labels: readonly string[]) => (scheme: Scheme) =>
  banded([1, 2, 3, 4], RAMPS.hazard[scheme], labels)

/** How long water stood there; long is the strong end. */
const duration = (map: RunMap): MapLayer => ({
  map,
  bands: (scheme, durationS) => {
    const limits = timeLimits(durationS)
    const colors = RAMPS.time[scheme].toReversed()
    return banded(limits, colors, upTo(limits, formatSpan)).map((band, k) =>
      k === 0 ? { ...band, from: 1 } : band,
    )
  },
})

/** Layers that are maps over the whole run. */
export const MAP_LAYERS: Partial<Record<SurfaceLayer, MapLayer>> = {
  vitesse: {
    map: 'vitesse',
    bands: (scheme) =>
      banded(
        SPEEDS_MS,
        RAMPS.speed[scheme],
        upTo(SPEEDS_MS, (limit) => formatNumberFr(limit, limit < 1 ? 2 : 0), 'm/s'),
      ),
  },
  ppri: { map: 'ppri', bands: hazard(texts.ppri) },
  defra: { map: 'defra', bands: hazard(texts.defra) },
  arrivee: {
    map: 'arrivee',
    bands: (scheme, durationS) => {
      const limits = timeLimits(durationS)
      return banded(limits, RAMPS.time[scheme], upTo(limits, formatSpan))
    },
  },
  duree: duration('duree-20'),
  duree5: duration('duree-5'),
  duree50: duration('duree-50'),
  debit: {
    map: 'debit',
    bands: (scheme) =>
      banded(
        FLOWS_M2S,
        RAMPS.speed[scheme],
        upTo(FLOWS_M2S, (limit) => formatNumberFr(limit, limit < 1 ? 2 : 0), 'm²/s'),
      ),
  },
  infiltration: {
    map: 'infiltration',
    bands: (scheme) =>
      banded(
        INFILTRATED_M,
        RAMPS.time[scheme].toReversed(),
        upTo(INFILTRATED_M, (limit) => formatNumberFr(1000 * limit, 0), 'mm'),
      ),
  },
}
