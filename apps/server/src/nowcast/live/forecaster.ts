import type { Bounds } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { StoredProduct, StoredZone } from '../../store/catalog.ts'
import { loadBlank } from '../../store/frame-index.ts'
import type { FramePlace, ReadProduct } from '../../store/frame-reader.ts'
import type { StorePlace } from '../../store/open-frame-store.ts'
import type { Blanks } from '../../store/store-threads.ts'
import { WorkerPool } from '../../threads/worker-pool.ts'
import type { KeptForecast, SavedMembers, SavedPictures } from '../kept/kept-forecasts.ts'
import { type OwnedWindow, windowsOf } from '../kept/windows.ts'
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

export type ForecastTask =
  | ({ task: 'pictures' } & From)
  | ({ task: 'members'; members: number; windows: OwnedWindow[] } & From)
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

/** A thread of its own that makes and scores forecasts, and reads frames by itself: nobody waits for it. */
export class Forecaster {
  private readonly pool: WorkerPool
  private readonly db: Kysely<Database>

  constructor({ dataDir, objectStore }: StorePlace, db: Kysely<Database>) {
    this.db = db
    const script = new URL('./forecast.worker.ts', import.meta.url)
    this.pool = new WorkerPool(script, { dataDir, objectStore } satisfies StorePlace, 1, TIMEOUT_MS)
  }

  async pictures(
    product: StoredProduct,
    zones: StoredZone[],
    places: FramePlace[],
    leadsMin: number[],
  ): Promise<SavedPictures> {
    return this.run({ task: 'pictures', ...(await this.from(product, zones, places, leadsMin)) })
  }

  /** Members of the same forecast. @returns null where there is none */
  async members(
    product: StoredProduct,
    zones: StoredZone[],
    places: FramePlace[],
    leadsMin: number[],
    members: number,
  ): Promise<SavedMembers | null> {
    const windows = await windowsOf(this.db, product)
    const from = await this.from(product, zones, places, leadsMin)
    return this.run({ task: 'members', members, windows, ...from })
  }

  async scores(
    product: StoredProduct,
    frame: FramePlace,
    forecasts: { row: KeptForecast; last: FramePlace }[],
    stepMin: number,
  ): Promise<FrameScores> {
    const blanks = await this.blanks([frame, ...forecasts.map(({ last }) => last)])
    return this.run({ task: 'scores', product: slim(product), frame, forecasts, blanks, stepMin })
  }

  close(): Promise<void> {
    return this.pool.close()
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
