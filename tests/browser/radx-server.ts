import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { LoginAnswer } from '@radx/contracts/accounts'
import type { DemoFile } from '@radx/demo'
import { addAccount, type NewAccount } from '../../apps/server/src/accounts/service.ts'
import { createTestDatabase } from '../../apps/server/src/testing/database.ts'
import { endWithUs } from '../attack/program.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const RADX = join(ROOT, 'apps/server/bin/radx.js')
const START_MS = 120_000

export interface RadxServer {
  url: string
  /** Runs the command line beside the server, on its data; answers what it printed. */
  radx: (...args: string[]) => Promise<string>
  /** Makes an account and answers its password: the command line would take most of a second for it. */
  addAccount: (name: string, settings?: NewAccount) => Promise<string>
  signIn: (name: string, password: string) => Promise<LoginAnswer>
  /** Hands instrument files to `radx ingest`. */
  ingest: (files: DemoFile[]) => Promise<void>
  stop: () => Promise<void>
}

/** The product itself: `radx serve` in a process of its own with its own data and database, without demonstration. */
export async function startRadx(env: Record<string, string> = {}): Promise<RadxServer> {
  const database = await createTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-browser-'))
  const full = {
    ...process.env,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '0',
    DEMO: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    // Following rain takes a core for as long as most of the tests last; who looks at it asks for it.
    RADX_FOLLOW_RAIN: '0',
    ...env,
  }
  const child = spawn(process.execPath, [RADX, 'serve'], { cwd: ROOT, env: full })
  endWithUs(child)
  const url = await listening(child)
  const end = Date.now() + START_MS
  // It listens before its queue takes jobs.
  while (!(await fetch(`${url}/readyz`)).ok) {
    if (Date.now() > end) throw new Error('radx serve listens but is never ready')
    await sleep(50)
  }
  const radx = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [RADX, ...args], { cwd: ROOT, env: full })).stdout
  return {
    url,
    radx,
    addAccount: async (name, settings) => {
      const password = randomBytes(12).toString('base64url')
      await addAccount(database.db, name, password, settings)
      return password
    },
    signIn: async (username, password) => {
      const answer = await fetch(`${url}/api/users/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password }),
      })
      if (!answer.ok) throw new Error(`the login of ${username} answered ${answer.status}`)
      return (await answer.json()) as LoginAnswer
    },
    ingest: async (files) => {
      const folder = join(dataDir, 'from-the-test')
      mkdirSync(folder, { recursive: true })
      const paths = files.map(({ name, bytes }) => {
        writeFileSync(join(folder, name), bytes)
        return join(folder, name)
      })
      await radx('ingest', ...paths)
    },
    stop: async () => {
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await ended
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Address that the server says it listens on. */
function listening(child: ReturnType<typeof spawn>): Promise<string> {
  return new Promise((done, fail) => {
    let output = ''
    const timer = setTimeout(() => fail(new Error(`radx serve did not start:\n${output}`)), START_MS)
    const read = (chunk: Buffer) => {
      output += chunk
      const found = /RadX écoute sur (http:[^"\s]+)/.exec(output)
      if (!found) return
      clearTimeout(timer)
      done(found[1])
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => fail(new Error(`radx serve ended with ${code}:\n${output}`)))
  })
}
