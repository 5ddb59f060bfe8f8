import type { ZoneStats } from '@radx/contracts'
import { type FrameStatistics, maxMmH, validPct, zoneStats } from '@radx/rainfall'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Catalog, StoredProduct } from './catalog.ts'
import type { ClassSegment } from './class-segments.ts'
import { type QualityPlace, qualityPlaces, qualitySegment, readQuality } from './frame-quality.ts'
import { type BlankRecord, type FramePlace, FrameReader, type ReadProduct } from './frame-reader.ts'
import type { FrameStore } from './frame-store.ts'

/** Half-open span of instants in ms since 1970. */
export interface Span {
  startMs: number
  endMs: number
}

/** Index row of a frame with its statistics. */
export interface FrameSummary extends FramePlace {
  zone: ZoneStats
  /** Means over the catchment asked for; null when none was. */
  catchment: ZoneStats | null
  /** Largest value, mm/h; null without valid cells. */
  maxMmH: number | null
  /** Cell of the largest value, `row * steps + col`; -1 when dry. */
  maxIndex: number
  validPct: number
  /** Means of the rain as it moved over the time that the frame stands for; null until it was followed. */
  moved: { zone: number | null; catchment: number | null } | null
  /** Mean quality of its rain, 0 to 1, over its cells and over the catchment; null where its file says nothing of it. */
  quality: { zone: number | null; catchment: number | null } | null
}

interface PlaceRow {
  ms: number
  blank_id: number | null
  pack_offset: number | null
  pack_length: number | null
  classes_generation: number
  classes_offset: number | null
  classes_zstd: number | null
  classes_deflate: number | null
  classes_crc: number | null
  classes_check: number | null
}

// An instant as a number: a Date object a row costs as much as the rest of the row.
const PLACE = sql`(extract(epoch from time) * 1000)::bigint as ms, blank_id, pack_offset, pack_length,
  classes_generation, classes_offset, classes_zstd, classes_deflate, classes_crc, classes_check`

const toPlace = (row: PlaceRow): FramePlace => ({
  timeMs: row.ms,
  blankId: row.blank_id,
  pack: row.pack_offset === null ? null : { offset: row.pack_offset, length: row.pack_length! },
  classesGeneration: row.classes_generation,
  classes:
    row.classes_offset === null
      ? null
      : {
          offset: row.classes_offset,
          zstd: row.classes_zstd!,
          deflate: row.classes_deflate!,
          crc: row.classes_crc!,
          check: row.classes_check,
        },
})

interface StatisticsRow {
  valid_count: number
  wet_count: number
  sum_codes: number
  max_code: number
  max_index: number
}

const toStatistics = (row: StatisticsRow, cells: number): FrameStatistics => ({
  cells,
  validCount: row.valid_count,
  wetCount: row.wet_count,
  sumCodes: row.sum_codes,
  maxCode: row.max_code,
  maxIndex: row.max_index,
})

/** The index of the frames, and through it their bytes. */
export class FrameIndex extends FrameReader {
  readonly catalog: Catalog
  private readonly db: Kysely<Database>
  private readonly frameStore: FrameStore

  constructor(db: Kysely<Database>, store: FrameStore, catalog: Catalog) {
    super(store, (id) => loadBlank(db, id))
    this.db = db
    this.frameStore = store
    this.catalog = catalog
  }

  /** Instant of the oldest frame, ms; null without any. */
  async first(product: StoredProduct): Promise<number | null> {
    const row = await this.db
      .selectFrom('radar_frame')
      .select('time')
      .where('product_id', '=', product.id)
      .orderBy('time')
      .limit(1)
      .executeTakeFirst()
    return row?.time.getTime() ?? null
  }

  /** Instant of the newest frame, ms; null without any. */
  async latest(product: StoredProduct): Promise<number | null> {
    const row = await this.db
      .selectFrom('radar_frame')
      .select('time')
      .where('product_id', '=', product.id)
      .orderBy('time', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.time.getTime() ?? null
  }

  async count(product: StoredProduct, span: Span): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from radar_frame where ${within(product, span)}`.execute(this.db)
    return rows[0].count
  }

  /**
   * How many frames a span has, and the bytes of their class blocks as they are sent.
   * @param step seconds; then the first frame of each such step only
   */
  async weight(
    product: StoredProduct,
    span: Span,
    step?: number,
  ): Promise<{ frames: number; bytes: number }> {
    const frames = sql`select time, blank_id, classes_zstd from radar_frame where ${within(product, span)}`
    const chosen =
      step === undefined
        ? frames
        : sql`select distinct on (floor(extract(epoch from time) / ${sql.lit(step)})) * from (${frames}) f
            order by floor(extract(epoch from time) / ${sql.lit(step)}), time`
    const { rows } = await sql<{ frames: number; bytes: number }>`
      select count(*) as frames,
        coalesce(sum(coalesce(c.classes_zstd, octet_length(b.classes_zstd))), 0)::bigint as bytes
      from (${chosen}) c left join radar_blank b on b.id = c.blank_id`.execute(this.db)
    return rows[0]
  }

  /** Places of the frames of a span, in time order; inside a transaction with its own eyes. */
  async places(product: StoredProduct, span: Span, db: Kysely<Database> = this.db): Promise<FramePlace[]> {
    const { rows } = await sql<PlaceRow>`
      select ${PLACE} from radar_frame where ${within(product, span)} order by time`.execute(db)
    return rows.map(toPlace)
  }

  /** Instants (ms) of the newest frames of a span, newest first. @param most how many of them */
  async newestTimes(product: StoredProduct, span: Span, most: number): Promise<number[]> {
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from time) * 1000)::bigint as ms from radar_frame where ${within(product, span)}
      order by time desc limit ${most}`.execute(this.db)
    return rows.map(({ ms }) => Number(ms))
  }

  /** Factors by instant (ms) of the frames of a span that came adjusted to gauges (`how/bias`). */
  async biases(product: StoredProduct, span: Span): Promise<Map<number, number>> {
    const { rows } = await sql<{ ms: number; bias: number }>`
      select (extract(epoch from time) * 1000)::bigint as ms, bias from radar_frame
      where ${within(product, span)} and bias is not null`.execute(this.db)
    return new Map(rows.map(({ ms, bias }) => [ms, bias]))
  }

  /** Places of the frames of a span that no tile file holds yet, in time order. */
  async untiledPlaces(product: StoredProduct, span: Span): Promise<FramePlace[]> {
    const { rows } = await sql<PlaceRow>`
      select ${PLACE} from radar_frame where ${within(product, span)} and not tiled order by time`.execute(
      this.db,
    )
    return rows.map(toPlace)
  }

  /**
   * Frames of a span with their statistics, in time order.
   * @param zoneKey catchment or sub-catchment whose means are wanted too; null for none
   */
  async summaries(product: StoredProduct, span: Span, zoneKey: string | null): Promise<FrameSummary[]> {
    const ordinal = zoneKey === null ? undefined : this.catalog.ordinalOf(zoneKey)
    const zone =
      ordinal === undefined
        ? sql`null::float8 as mean, null::float8 as wet_mean, null::float8 as wet_pct`
        : sql`zone_mean[${sql.lit(ordinal)}] as mean, zone_wet_mean[${sql.lit(ordinal)}] as wet_mean,
            zone_wet_pct[${sql.lit(ordinal)}] as wet_pct`
    const { rows } = await sql<
      PlaceRow &
        StatisticsRow & {
          mean: number | null
          wet_mean: number | null
          wet_pct: number | null
          moved: boolean
        }
    >`select ${PLACE}, moved, valid_count, wet_count, sum_codes, max_code, max_index, ${zone}
      from radar_frame where ${within(product, span)} order by time`.execute(this.db)
    const cells = product.steps ** 2
    const [moved, quality] = await Promise.all([
      this.movedMeans(product, span, ordinal),
      this.qualityMeans(product, span, ordinal),
    ])
    return rows.map((row) => {
      const statistics = toStatistics(row, cells)
      const zone = zoneStats(statistics)
      return {
        ...toPlace(row),
        zone,
        catchment:
          zoneKey === null ? null : { mean: row.mean, nonzerosmean: row.wet_mean, nonzerospc: row.wet_pct },
        moved: row.moved ? (moved.get(row.ms) ?? { zone: zone.mean, catchment: row.mean }) : null,
        maxMmH: maxMmH(statistics),
        maxIndex: row.max_index,
        validPct: validPct(statistics),
        quality: quality.get(row.ms) ?? null,
      }
    })
  }

  /** Where the qualities of the frames of a span lie, by instant (ms); frames that say nothing are not among them. */
  async qualityPlaces(product: StoredProduct, span: Span): Promise<Map<number, QualityPlace>> {
    const places = await qualityPlaces(this.db, product, span)
    return new Map(places.map((place) => [place.timeMs, place]))
  }

  /** Quality of each cell of a frame, see `encodeQuality`. @throws StoreCorruptError */
  quality(product: ReadProduct, place: QualityPlace): Promise<Uint8Array> {
    return readQuality(this.frameStore, product, place)
  }

  /** Its classes, as they are stored. @throws StoreCorruptError */
  qualitySegment(product: ReadProduct, place: QualityPlace): Promise<ClassSegment> {
    return qualitySegment(this.frameStore, product, place)
  }

  private async qualityMeans(product: StoredProduct, span: Span, ordinal: number | undefined) {
    const mean = ordinal === undefined ? sql`null::float8` : sql`zone_mean[${sql.lit(ordinal)}]`
    const { rows } = await sql<{ ms: number; zone: number | null; catchment: number | null }>`
      select (extract(epoch from time) * 1000)::bigint as ms, mean as zone, ${mean} as catchment
      from radar_quality where ${within(product, span)}`.execute(this.db)
    return new Map(rows.map(({ ms, zone, catchment }) => [ms, { zone, catchment }]))
  }

  /** Means of the frames of a span that have rain in them or beside them, as it moved. */
  private async movedMeans(product: StoredProduct, span: Span, ordinal: number | undefined) {
    const mean = ordinal === undefined ? sql`null::float8` : sql`zone_mean[${sql.lit(ordinal)}]`
    const { rows } = await sql<{ ms: number; valid: number; sum: number; mean: number | null }>`
      select (extract(epoch from time) * 1000)::bigint as ms, valid_count as valid, sum_codes as sum, ${mean} as mean
      from radar_moved where ${within(product, span)}`.execute(this.db)
    return new Map(
      rows.map(({ ms, valid, sum, mean }) => [
        ms,
        { zone: valid > 0 ? sum / valid / 100 : null, catchment: mean },
      ]),
    )
  }
}

/** Bytes of a blank. @throws when there is none of that number */
export async function loadBlank(db: Kysely<Database>, id: number): Promise<BlankRecord> {
  const row = await db.selectFrom('radar_blank').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return {
    codes: row.codes,
    classes: { zstd: row.classes_zstd, deflate: row.classes_deflate, crc: row.classes_crc },
  }
}

const within = (product: StoredProduct, { startMs, endMs }: Span) =>
  sql`product_id = ${product.id} and time >= ${new Date(startMs)} and time < ${new Date(endMs)}`
