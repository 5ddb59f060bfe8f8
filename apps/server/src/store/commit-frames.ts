import { createHash } from 'node:crypto'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Catalog, StoredProduct } from './catalog.ts'
import { segmentCheck } from './class-segments.ts'
import { mergeDays } from './frame-days.ts'
import { insertQualities } from './frame-quality.ts'
import type { FrameStore, PackName } from './frame-store.ts'
import type { PreparedFrame } from './prepared-frame.ts'
import type { RadarFrameTable } from './schema.ts'
import { type SourceFile, sourceRow } from './source-file.ts'
import { nextUtcDayStart, utcDay, utcDayStart } from './utc-day.ts'
import { insertParts, type VolumeFiles } from './volume-parts.ts'

/**
 * `stored`: the frame exists from now on. `known`: the same file was taken in before. `conflict`:
 * another file gave the frame of this product and time; the first one stays.
 */
export type CommitOutcome =
  | { outcome: 'stored' }
  | { outcome: 'known'; archivePath: string | null }
  | { outcome: 'conflict'; firstName: string }

export interface CommitContext {
  db: Kysely<Database>
  store: FrameStore
  catalog: Catalog
  timeZone: string
}

/** A frame and the file that it came in; `volume` where that file is one of several. */
export interface FrameItem {
  frame: PreparedFrame
  source: SourceFile
  volume?: VolumeFiles | null
  /** The file was taken in before, for another product: this is one more frame of it. */
  isAgain?: true
}

/** Blanks beyond this many a product go into the packs: masks that never repeat are no masks. */
const MAX_BLANKS = 256
/** First key of the advisory locks under which frames are written; the second is the product. */
export const FRAME_LOCK = 0x52_41_44_58

/**
 * Stores frames, all or none, in one transaction under the advisory lock of their products: bytes
 * first, made durable, then the rows that make them exist. What a crash leaves in between is overwritten
 * by the next commit.
 * @returns what became of each item, in order
 */
export async function commitFrames(context: CommitContext, items: FrameItem[]): Promise<CommitOutcome[]> {
  return context.db.transaction().execute(async (tx) => {
    const products = new Map<string, StoredProduct>()
    for (const { frame } of items) {
      const product = context.catalog.products.get(frame.product)
      if (!product) throw new RangeError(`frame of an unknown product: ${frame.product}`)
      products.set(frame.product, product)
    }
    // Always in the same order, so that two processes cannot wait for each other.
    for (const { id } of [...products.values()].sort((a, b) => a.id - b.id))
      await sql`select pg_advisory_xact_lock(${FRAME_LOCK}::int, ${id}::int)`.execute(tx)

    const outcomes = await classify(tx, products, items)
    const fresh = items.filter((_, i) => outcomes[i].outcome === 'stored')
    if (fresh.length > 0) {
      await insertSources(tx, products, fresh)
      const params = await paramsIds(tx, fresh)
      for (const product of products.values()) {
        const frames = fresh.filter(({ frame }) => frame.product === product.shortName)
        if (frames.length === 0) continue
        await insertFrames(tx, context.store, product, frames, params)
        await insertQualities(
          tx,
          context.store,
          product,
          frames.map(({ frame }) => frame),
        )
        await insertParts(tx, product, frames)
        await mergeDays(
          tx,
          product,
          frames.map(({ frame }) => frame),
          context.timeZone,
        )
      }
    }
    return outcomes
  })
}

type Tx = Transaction<Database>

async function classify(
  tx: Tx,
  products: Map<string, StoredProduct>,
  items: FrameItem[],
): Promise<CommitOutcome[]> {
  const known = new Map<string, string | null>()
  for (const row of await tx
    .selectFrom('source_file')
    .select(['hash', 'archive_path'])
    .where(
      'hash',
      'in',
      items.map(({ source }) => source.hash),
    )
    .execute())
    known.set(row.hash.toString('hex'), row.archive_path)
  const taken = new Map<string, string>()
  for (const product of products.values()) {
    const times = items
      .filter(({ frame }) => frame.product === product.shortName)
      .map(({ frame }) => new Date(frame.timeMs))
    for (const row of await tx
      .selectFrom('radar_frame')
      .innerJoin('source_file', 'source_file.hash', 'radar_frame.source')
      .select(['radar_frame.time', 'source_file.name'])
      .where('radar_frame.product_id', '=', product.id)
      .where('radar_frame.time', 'in', times)
      .execute())
      taken.set(`${product.shortName} ${row.time.getTime()}`, row.name)
  }
  return items.map(({ frame, source, isAgain }) => {
    const hash = source.hash.toString('hex')
    const archivePath = known.get(hash)
    if (archivePath !== undefined && !isAgain) return { outcome: 'known', archivePath }
    const key = `${frame.product} ${frame.timeMs}`
    const firstName = taken.get(key)
    if (firstName !== undefined) return { outcome: 'conflict', firstName }
    known.set(hash, source.archivePath)
    taken.set(key, source.name)
    return { outcome: 'stored' }
  })
}

async function insertSources(tx: Tx, products: Map<string, StoredProduct>, items: FrameItem[]) {
  const rows = items
    .filter(({ isAgain }) => !isAgain)
    .map(({ frame, source }) => sourceRow(source, products.get(frame.product)!.id))
  if (rows.length > 0) await tx.insertInto('source_file').values(rows).execute()
}

const paramsHash = ({ version, name, sensor }: PreparedFrame) =>
  createHash('sha256')
    .update(
      JSON.stringify([version, name, sensor.name, sensor.wavelengthM, sensor.beamwidthDeg, sensor.altitudeM]),
    )
    .digest('hex')

async function paramsIds(tx: Tx, items: FrameItem[]): Promise<Map<string, number>> {
  const wanted = new Map(items.map(({ frame }) => [paramsHash(frame), frame]))
  const select = () =>
    tx
      .selectFrom('radar_params')
      .select(['hash', 'id'])
      .where('hash', 'in', [...wanted.keys()])
      .execute()
  let rows = await select()
  if (rows.length < wanted.size) {
    await tx
      .insertInto('radar_params')
      .values(
        [...wanted].map(([hash, { version, name, sensor }]) => ({
          hash,
          version,
          name,
          sensor: JSON.stringify(sensor) as never,
        })),
      )
      .onConflict((c) => c.column('hash').doNothing())
      .execute()
    rows = await select()
  }
  return new Map(rows.map(({ hash, id }) => [hash, id]))
}

/** Number of the blank that a frame without rain shows; null when there are too many kinds of them. */
async function blankId(tx: Tx, product: StoredProduct, frame: PreparedFrame): Promise<number | null> {
  const find = () =>
    tx
      .selectFrom('radar_blank')
      .select('id')
      .where('product_id', '=', product.id)
      .where('hash', '=', frame.blankHash)
      .executeTakeFirst()
  const found = await find()
  if (found) return found.id
  const { count } = await tx
    .selectFrom('radar_blank')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('product_id', '=', product.id)
    .executeTakeFirstOrThrow()
  if (count >= MAX_BLANKS) return null
  const { id } = await tx
    .insertInto('radar_blank')
    .values({
      product_id: product.id,
      hash: frame.blankHash!,
      codes: Buffer.from(frame.packed),
      classes_zstd: Buffer.from(frame.classes.zstd),
      classes_deflate: Buffer.from(frame.classes.deflate),
      classes_crc: frame.classes.crc,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function insertFrames(
  tx: Tx,
  store: FrameStore,
  product: StoredProduct,
  items: FrameItem[],
  params: Map<string, number>,
) {
  const blanks = new Map<string, number | null>()
  for (const { frame } of items)
    if (frame.blankHash !== null && !blanks.has(frame.blankHash))
      blanks.set(frame.blankHash, await blankId(tx, product, frame))

  const rows: Insertable<RadarFrameTable>[] = []
  for (const [day, ofDay] of Map.groupBy(items, ({ frame }) => utcDay(frame.timeMs))) {
    const wet = ofDay.filter(({ frame }) => frame.blankHash === null || blanks.get(frame.blankHash) === null)
    const ends = await packEnds(tx, product, day)
    const name = (kind: PackName['kind'], generation: number): PackName => ({
      product: product.shortName,
      day,
      kind,
      generation,
    })
    const codes = wet.length
      ? await store.append(
          name('pack', 0),
          ends.pack,
          wet.map(({ frame }) => frame.packed),
        )
      : []
    const classes = wet.length
      ? await store.append(
          name('classes', ends.generation),
          ends.classes,
          // One record: they are read together.
          wet.map(({ frame }) => Buffer.concat([frame.classes.zstd, frame.classes.deflate])),
        )
      : []
    for (const { frame, source } of ofDay) {
      const k = wet.findIndex((item) => item.frame === frame)
      rows.push({
        product_id: product.id,
        time: new Date(frame.timeMs),
        blank_id: k >= 0 ? null : blanks.get(frame.blankHash!)!,
        pack_offset: k >= 0 ? codes[k].offset : null,
        pack_length: k >= 0 ? codes[k].length : null,
        classes_generation: ends.generation,
        classes_offset: k >= 0 ? classes[k].offset : null,
        classes_zstd: k >= 0 ? frame.classes.zstd.length : null,
        classes_deflate: k >= 0 ? frame.classes.deflate.length : null,
        classes_crc: k >= 0 ? frame.classes.crc : null,
        classes_check: k >= 0 ? segmentCheck(frame.classes) : null,
        bias: frame.bias ?? null,
        ...statisticsColumns(frame),
        params_id: params.get(paramsHash(frame))!,
        source: source.hash,
      })
    }
  }
  await tx.insertInto('radar_frame').values(rows).execute()
}

/** Columns that a frame's codes decide. */
export function statisticsColumns({ statistics: s, zones }: Pick<PreparedFrame, 'statistics' | 'zones'>) {
  return {
    valid_count: s.validCount,
    wet_count: s.wetCount,
    sum_codes: s.sumCodes,
    max_code: s.maxCode,
    max_index: s.maxIndex,
    zone_mean: zones.mean,
    zone_wet_mean: zones.wetMean,
    zone_wet_pct: zones.wetPct,
  }
}

/** Where the committed bytes of a day's files end, and the generation of its class file. */
async function packEnds(tx: Tx, product: StoredProduct, day: string) {
  const { rows } = await sql<{ pack: number; classes: number; generation: number }>`
    select coalesce(max(pack_offset + pack_length), 0)::bigint as pack,
      coalesce(max(classes_offset + classes_zstd + classes_deflate), 0)::bigint as classes,
      coalesce(max(classes_generation), 0) as generation
    from radar_frame
    where product_id = ${product.id} and time >= ${utcDayStart(day)} and time < ${nextUtcDayStart(day)}
  `.execute(tx)
  return rows[0]
}
