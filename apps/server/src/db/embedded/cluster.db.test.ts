import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLogger } from '../../log.ts'
import { runNode, until } from '../../testing/processes.ts'
import { temporaryDir } from '../../testing/temporary.ts'
import { openDatabase } from '../database.ts'
import { postgresAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { readRecord } from './record.ts'

const log = createLogger('silent')
const isRoot = process.getuid?.() === 0
const holder = join(import.meta.dirname, '../../testing/hold-database.ts')

async function open(dataDir: string) {
  const handle = await openDatabase({ dataDir, databaseUrl: null }, { log })
  onTestFinished(() => handle.close())
  return handle
}

function postmaster(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('the first start makes the cluster, a stop leaves no process, and the next start finds the data', async () => {
  const dataDir = temporaryDir()
  const first = await open(dataDir)
  await first.pool.query(`insert into setting (key, value) values ('a', '1')`)
  const { rows } = await first.pool.query(`select current_setting('fsync') as fsync`)
  expect(rows[0].fsync).toBe('on')
  const pid = postmaster(dataDir)
  await first.close()
  await until('PostgreSQL ends', () => !isAlive(pid))

  const second = await open(dataDir)
  expect((await second.pool.query('select key from setting')).rows).toEqual([{ key: 'a' }])
})

test('processes that start on one empty folder at once share one PostgreSQL; the last one stops it', async () => {
  const dataDir = temporaryDir()
  const processes = [1, 2, 3].map(() => runNode([holder, dataDir]))
  const said = await Promise.all(processes.map((p) => p.sees('ready')))
  expect(new Set(said).size).toBe(1)
  const pid = postmaster(dataDir)
  expect(said[0]).toBe(`ready ${pid}`)

  for (const p of processes.slice(0, 2)) {
    p.child.stdin!.end()
    expect(await p.exit).toBe(0)
    expect(isAlive(pid)).toBe(true)
  }
  processes[2].child.stdin!.end()
  expect(await processes[2].exit).toBe(0)
  await until('PostgreSQL ends', () => !isAlive(pid))
  expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.json', 'postgres.log'])
})

test('after a kill -9 the running PostgreSQL is found and gone on with, and stopped at the end', async () => {
  const dataDir = temporaryDir()
  const killed = runNode([holder, dataDir])
  await killed.sees('ready')
  const pid = postmaster(dataDir)
  killed.child.kill('SIGKILL')
  await killed.exit
  expect(isAlive(pid)).toBe(true)

  const next = await open(dataDir)
  expect(postmaster(dataDir)).toBe(pid)
  await next.close()
  await until('PostgreSQL ends', () => !isAlive(pid))
})

test('a PostgreSQL that is killed is started again, and what was committed is there', async () => {
  const dataDir = temporaryDir()
  const handle = await open(dataDir)
  await handle.pool.query(`insert into setting (key, value) values ('kept', '1')`)
  const pid = postmaster(dataDir)
  process.kill(pid, 'SIGKILL')
  await until('the loss is noticed', () => handle.unavailable() !== null)
  await handle.whenReady()
  expect(postmaster(dataDir)).not.toBe(pid)
  expect((await handle.pool.query('select key from setting')).rows).toEqual([{ key: 'kept' }])
})

test('a PostgreSQL that was told to stop and waits for our own sessions is started again', async () => {
  const dataDir = temporaryDir()
  const handle = await open(dataDir)
  const held = await handle.pool.connect()
  held.on('error', () => undefined)
  const pid = postmaster(dataDir)
  // "Smart" shutdown: nobody new gets in, and it ends with the last session.
  process.kill(pid, 'SIGTERM')
  await until('it is noticed', () => handle.unavailable() !== null)
  expect(isAlive(pid)).toBe(true)
  await handle.whenReady()
  expect(postmaster(dataDir)).not.toBe(pid)
  expect((await handle.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  held.release(true)
})

test('a pid file that a reboot left, with a number that now is another program, does not stop the start', async () => {
  const dataDir = temporaryDir()
  const first = await open(dataDir)
  await first.close()
  const { port } = readRecord(dataDir)!
  writeFileSync(
    join(dataDir, 'postgres/postmaster.pid'),
    `${process.ppid}\n${dataDir}/postgres\n1\n${port}\n\n127.0.0.1\n`,
  )
  await open(dataDir)
})

test('when another program took the port, a free one is chosen', async () => {
  const dataDir = temporaryDir()
  const first = await open(dataDir)
  await first.close()
  const { port } = readRecord(dataDir)!
  const squatter = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void squatter.close())

  const second = await open(dataDir)
  expect(readRecord(dataDir)!.port).not.toBe(port)
  expect((await second.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('what a kill left of an unfinished cluster is swept away', async () => {
  const dataDir = temporaryDir()
  // No process has the largest number.
  const left = join(dataDir, 'postgres.4194304.00ff00ff.partial')
  mkdirSync(left)
  await open(dataDir)
  expect(existsSync(left)).toBe(false)
})

test('a data folder that was moved still has its database', async () => {
  const dir = temporaryDir()
  const first = await open(join(dir, 'before'))
  await first.pool.query(`insert into setting (key, value) values ('moved', '1')`)
  await first.close()
  renameSync(join(dir, 'before'), join(dir, 'after'))
  const second = await open(join(dir, 'after'))
  expect((await second.pool.query('select key from setting')).rows).toEqual([{ key: 'moved' }])
})

test.runIf(isRoot)(
  'a data folder that the postgres account cannot enter: the cluster lies elsewhere, and the record says where',
  async () => {
    const dataDir = temporaryDir(0o700)
    const handle = await open(dataDir)
    const { clusterDir } = readRecord(dataDir)!
    onTestFinished(() => rmSync(dirname(clusterDir), { recursive: true, force: true }))
    expect(clusterDir).toMatch(/^\/var\/lib\/radx\//)
    expect(readFileSync(join(dirname(clusterDir), 'origin.txt'), 'utf8').trim()).toBe(dataDir)
    expect((await handle.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await handle.close()
  },
)

test('links between libraries that npm did not make are made, and programs out of reach are copied', () => {
  const account = postgresAccount()
  const original = findBinaries(account).dir
  const closed = temporaryDir(0o700)
  const native = join(closed, 'native')
  cpSync(original, native, { recursive: true, verbatimSymlinks: true })
  const links: { target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { target } of links) rmSync(join(closed, target), { force: true })

  const version = `test-${process.pid}`
  const found = findBinaries(account, { native, version })
  if (isRoot) onTestFinished(() => rmSync(found.dir, { recursive: true, force: true }))
  expect(links.every(({ target }) => existsSync(join(closed, target)))).toBe(true)
  expect(found.dir.startsWith(closed)).toBe(!isRoot)
})
