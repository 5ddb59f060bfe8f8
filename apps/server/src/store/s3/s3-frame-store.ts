import { LRUCache } from 'lru-cache'
import { StoreCorruptError } from '../frame-codec.ts'
import type { FrameStore, IssuedFile, LooseFile, PackName, RecordRef } from '../frame-store.ts'
import { inGroups } from '../record-groups.ts'
import type { Bucket } from './bucket.ts'

const ROOT = 'store/'
const PARALLEL = 16
/** Records kept in memory: what visitors of the live page ask for again and again. */
const CACHE_BYTES = 64 * 1024 * 1024
const CACHED_RECORD_BYTES = 512 * 1024
const KEY = /^store\/([^/]+)\/\d{4}\/(\d{4}-\d{2}-\d{2})(?:\.g(\d+))?\.(pack|quality|classes|tiles)\/$/
const ISSUED = /^store\/([^/]+)\/\d{4}\/(\d{4}-\d{2}-\d{2})(?:\.g(\d+))?\.(forecast|members)$/

/**
 * The store in a bucket. A record is an object of its own at first, `<file>/<offset>-<length>`; `compact`
 * gathers those of a file into one object `<file>`, in which every record keeps its offset. A record is
 * looked for in the gathered object as far as that reaches, else on its own; how far it reaches is
 * remembered and asked again when a record is at neither place. The length in the key keeps a late write
 * of a transaction that failed from taking another record's place.
 */
export class S3FrameStore implements FrameStore {
  private readonly bucket: Bucket
  private readonly sizes = new Map<string, Promise<number>>()
  private readonly cache = new LRUCache<string, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ length }) => Math.max(1, length),
  })

  constructor(bucket: Bucket) {
    this.bucket = bucket
  }

  async append(name: PackName, end: number, records: Uint8Array[]): Promise<RecordRef[]> {
    const file = keyOf(name)
    // Rows that a restored database no longer has: what lies behind its end would hide the new records.
    if ((await this.size(file, true)) > end) await this.cut(file, end)
    const refs: RecordRef[] = []
    for (let k = 0, offset = end; k < records.length; offset += records[k++].length)
      refs.push({ offset, length: records[k].length })
    await inParallel(refs, async (ref, k) => this.bucket.put(partKey(file, ref), records[k]))
    return refs
  }

  async read(name: PackName, refs: RecordRef[]): Promise<Buffer[]> {
    const file = keyOf(name)
    const out = new Array<Buffer | null>(refs.length).fill(null)
    for (const [i, ref] of refs.entries()) out[i] = this.cache.get(partKey(file, ref)) ?? null
    for (const ask of [false, true]) {
      const missing = refs.flatMap((_, i) => (out[i] === null ? [i] : []))
      if (missing.length === 0) break
      const size = await this.size(file, ask)
      const gathered = missing.filter((i) => refs[i].offset + refs[i].length <= size)
      const groups = inGroups(gathered.map((i) => refs[i]))
      await inParallel(groups, async (group) => {
        const bytes = await this.bucket.get(file, group)
        if (bytes?.length !== group.length) return
        for (const k of group.members) out[gathered[k]] = group.cut(bytes, refs[gathered[k]])
      })
      await inParallel(
        missing.filter((i) => refs[i].offset + refs[i].length > size),
        async (i) => {
          const bytes = await this.bucket.get(partKey(file, refs[i]))
          if (bytes?.length === refs[i].length) out[i] = bytes
        },
      )
    }
    return out.map((bytes, i) => {
      if (bytes === null) throw new StoreCorruptError(`${file} : octet ${refs[i].offset} manque`)
      const key = partKey(file, refs[i])
      // A slice would keep all that it was cut from in memory.
      if (bytes.length <= CACHED_RECORD_BYTES && !this.cache.has(key))
        this.cache.set(key, bytes.buffer.byteLength === bytes.length ? bytes : Buffer.from(bytes))
      return bytes
    })
  }

  async put(name: PackName, bytes: Uint8Array[]): Promise<void> {
    const whole = Buffer.concat(bytes)
    await this.bucket.put(keyOf(name), whole)
    this.sizes.set(keyOf(name), Promise.resolve(whole.length))
  }

  async remove(name: PackName): Promise<void> {
    const file = keyOf(name)
    this.sizes.delete(file)
    await this.bucket.delete(file)
    await this.deleteParts(file, () => true)
  }

  /** A bucket shows whole objects only. */
  async *issued(product: string): AsyncGenerator<IssuedFile> {
    for await (const { key, modifiedMs } of this.bucket.list(`${ROOT}${product}/`)) {
      const found = ISSUED.exec(key)
      if (!found) continue
      const [, , day, generation, kind] = found
      const name = { product, day, kind: kind as PackName['kind'], generation: Number(generation ?? 0) }
      yield { name, writtenMs: modifiedMs }
    }
  }

  async loose(): Promise<LooseFile[]> {
    const found: LooseFile[] = []
    for (const product of await this.bucket.folders(ROOT))
      for (const year of await this.bucket.folders(product))
        for (const folder of await this.bucket.folders(year)) {
          const parts = KEY.exec(folder)
          if (!parts) continue
          const name: PackName = {
            product: parts[1],
            day: parts[2],
            generation: Number(parts[3] ?? 0),
            kind: parts[4] as PackName['kind'],
          }
          let newestMs = 0
          for await (const { modifiedMs } of this.bucket.list(folder))
            newestMs = Math.max(newestMs, modifiedMs)
          found.push({ name, newestMs })
        }
    return found
  }

  async compact(name: PackName, refs: RecordRef[]): Promise<void> {
    const file = keyOf(name)
    if (refs.length > 0) {
      const whole = Buffer.alloc(Math.max(...refs.map(({ offset, length }) => offset + length)))
      const before = await this.size(file, true)
      if (before > 0) (await this.bucket.get(file))?.copy(whole)
      const loose = refs.filter(({ offset, length }) => offset + length > before)
      await inParallel(loose, async (ref) => {
        const bytes = await this.bucket.get(partKey(file, ref))
        // A damaged record stays a hole, which its reader finds; the others are gathered all the same.
        if (bytes?.length === ref.length) bytes.copy(whole, ref.offset)
      })
      await this.bucket.put(file, whole)
      this.sizes.set(file, Promise.resolve(whole.length))
    }
    await this.deleteParts(file, () => true)
  }

  /** Bytes of the gathered object; 0 when nothing is gathered yet. */
  private size(file: string, ask: boolean): Promise<number> {
    let size = ask ? undefined : this.sizes.get(file)
    if (!size) {
      size = this.bucket.head(file).then((head) => head?.bytes ?? 0)
      this.sizes.set(file, size)
      size.catch(() => this.sizes.delete(file))
    }
    return size
  }

  private async cut(file: string, end: number): Promise<void> {
    const kept = end === 0 ? null : await this.bucket.get(file, { offset: 0, length: end })
    if (kept) await this.bucket.put(file, kept)
    else await this.bucket.delete(file)
    this.sizes.set(file, Promise.resolve(kept?.length ?? 0))
    // Records that were kept under these places belong to rows that are no more.
    this.cache.clear()
  }

  private async deleteParts(file: string, which: (key: string) => boolean): Promise<void> {
    const keys: string[] = []
    for await (const { key } of this.bucket.list(`${file}/`)) if (which(key)) keys.push(key)
    await inParallel(keys, (key) => this.bucket.delete(key))
  }
}

const keyOf = ({ product, day, kind, generation }: PackName) =>
  `${ROOT}${product}/${day.slice(0, 4)}/${day}${generation === 0 ? '' : `.g${generation}`}.${kind}`

const partKey = (file: string, { offset, length }: RecordRef) =>
  `${file}/${String(offset).padStart(12, '0')}-${length}`

/** Runs a task for each item, a few at a time. */
export async function inParallel<T>(
  items: T[],
  task: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: Math.min(PARALLEL, items.length) }, async () => {
      while (next < items.length) {
        const k = next++
        await task(items[k], k)
      }
    }),
  )
}
