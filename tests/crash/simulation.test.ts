import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Job, LuseFile, OutputFile } from '@radx/contracts'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  formDataOf,
  runFields,
  virtualRainFields,
} from '../../apps/server/src/simulation/testing/run-form.ts'
import { writeSmallCatchment } from '../../apps/server/src/simulation/testing/small-catchment.ts'
import { createTestDatabase } from '../../apps/server/src/testing/database.ts'
import { radx } from '../conformance/radx-program.ts'
import { kill9, startServer, until } from './ingest-kill.ts'

/** Three days, minute by minute: the run lasts long enough to be interrupted. */
const RAIN = { d: 4_300, t: 30, iMax: 5, calmAfter: 100 }

describe('a server that goes away in a run', () => {
  let dataDir: string
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let env: Record<string, string>
  let server: ReturnType<typeof startServer> | undefined
  let url: string
  let token: string

  const start = async () => {
    server = startServer(env)
    const { log } = server
    const found = () => /RadX écoute sur (http:[^"\s]+)/.exec(log())?.[1]
    await until('the server', async () => found() !== undefined, log)
    url = found() as string
    await until('it to be ready', async () => (await fetch(`${url}/readyz`)).ok, log)
  }
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}` } })
    return { status: answer.status, body: await answer.json() }
  }
  const log = () => server?.log() ?? ''

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'radx-crash-run-'))
    database = await createTestDatabase()
    env = { DATA_DIR: dataDir, DATABASE_URL: database.url, RADX_WORKERS: '1' }
    const user = await radx(['user', 'add', '--generate', 'anne'], env)
    const password = /^Mot de passe : (\S+)$/m.exec(user.stdout)?.[1]
    const imported = await radx(['catchment', 'import', writeSmallCatchment(join(dataDir, 'petit'))], env)
    expect([user.code, imported.code]).toEqual([0, 0])
    await start()
    const answer = await fetch(`${url}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'anne', password }),
    })
    token = (await answer.json()).token
  })
  afterAll(async () => {
    if (server) await kill9(server.child)
    await database?.drop()
    if (dataDir) await rm(dataDir, { recursive: true, force: true })
  })

  const submit = async (): Promise<string> => {
    const [file] = (await call('/api/multihydro/files?c=petit&n=luse.asc')).body as LuseFile[]
    const { codes } = (await call(`/api/multihydro/file/${file._id}/dataJson?allCodes=true`)).body
    const fields = runFields({ catchmentId: 'petit', luseId: file._id, codes }, virtualRainFields(RAIN))
    const body = formDataOf({ ...fields, title: 'Semaine de pluie' })
    const answer = await call('/api/job/multihydro', { method: 'POST', body })
    expect(answer.status).toBe(200)
    return answer.body.jobId
  }

  test('killed once and restarted once, the run is finished once, and nothing half-written is given out meanwhile', {
    timeout: 600_000,
  }, async () => {
    const id = await submit()
    const job = async (): Promise<Job> => (await call(`/api/job/${id}`)).body
    const under = (attempt: number) => async () => {
      const { status, attempts, progress } = await job()
      expect(status).not.toBe('done')
      return status === 'running' && attempts === attempt && progress.value > 0
    }
    const nothingYet = async () => {
      expect(existsSync(join(dataDir, 'jobs', id, 'out'))).toBe(false)
      expect((await call(`/api/job/output/${id}`)).status).toBe(404)
      expect((await call(`/api/job/output/${id}/all_flow_10m.txt/data`)).status).toBe(404)
    }

    await until('the first try', under(1), log)
    await nothingYet()
    await kill9(server!.child)
    await start()
    await nothingYet()
    await until('the second try', under(2), log)
    const { child } = server!
    const gone = new Promise((done) => child.once('exit', done))
    child.kill('SIGTERM')
    await gone
    await start()
    await nothingYet()
    await until('the end', async () => ['done', 'error'].includes((await job()).status), log)

    const ended = await job()
    expect(ended).toMatchObject({ status: 'done', error: null, attempts: 3 })
    expect(ended.logs.filter(({ line }) => / pas en /.test(line))).toHaveLength(1)
    expect(readdirSync(join(dataDir, 'jobs', id))).toEqual(['out'])
    const files = (await call(`/api/job/output/${id}`)).body as OutputFile[]
    expect(files.filter(({ error, sizeKo }) => error !== null || sizeKo === 0)).toEqual([])
    const flows = readFileSync(join(dataDir, 'jobs', id, 'out', 'all_flow_10m.txt'), 'utf8')
    expect(flows.trimEnd().split('\n')).toHaveLength(1 + virtualRain('simple', RAIN).length)
  })
})
