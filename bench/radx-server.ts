import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { LoginAnswer } from '@radx/contracts/accounts'
import type { LuseData, LuseFile } from '@radx/contracts/simulation'
import { formDataOf, runFields } from '../apps/server/src/simulation/testing/run-form.ts'

const ROOT = resolve(import.meta.dirname, '..')
const RADX = join(ROOT, 'apps/server/bin/radx.js')

export interface BenchServer {
  url: string
  pid: number
  dataDir: string
  session: LoginAnswer
  /** Runs the command line on the server's data. */
  radx(...args: string[]): Promise<void>
  /** A call with the session; JSON of its answer. */
  call<T>(path: string, init?: RequestInit): Promise<T>
  stop(): Promise<void>
}

/**
 * The product as it starts anywhere: its own PostgreSQL, an empty data folder, one account, no demonstration.
 * @param more of its environment
 * @param role of the account
 */
export async function startBenchServer(
  more: Record<string, string> = {},
  role: string[] = [],
): Promise<BenchServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-bench-server-'))
  const env = { ...process.env, NODE_ENV: 'production', DEMO: '0', PORT: '0', DATA_DIR: dataDir, ...more }
  const child = spawn(process.execPath, [RADX, 'serve'], { cwd: ROOT, env })
  const url = await new Promise<string>((done, fail) => {
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      const found = /RadX écoute sur (http:[^"\s]+)/.exec(output)
      if (found) done(found[1])
    })
    child.once('exit', () => fail(new Error(output)))
  })
  const run = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [RADX, ...args], { cwd: ROOT, env })).stdout
  const password = /^Mot de passe : (\S+)$/m.exec(
    await run('user', 'add', '--generate', ...role, 'banc'),
  )?.[1]
  const answer = await fetch(`${url}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'banc', password }),
  })
  const session = (await answer.json()) as LoginAnswer
  return {
    url,
    pid: child.pid!,
    dataDir,
    session,
    radx: async (...args) => void (await run(...args)),
    call: async <T>(path: string, init: RequestInit = {}) => {
      const headers = { ...init.headers, authorization: `Bearer ${session.token}` }
      const response = await fetch(url + path, { ...init, headers })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as T
    },
    stop: async () => {
      const gone = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await gone
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Submits a run on the reference land use of a catchment, ev7 with all modules unless told otherwise; its id. */
export async function submitRun(
  { call }: BenchServer,
  catchmentId: string,
  changes: Record<string, string> = {},
): Promise<string> {
  const [file] = await call<LuseFile[]>(`/api/multihydro/files?c=${catchmentId}&n=luse.asc`)
  const { codes = [] } = await call<LuseData>(`/api/multihydro/file/${file._id}/dataJson?allCodes=true`)
  const fields = runFields({ catchmentId, luseId: file._id, codes }, { title: 'Banc', ...changes })
  const body = formDataOf(fields)
  return (await call<{ jobId: string }>('/api/job/multihydro', { method: 'POST', body })).jobId
}

/** Waits for the end of a run. @throws Error when it failed */
export async function finished({ call }: BenchServer, jobId: string): Promise<void> {
  for (;;) {
    const { status, error } = await call<{ status: string; error: string | null }>(`/api/job/${jobId}`)
    if (status === 'done') return
    if (status === 'error') throw new Error(error ?? 'the run failed')
    await new Promise((go) => setTimeout(go, 100))
  }
}
