import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StoreCorruptError } from './frame-codec.ts'
import type { FrameStore, IssuedFile, LooseFile, PackName, RecordRef } from './frame-store.ts'
import { inGroups } from './record-groups.ts'

const ISSUED = /^(\d{4}-\d{2}-\d{2})(?:\.g(\d+))?\.(forecast|members)(?:\.part)?$/

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
    const out = new Array<Buffer>(refs.length)
    const file = await open(path, 'r').catch((cause) => {
      throw new StoreCorruptError(`${path} manque`, cause)
    })
    try {
      for (const { offset, length, members, cut } of inGroups(refs)) {
        const bytes = Buffer.allocUnsafe(length)
        for (let done = 0; done < length; ) {
          const { bytesRead } = await file.read(bytes, done, length - done, offset + done)
          if (bytesRead === 0)
            throw new StoreCorruptError(`${path} s'arrête avant l'octet ${offset + length}`)
          done += bytesRead
        }
        for (const i of members) out[i] = cut(bytes, refs[i])
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
      try {
        for (const chunk of bytes) await file.writeFile(chunk)
        await file.datasync()
      } finally {
        await file.close()
      }
      await rename(part, path)
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
  }

  /** With what was being written to it when the machine stopped. */
  async remove(name: PackName): Promise<void> {
    await rm(this.path(name), { force: true })
    await rm(`${this.path(name)}.part`, { force: true })
  }

  async *issued(product: string): AsyncGenerator<IssuedFile> {
    const home = join(this.root, product)
    for (const year of await readdir(home).catch(() => []))
      for (const file of await readdir(join(home, year)).catch(() => [])) {
        const found = ISSUED.exec(file)
        const about = found && (await stat(join(home, year, file)).catch(() => null))
        if (!about) continue
        const [, day, generation, kind] = found
        const name = { product, day, kind: kind as PackName['kind'], generation: Number(generation ?? 0) }
        yield { name, writtenMs: about.mtimeMs }
      }
  }

  /** Appends go into the file itself. */
  async loose(): Promise<LooseFile[]> {
    return []
  }

  async compact(): Promise<void> {}
}
