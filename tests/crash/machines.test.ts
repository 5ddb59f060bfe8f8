import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobProgress } from '@radx/contracts'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addAccount } from '../../apps/server/src/accounts/service.ts'
import { ABOUT_VERSION } from '../../apps/server/src/ahead/api.ts'
import { startState } from '../../apps/server/src/alerts/machine.ts'
import { loadSite } from '../../apps/server/src/config/site.ts'
import { createTestDatabase, type TestDatabase } from '../../apps/server/src/testing/database.ts'
import { rainFile } from '../../apps/server/src/testing/rain-files.ts'
import { httpReceiver } from '../../apps/server/src/testing/receivers.ts'
import { startTestBucket, type TestBucket } from '../../apps/server/src/testing/s3-server.ts'
import { writeSmallSite } from '../../apps/server/src/testing/small-site.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { fillInbox, kill9, startServer, until } from './ingest-kill.ts'

const START = Date.parse('2021-07-04T20:00:00Z')
const PASSWORD = 'une-longue-phrase'
type Machine = ReturnType<typeof startServer> & { url: string }

describe('several machines on one database and one bucket', () => {
  const root = mkdtempSync(join(tmpdir(), 'radx-machines-'))
  const siteDir = join(root, 'site')
  const machines: ReturnType<typeof startServer>[] = []
  let database: TestDatabase
  let bucket: TestBucket
  let balancer: Balancer
  let a: Machine
  let b: Machine

  const start = (dataDir: string, env: Record<string, string> = {}, command = 'serve') => {
    // The webhook of the last test is of this machine.
    const common = {
      SITE_DIR: siteDir,
      DATABASE_URL: database.url,
      OUTBOUND_ALLOW: '127.0.0.1',
      ...bucket.env,
    }
    const machine = startServer(
      { ...common, DATA_DIR: join(root, dataDir), RADX_WORKERS: '0', ...env },
      command,
    )
    machines.push(machine)
    return machine
  }
  const serve = async (): Promise<Machine> => {
    const machine = start('shared')
    let url = ''
    await until(
      'a server is ready',
      async () => {
        url = /http:\/\/127\.0\.0\.1:\d+/.exec(machine.log())?.[0] ?? ''
        return url !== '' && (await fetch(`${url}/readyz`)).ok
      },
      machine.log,
    )
    return { ...machine, url }
  }
  const stop = async ({ child }: Machine) => {
    const code = new Promise((done) => child.once('exit', done))
    child.kill('SIGTERM')
    return code
  }
  const signIn = async ({ url }: Machine) => {
    const answer = await fetch(`${url}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'chef', password: PASSWORD }),
    })
    return ((await answer.json()) as { token: string }).token
  }
  const latest = async ({ url }: { url: string }): Promise<string> => {
    const answer = await fetch(`${url}/api/products/latestImages?p=dpsri`)
    return answer.ok ? answer.text() : ''
  }
  let given = 0
  /** Puts files into the inbox that the servers share; the newest frame's time, as answers have it. */
  const deliver = async (count: number) => {
    const { site } = await loadSite(siteDir)
    const times = Array.from({ length: count }, () => START + given++ * 206_000)
    await fillInbox(
      join(root, 'shared'),
      times.map((timeMs) => rainFile(site, { timeMs })),
    )
    return new Date(times.at(-1)!).toISOString().slice(0, 19)
  }
  const stored = () => database.db.selectFrom('radar_frame').select('time').execute()
  const leaders = async () => {
    const { rows } = await database.pool.query(
      `select from pg_locks l join pg_stat_activity s using (pid)
        where s.application_name like 'radx leader ingest%' and l.locktype = 'advisory' and l.granted
          and s.datname = current_database()`,
    )
    return rows.length
  }

  beforeAll(async () => {
    mkdirSync(siteDir)
    await writeSmallSite(siteDir)
    database = await createTestDatabase()
    bucket = await startTestBucket()
    await addAccount(database.db, 'chef', PASSWORD, { roles: ['manager'] })
    for (const name of ['one', 'two']) start(name, { RADX_WORKERS: '1' }, 'worker')
    ;[a, b] = await Promise.all([serve(), serve()])
    balancer = await startBalancer([a.url, b.url])
  })
  afterAll(async () => {
    await balancer?.close()
    for (const { child } of machines) await kill9(child)
    await database?.drop()
    await bucket?.close()
    rmSync(root, { recursive: true, force: true })
  })

  test('[JOB-03] a frame taken in by one server and a result made by a worker are there at every server', async () => {
    const newest = await deliver(6)
    for (const machine of [a, b])
      await until('the frames are there', async () => (await latest(machine)).includes(newest), machine.log)
    expect(await latest(a)).toContain(newest)
    await until('one watches the inbox', async () => (await leaders()) === 1, a.log)

    const token = await signIn(a)
    const socket = io(b.url, { auth: { token }, transports: ['websocket'] })
    const heard: JobProgress[] = []
    socket.on('job-progress', (progress: JobProgress) => heard.push(progress))
    await new Promise<void>((done) => socket.on('connect', done))
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ product: 'dpsri', date: new Date(START).toISOString(), epsg: 4326 })
    const asked = await fetch(`${a.url}/api/job/exportgeotiff`, { method: 'POST', headers, body })
    const { id } = (await asked.json()) as { id: string }
    expect(await socket.emitWithAck('job-join', { socketId: socket.id, jobId: id })).toMatchObject({
      ok: true,
    })
    await until('the end is heard at the other server', async () => heard.at(-1)?.status === 'done', b.log)
    socket.close()
    const job = (await (await fetch(`${b.url}/api/job/${id}`, { headers })).json()) as { result: string }
    const files = await Promise.all(
      [a, b].map(async ({ url }) => {
        const file = await fetch(`${url}/images/exportgeotiff/${job.result}`, { headers })
        expect(file.status).toBe(200)
        return Buffer.from(await file.arrayBuffer()).toString('base64')
      }),
    )
    expect(files[0]).toBe(files[1])
    // Nothing but the bucket carried it.
    expect(await readdir(join(root, 'shared'))).not.toContain('store')
    await until(
      'every file is put away',
      async () => [...bucket.objects.keys()].filter((key) => key.startsWith('site/archive/')).length === 6,
      a.log,
    )
  })

  test('two servers tell a crossing once: that of an image, and that of a forecast as it is finished', async () => {
    const receiver = await httpReceiver()
    onTestFinished(receiver.stop)
    const { db } = database
    const headers = { authorization: `Bearer ${await signIn(a)}`, 'content-type': 'application/json' }
    const post = async (url: string, body: object) => {
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      expect(answer.status, url).toBe(200)
      return (await answer.json()) as { id: string }
    }
    const hook = await post(`${a.url}/api/alerts/webhooks`, { name: 'essai', url: receiver.url })
    const rule = await post(`${b.url}/api/alerts/rules`, {
      ...{ name: 'Averse', threshold: 10, clear: 5, minMinutes: 0, severity: 'warning', escalateMin: null },
      measure: {
        ...{ kind: 'rain-rate', product: 'sri' },
        place: { kind: 'zone', catchment: 'melun', subcatchment: null },
      },
      ...{ enabled: true, notify: { email: false, push: false, webhooks: [hook.id] } },
    })
    const raised = () =>
      db.selectFrom('alert').select(['crossing', 'value', 'raised_at']).orderBy('raised_at').execute()
    const called = async (count: number) => {
      await until('it is raised', async () => (await raised()).length >= count, b.log)
      await until('it is told', async () => receiver.calls.length >= count, b.log)
      return (await raised())[count - 1]
    }

    const { site } = await loadSite(siteDir)
    const timeMs = Math.floor(Date.now() / 1000) * 1000
    given++
    await fillInbox(join(root, 'shared'), [rainFile(site, { product: 'sri', timeMs, rate: () => 20 })])
    expect(await called(1)).toMatchObject({ crossing: new Date(timeMs), value: expect.closeTo(20, 1) })

    // A rule on a pipe, whose forecast is under way until it is finished.
    const measure = { kind: 'flood-link', catchmentId: 'melun', name: 'C1', withinMin: 60 }
    // Not of the same moment: that crossing was told.
    const at = new Date(timeMs + 1_000)
    await db
      .updateTable('alert_rule')
      .set({ measure: JSON.stringify(measure), threshold: 60, clear: 60 })
      .set({ state: JSON.stringify(startState(timeMs - 1)), version: 2 })
      .where('id', '=', rule.id)
      .execute()
    const about = {
      ...{ version: ABOUT_VERSION, times: [new Date(timeMs + 600_000)], unknownShare: [0], nodes: [] },
      links: [{ name: 'C1', percent: [90] }],
    }
    const { id } = await db
      .insertInto('flood_cycle')
      .values({
        ...{ catchment_id: 'melun', catchment_hash: 'x', reason: null, last_wet: null, missing_share: 0 },
        ...{ issued: at, epoch: at, state_job: null, result_job: null, finished_at: null },
        ...{ status: 'gather', about: JSON.stringify(about) },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const finished = new Date()
    await db
      .updateTable('flood_cycle')
      .set({ status: 'done', finished_at: finished })
      .where('id', '=', id)
      .execute()
    const alert = await called(2)
    expect(alert).toMatchObject({ crossing: at, value: 90 })
    expect(alert.raised_at.getTime()).toBeGreaterThanOrEqual(finished.getTime())
    expect(new Set(receiver.calls.map((call) => call.headers['idempotency-key'])).size).toBe(2)
    expect(receiver.calls).toHaveLength(2)
  })

  test('[rolling restart, then kills] no request fails, one process at a time watches the inbox, nothing is lost or doubled', async () => {
    const failures: string[] = []
    let calls = 0
    let stopped = false
    const paths = [
      '/api/site',
      '/api/products/latestImages?p=dpsri',
      '/api/products/month/2021-07?p=dpsri&c=melun',
    ]
    const visitors = Array.from({ length: 3 }, async (_, k) => {
      for (; !stopped; k++) {
        const path = paths[k % paths.length]
        const status = await fetch(`${balancer.url}${path}`).then(
          async (answer) => {
            await answer.arrayBuffer()
            return answer.status
          },
          (error) => String(error.cause ?? error),
        )
        calls++
        if (status !== 200) failures.push(`${path}: ${status}`)
        await sleep(5)
      }
    })
    try {
      // A new server joins before an old one leaves, twice: afterwards both are new.
      for (const old of [a, b]) {
        const fresh = await serve()
        balancer.targets.push(fresh.url)
        expect(await stop(old)).toBe(0)
        balancer.targets = balancer.targets.filter((url) => url !== old.url)
        if (old === a) a = fresh
        else b = fresh
      }
    } finally {
      stopped = true
      await Promise.all(visitors)
    }
    expect(failures).toEqual([])
    expect(calls).toBeGreaterThan(50)

    // Whoever leads: after the first kill the other one does, so that the second kill hits the leader.
    for (const kill of [1, 2]) {
      await deliver(10)
      const before = (await stored()).length
      await until('the inbox is being taken in', async () => (await stored()).length > before, b.log)
      await kill9(a.child)
      await until('the rest is taken in', async () => (await stored()).length === given, b.log)
      // Who was killed may have taken all of it before: then the other takes over a moment later.
      await until('one watches the inbox', async () => (await leaders()) === 1, b.log)
      if (kill === 2) break
      const fresh = await serve()
      a = b
      b = fresh
    }
    // A frame is served before its file is put away.
    const inbox = () => readdir(join(root, 'shared/inbox'))
    await until('every file is put away', async () => (await inbox()).length === 0, b.log)
    const archived = [...bucket.objects.keys()].filter((key) => key.startsWith('site/archive/'))
    expect(archived).toHaveLength(given)
    expect(await readdir(join(root, 'shared/rejected'))).toEqual([])
  })

  test('while the bucket is away calls answer 503 in French and ingest waits; then all goes on', async () => {
    // Who has taken frames in may still hold them; who joins holds none.
    const fresh = await serve()
    bucket.away = true
    const newest = await deliver(2)
    await until('ingest says that it waits', async () => /stockage absent/.test(b.log()), b.log)
    const token = await signIn(b)
    const span = `s=${new Date(START).toISOString()}&e=${new Date(START + 3_600_000).toISOString()}`
    // Rain as it moved would come from the database, once it was followed.
    const answer = await fetch(`${fresh.url}/api/products/accumulation?p=dpsri&method=raw&${span}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ message: expect.stringMatching(/^Le stockage des images/) })
    bucket.away = false
    await until('the frames are there', async () => (await latest(b)).includes(newest), b.log)
    // The newest may be first.
    await until('all of them', async () => (await stored()).length === given, b.log)
  })
})
