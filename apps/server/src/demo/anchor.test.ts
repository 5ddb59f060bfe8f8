import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testConfig } from '../testing/deps.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { demoAnchor } from './anchor.ts'

const NOW = Date.parse('2027-02-03T04:05:06.789Z')
const START = Date.parse('2027-02-03T04:05:00Z')
let dataDir = ''

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'radx-anchor-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

function anchor(nowMs: number, folder = dataDir) {
  const warn = vi.fn()
  const deps = {
    config: testConfig({ DATA_DIR: folder }),
    clock: { now: () => nowMs },
    site: smallSite(),
    catchments: smallCatchments(),
    log: { warn } as never,
  }
  return demoAnchor(deps).then((found) => ({ found, warnings: warn.mock.calls.length }))
}

test('the first start is remembered in the data folder, whatever it is asked later', async () => {
  const { found, warnings } = await anchor(NOW, join(dataDir, 'not-there-yet'))
  expect(found.atMs).toBe(START)
  const { ul, lr } = smallCatchments().get('melun')!.bounds
  expect(found.storm!.lat).toBeLessThan(ul.lat)
  expect(found.storm!.lat).toBeGreaterThan(lr.lat)
  expect(warnings).toBe(0)
  const later = await anchor(NOW + 40 * 86_400_000, join(dataDir, 'not-there-yet'))
  expect(later).toEqual({ found, warnings: 0 })
})

test.each([
  ['an empty file', ''],
  ['another file', '{"firstStart": 5}'],
  ['no date', '{"firstStart": "hier"}'],
  ['a start in the future', '{"firstStart": "2027-02-03T04:06:00.000Z"}'],
])('%s gives way to a new start, said in the log', async (_, text) => {
  await writeFile(join(dataDir, 'demo.json'), text)
  const { found, warnings } = await anchor(NOW)
  expect([found.atMs, warnings]).toEqual([START, 1])
  expect(JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))).toEqual({
    firstStart: '2027-02-03T04:05:00.000Z',
  })
})
