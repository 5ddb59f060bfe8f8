import { expect, onTestFinished, test } from 'vitest'
import { createLogger } from '../log.ts'
import { until } from '../testing/processes.ts'
import { databaseBehindProxy } from '../testing/proxy.ts'
import { openDatabase } from './database.ts'
import { unavailableReason } from './errors.ts'
import { runAsLeader } from './leader.ts'

const log = createLogger('silent')

/** An empty database behind a proxy that is down at first. */
async function behindProxy() {
  const { proxy, url } = await databaseBehindProxy()
  const open = async (wait: boolean) => {
    const handle = await openDatabase({ databaseUrl: url, dataDir: '/nonexistent' }, { log, wait })
    onTestFinished(() => handle.close())
    return handle
  }
  return { proxy, open }
}

test('a server by address: away at the start, it is waited for, then gets its schema', async () => {
  const { proxy, open } = await behindProxy()
  const handle = await open(false)
  await until('the first try fails', () => handle.unavailable() === 'connexion refusée')
  await expect(handle.whenReady(100)).rejects.toMatchObject({ code: 'database.unavailable', status: 503 })
  await proxy.up()
  await handle.whenReady()
  expect(await handle.db.selectFrom('setting').selectAll().execute()).toEqual([])
})

test('a server that goes away and comes back: statements fail with the reason, then work again', async () => {
  const { proxy, open } = await behindProxy()
  await proxy.up()
  const handle = await open(true)
  const running = handle.pool.query('select pg_sleep(30)').catch((error: unknown) => error)
  await until('the statement runs', () => handle.pool.totalCount > 0 && handle.pool.idleCount === 0)
  await proxy.down()
  expect(unavailableReason(await running)).toBe('connexion perdue')
  await until('the loss is noticed', () => handle.unavailable() !== null)
  const refused = await handle.pool.query('select 1').catch((error: unknown) => error)
  expect(unavailableReason(refused)).toBe('connexion refusée')
  await proxy.up()
  await handle.whenReady()
  expect((await handle.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a pool whose connections are all at work says so, not that the server is away', async () => {
  const { proxy, open } = await behindProxy()
  await proxy.up()
  const { pool } = await open(true)
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  const error = await pool.query('select 1').catch((e: unknown) => e)
  for (const client of held) client.release()
  expect(unavailableReason(error)).toBe('toutes les connexions sont occupées')
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('closing leaves a server by address running', async () => {
  const { proxy, open } = await behindProxy()
  await proxy.up()
  await (await open(true)).close()
  expect((await (await open(true)).pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a statement that the schema refuses is no absence of the database', async () => {
  const { proxy, open } = await behindProxy()
  await proxy.up()
  const handle = await open(true)
  const error = await handle.pool.query('select * from nothing').catch((e: unknown) => e)
  expect(unavailableReason(error)).toBeNull()
})

test('a task runs in one process only; when that one loses the database another takes over', async () => {
  const { proxy, open } = await behindProxy()
  await proxy.up()
  const handle = await open(true)
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const runs: string[] = []
  let together = 0
  let most = 0
  const candidate = (name: string) =>
    runAsLeader(
      handle,
      'test',
      async (signal) => {
        runs.push(name)
        most = Math.max(most, ++together)
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        together -= 1
      },
      { stop: stop.signal, log, retryMs: 20 },
    )
  const ended = Promise.all([candidate('a'), candidate('b')])
  await until('one leads', () => runs.length === 1)
  await proxy.down()
  await until('the leader lets go', () => together === 0)
  await proxy.up()
  await until('one leads again', () => runs.length === 2)
  stop.abort()
  await ended
  expect(most).toBe(1)
})
