import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { encodeClassBlock, RATE_NO_DATA } from '@radx/rainfall'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { sourceFile } from '../testing/source-file.ts'
import { type Catalog, GridChangedError, openCatalog } from './catalog.ts'
import { bundleBody } from './class-segments.ts'
import { commitFrames } from './commit-frames.ts'
import { FrameIndex } from './frame-index.ts'
import { FsFrameStore } from './fs-frame-store.ts'
import { PixelSeries } from './pixel-series.ts'
import { prepareFrame } from './prepared-frame.ts'
import { StoreThreads } from './store-threads.ts'
import { zoneWeights } from './zone-weights.ts'

const steps = 40
const start = Date.parse('2021-07-04T21:00:00Z')
const at = (k: number) => start + k * 206_000

/** Rain in a corner that moves with k; every fifth frame is dry, cell 0 never has data. */
function codesOf(k: number): Uint16Array {
  const codes = new Uint16Array(steps * steps)
  if (k % 5 !== 0)
    for (let i = 0; i < codes.length; i++) codes[i] = (i * 7 + k * 13) % 11 < 3 ? 1 + ((i * k) % 900) : 0
  codes[0] = RATE_NO_DATA
  return codes
}

describe('frames in the store', () => {
  let database: TestDatabase
  let dataDir: string
  let store: FsFrameStore
  let catalog: Catalog
  let index: FrameIndex
  const product = () => catalog.products.get('dpsri')!

  beforeEach(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'radx-frames-'))
    store = new FsFrameStore(join(dataDir, 'store'))
    catalog = await openCatalog(database.db, smallSite(), smallCatchments())
    index = new FrameIndex(database.db, store, catalog)
  })
  afterEach(async () => {
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const item = (k: number, codes = codesOf(k), content = `file ${k}`) => ({
    frame: prepareFrame(codes, zoneWeights(product(), catalog.zones), {
      product: 'dpsri',
      timeMs: at(k),
      version: '5.43.11',
      name: 'DPSRI',
      sensor: { name: 'X', wavelengthM: 0.03, beamwidthDeg: 1, altitudeM: 100 },
    }),
    source: sourceFile(content),
  })
  const commit = (items: ReturnType<typeof item>[]) =>
    commitFrames({ db: database.db, store, catalog, timeZone: 'Europe/Paris' }, items)
  const all = { startMs: 0, endMs: Number.MAX_SAFE_INTEGER / 4 }
  const readAll = async () => {
    const places = await index.places(product(), all)
    const frames: [number, Uint16Array | null][] = []
    for await (const codes of index.codes(product(), places))
      frames.push([places[frames.length].timeMs, codes])
    return frames
  }
  const days = () => database.db.selectFrom('radar_day').selectAll().orderBy('day').execute()

  test('frames come back as they were, whatever the order they came in, across days', async () => {
    const order = [17, 60, 3, 40, 0, 5]
    await commit(order.slice(0, 4).map((k) => item(k)))
    await commit(order.slice(4).map((k) => item(k)))
    const sorted = [...order].sort((a, b) => a - b)
    expect(await readAll()).toEqual(sorted.map((k) => [at(k), codesOf(k)]))
    expect(await index.latest(product())).toBe(at(60))
    expect(await index.count(product(), { startMs: at(3), endMs: at(40) })).toBe(3)
  })

  test('class blocks make a bundle that holds the classes of every frame', async () => {
    const ks = Array.from({ length: 12 }, (_, k) => k)
    await commit(ks.map((k) => item(k)))
    const segments = index.classSegments(product(), await index.places(product(), all))
    const body = gunzipSync(
      Buffer.concat(await Array.fromAsync(bundleBody(Buffer.from('head'), segments, 800, 'gzip'))),
    )
    expect(body).toEqual(Buffer.concat([Buffer.from('head'), ...ks.map((k) => encodeClassBlock(codesOf(k)))]))
  })

  test('the same file twice changes nothing, another file for the same instant is told and left out', async () => {
    expect(await commit([item(1), item(2), item(1)])).toEqual([
      { outcome: 'stored' },
      { outcome: 'stored' },
      { outcome: 'known', archivePath: 'rainbow5/file 1' },
    ])
    const before = [await readAll(), await days()]
    expect(await commit([item(2), item(1, codesOf(8), 'other')])).toEqual([
      { outcome: 'known', archivePath: 'rainbow5/file 2' },
      { outcome: 'conflict', firstName: 'file 1.dpsri' },
    ])
    expect([await readAll(), await days()]).toEqual(before)
  })

  test('a crash between the bytes and the index leaves nothing visible and nothing double', async () => {
    await commit([item(1)])
    const broken = commitFrames(
      {
        db: database.db,
        catalog,
        timeZone: 'Europe/Paris',
        store: Object.assign(Object.create(store) as FsFrameStore, {
          append: async (...args: Parameters<FsFrameStore['append']>) => {
            await store.append(...args)
            if (args[0].kind === 'classes') throw new Error('killed')
            return store.append(...args)
          },
        }),
      },
      [item(2), item(3)],
    )
    await expect(broken).rejects.toThrow('killed')
    await appendFile(store.path({ product: 'dpsri', day: '2021-07-04', kind: 'pack', generation: 0 }), 'torn')
    expect((await readAll()).map(([time]) => time)).toEqual([at(1)])
    await commit([item(2), item(3), item(4)])
    expect(await readAll()).toEqual([1, 2, 3, 4].map((k) => [at(k), codesOf(k)]))
    expect((await days())[0].frames).toBe(4)
  })

  test('writers at the same time do not mix their bytes', async () => {
    const batches = Array.from({ length: 6 }, (_, b) => [item(6 * b + 1), item(6 * b + 2), item(6 * b + 3)])
    await Promise.all(batches.map(commit))
    const expected = batches
      .flatMap((_, b) => [1, 2, 3].map((k) => 6 * b + k))
      .map((k) => [at(k), codesOf(k)])
    expect(await readAll()).toEqual(expected)
  })

  test('a frame without rain needs no room in the packs', async () => {
    await commit([item(0), item(5), item(10)])
    const places = await index.places(product(), all)
    expect(places.every(({ pack, blankId }) => pack === null && blankId === places[0].blankId)).toBe(true)
    expect((await readAll()).map(([, codes]) => codes)).toEqual([codesOf(0), codesOf(0), codesOf(0)])
  })

  test('statistics weigh the catchment by area and leave no data out', async () => {
    const codes = new Uint16Array(steps * steps).fill(RATE_NO_DATA, 0, 400)
    // melun: rows 16-19, columns 16-19; its northern half rows 16-17.
    for (let row = 16; row < 18; row++) for (let col = 16; col < 20; col++) codes[row * steps + col] = 400
    await commit([item(1, codes)])
    const [melun] = await index.summaries(product(), all, 'melun')
    const [north] = await index.summaries(product(), all, 'melun-a')
    const [livry] = await index.summaries(product(), all, 'livry')
    const [none] = await index.summaries(product(), all, null)
    expect(melun.zone.mean).toBeCloseTo(32 / 1200, 12)
    expect(melun.zone.nonzerosmean).toBe(4)
    expect(melun.zone.nonzerospc).toBeCloseTo(800 / 1200, 12)
    expect([melun.maxMmH, melun.maxIndex, melun.validPct]).toEqual([4, 16 * steps + 16, 75])
    // Northern cells are a little smaller than southern ones.
    expect(melun.catchment!.mean).toBeGreaterThan(1.99)
    expect(melun.catchment!.mean).toBeLessThan(2)
    expect(north.catchment!.mean).toBeCloseTo(4, 6)
    expect(livry.catchment).toEqual({ mean: 0, nonzerosmean: 0, nonzerospc: 0 })
    expect(none.catchment).toBeNull()
  })

  test('days keep the largest mean over wet cells and its time, in the days of the site', async () => {
    // 22:00 UTC is midnight in Paris: frames 0-17 are on the 4th, 18 and later on the 5th.
    const ks = Array.from({ length: 30 }, (_, k) => k)
    for (const order of [ks, [...ks].reverse()]) {
      await database.db.deleteFrom('radar_frame').execute()
      await database.db.deleteFrom('source_file').execute()
      await database.db.deleteFrom('radar_day').execute()
      for (let i = 0; i < order.length; i += 7) await commit(order.slice(i, i + 7).map((k) => item(k)))
      const rows = await days()
      expect(rows.map(({ day, frames }) => [day, frames])).toEqual([
        ['2021-07-04', 18],
        ['2021-07-05', 12],
      ])
      const summaries = await index.summaries(product(), all, 'melun')
      for (const [row, part] of [
        [rows[0], summaries.slice(0, 18)],
        [rows[1], summaries.slice(18)],
      ] as const) {
        const best = Math.max(...part.map((s) => s.zone.nonzerosmean!))
        expect(row.best).toBe(best)
        expect(row.best_time!.getTime()).toBe(part.find((s) => s.zone.nonzerosmean === best)!.timeMs)
        const zoneBest = Math.max(...part.map((s) => s.catchment!.nonzerosmean!))
        expect(row.zone_best[catalog.ordinalOf('melun')! - 1]).toBe(zoneBest)
      }
    }
  })

  test('a pixel has the same series from packs, from tiles and from both together', async () => {
    const ks = Array.from({ length: 400 }, (_, k) => k)
    await commit(ks.map((k) => item(k)))
    const threads = new StoreThreads({ dataDir, objectStore: null }, database.db)
    const series = new PixelSeries(database.db, store, index, threads)
    const span = { startMs: at(10), endMs: at(390) }
    const pixels = [
      [0, 0],
      [17, 23],
      [39, 39],
    ]
    const expected = pixels.map(([row, col]) =>
      ks.slice(10, 390).map((k) => {
        const code = codesOf(k)[row * steps + col]
        return { timeMs: at(k), rateMmH: code === RATE_NO_DATA ? null : code / 100 }
      }),
    )
    const read = () => Promise.all(pixels.map(([row, col]) => series.read(product(), row, col, span)))
    expect(await read()).toEqual(expected)
    const now = at(400)
    expect(await series.untiledDays(product(), now, 1000)).toEqual([{ day: '2021-07-04', frames: 53 }])
    await series.buildDay(product(), '2021-07-04')
    expect(await read()).toEqual(expected)
    await series.buildDay(product(), '2021-07-05')
    expect(await read()).toEqual(expected)
    expect(await series.untiledDays(product(), now, 1)).toEqual([])
    // Frames that move into a file while a series is read are still in it.
    for (const moment of ['before', 'after'] as const) {
      await database.db.deleteFrom('radar_tiles').execute()
      await database.db.updateTable('radar_frame').set({ tiled: false }).execute()
      const moving = new FrameIndex(database.db, store, catalog)
      moving.untiledPlaces = async (of, within) => {
        const build = () => series.buildDay(product(), '2021-07-05')
        if (moment === 'before') await build()
        const places = await index.untiledPlaces(of, within)
        if (moment === 'after') await build()
        return places
      }
      const [row, col] = pixels[1]
      const found = await new PixelSeries(database.db, store, moving, threads).read(product(), row, col, span)
      expect(found).toEqual(expected[1])
    }
    await series.buildDay(product(), '2021-07-04')
    // Late frames of a tiled day are read from the packs until its file is made again.
    await commit([item(2000), item(400)])
    await commit([item(401)])
    expect(await series.untiledDays(product(), now, 3)).toEqual([])
    await series.buildDay(product(), '2021-07-05')
    expect(await read()).toEqual(expected)
    await threads.close()
  })

  test('a catchment that joins later gets the next place, one that leaves keeps its own', async () => {
    expect(catalog.zones.map(({ key }) => key)).toEqual(['melun', 'melun-a', 'livry'])
    const fewer = await openCatalog(database.db, smallSite(), {
      ...smallCatchments(),
      all: smallCatchments().all.filter(({ key }) => key !== 'melun-a'),
      get: (key: string) => (key === 'melun-a' ? undefined : smallCatchments().get(key)),
    } as never)
    expect(fewer.zones.map(({ geometry }) => geometry !== null)).toEqual([true, false, true])
    expect(fewer.ordinalOf('melun-a')).toBeUndefined()
    expect(fewer.ordinalOf('livry')).toBe(3)
  })

  test('a product whose grid changed is refused once it has frames', async () => {
    const site = smallSite()
    site.products[0].steps = 50
    await expect(openCatalog(database.db, site, smallCatchments())).resolves.toBeDefined()
    catalog = await openCatalog(database.db, smallSite(), smallCatchments())
    await commit([item(1)])
    await expect(openCatalog(database.db, site, smallCatchments())).rejects.toThrow(GridChangedError)
  })
})

test('servers that start at the same moment on an empty database number products and catchments alike', async () => {
  const database = await createTestDatabase()
  const all = await Promise.all(
    Array.from({ length: 6 }, () => openCatalog(database.db, smallSite(), smallCatchments())),
  )
  for (const { zones, products } of all) {
    expect(zones.map(({ key, ordinal }) => [key, ordinal])).toEqual([
      ['melun', 1],
      ['melun-a', 2],
      ['livry', 3],
    ])
    expect(products.get('dpsri')?.id).toBe(all[0].products.get('dpsri')?.id)
  }
  await database.drop()
})
