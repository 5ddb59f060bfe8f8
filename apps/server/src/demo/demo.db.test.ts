import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { statusSchema } from '@radx/contracts'
import { VOLUME_PRODUCT, withVolumes } from '@radx/demo'
import { expect, test } from 'vitest'
import { createApp } from '../http/create-app.ts'
import { registerIngest } from '../ingest/feature.ts'
import { registerRadar } from '../radar/routes.ts'
import { forgetFrames } from '../store/forget-frames.ts'
import { storeOf } from '../store/open-store.ts'
import { createTestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { registerDemo } from './feature.ts'

test('the demonstration brings the live map to life through the inbox, and goes on where it stopped', async () => {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'radx-demo-'))
  const start = async () => {
    const deps = await testDeps({
      config: testConfig({ DATA_DIR: dataDir, DEMO: '1' }),
      database: handleOf(database),
      site: withVolumes(smallSite()),
      catchments: smallCatchments(),
      clock: { now: () => Date.now() },
    })
    const app = await createApp(deps, {
      features: [registerIngest, registerDemo, registerRadar],
      webDir: dataDir,
    })
    const get = async (url: string) => (await app.inject({ url })).json()
    const until = async (condition: () => Promise<boolean>) => {
      for (const end = Date.now() + 240_000; !(await condition()); await sleep(50))
        if (Date.now() > end) throw new Error('waited too long')
    }
    const stop = async () => {
      await app.close()
      await (await storeOf(deps)).threads.close()
    }
    return { deps, get, until, stop }
  }
  try {
    const first = await start()
    await first.until(async () => {
      const { images, taranis, isRadarDown } = await first.get('/api/products/latestImages?p=dpsri')
      return images.length > 45 && taranis !== null && !isRadarDown
    })
    await first.until(async () => (await first.get('/api/status')).demo.framesTotal > 20_000)
    const status = statusSchema.parse(await first.get('/api/status'))
    // Volumes have a product of their own, which the progress of pictures does not count.
    const qualities = () => database.db.selectFrom('radar_quality').selectAll().execute()
    await first.until(async () => (await qualities()).length > 0)
    expect(await first.get(`/api/products/latestImages?p=${VOLUME_PRODUCT}`)).toMatchObject({
      images: expect.arrayContaining([expect.objectContaining({ quality: expect.anything() })]),
    })
    expect(status.demo.active).toBe(true)
    expect(status.inbox.rejected).toBe(0)
    expect(Date.now() - Date.parse(status.latestFrame!)).toBeLessThan(15 * 60_000)
    await first.stop()

    const taken = async () =>
      (await database.db.selectFrom('source_file').select(['name', 'received_at']).execute()).map(
        ({ name, received_at }) => `${name} ${received_at.getTime()}`,
      )
    const before = await taken()
    const second = await start()
    await second.until(async () => (await taken()).length > before.length)
    await second.stop()
    const volumes = async () =>
      (await readdir(join(dataDir, 'archive'), { recursive: true })).filter((name) => name.endsWith('.vol'))
    expect((await volumes()).length).toBeGreaterThanOrEqual(7)
    // Nothing was written twice: every file of before is still the one of before.
    const after = await taken()
    expect(after).toEqual(expect.arrayContaining(before))
    expect(new Set(after.map((line) => line.split(' ')[0])).size).toBe(after.length)

    // Old volumes go with their quality and their originals, and nothing else does.
    const store = await storeOf(second.deps)
    const product = store.catalog.products.get(VOLUME_PRODUCT)!
    const kept = after.filter((line) => !line.includes('.vol '))
    const count = (await qualities()).length
    expect(await forgetFrames(store, product, Date.now() + 3_600_000)).toBe(count)
    expect([await qualities(), await volumes()]).toEqual([[], []])
    expect((await taken()).sort()).toEqual(kept.sort())
  } finally {
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
