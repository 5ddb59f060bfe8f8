import { createHash } from 'node:crypto'
import { encodeRates } from '@radx/rainfall'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mrrPacks } from '../mrr/api.ts'
import { encodeProfiles } from '../mrr/hour-encoder.ts'
import { insertProfiles, readProfiles } from '../mrr/queries.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { testConfig } from '../testing/deps.ts'
import { startTestBucket, type TestBucket } from '../testing/s3-server.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { temporaryDir } from '../testing/temporary.ts'
import { commitFrames } from './commit-frames.ts'
import { compactDays } from './compaction.ts'
import { openStore, type Store } from './open-store.ts'
import { prepareFrame } from './prepared-frame.ts'
import { rebuild } from './rebuild.ts'
import { zoneWeights } from './zone-weights.ts'

const site = smallSite()
const catchments = smallCatchments()
const STEPS = 40
const START = Date.parse('2021-07-04T22:30:00Z')
const at = (k: number) => START + k * 206_000
const FRAMES = 60
const all = { startMs: 0, endMs: 4e12 }
const HOUR_MS = 3_600_000

const source = (name: string, kind: string) => ({
  hash: createHash('sha256').update(name).digest(),
  kind,
  name,
  bytes: 10,
  archivePath: name,
})

describe('the archive in a bucket', () => {
  let service: TestBucket
  const opened: { database: TestDatabase; store: Store; open(): Promise<Store> }[] = []
  beforeAll(async () => {
    service = await startTestBucket()
  })
  afterAll(async () => {
    for (const { database, store } of opened) {
      await store.threads.close()
      await database.drop()
    }
    await service?.close()
  })

  const filled = async (objectStore: TestBucket['settings'] | null) => {
    const database = await createTestDatabase()
    const config = { ...testConfig(), dataDir: temporaryDir(), objectStore }
    const open = () => openStore({ db: database.db, config, site, catchments })
    const store = await open()
    opened.push({ database, store, open })
    const product = store.catalog.products.get('dpsri')!
    const weights = zoneWeights(product, store.catalog.zones)
    const item = (k: number) => {
      const rate = (i: number) =>
        i === 0 ? Number.NaN : k % 5 === 0 || (i * 7 + k * 13) % 11 > 2 ? 0 : ((i * k) % 900) / 10
      const codes = encodeRates(Float32Array.from({ length: STEPS * STEPS }, (_, i) => rate(i)))
      const frame = prepareFrame(codes, weights, {
        product: 'dpsri',
        timeMs: at(k),
        version: '1',
        name: 'X',
        sensor: { name: 'X', wavelengthM: null, beamwidthDeg: null, altitudeM: null },
      })
      return { frame, source: source(`frame ${k}`, 'rainbow5') }
    }
    for (let k = 0; k < FRAMES; k += 20)
      await commitFrames(
        store.context,
        Array.from({ length: 20 }, (_, i) => item(k + i)),
      )
    const gates = [100, 200]
    for (const [k, name] of ['a', 'b'].entries())
      await insertProfiles(
        database.db,
        store.frames,
        encodeProfiles({
          timesMs: [at(3 * k), at(3 * k + 1)],
          heightsM: gates,
          variables: { LWC: Float32Array.from([0.1, 0.2 * k, Number.NaN, 0.4]) },
        }),
        source(name, 'mrr'),
        site.timeZone,
      )
    return opened[opened.length - 1]
  }

  /** All that a reader can ask of the store. */
  const read = async ({ database, open }: (typeof opened)[number], store?: Store) => {
    const fresh = store ?? (await open())
    const product = fresh.catalog.products.get('dpsri')!
    const frames = await fresh.index.summaries(product, all, 'melun')
    const codes: (Uint16Array | null)[] = []
    for await (const frame of fresh.index.codes(product, frames)) codes.push(frame)
    const classes: number[] = []
    for await (const { crc, zstd } of fresh.index.classSegments(product, frames))
      classes.push(crc, zstd.length)
    const answer = {
      codes,
      classes,
      pixel: await fresh.pixels.read(product, 11, 13, all),
      mrr: await readProfiles(database.db, fresh.frames, all),
      means: frames.map(({ zone, catchment }) => ({ zone, catchment })),
    }
    if (!store) await fresh.threads.close()
    return answer
  }

  test('answers as in a folder: as frames come, with tiles, after a day is gathered, after a rebuild', async () => {
    const folder = await filled(null)
    const bucket = await filled(service.settings)
    const expected = await read(folder)
    expect(expected.codes.filter((frame) => frame !== null)).toHaveLength(FRAMES)
    expect(expected.mrr).toHaveLength(4)
    expect(await read(bucket, bucket.store)).toEqual(expected)

    const product = bucket.store.catalog.products.get('dpsri')!
    for (const day of ['2021-07-04', '2021-07-05']) await bucket.store.pixels.buildDay(product, day)
    expect(await read(bucket)).toEqual(expected)

    const before = service.objects.size
    expect(await compactDays(bucket.database.db, bucket.store.frames, [mrrPacks], START)).toEqual([])
    expect(await compactDays(bucket.database.db, bucket.store.frames, [mrrPacks], Date.now())).toEqual([])
    const gathered = await compactDays(
      bucket.database.db,
      bucket.store.frames,
      [mrrPacks],
      Date.now() + HOUR_MS,
    )
    // Two days of codes, two of classes, one or two of the micro rain radar.
    expect(gathered.length).toBeGreaterThanOrEqual(5)
    expect(service.objects.size).toBeLessThan(before / 8)
    expect(await read(bucket)).toEqual(expected)
    // A reader that was there before finds them too.
    expect(await read(bucket, bucket.store)).toEqual(expected)

    const fresh = await bucket.open()
    const report = await rebuild({
      store: fresh,
      catchments,
      timeZone: site.timeZone,
      recover: async () => null,
    })
    await fresh.threads.close()
    expect(report).toEqual({ frames: FRAMES, repaired: 0, lost: 0 })
    expect(await read(bucket)).toEqual(expected)
    await compactDays(bucket.database.db, bucket.store.frames, [mrrPacks], Date.now() + HOUR_MS)
    expect(await read(bucket)).toEqual(expected)
    // Loose records of the generation before do not stay for ever.
    expect([...service.objects.keys()].filter((key) => /\.classes\/|\.pack\//.test(key))).toEqual([])
  })
})
