import { type FSWatcher, watch } from 'node:fs'
import { opendir, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../log.ts'
import type { ingestFolders } from './folders.ts'
import { besideOf, type Ingest, type TakeResult } from './ingest.ts'

export interface InboxOptions {
  ingest: Ingest
  /** Names of the folders of the inbox that stand for a product. */
  products: string[]
  log: Logger
  signal: AbortSignal
  /** Files under way at once: bounds memory, and is what one commit gathers. */
  concurrency?: number
  /** Fresh files under way at once, beside the heap. */
  frontConcurrency?: number
  /** How often the folder is looked through, whatever the file system reports, ms. */
  scanMs?: number
  /** A damaged file that changed this recently may still be on its way, ms. */
  patienceMs?: number
}

interface Drop {
  path: string
  product: string | null
}

/** Names that senders use until a file is complete. */
const UNFINISHED = /^\.|^~|\.(part|partial|filepart|tmp|temp|crdownload|swp)$|~$/i
const MAX_FRESH = 1_000
/** So many new files at once are a heap, not what has just been measured. */
const FLOOD = 32
const PROGRESS_MS = 10_000
const LEFT_MS = 60_000

/**
 * Watches the inbox. New files are taken as soon as they rest; a scan finds what the file system did not
 * report, and works through heaps of any size without listing them.
 */
export class Inbox {
  private readonly options: Required<InboxOptions>
  private readonly folder: string
  private readonly underWay = new Set<string>()
  /** Files that were reported or seen while young, with what is known of their rest. */
  private readonly fresh = new Map<string, Drop>()
  /** Files that nothing could be decided about, and when they are looked at again. */
  private readonly left = new Map<string, number>()
  private readonly watchers: FSWatcher[] = []
  private readonly lanes = { front: 0, heap: 0 }
  private slotFree: (() => void)[] = []
  private readonly counts = { stored: 0, known: 0, refused: 0, left: 0 }
  private total = 0

  constructor(options: InboxOptions) {
    this.options = { concurrency: 96, frontConcurrency: 16, scanMs: 2_000, patienceMs: 10_000, ...options }
    this.folder = options.ingest.folders.inbox
  }

  /** Runs until the signal; then waits for the files under way. */
  async run(): Promise<void> {
    const { signal, ingest, scanMs } = this.options
    await ingest.prepareFolders()
    this.watch()
    const progress = setInterval(() => this.report(), PROGRESS_MS)
    try {
      while (!signal.aborted) {
        await this.scan()
        await sleep(scanMs, undefined, { signal }).catch(() => undefined)
      }
    } finally {
      clearInterval(progress)
      for (const watcher of this.watchers) watcher.close()
      while (this.lanes.front + this.lanes.heap > 0)
        await new Promise<void>((resolve) => this.slotFree.push(resolve))
    }
  }

  private watch(): void {
    for (const product of [null, ...this.options.products]) {
      const folder = join(this.folder, product ?? '')
      try {
        const watcher = watch(folder, (_, name) => {
          if (name !== null && !UNFINISHED.test(name) && this.fresh.size < MAX_FRESH)
            void this.follow({ path: join(folder, name), product })
        })
        watcher.on('error', () => undefined)
        this.watchers.push(watcher)
      } catch (error) {
        // The folder of a product need not exist; the scan finds it when it does.
        if (product === null)
          this.options.log.warn(
            { err: error },
            "Le dépôt n'est pas surveillé en continu, il est relu régulièrement",
          )
      }
    }
  }

  /** Looks through the folders and takes what rests. */
  private async scan(): Promise<void> {
    const { products, signal, log } = this.options
    for (const product of [null, ...products]) {
      const folder = join(this.folder, product ?? '')
      const entries = await opendir(folder).catch(() => null)
      if (entries === null) continue
      for await (const entry of entries) {
        if (signal.aborted) return
        if (UNFINISHED.test(entry.name)) continue
        if (entry.isDirectory()) {
          if (product === null && !products.includes(entry.name)) this.warnFolder(entry.name, log)
          continue
        }
        const drop = { path: join(folder, entry.name), product }
        if (this.isKnown(drop.path)) continue
        const age = await this.age(drop.path)
        if (age === null || this.isKnown(drop.path)) continue
        if (age < this.settleMs(entry.name) || (await this.awaitsOthers(drop))) {
          if (this.fresh.size < MAX_FRESH) void this.follow(drop)
        } else {
          this.underWay.add(drop.path)
          await this.slot('heap', this.options.concurrency)
          void this.take(drop, 'heap', age)
        }
      }
    }
  }

  /** Under way, about to be, or left a moment ago. */
  private isKnown(path: string): boolean {
    const until = this.left.get(path)
    if (until !== undefined && until <= Date.now()) this.left.delete(path)
    return this.underWay.has(path) || this.fresh.has(path) || this.left.has(path)
  }

  private readonly warned = new Set<string>()
  private warnFolder(name: string, log: Logger): void {
    if (this.warned.has(name)) return
    this.warned.add(name)
    log.warn(`Le dossier « ${name} » du dépôt n'est le nom d'aucun produit : son contenu n'est pas lu`)
  }

  /** ms since the file last changed, by the clock that stamps it; null when it is gone. */
  private async age(path: string): Promise<number | null> {
    const info = await stat(path).catch(() => null)
    return info === null || !info.isFile() ? null : Date.now() - Math.max(info.mtimeMs, info.ctimeMs)
  }

  private settleMs(name: string): number {
    return this.handlerOf(name)?.settleMs ?? 250
  }

  private readonly handlerOf = (name: string) =>
    this.options.ingest.handlers.find((handler) => handler.matches({ name, head: Buffer.alloc(0) }))

  /** Whether files that it belongs together with may still come. */
  private async awaitsOthers({ path }: Drop): Promise<boolean> {
    const name = basename(path)
    return (await this.handlerOf(name)?.awaits?.({ name, beside: besideOf(path, true) })) ?? false
  }

  /** Waits until a young file rests and those that it belongs with are there, then takes it ahead of the heap. */
  private async follow(drop: Drop): Promise<void> {
    if (this.isKnown(drop.path)) return
    this.fresh.set(drop.path, drop)
    try {
      const settle = this.settleMs(basename(drop.path))
      let before = await stat(drop.path).catch(() => null)
      // Sizes are compared over time, so that a sender's clock does not matter.
      while (before !== null && !this.options.signal.aborted) {
        await sleep(settle, undefined, { signal: this.options.signal }).catch(() => undefined)
        const now = await stat(drop.path).catch(() => null)
        if (now === null || !now.isFile()) return
        const rests = now.size === before.size && now.mtimeMs === before.mtimeMs
        if (rests && !(await this.awaitsOthers(drop))) break
        before = now
      }
      if (before === null || !before.isFile() || this.options.signal.aborted) return
    } finally {
      this.fresh.delete(drop.path)
    }
    if (this.underWay.has(drop.path)) return
    this.underWay.add(drop.path)
    await this.slot('front', this.options.frontConcurrency)
    await this.take(drop, 'front', 0)
  }

  /** Waits for room in a lane and takes it. */
  private async slot(lane: 'front' | 'heap', limit: number): Promise<void> {
    while (this.lanes[lane] >= limit) await new Promise<void>((resolve) => this.slotFree.push(resolve))
    this.lanes[lane]++
  }

  private async take(drop: Drop, lane: 'front' | 'heap', ageMs: number): Promise<void> {
    const { ingest, patienceMs, log } = this.options
    const urgent = lane === 'front' && this.fresh.size < FLOOD
    try {
      // A file that is still being copied looks damaged: judge it only when it has long been at rest.
      const refused = ageMs < patienceMs ? 'keepUnfinished' : 'reject'
      const beside = besideOf(drop.path, true)
      let result = await ingest.take({ ...drop, urgent, refused, beside })
      if (result.status === 'refused' && result.rejectedAs === null) {
        const age = (await this.age(drop.path)) ?? patienceMs
        this.leave(lane)
        try {
          await sleep(Math.max(0, patienceMs - age), undefined, { signal: this.options.signal })
        } catch {
          return
        } finally {
          this.lanes[lane]++
        }
        result = await ingest.take({ ...drop, urgent, refused: 'reject', beside })
      }
      if (result.status === 'left') this.left.set(drop.path, Date.now() + LEFT_MS)
      this.count(result)
    } catch (error) {
      log.error({ err: error, file: drop.path }, 'Erreur inattendue en prenant un fichier')
    } finally {
      this.underWay.delete(drop.path)
      this.leave(lane)
    }
  }

  private leave(lane: 'front' | 'heap'): void {
    this.lanes[lane]--
    for (const resume of this.slotFree.splice(0)) resume()
  }

  private count(result: TakeResult): void {
    this.counts[result.status]++
    this.total++
    if (result.status === 'stored') this.options.log.debug(`Fichier ingéré : ${result.summary}`)
  }

  private reported = 0
  private report(): void {
    const done = this.total - this.reported
    if (done === 0) return
    this.reported = this.total
    const { stored, known, refused, left } = this.counts
    this.options.log.info(
      { stored, known, refused, left, perSecond: Math.round(done / (PROGRESS_MS / 1000)) },
      `Ingestion : ${this.total} fichiers traités depuis le démarrage, ${done} ces dernières ${PROGRESS_MS / 1000} s`,
    )
  }
}

/** Files in the inbox and in the rejected folder. */
export async function inboxCensus(
  { inbox, rejected }: ReturnType<typeof ingestFolders>,
  products: string[],
): Promise<{ waiting: number; rejected: number }> {
  const folders = await Promise.all(
    ['', ...products].map((name) => readdir(join(inbox, name), { withFileTypes: true }).catch(() => [])),
  )
  const waiting = folders.flat().filter((e) => e.isFile() && !UNFINISHED.test(e.name)).length
  const aside = await readdir(rejected).catch(() => [])
  return { waiting, rejected: aside.filter((name) => !name.endsWith('.reason.txt')).length }
}
