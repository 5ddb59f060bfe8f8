import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { addAccount } from '../../apps/server/src/accounts/service.ts'
import { loadConfig } from '../../apps/server/src/config/config.ts'
import { loadSite } from '../../apps/server/src/config/site.ts'
import { type DatabaseHandle, openDatabase } from '../../apps/server/src/db/database.ts'
import { WORKER_LOST } from '../../apps/server/src/jobs/errors.ts'
import { createLogger } from '../../apps/server/src/log.ts'
import { createTestDatabase } from '../../apps/server/src/testing/database.ts'
import { handleOf } from '../../apps/server/src/testing/deps.ts'
import { CuttableProxy } from '../../apps/server/src/testing/proxy.ts'
import { writeSmallSite } from '../../apps/server/src/testing/small-site.ts'
import { startAlertLoad } from './alert-load.ts'
import { filesBelow, kill9, startServer, startWatcher, until } from './ingest-kill.ts'
import { type Acknowledged, startLoad } from './steady-load.ts'

// `npm run soak` kills 200 times and keeps the database away for a minute.
const SOAK = process.env.RADX_SOAK_ANY_KILLS !== undefined
const KILLS = Number(process.env.RADX_SOAK_ANY_KILLS ?? 4)
/** Kills of processes that do nothing but watch rules; `npm run soak alerts` makes 200. */
const ALERT_KILLS = Number(process.env.RADX_SOAK_ALERT_KILLS ?? 0)
/** Processes that take turns at that. */
const WATCHERS = 10
const AWAY_MS = Number(process.env.RADX_SOAK_AWAY_MS ?? 2_000)
const SEED = Number(process.env.RADX_SOAK_SEED ?? 206)
const PASSWORD = 'une-longue-phrase'

/** Numbers in [0, 1) that are the same for the same seed (Park and Miller 1988). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

describe('under load', () => {
  const cleanUp: (() => unknown)[] = []
  afterEach(async () => {
    for (const step of cleanUp.splice(0).reverse()) await step()
  })

  /** A folder, the processes on it, and who looks after them. */
  const place = async (databaseUrl?: string) => {
    const root = mkdtempSync(join(tmpdir(), 'radx-kills-'))
    // PostgreSQL's own account must pass through.
    chmodSync(root, 0o755)
    cleanUp.push(() => rmSync(root, { recursive: true, force: true }))
    const env: Record<string, string> = {
      SITE_DIR: join(root, 'site'),
      DATA_DIR: join(root, 'data'),
      // The webhook of the test is of this machine.
      OUTBOUND_ALLOW: '127.0.0.1',
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    }
    mkdirSync(env.SITE_DIR)
    await writeSmallSite(env.SITE_DIR)
    const loaded = await loadSite(env.SITE_DIR)
    const { site } = loaded
    const database = await openDatabase(
      { databaseUrl: databaseUrl ?? null, dataDir: env.DATA_DIR },
      { log: createLogger('silent') },
    )
    cleanUp.push(() => database.close())
    await addAccount(database.db, 'chef', PASSWORD, { roles: ['manager'] })
    let port = '0'
    const start = (command: 'serve' | 'worker', at = port) => {
      const workers = command === 'worker' ? '1' : '0'
      const process = startServer({ ...env, PORT: at, RADX_WORKERS: workers }, command)
      cleanUp.push(() => kill9(process.child))
      return process
    }
    const running = { serve: start('serve'), worker: start('worker') }
    let url = ''
    await until(
      'the server is ready',
      async () => {
        url = /http:\/\/127\.0\.0\.1:\d+/.exec(running.serve.log())?.[0] ?? ''
        return url !== '' && (await fetch(`${url}/readyz`)).ok
      },
      running.serve.log,
    )
    // It comes back at the same address.
    port = new URL(url).port
    const login = await fetch(`${url}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'chef', password: PASSWORD }),
    })
    const { token } = (await login.json()) as { token: string }
    return { env, site, loaded, database, running, start, url, token }
  }

  /** Nothing that was acknowledged is lost, and nothing is there twice. */
  const check = async (
    { env, database, running, url, token }: Awaited<ReturnType<typeof place>>,
    { events, tried, jobs, files }: Acknowledged,
  ) => {
    const { db } = database
    const log = () => running.serve.log() + running.worker.log()
    await until('the database is there', async () => database.unavailable() === null, log)
    const inbox = async () => (await filesBelow(join(env.DATA_DIR, 'inbox'))).length
    await until('the inbox is taken in', async () => (await inbox()) === 0, log)
    const open = () =>
      db.selectFrom('job').select('id').where('status', 'in', ['pending', 'running']).execute()
    await until('the jobs have ended', async () => (await open()).length === 0, log)

    const titles = (await db.selectFrom('saved_event').select('title').execute()).map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
    expect(events.filter((title) => !titles.includes(title))).toEqual([])
    expect(titles.filter((title) => !tried.has(title))).toEqual([])

    const rows = await db.selectFrom('job').select(['id', 'status', 'error', 'result']).execute()
    for (const id of jobs) {
      const row = rows.find((candidate) => candidate.id === id)
      // Six lost workers in a row end a job, which the long form may hit; it says so then.
      if (row?.status !== 'done') expect(row).toMatchObject({ status: 'error', error: WORKER_LOST })
    }
    // One result of every job that is said to be done, and nothing that a lost worker left half made.
    const made = rows.filter(({ status }) => status === 'done')
    expect(made.length).toBeGreaterThan(0)
    const folder = join(env.DATA_DIR, 'jobs')
    const results = (await filesBelow(folder)).map((path) => relative(folder, path).split(sep))
    for (const { id, result } of made)
      expect(results.filter(([of]) => of === id).sort()).toEqual([
        [id, 'out', 'checksums.json'],
        [id, 'out', result],
      ])
    expect(results.filter(([, out]) => out !== 'out')).toEqual([])
    const file = await fetch(`${url}/images/exportgeotiff/${made[0].result}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(file.status).toBe(200)

    const archived = (await filesBelow(join(env.DATA_DIR, 'archive'))).map((path) => basename(path))
    expect(archived.sort()).toEqual([...files].sort())
    expect(await filesBelow(join(env.DATA_DIR, 'rejected'))).toEqual([])
    const { count } = await db
      .selectFrom('radar_frame as f')
      .innerJoin('radar_product as p', 'p.id', 'f.product_id')
      .select((e) => e.fn.countAll<number>().as('count'))
      .where('p.short_name', '=', 'dpsri')
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(files.length)
    const archive = await fetch(
      `${url}/api/products/pixel?p=dpsri&lat=48.5&lng=2.5&s=2021-07-04T00:00:00Z&e=2021-07-30T00:00:00Z`,
      { headers: { authorization: `Bearer ${token}` } },
    )
    expect(archive.status).toBe(200)
    if (SOAK)
      console.log(
        `acknowledged: ${events.length} rows, ${files.length} files, ${jobs.length} jobs, ` +
          `${rows.filter(({ status }) => status === 'error').length} of which ended after six lost workers`,
      )
  }

  /** Each crossing has one alert and one notice. */
  const checkAlerts = async (
    { db }: Pick<DatabaseHandle, 'db'>,
    alerts: Awaited<ReturnType<typeof startAlertLoad>>,
    log: () => string,
  ) => {
    // Its images are of before the clock's: who lives for minutes tells of their absence as well.
    const raised = () =>
      db
        .selectFrom('alert')
        .select(['id', 'crossing'])
        .where('cause', '=', 'crossing')
        .orderBy('crossing')
        .execute()
    const wanted = alerts.crossings.length
    await until('every crossing is seen', async () => (await raised()).length >= wanted, log)
    expect((await raised()).map(({ crossing }) => crossing.getTime())).toEqual(alerts.crossings)
    const all = await db.selectFrom('alert_notice').select(['id', 'alert_id']).execute()
    const crossed = new Set((await raised()).map(({ id }) => id))
    const notices = all.filter(({ alert_id }) => crossed.has(alert_id))
    expect(notices.map(({ alert_id }) => alert_id).sort()).toEqual(
      (await raised()).map(({ id }) => id).sort(),
    )
    // Some calls may come twice, but not as another notice.
    const ids = new Set(all.map(({ id }) => id))
    expect(alerts.called().filter((id) => !ids.has(id))).toEqual([])
    // A notice of a sender that was killed waits for the end of its lease, which the short form does not wait for.
    if (!SOAK && ALERT_KILLS === 0) return
    const waiting = () => db.selectFrom('alert_notice').select('id').where('status', '!=', 'sent').execute()
    await until('every crossing is told', async () => (await waiting()).length === 0, log, 180_000)
    const called = new Set(alerts.called())
    expect(notices.filter(({ id }) => !called.has(id))).toEqual([])
    console.log(`${wanted} crossings, ${alerts.called().length} calls of the webhook`)
  }

  test(`${KILLS} kills of server, worker and database at random points: nothing acknowledged is lost or doubled`, {
    timeout: 900_000 + KILLS * 20_000,
  }, async () => {
    const here = await place()
    const { env, site, running, start, url, token } = here
    const load = startLoad({ site, dataDir: env.DATA_DIR, url: () => url, token })
    const { database } = here
    const config = loadConfig(env)
    const alerts = await startAlertLoad(database, config, here.loaded, 'chef')
    cleanUp.push(alerts.end)
    // In the long form a second server takes over what the killed one watched and sent.
    if (SOAK) cleanUp.push(() => kill9(second.child))
    const second = SOAK ? startServer({ ...env, PORT: '0', RADX_WORKERS: '0' }, 'serve') : running.serve
    const random = numbers(SEED)
    const targets = ['serve', 'worker', 'database'] as const
    await until('work is under way', async () => load.done.jobs.length > 0, running.serve.log)
    const ready = async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(random() * 1_200)
      // Every kind as often as the others, in an order that chance gives.
      const target = targets[(kill + Math.floor(random() * 2)) % targets.length]
      if (target === 'database') {
        const [pid] = readFileSync(join(env.DATA_DIR, 'postgres/postmaster.pid'), 'utf8').split('\n')
        process.kill(Number(pid), 'SIGKILL')
        await sleep(100)
      } else {
        await kill9(running[target].child)
        running[target] = start(target)
      }
      await until(`back after kill ${kill + 1} (${target})`, ready, running.serve.log)
    }
    await Promise.all([load.stop(), alerts.stop()])
    expect(load.done.events.length).toBeGreaterThan(KILLS)
    await check(here, load.done)
    await checkAlerts(database, alerts, running.serve.log)
  })

  test.runIf(ALERT_KILLS > 0)(
    `${ALERT_KILLS} kills of ten processes that watch rules and tell: none lost, none doubled`,
    {
      timeout: 600_000 + ALERT_KILLS * 30_000,
    },
    async () => {
      const root = mkdtempSync(join(tmpdir(), 'radx-alerts-'))
      cleanUp.push(() => rmSync(root, { recursive: true, force: true }))
      const database = await createTestDatabase()
      cleanUp.push(() => database.drop())
      const env = { SITE_DIR: join(root, 'site'), DATA_DIR: join(root, 'data'), DATABASE_URL: database.url }
      mkdirSync(env.SITE_DIR)
      await writeSmallSite(env.SITE_DIR)
      await addAccount(database.db, 'chef', PASSWORD, { roles: ['manager'] })
      const config = loadConfig(env)
      const alerts = await startAlertLoad(handleOf(database), config, await loadSite(env.SITE_DIR), 'chef')
      cleanUp.push(alerts.end)
      const watch = () => {
        const process = startWatcher({ ...env, OUTBOUND_ALLOW: '127.0.0.1' })
        cleanUp.push(() => kill9(process.child))
        return process
      }
      const all = Array.from({ length: WATCHERS }, watch)
      const random = numbers(SEED)
      for (let kill = 0; kill < ALERT_KILLS; kill++) {
        const which = Math.floor(random() * WATCHERS)
        const { child, log } = all[which]
        // One that has not begun to work yet proves nothing.
        await until(`process ${which} works`, async () => /watches/.test(log()), log)
        await sleep(random() * 1_500)
        await kill9(child)
        all[which] = watch()
        if (kill % 20 === 19) console.log(`${kill + 1} kills, ${alerts.crossings.length} crossings`)
      }
      await alerts.stop()
      await checkAlerts(database, alerts, all[0].log)
    },
  )

  test(`the database away for ${AWAY_MS / 1000} s: calls say so, nothing acknowledged is lost, all goes on`, {
    timeout: 900_000 + AWAY_MS,
  }, async () => {
    const real = await createTestDatabase()
    cleanUp.push(() => real.drop())
    const address = new URL(real.url)
    const proxy = new CuttableProxy({ host: address.hostname, port: Number(address.port) })
    await proxy.up()
    cleanUp.push(() => proxy.down())
    address.hostname = '127.0.0.1'
    address.port = String(proxy.port)
    const here = await place(address.href)
    const load = startLoad({
      site: here.site,
      dataDir: here.env.DATA_DIR,
      url: () => here.url,
      token: here.token,
    })
    await until('something was done', async () => load.done.jobs.length > 0, here.running.serve.log)
    await proxy.down()
    const answer = await fetch(`${here.url}/api/products/latestImages?p=dpsri`)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      message: expect.stringMatching(/^La base de données ne répond pas/),
    })
    await sleep(AWAY_MS)
    const before = load.done.events.length
    await proxy.up()
    await until('calls work again', async () => load.done.events.length > before + 2, here.running.serve.log)
    await load.stop()
    await check(here, load.done)
  })
})
