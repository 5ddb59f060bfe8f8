import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { CycleAbout } from './about.ts'
import { DEPTH_PARTS, DEPTHS_FILE } from './gather.ts'
import { partAt, unpack, unpack16 } from './parts.ts'
import { MOST_UNSEEN } from './rain.ts'
import { DEPTH_FILE } from './state-files.ts'
import { fileOf, type InputOf, type StepContext } from './steps.ts'

/** Leads that are scored, min. */
export const SCORED_MIN = [15, 30, 60] as const
/** A forecast counts for a lead when a moment of it lies so near, s. */
const NEAR_S = 150
/** Depth whose forecast is scored, mm: the first of those that are told. */
export const DEPTH_MM = 50
export const BINS = 11
/** Sums: cells, Brier of the forecast, Brier of persistence, then of each tenth of probability count, sum and hits. */
export const SUMS = 3 + 3 * BINS

/** Sums of a forecast held against what came. @param percent whole %, 255 outside */
export function sumsOf(percent: Uint8Array, before: Uint16Array, came: Uint16Array): number[] {
  const sums = new Array<number>(SUMS).fill(0)
  for (let cell = 0; cell < percent.length; cell++) {
    if (percent[cell] > 100) continue
    const p = percent[cell] / 100
    const o = came[cell] > DEPTH_MM ? 1 : 0
    const was = before[cell] > DEPTH_MM ? 1 : 0
    const bin = Math.floor(percent[cell] / 10)
    sums[0]++
    sums[1] += (p - o) ** 2
    sums[2] += (was - o) ** 2
    sums[3 + 3 * bin]++
    sums[4 + 3 * bin] += p
    sums[5 + 3 * bin] += o
  }
  return sums
}

/** Keeps the sums of a moment and a lead, instead of those that were there. */
export async function saveScore(
  db: Kysely<Database>,
  catchmentId: string,
  { timeMs, leadMin, sums }: { timeMs: number; leadMin: number; sums: number[] },
): Promise<void> {
  await db
    .insertInto('flood_score')
    .values({ catchment_id: catchmentId, time: new Date(timeMs), lead_min: leadMin, sums })
    .onConflict((c) => c.columns(['catchment_id', 'time', 'lead_min']).doUpdateSet({ sums }))
    .execute()
}

/**
 * Holds forecasts of before against the state at this frame, which observed rain made. One whose files are gone is left out,
 * and one since which rain was not seen: nobody knows what came.
 */
export async function scoreAgainst(
  context: StepContext,
  input: InputOf<'state'>,
  came: Uint16Array,
): Promise<void> {
  const { db } = context
  const timeMs = Date.parse(input.issued)
  for (const { issued, job, stateJob } of input.scored) {
    if (await wasUnseen(db, input, issued)) continue
    const row = await db
      .selectFrom('flood_cycle')
      .select('about')
      .where('catchment_id', '=', input.catchmentId)
      .where('issued', '=', new Date(issued))
      .executeTakeFirst()
    const about = row?.about as CycleAbout | null | undefined
    const t = about?.times.findIndex((time) => Math.abs(Date.parse(time) - timeMs) <= NEAR_S * 1000) ?? -1
    const leadMin = SCORED_MIN.find((lead) => Math.abs((timeMs - Date.parse(issued)) / 60_000 - lead) < 2)
    if (!about || t < 0 || leadMin === undefined) continue
    try {
      const bytes = await fileOf(context, job, DEPTHS_FILE)
      const percent = unpack(partAt(bytes, about.depthEnds, DEPTH_PARTS.count * t), came.length)
      const before = unpack16(await fileOf(context, stateJob, DEPTH_FILE), came.length)
      await saveScore(db, input.catchmentId, { timeMs, leadMin, sums: sumsOf(percent, before, came) })
    } catch (error) {
      context.log(`Prévision de ${issued} non notée : ${(error as Error).message}`)
    }
  }
}

/** Whether some state between a forecast and a frame was carried on without its rain. */
async function wasUnseen(db: Kysely<Database>, input: InputOf<'state'>, issued: string): Promise<boolean> {
  const row = await db
    .selectFrom('flood_cycle')
    .select('issued')
    .where('catchment_id', '=', input.catchmentId)
    .where('issued', '>', new Date(issued))
    .where('issued', '<', new Date(input.issued))
    .where('missing_share', '>', MOST_UNSEEN)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
