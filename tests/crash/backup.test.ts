import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAccount } from '../../apps/server/src/accounts/service.ts'
import { createBackup } from '../../apps/server/src/backup/create.ts'
import type { Manifest } from '../../apps/server/src/backup/manifest.ts'
import { restoreBackup } from '../../apps/server/src/backup/restore.ts'
import { loadSite } from '../../apps/server/src/config/site.ts'
import { createLogger } from '../../apps/server/src/log.ts'
import { MODEL as NETWORK } from '../../apps/server/src/networks/testing/model.ts'
import { createTestDatabase, type TestDatabase } from '../../apps/server/src/testing/database.ts'
import { handleOf, testConfig } from '../../apps/server/src/testing/deps.ts'
import { rainFile } from '../../apps/server/src/testing/rain-files.ts'
import { startTestBucket, type TestBucket } from '../../apps/server/src/testing/s3-server.ts'
import { writeSmallSite } from '../../apps/server/src/testing/small-site.ts'
import { radx } from '../conformance/radx-program.ts'
import { filesBelow, startServer, until } from './ingest-kill.ts'

const START = Date.parse('2021-07-04T23:00:00Z')
const STEP_MS = 206_000
const PASSWORD = 'une-longue-phrase'

describe('radx backup', () => {
  const root = mkdtempSync(join(tmpdir(), 'radx-backup-'))
  const dir = (name: string) => join(root, name)
  const databases: TestDatabase[] = []
  const servers: ReturnType<typeof startServer>[] = []
  let bucket: TestBucket
  let source: { env: Record<string, string>; database: TestDatabase; url: string }

  const database = async () => {
    const made = await createTestDatabase()
    databases.push(made)
    return made
  }
  const serve = async (env: Record<string, string>) => {
    const server = startServer(env)
    servers.push(server)
    let url = ''
    await until(
      'the server listens',
      async () => {
        url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.log())?.[0] ?? ''
        return url !== '' && (await fetch(`${url}/readyz`)).ok
      },
      server.log,
    )
    return { url, child: server.child, log: server.log }
  }
  const signIn = async (url: string) => {
    const answer = await fetch(`${url}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'chef', password: PASSWORD }),
    })
    return ((await answer.json()) as { token: string }).token
  }
  const call = async (url: string, path: string, token: string, body?: object) => {
    const answer = await fetch(`${url}${path}`, {
      method: body ? (path.includes('/job/') ? 'POST' : 'PUT') : 'GET',
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
    })
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const json = ({ bytes }: { bytes: Buffer }) => JSON.parse(bytes.toString())

  const span = `s=${new Date(START).toISOString()}&e=${new Date(START + 3_600_000).toISOString()}`
  const period = `p=dpsri&s=${new Date(START - 1).toISOString()}&e=${new Date(START + 86_400_000).toISOString()}`
  /** What an installation answers; addresses of pictures are signed anew each time. */
  const answers = async (url: string) => {
    const token = await signIn(url)
    const paths = [
      '/api/products/latestImages?p=dpsri',
      '/api/products/month/2021-07?p=dpsri&c=melun',
      '/api/products/hours/2021-07-05?p=dpsri',
      `/api/products/archive?${period}&c=melun`,
      `/api/products/frames?${period}`,
      `/api/products/pixel?${period}&lat=48.5&lng=2.5`,
      `/api/products/accumulation?${period}`,
      '/api/article/home-message',
      '/api/users/events',
      '/api/gauges',
      `/api/gauges/flags?${span}`,
      // Readings, flags and corrections, beside the radar.
      `/api/gauges/comparison?p=dpsri&${span}&step=5`,
    ]
    const found: Record<string, unknown> = {}
    const [network] = json(await call(url, '/api/networks', token))
    const model = `/api/networks/${network.id}/versions/2`
    paths.push('/api/networks', `${model}/model`, `${model}/files/Petit.inp`)
    for (const path of paths) {
      const { status, bytes } = await call(url, path, token)
      expect(`${status} ${path}`).toBe(`200 ${path}`)
      found[path] =
        path.includes('frames') || path.includes('accumulation')
          ? createHash('sha256').update(bytes).digest('hex')
          : bytes.toString('utf8').replace(/[?&]\w+=[\w-]+(&\w+=[\w-]+)*(?=")/g, '')
    }
    return found
  }

  const ingest = async (env: Record<string, string>, from: number, to: number) => {
    const { site } = await loadSite(env.SITE_DIR)
    const files = Array.from({ length: to - from }, (_, k) =>
      rainFile(site, { timeMs: START + (from + k) * STEP_MS }),
    )
    mkdirSync(dir('files'), { recursive: true })
    for (const { name, bytes } of files) writeFileSync(join(dir('files'), name), bytes)
    const { code, stderr } = await radx(['ingest', ...files.map(({ name }) => join(dir('files'), name))], env)
    expect(stderr).toBe('')
    expect(code).toBe(0)
  }

  beforeAll(async () => {
    // PostgreSQL's own account must pass through.
    chmodSync(root, 0o755)
    mkdirSync(dir('site'))
    await writeSmallSite(dir('site'))
    bucket = await startTestBucket()
    const db = await database()
    const env = {
      SITE_DIR: dir('site'),
      DATA_DIR: dir('source'),
      DATABASE_URL: db.url,
      // Jobs wait: this server leaves them to workers that there are none of.
      RADX_WORKERS: '0',
    }
    await addAccount(db.db, 'chef', PASSWORD, { roles: ['manager'] })
    await ingest(env, 0, 20)
    const { url } = await serve(env)
    source = { env, database: db, url }
  })
  afterAll(async () => {
    // The one with a PostgreSQL of its own takes it along.
    for (const { child } of servers) {
      const gone = new Promise((done) => child.once('exit', done))
      if (child.kill('SIGTERM')) await gone
    }
    for (const db of databases) await db.drop()
    await bucket?.close()
    rmSync(root, { recursive: true, force: true })
  })

  test('beside a running server, a second time only with what is new; restored elsewhere it answers the same', async () => {
    const token = await signIn(source.url)
    const event = {
      title: 'Pluie',
      product: 'dpsri',
      selectionDates: {
        start: new Date(START).toISOString(),
        end: new Date(START + 3_600_000).toISOString(),
      },
      catchment: { catchment: 'melun' },
      comment: 'orage « é »\t\\N',
    }
    expect((await call(source.url, '/api/users/events', token, event)).status).toBeLessThan(300)
    const readings = (mm: string) =>
      [5, 10, 15]
        .map((minute) => `${new Date(START + minute * 60_000).toISOString()};Jardin;2.5;48.5;${mm}\n`)
        .join('')
    for (const mm of ['0.4', '0.6']) {
      const csv = `temps;poste;longitude;latitude;mm\n${readings(mm)}`
      expect((await call(source.url, '/api/gauges', token, { csv })).status).toBe(200)
    }
    const [{ id: gauge }] = json(await call(source.url, '/api/gauges', token)).filter(
      ({ name }: { name: string }) => name === 'Jardin',
    )
    const flag = await fetch(`${source.url}/api/gauges/${gauge}/flags`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...event.selectionDates, kind: 'exclude', reason: 'Feuilles.' }),
    })
    expect(flag.status).toBe(200)
    const post = async (path: string, type: string, body: string) => {
      const answer = await fetch(`${source.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
        body,
      })
      expect(answer.status).toBe(200)
      return ((await answer.json()) as { id: string }).id
    }
    await post('/api/networks?name=Petit.inp', 'application/octet-stream', NETWORK)
    const network = await post(
      '/api/networks?name=Petit.inp',
      'application/octet-stream',
      `${NETWORK}; plus\n`,
    )
    const first = await radx(['backup', dir('backup')], source.env)
    expect([first.stderr, first.code]).toEqual(['', 0])
    expect(first.stdout).toContain('originaux : 20 fichiers')

    await ingest(source.env, 20, 30)
    const waiting = json(
      await call(source.url, '/api/job/exportgeotiff', token, {
        product: 'dpsri',
        date: new Date(START).toISOString(),
        epsg: 4326,
      }),
    )
    expect(waiting.status).toBe('pending')
    const runs = `/api/networks/${network}/runs`
    const asked = await post(runs, 'application/json', '{"version":2,"rain":{"kind":"own"}}')
    const pack = join(dir('backup'), 'store/dpsri/2021/2021-07-05.pack')
    const before = readFileSync(pack)
    const second = await radx(['backup', dir('backup')], source.env)
    expect([second.stderr, second.code]).toEqual(['', 0])
    expect(readFileSync(pack).subarray(0, before.length).equals(before)).toBe(true)
    expect(readFileSync(pack).length).toBeGreaterThan(before.length)

    // A folder and PostgreSQL of its own; the jobs that waited are done there.
    const restored = { SITE_DIR: dir('site'), DATA_DIR: dir('restored'), RADX_WORKERS: '1' }
    const back = await radx(['backup', '--restore', dir('backup')], restored)
    expect([back.stderr, back.code]).toEqual(['', 0])
    const copy = await serve(restored)
    const expected = await answers(source.url)
    // Rain moved between frames is not in the backup: the new store makes it anew.
    const movedAt = async (url: string) =>
      json(await call(url, `/api/products/pixel?${period}&lat=48.5&lng=2.5`, await signIn(url))).moved
    await until('the rain is moved again', async () => (await movedAt(copy.url)) !== null, copy.log)
    expect(await answers(copy.url)).toEqual(expected)
    expect(expected['/api/users/events']).toContain('orage « é »')
    const there = await signIn(copy.url)
    await until(
      'the jobs are done',
      async () => {
        const paths = [`/api/job/${waiting.id}`, `/api/networks/runs/${asked}`]
        const jobs = await Promise.all(paths.map((path) => call(copy.url, path, there)))
        return jobs.every((job) => json(job).status === 'done')
      },
      copy.log,
    )
    const originals = (at: string) =>
      filesBelow(join(dir(at), 'archive')).then((files) =>
        files.map((path) => [path.slice(dir(at).length), readFileSync(path).toString('base64')]).sort(),
      )
    expect(await originals('restored')).toEqual(await originals('source'))

    // New rows get numbers that are free, and tiles are made anew.
    await ingest(restored, 30, 32)
    expect((await call(copy.url, '/api/products/latestImages?p=dpsri', there)).status).toBe(200)

    // Into a bucket, without a folder in common.
    const db = await database()
    const moved = {
      ...bucket.env,
      SITE_DIR: dir('site'),
      DATA_DIR: dir('moved'),
      DATABASE_URL: db.url,
      RADX_WORKERS: '0',
    }
    const into = await radx(['backup', '--restore', dir('backup')], moved)
    expect([into.stderr, into.code]).toEqual(['', 0])
    const cloud = await serve(moved)
    await until('the rain is moved there', async () => (await movedAt(cloud.url)) !== null, cloud.log)
    expect(await answers(cloud.url)).toEqual(expected)
    expect(await readdir(dir('moved'))).not.toContain('store')

    // Back from the bucket to a folder: the same backup again.
    const again = await createBackup({
      database: handleOf(db),
      config: testConfig(moved),
      site: 'small',
      dir: dir('backup of the bucket'),
      files: true,
      now: new Date(),
      progress: () => undefined,
    })
    expect(again.missing).toEqual([])
    expect(again.manifest.files).toEqual({ frameFiles: 4, originals: 30, folders: 2 })
    expect(readFileSync(join(dir('backup of the bucket'), 'store/dpsri/2021/2021-07-05.pack'))).toEqual(
      readFileSync(pack),
    )
  })

  test('what cannot be restored is refused in plain words and leaves the installation empty', async () => {
    const db = await database()
    const target = { SITE_DIR: dir('site'), DATA_DIR: dir('target'), DATABASE_URL: db.url }
    const options = {
      database: handleOf(db),
      config: testConfig(target),
      kinds: [],
      log: createLogger('silent'),
      progress: () => undefined,
    }
    const refused = (from: string, why: RegExp) =>
      expect(restoreBackup({ ...options, dir: from })).rejects.toThrow(why)
    await refused(dir('files'), /n'est pas une sauvegarde achevée/)
    const used = await radx(['backup', '--restore', dir('backup')], source.env)
    expect(used.stderr).toMatch(/^radx backup : Un autre programme RadX utilise cette base/)
    expect(used.code).toBe(1)
    const spoilt = (name: string, change: (manifest: Manifest) => void) => {
      cpSync(dir('backup'), dir(name), { recursive: true })
      const path = join(dir(name), 'manifest.json')
      const manifest = JSON.parse(readFileSync(path, 'utf8'))
      change(manifest)
      writeFileSync(path, JSON.stringify(manifest))
      return dir(name)
    }
    await refused(
      spoilt('newer', ({ schema }) => schema.push('9999_later')),
      /version plus récente de RadX/,
    )
    const flipped = spoilt('flipped', () => undefined)
    const bit = join(flipped, 'store/dpsri/2021/2021-07-05.pack')
    const bytes = readFileSync(bit)
    bytes[bytes.length >> 1] ^= 4
    writeFileSync(bit, bytes)
    await refused(flipped, /La sauvegarde est endommagée : store\/dpsri\/2021\/2021-07-05\.pack/)
    const checked = await radx(['backup', '--check', flipped], target)
    expect([checked.code, checked.stderr]).toEqual([1, 'endommagé : store/dpsri/2021/2021-07-05.pack\n'])
    expect((await radx(['backup', '--check', dir('backup')], target)).code).toBe(0)
    // Backups of version 3.0.1 had no checksums.
    const torn = spoilt('torn', (manifest) => delete manifest.sha256)
    const table = join(torn, 'database/radar_frame.copy.zst')
    writeFileSync(table, readFileSync(table).subarray(0, -7))
    await refused(torn, /La table « radar_frame » de la sauvegarde est endommagée/)
    const holed = spoilt('holed', (manifest) => delete manifest.sha256)
    rmSync(join(holed, 'store/dpsri/2021/2021-07-04.pack'))
    await refused(holed, /d'images de dpsri du 2021-07-04 manque/)
    expect(await db.db.selectFrom('account').selectAll().execute()).toEqual([])

    // The same place takes a whole one afterwards, here of a RadX that knew no return periods; then no other.
    const older = spoilt('older', (manifest) => {
      manifest.schema = manifest.schema.filter((step) => step !== '0062_montana_table')
      manifest.tables = manifest.tables.filter(({ name }) => name !== 'montana_table')
    })
    expect((await restoreBackup({ ...options, dir: older })).missing).toEqual([])
    expect(await db.db.selectFrom('radar_frame').select('time').execute()).toHaveLength(30)
    expect(await db.db.selectFrom('montana_table').selectAll().execute()).toEqual([])
    await refused(dir('backup'), /contient déjà des données/)
    expect((await radx(['backup'], target)).code).toBe(64)
  })
})
