import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { WorkerPool } from '../threads/worker-pool.ts'
import type { StoredZone } from './catalog.ts'
import { loadBlank } from './frame-index.ts'
import type { BlankRecord, FramePlace, ReadProduct } from './frame-reader.ts'
import type { PackName } from './frame-store.ts'
import type { MovedFrame, MovedProduct } from './moved/moved-frame.ts'
import type { Tiles } from './moved/moved-tiles.ts'
import type { StorePlace } from './open-frame-store.ts'
import type { DerivedFrame } from './prepared-frame.ts'

/** Work on many frames that would hold up the event loop. */
export type StoreTask =
  | { task: 'tiles'; product: ReadProduct; file: PackName; places: FramePlace[]; blanks: Blanks }
  | {
      task: 'movedBlocks'
      product: ReadProduct
      /** Frames of one chunk, in time order. */
      places: FramePlace[]
      /** Those of them with rain that moved. */
      moved: (Tiles & { time: Date })[]
      blanks: Blanks
    }
  | {
      task: 'derive'
      product: ReadProduct & {
        bounds: { ul: { lat: number; lng: number }; lr: { lat: number; lng: number } }
      }
      zones: StoredZone[]
      places: FramePlace[]
      blanks: Blanks
    }
  | {
      task: 'moved'
      product: MovedProduct
      zones: StoredZone[]
      /** In time order, the wanted ones with their neighbours. */
      places: FramePlace[]
      /** Instants of the frames that are wanted, ms. */
      wanted: number[]
      blanks: Blanks
    }

export type Blanks = Map<number, BlankRecord>

const THREADS = 2
const TIMEOUT_MS = 10 * 60_000

/** Threads beside the event loop that read frames from the store by themselves. */
export class StoreThreads {
  private readonly pool: WorkerPool
  private readonly db: Kysely<Database>

  constructor({ dataDir, objectStore }: StorePlace, db: Kysely<Database>) {
    this.db = db
    const script = new URL('./store.worker.ts', import.meta.url)
    this.pool = new WorkerPool(script, { dataDir, objectStore } satisfies StorePlace, THREADS, TIMEOUT_MS)
  }

  /** Makes a tile file from frames of one day, in time order, and puts it in place. @returns CRC-32 of its header */
  async buildTiles(product: ReadProduct, file: PackName, places: FramePlace[]): Promise<number> {
    return this.run({
      task: 'tiles',
      product: slim(product),
      file,
      places,
      blanks: await this.blanks(places),
    })
  }

  /** Blocks of a tile file of rain as it moved, of frames of one chunk in time order. See `cutBlocks`. */
  async movedBlocks(
    product: ReadProduct,
    places: FramePlace[],
    moved: (Tiles & { time: Date })[],
  ): Promise<(Uint8Array | null)[]> {
    const blanks = await this.blanks(places)
    return this.run({ task: 'movedBlocks', product: slim(product), places, moved, blanks })
  }

  /** Statistics and class blocks of frames anew, in the order given. */
  async derive(
    product: Extract<StoreTask, { task: 'derive' }>['product'],
    zones: StoredZone[],
    places: FramePlace[],
  ): Promise<DerivedFrame[]> {
    const blanks = await this.blanks(places)
    const { shortName, steps, bounds } = product
    return this.run({ task: 'derive', product: { shortName, steps, bounds }, zones, places, blanks })
  }

  /** Rain as it moved round frames, in the order of `wanted`. */
  async moved(
    { shortName, steps, bounds, frameSeconds }: MovedProduct,
    zones: StoredZone[],
    places: FramePlace[],
    wanted: number[],
  ): Promise<MovedFrame[]> {
    const product = { shortName, steps, bounds, frameSeconds }
    return this.run({ task: 'moved', product, zones, places, wanted, blanks: await this.blanks(places) })
  }

  close(): Promise<void> {
    return this.pool.close()
  }

  private run<T>(task: StoreTask): Promise<T> {
    return this.pool.run<T>(task)
  }

  private async blanks(places: FramePlace[]): Promise<Blanks> {
    const ids = new Set(places.flatMap(({ blankId }) => (blankId === null ? [] : [blankId])))
    return new Map(await Promise.all([...ids].map(async (id) => [id, await loadBlank(this.db, id)] as const)))
  }
}

const slim = ({ shortName, steps }: ReadProduct): ReadProduct => ({ shortName, steps })
