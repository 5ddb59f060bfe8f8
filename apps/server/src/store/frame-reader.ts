import type { ClassSegment } from './class-segments.ts'
import { StoreCorruptError, unpackCodes } from './frame-codec.ts'
import type { FrameStore, PackName, RecordRef } from './frame-store.ts'
import { utcDay } from './utc-day.ts'

/** Where the bytes of a frame lie. */
export interface FramePlace {
  timeMs: number
  /** A frame without rain; its bytes are those of its blank. */
  blankId: number | null
  pack: RecordRef | null
  classesGeneration: number
  classes: { offset: number; zstd: number; deflate: number; crc: number } | null
}

/** Bytes of a frame without rain, as the database has them. */
export interface BlankRecord {
  codes: Uint8Array
  classes: ClassSegment
}

interface Blank {
  /** null when every cell is dry and has data. */
  codes: Uint16Array | null
  classes: ClassSegment
}

/** What a reader must know of a product. */
export interface ReadProduct {
  shortName: string
  steps: number
}

/** Frames read at once: bounds memory, and is enough to keep the disk busy. */
const READ_BATCH = 32

/** Reads the bytes of frames. Keeps nothing but the blanks, which never change. Works in any thread. */
export class FrameReader {
  private readonly store: FrameStore
  private readonly loadBlank: (id: number) => Promise<BlankRecord>
  private readonly blanks = new Map<number, Promise<Blank>>()

  constructor(store: FrameStore, loadBlank: (id: number) => Promise<BlankRecord>) {
    this.store = store
    this.loadBlank = loadBlank
  }

  /**
   * Codes of frames one after another, in the order given; null for a frame that is dry all over and
   * has data all over. The arrays are the caller's only until the next one is asked for.
   * @throws StoreCorruptError
   */
  async *codes(product: ReadProduct, places: FramePlace[]): AsyncGenerator<Uint16Array | null> {
    const cells = product.steps ** 2
    for (const batch of batches(places)) {
      const bytes = await this.read(product, batch, 'pack', (place) => place.pack)
      for (const [i, place] of batch.entries()) {
        const record = bytes[i]
        yield record ? unpackCodes(record, cells) : (await this.blank(place, cells)).codes
      }
    }
  }

  /** Compressed class blocks of frames, in the order given. @throws StoreCorruptError */
  async *classSegments(product: ReadProduct, places: FramePlace[]): AsyncGenerator<ClassSegment> {
    for (const batch of batches(places, 512)) {
      const bytes = await this.read(product, batch, 'classes', ({ classes }) =>
        classes ? { offset: classes.offset, length: classes.zstd + classes.deflate } : null,
      )
      for (const [i, place] of batch.entries()) {
        const record = bytes[i]
        if (!record || !place.classes) yield (await this.blank(place, product.steps ** 2)).classes
        else {
          const { zstd, crc } = place.classes
          yield { zstd: record.subarray(0, zstd), deflate: record.subarray(zstd), crc }
        }
      }
    }
  }

  /** Records of a batch; undefined for frames whose bytes are those of a blank. */
  private async read(
    product: ReadProduct,
    batch: FramePlace[],
    kind: PackName['kind'],
    refOf: (place: FramePlace) => RecordRef | null,
  ): Promise<(Buffer | undefined)[]> {
    const files = new Map<string, { name: PackName; refs: RecordRef[]; at: number[] }>()
    for (const [i, place] of batch.entries()) {
      const ref = refOf(place)
      if (!ref) continue
      const day = utcDay(place.timeMs)
      const generation = kind === 'classes' ? place.classesGeneration : 0
      const key = `${day} ${generation}`
      const file = files.get(key) ?? {
        name: { product: product.shortName, day, kind, generation },
        refs: [],
        at: [],
      }
      file.refs.push(ref)
      file.at.push(i)
      files.set(key, file)
    }
    const out = new Array<Buffer | undefined>(batch.length)
    await Promise.all(
      [...files.values()].map(async ({ name, refs, at }) => {
        const records = await this.store.read(name, refs)
        for (const [k, record] of records.entries()) out[at[k]] = record
      }),
    )
    return out
  }

  private blank(place: FramePlace, cells: number): Promise<Blank> {
    const id = place.blankId
    if (id === null) throw new StoreCorruptError("image sans données dans l'index")
    let blank = this.blanks.get(id)
    if (!blank) {
      blank = this.loadBlank(id).then(({ codes: packed, classes }) => {
        const codes = unpackCodes(packed, cells)
        return { codes: codes.some((code) => code !== 0) ? codes : null, classes }
      })
      this.blanks.set(id, blank)
      blank.catch(() => this.blanks.delete(id))
    }
    return blank
  }
}

function* batches<T>(items: T[], size = READ_BATCH): Generator<T[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size)
}
