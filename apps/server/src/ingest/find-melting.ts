import type { Site } from '@radx/contracts'
import { meltingLayerFromTemperature } from '@radx/polarimetry/melting'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { meltingSeen } from '../mrr/api.ts'
import { meanReadings } from '../station/api.ts'
import { StoreCorruptError } from '../store/frame-codec.ts'
import type { Store } from '../store/open-store.ts'
import type { SeenMelting } from './melting-at.ts'

/** Profiles of so long are looked at together, so far around, ms. */
const SLOT_MS = 10 * 60_000
const AROUND_MS = 30 * 60_000
/**
 * The air mass is as warm as a day is on the mean: nights, sun and rain move a thermometer by degrees, which are kilometres aloft
 * (docs/validation.md). Parts of the day are meant first; so many must be there.
 */
const DAY_MS = 24 * 3_600_000
const PART_MS = 3 * 3_600_000
const LEAST_PARTS = 6
/** In colder air the layer is so low that an error of 100 m brings rain of the lowest sweeps into it, degrees Celsius. */
const LEAST_CELSIUS = 8

/** What the instruments beside the radar saw of the melting layer around a moment. */
export async function findMelting(
  store: Store,
  { radar, station, microRainRadar }: Site,
  aboutMs: number,
): Promise<SeenMelting[]> {
  const { db } = store.context
  const span = { startMs: aboutMs - AROUND_MS, endMs: aboutMs + AROUND_MS }
  const profilerM = microRainRadar?.altitudeM ?? radar.altitudeM
  const [layers, celsius] = await Promise.all([
    microRainRadar === null ? [] : meltingSeen(db, store.frames, span, SLOT_MS).catch(unlessDamaged),
    station === null ? null : dayMean(db, aboutMs),
  ])
  const seen: SeenMelting[] = layers.map(({ timeMs, bottomM, topM }) => ({
    timeMs,
    layer: { bottomM: profilerM + bottomM, topM: profilerM + topM, source: 'micro-rain-radar' },
  }))
  if (celsius !== null && celsius >= LEAST_CELSIUS) {
    const layer = meltingLayerFromTemperature(celsius, station?.altitudeM ?? radar.altitudeM)
    seen.push({ timeMs: aboutMs, layer })
  }
  return seen
}

/** Mean temperature of the 24 h before; null where too little of them is known. */
async function dayMean(db: Kysely<Database>, endMs: number): Promise<number | null> {
  const span = { startMs: endMs - DAY_MS, endMs: endMs + 1 }
  const parts = (await meanReadings(db, span, span.startMs, PART_MS)).flatMap(({ t }) =>
    t === null ? [] : [t],
  )
  return parts.length < LEAST_PARTS ? null : parts.reduce((sum, t) => sum + t, 0) / parts.length
}

/** Damaged profiles are found and told by `radx verify`; a volume does without them. */
function unlessDamaged(error: unknown): [] {
  if (error instanceof StoreCorruptError) return []
  throw error
}
