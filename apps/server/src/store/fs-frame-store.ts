import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StoreCorruptError } from './frame-codec.ts'
import type { FrameStore, PackName, RecordRef } from './frame-store.ts'

/** Records closer than this are read in one go: a read costs about as much as copying this much. */
const COALESCE_GAP = 64 * 1024
const COALESCE_MAX = 8 * 1024 * 1024

/** The store in a folder: `<product>/YYYY/YYYY-MM-DD[.gN].<kind>`. */
export class FsFrameStore implements FrameStore {
  private readonly root: string

  constructor(root: string) {
    this.root = root
  }

  path({ product, day, kind, generation }: PackName): string {
    const suffix = generation === 0 ? '' : `.g${generation}`
    return join(this.root, product, day.slice(0, 4), `${day}${suffix}.${kind}`)
  }

  async append(name: PackName, end: number, records: Uint8Array[], repair = false): Promise<RecordRef[]> {
    const path = this.path(name)
    await mkdir(dirname(path), { recursive: true })
    // 'a' would ignore the position, so that a torn tail could not be overwritten.
    const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return open(path, 'w+')
    })
    try {
      const { size } = await file.stat()
      if (size < end && !repair) throw new StoreCorruptError(`${path} : ${size} octets, ${end} attendus`)
      if (size !== end) await file.truncate(end)
      const refs: RecordRef[] = []
      let offset = end
      for (const record of records) {
        refs.push({ offset, length: record.length })
        offset += record.length
      }
      const bytes = Buffer.concat(records)
      for (let written = 0; written < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, written, bytes.length - written, end + written)
        written += bytesWritten
      }
      await file.datasync()
      return refs
    } finally {
      await file.close()
    }
  }

  async read(name: PackName, refs: RecordRef[]): Promise<Buffer[]> {
    if (refs.length === 0) return []
    const path = this.path(name)
    const order = refs.map((_, i) => i).sort((a, b) => refs[a].offset - refs[b].offset)
    const out = new Array<Buffer>(refs.length)
    const file = await open(path, 'r').catch((cause) => {
      throw new StoreCorruptError(`${path} manque`, cause)
    })
    try {
      for (let i = 0; i < order.length; ) {
        const start = refs[order[i]].offset
        let end = start + refs[order[i]].length
        let j = i + 1
        for (; j < order.length; j++) {
          const next = refs[order[j]]
          if (next.offset > end + COALESCE_GAP || next.offset + next.length - start > COALESCE_MAX) break
          end = Math.max(end, next.offset + next.length)
        }
        const bytes = Buffer.allocUnsafe(end - start)
        for (let done = 0; done < bytes.length; ) {
          const { bytesRead } = await file.read(bytes, done, bytes.length - done, start + done)
          if (bytesRead === 0) throw new StoreCorruptError(`${path} s'arrête avant l'octet ${end}`)
          done += bytesRead
        }
        for (; i < j; i++) {
          const ref = refs[order[i]]
          out[order[i]] = bytes.subarray(ref.offset - start, ref.offset - start + ref.length)
        }
      }
      return out
    } finally {
      await file.close()
    }
  }

  async put(name: PackName, bytes: Uint8Array[]): Promise<void> {
    const path = this.path(name)
    await mkdir(dirname(path), { recursive: true })
    const part = `${path}.part`
    const file = await open(part, 'w')
    try {
      for (const chunk of bytes) await file.writeFile(chunk)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(part, path)
  }

  async remove(name: PackName): Promise<void> {
    await rm(this.path(name), { force: true })
  }
}
