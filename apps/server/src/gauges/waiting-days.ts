import type { Gauge, RainMethod, Site } from '@radx/contracts'
import { cellOf } from '@radx/rainfall'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import { BRIDGED_S } from '../store/moved/moved-frame.ts'
import type { Store } from '../store/open-store.ts'
import type { GridCell } from '../store/tile-file.ts'
import { utcDay, utcDayStart } from '../store/utc-day.ts'
import type { AnswerKind } from '../threads/answers.ts'
import { radarBins } from './radar-at-gauges.ts'
import { frameDays, keptDays, placeOf } from './radar-days.ts'
import { siteGauges } from './reported.ts'

const DAY_MS = 86_400_000

type PlacedGauge = Pick<Gauge, 'id' | 'position'>

/** Gauges of the site and of every account. */
export async function allGauges(db: Kysely<Database>, site: Site): Promise<PlacedGauge[]> {
  const own = await db.selectFrom('gauge_own').select(['id', 'lat', 'lng']).execute()
  return [...siteGauges(site), ...own.map(({ id, lat, lng }) => ({ id, position: { lat, lng } }))]
}

/** A day of a product over gauges of which something is not kept yet. */
export interface WaitingDay {
  product: string
  method: RainMethod
  day: string
  cells: GridCell[]
}

/** Days of a span on which gauges have readings and the radar frames, but what it had over them is not kept, newest first. */
export async function waitingDays(
  db: Kysely<Database>,
  product: StoredProduct,
  method: RainMethod,
  gauges: readonly PlacedGauge[],
  span: Span,
): Promise<WaitingDay[]> {
  const rain = { product, method }
  const placed = gauges.flatMap(({ id, position }) => {
    const cell = cellOf(product, position)
    return cell ? [{ id, cell, place: placeOf(rain, cell) }] : []
  })
  if (placed.length === 0) return []
  const readings = await db
    .selectFrom('gauge_day')
    .select(['gauge', sql<string>`utc_day::text`.as('day')])
    .where(
      'gauge',
      'in',
      placed.map(({ id }) => id),
    )
    .where('utc_day', '>=', utcDay(span.startMs))
    .where('utc_day', '<', utcDay(span.endMs))
    .execute()
  if (readings.length === 0) return []
  const days = await frameDays(db, rain, span)
  const kept = await db
    .selectFrom('gauge_radar')
    .select(['place', 'frame_count', 'stamp', 'bins_of', sql<string>`utc_day::text`.as('day')])
    .where('product_id', '=', product.id)
    .where('place', 'in', [...new Set(placed.map(({ place }) => place))])
    .where('utc_day', '>=', utcDay(span.startMs))
    .where('utc_day', '<', utcDay(span.endMs))
    .execute()
  const has = new Set(readings.map(({ gauge, day }) => `${day} ${gauge}`))
  const made = new Map(kept.map((row) => [`${row.day} ${row.place}`, row]))
  const known = new Set(days.map(({ day }) => day))
  // Steps of a day are kept once the next one has begun.
  const isFollowed = (day: string) => known.has(utcDay(utcDayStart(day).getTime() + DAY_MS))
  return days
    .filter(({ day, followed }) => day < utcDay(span.endMs) && (followed || method === 'raw'))
    .map(({ day, frames, stamp }) => {
      const waits = placed.filter(({ id, place }) => {
        const row = made.get(`${day} ${place}`)
        const isWhole = row?.bins_of !== null || !isFollowed(day)
        return has.has(`${day} ${id}`) && (row?.frame_count !== frames || row.stamp !== stamp || !isWhole)
      })
      const once = new Map(waits.map(({ cell, place }) => [place, cell]))
      return { product: product.shortName, method, day, cells: [...once.values()] }
    })
    .filter(({ cells }) => cells.length > 0)
    .reverse()
}

/**
 * Makes what the radar had over gauges on a day, as the first look at a period would.
 * @returns false where the rain of the day was not followed yet
 */
export const gaugeDayAnswer: AnswerKind<WaitingDay, boolean> = {
  name: 'gauge-day',
  async run({ db, store }, { product: name, method, day, cells }) {
    const product = store.catalog.products.get(name)
    if (!product) return false
    const dayMs = utcDayStart(day).getTime()
    const wide = { startMs: dayMs - BRIDGED_S * 1000, endMs: dayMs + DAY_MS + BRIDGED_S * 1000 }
    if (method === 'moved' && !(await store.moved.isReady(product, wide))) return false
    const rain = { product, method }
    const days = await frameDays(db, rain, { startMs: dayMs, endMs: dayMs })
    const own = days.filter((one) => one.day === day)
    if (own.length === 0) return true
    await keptDays({ db, store }, rain, cells, own)
    await radarBins({ db, store }, product, cells, { startMs: dayMs, endMs: dayMs + DAY_MS }, method)
    return true
  },
}

/** Removes what is kept of a product over places where no gauge stands any more. @returns how many days that were */
export async function forgetOthers(
  db: Kysely<Database>,
  product: StoredProduct,
  gauges: readonly PlacedGauge[],
): Promise<number> {
  const places = gauges.flatMap(({ position }) => {
    const cell = cellOf(product, position)
    return cell ? (['raw', 'moved'] as const).map((method) => placeOf({ product, method }, cell)) : []
  })
  const { numDeletedRows } = await db
    .deleteFrom('gauge_radar')
    .where('product_id', '=', product.id)
    .where(sql<boolean>`place <> all(${places}::text[])`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Spans of at most 31 days, newest first, from today back to the first day of which some gauge has readings. */
export async function spansWithReadings(
  db: Kysely<Database>,
  store: Pick<Store, 'catalog'>,
  nowMs: number,
): Promise<Span[]> {
  if (store.catalog.products.size === 0) return []
  const { rows } = await sql<{ month: string }>`
    select distinct to_char(utc_day, 'YYYY-MM') as month from gauge_day
    where utc_day < ${utcDay(nowMs)}::date order by 1 desc`.execute(db)
  const today = utcDayStart(utcDay(nowMs)).getTime()
  return rows.map(({ month }) => {
    const [year, number] = month.split('-').map(Number)
    return {
      startMs: Date.UTC(year, number - 1, 1),
      endMs: Math.min(Date.UTC(year, number, 1), today),
    }
  })
}
