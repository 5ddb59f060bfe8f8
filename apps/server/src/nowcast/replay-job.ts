import type { Config } from '../config/config.ts'
import { loadSite } from '../config/site.ts'
import { openDatabase } from '../db/database.ts'
import type { JobContext, JobKind } from '../jobs/api.ts'
import { createLogger } from '../log.ts'
import { openStore, type Store } from '../store/open-store.ts'
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

export const MOMENT_JOB = 'nowcast-moment'

export interface MomentInput {
  product: string
  /** Instant of the frame that the forecast starts from. */
  issued: string
  /** End of the longest lead. */
  until: string
  members: boolean
}

/**
 * Forecasts one moment of the archive again and keeps it. A queue of its own, so that no reader waits behind a month, and
 * in it one job an account, so that all come in turn. Its frame's scores stay as they are.
 */
export const momentJob: JobKind<MomentInput, Replayed> = {
  name: MOMENT_JOB,
  perUser: 1,
  timeoutSeconds: 600,
  memoryMb: 1_000,
  visibility: 'owner',
  radarPeriod: ({ issued, until }) => ({ start: new Date(issued), end: new Date(until) }),
  run: remake,
}

function replay({ config, input, signal, progress }: JobContext<ReplayInput>): Promise<Replayed> {
  return withCycle(config, async (cycle, store) => {
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
  })
}

function remake({ config, input, signal, progress }: JobContext<MomentInput>): Promise<Replayed> {
  return withCycle(config, async (cycle, store) => {
    const product = store.catalog.products.get(input.product)
    if (!product) return { frames: 0, last: null }
    progress(0, 1, 'Image 1 sur 1')
    const made = await cycle.remake(product, Date.parse(input.issued), input.members, signal)
    return made ? { frames: 1, last: input.issued } : { frames: 0, last: null }
  })
}

async function withCycle<T>(
  config: Config,
  work: (cycle: ForecastCycle, store: Store) => Promise<T>,
): Promise<T> {
  const { site, catchments } = await loadSite(config.siteDir, config.demo)
  const database = await openDatabase(config, { log: createLogger('silent'), poolSize: 2 })
  const { db } = database
  try {
    const store = await openStore({ db, config, site, catchments })
    const cycle = new ForecastCycle({ config, site, db, clock: { now: Date.now } }, store)
    try {
      return await work(cycle, store)
    } finally {
      await cycle.close()
      await store.threads.close()
    }
  } finally {
    await database.close()
  }
}
