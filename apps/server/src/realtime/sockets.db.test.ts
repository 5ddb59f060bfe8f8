import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ALERTS_CHANGED,
  ALERTS_JOIN,
  type JobJoinAnswer,
  type JobProgress,
  ROLE_MANAGER,
} from '@radx/contracts'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { App, Deps } from '../http/app.ts'
import { createApp } from '../http/create-app.ts'
import type { Session } from '../http/sessions.ts'
import { registerJobs } from '../jobs/routes.ts'
import { Jobs } from '../jobs/service.ts'
import { jobKinds } from '../jobs/testing/kinds.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { RECHECK_MS } from './followers.ts'
import { installSockets } from './sockets.ts'

const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 60_000 })

const session = (name: string, roles: string[] = []): Session => ({
  userId: name,
  name,
  roles,
  restriction: null,
})

describe('jobs over HTTP and sockets', () => {
  let database: TestDatabase
  let deps: Deps
  let jobs: Jobs
  // Two servers on one database: a browser may be connected to the one that does no work.
  const servers: { app: App; url: string }[] = []
  const tokens = new Map<string, Session>()
  const sockets: Socket[] = []
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-sockets-'))

  beforeAll(async () => {
    database = await createTestDatabase()
    const sessions = { resolve: async (token: string) => tokens.get(token) ?? null }
    const config = testConfig({ DATA_DIR: dataDir, RADX_WORKERS: '1' })
    const base = await testDeps({
      config,
      database: handleOf(database),
      sessions,
      clock: { now: () => Date.now() },
    })
    const kindsModule = new URL('../jobs/testing/kinds.ts', import.meta.url).href
    jobs = new Jobs({ deps: base, kinds: jobKinds, kindsModule, work: true })
    jobs.start()
    await jobs.ready()
    deps = { ...base, jobs }
    for (let i = 0; i < 2; i++) {
      const app = await createApp(deps, { features: [registerJobs, installSockets] })
      await app.listen({ host: '127.0.0.1', port: 0 })
      servers.push({ app, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` })
    }
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close()
  })
  afterAll(async () => {
    for (const { app } of servers) await app.close()
    await jobs?.stop()
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  tokens.set('t-demo', session('demo'))
  tokens.set('t-other', session('autre'))
  tokens.set('t-chef', session('chef', [ROLE_MANAGER]))

  const call = async (path: string, token: string | null, method: 'GET' | 'POST' = 'GET') => {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` }
    const response = await servers[0].app.inject({ method, url: path, headers })
    return { status: response.statusCode, body: response.json() }
  }
  const connect = async (server: number, token: string | null): Promise<Socket> => {
    const socket = io(servers[server].url, {
      auth: { token },
      transports: ['websocket'],
      reconnection: false,
    })
    sockets.push(socket)
    await new Promise<void>((resolve, reject) => {
      socket.on('connect', resolve)
      socket.on('connect_error', reject)
    })
    return socket
  }
  const join_ = (socket: Socket, jobId: string, socketId = socket.id): Promise<JobJoinAnswer> =>
    socket.emitWithAck('job-join', { socketId, jobId })
  const submit = (steps: number, stepMs: number) =>
    jobs.queue().submit('count', { steps, stepMs }, { name: 'demo', isManager: false })

  test('[API-20] GET /api/job/{id} answers the job to its owner and to managers only', async () => {
    const { id } = await submit(1, 1)
    expect((await call(`/api/job/${id}`, null)).status).toBe(401)
    expect((await call(`/api/job/${id}`, 't-other')).status).toBe(403)
    expect((await call(`/api/job/${id}`, 't-chef')).status).toBe(200)
    const { status, body } = await call(`/api/job/${id}`, 't-demo')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id,
      kind: 'count',
      username: 'demo',
      input: { steps: 1 },
      output: { error: null },
    })
    expect((await call('/api/job/unknown', 't-demo')).status).toBe(400)
  })

  test('[JOB-03] [JOB-05] a follower on any server hears the progress up to the end', async () => {
    const socket = await connect(1, 't-demo')
    const heard: JobProgress[] = []
    socket.on('job-progress', (p) => heard.push(p))
    const { id } = await submit(8, 250)
    expect(await join_(socket, id)).toMatchObject({ ok: true })
    await eventually(() => heard.at(-1)).toMatchObject({ jobId: id, status: 'done', value: 8, max: 8 })
    expect(heard.some((p) => p.status === 'running' && p.msg.startsWith('Étape'))).toBe(true)
    expect(Date.parse(heard[0].msgDate)).toBeGreaterThan(Date.now() - 60_000)
  })

  test('[JOB-04] after job-leave nothing more is heard', async () => {
    const socket = await connect(0, 't-demo')
    const heard: JobProgress[] = []
    socket.on('job-progress', (p) => heard.push(p))
    const { id } = await submit(500, 100)
    await join_(socket, id)
    await eventually(() => heard.length).toBeGreaterThan(2)
    socket.emit('job-leave', { socketId: socket.id, jobId: id })
    // Questions are answered in turn: with this answer the leaving is done, and what came before it has come.
    await join_(socket, id, 'forged')
    const before = heard.length
    const counted = async () => (await call(`/api/job/${id}`, 't-demo')).body.progress.value as number
    const then = await counted()
    await eventually(counted).toBeGreaterThan(then + 4)
    await join_(socket, id, 'forged')
    expect(heard.length).toBe(before)
    await call(`/api/job/${id}/cancel`, 't-demo', 'POST')
  })

  test('nobody follows a job of somebody else, without a session, or for another socket', async () => {
    const { id } = await submit(1, 1)
    expect(await join_(await connect(0, 't-other'), id)).toMatchObject({ ok: false })
    expect(await join_(await connect(0, null), id)).toEqual({
      ok: false,
      error: 'Connectez-vous pour suivre ce calcul.',
    })
    expect(await join_(await connect(0, 't-demo'), id, 'forged')).toMatchObject({ ok: false })
    expect(await (await connect(0, 't-demo')).emitWithAck('job-join', 'x')).toMatchObject({ ok: false })
  })

  test('who listens for alerts is told to look once he is there, since what came before is not heard', async () => {
    const told = async (token: string | null) => {
      const socket = await connect(0, token)
      let times = 0
      socket.on(ALERTS_CHANGED, () => times++)
      socket.emit(ALERTS_JOIN)
      return { times: () => times, socket }
    }
    const demo = await told('t-demo')
    await eventually(demo.times).toBe(1)
    const nobody = await told(null)
    const { id } = await submit(1, 1)
    // Answered after the other was.
    expect((await join_(nobody.socket, id)).ok).toBe(false)
    expect(nobody.times()).toBe(0)
  })

  test('a follower whose session ends is disconnected within 5 s', async () => {
    tokens.set('t-gone', session('demo'))
    const socket = await connect(0, 't-gone')
    const { id } = await submit(100, 100)
    await join_(socket, id)
    tokens.delete('t-gone')
    await new Promise((resolve) => socket.on('disconnect', resolve))
    expect(RECHECK_MS).toBeLessThan(5_000)
    await call(`/api/job/${id}/cancel`, 't-demo', 'POST')
  })
})
