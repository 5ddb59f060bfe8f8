import { randomUUID } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, unlink, utimes } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { hashFile, withSuffix } from '../file-moves.ts'
import type { FileStore } from '../file-store.ts'
import type { Bucket } from './bucket.ts'
import { inParallel } from './s3-frame-store.ts'

/** Fetched copies beyond this leave, those used longest ago first. */
const CACHE_BYTES = 10 * 2 ** 30

/** The files lie in a bucket under their names; what is read is fetched whole into a folder of this machine. */
export class S3FileStore implements FileStore {
  private readonly bucket: Bucket
  private readonly cache: string
  private readonly limit: number
  private readonly fetching = new Map<string, Promise<string | null>>()

  constructor(bucket: Bucket, cache: string, limit = CACHE_BYTES) {
    this.bucket = bucket
    this.cache = cache
    this.limit = limit
  }

  async keepOriginal(from: string, name: string): Promise<void> {
    const hash = await hashFile(from)
    const held = await this.originalHash(name)
    const to = held === null || held.equals(hash) ? name : withSuffix(name, hash.toString('hex').slice(0, 8))
    if (to !== name || held === null) await this.bucket.put(`archive/${to}`, await openAsBlob(from), hash)
    await unlink(from)
  }

  async originalHash(name: string): Promise<Buffer | null> {
    const head = await this.bucket.head(`archive/${name}`)
    // An object that somebody else put there has no hash: any content differs from it.
    return head && (head.sha256 ?? Buffer.alloc(0))
  }

  original(name: string): Promise<string | null> {
    return this.once(`archive/${name}`, (to) => this.copyOriginal(name, to))
  }

  async copyOriginal(name: string, to: string): Promise<boolean> {
    const stream = await this.bucket.stream(`archive/${name}`)
    if (!stream) return false
    await save(stream, to)
    return true
  }

  removeOriginal(name: string): Promise<void> {
    return this.bucket.delete(`archive/${name}`)
  }

  async putFolder(from: string, name: string): Promise<void> {
    const entries = await readdir(from, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const keys = files.map((path) => `${name}/${relative(from, path).split(sep).join('/')}`)
    await inParallel(files, async (path, k) => this.bucket.put(keys[k], await openAsBlob(path)))
    for await (const { key } of this.bucket.list(`${name}/`))
      if (!keys.includes(key)) await this.bucket.delete(key)
    await rm(from, { recursive: true, force: true })
    await rm(join(this.cache, name), { recursive: true, force: true })
  }

  folder(name: string): Promise<string | null> {
    return this.once(name, async (to) => {
      const keys: string[] = []
      for await (const { key } of this.bucket.list(`${name}/`)) keys.push(key)
      await inParallel(keys, async (key) => {
        const stream = await this.bucket.stream(key)
        if (stream) await save(stream, join(to, key.slice(name.length + 1)))
      })
      return keys.length > 0
    })
  }

  async removeFolder(name: string): Promise<void> {
    for await (const { key } of this.bucket.list(`${name}/`)) await this.bucket.delete(key)
    await rm(join(this.cache, name), { recursive: true, force: true })
  }

  /** Fetches a name to the cache, once however many ask; other processes may do so at the same time. */
  private once(name: string, fetch: (to: string) => Promise<boolean>): Promise<string | null> {
    const path = join(this.cache, name)
    let running = this.fetching.get(name)
    if (!running) {
      running = (async () => {
        const now = new Date()
        if (
          await utimes(path, now, now).then(
            () => true,
            () => false,
          )
        )
          return path
        const part = join(this.cache, `.part-${randomUUID()}`)
        try {
          await mkdir(dirname(path), { recursive: true })
          if (!(await fetch(part))) return null
          await rename(part, path).catch(async (error: NodeJS.ErrnoException) => {
            // Another process was faster.
            if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
          })
        } finally {
          await rm(part, { recursive: true, force: true })
        }
        await this.evict(path)
        return path
      })().finally(() => this.fetching.delete(name))
      this.fetching.set(name, running)
    }
    return running
  }

  /** Makes room; what was just fetched stays. */
  private async evict(newest: string): Promise<void> {
    const found = await readdir(this.cache, { recursive: true, withFileTypes: true })
    const files: { path: string; bytes: number; usedMs: number }[] = []
    for (const entry of found) {
      if (!entry.isFile() || entry.parentPath.includes('.part-')) continue
      const path = join(entry.parentPath, entry.name)
      const info = await stat(path).catch(() => null)
      const folder = await stat(dirname(path)).catch(() => null)
      if (info && folder)
        files.push({ path, bytes: info.size, usedMs: Math.max(info.mtimeMs, folder.mtimeMs) })
    }
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    for (const file of files.sort((a, b) => a.usedMs - b.usedMs)) {
      if (bytes <= this.limit) return
      if (file.path.startsWith(newest)) continue
      // A folder is fetched whole and leaves whole.
      const unit = file.path.startsWith(join(this.cache, 'archive')) ? file.path : dirname(file.path)
      await rm(unit, { recursive: true, force: true })
      bytes -= files.filter(({ path }) => path.startsWith(unit)).reduce((sum, { bytes: b }) => sum + b, 0)
    }
  }
}

async function save(stream: ReadableStream | globalThis.ReadableStream, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await pipeline(Readable.fromWeb(stream as ReadableStream), createWriteStream(to))
}
