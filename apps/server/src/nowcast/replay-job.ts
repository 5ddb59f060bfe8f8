import { loadSite } from '../config/site.ts'
import { openDatabase } from '../db/database.ts'
import type { JobContext, JobKind } from '../jobs/api.ts'
import { createLogger } from '../log.ts'
import { openStore } from '../store/open-store.ts'
import { ForecastCycle } from './live/keeper.ts'
import { widestFirst } from './products.ts'

export const REPLAY_JOB = 'nowcast'

export interface ReplayInput {
  start: string
  end: string
  /** Whether probabilities are made and scored as well, which takes ten times as long. */
  members: boolean
}

export interface Replayed {
  frames: number
  /** Instant of the last of them; null without any. */
  last: string | null
}

/** Forecasts a period of the archive again, frame by frame, as if it came now. */
export const replayJob: JobKind<ReplayInput, Replayed> = {
  name: REPLAY_JOB,
  perUser: 1,
  // The queue allows no more than a day.
  timeoutSeconds: 12 * 3_600,
  memoryMb: 1_000,
  visibility: 'owner',
  radarPeriod: ({ start, end }) => ({ start: new Date(start), end: new Date(end) }),
  run: replay,
}

async function replay({ config, input, signal, progress }: JobContext<ReplayInput>): Promise<Replayed> {
  const { site, catchments } = await loadSite(config.siteDir)
  const database = await openDatabase(config, { log: createLogger('silent'), poolSize: 2 })
  const { db } = database
  try {
    const store = await openStore({ db, config, site, catchments })
    const cycle = new ForecastCycle({ config, site, db, clock: { now: Date.now } }, store)
    try {
      const span = { startMs: Date.parse(input.start), endMs: Date.parse(input.end) }
      for (const product of widestFirst(store)) {
        const places = await store.index.places(product, span)
        for (const [k, { timeMs }] of places.entries()) {
          signal.throwIfAborted()
          progress(k, places.length, `Image ${k + 1} sur ${places.length}`)
          await cycle.follow(product, timeMs, input.members)
        }
        const last = places.at(-1)
        if (last) return { frames: places.length, last: new Date(last.timeMs).toISOString() }
      }
      return { frames: 0, last: null }
    } finally {
      await cycle.close()
      await store.threads.close()
    }
  } finally {
    await database.close()
  }
}
