import { MAX_FILE_BYTES } from '@radx/formats/limits'
import { isoSeconds } from '@radx/locale/time'
import { type CommitContext, type CommitOutcome, commitFrames } from '../store/commit-frames.ts'
import type { PreparedFrame } from '../store/prepared-frame.ts'
import type { SourceFile } from '../store/source-file.ts'
import type { WorkerPool } from '../threads/worker-pool.ts'
import type { DecodedFile, DecodeTask } from './decode.worker.ts'
import type { FrameKind } from './frame-decoder.ts'
import type { IncomingFile, IngestHandler, PreparedFile } from './handlers.ts'
import { conflict } from './refusal.ts'

export interface FrameHandlerOptions {
  context: CommitContext
  pool: WorkerPool
  /** Product of volumes that nothing else assigns. */
  volumeProduct: string
  odimProduct: string
  extensions: string[]
}

const startsWith = (head: Buffer, text: string | Buffer) =>
  head.subarray(0, text.length).equals(Buffer.from(text as string, 'latin1'))
const HDF5 = Buffer.from('894844460d0a1a0a', 'hex')
const XML = /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<([a-z]+)/i

/** Frames of the radar: Rainbow 5 products and volumes, ODIM composites. */
export function frameHandlers(options: FrameHandlerOptions): IngestHandler[] {
  const committer = new FrameCommitter(options.context)
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
    prepare: (file) => prepareFile(file, { kind: frameKind, fallbackProduct }, options.pool, committer),
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
    handler(
      'rainbow5',
      'rainbow5-volume',
      MAX_FILE_BYTES.rainbow5,
      options.volumeProduct,
      ({ name, head }) =>
        xmlRoot(head) === 'volume' || (/\.(vol|azi)$/i.test(name) && !startsWith(head, '<product')),
    ),
    handler(
      'rainbow5',
      'rainbow5-product',
      MAX_FILE_BYTES.rainbow5,
      options.volumeProduct,
      ({ name, head }) => xmlRoot(head) === 'product' || options.extensions.includes(extension(name)),
    ),
  ]
}

async function prepareFile(
  file: IncomingFile,
  task: { kind: FrameKind; fallbackProduct: string },
  pool: WorkerPool,
  committer: FrameCommitter,
): Promise<PreparedFile> {
  const { result, hash, bytes } = await committer.whileComing(
    pool.run<DecodedFile<PreparedFrame>>(
      {
        task: 'frame',
        ...task,
        path: file.path,
        name: file.name,
        product: file.product,
      } satisfies DecodeTask,
      file.urgent,
    ),
  )
  const { product, timeMs } = result
  const time = isoSeconds(timeMs)
  return {
    hash,
    bytes,
    firstMs: timeMs,
    lastMs: timeMs,
    summary: `${product} ${time}`,
    async commit(source) {
      const outcome = await committer.commit({ frame: result, source }, file.urgent)
      if (outcome.outcome === 'conflict') throw conflict(product, time, outcome.firstName)
      return outcome.outcome === 'known' ? { archivePath: outcome.archivePath } : null
    },
  }
}

interface Pending {
  item: { frame: PreparedFrame; source: SourceFile }
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
