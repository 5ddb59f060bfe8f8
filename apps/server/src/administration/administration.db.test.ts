import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { adminIngestSchema, adminJobsSchema, adminStorageSchema, ownDataSchema } from '@radx/contracts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAccount } from '../accounts/service.ts'
import { INSTALL_DIR } from '../config/config.ts'
import { storeReadings } from '../gauges/api.ts'
import { jobKinds } from '../job-kinds.ts'
import { jobOutput } from '../jobs/output.ts'
import { JobQueue } from '../jobs/queue.ts'
import { type AccountServer, bearer, passwordOf, startAccountServer } from '../testing/account-server.ts'

let server: AccountServer
let manager: string
beforeAll(async () => {
  let queue: JobQueue | null = null
  // No job is done here: the queue only looks and deletes.
  const jobs = { starting: () => false, queue: () => queue! }
  server = await startAccountServer({ DEMO: '0' }, { jobs })
  queue = new JobQueue(server.database.db, null as never, jobKinds, () => new Date(server.clock.ms))
  manager = await server.signIn('chef', { roles: ['manager'] })
})
afterAll(() => server?.close())

const call = (method: 'GET' | 'POST', url: string, token: string, payload?: object) =>
  server.app.inject({ method, url, payload, headers: bearer(token) })

async function job(username: string, status: string, title: string, kind = 'multihydro'): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into job (id, kind, username, input, status, error, finished_at, output_bytes)
    values (gen_random_uuid(), ${kind}, ${username}, ${JSON.stringify({ title })}::jsonb, ${status},
      ${status === 'error' ? 'Pluie absente.' : null}, ${status === 'done' || status === 'error' ? new Date() : null}, 1000)
    returning id`.execute(server.database.db)
  return rows[0].id
}

test('the queue tells what runs, what waits in its turn and what failed, with the reason', async () => {
  const [waiting, failed, running] = [
    await job('anne', 'pending', 'Orage'),
    await job('anne', 'error', 'Crue'),
    await job('boris', 'running', 'Melun'),
  ]
  await job('boris', 'done', 'Finie')
  const answer = adminJobsSchema.parse((await call('GET', '/api/admin/jobs', manager)).json())
  expect(answer).toMatchObject({ waiting: 1, running: 1, failed: 1, done: 1 })
  expect(answer.jobs.map(({ id, title, error }) => [id, title, error])).toEqual([
    [running, 'Melun', null],
    [waiting, 'Orage', null],
    [failed, 'Crue', 'Pluie absente.'],
  ])
  await server.database.db.deleteFrom('job').execute()
})

describe('ingest', () => {
  const HOUR = 3_600_000
  const iso = (ms: number) => new Date(ms).toISOString()

  test('last files, delay and gaps are those of the frames; before the first frame nothing is missing', async () => {
    const { db } = server.database
    const product = server.deps.site.products[0]
    const now = server.clock.ms
    const step = product.frameSeconds * 1000
    await sql`insert into radar_product (short_name, bounds, steps) values (${product.shortName}, '{}', 1)
      on conflict do nothing`.execute(db)
    await sql`insert into radar_params (hash, version, name, sensor) values ('h', '1', 'n', '{}')`.execute(db)
    const late = 42_000
    // Five hours of frames, of which the third hour is missing; nothing for the last ten steps.
    const times: number[] = []
    for (let at = now - 5 * HOUR; at <= now - 10 * step; at += step)
      if (at < now - 3 * HOUR || at >= now - 2 * HOUR) times.push(at)
    for (const [i, at] of times.entries()) {
      const hash = Buffer.alloc(32, i % 256)
      hash.writeUInt32BE(i)
      await sql`insert into source_file (hash, kind, name, bytes, product_id, received_at)
        select ${hash}, 'rainbow5', ${`f${i}`}, 10, id, ${new Date(at + late)} from radar_product
        where short_name = ${product.shortName}`.execute(db)
      await sql`insert into radar_frame (product_id, time, pack_offset, pack_length, classes_offset, valid_count, wet_count,
          sum_codes, max_code, max_index, zone_mean, zone_wet_mean, zone_wet_pct, params_id, source)
        select p.id, ${new Date(at)}, 0, 0, 0, 0, 0, 0, 0, 0, '{}', '{}', '{}', (select max(id) from radar_params), ${hash}
        from radar_product p where p.short_name = ${product.shortName}`.execute(db)
    }
    const ingest = adminIngestSchema.parse((await call('GET', '/api/admin/ingest', manager)).json())
    const shown = ingest.products.find((one) => one.product === product.shortName)!
    const before = times.filter((at) => at < now - 3 * HOUR).at(-1)!
    const after = times.find((at) => at >= now - 2 * HOUR)!
    expect(shown.gaps).toEqual([
      { start: iso(before), end: iso(after) },
      { start: iso(times.at(-1)!), end: iso(now) },
    ])
    expect(shown.missingSeconds).toBeCloseTo((after - before + now - times.at(-1)!) / 1000, 3)
    expect(shown.latencySeconds).toBeCloseTo(42, 3)
    expect(shown.firstFrame).toBe(iso(times[0]))
    expect(ingest.sources).toEqual([
      {
        kind: 'rainbow5',
        product: product.shortName,
        name: `f${times.length - 1}`,
        receivedAt: iso(times.at(-1)! + late),
        newestAt: iso(times.at(-1)!),
        files: times.length,
      },
    ])
    const none = ingest.products.find((one) => one.product !== product.shortName)
    expect(none).toMatchObject({ firstFrame: null, gaps: [], latencySeconds: null })
  })

  test('the newest reading of the site’s gauges is told; those of accounts are none of them', async () => {
    const { db } = server.database
    const now = server.clock.ms
    const { rows } = await sql<{ id: string }>`insert into gauge_own (username, name, lat, lng, measure)
      values ('anne', 'Jardin', 48.5, 2.6, 'depth') returning id`.execute(db)
    const ends = (last: number) => ({
      timesMs: Float64Array.of(last - 300_000, last),
      mm: Float64Array.of(0.2, Number.NaN),
    })
    await db.transaction().execute(async (tx) => {
      await storeReadings(tx, 'ground-1', ends(now - 2 * HOUR))
      await storeReadings(tx, 'ground-2', ends(now - HOUR))
      await storeReadings(tx, rows[0].id, ends(now))
    })
    await sql`insert into source_file (hash, kind, name, bytes, received_at)
      values (${Buffer.alloc(32, 255)}, 'gauge', 'G.dat', 10, ${new Date(now)})`.execute(db)
    const { sources } = adminIngestSchema.parse((await call('GET', '/api/admin/ingest', manager)).json())
    const newest = iso(Math.floor((now - HOUR) / 1000) * 1000)
    expect(sources.find(({ kind }) => kind === 'gauge')?.newestAt).toBe(newest)
    await sql`delete from gauge_day`.execute(db)
    await sql`delete from gauge_own`.execute(db)
    await sql`delete from source_file where kind = 'gauge'`.execute(db)
  })

  test('refused files are listed with their reason and can be fetched, and nothing beside them can', async () => {
    const folder = join(server.deps.config.dataDir, 'rejected')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'été 1.azi'), 'octets')
    writeFileSync(
      join(folder, 'été 1.azi.reason.txt'),
      'Fichier : été 1.azi\nRefusé le : hier\nMotif : Le fichier est vide.\nCode : ingest.empty\n',
    )
    writeFileSync(join(folder, '..', 'secret.txt'), 'secret')
    const { rejected, rejectedCount } = adminIngestSchema.parse(
      (await call('GET', '/api/admin/ingest', manager)).json(),
    )
    expect(rejectedCount).toBe(1)
    expect(rejected).toMatchObject([{ name: 'été 1.azi', bytes: 6, reason: 'Le fichier est vide.' }])
    const fetch = (name: string) =>
      call('GET', `/api/admin/ingest/rejected/${encodeURIComponent(name)}`, manager)
    const file = await fetch('été 1.azi')
    expect([file.statusCode, file.body]).toEqual([200, 'octets'])
    expect(file.headers['content-disposition']).toMatch(/^attachment;/)
    for (const name of ['../secret.txt', './été 1.azi', 'été 1.azi.reason.txt', 'absent'])
      expect((await fetch(name)).statusCode, name).toBe(404)
  })
})

test('storage tells sizes, the room that is left and the database', async () => {
  const storage = adminStorageSchema.parse((await call('GET', '/api/admin/storage', manager)).json())
  expect(storage.databaseBytes).toBeGreaterThan(1e6)
  expect(storage.disk!.totalBytes).toBeGreaterThan(storage.disk!.freeBytes)
  expect(storage.tables.length).toBe(8)
  expect(storage.postgres).toMatch(/^\d+/)
})

test('Prometheus reads calls by route, the newest data, jobs and sizes; nobody but a manager does', async () => {
  const read = async (token: string) => {
    const answer = await call('GET', '/metrics', token)
    return { status: answer.statusCode, type: answer.headers['content-type'], text: answer.body }
  }
  const user = await server.signIn('curieux')
  expect((await server.app.inject('/metrics')).statusCode).toBe(401)
  expect((await read(user)).status).toBe(403)
  const { db } = server.database
  await job('anne', 'pending', 'Orage')
  await sql`update job set created_at = ${new Date(server.clock.ms - 90_000)}`.execute(db)
  await call('GET', '/api/admin/accounts/nobody/made-up', manager)
  await call('GET', `/api/admin/ingest/rejected/${'x'.repeat(20)}`, manager)
  for (const [minute, status] of [
    [0, 'failed'],
    [3, 'done'],
    [6, 'members'],
  ] as const)
    await db
      .insertInto('flood_cycle')
      .values({
        ...{ catchment_id: 'petit', catchment_hash: 'h', epoch: new Date(0), status, about: null },
        issued: new Date(minute * 60_000),
        began_at: new Date(minute * 60_000 + 10_000),
        finished_at: status === 'members' ? null : new Date(minute * 60_000 + 52_000),
      })
      .execute()
  const { status, type, text } = await read(manager)
  expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const value = (series: string) => {
    const line = text.split('\n').find((one) => one.startsWith(`${series} `))
    return line === undefined ? null : Number(line.slice(series.length))
  }
  // The address of a route as declared: neither names nor addresses that somebody made up become series.
  const refused = 'method="GET",route="/api/admin/ingest/rejected/:name",status="4xx"'
  expect(value(`radx_http_requests_total{${refused}}`)).toBeGreaterThanOrEqual(1)
  expect(value('radx_http_requests_total{method="GET",route="/*",status="4xx"}')).toBe(1)
  expect(text).not.toContain('made-up')
  expect(value('radx_http_request_duration_seconds_count{method="GET",route="/metrics"}')).toBeGreaterThan(0)
  const newest = await db
    .selectFrom('radar_frame')
    .select((e) => e.fn.max('time').as('at'))
    .executeTakeFirstOrThrow()
  const product = server.deps.site.products[0].shortName
  expect(value(`radx_newest_data_timestamp_seconds{source="${product}"}`)).toBe(newest.at!.getTime() / 1000)
  expect(value(`radx_newest_frame_delay_seconds{source="${product}"}`)).toBeCloseTo(42, 3)
  expect(value('radx_jobs{kind="multihydro",status="pending"}')).toBe(1)
  expect(value('radx_job_oldest_wait_seconds')).toBeCloseTo(90, 3)
  expect(value('radx_ingest_files{folder="rejected"}')).toBe(1)
  expect(value('radx_flood_cycle_timestamp_seconds{catchment="petit"}')).toBe(180)
  expect(value('radx_flood_cycle_duration_seconds{catchment="petit"}')).toBe(42)
  expect(value('radx_flood_cycles_failed{catchment="petit"}')).toBe(1)
  expect(value('radx_stored_bytes{what="database"}')).toBeGreaterThan(1e6)
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e7)
  // Read again after a job has gone: its series goes too. Within ten seconds the same is told to all who ask.
  await db.deleteFrom('job').execute()
  const series = async () => (await read(manager)).text.includes('radx_jobs{')
  expect(await series()).toBe(true)
  server.clock.ms += 10_000
  expect(await series()).toBe(false)
  // Every series of the dashboard that goes with it is told.
  const dashboard = readFileSync(join(INSTALL_DIR, 'docs/grafana/radx.json'), 'utf8')
  const asked = new Set(dashboard.match(/\b(?:radx|nodejs|process)_[a-z_]+/g))
  expect(asked.size).toBeGreaterThan(10)
  for (const name of asked) expect(text, name).toContain(name)
})

describe('one’s own data', () => {
  const things = async (name: string) => {
    const { db } = server.database
    await sql`insert into saved_event (username, title, product, period_start, period_end, comment)
      values (${name}, 'Orage', 'dpsri', now(), now() + interval '1 h', 'mon commentaire')`.execute(db)
    await sql`insert into montana_table (username, name, note, laws) values (${name}, 'T', '', '[]')`.execute(
      db,
    )
    const { rows } = await sql<{ id: string }>`insert into gauge_own (username, name, lat, lng, measure)
      values (${name}, 'G', 48, 2, 'depth') returning id`.execute(db)
    await sql`insert into gauge_day (gauge, utc_day, readings) values (${rows[0].id}, '2026-06-01', '')`.execute(
      db,
    )
  }
  const counts = async (name: string) => {
    const { rows } = await sql<Record<string, number>>`select
      (select count(*)::int from job where username = ${name}) as jobs,
      (select count(*)::int from saved_event where username = ${name}) as events,
      (select count(*)::int from montana_table where username = ${name}) as tables,
      (select count(*)::int from gauge_own where username = ${name}) as gauges,
      (select count(*)::int from gauge_day) as days,
      (select count(*)::int from account where name = ${name}) as accounts`.execute(server.database.db)
    return rows[0]
  }

  test('is seen and taken along whole, without a secret and without another’s', async () => {
    const token = await server.signIn('carla')
    await things('carla')
    await job('carla', 'done', 'Ma simulation')
    await job('chef', 'done', 'Pas la mienne')
    const { db } = server.database
    const { id } = await findAccount(db, 'carla')
    await sql`insert into totp (account_id, secret, confirmed_at) values (${id}, ${Buffer.alloc(20, 7)}, now())`.execute(
      db,
    )
    await sql`insert into recovery_code (account_id, number, hash) values (${id}, 0, '$argon2id$x')`.execute(
      db,
    )
    await sql`insert into passkey (id, account_id, public_key, counter, name, created_at)
      values ('cle', ${id}, 'clef publique', 0, 'téléphone', now())`.execute(db)
    await sql`insert into gauge_flag (gauge, start_at, end_at, kind, reason, author)
      values ('g1', now(), now(), 'bad', 'bouché', 'carla'), ('g1', now(), now(), 'bad', 'autre', 'chef')`.execute(
      db,
    )
    const seen = ownDataSchema.parse((await call('GET', '/api/users/data', token)).json())
    expect(seen).toMatchObject({ runs: 1, exports: 0, events: 1, tables: 1, gauges: 1, managers: ['chef'] })
    const file = await call('GET', '/api/users/data.json', token)
    expect(file.headers['content-disposition']).toMatch(/^attachment/)
    expect(file.json()).toMatchObject({
      account: { name: 'carla' },
      jobs: [{ title: 'Ma simulation' }],
      events: [{ comment: 'mon commentaire' }],
      gauges: [{ name: 'G' }],
      gaugeFlags: [{ reason: 'bouché' }],
      secondFactor: {
        totpConfirmedAt: expect.any(String),
        passkeys: [{ name: 'téléphone' }],
        recoveryCodes: [{ number: 0, used_at: null }],
      },
    })
    expect(file.json().auditTrail.length).toBeGreaterThan(0)
    expect(file.body).not.toMatch(/argon2|Pas la mienne|token|password_hash|secret"|clef publique|autre/)
  })

  test('is erased with the runs and their files, or the runs are handed to a manager in force', async () => {
    const { db } = server.database
    const erase = (token: string, name: string, after: object, password = passwordOf(name)) =>
      call('POST', '/api/users/erase', token, { password, after })
    const folder = (id: string) => join(server.deps.config.dataDir, jobOutput(id))

    const denis = await server.signIn('denis')
    await things('denis')
    const run = await job('denis', 'done', 'À effacer')
    mkdirSync(folder(run), { recursive: true })
    writeFileSync(join(folder(run), 'a.txt'), 'a')
    expect((await erase(denis, 'denis', { runs: 'delete' }, 'faux-mot')).json().code).toBe(
      'accounts.passwordWrong',
    )
    const open = await job('denis', 'running', 'En cours')
    expect((await erase(denis, 'denis', { runs: 'delete' })).json().code).toBe('accounts.workUnderWay')
    await db.updateTable('job').set({ status: 'done' }).where('id', '=', open).execute()
    const days = (await counts('denis')).days
    expect((await erase(denis, 'denis', { runs: 'delete' })).statusCode).toBe(200)
    expect(await counts('denis')).toEqual({
      jobs: 0,
      events: 0,
      tables: 0,
      gauges: 0,
      days: days - 1,
      accounts: 0,
    })
    expect(existsSync(folder(run))).toBe(false)
    expect((await call('GET', '/api/users/data', denis)).statusCode).toBe(401)

    const elsa = await server.signIn('elsa')
    const kept = await job('elsa', 'done', 'À garder')
    // The same key of a form as one of the manager's.
    const key = { submission_key: 'k', submission_hash: 'h' }
    const own = await job('chef', 'done', 'De chef')
    await db.updateTable('job').set(key).where('id', 'in', [kept, own]).execute()
    expect((await erase(elsa, 'elsa', { runs: 'hand', to: 'carla' })).json().code).toBe('accounts.noManager')
    expect((await erase(elsa, 'elsa', { runs: 'hand', to: 'chef' })).statusCode).toBe(200)
    const row = await db.selectFrom('job').select('username').where('id', '=', kept).executeTakeFirstOrThrow()
    expect(row.username).toBe('chef')
    expect((await counts('elsa')).accounts).toBe(0)

    // The last manager stays, with everything.
    const chef = await erase(manager, 'chef', { runs: 'delete' })
    expect(chef.json().code).toBe('accounts.lastManager')
    expect((await counts('chef')).jobs).toBe(3)
    const line = await db
      .selectFrom('audit_event')
      .selectAll()
      .where('action', '=', 'account.erase')
      .execute()
    expect(line.map(({ subject, details }) => [subject, details])).toEqual([
      ['denis', { runs: 'deleted' }],
      ['elsa', { runs: 'handed', to: 'chef' }],
    ])
  })
})
