import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { zstdDecompressSync } from 'node:zlib'
import {
  type RadarVolumeAnswer,
  type RadarVolumeStages,
  radarVolumeEntrySchema,
  radarVolumeSchema,
  radarVolumeStagesSchema,
  sweepRaySchema,
  volumeSectionSchema,
} from '@radx/contracts'
import { decodeSweepBundle, sweepValue } from '@radx/rainfall/sweep-bundle'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountServer, bearer, startAccountServer } from '../testing/account-server.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { openPack, writePack } from './pack.ts'
import { dropVolume, KNOWN, stormVolume } from './testing/storm-volume.ts'

const TIMES = ['2026-06-01T12:00:00Z', '2026-06-01T13:00:00Z'] as const
const IDS = ['dpsri-20260601T120000Z', 'dpsri-20260601T130000Z'] as const

let server: AccountServer
const tokens: Record<string, string> = {}
beforeAll(async () => {
  const site = smallSite()
  server = await startAccountServer({ DEMO: '0' }, { site, catchments: smallCatchments() })
  const { dataDir } = server.deps.config
  await server.app.ready()
  for (const [n, time] of TIMES.entries())
    await dropVolume(dataDir, stormVolume(site.radar.position, time), `volume-${n}.h5`)
  tokens.user = await server.signIn('simple')
  tokens.manager = await server.signIn('gestionnaire', { roles: ['manager'] })
  tokens.restricted = await server.signIn('restreint', {
    restrictionStart: new Date('2026-06-01T12:30:00Z'),
    restrictionEnd: new Date('2026-06-02T00:00:00Z'),
  })
  for (const end = Date.now() + 60_000; (await list()).length < TIMES.length; await sleep(50))
    if (Date.now() > end) throw new Error('the volumes are not taken in')
})
afterAll(() => server?.close())

const call = (url: string, token: string | null = tokens.user, headers: Record<string, string> = {}) =>
  server.app.inject({ url, headers: { ...(token === null ? {} : bearer(token)), ...headers } })
const list = async (token?: string) =>
  radarVolumeEntrySchema.array().parse((await call('/api/radar-volumes', token)).json())
const of = (id: string, rest = '') => `/api/radar-volumes/${id}${rest}`

test('volumes are listed newest first, in pages, those outside an account’s dates left out', async () => {
  expect((await list()).map(({ id }) => id)).toEqual([IDS[1], IDS[0]])
  expect((await list(tokens.restricted)).map(({ id }) => id)).toEqual([IDS[1]])
  const first = await call('/api/radar-volumes?limit=1')
  expect(first.json()).toHaveLength(1)
  const next = await call(`/api/radar-volumes?limit=1&cursor=${first.headers['radx-next']}`)
  expect(next.json()).toMatchObject([{ id: IDS[0], datetime: TIMES[0] }])
  expect(next.headers['radx-next']).toBeUndefined()
  expect((await call('/api/radar-volumes?cursor=x')).statusCode).toBe(400)
})

test('nobody sees a volume without a session, nor outside the account’s dates; a manager does', async () => {
  const rests = [
    '',
    '/stages',
    '/sweeps/1/moments/DBZH',
    '/sweeps/1/rays/90',
    '/section?name=DBZH&azimuth=90',
  ]
  expect((await call('/api/radar-volumes', null)).statusCode).toBe(401)
  for (const rest of rests) {
    expect((await call(of(IDS[1], rest), null)).json()).toMatchObject({ code: 'auth.required' })
    expect((await call(of(IDS[0], rest), tokens.restricted)).json()).toMatchObject({ code: 'auth.period' })
    for (const token of [tokens.restricted, tokens.manager])
      expect((await call(of(IDS[1], rest), token)).statusCode, rest).toBe(200)
  }
})

test('rates of a whole sweep, an exact grid of rain, are for managers; those of a ray are for everybody signed in', async () => {
  const units = async (token: string) => {
    const stages: RadarVolumeStages = (await call(of(IDS[1], '/stages'), token)).json()
    return new Set(stages.sweeps.flatMap(({ fields }) => fields.map(({ unit }) => unit)))
  }
  expect((await units(tokens.user)).has('mm h-1')).toBe(false)
  expect((await units(tokens.manager)).has('mm h-1')).toBe(true)
  for (const [stage, name] of [
    ['estimate', 'RATE'],
    ['rain', 'R_Z'],
  ]) {
    const path = of(IDS[1], `/sweeps/1/moments/${name}?stage=${stage}`)
    const refused = await call(path, tokens.user)
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'auth.manager'])
    expect((await call(path, tokens.manager)).statusCode).toBe(200)
  }
  expect((await call(of(IDS[1], '/sweeps/1/moments/QUALITY?stage=quality'), tokens.user)).statusCode).toBe(
    200,
  )
  const ray = sweepRaySchema.parse((await call(of(IDS[1], '/sweeps/1/rays/90'), tokens.user)).json())
  expect(ray.fields.map(({ name }) => name)).toContain('RATE')
})

test('a sweep is sent as it was measured and as each stage left it', async () => {
  const volume: RadarVolumeAnswer = radarVolumeSchema.parse((await call(of(IDS[0]))).json())
  expect(volume).toMatchObject({ datetime: TIMES[0], wavelengthM: expect.closeTo(0.032, 6) })
  expect(volume.sweeps.map(({ elevationDeg }) => elevationDeg)).toEqual([0.8, 3])
  expect(volume.sweeps[0].fields.map(({ name }) => name).sort()).toEqual([
    'DBZH',
    'KDP',
    'PHIDP',
    'RHOHV',
    'VRADH',
    'WRADH',
    'ZDR',
  ])
  const stages = radarVolumeStagesSchema.parse((await call(of(IDS[0], '/stages'))).json())
  expect([...new Set(stages.sweeps[1].fields.map(({ stage }) => stage))]).toEqual(
    expect.arrayContaining(['rain_echo', 'phase', 'kdp', 'zphi_self', 'corrected', 'estimate', 'quality']),
  )

  const sweep = async (n: number, stage: string, encoding: string) => {
    const answer = await call(of(IDS[0], `/sweeps/${n}/moments/DBZH?stage=${stage}`), tokens.user, {
      'accept-encoding': encoding,
    })
    expect(answer.headers).toMatchObject({ 'content-encoding': encoding, 'cache-control': 'no-store' })
    const raw = answer.rawPayload
    return decodeSweepBundle(new Uint8Array(encoding === 'zstd' ? zstdDecompressSync(raw) : raw))
  }
  for (const n of [1, 2]) {
    const { header, codes } = await sweep(n, 'moments', n === 1 ? 'zstd' : 'identity')
    expect(header).toMatchObject({ name: 'DBZH', unit: 'dBZ', nrays: 180, nbins: 100, rangeStepM: 250 })
    const at = header.azimuthDeg.findIndex((azimuth) => azimuth > 89) * header.nbins + 50
    expect(sweepValue(header, codes[at])).toBeCloseTo(KNOWN.dbz[n - 1], 6)
  }
  // Behind the storm attenuation took echo away, and the correction puts it back.
  const [raw, corrected] = [await sweep(1, 'moments', 'zstd'), await sweep(1, 'corrected', 'zstd')]
  const far = 45 * 100 + 85
  expect(sweepValue(corrected.header, corrected.codes[far])).toBeGreaterThan(
    sweepValue(raw.header, raw.codes[far]) + 1,
  )
})

test('a ray tells every stage, a section every sweep; what there is not answers 404', async () => {
  const ray = sweepRaySchema.parse((await call(of(IDS[0], '/sweeps/1/rays/90.4'))).json())
  expect(ray).toMatchObject({ azimuthDeg: 91, rangeStepM: 250 })
  const reflectivity = ray.fields.filter(({ name }) => name === 'DBZH')
  expect(reflectivity[0]).toMatchObject({ stage: 'moments', unit: 'dBZ' })
  expect(reflectivity[0].values[50]).toBe(45)
  expect(reflectivity.length).toBeGreaterThan(3)
  const section = volumeSectionSchema.parse(
    (await call(of(IDS[0], '/section?name=DBZH&azimuth=90.4'))).json(),
  )
  expect(section.sweeps.map(({ elevationDeg, values }) => [elevationDeg, values[50]])).toEqual([
    [0.8, 45],
    [3, 25],
  ])
  for (const rest of ['/sweeps/3/moments/DBZH', '/sweeps/1/moments/TH', '/sweeps/3/rays/90'])
    expect((await call(of(IDS[0], rest))).statusCode, rest).toBe(404)
  for (const id of ['dpsri-20260601T120001Z', 'nulle-20260601T120000Z', 'dpsri-20269901T120000Z'])
    expect((await call(of(id))).statusCode).toBe(404)
  for (const rest of ['/sweeps/0/moments/DBZH', '/sweeps/1/rays/361', '/sweeps/1/moments/DBZH?stage=x'])
    expect((await call(of(IDS[0], rest))).statusCode, rest).toBe(400)
})

test('what is kept of a volume and was damaged is made anew', async () => {
  const folder = join(server.deps.config.dataDir, 'sweeps')
  const url = of(IDS[0], '/sweeps/1/moments/DBZH')
  const whole = (await call(url)).rawPayload
  for (const name of await readdir(folder)) {
    const bytes = await readFile(join(folder, name))
    bytes[bytes.length >> 1] ^= 1
    await writeFile(join(folder, name), bytes)
  }
  expect((await call(url)).rawPayload.equals(whole)).toBe(true)
  for (const name of await readdir(folder)) await truncate(join(folder, name), 20)
  expect((await call(url)).rawPayload.equals(whole)).toBe(true)
})

test('what was longest not looked at makes room', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'radx-packs-'))
  const write = (name: string) =>
    writePack(
      dir,
      name,
      {},
      [{ sweep: 0, stage: 'moments', name: 'DBZH', unit: 'dBZ', bytes: new Uint8Array(1000) }],
      2500,
    )
  await write('a.measured')
  await write('b.measured')
  await sleep(20)
  expect(await openPack(dir, 'a.measured')).not.toBeNull()
  await write('c.measured')
  expect((await readdir(join(dir, 'sweeps'))).sort()).toEqual(['a.measured', 'c.measured'])
  expect((await stat(join(dir, 'sweeps', 'c.measured'))).size).toBeLessThan(1250)
  await rm(dir, { recursive: true, force: true })
})
