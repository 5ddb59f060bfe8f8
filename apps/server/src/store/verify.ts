import { setTimeout as sleep } from 'node:timers/promises'
import { crc32, zstdDecompressSync } from 'node:zlib'
import type { StoredProduct } from './catalog.ts'
import { segmentCheck } from './class-segments.ts'
import { StoreCorruptError } from './frame-codec.ts'
import { damagedQualities, qualityBytes } from './frame-quality.ts'
import type { FramePlace } from './frame-reader.ts'
import type { FrameStore, PackName } from './frame-store.ts'
import { movedTilesName } from './moved/moved-tile-days.ts'
import type { Store } from './open-store.ts'
import { daysOf, type RebuildOptions, rebuildDay } from './rebuild.ts'
import { headerBytes, readTileIndex } from './tile-file.ts'
import type { TileFileRow } from './tile-reader.ts'
import { nextUtcDayStart, utcDayStart } from './utc-day.ts'

/** What a walk over stored bytes came to. */
export interface VerifyReport {
  /** Records and files that were read. */
  checked: number
  bytes: number
  /** Records stored before there were checksums, which have one now. */
  sealed: number
  /** Found damaged and made again. */
  repaired: number
  /** What is damaged and was not made again, French; at most `MOST_NAMED` of them are named. */
  damaged: string[]
  damagedCount: number
}

export const MOST_NAMED = 50

/** Takes note of what a walk finds, and keeps it from reading faster than it may. */
export class Verifier {
  readonly report: VerifyReport = {
    checked: 0,
    bytes: 0,
    sealed: 0,
    repaired: 0,
    damaged: [],
    damagedCount: 0,
  }
  readonly repair: boolean
  readonly signal: AbortSignal
  private readonly bytesPerSecond: number
  private readonly begin = performance.now()

  /** @param bytesPerSecond on average; Infinity for as fast as it goes */
  constructor(options: { repair: boolean; signal: AbortSignal; bytesPerSecond: number }) {
    this.repair = options.repair
    this.signal = options.signal
    this.bytesPerSecond = options.bytesPerSecond
  }

  damage(what: string): void {
    this.report.damagedCount++
    if (this.report.damaged.length < MOST_NAMED) this.report.damaged.push(what)
  }

  /** Counts what was read, and waits until it may go on. @throws what the signal says when it is over */
  async read(records: number, bytes: number): Promise<void> {
    this.report.checked += records
    this.report.bytes += bytes
    const dueMs = (this.report.bytes / this.bytesPerSecond) * 1000
    const aheadMs = dueMs - (performance.now() - this.begin)
    if (aheadMs > 0) await sleep(aheadMs, undefined, { signal: this.signal })
    this.signal.throwIfAborted()
  }
}

/** Reads every frame, class block and tile file of the store. With `repair`, days with damage are made again. */
export async function verifyFrames(options: RebuildOptions, verifier: Verifier): Promise<void> {
  for (const product of options.store.catalog.products.values())
    for (const day of await daysOf(options, product)) await verifyDay(options, verifier, product, day)
}

/** A UTC day of a product: codes, class blocks, tiles. */
export async function verifyDay(
  options: RebuildOptions,
  verifier: Verifier,
  product: StoredProduct,
  day: string,
): Promise<void> {
  const { store } = options
  const span = { startMs: utcDayStart(day).getTime(), endMs: nextUtcDayStart(day).getTime() }
  const places = await store.index.places(product, span)
  const lost = await damagedCodes(store, product, places)
  const classes = await damagedClasses(store, verifier, product, places)
  const qualities = [...(await store.index.qualityPlaces(product, span)).values()]
  const spoiled = await damagedQualities(store.frames, product, qualities)
  const bytes =
    places.reduce(
      (sum, { pack, classes: c }) => sum + (pack?.length ?? 0) + (c ? c.zstd + c.deflate : 0),
      0,
    ) + qualities.reduce((sum, place) => sum + qualityBytes(place), 0)
  await verifier.read(2 * places.length + qualities.length, bytes)
  const tiles = await isTileFileDamaged(store, verifier, product, day, places)
  await verifyMovedTiles(store, verifier, product, day)
  const records = lost.length + classes.length + spoiled.length
  if (records === 0 && !tiles) return
  if (verifier.repair) {
    const done = records > 0 ? await rebuildDay(options, product, day) : null
    await store.pixels.buildDay(product, day)
    verifier.report.repaired += records - (done?.lost ?? 0) + (tiles ? 1 : 0)
    if (!done?.lost) return
  }
  const still = verifier.repair
    ? await damagedCodes(store, product, await store.index.places(product, span))
    : lost
  for (const { timeMs } of still)
    verifier.damage(`image ${product.shortName} du ${new Date(timeMs).toISOString()}`)
  const unsaid = verifier.repair ? await damagedQualities(store.frames, product, spoiled) : spoiled
  for (const { timeMs } of unsaid)
    verifier.damage(`qualité de l'image ${product.shortName} du ${new Date(timeMs).toISOString()}`)
  if (verifier.repair) return
  for (const { timeMs } of classes)
    verifier.damage(`classes de l'image ${product.shortName} du ${new Date(timeMs).toISOString()}`)
  if (tiles) verifier.damage(`tuiles ${product.shortName} du ${day}`)
}

/** Frames whose codes cannot be read. */
async function damagedCodes(
  { index }: Pick<Store, 'index'>,
  product: StoredProduct,
  places: FramePlace[],
): Promise<FramePlace[]> {
  const damaged: FramePlace[] = []
  for (const place of places)
    if (place.pack !== null && !(await isReadable(index.codes(product, [place])))) damaged.push(place)
  return damaged
}

/** Frames whose class block is not the stored one; sound ones without a check get theirs. */
async function damagedClasses(
  { index, context }: Store,
  { report }: Verifier,
  product: StoredProduct,
  places: FramePlace[],
): Promise<FramePlace[]> {
  const damaged: FramePlace[] = []
  for (const place of places) {
    if (place.classes === null) continue
    const segment = await index.storedSegment(product, place)
    if (segment === null) damaged.push(place)
    else if (place.classes.check === null) {
      await context.db
        .updateTable('radar_frame')
        .set({ classes_check: segmentCheck(segment) })
        .where('product_id', '=', product.id)
        .where('time', '=', new Date(place.timeMs))
        .where('classes_generation', '=', place.classesGeneration)
        .execute()
      report.sealed++
    }
  }
  return damaged
}

async function isReadable(items: AsyncIterable<unknown>): Promise<boolean> {
  try {
    for await (const _ of items);
    return true
  } catch (error) {
    if (error instanceof StoreCorruptError) return false
    throw error
  }
}

/** Holds a day's tile file against what it was; one without a check gets it when its times are those of frames. */
async function isTileFileDamaged(
  { context, frames }: Store,
  verifier: Verifier,
  product: StoredProduct,
  day: string,
  places: FramePlace[],
): Promise<boolean> {
  const row = await context.db
    .selectFrom('radar_tiles')
    .selectAll()
    .where('product_id', '=', product.id)
    .where('utc_day', '=', day)
    .executeTakeFirst()
  if (!row) return false
  const name: PackName = { product: product.shortName, day, kind: 'tiles', generation: row.generation }
  const found = await soundTiles(frames, verifier, name, row, product.steps)
  if (found === null) return true
  if (row.header_check !== null) return false
  // From before there were checks: sound when its frames are the day's and every block was where it says.
  const known = new Set(places.map(({ timeMs }) => timeMs))
  if (found.times.length !== row.frames || !found.times.every((timeMs) => known.has(timeMs))) return true
  await context.db
    .updateTable('radar_tiles')
    .set({ header_check: found.check })
    .where('product_id', '=', product.id)
    .where('utc_day', '=', day)
    .where('generation', '=', row.generation)
    .execute()
  verifier.report.sealed++
  return false
}

/** Holds a day's tile file of rain as it moved against what it was; with `repair`, a damaged one is left to be made again. */
async function verifyMovedTiles(
  { context, frames, moved }: Store,
  verifier: Verifier,
  product: StoredProduct,
  day: string,
): Promise<void> {
  const row = await context.db
    .selectFrom('radar_moved_tiles')
    .selectAll()
    .where('product_id', '=', product.id)
    .where('utc_day', '=', day)
    .where('whole', '=', true)
    .executeTakeFirst()
  if (!row) return
  const name = movedTilesName(product, day, row.generation)
  if ((await soundTiles(frames, verifier, name, row, product.steps)) !== null) return
  if (!verifier.repair) return verifier.damage(`tuiles de la pluie déplacée ${product.shortName} du ${day}`)
  await moved.tileDays.disown(product, day, row.generation)
  verifier.report.repaired++
}

/** Instants and CRC-32 of the header of a tile file whose every block is sound; null when something is not. */
async function soundTiles(
  frames: FrameStore,
  verifier: Verifier,
  name: PackName,
  row: TileFileRow,
  steps: number,
): Promise<{ times: Float64Array; check: number } | null> {
  try {
    const [header] = await frames.read(name, [
      { offset: 0, length: headerBytes(row.frames, steps, row.tile_size) },
    ])
    const check = crc32(header) >>> 0
    const { times, offsets } = readTileIndex(header)
    if (row.header_check !== null && row.header_check !== check) return null
    const refs = Array.from(offsets.subarray(0, -1), (offset, k) => ({
      offset,
      length: offsets[k + 1] - offset,
    })).filter(({ length }) => length > 0)
    const blocks = await frames.read(name, refs)
    await verifier.read(1, offsets[offsets.length - 1])
    return blocks.every(isSoundBlock) ? { times, check } : null
  } catch (error) {
    if (error instanceof StoreCorruptError || error instanceof RangeError) return null
    throw error
  }
}

function isSoundBlock(block: Uint8Array): boolean {
  try {
    zstdDecompressSync(block)
    return true
  } catch {
    return false
  }
}
