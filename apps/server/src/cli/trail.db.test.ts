import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { loadSite } from '../config/site.ts'
import { writeSmallCatchment } from '../simulation/testing/small-catchment.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { rainFile } from '../testing/rain-files.ts'
import { writeSmallSite } from '../testing/small-site.ts'
import { runCommand } from './testing/run-command.ts'

const FRAMES = 3
const root = mkdtempSync(join(tmpdir(), 'radx-trail-'))
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  mkdirSync(join(root, 'site'))
  await writeSmallSite(join(root, 'site'))
})
beforeEach(() => {
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('DATA_DIR', join(root, 'data'))
  vi.stubEnv('SITE_DIR', join(root, 'site'))
  vi.stubEnv('DEMO', '0')
})
afterEach(() => vi.unstubAllEnvs())
afterAll(async () => {
  await database?.drop()
  rmSync(root, { recursive: true, force: true })
})

/** Lines of what commands did to the data, the oldest first, as `radx audit` gives them. */
async function trail(): Promise<unknown[]> {
  const { out } = await runCommand('audit', '--json')
  const lines = out === '' ? [] : out.split('\n').map((line) => JSON.parse(line))
  return lines
    .reverse()
    .filter(({ action, subject }) => action === 'data.change' && subject !== 'ingest')
    .map(({ actor, via, subject, details }) => [actor, via, subject, details])
}

test('radx catchment import leaves a line for a new package, and none for one that is there or refused', async () => {
  const folder = writeSmallCatchment(join(root, 'petit'))
  expect((await runCommand('catchment', 'import', folder)).exit).toBe(0)
  const lines = await trail()
  expect(lines).toEqual([[null, 'command', 'catchment import', { catchment: expect.any(String) }]])
  expect((await runCommand('catchment', 'import', folder)).out).toMatch(/déjà connu/)
  const bad = writeSmallCatchment(join(root, 'mauvais'), { 'elevation.asc': 'rien' })
  expect((await runCommand('catchment', 'import', bad)).exit).toBe(1)
  expect(await trail()).toEqual(lines)
})

test('radx rebuild and verify --repair tell what they made anew, and a mere look leaves none', async () => {
  const { site } = await loadSite(join(root, 'site'))
  const paths = Array.from({ length: FRAMES }, (_, k) => {
    const { name, bytes } = rainFile(site, { timeMs: Date.parse('2021-07-04T22:00:00Z') + k * 200_000 })
    writeFileSync(join(root, name), bytes)
    return join(root, name)
  })
  expect((await runCommand('ingest', ...paths)).exit).toBe(0)
  const before = await trail()
  const since = async () => (await trail()).slice(before.length)

  expect((await runCommand('verify', '--rate', '0')).exit).toBe(0)
  expect(await since()).toEqual([])
  expect((await runCommand('rebuild')).exit).toBe(0)
  const rebuilt = [null, 'command', 'rebuild', { frames: String(FRAMES), repaired: '0', lost: '0' }]
  expect(await since()).toEqual([rebuilt])

  // The checksum of a stored picture no longer fits.
  const damage = 'update radar_frame set classes_check = classes_check # 1 where classes_check is not null'
  expect((await database.pool.query(damage)).rowCount).toBe(FRAMES)
  expect((await runCommand('verify', '--rate', '0')).exit).toBe(1)
  expect(await since()).toEqual([rebuilt])
  expect((await runCommand('verify', '--repair', '--rate', '0')).exit).toBe(0)
  expect(await since()).toEqual([
    rebuilt,
    [null, 'command', 'verify --repair', { repaired: String(FRAMES), damaged: '0' }],
  ])
  expect((await runCommand('audit', '--verify')).exit).toBe(0)
})
