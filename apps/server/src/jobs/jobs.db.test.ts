import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job, JobProgress } from '@radx/contracts'
import type { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Config, loadConfig } from '../config/config.ts'
import { type DatabaseHandle, openDatabase } from '../db/database.ts'
import { createLogger } from '../log.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { unexpected, WORKER_LOST } from './errors.ts'
import { listen } from './listener.ts'
import { jobOutput } from './output.ts'
import { PROGRESS_CHANNEL } from './queries.ts'
import { createQueues, JobQueue, RETRIES, startBoss } from './queue.ts'
import { jobKinds } from './testing/kinds.ts'
import { JobWorker } from './worker.ts'

// The full form is `npm run soak`.
const SOAK = process.env.RADX_SOAK_KILLS !== undefined
const KILLS = Number(process.env.RADX_SOAK_KILLS ?? 3)

const user = { name: 'demo', isManager: false }
const manager = { name: 'chef', isManager: true }
const stranger = { name: 'autre', isManager: false }
const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 60_000 })

describe('jobs', () => {
  let database: TestDatabase
  let handle: DatabaseHandle
  let config: Config
  let boss: PgBoss
  let queue: JobQueue
  let worker: JobWorker
  const told: JobProgress[] = []
  /** What the worker writes into the log. */
  const logged: string[] = []
  let ear: ReturnType<typeof listen>

  beforeAll(async () => {
    database = await createTestDatabase()
    const dataDir = mkdtempSync(join(tmpdir(), 'radx-jobs-'))
    config = { ...loadConfig({}), databaseUrl: database.url, dataDir, workers: 2, logLevel: 'silent' }
    const log = createLogger('silent')
    handle = await openDatabase(config, { log })
    boss = await startBoss(handle, log)
    await createQueues(boss, jobKinds)
    queue = new JobQueue(handle.db, boss, jobKinds, () => new Date())
    ear = listen(handle, PROGRESS_CHANNEL, log, (payload) => told.push(JSON.parse(payload)))
    await ear.ready
    worker = new JobWorker({
      config,
      handle,
      boss,
      kinds: jobKinds,
      kindsModule: new URL('./testing/kinds.ts', import.meta.url).href,
      log: pino({}, { write: (line: string) => void logged.push(line) }),
    })
    await worker.start()
  })
  afterAll(async () => {
    await worker?.stop()
    await boss?.stop({ graceful: false })
    await ear?.close()
    await handle?.close()
    await database?.drop()
    rmSync(config.dataDir, { recursive: true, force: true })
  })

  const ended = async (id: string): Promise<Job> => {
    for (;;) {
      const job = await queue.get(id, manager)
      if (job.status === 'done' || job.status === 'error') return job
      await sleep(50)
    }
  }

  test('[JOB-01] [JOB-02] a job goes from pending over running to done and tells its progress', async () => {
    const before = Date.now()
    const job = await queue.submit('count', { steps: 5, stepMs: 250 }, user)
    expect(job.status).toBe('pending')
    const done = await ended(job.id)
    expect(done).toMatchObject({
      status: 'done',
      result: { counted: 5 },
      attempts: 1,
      error: null,
      progress: { value: 5, max: 5 },
      msg: 'Étape 5 sur 5',
    })
    expect(done.logs.map((l) => l.line)).toEqual(["compté jusqu'à 5"])
    // The word of it comes after the row.
    const mine = () => told.filter((p) => p.jobId === job.id)
    await eventually(() => mine().at(-1)?.status).toBe('done')
    expect(mine().map((p) => p.status)).toContain('running')
    const last = mine().at(-1)!
    expect(Object.keys(last).sort()).toEqual(['jobId', 'max', 'msg', 'msgDate', 'status', 'value'])
    expect(last).toMatchObject({ status: 'done', value: 5, max: 5, msg: 'Étape 5 sur 5' })
    expect(Date.parse(last.msgDate)).toBeGreaterThanOrEqual(before)
    expect(done.msgDate).toBe(last.msgDate)
    const values = mine().map((p) => p.value)
    expect(values).toEqual([...values].sort((a, b) => a - b))
    expect(readFileSync(join(config.dataDir, jobOutput(job.id), 'result.txt'), 'utf8')).toBe('5')
  })

  test('a refusal ends in error at once, with its French reason and without files', async () => {
    const { id } = await queue.submit('refuse', {}, user)
    expect(await ended(id)).toMatchObject({
      status: 'error',
      error: 'Valeur refusée : pluie négative.',
      output: { error: 'Valeur refusée : pluie négative.' },
      attempts: 1,
    })
    expect(readdirSync(join(config.dataDir, 'jobs'))).not.toContain(id)
  })

  test.skipIf(!existsSync('/dev/full'))(
    'a full disk ends a job at once, says so in French and leaves no part of a file',
    async () => {
      const { id } = await queue.submit('full', {}, user)
      expect(await ended(id)).toMatchObject({
        status: 'error',
        error: expect.stringContaining('Le disque du serveur est plein'),
        attempts: 1,
      })
      expect(readdirSync(join(config.dataDir, 'jobs'))).not.toContain(id)
    },
  )

  test('a thread of a kind that stays does the next job too, but none after a failure', async () => {
    const run = async (input: Record<string, boolean>) => ended((await queue.submit('stays', input, user)).id)
    const [first, second] = [await run({}), await run({})]
    expect(first).toMatchObject({ status: 'done', result: { worked: 1 } })
    expect(second.result).toEqual({ ...(first.result as object), worked: 2 })
    expect(await run({ fails: true })).toMatchObject({
      status: 'error',
      error: expect.stringMatching(/refusée/),
    })
    expect(await run({})).toMatchObject({ status: 'done', result: { worked: 1 } })
  })

  test('an unknown failure is tried again', async () => {
    const { id } = await queue.submit('flaky', { failures: 1 }, user)
    expect(await ended(id)).toMatchObject({ status: 'done', attempts: 2, result: { attempt: 2 } })
  })

  test('an unknown failure that stays is told in French with a reference, and in its own words in the log', async () => {
    const { id } = await queue.submit('flaky', { failures: RETRIES + 1 }, user)
    const job = await ended(id)
    const reference = id.slice(0, 8)
    expect(job).toMatchObject({ status: 'error', attempts: RETRIES + 1, error: unexpected(id) })
    expect(job.error).toContain(`la référence ${reference}`)
    expect(job.logs.map(({ line }) => line)).toContain('Essai 1 interrompu : erreur inattendue')
    expect(JSON.stringify(job)).not.toContain('disk went away')
    const entry = logged.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'calcul abandonné')
    expect(entry).toMatchObject({ jobId: id, reference, reason: `the disk went away, try ${RETRIES + 1}` })
    expect(entry.err.stack).toContain('kinds.ts')
  })

  test('a job that needs too much memory or time ends with that reason and the worker lives on', async () => {
    const greedy = await queue.submit('greedy', {}, user)
    expect((await ended(greedy.id)).error).toBe('Le calcul demande plus de 64 Mo de mémoire.')
    const slow = await queue.submit('slow', {}, user)
    expect((await ended(slow.id)).error).toBe('Le calcul a dépassé 1 s et a été arrêté.')
    const after = await queue.submit('count', { steps: 1, stepMs: 1 }, user)
    expect((await ended(after.id)).status).toBe('done')
  })

  test.each(['count', 'deaf'])(
    'a running job (%s) can be cancelled and leaves nothing behind',
    async (kind) => {
      const { id } = await queue.submit(kind, { steps: 1_000, stepMs: 100 }, user)
      while ((await queue.get(id, user)).status === 'pending') await sleep(50)
      await expect(queue.cancel(id, stranger)).rejects.toMatchObject({ code: 'job.forbidden' })
      await queue.cancel(id, user)
      expect(await ended(id)).toMatchObject({ status: 'error', error: 'Calcul annulé.', cancelled: true })
      expect(readdirSync(join(config.dataDir, 'jobs'))).not.toContain(id)
    },
  )

  test('a waiting job can be cancelled; an ended one stays as it is', async () => {
    const busy = await Promise.all([1, 2].map(() => queue.submit('deaf', {}, user)))
    const waiting = await queue.submit('deaf', {}, user)
    const behind = await queue.submit('deaf', {}, manager)
    for (const { id } of busy) while ((await queue.get(id, user)).status === 'pending') await sleep(50)
    const places = await Promise.all([...busy, waiting, behind].map(({ id }) => queue.get(id, manager)))
    expect(places.map(({ queuePlace }) => queuePlace)).toEqual([null, null, 1, 2])
    expect(await queue.cancel(waiting.id, user)).toMatchObject({ status: 'error', error: 'Calcul annulé.' })
    expect((await queue.get(behind.id, manager)).queuePlace).toBe(1)
    await queue.cancel(behind.id, manager)
    for (const job of busy) await queue.cancel(job.id, manager)
    for (const job of busy) await ended(job.id)
    const done = await queue.submit('count', { steps: 1, stepMs: 1 }, user)
    await ended(done.id)
    expect(await queue.cancel(done.id, user)).toMatchObject({ status: 'done', cancelled: false })
  })

  test('a job that failed or was cancelled is done again in its place, once for all who ask at a time', async () => {
    const { id } = await queue.submit('refuse', {}, user)
    await ended(id)
    const both = await Promise.allSettled([queue.retry(id), queue.retry(id)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await ended(id)).toMatchObject({ status: 'error', attempts: 2, username: 'demo' })

    const long = await queue.submit('count', { steps: 400, stepMs: 50 }, user)
    await queue.cancel(long.id, user)
    expect((await ended(long.id)).cancelled).toBe(true)
    await queue.retry(long.id)
    expect(await queue.get(long.id, user)).toMatchObject({ cancelled: false, error: null })
    await queue.cancel(long.id, user)
    await ended(long.id)

    const good = await queue.submit('count', { steps: 1, stepMs: 1 }, user)
    await ended(good.id)
    await expect(queue.retry(good.id)).rejects.toMatchObject({ code: 'job.notFailed' })
    await expect(queue.retry('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({ status: 404 })
  })

  test('jobs belong to their user; managers see all, and kinds may be open to everyone signed in', async () => {
    const own = await queue.submit('count', { steps: 1, stepMs: 1 }, user)
    await expect(queue.get(own.id, stranger)).rejects.toMatchObject({ code: 'job.forbidden', status: 403 })
    expect((await queue.get(own.id, manager)).id).toBe(own.id)
    const shared = await queue.submit('shared', {}, user)
    expect((await queue.get(shared.id, stranger)).id).toBe(shared.id)
    await expect(queue.get('00000000-0000-4000-8000-000000000000', user)).rejects.toMatchObject({
      status: 404,
    })
  })

  test('a user may have only so many jobs open, even when asking all at once', async () => {
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map(() => queue.submit('shared', {}, stranger)))
    expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(2)
    expect(results.find((r) => r.status === 'rejected')).toMatchObject({
      reason: { code: 'job.tooMany', status: 429 },
    })
  })
})

describe('workers as processes', () => {
  let database: TestDatabase
  let handle: DatabaseHandle
  let boss: PgBoss
  let queue: JobQueue
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-jobs-'))
  const children: ChildProcess[] = []

  const startWorker = async (): Promise<ChildProcess> => {
    const script = new URL('./testing/worker-process.ts', import.meta.url).pathname
    const child = spawn(process.execPath, [script, database.url, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    return child
  }

  beforeAll(async () => {
    database = await createTestDatabase()
    const config = { ...loadConfig({}), databaseUrl: database.url, dataDir, logLevel: 'silent' as const }
    const log = createLogger('silent')
    handle = await openDatabase(config, { log })
    boss = await startBoss(handle, log)
    await createQueues(boss, jobKinds)
    queue = new JobQueue(handle.db, boss, jobKinds, () => new Date())
  })
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    await boss?.stop({ graceful: false })
    await handle?.close()
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const endOf = async (id: string): Promise<Job> => {
    for (;;) {
      const job = await queue.get(id, manager)
      if (job.status === 'done' || job.status === 'error') return job
      await sleep(100)
    }
  }

  test(`[${KILLS} kills] jobs whose workers are killed at any moment are finished by others, once, without the dead ones’ files`, {
    timeout: 600_000,
  }, async () => {
    const steps = SOAK ? 300 : 12
    const workers = await Promise.all(Array.from({ length: KILLS }, startWorker))
    const jobs = await Promise.all(workers.map(() => queue.submit('count', { steps, stepMs: 100 }, user)))
    const started = async () => (await queue.get(jobs[0].id, user)).status !== 'pending'
    while (!(await started())) await sleep(20)
    await Promise.all(
      workers.map(async (worker) => {
        // Whatever the machine is slow at, some are in the middle of a job.
        await sleep(Math.random() * 0.6 * steps * 100)
        worker.kill('SIGKILL')
      }),
    )
    await Promise.all([startWorker(), startWorker()])
    const attempts: number[] = []
    for (const { id } of jobs) {
      const job = await endOf(id)
      expect(job).toMatchObject({ status: 'done', result: { counted: steps } })
      expect(job.logs).toHaveLength(1)
      const out = join(dataDir, jobOutput(id))
      expect(readdirSync(out).sort()).toEqual(['checksums.json', 'partial.txt', 'result.txt'])
      expect(readFileSync(join(out, 'partial.txt'), 'utf8')).toBe(`try ${job.attempts}`)
      attempts.push(job.attempts)
    }
    expect(Math.max(...attempts)).toBeGreaterThan(1)
  })

  // Each death is noticed after 10 s of silence, so this takes over a minute.
  test.runIf(SOAK)(
    'a job whose workers die again and again ends in error with that reason',
    {
      timeout: 300_000,
    },
    async () => {
      for (const child of children.splice(0)) child.kill('SIGKILL')
      const { id } = await queue.submit('count', { steps: 300, stepMs: 100 }, user)
      for (let attempt = 1; attempt <= RETRIES + 1; attempt++) {
        const worker = await startWorker()
        while ((await queue.get(id, user)).attempts < attempt) await sleep(50)
        worker.kill('SIGKILL')
      }
      await startWorker()
      expect(await endOf(id)).toMatchObject({
        status: 'error',
        error: WORKER_LOST,
        attempts: RETRIES + 1,
      })
      expect(existsSync(join(dataDir, jobOutput(id)))).toBe(false)
    },
  )
})
