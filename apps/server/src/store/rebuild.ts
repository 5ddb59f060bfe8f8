import { civilDay } from '@radx/locale/time'
import { wetMeanMmH } from '@radx/rainfall'
import { sql, type Transaction } from 'kysely'
import type { Catchments } from '../config/catchments.ts'
import type { Database } from '../db/schema.ts'
import { outlineHash, type StoredProduct } from './catalog.ts'
import { segmentCheck } from './class-segments.ts'
import { FRAME_LOCK, statisticsColumns } from './commit-frames.ts'
import { StoreCorruptError } from './frame-codec.ts'
import { addToDay, emptyDay } from './frame-days.ts'
import type { FramePlace } from './frame-reader.ts'
import type { PackName } from './frame-store.ts'
import type { Store } from './open-store.ts'
import type { PreparedFrame } from './prepared-frame.ts'
import { rebuildQualities } from './rebuild-quality.ts'
import { recovered } from './recovered.ts'
import { nextUtcDayStart, utcDayStart } from './utc-day.ts'

type Tx = Transaction<Database>

export interface RebuildOptions {
  store: Store
  catchments: Catchments
  timeZone: string
  /** Decodes an archived original again; null when it is not there, damaged or no longer readable. */
  recover(file: {
    /** SHA-256 of its content. */
    hash: Buffer
    archivePath: string
    kind: string
    name: string
    product: string
  }): Promise<PreparedFrame | null>
  /** Told after each UTC day. */
  progress?(done: { product: string; day: string; frames: number; repaired: number; lost: number }): void
  signal?: AbortSignal
}

export interface RebuildReport {
  frames: number
  /** Frames and qualities whose bytes were damaged and came back from the archived file. */
  repaired: number
  /** Those whose bytes are damaged and whose archived file is gone. */
  lost: number
}

/**
 * Makes everything anew that follows from the codes of the frames: class blocks, statistics, catchment
 * means, days and pixel tiles; rain moved between frames is left to the server. A frame whose codes are damaged is read again from its archived file. Safe
 * beside a running server; a day at a time, so that an interruption leaves every day whole.
 */
export async function rebuild(options: RebuildOptions): Promise<RebuildReport> {
  const { store, signal } = options
  const report: RebuildReport = { frames: 0, repaired: 0, lost: 0 }
  for (const product of store.catalog.products.values()) {
    for (const day of await daysOf(options, product)) {
      if (signal?.aborted) return report
      const done = await rebuildDay(options, product, day)
      await store.pixels.buildDay(product, day)
      report.frames += done.frames
      report.repaired += done.repaired
      report.lost += done.lost
      options.progress?.({ product: product.shortName, day, ...done })
    }
    await rebuildCivilDays(options, product)
    // Made again in the background by the next server.
    await store.moved.forget(product)
  }
  for (const catchment of options.catchments.all)
    await store.context.db
      .updateTable('radar_zone')
      .set({ outline_hash: outlineHash(catchment) })
      .where('key', '=', catchment.key)
      .execute()
  return report
}

/** UTC days of a product that have frames, in order. */
export async function daysOf(
  { store }: Pick<RebuildOptions, 'store'>,
  product: StoredProduct,
): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct (time at time zone 'UTC')::date as day from radar_frame
    where product_id = ${product.id} order by 1`.execute(store.context.db)
  return rows.map(({ day }) => day)
}

export async function rebuildDay(
  options: RebuildOptions,
  product: StoredProduct,
  day: string,
): Promise<RebuildReport> {
  const { store } = options
  return store.context.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${FRAME_LOCK}::int, ${product.id}::int)`.execute(tx)
    const span = { startMs: utcDayStart(day).getTime(), endMs: nextUtcDayStart(day).getTime() }
    const damaged = await findDamaged(store, product, await store.index.places(product, span))
    const lost = await repair(options, tx, product, day, damaged)
    const places = (await store.index.places(product, span, tx)).filter(({ timeMs }) => !lost.has(timeMs))
    const derived = await store.threads.derive(product, store.catalog.zones, places)

    const generation = 1 + Math.max(0, ...places.map((place) => place.classesGeneration))
    const name: PackName = { product: product.shortName, day, kind: 'classes', generation }
    const wet = places.flatMap((place, k) => (place.blankId === null ? [derived[k].classes] : []))
    const refs = await store.frames.append(
      name,
      0,
      wet.map(({ zstd, deflate }) => Buffer.concat([zstd, deflate])),
    )
    let next = 0
    const rows = places.map((place, k) => {
      const at = place.blankId === null ? next++ : -1
      return {
        time: new Date(place.timeMs).toISOString(),
        ...statisticsColumns(derived[k]),
        classes_generation: generation,
        classes_offset: at < 0 ? null : refs[at].offset,
        classes_zstd: at < 0 ? null : wet[at].zstd.length,
        classes_deflate: at < 0 ? null : wet[at].deflate.length,
        classes_crc: at < 0 ? null : wet[at].crc,
        classes_check: at < 0 ? null : segmentCheck(wet[at]),
      }
    })
    await updateRows(tx, product, rows)
    for (const [k, place] of places.entries())
      if (place.blankId !== null)
        await tx
          .updateTable('radar_blank')
          .set({
            classes_zstd: Buffer.from(derived[k].classes.zstd),
            classes_deflate: Buffer.from(derived[k].classes.deflate),
            classes_crc: derived[k].classes.crc,
          })
          .where('id', '=', place.blankId)
          .execute()
    const qualities = await rebuildQualities(options, tx, product, span)
    // The generation before stays for answers under way; the one before that goes.
    if (generation > 1) await store.frames.remove({ ...name, generation: generation - 2 })
    return {
      frames: places.length,
      repaired: damaged.length - lost.size + qualities.repaired,
      lost: lost.size + qualities.lost,
    }
  })
}

/** Frames whose codes cannot be read. */
async function findDamaged(
  { index }: Store,
  product: StoredProduct,
  places: FramePlace[],
): Promise<FramePlace[]> {
  const damaged: FramePlace[] = []
  for (const place of places)
    if (place.pack !== null)
      try {
        for await (const _ of index.codes(product, [place]));
      } catch (error) {
        if (!(error instanceof StoreCorruptError)) throw error
        damaged.push(place)
      }
  return damaged
}

/** Reads damaged frames again from their archived files. @returns instants of those that stay lost */
async function repair(
  { store, recover }: RebuildOptions,
  tx: Tx,
  product: StoredProduct,
  day: string,
  damaged: FramePlace[],
): Promise<Set<number>> {
  const lost = new Set<number>()
  for (const { timeMs } of damaged) {
    const frame = await recovered(recover, tx, product, timeMs)
    if (frame === null) {
      lost.add(timeMs)
      continue
    }
    const { rows } = await sql<{ end: number }>`
      select coalesce(max(pack_offset + pack_length), 0)::bigint as end from radar_frame
      where product_id = ${product.id} and time >= ${utcDayStart(day)} and time < ${nextUtcDayStart(day)}
    `.execute(tx)
    const name: PackName = { product: product.shortName, day, kind: 'pack', generation: 0 }
    const [ref] = await store.frames.append(name, rows[0].end, [frame.packed], true)
    await tx
      .updateTable('radar_frame')
      .set({ pack_offset: ref.offset, pack_length: ref.length })
      .where('product_id', '=', product.id)
      .where('time', '=', new Date(timeMs))
      .execute()
  }
  return lost
}

async function updateRows(tx: Tx, product: StoredProduct, rows: object[]): Promise<void> {
  await sql`
    update radar_frame f set valid_count = r.valid_count, wet_count = r.wet_count, sum_codes = r.sum_codes,
      max_code = r.max_code, max_index = r.max_index, zone_mean = r.zone_mean,
      zone_wet_mean = r.zone_wet_mean, zone_wet_pct = r.zone_wet_pct,
      classes_generation = r.classes_generation, classes_offset = r.classes_offset,
      classes_zstd = r.classes_zstd, classes_deflate = r.classes_deflate, classes_crc = r.classes_crc,
      classes_check = r.classes_check
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      time timestamptz, valid_count integer, wet_count integer, sum_codes bigint, max_code integer,
      max_index integer, zone_mean float8[], zone_wet_mean float8[], zone_wet_pct float8[],
      classes_generation integer, classes_offset bigint, classes_zstd integer, classes_deflate integer,
      classes_crc bigint, classes_check bigint)
    where f.product_id = ${product.id} and f.time = r.time`.execute(tx)
}

async function rebuildCivilDays({ store, timeZone }: RebuildOptions, product: StoredProduct): Promise<void> {
  await store.context.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${FRAME_LOCK}::int, ${product.id}::int)`.execute(tx)
    await civilDaysOfFrames(tx, product, timeZone)
  })
}

/** Makes the days of the calendar again from the rows of the frames. The caller holds the product's lock. */
export async function civilDaysOfFrames(tx: Tx, product: StoredProduct, timeZone: string): Promise<void> {
  await tx.deleteFrom('radar_day').where('product_id', '=', product.id).execute()
  const frames = tx
    .selectFrom('radar_frame')
    .select(['time', 'valid_count', 'wet_count', 'sum_codes', 'zone_wet_mean'])
    .where('product_id', '=', product.id)
    .orderBy('time')
  let day = emptyDay(product.id, '')
  const flush = async () => {
    if (day.frames > 0) await tx.insertInto('radar_day').values(day).execute()
  }
  for (let after = new Date(0); ; ) {
    const chunk = await frames.where('time', '>', after).limit(2_000).execute()
    if (chunk.length === 0) break
    for (const { time, valid_count, wet_count, sum_codes, zone_wet_mean } of chunk) {
      const name = civilDay(time.getTime(), timeZone)
      if (name !== day.day) {
        await flush()
        day = emptyDay(product.id, name)
      }
      const wetMean = wetMeanMmH({
        cells: product.steps ** 2,
        validCount: valid_count,
        wetCount: wet_count,
        sumCodes: sum_codes,
        maxCode: 0,
        maxIndex: -1,
      })
      addToDay(day, time.getTime(), wetMean, zone_wet_mean)
    }
    after = chunk[chunk.length - 1].time
  }
  await flush()
}
