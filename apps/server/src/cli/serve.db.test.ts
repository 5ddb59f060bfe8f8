import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { INSTALL_DIR } from '../config/config.ts'
import { loadSite } from '../config/site.ts'
import { run, runNode, until } from '../testing/processes.ts'
import { databaseBehindProxy } from '../testing/proxy.ts'
import { rainFile } from '../testing/rain-files.ts'
import { temporaryDir } from '../testing/temporary.ts'

const radx = join(import.meta.dirname, '../../bin/radx.js')
const holder = join(import.meta.dirname, '../testing/hold-database.ts')

/** A running `radx serve`, and how to ask it. */
async function serve(env: Record<string, string>) {
  const program = runNode([radx, 'serve'], { PORT: '0', RADX_LOG: 'info', DEMO: '0', ...env })
  const line = await program.sees('RadX écoute')
  const base = /http:\/\/[\d.:]+/.exec(line)![0]
  const status = async (path: string) => (await fetch(base + path)).status
  return { program, base, port: new URL(base).port, status }
}

test('it answers while the database is away, recovers by itself when it goes and comes back, and takes in what came meanwhile', async () => {
  const { proxy, url } = await databaseBehindProxy()
  const dataDir = temporaryDir()
  const { site } = await loadSite(join(INSTALL_DIR, 'site'))
  const drop = async (timeMs: number) => {
    const { name, bytes } = rainFile(site, { timeMs, steps: 40 })
    await mkdir(join(dataDir, 'inbox'), { recursive: true })
    await writeFile(join(dataDir, 'inbox', name), bytes)
  }
  const filesIn = async (folder: string) =>
    (await readdir(join(dataDir, folder), { recursive: true, withFileTypes: true }).catch(() => [])).filter(
      (entry) => entry.isFile(),
    ).length
  const start = Date.parse('2021-07-04T21:00:00Z')
  await drop(start)
  const { status, base, program } = await serve({ DATABASE_URL: url, DATA_DIR: dataDir })
  expect(await status('/healthz')).toBe(200)
  const refused = await fetch(`${base}/readyz`)
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({
    message: expect.stringMatching(/^La base de données ne répond pas/),
  })
  await proxy.up()
  await until('it is ready', async () => (await status('/readyz')) === 200)
  await until('what lay there is taken in', async () => (await filesIn('archive')) === 1)
  await proxy.down()
  await drop(start + 206_000)
  await until('it is no longer ready', async () => (await status('/readyz')) === 503)
  expect(await status('/healthz')).toBe(200)
  await proxy.up()
  await until('it is ready again', async () => (await status('/readyz')) === 200)
  await until('what came meanwhile is taken in', async () => (await filesIn('archive')) === 2)
  expect([await filesIn('inbox'), await filesIn('rejected')]).toEqual([0, 0])
  program.child.kill('SIGTERM')
  expect(await program.exit).toBe(0)
  expect(program.lines.join('\n')).not.toContain(new URL(url).password)
})

/** Callers that the system lets wait for a server. */
const QUEUE = Number(await readFile('/proc/sys/net/core/somaxconn', 'utf8').catch(() => '0'))

test.skipIf(QUEUE < 2_000)(
  'a thousand callers of a busy server wait and are served, none is turned away',
  async () => {
    const nowhere = 'postgres://nobody@127.0.0.1:9/none'
    const { program, port } = await serve({ DATABASE_URL: nowhere, DATA_DIR: temporaryDir() })
    let connected = 0
    let served = 0
    program.child.kill('SIGSTOP')
    const callers = Array.from({ length: 1_000 }, () => {
      const caller = connect(Number(port), '127.0.0.1', () => connected++)
      caller.on('error', () => undefined)
      caller.once('data', (bytes) => {
        if (bytes.toString().startsWith('HTTP/1.1 200')) served++
      })
      caller.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
      return caller
    })
    try {
      await until('all of them wait', async () => connected === callers.length)
      expect(served).toBe(0)
    } finally {
      program.child.kill('SIGCONT')
    }
    await until('all of them are served', async () => served === callers.length)
    for (const caller of callers) caller.destroy()
    program.child.kill('SIGTERM')
    expect(await program.exit).toBe(0)
  },
)

test('it stops cleanly with its PostgreSQL, and starts again at once on the same port', async () => {
  const dataDir = temporaryDir()
  const first = await serve({ DATA_DIR: dataDir })
  await until('it is ready', async () => (await first.status('/readyz')) === 200)
  // As from a terminal below npm: told by the terminal, and by npm.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) first.program.child.kill(signal)
  expect(await first.program.exit).toBe(0)
  const second = await serve({ DATA_DIR: dataDir, PORT: first.port })
  await until('it is ready', async () => (await second.status('/readyz')) === 200)
  // Somebody's form holds up the stop, and whoever wants it told a second time does not wait.
  const caller = connect(Number(second.port), '127.0.0.1')
  caller.on('error', () => undefined)
  caller.write('POST /api/users/login HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{')
  await until(
    'the call has come',
    async () => caller.bytesWritten > 0 && (await second.status('/healthz')) === 200,
  )
  second.program.child.kill('SIGTERM')
  await second.program.sees('Arrêt demandé')
  await sleep(1_100)
  second.program.child.kill('SIGTERM')
  expect(await second.program.exit).toBe(130)
  const left = await readdir(dataDir, { recursive: true })
  expect(left.filter((name) => name.endsWith('postmaster.pid'))).toEqual([])
})

test('a supervisor that ends `npm start` ends the server behind it, and its PostgreSQL', async () => {
  const dataDir = temporaryDir()
  const npm = run('npm', ['start'], { PORT: '0', RADX_LOG: 'info', DEMO: '0', DATA_DIR: dataDir })
  const base = /http:\/\/[\d.:]+/.exec(await npm.sees('RadX écoute'))![0]
  await until('it is ready', async () => (await fetch(`${base}/readyz`)).status === 200)
  npm.child.kill('SIGTERM')
  await npm.exit
  const isGone = async () => !(await fetch(`${base}/healthz`).catch(() => null))
  await until('nothing listens any more', isGone)
  // A command that finds no PostgreSQL running starts one of its own.
  const next = runNode([holder, dataDir])
  await next.sees('ready')
  next.child.stdin!.end()
  expect(await next.exit).toBe(0)
})

test('a stop in the middle of the first start leaves nothing running', async () => {
  const dataDir = temporaryDir()
  const { program } = await serve({ DATA_DIR: dataDir })
  program.child.kill('SIGTERM')
  expect(await program.exit).toBe(0)
  // Whoever comes next starts a PostgreSQL of its own.
  const next = runNode([holder, dataDir])
  await next.sees('ready')
  next.child.stdin!.end()
  expect(await next.exit).toBe(0)
})

test('a command beside a running server shares its PostgreSQL and leaves it running', async () => {
  const dataDir = temporaryDir()
  const { program, status } = await serve({ DATA_DIR: dataDir })
  await until('it is ready', async () => (await status('/readyz')) === 200)
  const beside = runNode([holder, dataDir])
  await beside.sees('ready')
  beside.child.stdin!.end()
  expect(await beside.exit).toBe(0)
  expect(await status('/readyz')).toBe(200)
  program.child.kill('SIGTERM')
  expect(await program.exit).toBe(0)
})

test('a port that is taken is told in French with what to do, exit code 1', async () => {
  const squatter = createServer()
  await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void squatter.close())
  const { port } = squatter.address() as { port: number }
  const program = runNode([radx, 'serve'], { PORT: String(port), DATA_DIR: temporaryDir() })
  expect(await program.exit).toBe(1)
  expect(program.lines.at(-1)).toContain(`radx serve : Le port ${port} est déjà pris`)
})
