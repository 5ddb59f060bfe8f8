import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Span } from '../store/frame-index.ts'
import type { FrameStore } from '../store/frame-store.ts'
import { type MeltingLayer, meltingLayer } from './melting.ts'
import { readProfiles } from './queries.ts'

/** Profiles of a slot that must show the layer before it counts. */
const LEAST_PROFILES = 3

/**
 * The melting layers of a span as the profiles show them: medians over slots of equal length, at their middle, heights above
 * the instrument. Slots in which hardly any profile shows one are left out.
 */
export async function meltingSeen(
  db: Kysely<Database>,
  frames: FrameStore,
  span: Span,
  slotMs: number,
): Promise<(MeltingLayer & { timeMs: number })[]> {
  const profiles = await readProfiles(db, frames, span, ['Ze', 'VEL'])
  const seen = profiles.flatMap((profile) => {
    const layer = meltingLayer(profile)
    return layer ? [{ ...layer, timeMs: profile.timeMs }] : []
  })
  const slots = Map.groupBy(seen, ({ timeMs }) => Math.floor(timeMs / slotMs))
  return [...slots]
    .filter(([, ofSlot]) => ofSlot.length >= LEAST_PROFILES)
    .map(([slot, ofSlot]) => ({
      timeMs: (slot + 0.5) * slotMs,
      bottomM: middleOf(ofSlot.map(({ bottomM }) => bottomM)),
      topM: middleOf(ofSlot.map(({ topM }) => topM)),
    }))
}

const middleOf = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]
