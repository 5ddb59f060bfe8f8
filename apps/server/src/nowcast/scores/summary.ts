import {
  NOWCAST_CHANCES_MM_H,
  NOWCAST_SCORED_MM_H,
  type NowcastErrors,
  type NowcastScores,
} from '@radx/contracts'
import type { CsvTable } from '@radx/locale/csv'
import { isoSeconds } from '@radx/locale/time'
import { type Contingency, csi, far, frequencyBias, pod } from '@radx/motion/scores/contingency'
import type { Span } from '../../store/frame-index.ts'
import { horizonOf, skillOf } from '../live/skill.ts'
import type { StoredScore } from './score-store.ts'
import { addTo, chanceOf, tableOf } from './sums.ts'

interface Pooled {
  forecast: number[]
  persistence: number[]
  chances: number[] | null
}

/**
 * What the forecasts of a period were worth, sums pooled by lead.
 * @param untilMin lead up to which probabilities count for the reliability, minutes
 */
export function summarizeScores(
  product: string,
  { startMs, endMs }: Span,
  scores: readonly StoredScore[],
  untilMin: number,
): NowcastScores {
  const byLead = new Map<number, Pooled>()
  for (const { lead_min, forecast, persistence, chances } of scores) {
    const pooled = byLead.get(lead_min) ?? { forecast: [], persistence: [], chances: null }
    byLead.set(lead_min, pooled)
    addTo(pooled.forecast, forecast)
    addTo(pooled.persistence, persistence)
    if (chances) {
      pooled.chances ??= []
      addTo(pooled.chances, chances)
    }
  }
  const leads = [...byLead].sort(([a], [b]) => a - b)
  return {
    product,
    start: isoSeconds(startMs),
    end: isoSeconds(endMs),
    frames: new Set(scores.map(({ time }) => time.getTime())).size,
    thresholdsMmH: [...NOWCAST_SCORED_MM_H],
    leads: leads.map(([leadMin, { forecast, persistence, chances }]) => ({
      leadMin,
      cells: forecast[0],
      forecast: errorsOf(forecast),
      persistence: errorsOf(persistence),
      brier: NOWCAST_CHANCES_MM_H.map((_, t) => {
        const chance = chances && chanceOf(chances, t)
        return chance ? share(chance.squares, chance.cells) : null
      }),
    })),
    reliability: NOWCAST_CHANCES_MM_H.map((thresholdMmH, t) => ({
      thresholdMmH,
      bins: binsOf(leads, t, untilMin),
    })),
    horizonMin: horizonOf(skillOf(new Map(leads.map(([lead, { forecast }]) => [lead, forecast])))),
  }
}

function binsOf(leads: readonly (readonly [number, Pooled])[], threshold: number, untilMin: number) {
  const sums: number[] = []
  for (const [lead, { chances }] of leads) if (lead <= untilMin && chances) addTo(sums, chances)
  if (sums.length === 0) return []
  return chanceOf(sums, threshold).bins.map(({ cells, given, seen }) => ({
    given: share(given, cells),
    seen: share(seen, cells),
    cells,
  }))
}

function errorsOf(sums: readonly number[]): NowcastErrors {
  const [n, absolute, square, forecast, seen] = sums
  const by = (score: (table: Contingency) => number) =>
    NOWCAST_SCORED_MM_H.map((_, t) => finite(score(tableOf(sums, t))))
  const square2 = share(square, n)
  return {
    maeMmH: share(absolute, n),
    rmseMmH: square2 === null ? null : Math.sqrt(square2),
    biasMmH: share(forecast - seen, n),
    csi: by(csi),
    pod: by(pod),
    far: by(far),
    frequencyBias: by(frequencyBias),
  }
}

const finite = (value: number) => (Number.isFinite(value) ? value : null)
const share = (sum: number, cells: number) => (cells > 0 ? sum / cells : null)

/** A row a lead, threshold and method. */
export function scoresCsv({ product, start, end, frames, thresholdsMmH, leads }: NowcastScores): CsvTable {
  const head = [
    'echeance_min',
    'methode',
    'seuil_mm_h',
    'mailles',
    'csi',
    'pod',
    'far',
    'biais_frequence',
    'mae_mm_h',
    'rmse_mm_h',
    'biais_mm_h',
    'brier',
  ]
  const rows = leads.flatMap(({ leadMin, cells, brier, ...methods }) =>
    (['forecast', 'persistence'] as const).flatMap((name) =>
      thresholdsMmH.map((threshold, t) => {
        const errors = methods[name]
        const chance =
          name === 'forecast' ? (NOWCAST_CHANCES_MM_H as readonly number[]).indexOf(threshold) : -1
        return [
          leadMin,
          name === 'forecast' ? 'prevision' : 'persistance',
          threshold,
          cells,
          ...[errors.csi[t], errors.pod[t], errors.far[t], errors.frequencyBias[t]].map(rounded),
          ...[errors.maeMmH, errors.rmseMmH, errors.biasMmH, brier[chance]].map(rounded),
        ]
      }),
    ),
  )
  const about = `# Qualité de la prévision, produit ${product}, de ${start} à ${end}, ${frames} images`
  return { comments: [about], rows: [head, ...rows] }
}

const rounded = (value: number | null | undefined) =>
  value === null || value === undefined ? null : Math.round(value * 10_000) / 10_000
