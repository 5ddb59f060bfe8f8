import { access, mkdir } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Site } from '@radx/contracts'
import { type Anchor, Demo, MRR_FILE_MS, VOLUME_PRODUCT, volumeInstants, withoutVolumes } from '@radx/demo'
import { type Kysely, sql } from 'kysely'
import { keepDoing } from '../background.ts'
import type { Database } from '../db/schema.ts'
import type { Deps, RegisterFeature } from '../http/app.ts'
import { ingestFolders } from '../ingest/api.ts'
import { keepInOneProcess } from '../one-process.ts'
import { forgetFrames } from '../store/forget-frames.ts'
import { type Store, storeOf } from '../store/open-store.ts'
import { NICE } from '../threads/nice.ts'
import { WorkerPool } from '../threads/worker-pool.ts'
import { demoAnchor } from './anchor.ts'
import type { DemoItem, DemoTask, DemoWorkerData } from './demo.worker.ts'
import { BACKFILL_MS, type DemoStep, demoPlan, type Known, missingItems, restShare } from './plan.ts'

/** Files in the inbox at once: enough for one commit, few enough that a live frame never waits. */
const BATCH = 24
/** Station and live frames are looked after this often. */
const LIVE_PAUSE_MS = 2_000
const LIVE_STATION_MS = 5 * 60_000
/** Volumes come once an hour; what is missing of the last ones is looked for this often. */
const VOLUMES_PAUSE_MS = 60_000
const LONGEST_REST_MS = 30_000
const PROGRESS_MS = 5_000
const LOG_MS = 60_000

/** Writes the demonstration's instrument files into the inbox, as the instruments themselves would. */
export const registerDemo: RegisterFeature = (app, deps) => {
  keepInOneProcess(app, deps, 'demo', async (signal) =>
    new DemoSource(deps, await demoAnchor(deps), signal).run(),
  )
}

class DemoSource {
  private readonly deps: Deps
  private readonly signal: AbortSignal
  private readonly demo: Demo
  /** Products of pictures; that of volumes is written otherwise. */
  private readonly site: Site
  private readonly folder: string
  private readonly front: WorkerPool
  private readonly back: WorkerPool
  private progress = { framesDone: 0, framesTotal: 0, filledBackTo: null as string | null }

  constructor(deps: Deps, anchor: Anchor, signal: AbortSignal) {
    this.deps = deps
    this.signal = signal
    this.site = withoutVolumes(deps.site)
    this.demo = new Demo(this.site, { anchor })
    this.folder = ingestFolders(deps.config.dataDir).inbox
    const script = new URL('./demo.worker.ts', import.meta.url)
    const data = (nice: number): DemoWorkerData => ({ site: deps.site, nice, anchor })
    this.front = new WorkerPool(script, data(NICE.ingest), 1)
    this.back = new WorkerPool(script, data(NICE.past), 1)
  }

  async run(): Promise<void> {
    const { database, log } = this.deps
    try {
      await database.whenReady()
      const store = await storeOf(this.deps)
      await mkdir(this.folder, { recursive: true })
      const known = knownIn(this.deps.db, store)
      const nowMs = this.deps.clock.now()
      const steps = demoPlan(this.site, nowMs)
      const front = steps.filter(({ background }) => !background)
      for (const step of front) if (!(await this.write(step, known))) return
      log.info('Démonstration : le direct est prêt, les 30 derniers jours se remplissent en arrière-plan')
      const past = steps.filter(({ background }) => background)
      await Promise.all([this.live(known, nowMs), this.fill(past, known, nowMs), this.volumes(known, store)])
    } catch (error) {
      if (!this.signal.aborted) throw error
    } finally {
      await Promise.all([this.front.close(), this.back.close()])
    }
  }

  /** Fills the past, newest day first, and tells how far it is. */
  private async fill(steps: DemoStep[], known: Known, nowMs: number): Promise<void> {
    const { log } = this.deps
    let framesTotal = 0
    let framesDone = 0
    for (const { shortName } of this.site.products) {
      framesTotal += this.demo.radarInstants(shortName, nowMs - BACKFILL_MS, nowMs).length
      framesDone += (await known.frames(shortName, nowMs - BACKFILL_MS, nowMs)).size
    }
    this.progress = { framesDone: Math.min(framesDone, framesTotal), framesTotal, filledBackTo: null }
    let told = 0
    let logged = this.deps.clock.now()
    for (const step of steps) {
      const done = await this.write(step, known, async (written) => {
        const now = this.deps.clock.now()
        const isDay = step.fromMs >= nowMs - BACKFILL_MS
        if (isDay)
          this.progress.framesDone = Math.min(this.progress.framesTotal, this.progress.framesDone + written)
        if (now - told >= PROGRESS_MS) {
          told = now
          await this.tell()
        }
        if (now - logged >= LOG_MS) {
          logged = now
          const { framesDone, framesTotal } = this.progress
          log.info(`Démonstration : ${framesDone} images sur ${framesTotal}, ${step.name} en cours`)
        }
      })
      if (!done) return
      if (step.fromMs >= nowMs - BACKFILL_MS) this.progress.filledBackTo = new Date(step.fromMs).toISOString()
      await this.tell()
    }
    log.info('Démonstration : les 30 derniers jours sont là')
  }

  /** Frames and station tables at their times, as long as the program runs. */
  private async live(known: Known, sinceMs: number): Promise<void> {
    const products = this.site.products.map(({ shortName }) => shortName)
    let from = sinceMs
    let mrrFrom = sinceMs
    let stationFrom = Math.floor(sinceMs / LIVE_STATION_MS) * LIVE_STATION_MS
    let gaugesFrom = stationFrom
    const round = async () => {
      const to = this.deps.clock.now()
      const step: DemoStep = {
        name: 'direct',
        fromMs: from,
        toMs: to,
        products,
        station: false,
        mrr: false,
        background: false,
        unhurried: false,
      }
      await this.write(step, known)
      from = to
      for (const startMs of this.demo.stationStarts(stationFrom, to, LIVE_STATION_MS)) {
        await this.put([{ kind: 'station', startMs, lengthMs: LIVE_STATION_MS }], this.front)
        stationFrom = startMs + LIVE_STATION_MS
      }
      for (const startMs of this.demo.gaugeStarts(gaugesFrom, to, LIVE_STATION_MS)) {
        const gauges = this.demo.gaugeSources().map(({ files }) => ({ kind: 'gauges' as const, files }))
        await this.put(
          gauges.map((item) => ({ ...item, startMs, lengthMs: LIVE_STATION_MS })),
          this.front,
        )
        gaugesFrom = startMs + LIVE_STATION_MS
      }
      for (const startMs of this.demo.microRainRadarStarts(mrrFrom, to)) {
        await this.put([{ kind: 'mrr', startMs }], this.front)
        mrrFrom = startMs + MRR_FILE_MS
      }
    }
    await keepDoing(round, {
      signal: this.signal,
      pauseMs: LIVE_PAUSE_MS,
      log: this.deps.log,
      failed: "Démonstration : le direct n'a pas pu être écrit",
      excuse: () => this.deps.database.unavailable(),
    })
  }

  /** Keeps the polar volumes of the last day: the newest first, one at a time, behind all else. */
  private async volumes(known: Known, store: Store): Promise<void> {
    const product = store.catalog.products.get(VOLUME_PRODUCT)
    if (!product) return
    const tried = new Set<number>()
    const round = async () => {
      const instants = volumeInstants(this.deps.clock.now())
      const oldestMs = instants[instants.length - 1]
      const stored = await known.frames(VOLUME_PRODUCT, oldestMs, instants[0] + 1)
      for (const instantMs of instants) {
        if (this.signal.aborted) return
        if (stored.has(instantMs) || tried.has(instantMs)) continue
        tried.add(instantMs)
        const begun = performance.now()
        await this.put([{ kind: 'volume', instantMs }], this.back)
        await this.rest(performance.now() - begun)
      }
      await forgetFrames(store, product, oldestMs)
    }
    await keepDoing(round, {
      signal: this.signal,
      pauseMs: VOLUMES_PAUSE_MS,
      log: this.deps.log,
      failed: "Démonstration : les volumes n'ont pas pu être écrits",
      excuse: () => this.deps.database.unavailable(),
    })
  }

  /** Writes what a step lacks, a batch at a time. @returns false when told to stop */
  private async write(
    step: DemoStep,
    known: Known,
    after?: (framesWritten: number) => Promise<void>,
  ): Promise<boolean> {
    const items = await missingItems(this.demo, step, known)
    for (let i = 0; i < items.length; i += BATCH) {
      const batch = items.slice(i, i + BATCH)
      const begun = performance.now()
      await this.put(batch, step.background ? this.back : this.front)
      if (step.unhurried) await this.rest(performance.now() - begun)
      if (this.signal.aborted) return false
      await after?.(batch.filter(({ kind }) => kind === 'radar').length)
    }
    await after?.(0)
    return !this.signal.aborted
  }

  /** Days long past are in no hurry: they are filled part of the time, less where the machine has other work. */
  private async rest(workedMs: number): Promise<void> {
    const ms = Math.min(LONGEST_REST_MS, workedMs * restShare(loadavg()[0], availableParallelism()))
    await sleep(ms, undefined, { signal: this.signal }).catch(() => undefined)
  }

  /** Writes files and waits until ingest has taken them, so that they never pile up. */
  private async put(items: DemoItem[], pool: WorkerPool): Promise<void> {
    const names: string[] = []
    for (const item of items) {
      if (this.signal.aborted) return
      names.push(...(await pool.run<string[]>({ item, folder: this.folder } satisfies DemoTask)))
    }
    for (const name of names)
      while (!this.signal.aborted && (await exists(join(this.folder, name))))
        await sleep(100, undefined, { signal: this.signal }).catch(() => undefined)
  }

  private async tell(): Promise<void> {
    const value = JSON.stringify(this.progress) as never
    await this.deps.db
      .insertInto('setting')
      .values({ key: 'demo.progress', value })
      .onConflict((c) => c.column('key').doUpdateSet({ value, updated_at: sql`now()` }))
      .execute()
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

function knownIn(db: Kysely<Database>, store: Store): Known {
  return {
    frames: async (product, startMs, endMs) => {
      const places = await store.index.places(store.catalog.products.get(product)!, { startMs, endMs })
      return new Set(places.map(({ timeMs }) => timeMs))
    },
    stationHours: async (fromMs, toMs) => {
      const { rows } = await sql<{ ms: number }>`
        select (extract(epoch from time) * 1000)::bigint as ms from station_reading
        where time > ${new Date(fromMs)} and time <= ${new Date(toMs)}
          and extract(minute from time) = 0 and extract(second from time) = 0`.execute(db)
      return new Set(rows.map(({ ms }) => ms))
    },
    files: async (names) => {
      if (names.length === 0) return new Set()
      const rows = await db.selectFrom('source_file').select('name').where('name', 'in', names).execute()
      return new Set(rows.map(({ name }) => name))
    },
  }
}
