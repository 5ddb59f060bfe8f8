import { longestGapMin, NOWCAST_SCORED_MM_H } from '@radx/contracts'
import type { RainFrame, Shape } from '@radx/motion/field'
import { forecastLk, forecastSprog } from '@radx/motion/nowcast/sprog'
import { startNowcast } from '@radx/motion/nowcast/start'
import { csi } from '@radx/motion/scores/contingency'
import { addForecast, emptyScores } from '@radx/motion/scores/deterministic'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import { motionKernel } from '../../store/motion-kernel.ts'
import { ScoreStore } from '../scores/score-store.ts'
import { addTo, tableOf } from '../scores/sums.ts'

/** Minutes before now at which the forecasts start that are held against what came. */
const TRIED_MIN = [60, 40, 20]
const STEP_MIN = 5
const THRESHOLD_MM_H = 1
/** Cells with rain, seen or forecast, below which a score says nothing. */
const FEWEST_CELLS = 50
const LIMIT = 1 / Math.E

export interface Skill {
  leadMin: number
  csi: number
}

/**
 * Skill of S-PROG over the last hour: forecasts from then, scored by every frame since, pooled by lead to the next 5 min.
 * @param frames in order of time; the last is now
 */
export function recentSkill(frames: readonly RainFrame[], shape: Shape): Skill[] {
  const nowMs = frames[frames.length - 1].timeMs
  const pooled = new Map<number, ReturnType<typeof emptyScores>>()
  const tried = new Set<number>()
  for (const back of TRIED_MIN) {
    const issue = nearestTo(frames, nowMs - back * 60_000)
    if (issue >= frames.length - 1 || tried.has(issue)) continue
    tried.add(issue)
    const start = startNowcast(frames.slice(0, issue + 1), shape, motionKernel('follow'))
    if (typeof start === 'string') continue
    const later = frames.slice(issue + 1)
    const leads = later.map(({ timeMs }) => (timeMs - frames[issue].timeMs) / 60_000)
    const moved = forecastLk(start, leads)
    forecastSprog(start, leads, { wasm: motionKernel('fft'), trend: true }).forEach((field, k) => {
      const lead = Math.ceil(leads[k] / STEP_MIN - 0.01) * STEP_MIN
      const scores = pooled.get(lead) ?? emptyScores([THRESHOLD_MM_H], [])
      pooled.set(lead, scores)
      const scored = Uint8Array.from(moved[k], (rate, i) =>
        rate >= 0 && frames[issue].rateMmH[i] >= 0 ? 1 : 0,
      )
      addForecast(scores, field, later[k].rateMmH, scored, shape.ncols, { row: 0, col: 0, ...shape })
    })
  }
  return [...pooled]
    .filter(
      ([
        ,
        {
          tables: [t],
        },
      ]) => t.hits + t.misses + t.falseAlarms >= FEWEST_CELLS,
    )
    .map(([leadMin, { tables }]) => ({ leadMin, csi: csi(tables[0]) }))
    .sort((a, b) => a.leadMin - b.leadMin)
}

/** Frames whose scores say how good forecasts are just now. */
const KEPT_BACK_MS = 3_600_000

/** Skill of the kept forecasts by the frames of the last hour, at the leads that were scored. */
export async function keptSkill(
  db: Kysely<Database>,
  product: StoredProduct,
  issuedMs: number,
): Promise<Skill[]> {
  const scores = await new ScoreStore(db).between(product, {
    startMs: issuedMs - KEPT_BACK_MS + 1,
    endMs: issuedMs + 1,
  })
  const pooled = new Map<number, number[]>()
  for (const { lead_min, forecast } of scores) {
    const sums = pooled.get(lead_min) ?? []
    pooled.set(lead_min, sums)
    addTo(sums, forecast)
  }
  return skillOf(pooled)
}

/**
 * What both ways of telling the skill say together: as far as kept forecasts were scored these, beyond what is tried on the
 * archive. Just after a start, or a dry spell, few leads have been scored yet: that is no end of the skill.
 * @param tried made only where kept scores do not tell the horizon
 */
export async function skillTogether(
  kept: readonly Skill[],
  tried: () => Promise<readonly Skill[]>,
): Promise<Skill[]> {
  const whole = withoutHole(kept)
  const reached = whole.at(-1)?.leadMin ?? 0
  if (reached >= Math.max(...TRIED_MIN) || whole.some(({ csi }) => csi < LIMIT)) return whole
  return [...whole, ...(await tried()).filter(({ leadMin }) => leadMin > reached)]
}

/** Leads from the first minutes up to where none was scored for a while. */
function withoutHole(skill: readonly Skill[]): Skill[] {
  const gap = longestGapMin(skill.map(({ leadMin }) => leadMin))
  const end = skill.findIndex(({ leadMin }, k) => leadMin - (skill[k - 1]?.leadMin ?? 0) > gap)
  return skill.slice(0, end < 0 ? undefined : end)
}

/** CSI by lead of pooled sums (scores/sums.ts), where there was rain enough to tell. */
export const skillOf = (pooled: ReadonlyMap<number, readonly number[]>): Skill[] =>
  [...pooled]
    .map(([leadMin, sums]) => ({
      leadMin,
      table: tableOf(sums, NOWCAST_SCORED_MM_H.indexOf(THRESHOLD_MM_H)),
    }))
    .filter(({ table }) => table.hits + table.misses + table.falseAlarms >= FEWEST_CELLS)
    .map(({ leadMin, table }) => ({ leadMin, csi: csi(table) }))
    .sort((a, b) => a.leadMin - b.leadMin)

/**
 * The last lead before the skill falls under 1/e, or before a hole in what was scored; null without scores, 0 where already the
 * first has too little.
 */
export function horizonOf(all: readonly Skill[]): number | null {
  const skill = withoutHole(all)
  if (skill.length === 0) return null
  const lost = skill.findIndex((score) => score.csi < LIMIT)
  return lost < 0 ? skill[skill.length - 1].leadMin : lost === 0 ? 0 : skill[lost - 1].leadMin
}

function nearestTo(frames: readonly RainFrame[], ms: number): number {
  let best = 0
  frames.forEach((frame, k) => {
    if (Math.abs(frame.timeMs - ms) < Math.abs(frames[best].timeMs - ms)) best = k
  })
  return best
}
