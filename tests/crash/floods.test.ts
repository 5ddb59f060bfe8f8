import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AheadCycle } from '@radx/contracts'
import { demoCatchment } from '@radx/demo/catchment/package'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAccount } from '../../apps/server/src/accounts/service.ts'
import { createTestDatabase, type TestDatabase } from '../../apps/server/src/testing/database.ts'
import { startTestBucket, type TestBucket } from '../../apps/server/src/testing/s3-server.ts'
import { Storm } from '../attack/storm.ts'
import { radx } from '../conformance/radx-program.ts'
import { kill9, startServer, until } from './ingest-kill.ts'

const PASSWORD = 'une-longue-phrase'
const WORKERS = ['one', 'two', 'three', 'four'] as const
const MINUTE_MS = 60_000

/** The town's cycles take minutes of a processor: `npm run soak floods` alone. */
describe.runIf(process.env.RADX_SOAK_FLOODS !== undefined)('a flood forecast and four workers', () => {
  const root = mkdtempSync(join(tmpdir(), 'radx-floods-'))
  const running = new Map<string, ReturnType<typeof startServer>>()
  let [database, bucket]: [TestDatabase, TestBucket] = [] as never

  const start = (name: string, command: string) => {
    const env = { DATABASE_URL: database.url, DATA_DIR: join(root, name), ...bucket.env }
    const program = startServer({ ...env, RADX_WORKERS: command === 'worker' ? '1' : '0' }, command)
    running.set(name, program)
    return program
  }
  beforeAll(async () => {
    database = await createTestDatabase()
    bucket = await startTestBucket()
    await addAccount(database.db, 'chef', PASSWORD, { roles: ['manager'] })
    const town = join(root, 'town')
    mkdirSync(town)
    for (const [name, text] of demoCatchment()) writeFileSync(join(town, name), text)
    const env = { DATABASE_URL: database.url, DATA_DIR: join(root, 'server'), ...bucket.env }
    expect((await radx(['catchment', 'import', town], env)).code).toBe(0)
  })
  afterAll(async () => {
    for (const { child } of running.values()) await kill9(child)
    await database?.drop()
    await bucket?.close()
    rmSync(root, { recursive: true, force: true })
  })

  /** Which of some jobs a worker has begun: each try has its folder there. */
  const begunBy = (worker: string, jobs: readonly string[]) =>
    jobs.filter((id) => {
      const home = join(root, worker, 'jobs', id)
      return existsSync(home) && readdirSync(home).some((name) => name.startsWith('try-'))
    })

  test('members are shared out among four, and those of one that is killed are done by others', {
    timeout: 15 * MINUTE_MS,
  }, async () => {
    const server = start('server', 'serve')
    for (const name of WORKERS) start(name, 'worker')
    let url = ''
    const isReady = async () => {
      url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.log())?.[0] ?? ''
      return url !== '' && (await fetch(`${url}/readyz`)).ok
    }
    await until('the server is ready', isReady, server.log)
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    const call = async <T>(path: string, method = 'GET', body?: object) => {
      const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) })
      expect(answer.status, path).toBe(200)
      return (await answer.json()) as T
    }
    const { token } = await call<{ token: string }>('/api/users/login', 'POST', {
      ...{ username: 'chef', password: PASSWORD },
    })
    headers.authorization = `Bearer ${token}`
    await call('/api/ahead/melun', 'PUT', { enabled: true })
    const now = Date.now()
    new Storm(now + 10 * MINUTE_MS, now - 50 * MINUTE_MS).write(join(root, 'server', 'inbox'), now)

    const cycle = () =>
      database.db.selectFrom('flood_cycle').selectAll().orderBy('issued', 'desc').executeTakeFirst()
    await until(
      'members run',
      async () => ((await cycle())?.member_jobs.length ?? 0) > 0,
      server.log,
      5 * MINUTE_MS,
    )
    const { id, issued, member_jobs: jobs } = (await cycle())!
    const seen = new Map<string, Set<string>>(WORKERS.map((name) => [name, new Set()]))
    // Members go once they are put together: what was seen of them is kept here.
    const attempts = new Map<string, number>()
    const look = async () => {
      for (const name of WORKERS) for (const job of begunBy(name, jobs)) seen.get(name)!.add(job)
      const rows = await database.db
        .selectFrom('job')
        .select(['id', 'attempt'])
        .where('id', 'in', jobs)
        .execute()
      for (const { id: job, attempt } of rows) attempts.set(job, attempt)
      return WORKERS.filter((name) => seen.get(name)!.size > 0).length
    }
    await until('several work', async () => (await look()) >= 3, server.log)
    const killed = WORKERS.find((name) => begunBy(name, jobs).length > 0)!
    const lost = begunBy(killed, jobs)
    await kill9(running.get(killed)!.child)

    const ended = () =>
      database.db.selectFrom('flood_cycle').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    await until(
      'the cycle ends',
      async () => (await look()) > 0 && (await ended()).finished_at !== null,
      server.log,
      10 * MINUTE_MS,
    )
    expect(await ended()).toMatchObject({ status: 'done', members: 20 })
    // What it had begun was done by another one, in a later try.
    expect(lost.length).toBeGreaterThan(0)
    const others = WORKERS.filter((name) => name !== killed)
    for (const job of lost) {
      expect(attempts.get(job)).toBeGreaterThan(1)
      expect(others.some((name) => seen.get(name)!.has(job))).toBe(true)
    }
    const told = await call<AheadCycle>(`/api/ahead/melun/cycle?issued=${issued.toISOString()}`)
    expect(told).toMatchObject({ members: 20, dry: false })
    console.log(WORKERS.map((name) => `${name}: ${seen.get(name)!.size}`).join(', '), `killed: ${killed}`)
  })
})
