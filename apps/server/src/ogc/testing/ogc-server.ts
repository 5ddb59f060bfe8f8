import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROLE_MANAGER } from '@radx/contracts'
import { RATE_NO_DATA } from '@radx/rainfall'
import { createApp } from '../../http/create-app.ts'
import type { Session } from '../../http/sessions.ts'
import { jobKinds } from '../../job-kinds.ts'
import { JobQueue } from '../../jobs/queue.ts'
import { registerRadar } from '../../radar/routes.ts'
import { commitFrames } from '../../store/commit-frames.ts'
import { storeOf } from '../../store/open-store.ts'
import { prepareFrame } from '../../store/prepared-frame.ts'
import { zoneWeights } from '../../store/zone-weights.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../../testing/deps.ts'
import { smallCatchments, smallSite } from '../../testing/small-site.ts'
import { sourceFile } from '../../testing/source-file.ts'
import { registerOgc } from '../routes.ts'

export const STEPS = 40
const STEP_MS = 200_000
const HOUR = 3_600_000
/** An hour of the archive, and the live window a year later. */
export const ARCHIVE = Date.parse('2025-06-01T10:00:00Z')
const LIVE = Date.parse('2026-06-15T08:00:00Z')
export const NEWEST = LIVE + 3 * HOUR

export const FRAMES = [
  ...Array.from({ length: HOUR / STEP_MS }, (_, k) => ARCHIVE + k * STEP_MS),
  ...Array.from({ length: (NEWEST - LIVE) / STEP_MS + 1 }, (_, k) => LIVE + k * STEP_MS),
]

/** Rates (0.01 mm/h) that tell row, column and frame apart; row 0 has no data, the south is dry. */
export function codesOf(ms: number): Uint16Array {
  const codes = new Uint16Array(STEPS * STEPS)
  codes.fill(RATE_NO_DATA, 0, STEPS)
  const strength = 60 + ((ms / 100_000) % 7) * 10
  for (let row = 1; row < 30; row++)
    for (let col = 0; col < STEPS; col++) codes[row * STEPS + col] = strength + row * 150 + col
  return codes
}

const session = (changes: Partial<Session> = {}): Session => ({
  userId: '00000000-0000-4000-8000-000000000000',
  name: 'u',
  roles: [],
  restriction: null,
  ...changes,
})
const SESSIONS = new Map([
  ['user', session()],
  ['manager', session({ name: 'm', roles: [ROLE_MANAGER] })],
  ['early', session({ name: 'e', restriction: { start: null, end: new Date('2025-01-01T00:00:00Z') } })],
])

/** A small server with frames, called through `inject` as nobody, `user`, `manager` or `early` (dates before all frames). */
export async function startOgcServer() {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'radx-ogc-'))
  const queue = new JobQueue(database.db, undefined as never, jobKinds, () => new Date(NEWEST))
  const deps = await testDeps({
    config: testConfig({ DATA_DIR: dataDir }),
    database: handleOf(database),
    site: smallSite({
      gauges: [
        {
          ...{ id: 'toit', name: 'Toit', measure: 'depth', position: { lat: 48.56, lng: 2.44 } },
          source: { format: 'station', column: 'Rain' },
        },
      ] as never,
    }),
    catchments: smallCatchments(),
    clock: { now: () => NEWEST + 60_000 },
    jobs: { queue: () => queue, starting: () => false },
    sessions: { resolve: async (token) => SESSIONS.get(token) ?? null },
  })
  const store = await storeOf(deps)
  const weights = zoneWeights(store.catalog.products.get('dpsri')!, store.catalog.zones)
  await commitFrames(
    store.context,
    FRAMES.map((timeMs) => ({
      frame: prepareFrame(codesOf(timeMs), weights, {
        product: 'dpsri',
        timeMs,
        version: '5.43.11',
        name: 'DPSRI 125m',
        sensor: { name: 'X', wavelengthM: 0.0319, beamwidthDeg: 1, altitudeM: 130 },
      }),
      source: sourceFile(String(timeMs)),
    })),
  )
  const app = await createApp(deps, { features: [registerRadar, registerOgc], webDir: dataDir })
  return {
    app,
    store,
    deps,
    dataDir,
    call: (url: string, token?: string) =>
      app.inject({ url, headers: token ? { authorization: `Bearer ${token}` } : {} }),
    async close() {
      await app.close()
      await store.threads.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export { iso } from '../../radar/api.ts'
