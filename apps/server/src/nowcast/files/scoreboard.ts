import { csi, far, frequencyBias, pod } from '@radx/motion/scores/contingency'
import {
  addForecast,
  emptyScores,
  type PooledScores,
  summarize,
  type Window,
} from '@radx/motion/scores/deterministic'
import {
  addEnsemble,
  type EnsembleScores,
  emptyEnsembleScores,
  summarizeEnsemble,
  unevenness,
} from '@radx/motion/scores/ensemble'
import { fss } from '@radx/motion/scores/fractions'
import type { Forecast, Method } from './methods.ts'

/** One line of scores.json. Rates in mm/h; null where there is nothing to divide by. */
export interface ScoreRow {
  method: Method
  lead_min: number
  /** Minutes from the issue to the frames that it was scored by, on average. */
  seen_min: number
  /** Cells scored, over all issues. */
  n: number
  issues: number
  scored_share: number | null
  mae: number | null
  rmse: number | null
  bias: number | null
  correlation: number | null
  csi: Record<string, number | null>
  pod: Record<string, number | null>
  far: Record<string, number | null>
  frequency_bias: Record<string, number | null>
  /** By threshold, then by side of the square in cells. */
  fss: Record<string, Record<string, number | null>>
  crps?: number | null
  crps_fair?: number | null
  spread?: number | null
  rmse_of_mean?: number | null
  brier?: Record<string, number | null>
  /** By threshold: forecast share of members, cells, share in which it was exceeded. */
  reliability?: Record<string, [share: number, cells: number, exceeded: number | null][]>
  rank_histogram?: number[]
  /** Over cells in which rain (0.1 mm/h or more) was seen or some member has it. */
  rank_histogram_wet?: number[]
  rank_unevenness?: number | null
  rank_unevenness_wet?: number | null
}

interface Entry {
  method: Method
  lead: number
  issues: number
  seenMin: number
  sums: PooledScores
  ensemble?: EnsembleScores
}

/** Pools the scores of forecasts by method and lead. */
export function createScoreboard(thresholds: readonly number[], window: Window, ncols: number) {
  const entries = new Map<string, Entry>()
  return {
    /**
     * @param leadMin asked for, of which `realMin` is the frame's
     * @param scored 1 where methods are compared
     */
    add(
      method: Method,
      { leadMin: lead, realMin }: { leadMin: number; realMin: number },
      forecast: Forecast,
      at: number,
      seen: Float32Array,
      scored: Uint8Array,
    ) {
      const key = `${method} ${lead}`
      const members = forecast.members?.(at)
      const entry = entries.get(key) ?? {
        method,
        lead,
        issues: 0,
        seenMin: 0,
        sums: emptyScores(thresholds),
        ensemble: members && emptyEnsembleScores(members.length, thresholds),
      }
      entries.set(key, entry)
      entry.issues++
      entry.seenMin += realMin
      addForecast(entry.sums, forecast.fields[at], seen, scored, ncols, window)
      if (members && entry.ensemble) addEnsemble(entry.ensemble, members, seen, scored, ncols, window)
    },
    rows: (): ScoreRow[] => [...entries.values()].map(toRow),
  }
}

const number = (value: number) => (Number.isFinite(value) ? Number(value.toPrecision(6)) : null)

function toRow({ method, lead, issues, seenMin, sums, ensemble }: Entry): ScoreRow {
  const { n, scoredShare, mae, rmse, bias, correlation } = summarize(sums)
  const byThreshold = <T>(value: (t: number) => T): Record<string, T> =>
    Object.fromEntries(sums.thresholds.map((threshold, t) => [String(threshold), value(t)]))
  const ofTable = (score: (table: PooledScores['tables'][number]) => number) =>
    byThreshold((t) => number(score(sums.tables[t])))
  return {
    method,
    lead_min: lead,
    seen_min: Number((seenMin / issues).toFixed(2)),
    n,
    issues,
    scored_share: number(scoredShare),
    mae: number(mae),
    rmse: number(rmse),
    bias: number(bias),
    correlation: number(correlation),
    csi: ofTable(csi),
    pod: ofTable(pod),
    far: ofTable(far),
    frequency_bias: ofTable(frequencyBias),
    fss: byThreshold((t) =>
      Object.fromEntries(sums.widths.map((width, w) => [String(width), number(fss(sums.fractions[t][w]))])),
    ),
    ...(ensemble && ensembleRow(ensemble, byThreshold)),
  }
}

function ensembleRow(
  scores: EnsembleScores,
  byThreshold: <T>(value: (t: number) => T) => Record<string, T>,
): Partial<ScoreRow> {
  const { crps, crpsFair, spread, rmseOfMean, brier } = summarizeEnsemble(scores)
  return {
    crps: number(crps),
    crps_fair: number(crpsFair),
    spread: number(spread),
    rmse_of_mean: number(rmseOfMean),
    brier: byThreshold((t) => number(brier[t])),
    reliability: byThreshold((t) =>
      scores.reliability[t].cells.map((cells, k) => [
        k / scores.members,
        cells,
        number(scores.reliability[t].exceeded[k] / cells),
      ]),
    ),
    rank_histogram: scores.ranks,
    rank_histogram_wet: scores.wetRanks,
    rank_unevenness: number(unevenness(scores.ranks)),
    rank_unevenness_wet: number(unevenness(scores.wetRanks)),
  }
}
