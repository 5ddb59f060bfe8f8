import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DEFAULT_DOUBLE_TRIANGLE,
  DEFAULT_SIMPLE_TRIANGLE,
  type LuseConfig,
  type LuseData,
  OUTPUT_FLOW,
  OUTPUT_HEIGHT,
  OUTPUT_MAX_DEPTH,
  ROLE_MANAGER,
  type RunMeasure,
  SIMULATION_FORM_KEYS,
} from '@radx/contracts'
import { demoCatchment } from '@radx/demo/catchment/package'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App, Deps } from '../http/app.ts'
import { createApp } from '../http/create-app.ts'
import type { Session } from '../http/sessions.ts'
import { jobOutput } from '../jobs/output.ts'
import { registerJobs } from '../jobs/routes.ts'
import { Jobs } from '../jobs/service.ts'
import { CHECKSUMS } from '../store/folder-checksums.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { CatchmentLibrary } from './catchment/library.ts'
import { DEMO_RUNS } from './demo-runs.ts'
import { codesOf, findLuseFile, landUseOf } from './land-use/luse-files.ts'
import { multihydro } from './multihydro.ts'
import { registerSimulation } from './routes.ts'
import { runFields, virtualRainFields } from './testing/run-form.ts'

const session = (
  name: string,
  roles: string[] = [],
  restriction: Session['restriction'] = null,
): Session => ({
  userId: name,
  name,
  roles,
  restriction,
})

describe('simulations', () => {
  let database: TestDatabase
  let app: App
  let deps: Deps
  let jobs: Jobs
  let reference: { _id: string }
  let configs: LuseConfig[]
  let grid: number[][]
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-simulation-'))
  const packageDir = mkdtempSync(join(tmpdir(), 'radx-package-'))
  const tokens = new Map([
    ['u', session('ursule')],
    ['v', session('victor')],
    ['m', session('chef', [ROLE_MANAGER])],
    ['r', session('restreint', [], { start: new Date('2020-01-01T00:00:00Z'), end: null })],
  ])

  beforeAll(async () => {
    for (const [name, text] of demoCatchment()) writeFileSync(join(packageDir, name), text)
    database = await createTestDatabase()
    const config = testConfig({ DATA_DIR: dataDir, RADX_WORKERS: '1', DATABASE_URL: database.url })
    const sessions = { resolve: async (token: string) => tokens.get(token) ?? null }
    const base = await testDeps({
      config,
      database: handleOf(database),
      sessions,
      clock: { now: () => Date.now() },
    })
    await new CatchmentLibrary(base.db, base.config).import(packageDir)
    const kindsModule = new URL('../job-kinds.ts', import.meta.url).href
    jobs = new Jobs({ deps: base, kinds: [multihydro as never], kindsModule, work: true })
    jobs.start()
    await jobs.ready()
    deps = { ...base, jobs }
    app = await createApp(deps, { features: [registerSimulation, registerJobs] })
    reference = (await get('/api/multihydro/files?c=melun&n=luse.asc')).body[0]
    const data: LuseData = (
      await get(`/api/multihydro/file/${reference._id}/dataJson?allCodes=true&elevation=true`)
    ).body
    configs = (data.codes as LuseConfig[]).filter((c) => c.isSelected)
    grid = data.data
  })
  test('the demonstration compares a project with the town as it is, under the same storm', async () => {
    const signal = new AbortController().signal
    const made = await Promise.all(DEMO_RUNS.slice(0, 3).map((run) => run.input(deps, signal)))
    const [design, storm, project] = made
    if (!design || !storm || !project) throw new Error('a run cannot be made')
    expect(design.virtualData).toEqual(virtualRain('double', DEFAULT_DOUBLE_TRIANGLE))
    expect(storm.virtualData.reduce((a, b) => a + b, 0) / 60).toBeCloseTo(60, 3)
    expect(storm.luseId).toBe(reference._id)
    const { title, luseId, luseDesc, ...rest } = project
    expect(storm).toMatchObject(rest)
    expect(luseDesc).not.toBe('')
    const row = await findLuseFile(deps.db, luseId)
    const { luseConfigs, luseUpdates } = await landUseOf(deps.db, project)
    expect(row).toMatchObject({ username: 'default', description: luseDesc, configs: luseConfigs })
    const painted = grid.map((cells) => [...cells])
    for (const { i, j, value } of luseUpdates) painted[i][j] = value
    expect(Array.from(await codesOf(row))).toEqual(painted.flat())
    expect(new Set(luseUpdates.map(({ value }) => value))).toEqual(new Set([7, 8]))
    expect(luseConfigs.slice(-2).map(({ code }) => code)).toEqual([7, 8])
    await deps.db.deleteFrom('luse_file').where('id', '=', luseId).execute()
  })

  afterAll(async () => {
    await app?.close()
    await jobs?.stop()
    await database?.drop()
    for (const dir of [dataDir, packageDir]) rmSync(dir, { recursive: true, force: true })
  })

  const get = async (path: string, token: string | null = 'u') => {
    const response = await app.inject({
      url: path,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    })
    const json = response.headers['content-type']?.toString().includes('json')
    return {
      status: response.statusCode,
      body: json ? response.json() : response.body,
      headers: response.headers,
    }
  }
  const put = (path: string, payload: object | string, token = 'u') =>
    app.inject({
      method: 'PUT',
      url: path,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': typeof payload === 'string' ? 'text/plain' : 'application/json',
      },
      payload,
    })
  const form = (changes: Record<string, string | null> = {}): Record<string, string | null> => ({
    ...runFields({ catchmentId: 'melun', luseId: reference._id, codes: configs }),
    ...virtualRainFields(DEFAULT_SIMPLE_TRIANGLE),
    ...changes,
  })
  const post = async (
    fields: Record<string, string | null>,
    token: string | null = 'u',
    key: string | null = null,
  ) => {
    const boundary = 'x-radx-boundary'
    const payload = `${Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(
        ([name, value]) =>
          `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      .join('')}--${boundary}--\r\n`
    const response = await app.inject({
      method: 'POST',
      url: '/api/job/multihydro',
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(key === null ? {} : { 'idempotency-key': key }),
      },
      payload,
    })
    return { status: response.statusCode, body: response.json() }
  }
  const finished = async (id: string) => {
    for (let i = 0; i < 1_200; i++) {
      const { body } = await get(`/api/job/${id}`, 'm')
      if (body.status === 'done' || body.status === 'error') return body
      await sleep(100)
    }
    throw new Error('the run did not end')
  }
  const cancel = async (id: string, token = 'u') => {
    await app.inject({
      method: 'POST',
      url: `/api/job/${id}/cancel`,
      headers: { authorization: `Bearer ${token}` },
    })
    await finished(id)
  }
  const cellOf = (wanted: (code: number, i: number, j: number) => boolean): [number, number] => {
    for (let i = 0; i < grid.length; i++)
      for (let j = 0; j < grid[i].length; j++) if (wanted(grid[i][j], i, j)) return [i, j]
    throw new Error('no such cell')
  }

  let done: string

  test('[API-25] [API-26] [API-27] [SIMFORM-03] [JOB-09] a complete form becomes a run that ends with its files and balance', async () => {
    const { status, body } = await post(form())
    expect(status).toBe(200)
    done = body.jobId
    const job = await finished(done)
    expect(job).toMatchObject({
      _id: done,
      id: done,
      status: 'done',
      kind: 'multihydro',
      username: 'ursule',
      error: null,
      delay: expect.any(Number),
      logs: expect.arrayContaining([{ at: expect.any(String), line: expect.any(String) }]),
      input: { title: 'Essai', catchmentId: 'melun' },
    })
    expect(Date.now() - Date.parse(job.date)).toBeGreaterThanOrEqual(job.delay)
    expect(Math.abs(job.result.balance.relativeError)).toBeLessThan(1e-6)
    // 10 mm/h at the peak of a 10 min triangle is 5/6 mm on the catchment.
    const cells = grid.flat().filter((code) => code !== -9999).length
    expect(job.result.balance.rainM3).toBeCloseTo((cells * 100 * (10 * 10)) / 2 / 60 / 1000, 0)
    expect(job.result.rainSparkline).toHaveLength(60)
    expect(job.input.virtualData).toHaveLength(45)
    // Nothing was painted: the run is on the file itself, not on a copy, however its keys are ordered.
    const turned = configs.map((config) => Object.fromEntries(Object.entries(config).reverse()))
    const again = await post(form({ luseConfigs: JSON.stringify(turned) }))
    expect((await get(`/api/job/${again.body.jobId}`)).body.input.luseId).toBe(reference._id)
    await cancel(again.body.jobId)
    expect(job.input.luseId).toBe(reference._id)
    const lines = await database.db
      .selectFrom('audit_event')
      .select(['actor', 'action', 'subject', 'details'])
      .where('subject', 'in', [done, again.body.jobId])
      .orderBy('n')
      .execute()
    const details = { title: 'Essai', catchment: 'melun' }
    expect(lines.map(({ actor, action, subject, details: told }) => [actor, action, subject, told])).toEqual([
      ['ursule', 'run.submit', done, details],
      ['ursule', 'run.submit', again.body.jobId, details],
      ['ursule', 'run.cancel', again.body.jobId, {}],
    ])
  })

  test('a form that is sent twice with its key is one run, and a key stands for one form of one user', async () => {
    const [cell, other] = [cellOf((code) => code === 3), cellOf((code) => code === 1)]
    const painted = (place: [number, number]) =>
      form({ title: 'Deux clics', luseUpdates: JSON.stringify([{ i: place[0], j: place[1], value: 2 }]) })
    const runs = await Promise.all([1, 2, 3].map(() => post(painted(cell), 'u', 'form-1')))
    expect(runs.map(({ status }) => status)).toEqual([200, 200, 200])
    const [{ jobId }] = runs.map(({ body }) => body)
    expect(new Set(runs.map(({ body }) => body.jobId))).toEqual(new Set([jobId]))
    const files = await deps.db
      .selectFrom('luse_file')
      .select('id')
      .where('username', '=', 'ursule')
      .execute()
    expect(files).toHaveLength(1)
    await cancel(jobId)
    // Also once the run has ended.
    expect((await post(painted(cell), 'u', 'form-1')).body.jobId).toBe(jobId)
    expect(await post(painted(other), 'u', 'form-1')).toMatchObject({
      status: 409,
      body: { code: 'job.keyUsed' },
    })
    const anothers = (await post(painted(cell), 'v', 'form-1')).body.jobId
    expect(anothers).not.toBe(jobId)
    await cancel(anothers, 'v')
    expect((await post(form(), 'u', ' ')).status).toBe(400)
    const listed = (await get('/api/jobs/multihydro')).body.find((j: { _id: string }) => j._id === jobId)
    expect(listed).toMatchObject({ status: 'error', cancelled: true, queuePlace: null })
    const kept = (await get('/api/jobs/multihydro')).body.find((j: { _id: string }) => j._id === done)
    expect(kept).toMatchObject({ cancelled: false, queuePlace: null })
    for (const [id, token] of [
      [jobId, 'u'],
      [anothers, 'v'],
    ])
      await app.inject({
        method: 'DELETE',
        url: `/api/job/${id}`,
        headers: { authorization: `Bearer ${token}` },
      })
  })

  test('[API-40] [API-41] [SIMDETAIL-29] [SIMDETAIL-30] the output files are listed and given out as text', async () => {
    const { body: files } = await get(`/api/job/output/${done}`)
    const named = new Map(files.map((f: { name: string }) => [f.name, f]))
    for (const name of [OUTPUT_FLOW, OUTPUT_HEIGHT, OUTPUT_MAX_DEPTH])
      expect(named.get(name)).toMatchObject({
        name,
        error: null,
        desc: expect.stringContaining('<br>'),
        sizeKo: expect.any(Number),
      })
    const { body: text } = await get(`/api/job/output/${done}/${OUTPUT_FLOW}/data`)
    const lines = text.trim().split('\n')
    expect(lines[0].startsWith('time_s\t')).toBe(true)
    expect(lines).toHaveLength(46)
    expect((await get(`/api/job/output/${done}/..%2F..%2Fsecret/data`)).status).toBe(404)
    expect((await get(`/api/job/output/${done}/${OUTPUT_FLOW}/data`, null)).status).toBe(401)
  })

  test('[API-42] [SWMM-17] [SWMM-18] [SIMDETAIL-37] output content by file, and refusal of an unknown one', async () => {
    const flow = (await get(`/api/multihydro/file/${done}/output?outputType=${OUTPUT_FLOW}`)).body
    expect(flow.intervalMinutes).toBe(1)
    expect(Object.keys(flow.links[0]).sort()).toEqual(
      [
        'Barrels',
        'From_Node',
        'Geom1',
        'InOffset',
        'InitFlow',
        'Length',
        'MaxFlow',
        'Name',
        'OutOffset',
        'Roughness',
        'Shape',
        'To_Node',
        'data',
      ].sort(),
    )
    expect(flow.links[0].data).toHaveLength(45)
    const height = (await get(`/api/multihydro/file/${done}/output?outputType=${OUTPUT_HEIGHT}`)).body
    expect(Object.keys(height.junctions[0]).sort()).toEqual(
      ['Aponded', 'Elevation', 'InitDepth', 'MaxDepth', 'Name', 'SurDepth', 'data'].sort(),
    )
    expect(Math.max(...height.junctions.flatMap((j: { data: number[] }) => j.data))).toBeGreaterThan(0)
    // What the run noted of its overflows, and the network's results for other tools.
    expect(Array.isArray(height.overflowing)).toBe(true)
    const results = await app.inject({
      url: `/api/job/output/${done}/network.out/data`,
      headers: { authorization: 'Bearer u' },
    })
    expect([results.statusCode, results.rawPayload.readInt32LE(0)]).toEqual([200, 516114522])
    const nodes = (await get(`/api/job/output/${done}/sewer_nodes.csv/data`)).body.trim().split('\n')
    expect(nodes).toHaveLength(height.junctions.length + 2)
    const depth = (await get(`/api/multihydro/file/${done}/output?outputType=${OUTPUT_MAX_DEPTH}`)).body
    expect([depth.data.length, depth.data[0].length]).toEqual([grid.length, grid[0].length])
    const unknown = await get(`/api/multihydro/file/${done}/output?outputType=x.txt`)
    expect(unknown).toMatchObject({ status: 400, body: { message: 'Unknown selectedOutput' } })
  })

  test('[API-43] [API-44] [API-45] [SWMM-16] [SWMM-28] nodes, the shortest path, and water levels along it every 10 minutes', async () => {
    const { body: nodes } = await get('/api/multihydro/melun/nodes')
    expect(nodes[0]).toMatchObject({
      name: expect.any(String),
      lon: expect.any(Number),
      lat: expect.any(Number),
    })
    for (const { lon, lat } of nodes) {
      expect(lon).toBeGreaterThan(2.6)
      expect(lon).toBeLessThan(2.7)
      expect(lat).toBeGreaterThan(48.5)
      expect(lat).toBeLessThan(48.57)
    }
    const links = (await get(`/api/multihydro/file/${done}/output?outputType=${OUTPUT_FLOW}`)).body.links
    const down = new Map(links.map((l: { From_Node: string; To_Node: string }) => [l.From_Node, l.To_Node]))
    const way = ['J-0900']
    for (let next = down.get(way[0]); next; next = down.get(next)) way.push(next as string)
    const end = way[way.length - 1]
    const { body: path } = await get(
      `/api/pathfinder/catchmentId/melun?start=J-0900&end=${end}&jobId=${done}`,
    )
    expect(path).toEqual(way)
    const { body: profile } = await get(
      `/api/multihydro/file/nodepath?jobId=${done}&nodePath=${path.join(',')}`,
    )
    expect(profile.nodes.map((n: { Name: string }) => n.Name)).toEqual(path)
    expect(profile.links).toHaveLength(path.length - 1)
    expect(profile.data.map((d: { timeS: number }) => d.timeS)).toEqual([0, 600, 1200, 1800, 2400])
    expect(profile.data[0].depths).toHaveLength(path.length)
    // Speeds are those of the file for EPA SWMM at the ends of the intervals.
    expect(profile.data[0].speeds).toHaveLength(path.length - 1)
    expect(Math.max(...profile.data.flatMap(({ speeds }: { speeds: number[] }) => speeds))).toBeGreaterThan(
      0.1,
    )
    expect((await get('/api/pathfinder/catchmentId/melun?start=J-0900&end=nowhere')).status).toBe(404)
    const through = await get(
      `/api/pathfinder/catchmentId/melun?start=J-0900&end=${end}&via=${way[1]}&jobId=${done}`,
    )
    expect(through.body).toEqual(way)
  })

  test('[API-24] [API-46] [REF-05] [REF-09] runs are listed, and compared only with the same catchment and rain', async () => {
    const other = { ...DEFAULT_SIMPLE_TRIANGLE, iMax: 20 }
    const twin = (await post(form({ title: 'Jumelle' }), 'v')).body.jobId
    const rain = JSON.stringify(virtualRain('simple', other))
    const wetter = (
      await post(form({ title: 'Plus fort', virtualParam: JSON.stringify(other), virtualData: rain }))
    ).body.jobId
    await Promise.all([finished(twin), finished(wetter)])
    const { body: list } = await get('/api/jobs/multihydro')
    expect(list.map((j: { input: { title: string } }) => j.input.title)).toEqual(
      expect.arrayContaining(['Essai', 'Jumelle', 'Plus fort']),
    )
    expect(list[0].input).not.toHaveProperty('luseUpdates')
    const { body: similar } = await get(`/api/jobs/multihydro/similar/${done}`)
    const { input, username, date } = list.find((j: { _id: string }) => j._id === twin)
    expect(similar).toEqual([{ _id: twin, input, username, date }])
    expect(input).toMatchObject({ title: 'Jumelle', catchmentId: 'melun' })
    expect(username).not.toBe('ursule')
    expect((await get('/api/jobs/multihydro', null)).status).toBe(401)
  })

  test('[API-28] [API-29] [API-30] [SIMDETAIL-06] title and notes belong to the owner and managers, as JSON or text', async () => {
    expect((await put(`/api/multihydro/${done}/title`, { title: ' Orage ' })).statusCode).toBe(204)
    expect((await get(`/api/job/${done}`)).body.input.title).toBe('Orage')
    expect((await put(`/api/multihydro/${done}/title`, 'Orage bref', 'm')).statusCode).toBe(204)
    expect((await put(`/api/multihydro/${done}/title`, { title: 'x' }, 'v')).statusCode).toBe(403)
    expect((await put(`/api/multihydro/${done}/title`, { title: '  ' })).json().message).toBe(
      'Ce champ est requis',
    )
    expect((await put(`/api/multihydro/${done}/comment`, { comment: 'Noté <b>ici</b>' })).statusCode).toBe(
      204,
    )
    const { body, headers } = await get(`/api/multihydro/${done}/comment`, 'v')
    expect(body).toBe('Noté <b>ici</b>')
    expect(headers['content-type']).toContain('text/plain')
    const comment = `/api/multihydro/${done}/comment`
    expect((await put(comment, { comment: 'Du chef', before: 'Noté <b>ici</b>' }, 'm')).statusCode).toBe(204)
    const stale = await put(comment, { comment: 'Du propriétaire', before: 'Noté <b>ici</b>' })
    expect([stale.statusCode, stale.json()]).toEqual([
      409,
      expect.objectContaining({
        code: 'simulation.staleNotes',
        message: expect.stringContaining('modifiées par quelqu’un d’autre'),
      }),
    ])
    expect((await get(comment)).body).toBe('Du chef')
    // An answer that got lost: the same text again is no quarrel.
    expect((await put(comment, { comment: 'Du chef', before: 'Noté <b>ici</b>' }, 'm')).statusCode).toBe(204)
    expect((await put(comment, { comment: 'Des deux', before: 'Du chef' })).statusCode).toBe(204)
    expect((await put(comment, 'Sans condition')).statusCode).toBe(204)
    await deps.db.updateTable('job').set({ username: 'default' }).where('id', '=', done).execute()
    for (const token of ['u', 'm'])
      expect((await put(`/api/multihydro/${done}/title`, { title: 'x' }, token)).statusCode).toBe(403)
  })

  test('[API-32] [API-33] [API-34] [API-38] [LUSE-26] [LUSE-27] land-use files carry their fields, text and picture', async () => {
    const { body: record } = await get(`/api/multihydro/file/${reference._id}`)
    expect(record).toMatchObject({
      _id: reference._id,
      username: 'default',
      filename: 'luse.asc',
      sizeKo: expect.any(Number),
      token: expect.any(String),
    })
    expect(Buffer.from(record.base64Image, 'base64').subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    const { body: text, headers } = await get(`/api/multihydro/file/${reference._id}/data`)
    expect(headers['content-disposition']).toContain('luse.asc')
    expect(text.split('\n')[6].trim().split(/\s+/).map(Number)).toEqual(grid[0])
    const { body: image } = await get(`/api/multihydro/file/${reference._id}/imageluse`)
    expect((await get(image.path)).headers['content-type']).toBe('image/jpeg')
  })

  test('[API-35] [API-36] [API-37] [LUSE-28] [LUSE-29] grid rows, elevation, all codes and the mask', async () => {
    const { body: plain } = await get(`/api/multihydro/file/${reference._id}/dataJson?elevation=true`)
    expect(plain).not.toHaveProperty('codes')
    expect([plain.elevation.length, plain.elevation[0].length]).toEqual([grid.length, grid[0].length])
    const { body: all } = await get(`/api/multihydro/file/${reference._id}/dataJson?allCodes=true`)
    expect(all.codes.filter((c: LuseConfig) => c.isSelected).map((c: LuseConfig) => c.code)).toEqual([
      1, 2, 3, 4, 5, 6,
    ])
    expect(all.codes.some((c: LuseConfig) => !c.isSelected)).toBe(true)
    const { body: mask } = await get('/api/multihydro/file/mask/eogn')
    const cells: number[][] = JSON.parse(mask.data)
    expect([cells.length, cells[0].length]).toEqual([grid.length, grid[0].length])
    expect(cells.flat().filter((m) => m === 1).length).toBeGreaterThan(500)
  })

  test('[API-39] [LUCMP-01] [LUCMP-03] painting becomes a file of its own, compared with the catchment’s', async () => {
    const mask: number[][] = JSON.parse((await get('/api/multihydro/file/mask/eogn')).body.data)
    const [i, j] = cellOf((code, r, c) => code === 3 && mask[r][c] === 1)
    const updates = JSON.stringify([{ i, j, value: 1 }])
    const { status, body } = await post(
      form({ caseStudyId: 'eogn', luseUpdates: updates, luseDesc: 'Un arbre' }),
    )
    expect(status).toBe(200)
    const { input } = await finished(body.jobId)
    expect(input.luseId).not.toBe(reference._id)
    expect(input.luseIdSource).toBe(reference._id)
    expect((await get(`/api/multihydro/file/${input.luseId}`)).body).toMatchObject({
      username: 'ursule',
      desc: 'Un arbre',
    })
    const query = `catchmentId=melun&luseId=${input.luseId}&caseStudyId=eogn`
    const { body: change } = await get(`/api/multihydro/file/compare?${query}`)
    const at = (code: number) => change.landCodes.findIndex((l: { code: number }) => l.code === code)
    expect(change.chords[at(3)][at(1)]).toBe(1)
    expect(change.landCodes[0]).toHaveProperty('title')
    expect(change.sourceOfLands.reduce((a: number, b: number) => a + b)).toBe(
      mask.flat().filter((m) => m === 1).length,
    )
  })

  test('a rain garden and a basin of the market hold the water of a run, and their table tells where it went', async () => {
    const { body } = await get(`/api/multihydro/file/${reference._id}/dataJson?allCodes=true`)
    const chosen = (['jardin-de-pluie', 'bassin-retention'] as const).map((wanted, k) => {
      const config = (body.codes as LuseConfig[]).find(({ id }) => id === wanted)!
      return { ...config, code: 7 + k, isSelected: true }
    })
    const [i, j] = cellOf((code, r, c) => code === 3 && [1, 2, 3].every((away) => grid[r][c + away] === 3))
    const updates = [7, 7, 3, 8].map((value, k) => ({ i, j: j + k, value }))
    const withTable = (table: LuseConfig[]) =>
      form({
        title: 'Ouvrages',
        luseUpdates: JSON.stringify(updates),
        luseConfigs: JSON.stringify([...configs, ...table]),
      })
    const [garden, basin] = chosen
    const wrong = { ...basin, measure: { ...basin.measure!, drainTo: 'REGARD-0' } }
    expect((await post(withTable([garden, wrong]))).body.message).toMatch(
      /absents du réseau : REGARD-0 \(code 8\)/,
    )
    const deep = { ...basin, measure: { ...basin.measure!, storageMm: 99_000 } }
    expect((await post(withTable([garden, deep]))).body.details.field).toBe('luseConfigs')
    const posted = await post(
      withTable([garden, { ...basin, measure: { ...basin.measure!, storageMm: 600 } }]),
    )
    const { status, result } = await finished(posted.body.jobId)
    expect(status).toBe('done')
    const { balance } = result
    expect(Math.abs(balance.relativeError)).toBeLessThan(1e-9)
    const { body: found } = await get(`/api/multihydro/file/${posted.body.jobId}/measures`)
    const rainMm = (10 * 10) / 2 / 60
    expect(found.measures).toEqual([
      expect.objectContaining({
        name: 'Jardin de pluie 1',
        kind: 'rain-garden',
        cells: 2,
        areaM2: 200,
        drainTo: '',
      }),
      expect.objectContaining({ name: 'Bassin de rétention 1', kind: 'basin', cells: 1, costEur: 3500 }),
    ])
    for (const { cells, rainM3, keptM3 } of found.measures as RunMeasure[]) {
      expect(rainM3).toBeCloseTo((cells * 100 * rainMm) / 1000, 3)
      expect(keptM3).toBeGreaterThan(0)
    }
    const kept = (found.measures as RunMeasure[]).reduce((sum, { keptM3 }) => sum + keptM3, 0)
    expect(balance.measuresStoredM3 + balance.measuresInfiltratedM3).toBeCloseTo(kept, 2)
    expect((await get(`/api/multihydro/file/${done}/measures`)).body).toEqual({ measures: [] })
    expect((await get(`/api/multihydro/file/${done}/measures`, null)).status).toBe(401)
  })

  test('[SIMFORM-33] a form without one of its keys is refused with that key', async () => {
    for (const key of SIMULATION_FORM_KEYS) {
      const { status, body } = await post(form({ [key]: null }))
      expect([status, body.message]).toEqual([400, `Key: ${key} is not included in reducer`])
    }
  })

  let kept: string
  test('[SIMFORM-21] [SIMFORM-22] [SIMFORM-23] [SIMFORM-24] a run keeps the whole form as its input, flags as texts', async () => {
    const [i, j] = cellOf((code) => code === 3)
    const simple = { d: 12, t: 4, iMax: 8, calmAfter: 2 }
    const { body: sent } = await post(
      form({
        greenRoof: 'false',
        drainageModule: 'false',
        luseDesc: 'Un bosquet',
        luseUpdates: JSON.stringify([{ i, j, value: 1 }]),
        virtualParam: JSON.stringify(simple),
        virtualData: JSON.stringify(virtualRain('simple', simple)),
      }),
    )
    const { body: job } = await get(`/api/job/${sent.jobId}`)
    // What was painted and the table are kept once, with the file; the answer has them all the same.
    const row = await deps.db
      .selectFrom('job')
      .select('input')
      .where('id', '=', sent.jobId)
      .executeTakeFirstOrThrow()
    expect(row.input).not.toHaveProperty('luseUpdates')
    expect(row.input).not.toHaveProperty('luseConfigs')
    const { luseId, virtualData, luseConfigs, ...input } = job.input
    expect(luseId).not.toBe(reference._id)
    expect(virtualData).toHaveLength(15 + 12 + 2)
    expect(luseConfigs).toEqual(configs)
    expect(input).toEqual({
      catchmentOutdated: false,
      catchmentSynthetic: true,
      catchmentCorners: expect.objectContaining({ ne: [2.678841, 48.557191], sw: [2.632982, 48.526473] }),
      title: 'Essai',
      catchmentId: 'melun',
      catchmentDisplay: 'Melun',
      caseStudyId: '',
      barrier: 'false',
      barrierHeight: '0',
      bassin: 'false',
      bassinDepth: '0',
      greenRoof: 'false',
      soilModule: 'true',
      drainageModule: 'false',
      luseIdSource: reference._id,
      luseDesc: 'Un bosquet',
      rainfallSelection: 'virtual',
      rainfallStart: '2019-12-31T23:00:00Z',
      rainfallEnd: '2019-12-31T23:29:00.000Z',
      simulationDuration: 29 / 60,
      virtualRainShape: 'simple',
      virtualParam: simple,
      equations: 'auto',
      luseUpdates: [{ i, j, value: 1 }],
      product: null,
    })
    await app.inject({
      method: 'POST',
      url: `/api/job/${sent.jobId}/cancel`,
      headers: { authorization: 'Bearer u' },
    })
    await finished(sent.jobId)
    kept = sent.jobId
  })

  test('[LUSE-24] every code carries its properties and its texts', async () => {
    const { body } = await get(`/api/multihydro/file/${reference._id}/dataJson?allCodes=true`)
    for (const config of body.codes as LuseConfig[]) {
      // What holds water says so beside them.
      const { measure: _, ...properties } = config
      expect(Object.keys(properties).sort()).toEqual([
        'capsh',
        'code',
        'color',
        'desc',
        'descFull',
        'id',
        'interceptionclass',
        'isSelected',
        'kh',
        'nmanningov',
        'soilmd',
        'title',
      ])
      expect(typeof config.code).toBe('number')
    }
  })

  test('titles that two people give at once: one of them stands, and nothing else of the run changes', async () => {
    const before = (await get(`/api/job/${kept}`)).body
    await put(`/api/multihydro/${kept}/comment`, { comment: 'À garder.' })
    const names = Array.from({ length: 12 }, (_, k) => `Titre ${k}`)
    const answers = await Promise.all(
      names.map((title, k) => put(`/api/multihydro/${kept}/title`, { title }, k % 2 === 0 ? 'u' : 'm')),
    )
    expect(new Set(answers.map(({ statusCode }) => statusCode)).size).toBe(1)
    expect(answers[0].statusCode).toBeLessThan(300)
    const after = (await get(`/api/job/${kept}`)).body
    expect(names).toContain(after.input.title)
    expect({ ...after, input: { ...after.input, title: before.input.title } }).toEqual(before)
    expect((await get(`/api/multihydro/${kept}/comment`)).body).toBe('À garder.')
  })

  test('wrong values are refused by name and start nothing', async () => {
    const before = (await get('/api/jobs/multihydro')).body.length
    const gully = cellOf((code) => code === 5)
    const grass = cellOf((code) => code === 3)
    const painted = (i: number, j: number, value: number) => JSON.stringify([{ i, j, value }])
    const cases: [Record<string, string>, string, RegExp?][] = [
      [{ title: ' ' }, 'title'],
      [{ catchmentId: 'paris' }, 'catchmentId'],
      [{ caseStudyId: 'ailleurs' }, 'caseStudyId'],
      [{ soilModule: 'oui' }, 'soilModule'],
      [{ luseId: '00000000-0000-4000-8000-000000000000', luseIdSource: '' }, 'luseId'],
      [{ luseUpdates: '{' }, 'luseUpdates'],
      [{ luseUpdates: painted(0, 99_999, 1) }, 'luseUpdates', /hors de la grille/],
      [{ luseUpdates: painted(...gully, 1) }, 'luseUpdates', /porte un avaloir/],
      [{ luseUpdates: painted(...grass, 77) }, 'luseUpdates', /Le code 77 n’est pas dans la table/],
      [
        { luseConfigs: JSON.stringify(configs.filter(({ code }) => code !== 3)) },
        'luseConfigs',
        /Le code 3 est sur la carte mais pas dans la table/,
      ],
      [
        { caseStudyId: 'eogn', luseUpdates: painted(...cellOf((c, i) => c === 3 && i > 300), 1) },
        'luseUpdates',
        /hors de la zone d’étude/,
      ],
      [{ luseConfigs: '[]' }, 'luseConfigs'],
      [{ luseConfigs: JSON.stringify(configs.map((c) => ({ ...c, nmanningov: 99 }))) }, 'luseConfigs'],
      [{ rainfallSelection: 'neige' }, 'rainfallSelection'],
      [{ virtualData: JSON.stringify(new Array(45).fill(0)) }, 'virtualData', /La pluie est nulle partout/],
      [{ virtualData: '[1,-2]' }, 'virtualData'],
      [{ rainfallSelection: 'radar', rainfallStart: 'hier' }, 'rainfallStart'],
      [
        {
          rainfallSelection: 'radar',
          rainfallStart: '2021-01-02T00:00:00Z',
          rainfallEnd: '2021-01-01T00:00:00Z',
        },
        'rainfallEnd',
      ],
      [
        {
          rainfallSelection: 'radar',
          rainfallStart: '2021-01-02T00:00:00Z',
          rainfallEnd: '2021-01-02T01:00:00Z',
        },
        'rainfallStart',
        /aucune image radar pour cette période/,
      ],
      [
        {
          rainfallSelection: 'radar',
          rainfallStart: '2021-01-02T00:00:00Z',
          rainfallEnd: '2021-01-02T01:00:00Z',
          transposition: JSON.stringify({ eastM: 0, northM: 250_000, shiftMinutes: 0, factor: 1 }),
        },
        'transposition',
        /ne couvre plus le bassin versant/,
      ],
    ]
    for (const [changes, field, words = /\S/] of cases) {
      const { status, body } = await post(form(changes))
      expect([JSON.stringify(changes), status, body.details?.field]).toEqual([
        JSON.stringify(changes),
        400,
        field,
      ])
      expect(body.message).toMatch(words)
    }
    expect((await get('/api/jobs/multihydro')).body).toHaveLength(before)
  })

  test('[LUSE-36] only managers change the properties of a code', async () => {
    const softer = JSON.stringify(configs.map((c) => (c.code === 3 ? { ...c, nmanningov: 0.25 } : c)))
    expect((await post(form({ luseConfigs: softer }))).body.details.field).toBe('luseConfigs')
    const { status, body } = await post(form({ luseConfigs: softer }), 'm')
    expect(status).toBe(200)
    await app.inject({
      method: 'POST',
      url: `/api/job/${body.jobId}/cancel`,
      headers: { authorization: 'Bearer m' },
    })
    await finished(body.jobId)
  })

  test('an account’s dates bound radar rain, not virtual rain', async () => {
    expect((await post(form({ rainfallSelection: 'ev7' }), 'r')).status).toBe(403)
    const { status, body } = await post(form(), 'r')
    expect(status).toBe(200)
    await finished(body.jobId)
    expect((await post(form(), null)).status).toBe(401)
  })

  test('[API-31] a random name for a simulation', async () => {
    const names = await Promise.all(
      Array.from({ length: 8 }, async () => (await get('/api/random', null)).body.name),
    )
    expect(new Set(names).size).toBeGreaterThan(1)
  })

  test('a damaged or missing output says so and the rest stays', async () => {
    const dir = join(dataDir, jobOutput(done))
    const height = () => get(`/api/multihydro/file/${done}/output?outputType=${OUTPUT_HEIGHT}`)
    const path = () => get(`/api/multihydro/file/nodepath?jobId=${done}&nodePath=J-0001,J-0002`)
    writeFileSync(join(dir, OUTPUT_HEIGHT), 'time_s\tJ-0001\n60\t0.25\n')
    expect((await height()).body.message, 'not the file that was written').toContain(OUTPUT_HEIGHT)
    // As runs were stored before there were checksums.
    rmSync(join(dir, CHECKSUMS))
    // Without the notes of the run, overflows are left to the means; a junction that the file lacks has none.
    rmSync(join(dir, 'sewer_nodes.csv'))
    writeFileSync(join(dir, OUTPUT_HEIGHT), 'time_s\tJ-0001\n60\t0.25\n')
    const { body: thin } = await height()
    expect(thin.overflowing).toBeNull()
    const dataOf = (name: string) => thin.junctions.find((j: { Name: string }) => j.Name === name).data
    expect([dataOf('J-0001'), dataOf('J-0002')]).toEqual([[0.25], []])
    expect((await path()).body.message).toContain('J-0002')
    for (const damaged of [
      '',
      'time_s\tJ-0001\n',
      'time_s\tJ-0001\n60\tNaN\n',
      'time_s\tJ-0001\n60\t\n',
      'x\tJ-0001\n60\t1\n',
    ]) {
      writeFileSync(join(dir, OUTPUT_HEIGHT), damaged)
      expect([damaged, (await height()).status, (await path()).status]).toEqual([damaged, 404, 404])
    }
    writeFileSync(join(dir, OUTPUT_HEIGHT), 'time_s\tJ-0001\n60\t0\t1\n')
    rmSync(join(dir, OUTPUT_FLOW))
    expect(existsSync(join(dir, OUTPUT_MAX_DEPTH))).toBe(true)
    for (const name of [OUTPUT_FLOW, OUTPUT_HEIGHT])
      expect((await get(`/api/multihydro/file/${done}/output?outputType=${name}`)).status).toBe(404)
    const { body: files } = await get(`/api/job/output/${done}`)
    expect(files.find((f: { name: string }) => f.name === OUTPUT_FLOW).error).toMatch(/manque/)
    expect((await get(`/api/multihydro/file/${done}/output?outputType=${OUTPUT_MAX_DEPTH}`)).status).toBe(200)
  })
})
