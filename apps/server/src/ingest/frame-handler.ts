import { setTimeout as sleep } from 'node:timers/promises'
import type { SitePolarimetry } from '@radx/contracts'
import { MAX_FILE_BYTES } from '@radx/formats/limits'
import { isoSeconds } from '@radx/locale/time'
import type { Logger } from '../log.ts'
import {
  type CommitContext,
  type CommitOutcome,
  commitFrames,
  type FrameItem,
} from '../store/commit-frames.ts'
import { hashFile } from '../store/file-moves.ts'
import { insertPartSource, type KnownVolume, volumeOf } from '../store/volume-parts.ts'
import type { WorkerPool } from '../threads/worker-pool.ts'
import type { DecodedFile, DecodedFrameFile, DecodeTask } from './decode.worker.ts'
import type { FrameKind } from './frame-decoder.ts'
import type { IncomingFile, IngestHandler, PreparedFile } from './handlers.ts'
import { meltingAt, type SeenMelting } from './melting-at.ts'
import { conflict } from './refusal.ts'
import { awaitsMoments, findVolume, type VolumeName, volumeName } from './volume-files.ts'

export interface FrameHandlerOptions {
  context: CommitContext
  pool: WorkerPool
  /** Product of volumes that nothing else assigns. */
  volumeProduct: string
  odimProduct: string
  extensions: string[]
  polarimetry: SitePolarimetry
  /** What other instruments saw of the melting layer around a moment. */
  melting(aboutMs: number): Promise<readonly SeenMelting[]>
  log: Logger
}

const startsWith = (head: Buffer, text: string | Buffer) =>
  head.subarray(0, text.length).equals(Buffer.from(text as string, 'latin1'))
const HDF5 = Buffer.from('894844460d0a1a0a', 'hex')
const XML = /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<([a-z]+)/i

/** Frames of the radar: Rainbow 5 products and volumes, ODIM composites. */
export function frameHandlers(options: FrameHandlerOptions): IngestHandler[] {
  const { pool, log } = options
  const { melting } = options
  const frames = { pool, log, melting, committer: new FrameCommitter(options.context) }
  const volumes = new VolumeFrames(options, frames)
  const handler = (
    kind: string,
    frameKind: FrameKind,
    maxBytes: number,
    fallbackProduct: string,
    matches: IngestHandler['matches'],
  ): IngestHandler => ({
    kind,
    maxBytes,
    settleMs: 250,
    matches,
    prepare: (file) => prepareFile(file, { kind: frameKind, fallbackProduct }, frames),
  })
  const extension = (name: string) => /\.([a-z0-9]+)$/i.exec(name)?.[1].toLowerCase() ?? ''
  const xmlRoot = (head: Buffer) => XML.exec(head.toString('latin1'))?.[3].toLowerCase()
  return [
    handler(
      'odim',
      'odim',
      MAX_FILE_BYTES.odim,
      options.odimProduct,
      ({ name, head }) => /\.(hdf5?|h5)$/i.test(name) || head.subarray(0, 8).equals(HDF5),
    ),
    {
      ...handler(
        'rainbow5',
        'rainbow5-volume',
        MAX_FILE_BYTES.rainbow5,
        options.volumeProduct,
        ({ name, head }) =>
          xmlRoot(head) === 'volume' || (/\.(vol|azi)$/i.test(name) && !startsWith(head, '<product')),
      ),
      awaits: (file) => awaitsMoments(file, options.polarimetry),
      prepare: (file) => volumes.prepare(file),
    },
    handler(
      'rainbow5',
      'rainbow5-product',
      MAX_FILE_BYTES.rainbow5,
      options.volumeProduct,
      ({ name, head }) => xmlRoot(head) === 'product' || options.extensions.includes(extension(name)),
    ),
  ]
}

/** What makes frames of files. */
interface FrameMaker {
  pool: WorkerPool
  committer: FrameCommitter
  melting: FrameHandlerOptions['melting']
  log: Logger
}

type FrameTask = Pick<
  Extract<DecodeTask, { task: 'frame' }>,
  'kind' | 'fallbackProduct' | 'others' | 'isPartial'
>

/**
 * Makes the frame of a file. Where it rains and the volume does not show the melting layer, it is made once more with what
 * other instruments saw then. A volume of now, which is waited for, gets at once what they see now.
 */
const decodeFrame = (
  { path, name, product, urgent }: IncomingFile,
  task: FrameTask,
  { pool, committer, melting }: FrameMaker,
): Promise<DecodedFile<DecodedFrameFile>> =>
  committer.whileComing(
    (async () => {
      const decode = (seen: readonly SeenMelting[]) =>
        pool.run<DecodedFile<DecodedFrameFile>>(
          { task: 'frame', ...task, path, name, product, melting: seen } satisfies DecodeTask,
          urgent,
        )
      const isOfNow = urgent && task.kind === 'rainbow5-volume'
      const decoded = await decode(isOfNow ? await melting(Date.now()) : [])
      const { lacksMelting, timeMs } = decoded.result
      const seen = lacksMelting ? await melting(timeMs) : []
      return meltingAt(seen, timeMs) ? decode(seen) : decoded
    })(),
  )

async function prepareFile(file: IncomingFile, task: FrameTask, maker: FrameMaker): Promise<PreparedFile> {
  return preparedFrame(file, await decodeFrame(file, task, maker), maker)
}

/** @param stem of the volume by moment that the frame was made of; null for a frame of one file */
function preparedFrame(
  file: IncomingFile,
  { hash, bytes, result }: DecodedFile<DecodedFrameFile>,
  { committer, log }: FrameMaker,
  stem: string | null = null,
): PreparedFile {
  const { notes, damaged, parts, lacksMelting, ...frame } = result
  const { product, timeMs } = frame
  const time = isoSeconds(timeMs)
  const files = [{ name: file.name, hash }, ...parts]
  return {
    hash,
    bytes,
    firstMs: timeMs,
    lastMs: timeMs,
    summary: `${product} ${time}`,
    async commit(source) {
      const volume = stem === null ? null : { stem, files }
      const outcome = await committer.commit({ frame, source, volume }, file.urgent)
      if (outcome.outcome === 'conflict') throw conflict(product, time, outcome.firstName)
      if (outcome.outcome === 'known') return { archivePath: outcome.archivePath }
      if (notes.length > 0)
        log.info(
          { notes, files: files.map(({ name }) => name) },
          `Volume polarimétrique ${product} ${time} : ${notes.length} remarques`,
        )
      return null
    },
  }
}

/** A file of a volume that cannot be read and changed this recently may still be on its way, ms; at most the site's wait. */
const PATIENCE_MS = 10_000
const LOOK_AGAIN_MS = 250

/**
 * Frames of Rainbow 5 volumes, whose moments come in a file each. The first file of a volume that is taken makes the
 * frame of all that are there; the others are then known as parts of it and only kept.
 */
class VolumeFrames {
  private readonly options: FrameHandlerOptions
  private readonly maker: FrameMaker
  /** Volumes under way, each with what its other files wait for. */
  private readonly underWay = new Map<string, Promise<void>>()

  constructor(options: FrameHandlerOptions, maker: FrameMaker) {
    this.options = options
    this.maker = maker
  }

  async prepare(file: IncomingFile): Promise<PreparedFile> {
    const { volumeProduct } = this.options
    const name = volumeName(file.name)
    if (name === null)
      return prepareFile(file, { kind: 'rainbow5-volume', fallbackProduct: volumeProduct }, this.maker)
    const key = `${file.product ?? volumeProduct} ${name.stem}`
    for (let other = this.underWay.get(key); other; other = this.underWay.get(key)) await other
    const { promise, resolve } = Promise.withResolvers<void>()
    this.underWay.set(key, promise)
    const release = () => {
      this.underWay.delete(key)
      resolve()
    }
    try {
      const prepared = (await this.partOfFrame(file, name)) ?? (await this.frameOf(file, name))
      return { ...prepared, release }
    } catch (error) {
      release()
      throw error
    }
  }

  /** A file whose frame is there, made with it or without it; null while there is none or it would be another one. */
  private async partOfFrame(file: IncomingFile, { stem, moment }: VolumeName): Promise<PreparedFile | null> {
    const { context, pool, log, volumeProduct } = this.options
    const product = context.catalog.products.get(file.product ?? volumeProduct)
    if (!product) return null
    const hash = await hashFile(file.path)
    const known = await volumeOf(context.db, product, { stem, name: file.name, hash })
    if (known === null || known.isAnother) return null
    if (!known.used) {
      await pool.run({ task: 'moment', path: file.path } satisfies DecodeTask, file.urgent)
      tellLate(log, product.shortName, known, moment, file.name)
    }
    return {
      hash,
      bytes: file.bytes,
      firstMs: known.timeMs,
      lastMs: known.timeMs,
      summary: `${product.shortName} ${isoSeconds(known.timeMs)}, ${moment}`,
      commit: (source) => insertPartSource(context.db, product, source),
    }
  }

  private async frameOf(file: IncomingFile, name: VolumeName): Promise<PreparedFile> {
    const { polarimetry, volumeProduct, log } = this.options
    for (;;) {
      const { others, missing } = await findVolume(name, file.beside, polarimetry.moments)
      const decoded = await decodeFrame(
        file,
        {
          kind: 'rainbow5-volume',
          fallbackProduct: volumeProduct,
          others: others.map(({ name, path }) => ({ name, path })),
          isPartial: missing.length > 0 && (others.length > 0 || file.beside.waited),
        },
        this.maker,
      )
      const { damaged, quality } = decoded.result
      const patienceMs = Math.min(PATIENCE_MS, polarimetry.waitSeconds * 1000)
      const young = others.some(({ name, ageMs }) => damaged.includes(name) && ageMs < patienceMs)
      if (young && file.beside.waited) {
        await sleep(LOOK_AGAIN_MS)
        continue
      }
      const isWhole = missing.length + damaged.length === 0
      if (!isWhole && quality)
        log.warn(
          { missing, damaged },
          `Volume « ${name.stem} » incomplet${listed(' ; absents : ', missing)}${listed(' ; illisibles : ', damaged)}. L’image est faite avec ce qui reste, sa qualité est abaissée.`,
        )
      const isOne = others.length === 0 && !quality
      return preparedFrame(file, decoded, this.maker, isOne ? null : name.stem)
    }
  }
}

const listed = (head: string, names: readonly string[]): string =>
  names.length > 0 ? head + names.join(', ') : ''

function tellLate(log: Logger, product: string, { timeMs }: KnownVolume, moment: string, name: string): void {
  log.warn(
    { file: name },
    `${moment} arrivé après son volume (${product} ${isoSeconds(timeMs)}) : l’image reste celle faite sans lui, le fichier est archivé.`,
  )
}

interface Pending {
  item: FrameItem
  resolve(outcome: CommitOutcome): void
  reject(error: unknown): void
}

const MAX_BATCH = 64
/** Worth a commit while more are coming. */
const GATHERED = 32
/** No frame waits longer than this for others, ms. */
const GATHER_MS = 100

/**
 * Commits frames by the heap: one at a time costs ten statements and a disk flush each, many together cost
 * them once. A frame that nothing follows, or that is urgent, is committed at once.
 */
class FrameCommitter {
  private readonly context: CommitContext
  private readonly waiting: Pending[] = []
  private coming = 0
  private urgent = false
  private timer: NodeJS.Timeout | null = null
  private running = false

  constructor(context: CommitContext) {
    this.context = context
  }

  /** Frames that wait may wait for the frame of this decoding, which goes through. */
  async whileComing<T>(decoding: Promise<T>): Promise<T> {
    this.coming++
    try {
      return await decoding
    } finally {
      this.coming--
      // After the frame has been handed to `commit`, should there be one.
      if (this.coming === 0) setImmediate(() => this.next())
    }
  }

  /** @param urgent is in the next commit, whatever waits */
  commit(item: Pending['item'], urgent = false): Promise<CommitOutcome> {
    return new Promise((resolve, reject) => {
      const pending = { item, resolve, reject }
      if (urgent) this.waiting.unshift(pending)
      else this.waiting.push(pending)
      this.urgent ||= urgent
      this.next()
    })
  }

  private next(): void {
    if (this.running || this.waiting.length === 0) return
    if (this.urgent || this.coming === 0 || this.waiting.length >= GATHERED) void this.run()
    else this.timer ??= setTimeout(() => void this.run(), GATHER_MS)
  }

  private async run(): Promise<void> {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    if (this.running) return
    this.running = true
    const batch = this.waiting.splice(0, MAX_BATCH)
    this.urgent = false
    if (batch.length > 0) {
      try {
        const outcomes = await commitFrames(
          this.context,
          batch.map(({ item }) => item),
        )
        for (const [i, { resolve }] of batch.entries()) resolve(outcomes[i])
      } catch (error) {
        if (batch.length === 1) batch[0].reject(error)
        else await this.oneByOne(batch)
      }
    }
    this.running = false
    this.next()
  }

  /** One item that cannot be committed must not take its neighbours with it. */
  private async oneByOne(batch: Pending[]): Promise<void> {
    for (const { item, resolve, reject } of batch)
      try {
        const [outcome] = await commitFrames(this.context, [item])
        resolve(outcome)
      } catch (error) {
        reject(error)
      }
  }
}
