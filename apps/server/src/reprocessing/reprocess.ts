import type { Reprocessed, Site } from '@radx/contracts'
import { RadxError } from '@radx/contracts/errors'
import { countFr } from '@radx/locale/format-fr'
import { isoSeconds } from '@radx/locale/time'
import { sql } from 'kysely'
import type { Config } from '../config/config.ts'
import { decodeAgain, openDecodersOf } from '../ingest/api.ts'
import type { StoredProduct } from '../store/catalog.ts'
import { commitFrames } from '../store/commit-frames.ts'
import type { Span } from '../store/frame-index.ts'
import type { StoredMadeProduct } from '../store/made-products.ts'
import type { Store } from '../store/open-store.ts'
import { removeMadeProduct } from '../store/remove-made-product.ts'
import type { SourceFile } from '../store/source-file.ts'
import type { WorkerPool } from '../threads/worker-pool.ts'
import { NothingToReprocess } from './errors.ts'
import { beginMaking, type Making } from './under-way.ts'

export interface ReprocessContext {
  config: Config
  site: Site
  store: Store
  signal: AbortSignal
  progress(done: number, of: number, message: string): void
  /** French. */
  log(line: string): void
  /** Whether what was made so far is of use to another try, when this one fails. */
  goesOn(): Promise<boolean>
}

/**
 * Takes the kept volumes of a period through the chain again, by other settings, into a product of its own. Nobody sees that
 * before it is whole. A try that was interrupted is gone on with where it stopped.
 * @throws what `beginMaking` throws, NothingToReprocess, or the signal's reason
 */
export async function reprocess(context: ReprocessContext, making: Making): Promise<Reprocessed> {
  const product = await beginMaking(context.store, making)
  try {
    return await fill(context, making, product)
  } catch (error) {
    const isUseless = error instanceof NothingToReprocess || !(await context.goesOn())
    if (isUseless) await removeMadeProduct(context.store, product)
    throw error
  }
}

async function fill(
  context: ReprocessContext,
  making: Making,
  product: StoredMadeProduct,
): Promise<Reprocessed> {
  const { store, progress, log } = context
  const source = store.catalog.products.get(making.source)!
  const span = { startMs: Date.parse(making.start), endMs: Date.parse(making.end) }
  const { volumes, others } = await volumesOf(store, source, span)
  const known = await sourcesOf(store, product)
  const waiting = volumes.filter(({ file }) => !known.has(file.hash.toString('hex')))
  let done = volumes.length - waiting.length
  if (done > 0) log(`Reprise : ${countFr(done, 'image faite', 'images faites')} à l’essai précédent.`)
  const lost = await eachVolume(context, product, waiting, (failed, timeMs) => {
    progress(++done, volumes.length, `Volume ${done} sur ${volumes.length}`)
    if (failed !== null) log(`${isoSeconds(timeMs)} : ${failed}`)
  })
  const frames = volumes.length - lost
  if (frames === 0) throw new NothingToReprocess(making.source, lost)
  await store.context.db
    .updateTable('radar_made_product')
    .set({ ready: true, made_at: sql<Date>`now()` })
    .where('product_id', '=', product.id)
    .execute()
  return { product: making.name, frames, lost, others }
}

/**
 * Makes the frames of volumes, a thread for each processor that RadX may use.
 * @param told after each, with why it gave no frame, in French
 * @returns how many gave none
 */
async function eachVolume(
  context: ReprocessContext,
  product: StoredMadeProduct,
  waiting: KeptVolume[],
  told: (failed: string | null, timeMs: number) => void,
): Promise<number> {
  const { store, signal, config } = context
  const decoders = openDecodersOf(context, product)
  // A volume takes seconds, and whoever cancels does not wait for it.
  const stop = () => void decoders.close()
  signal.addEventListener('abort', stop)
  let lost = 0
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      signal.throwIfAborted()
      const failed = await remake(store, decoders, product, next)
      signal.throwIfAborted()
      if (failed !== null) lost++
      told(failed, next.timeMs)
    }
  }
  const stopOthers = (error: unknown) => {
    waiting.length = 0
    throw error
  }
  const workers = Array.from({ length: Math.max(1, config.workers) }, () => work().catch(stopOthers))
  const ended = await Promise.allSettled(workers)
  signal.removeEventListener('abort', stop)
  await decoders.close()
  signal.throwIfAborted()
  const failure = ended.find((one) => one.status === 'rejected')
  if (failure) throw failure.reason
  return lost
}

interface KeptVolume {
  timeMs: number
  file: SourceFile
}

/** Volumes that the frames of a span were made of by the chain, and how many of its frames are of something else. */
async function volumesOf(
  store: Store,
  source: StoredProduct,
  { startMs, endMs }: Span,
): Promise<{ volumes: KeptVolume[]; others: number }> {
  const rows = await store.context.db
    .selectFrom('radar_frame')
    .innerJoin('source_file', 'source_file.hash', 'radar_frame.source')
    .leftJoin('radar_quality', (join) =>
      join
        .onRef('radar_quality.product_id', '=', 'radar_frame.product_id')
        .onRef('radar_quality.time', '=', 'radar_frame.time'),
    )
    .select([
      'radar_frame.time',
      'hash',
      'kind',
      'name',
      'bytes',
      'archive_path',
      'radar_quality.time as chained',
    ])
    .where('radar_frame.product_id', '=', source.id)
    .where('radar_frame.time', '>=', new Date(startMs))
    .where('radar_frame.time', '<', new Date(endMs))
    .orderBy('radar_frame.time')
    .execute()
  const volumes = rows.flatMap(({ time, hash, kind, name, bytes, archive_path: archivePath, chained }) =>
    chained === null || archivePath === null
      ? []
      : [{ timeMs: time.getTime(), file: { hash, kind, name, bytes, archivePath } }],
  )
  return { volumes, others: rows.length - volumes.length }
}

/** Files of which frames of a product are there, as hex of their hashes. */
async function sourcesOf(store: Store, product: StoredProduct): Promise<Set<string>> {
  const rows = await store.context.db
    .selectFrom('radar_frame')
    .select('source')
    .where('product_id', '=', product.id)
    .execute()
  return new Set(rows.map(({ source }) => source.toString('hex')))
}

/** Makes the frame of a volume and stores it. @returns why there is none, in French */
async function remake(
  store: Store,
  decoders: WorkerPool,
  product: StoredMadeProduct,
  { file }: KeptVolume,
): Promise<string | null> {
  const { shortName } = product
  const frame = await decodeAgain(store, decoders, { ...file, product: shortName }).catch(
    (error: unknown) => {
      // What cannot be read is one frame less; anything else ends the work.
      if (error instanceof RadxError && error.status < 500) return error
      throw error
    },
  )
  if (frame === null) return 'les fichiers du volume ne sont plus dans l’archive, ou sont endommagés'
  if (frame instanceof Error) return frame.message
  const catalog = { ...store.catalog, products: new Map([[shortName, product]]) }
  const [outcome] = await commitFrames({ ...store.context, catalog }, [
    { frame, source: file, isAgain: true },
  ])
  await store.context.db
    .updateTable('radar_made_product')
    .set({ touched_at: sql<Date>`now()` })
    .where('product_id', '=', product.id)
    .execute()
  return outcome.outcome === 'conflict' ? `même instant que le volume « ${outcome.firstName} »` : null
}
