import { crc32 } from 'node:zlib'
import { classBlockLength, encodeClassBlock } from '@radx/rainfall'
import { type ClassSegment, isSoundSegment, toSegment } from './class-segments.ts'
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
  /** `check` is the CRC-32 of the record, null where none was written down yet. */
  classes: { offset: number; zstd: number; deflate: number; crc: number; check: number | null } | null
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
/** As many class blocks: a day of them, which an answer can refuse as a whole. */
const SEGMENT_BATCH = 512

/** Reads the bytes of frames. Keeps nothing but the blanks, which never change. Works in any thread. */
export class FrameReader {
  private readonly store: FrameStore
  private readonly loadBlank: (id: number) => Promise<BlankRecord>
  private readonly blanks = new Map<number, Promise<Blank>>()
  /** Told of what a reader found damaged, whether it could be read otherwise or not. */
  onDamage: (product: string, timeMs: number) => void = () => undefined

  constructor(store: FrameStore, loadBlank: (id: number) => Promise<BlankRecord>) {
    this.store = store
    this.loadBlank = loadBlank
  }

  /**
   * Codes of frames one after another, in the order given; null for a frame that is dry all over and
   * has data all over. The arrays are the caller's only until the next one is asked for.
   * @param into room for one frame, for callers that are done with each when they ask for the next: new room for each
   *   keeps the garbage collector busy
   * @throws StoreCorruptError
   */
  async *codes(
    product: ReadProduct,
    places: FramePlace[],
    into?: Uint16Array,
  ): AsyncGenerator<Uint16Array | null> {
    const cells = product.steps ** 2
    for (const batch of batches(places)) {
      const bytes = await this.read(product, batch, 'pack', (place) => place.pack)
      for (const [i, place] of batch.entries()) {
        const record = bytes[i]
        yield record ? this.unpack(product, place, record, into) : (await this.blank(place, cells)).codes
      }
    }
  }

  /**
   * Compressed class blocks of frames, in the order given; one that is damaged is made again from the frame's codes.
   * All of a batch are looked at before its first one comes.
   * @throws StoreCorruptError
   */
  async *classSegments(product: ReadProduct, places: FramePlace[]): AsyncGenerator<ClassSegment> {
    for (const batch of batches(places, SEGMENT_BATCH)) {
      const bytes = await this.read(product, batch, 'classes', ({ classes }) =>
        classes ? { offset: classes.offset, length: classes.zstd + classes.deflate } : null,
      )
      const segments: ClassSegment[] = []
      for (const [i, place] of batch.entries()) {
        const record = bytes[i]
        if (!record || !place.classes) segments.push((await this.blank(place, product.steps ** 2)).classes)
        else
          segments.push(storedSegment(product, place.classes, record) ?? (await this.remade(product, place)))
      }
      yield* segments
    }
  }

  /** CRC-32 of the class blocks of frames before compression, in the order given. */
  async classChecks(product: ReadProduct, places: FramePlace[]): Promise<number[]> {
    const checks: number[] = []
    for (const place of places)
      checks.push(place.classes?.crc ?? (await this.blank(place, product.steps ** 2)).classes.crc)
    return checks
  }

  /** The class block of a frame as it is stored; null when it is damaged or there is none. */
  async storedSegment(product: ReadProduct, place: FramePlace): Promise<ClassSegment | null> {
    if (place.classes === null) return null
    try {
      const { offset, zstd, deflate } = place.classes
      const [record] = await this.read(product, [place], 'classes', () => ({
        offset,
        length: zstd + deflate,
      }))
      return storedSegment(product, place.classes, record!)
    } catch (error) {
      if (error instanceof StoreCorruptError) return null
      throw error
    }
  }

  private unpack(
    product: ReadProduct,
    place: FramePlace,
    record: Uint8Array,
    into?: Uint16Array,
  ): Uint16Array {
    try {
      return unpackCodes(record, product.steps ** 2, into)
    } catch (cause) {
      if (!(cause instanceof StoreCorruptError)) throw cause
      this.onDamage(product.shortName, place.timeMs)
      const at = new Date(place.timeMs).toISOString()
      throw new StoreCorruptError(`image ${product.shortName} du ${at} : ${cause.details.what}`, cause)
    }
  }

  /** The class block of a frame from its codes. @throws StoreCorruptError when these are damaged, too */
  private async remade(product: ReadProduct, place: FramePlace): Promise<ClassSegment> {
    this.onDamage(product.shortName, place.timeMs)
    for await (const codes of this.codes(product, [place]))
      return toSegment(encodeClassBlock(codes ?? new Uint16Array(product.steps ** 2)))
    throw new StoreCorruptError("image sans données dans l'index")
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

/** The segment that a record holds; null when the record is damaged. */
function storedSegment(
  { steps }: ReadProduct,
  { zstd, crc, check }: NonNullable<FramePlace['classes']>,
  record: Buffer,
): ClassSegment | null {
  const segment = { zstd: record.subarray(0, zstd), deflate: record.subarray(zstd), crc }
  const sound =
    check === null ? isSoundSegment(segment, classBlockLength(steps)) : crc32(record) >>> 0 === check
  return sound ? segment : null
}

function* batches<T>(items: T[], size = READ_BATCH): Generator<T[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size)
}
