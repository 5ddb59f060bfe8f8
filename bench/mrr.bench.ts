import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { MrrRecord } from '@radx/contracts'
import { Demo } from '@radx/demo'
import { writeMrrPro } from '@radx/formats/mrrpro/mrrpro'
import { readMrrProInWorker } from '@radx/formats/mrrpro/worker'
import { loadConfig } from '../apps/server/src/config/config.ts'
import { loadSite } from '../apps/server/src/config/site.ts'
import { openDatabase } from '../apps/server/src/db/database.ts'
import { createApp } from '../apps/server/src/http/create-app.ts'
import { noSessions } from '../apps/server/src/http/sessions.ts'
import { Ingest } from '../apps/server/src/ingest/ingest.ts'
import { openHandlers } from '../apps/server/src/ingest/kinds.ts'
import { noJobs } from '../apps/server/src/jobs/service.ts'
import { createLogger } from '../apps/server/src/log.ts'
import { registerMrr } from '../apps/server/src/mrr/routes.ts'
import { storeOf } from '../apps/server/src/store/open-store.ts'
import type { BenchResult } from '../tools/bench.ts'

const RUNS = 15
const DAY_MS = 86_400_000
/** A day of rain from the demonstration's weather. */
const DAY = Date.parse('2018-01-16T00:00:00Z')
/** Days of the calendar before it. */
const YEAR = 365

/** The micro rain radar: a day as the instrument writes it, an hour as it is looked at, a year as a calendar. */
export async function run(): Promise<BenchResult[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'radx-bench-mrr-'))
  const config = loadConfig({ ...process.env, DATA_DIR: dataDir, DEMO: '0', RADX_LOG: 'silent' })
  const log = createLogger('silent')
  const database = await openDatabase(config, { log })
  const { site, catchments } = await loadSite(config.siteDir)
  const session = { userId: 'b', name: 'b', roles: [], restriction: null }
  const deps = {
    config,
    site,
    catchments,
    database,
    db: database.db,
    log,
    clock: { now: () => Date.now() },
    sessions: { ...noSessions, resolve: async () => session },
    status: { read: null },
    jobs: noJobs,
  }
  const store = await storeOf(deps)
  const { handlers, close } = openHandlers({ config, site, db: database.db, store, log })
  const ingest = new Ingest({
    dataDir,
    files: store.files,
    handlers,
    log,
    clock: deps.clock,
    timeZone: site.timeZone,
    signal: new AbortController().signal,
  })
  const app = await createApp(deps, { features: [registerMrr], webDir: resolve(dataDir) })
  try {
    await ingest.prepareFolders()
    const take = async (name: string, bytes: Uint8Array) => {
      const path = join(ingest.folders.inbox, name)
      await writeFile(path, bytes)
      const before = performance.now()
      await ingest.take({ path, product: null, refused: 'reject' })
      return performance.now() - before
    }
    const demo = new Demo(site)
    const files = await Promise.all(
      demo.microRainRadarStarts(DAY, DAY + DAY_MS).map((start) => demo.microRainRadarFile(start)),
    )
    // The worker starts with the first file.
    const [first] = await Promise.all([demo.microRainRadarFile(DAY - 600_000)])
    await take(first.name, first.bytes)
    let day = 0
    let slowest = 0
    for (const { name, bytes } of files) {
      const ms = await take(name, bytes)
      day += ms
      slowest = Math.max(slowest, ms)
    }
    const whole = await take('day.nc', await joined(files.map(({ bytes }) => bytes)))
    await fillYear(deps.db)

    const measure = async (url: string) => {
      const times: number[] = []
      let body = ''
      for (let i = 0; i < RUNS; i++) {
        const before = performance.now()
        const answer = await app.inject({ url, headers: { authorization: 'Bearer b' } })
        times.push(performance.now() - before)
        if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`)
        body = answer.body
      }
      return { ms: times.sort((a, b) => a - b)[RUNS >> 1], body }
    }
    const iso = (ms: number) => new Date(ms).toISOString()
    const hour = await measure(`/api/mrr/hour/${iso(DAY + 3 * 3_600_000)}`)
    const png = await measure(`/api/mrr/export/${iso(DAY + 3 * 3_600_000)}?format=png`)
    const calendar = await measure('/api/mrr/calendar')
    const bins = await measure(`/api/mrr/day/2018-01-16`)
    const week = await measure(
      `/api/mrr/period?p=dpsri&s=${iso(DAY - 3 * DAY_MS)}&e=${iso(DAY + 4 * DAY_MS)}`,
    )
    const records = JSON.parse(hour.body) as MrrRecord[]
    const row = (name: string, value: number, note: string, aim?: string): BenchResult => ({
      name,
      value: Math.round(value * 10) / 10,
      unit: 'ms',
      note,
      ...(aim ? { aim } : {}),
    })
    return [
      row(
        'ten minutes taken in',
        day / files.length,
        `of ${files.length} files, slowest ${Math.round(slowest)} ms`,
      ),
      row('ingest of a day in one file, known instants', whole, `${files.length * 60} profiles`, '≤ 100 ms'),
      row('hour call', hour.ms, `${records.length} profiles, ${Math.round(hour.body.length / 1000)} kB`),
      row('hour as a picture', png.ms, 'PNG at twice the size'),
      row('hour call and its drawing', hour.ms + png.ms, 'the two before, one after the other', '≤ 200 ms'),
      row('calendar of a year', calendar.ms, `${JSON.parse(calendar.body).length} days`, '≤ 50 ms'),
      row('5-minute maxima of a day', bins.ms, `${JSON.parse(bins.body).length} bins`),
      row('week in columns', week.ms, `${JSON.parse(week.body).columns.length} columns`),
    ]
  } finally {
    await app.close()
    await close()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The files of a day as one. */
async function joined(files: readonly Uint8Array[]): Promise<Uint8Array> {
  const parts: Awaited<ReturnType<typeof readMrrProInWorker>>[] = []
  for (const bytes of files) parts.push(await readMrrProInWorker(bytes))
  const [{ heightsM, variables }] = parts
  const names = Object.keys(variables) as (keyof typeof variables)[]
  const concat = (pick: (part: (typeof parts)[number]) => Float32Array) => {
    const all = new Float32Array(parts.reduce((sum, part) => sum + pick(part).length, 0))
    let at = 0
    for (const part of parts) {
      all.set(pick(part), at)
      at += pick(part).length
    }
    return all
  }
  return writeMrrPro({
    instrumentName: 'METEK MRR Pro 1.2.5',
    siteName: 'bench',
    lat: null,
    lon: null,
    altitudeM: null,
    timesMs: Float64Array.from(parts.flatMap(({ timesMs }) => Array.from(timesMs))),
    heightsM: Float32Array.from(heightsM),
    variables: Object.fromEntries(
      names.map((name) => [name, concat((part) => part.variables[name] as Float32Array)]),
    ) as Parameters<typeof writeMrrPro>[0]['variables'],
  })
}

/** What a year leaves in the tables that the calendar reads. */
async function fillYear(db: Awaited<ReturnType<typeof openDatabase>>['db']): Promise<void> {
  const days = Array.from({ length: YEAR }, (_, i) => ({
    day: new Date(DAY - (i + 5) * DAY_MS).toISOString().slice(0, 10),
    max_lwc: (i % 30) / 10,
  }))
  await db
    .insertInto('mrr_day')
    .values(days)
    .onConflict((c) => c.column('day').doNothing())
    .execute()
}
