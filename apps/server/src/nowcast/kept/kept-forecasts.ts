import { crc32 } from 'node:zlib'
import type { NoForecast } from '@radx/motion/nowcast/start'
import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import { StoreCorruptError } from '../../store/frame-codec.ts'
import type { FrameStore, PackName } from '../../store/frame-store.ts'
import { utcDay, utcDayStart } from '../../store/utc-day.ts'
import type { NowcastTable } from './schema.ts'
import type { OwnedWindow } from './windows.ts'

/** What is known of a kept forecast without its files. */
export type KeptForecast = Selectable<NowcastTable>

export interface SavedPictures {
  reason: NoForecast | null
  leadsMin: number[]
  zoneMean: (number | null)[][]
  /** `pictureParts`; none where there is no forecast. */
  parts: Uint8Array[]
}

export interface SavedMembers {
  members: number
  zoneQuantile: (number | null)[][][]
  windows: OwnedWindow[]
  parts: Uint8Array[]
}

type Kind = 'forecast' | 'members'
/** A file without a row this long after it was written will get none, ms. */
const ORPHANED_MS = 3_600_000
type Place = Pick<StoredProduct, 'id' | 'shortName'>

/** Forecasts that were kept: rows in the database, fields in files of the frame store, which come first. */
export class KeptForecasts {
  private readonly db: Kysely<Database>
  private readonly frames: FrameStore

  constructor(db: Kysely<Database>, frames: FrameStore) {
    this.db = db
    this.frames = frames
  }

  async find({ id }: Pick<Place, 'id'>, issuedMs: number): Promise<KeptForecast | null> {
    const row = await this.db
      .selectFrom('nowcast')
      .selectAll()
      .where('product_id', '=', id)
      .where('issued', '=', new Date(issuedMs))
      .executeTakeFirst()
    return row ?? null
  }

  /** The newest issue from a moment on, ms; null without any. */
  async newest({ id }: Pick<Place, 'id'>, fromMs: number): Promise<number | null> {
    const row = await this.db
      .selectFrom('nowcast')
      .select('issued')
      .where('product_id', '=', id)
      .where('issued', '>=', new Date(fromMs))
      .orderBy('issued', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.issued.getTime() ?? null
  }

  /** Forecasts with pictures issued in [from, to), oldest first. */
  between({ id }: Pick<Place, 'id'>, fromMs: number, toMs: number): Promise<KeptForecast[]> {
    return this.db
      .selectFrom('nowcast')
      .selectAll()
      .where('product_id', '=', id)
      .where('issued', '>=', new Date(fromMs))
      .where('issued', '<', new Date(toMs))
      .where('reason', 'is', null)
      .orderBy('issued')
      .execute()
  }

  /** Everything issued in [from, to), oldest first, also that there was nothing to forecast. */
  issued({ id }: Pick<Place, 'id'>, fromMs: number, toMs: number): Promise<KeptForecast[]> {
    return this.db
      .selectFrom('nowcast')
      .selectAll()
      .where('product_id', '=', id)
      .where('issued', '>=', new Date(fromMs))
      .where('issued', '<', new Date(toMs))
      .orderBy('issued')
      .execute()
  }

  async savePictures(product: Place, issuedMs: number, saved: SavedPictures): Promise<void> {
    const { parts } = saved
    if (parts.length > 0) await this.frames.put(fileName(product, issuedMs, 'forecast'), parts)
    const row = {
      // By the clock of who makes it, as everything that is counted from it; a forecast that is made again is as young.
      made_at: new Date(),
      reason: saved.reason,
      leads: saved.leadsMin,
      zone_mean: saved.zoneMean.flat(),
      picture_ends: endsOf(parts),
      picture_check: parts.length > 0 ? checkOf(parts) : null,
      members: 0,
      zone_quantile: null,
      member_ends: null,
      member_check: null,
      windows: null,
    }
    await this.db
      .insertInto('nowcast')
      .values({ product_id: product.id, issued: new Date(issuedMs), ...row })
      .onConflict((c) => c.columns(['product_id', 'issued']).doUpdateSet(row))
      .execute()
  }

  async saveMembers(product: Place, issuedMs: number, saved: SavedMembers): Promise<void> {
    await this.frames.put(fileName(product, issuedMs, 'members'), saved.parts)
    await this.db
      .updateTable('nowcast')
      .set({
        members: saved.members,
        zone_quantile: saved.zoneQuantile.flat(2),
        member_ends: endsOf(saved.parts),
        member_check: checkOf(saved.parts),
        windows: JSON.stringify(saved.windows),
      })
      .where('product_id', '=', product.id)
      .where('issued', '=', new Date(issuedMs))
      .execute()
  }

  /** Whether the bytes of a kept forecast are those that were written; and how many they are. */
  async check(product: Place, row: KeptForecast): Promise<{ sound: boolean; files: number; bytes: number }> {
    const [files, bytes] = [
      [row.picture_check, row.member_check],
      [row.picture_ends, row.member_ends],
    ]
    const held = await Promise.all(
      (['forecast', 'members'] as const).map(async (kind, k) => {
        if (files[k] === null) return true
        try {
          return checkOf(await partsOf(this.frames, product, row, kind)) === files[k]
        } catch (error) {
          if (error instanceof StoreCorruptError) return false
          throw error
        }
      }),
    )
    return {
      sound: held.every(Boolean),
      files: files.filter((check) => check !== null).length,
      bytes: bytes.reduce((sum, ends) => sum + (ends?.at(-1) ?? 0), 0),
    }
  }

  /** Every kept forecast of a product, oldest first, some at a time. */
  async *all({ id }: Pick<Place, 'id'>): AsyncGenerator<KeptForecast> {
    let after = new Date(0)
    for (;;) {
      const rows = await this.db
        .selectFrom('nowcast')
        .selectAll()
        .where('product_id', '=', id)
        .where('issued', '>', after)
        .orderBy('issued')
        .limit(64)
        .execute()
      if (rows.length === 0) return
      yield* rows
      after = rows[rows.length - 1].issued
    }
  }

  /**
   * Files that no row knows of: a crash came between a file and its row, or while one was written. Only those that have
   * lain for an hour; younger ones may be waiting for their row.
   */
  async *orphans(product: Place, nowMs: number): AsyncGenerator<PackName> {
    const rows = await this.db
      .selectFrom('nowcast')
      .select(['issued', 'picture_check', 'member_check'])
      .where('product_id', '=', product.id)
      .execute()
    const known = new Set(
      rows.flatMap(({ issued, picture_check, member_check }) => [
        ...(picture_check === null ? [] : [nameKey(fileName(product, issued.getTime(), 'forecast'))]),
        ...(member_check === null ? [] : [nameKey(fileName(product, issued.getTime(), 'members'))]),
      ]),
    )
    for await (const { name, writtenMs } of this.frames.issued(product.shortName))
      if (writtenMs < nowMs - ORPHANED_MS && !known.has(nameKey(name))) yield name
  }

  /**
   * The files first: whoever is stopped between leaves a row that the next removal finds, and no file that nothing knows
   * of. A reader who comes between makes the forecast again, as for damaged bytes. Both files, whatever the row says: a
   * forecast that was made again without members leaves those of the first time.
   */
  async forget(product: Place, { issued }: Pick<KeptForecast, 'issued'>): Promise<void> {
    for (const kind of ['forecast', 'members'] as const)
      await this.frames.remove(fileName(product, issued.getTime(), kind))
    await this.db
      .deleteFrom('nowcast')
      .where('product_id', '=', product.id)
      .where('issued', '=', issued)
      .execute()
  }
}

/**
 * Parts of a kept forecast's file, in the order asked for; in any thread.
 * @param which their numbers; all without
 * @throws StoreCorruptError
 */
export async function partsOf(
  frames: FrameStore,
  product: Pick<Place, 'shortName'>,
  row: Pick<KeptForecast, 'issued' | 'picture_ends' | 'member_ends'>,
  kind: Kind,
  which?: readonly number[],
): Promise<Uint8Array[]> {
  const ends = kind === 'forecast' ? row.picture_ends : (row.member_ends ?? [])
  const refs = (which ?? ends.map((_, k) => k)).map((k) => {
    const offset = k === 0 ? 0 : ends[k - 1]
    return { offset, length: ends[k] - offset }
  })
  return frames.read(fileName(product, row.issued.getTime(), kind), refs)
}

function fileName({ shortName }: Pick<Place, 'shortName'>, issuedMs: number, kind: Kind): PackName {
  const day = utcDay(issuedMs)
  const generation = Math.floor((issuedMs - utcDayStart(day).getTime()) / 1000)
  return { product: shortName, day, kind, generation }
}

function endsOf(parts: readonly Uint8Array[]): number[] {
  let end = 0
  return parts.map((part) => {
    end += part.length
    return end
  })
}

const nameKey = ({ day, kind, generation }: PackName): string => `${day} ${generation} ${kind}`

const checkOf = (parts: readonly Uint8Array[]): number => {
  let check = 0
  for (const part of parts) check = crc32(part, check)
  return check >>> 0
}
