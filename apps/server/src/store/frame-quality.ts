import { encodeQualityBlock } from '@radx/rainfall'
import { type Insertable, type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StoredProduct } from './catalog.ts'
import { type ClassSegment, segmentCheck, toSegment } from './class-segments.ts'
import { StoreCorruptError } from './frame-codec.ts'
import type { Span } from './frame-index.ts'
import type { FrameStore, PackName, RecordRef } from './frame-store.ts'
import type { PreparedFrame, PreparedQuality } from './prepared-frame.ts'
import { unpackQuality } from './quality-codec.ts'
import { nextUtcDayStart, utcDay, utcDayStart } from './utc-day.ts'

/** Where the quality of a frame lies: its plane and behind it the segments of its classes. */
export interface QualityPlace {
  timeMs: number
  offset: number
  length: number
  zstd: number
  deflate: number
  /** CRC-32 of the block of classes, and of its segments. */
  crc: number
  check: number
}

/** Bytes of the whole record of a quality. */
export const qualityBytes = ({ length, zstd, deflate }: QualityPlace): number => length + zstd + deflate

const qualityName = (product: Pick<StoredProduct, 'shortName'>, day: string): PackName => ({
  product: product.shortName,
  day,
  kind: 'quality',
  generation: 0,
})

/** Stores the qualities of frames inside the transaction that makes these exist, under the lock of their product. */
export async function insertQualities(
  tx: Kysely<Database>,
  store: FrameStore,
  product: StoredProduct,
  frames: readonly PreparedFrame[],
): Promise<void> {
  const known = frames.flatMap(({ timeMs, quality }) => (quality ? [{ timeMs, quality }] : []))
  for (const [day, ofDay] of Map.groupBy(known, ({ timeMs }) => utcDay(timeMs))) {
    const refs = await appendRecords(
      tx,
      store,
      product,
      day,
      ofDay.map(({ quality }) => quality),
      false,
    )
    const rows: Insertable<Database['radar_quality']>[] = ofDay.map(({ timeMs, quality }, k) => ({
      product_id: product.id,
      time: new Date(timeMs),
      ...recordColumns(quality, refs[k]),
      melting: quality.melting ? (JSON.stringify(quality.melting) as never) : null,
    }))
    await tx.insertInto('radar_quality').values(rows).execute()
  }
}

/** Columns that a quality and its place decide. */
const recordColumns = ({ packed, classes, mean, zones }: PreparedQuality, { offset }: RecordRef) => ({
  pack_offset: offset,
  pack_length: packed.length,
  classes_zstd: classes.zstd.length,
  classes_deflate: classes.deflate.length,
  classes_crc: classes.crc,
  classes_check: segmentCheck(classes),
  mean,
  zone_mean: zones,
})

async function appendRecords(
  tx: Kysely<Database>,
  store: FrameStore,
  product: StoredProduct,
  day: string,
  qualities: readonly PreparedQuality[],
  repair: boolean,
): Promise<RecordRef[]> {
  const { rows } = await sql<{ end: number }>`
    select coalesce(max(pack_offset + pack_length + classes_zstd + classes_deflate), 0)::bigint as end from radar_quality
    where product_id = ${product.id} and time >= ${utcDayStart(day)} and time < ${nextUtcDayStart(day)}`.execute(
    tx,
  )
  return store.append(
    qualityName(product, day),
    rows[0].end,
    qualities.map(({ packed, classes }) => Buffer.concat([packed, classes.zstd, classes.deflate])),
    repair,
  )
}

/** Puts a quality that was damaged in its place again. */
export async function replaceQuality(
  tx: Kysely<Database>,
  store: FrameStore,
  product: StoredProduct,
  timeMs: number,
  quality: PreparedQuality,
): Promise<void> {
  const [ref] = await appendRecords(tx, store, product, utcDay(timeMs), [quality], true)
  await tx
    .updateTable('radar_quality')
    .set(recordColumns(quality, ref))
    .where('product_id', '=', product.id)
    .where('time', '=', new Date(timeMs))
    .execute()
}

/** Where the qualities of a span lie, in time order; frames that say nothing of theirs are not among them. */
export async function qualityPlaces(
  db: Kysely<Database>,
  product: StoredProduct,
  { startMs, endMs }: Span,
): Promise<QualityPlace[]> {
  const { rows } = await sql<QualityPlace>`
    select (extract(epoch from time) * 1000)::bigint as "timeMs", pack_offset as offset, pack_length as length,
      classes_zstd as zstd, classes_deflate as deflate, classes_crc as crc, classes_check as check
    from radar_quality
    where product_id = ${product.id} and time >= ${new Date(startMs)} and time < ${new Date(endMs)}
    order by time`.execute(db)
  return rows
}

/** Whole records are read: a bucket knows no parts of those that lie apart. */
async function readRecord(
  store: FrameStore,
  product: Pick<StoredProduct, 'shortName'>,
  place: QualityPlace,
): Promise<Buffer> {
  const ref = { offset: place.offset, length: qualityBytes(place) }
  const [bytes] = await store.read(qualityName(product, utcDay(place.timeMs)), [ref])
  return bytes
}

/** The plane of a quality, see `encodeQuality`. @throws StoreCorruptError */
export async function readQuality(
  store: FrameStore,
  product: Pick<StoredProduct, 'shortName' | 'steps'>,
  place: QualityPlace,
): Promise<Uint8Array> {
  return planeOf(product, place, await readRecord(store, product, place))
}

/** The plane in the record of a quality. @throws StoreCorruptError */
function planeOf(
  product: Pick<StoredProduct, 'shortName' | 'steps'>,
  { timeMs, length }: QualityPlace,
  record: Buffer,
): Uint8Array {
  try {
    return unpackQuality(record.subarray(0, length), product.steps ** 2)
  } catch (cause) {
    if (!(cause instanceof StoreCorruptError)) throw cause
    const at = new Date(timeMs).toISOString()
    throw new StoreCorruptError(`image ${product.shortName} du ${at} : ${cause.details.what}`, cause)
  }
}

/** Classes of a quality as they are stored; damaged ones are made again from its plane. @throws StoreCorruptError */
export async function qualitySegment(
  store: FrameStore,
  product: Pick<StoredProduct, 'shortName' | 'steps'>,
  place: QualityPlace,
): Promise<ClassSegment> {
  const record = await readRecord(store, product, place)
  const segment = segmentOf(place, record)
  if (segmentCheck(segment) === place.check) return segment
  return toSegment(encodeQualityBlock(planeOf(product, place, record)))
}

const segmentOf = ({ length, zstd, crc }: QualityPlace, bytes: Buffer): ClassSegment => ({
  zstd: bytes.subarray(length, length + zstd),
  deflate: bytes.subarray(length + zstd),
  crc,
})

/** Qualities that are not what was stored. */
export async function damagedQualities(
  store: FrameStore,
  product: StoredProduct,
  places: readonly QualityPlace[],
): Promise<QualityPlace[]> {
  const damaged: QualityPlace[] = []
  for (const place of places)
    try {
      const record = await readRecord(store, product, place)
      planeOf(product, place, record)
      if (segmentCheck(segmentOf(place, record)) !== place.check) damaged.push(place)
    } catch (error) {
      if (!(error instanceof StoreCorruptError)) throw error
      damaged.push(place)
    }
  return damaged
}
