import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RATE_NO_DATA } from '@radx/rainfall'
import { BIN_MS } from '@radx/rainfall/gauges/bins'
import { sql } from 'kysely'
import { loadConfig } from '../apps/server/src/config/config.ts'
import { loadSite } from '../apps/server/src/config/site.ts'
import { openDatabase } from '../apps/server/src/db/database.ts'
import { storeReadings } from '../apps/server/src/gauges/readings.ts'
import type { Deps } from '../apps/server/src/http/app.ts'
import { createLogger } from '../apps/server/src/log.ts'
import { commitFrames } from '../apps/server/src/store/commit-frames.ts'
import type { Span } from '../apps/server/src/store/frame-index.ts'
import { cutTiles } from '../apps/server/src/store/moved/moved-tiles.ts'
import { type Store, storeOf } from '../apps/server/src/store/open-store.ts'
import { prepareFrame } from '../apps/server/src/store/prepared-frame.ts'
import { zoneWeights } from '../apps/server/src/store/zone-weights.ts'

/**
 * Two years of frames: kept from run to run in RADX_BENCH_DATA (default below the temporary folder), since
 * they take some minutes to make. RADX_BENCH_DAYS makes fewer. A measurement that needs less asks for less, which
 * is kept beside them.
 */
export const DATA_DIR = process.env.RADX_BENCH_DATA ?? '/tmp/radx-bench-archive'
export const DAYS = Number(process.env.RADX_BENCH_DAYS ?? 730)
export const STEP_MS = 206_000
export const DAY_MS = 86_400_000
export const END = Date.parse('2026-06-01T00:00:00Z')

export interface ArchiveFixture {
  /** What a server needs; everyone who calls is the same manager. */
  deps: Deps
  store: Store
  close(): Promise<void>
}

/** Opens the kept archive of the days before `END`, filled first when it is not there yet. */
export async function openArchive(days = DAYS): Promise<ArchiveFixture> {
  const dataDir = days === DAYS ? DATA_DIR : `${DATA_DIR}-${days}`
  await mkdir(dataDir, { recursive: true })
  const config = loadConfig({ ...process.env, DATA_DIR: dataDir, DEMO: '0', RADX_LOG: 'warn' })
  const log = createLogger('warn', 2)
  const database = await openDatabase(config, { log })
  const { site, catchments } = await loadSite(config.siteDir)
  const deps = {
    config,
    site,
    catchments,
    database,
    db: database.db,
    log,
    clock: { now: () => END },
    sessions: {
      resolve: async () => ({ userId: 'b', name: 'b', roles: ['manager'], restriction: null }),
    },
    status: { read: null },
  } as unknown as Deps
  const store = await storeOf(deps)
  await fill(store, dataDir, days)
  await sql`vacuum analyze radar_frame`.execute(database.db)
  return {
    deps,
    store,
    close: async () => {
      await store.threads.close()
      await database.close()
    },
  }
}

/** Stores what is missing: a few hundred made frames of moving rain, shown again and again; half are dry. */
async function fill(store: Store, dataDir: string, days: number): Promise<void> {
  const done = join(dataDir, `filled-${days}`)
  const start = END - days * DAY_MS
  if (existsSync(done)) return
  const product = store.catalog.products.get('dpsri')!
  const { steps } = product
  const weights = zoneWeights(product, store.catalog.zones)
  const about = {
    product: 'dpsri',
    version: 'bench',
    name: 'bench',
    sensor: { name: 'bench', wavelengthM: null, beamwidthDeg: null, altitudeM: null },
  }
  const made = Array.from({ length: 200 }, (_, k) => {
    const codes = new Uint16Array(steps * steps)
    for (let row = 0; row < steps; row++)
      for (let col = 0; col < steps; col++) {
        const far = Math.hypot(row - steps / 2, col - steps / 2) > steps / 2
        const wave =
          Math.sin((col + 5 * k) / 31) + Math.cos((row - 3 * k) / 23) + 0.4 * Math.sin((row * col) / 700)
        const rain = k < 100 ? 0 : Math.max(0, wave - 0.8)
        codes[row * steps + col] = far ? RATE_NO_DATA : Math.round(rain ** 2 * 900)
      }
    return prepareFrame(codes, weights, { ...about, timeMs: 0 })
  })
  const total = Math.floor((END - start) / STEP_MS)
  for (let from = 0; from < total; from += 420) {
    const items = Array.from({ length: Math.min(420, total - from) }, (_, i) => {
      const timeMs = start + (from + i) * STEP_MS
      const hash = createHash('sha256').update(String(timeMs)).digest()
      // Six hours dry, six hours wet.
      const k = (Math.floor((from + i) / 105) % 2) * 100 + ((from + i) % 100)
      const source = { hash, kind: 'bench', name: String(timeMs), bytes: 0, archivePath: String(timeMs) }
      return { frame: { ...made[k], timeMs }, source }
    })
    await commitFrames(store.context, items)
    if (from % 42_000 === 0) console.error(`  ${from} / ${total} frames`)
  }
  for (;;) {
    const untiled = await store.pixels.untiledDays(product, END + DAY_MS, 1)
    if (untiled.length === 0) break
    for (const { day } of untiled) await store.pixels.buildDay(product, day)
  }
  await writeFile(done, '')
}

/**
 * Rain as it moved, for as long as measurements of it need: made here of the frames themselves, a cell further east,
 * since following a month takes the better part of an hour. What was there before stays.
 */
export async function followed({ deps, store }: ArchiveFixture, span: Span): Promise<void> {
  const { db } = deps
  const product = store.catalog.products.get('dpsri')!
  if (await store.moved.isReady(product, span)) return
  const places = await store.index.places(product, span)
  const made = new Map<string, ReturnType<typeof cutTiles>>()
  let k = 0
  for await (const codes of store.index.codes(product, places)) {
    const { timeMs } = places[k++]
    if (!codes?.some((code) => code > 0 && code < RATE_NO_DATA)) continue
    const key = createHash('sha256').update(codes).digest('hex')
    const tiles = made.get(key) ?? cutTiles(eastward(codes), product.steps)
    made.set(key, tiles)
    const row = {
      product_id: product.id,
      time: new Date(timeMs),
      ...{ before: null, after: null, motion: null, valid_count: 1, sum_codes: 1, zone_mean: [] },
      ends: tiles.ends,
      tiles: Buffer.from(tiles.tiles),
    }
    await db
      .insertInto('radar_moved')
      .values(row)
      .onConflict((c) => c.doNothing())
      .execute()
  }
  const within = sql`product_id = ${product.id} and time >= ${new Date(span.startMs)} and time < ${new Date(span.endMs)}`
  await sql`update radar_frame set moved = true where ${within}`.execute(db)
  await sql`insert into radar_moved_tiles (product_id, utc_day)
    select distinct product_id, (time at time zone 'UTC')::date from radar_frame where ${within}
    on conflict do nothing`.execute(db)
  while (await store.moved.tileDays.buildOne(product, END));
  await sql`vacuum analyze radar_frame`.execute(db)
  await sql`vacuum analyze radar_moved`.execute(db)
}

const eastward = (codes: Uint16Array): Uint16Array =>
  codes.map((code, i) =>
    code === RATE_NO_DATA || codes[i - 1] === RATE_NO_DATA ? code : (codes[i - 1] ?? code),
  )

/** Gauges of the account with a reading every five minutes of a span, all over the product; those of before stay. */
export async function gaugesOf({ deps, store }: ArchiveFixture, count: number, span: Span): Promise<void> {
  const { db } = deps
  const { n } = await db
    .selectFrom('gauge_own')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('username', '=', 'b')
    .executeTakeFirstOrThrow()
  const { ul, lr } = store.catalog.products.get('dpsri')!.bounds
  const readings = Math.round((span.endMs - span.startMs) / BIN_MS)
  for (let g = n; g < count; g++) {
    const [east, south] = [0.2 + 0.6 * ((g * 0.618) % 1), 0.2 + (0.6 * g) / count]
    const [lat, lng] = [ul.lat + south * (lr.lat - ul.lat), ul.lng + east * (lr.lng - ul.lng)]
    const { id } = await db
      .insertInto('gauge_own')
      .values({ username: 'b', name: `G${g}`, lat, lng, measure: 'depth' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const timesMs = Float64Array.from({ length: readings }, (_, k) => span.startMs + (k + 1) * BIN_MS)
    const mm = timesMs.map((_, k) =>
      Math.floor(k / 72) % 2 === 0 ? 0 : 0.2 * Math.floor(3 * Math.abs(Math.sin(k / 5 + g))),
    )
    await db.transaction().execute((tx) => storeReadings(tx, id, { timesMs, mm }))
  }
}
