import { availableParallelism } from 'node:os'
import type { Bounds } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { StoredProduct, StoredZone } from '../../store/catalog.ts'
import { loadBlank } from '../../store/frame-index.ts'
import type { FramePlace, ReadProduct } from '../../store/frame-reader.ts'
import type { StorePlace } from '../../store/open-frame-store.ts'
import type { Blanks } from '../../store/store-threads.ts'
import { NICE } from '../../threads/nice.ts'
import { WorkerPool } from '../../threads/worker-pool.ts'
import type { KeptForecast, SavedMembers, SavedPictures } from '../kept/kept-forecasts.ts'
import { type OwnedWindow, windowsOf } from '../kept/windows.ts'
import { buffersOf, type MemberPart } from '../made/members.ts'
import type { MomentSums } from '../scores/score-frame.ts'

export type ForecastProduct = ReadProduct & { bounds: Bounds }

/** What a forecast is made from; `places` in order of time, the last is the issue. */
interface From {
  product: ForecastProduct
  zones: StoredZone[]
  places: FramePlace[]
  blanks: Blanks
  leadsMin: number[]
}

interface Members extends From {
  members: number
  windows: OwnedWindow[]
  /** Which of them, the end excluded. */
  which: readonly [number, number]
}

export type ForecastTask =
  | ({ task: 'pictures' } & From)
  | ({ task: 'members' } & Members)
  | ({ task: 'part' } & Members)
  | { task: 'join'; others: MemberPart[]; windows: OwnedWindow[] }
  | {
      task: 'scores'
      product: ForecastProduct
      /** The frame that came. */
      frame: FramePlace
      /** Forecasts and the last frame of each. */
      forecasts: { row: KeptForecast; last: FramePlace }[]
      blanks: Blanks
      stepMin: number
    }

/** Sums of the forecasts made for a frame, by lead. */
export type FrameScores = ({ leadMin: number } & MomentSums)[]

const TIMEOUT_MS = 5 * 60_000
/** Members' cells from which a second thread is worth its start. */
const SHARED_FROM = 1_000_000

/** What a thread is made for. */
export type ForecastThread = StorePlace & { nice: number }

/**
 * A thread of its own that makes forecasts, and reads frames by itself: nobody waits for it. Floods wait for members, so that a
 * second one makes half of them where the machine has a core for it, and goes then. One that scores stands back behind the floods
 * that follow.
 */
export class Forecaster {
  private readonly place: StorePlace
  private readonly pool: WorkerPool
  private readonly scorer: WorkerPool
  private beside: WorkerPool | null = null
  private readonly db: Kysely<Database>
  private readonly cores: number

  constructor({ dataDir, objectStore }: StorePlace, db: Kysely<Database>, cores = availableParallelism()) {
    this.db = db
    this.place = { dataDir, objectStore }
    this.pool = this.thread(NICE.forecasts)
    this.scorer = this.thread(NICE.derived)
    this.cores = cores
  }

  private thread(nice: number): WorkerPool {
    const data: ForecastThread = { ...this.place, nice }
    return new WorkerPool(new URL('./forecast.worker.ts', import.meta.url), data, 1, TIMEOUT_MS)
  }

  async pictures(
    product: StoredProduct,
    zones: StoredZone[],
    places: FramePlace[],
    leadsMin: number[],
  ): Promise<SavedPictures> {
    return this.run({ task: 'pictures', ...(await this.from(product, zones, places, leadsMin)) })
  }

  /**
   * Members of the same forecast.
   * @param pictureLeads those of its pictures
   * @returns null where there is none
   */
  async members(
    product: StoredProduct,
    zones: StoredZone[],
    places: FramePlace[],
    leads: { leadsMin: number[]; pictureLeads: number[] },
    members: number,
  ): Promise<SavedMembers | null> {
    const windows = await windowsOf(this.db, product)
    const from = await this.from(product, zones, places, leads.leadsMin)
    const all: Members = { ...from, members, windows, which: [0, members] }
    // They come in pairs.
    const half = 2 * Math.ceil(members / 4)
    const isShared = this.cores > 1 && half < members && product.steps ** 2 * members >= SHARED_FROM
    if (!isShared)
      return (await this.run<boolean>({ task: 'members', ...all })) ? this.join([], windows) : null
    const beside = this.thread(NICE.forecasts)
    this.beside = beside
    try {
      const leadsMin = leads.pictureLeads
      const other: ForecastTask = { ...all, task: 'part', leadsMin, which: [half, members] }
      const [own, part] = await Promise.all([
        this.run<boolean>({ ...all, task: 'members', which: [0, half] }),
        beside.run<MemberPart | null>(other),
      ])
      return own && part ? await this.join([part], windows) : null
    } finally {
      this.beside = null
      await beside.close()
    }
  }

  private join(others: MemberPart[], windows: OwnedWindow[]): Promise<SavedMembers> {
    const task: ForecastTask = { task: 'join', others, windows }
    return this.pool.run(task, false, others.flatMap(buffersOf))
  }

  async scores(
    product: StoredProduct,
    frame: FramePlace,
    forecasts: { row: KeptForecast; last: FramePlace }[],
    stepMin: number,
  ): Promise<FrameScores> {
    const blanks = await this.blanks([frame, ...forecasts.map(({ last }) => last)])
    const task: ForecastTask = { task: 'scores', product: slim(product), frame, forecasts, blanks, stepMin }
    return this.scorer.run(task)
  }

  async close(): Promise<void> {
    await Promise.all([this.pool, this.scorer, this.beside].map((thread) => thread?.close()))
  }

  private async from(
    product: StoredProduct,
    zones: StoredZone[],
    places: FramePlace[],
    leadsMin: number[],
  ): Promise<From> {
    return { product: slim(product), zones, places, blanks: await this.blanks(places), leadsMin }
  }

  private run<T>(task: ForecastTask): Promise<T> {
    return this.pool.run<T>(task)
  }

  private async blanks(places: FramePlace[]): Promise<Blanks> {
    const ids = new Set(places.flatMap(({ blankId }) => (blankId === null ? [] : [blankId])))
    return new Map(await Promise.all([...ids].map(async (id) => [id, await loadBlank(this.db, id)] as const)))
  }
}

const slim = ({ shortName, steps, bounds }: StoredProduct): ForecastProduct => ({ shortName, steps, bounds })
