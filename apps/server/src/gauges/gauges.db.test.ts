import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Site } from '@radx/contracts'
import { gaugeAdjustmentSchema, gaugeComparisonSchema } from '@radx/contracts'
import { Demo } from '@radx/demo'
import { cellOf, encodeRate } from '@radx/rainfall'
import { gaugeBins } from '@radx/rainfall/gauges/bins'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INSTALL_DIR } from '../config/config.ts'
import { loadSite } from '../config/site.ts'
import type { App } from '../http/app.ts'
import { createApp } from '../http/create-app.ts'
import type { Session } from '../http/sessions.ts'
import { Ingest } from '../ingest/ingest.ts'
import { openHandlers } from '../ingest/kinds.ts'
import { createLogger } from '../log.ts'
import { commitFrames } from '../store/commit-frames.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { prepareFrame } from '../store/prepared-frame.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { sourceFile } from '../testing/source-file.ts'
import { decodeDay } from './day-codec.ts'
import { readReadings } from './readings.ts'
import { registerGauges } from './routes.ts'

const NOW = Date.parse('2026-06-15T12:00:00Z')
const HOUR = 3_600_000
const ALWAYS = { startMs: 0, endMs: 8.64e15 }
const session = (
  name: string,
  roles: string[] = [],
  restriction: Session['restriction'] = null,
): Session => ({
  userId: '00000000-0000-4000-8000-000000000001',
  name,
  roles,
  restriction,
})

describe('rain gauges', () => {
  let database: TestDatabase
  let app: App
  let store: Store
  let ingest: Ingest
  let handlers: ReturnType<typeof openHandlers>
  let site: Site
  let dataDir: string
  const tokens = new Map([
    ['m', session('marie', ['manager'])],
    ['a', session('alice')],
    ['r', session('remi', ['manager'], { start: new Date('2026-06-10T00:00:00Z'), end: null })],
  ])

  beforeAll(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'radx-gauges-'))
    // The demonstration's own gauges, on a radar of few cells.
    const { site: whole } = await loadSite(join(INSTALL_DIR, 'site'))
    const { station, gauges, radar } = whole
    const products = smallSite().products.map((product) => ({ ...product, bounds: whole.products[0].bounds }))
    site = smallSite({ station, gauges, radar, products })
    const config = { ...testConfig(), dataDir, workers: 1 }
    store = await openStore({ db: database.db, config, site, catchments: smallCatchments() })
    handlers = openHandlers({ config, site, db: database.db, store, log: createLogger('silent') })
    ingest = new Ingest({
      dataDir,
      files: store.files,
      handlers: handlers.handlers,
      log: createLogger('silent'),
      clock: { now: () => NOW },
      timeZone: site.timeZone,
      signal: new AbortController().signal,
      pauseMs: 50,
    })
    await ingest.prepareFolders()
    const deps = await testDeps({
      config,
      database: handleOf(database),
      site,
      catchments: smallCatchments(),
      clock: { now: () => NOW },
      sessions: { resolve: async (token) => tokens.get(token) ?? null },
    })
    app = await createApp(deps, { features: [registerGauges] })
  })
  afterAll(async () => {
    await app?.close()
    await handlers?.close()
    await store?.threads.close()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const drop = async ({ name, bytes }: { name: string; bytes: Uint8Array | string }) => {
    const path = join(ingest.folders.inbox, name)
    await writeFile(path, bytes)
    return ingest.take({ path, product: null, refused: 'reject' })
  }
  const call = async (
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    url: string,
    token: string,
    payload?: object,
  ) => {
    const answer = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload ? { payload } : {}),
    })
    return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() }
  }
  const upload = (csv: string, rest: object = {}, token = 'm') =>
    call('PUT', '/api/gauges', token, { csv, ...rest })

  test('files of the demonstration’s eight gauges and of the station are taken in, each reading once', async () => {
    const demo = new Demo(site)
    const start = Date.parse('2026-06-01T00:00:00Z')
    const sources = demo.gaugeSources()
    expect(sources.flatMap(({ gauges }) => gauges)).toHaveLength(8)
    for (const { files } of sources)
      expect(await drop(demo.gaugeFile(files, start, 2 * HOUR))).toMatchObject({ status: 'stored' })
    expect(await drop(demo.stationFile(start, 2 * HOUR))).toMatchObject({ status: 'stored' })
    // The same hours cut otherwise bring nothing new.
    for (const { files } of sources) await drop(demo.gaugeFile(files, start + HOUR, HOUR))
    expect((await drop(demo.gaugeFile(sources[0].files, start, 2 * HOUR))).status).toBe('known')
    const ids = site.gauges.map(({ id }) => id)
    const span = { startMs: start, endMs: start + 2 * HOUR }
    const found = await readReadings(database.db, ids, span)
    for (const id of ids) {
      const { timesMs, mm } = found.get(id)!
      expect([...timesMs], id).toEqual([...new Set(timesMs)].sort((a, b) => a - b))
      expect(timesMs.at(-1), id).toBe(start + 2 * HOUR)
      // Local times of the network and UTC of the loggers mean the same hours.
      expect(gaugeBins(timesMs, mm, span).filter((v) => !Number.isNaN(v)).length, id).toBeGreaterThan(20)
    }
  })

  test.each([
    [
      'a column that is not there',
      'cumul_Livry_1.csv',
      'Horodatage;Pluie\n01/06/2026 10:00;1\n',
      /n'a pas la colonne « Cumul/,
    ],
    [
      'a word for a value',
      'cumul_Livry_2.csv',
      'Horodatage;Cumul (mm)\n01/06/2026 10:00;abc\n',
      /Ligne 2 : « abc »/,
    ],
    [
      'a date that is none',
      'cumul_Livry_3.csv',
      'Horodatage;Cumul (mm)\n31/02/2026 10:00;1\n',
      /Ligne 2 : « 31\/02/,
    ],
    ['nothing of its gauges', 'cumul_Livry_4.csv', 'Horodatage;Cumul (mm)\n', /aucune mesure/],
    ['the future', 'cumul_Livry_5.csv', 'Horodatage;Cumul (mm)\n01/06/2031 10:00;1\n', /futur/],
  ])('a file with %s is refused', async (_, name, bytes, says) => {
    expect(await drop({ name, bytes })).toMatchObject({
      status: 'refused',
      message: expect.stringMatching(says),
    })
  })

  const ROW = '2026-06-01 10:05;Jardin;2,6;48,6;0,4\n'
  const HEAD = 'Date;Poste;Longitude;Latitude;Pluie (mm)\n'

  test('a user adds gauges by CSV, for himself alone, and removes them', async () => {
    const csv = `${HEAD}${ROW}2026-06-01 10:00;Jardin;2,6;48,6;0,2\n${ROW}`
    const added = await upload(csv, { timeZone: 'Europe/Paris' })
    expect(added).toMatchObject({
      status: 200,
      body: {
        gauges: [{ name: 'Jardin', owner: 'user', readings: 2, first: '2026-06-01T08:00:00Z' }],
        remarksFr: [expect.stringMatching(/ordre/), expect.stringMatching(/en double/)],
      },
    })
    const { id } = added.body.gauges[0]
    const ids = async (token: string) =>
      (await call('GET', '/api/gauges', token)).body.map((g: { id: string }) => g.id)
    expect(await ids('m')).toContain(id)
    expect(await ids('r')).not.toContain(id)
    // A plain user sees and adds gauges within the basins alone.
    expect(await ids('a')).toEqual([])
    expect((await upload(csv, {}, 'a')).status).toBe(403)
    expect((await call('DELETE', `/api/gauges/${id}`, 'r')).status).toBe(404)
    expect((await call('DELETE', `/api/gauges/${id}`, 'm')).status).toBe(204)
    expect((await readReadings(database.db, [id], { startMs: 0, endMs: NOW })).get(id)!.timesMs).toHaveLength(
      0,
    )
  })

  test('a reading that comes again corrected replaces the old one, which is kept and told', async () => {
    const rows = (a: string, b: string) =>
      `${HEAD}2026-06-01 10:00;Verger;2,6;48,6;${a}\n2026-06-01 10:05;Verger;2,6;48,6;${b}\n`
    const first = await upload(rows('0,2', '0,4'))
    const { id } = first.body.gauges[0]
    expect(first.body.remarksFr).toEqual([])
    expect((await upload(rows('0,2', '0,4'))).body.remarksFr).toEqual([])
    expect((await upload(rows('', '0,8'))).body.remarksFr).toEqual([
      expect.stringMatching(/Verger : 1 mesure corrigée/),
    ])
    await upload(rows('0,2', '1'))
    const span = { startMs: Date.parse('2026-06-01T09:00:00Z'), endMs: Date.parse('2026-06-01T11:00:00Z') }
    const { mm } = (await readReadings(database.db, [id], span)).get(id)!
    expect([...mm]).toEqual([Math.fround(0.2), 1])
    const kept = await database.db.selectFrom('gauge_corrected').selectAll().where('gauge', '=', id).execute()
    expect(kept.map(({ readings }) => [...decodeDay(readings).mm])).toEqual([[Math.fround(0.4)]])
    const told = await call(
      'GET',
      '/api/gauges/comparison?p=dpsri&s=2026-06-01T09:00:00Z&e=2026-06-01T11:00:00Z',
      'm',
    )
    expect(told.body.notesFr.join()).toMatch(/Mesures corrigées par un fichier plus récent.*Verger \(1, le /)
    // A file that came before takes nothing back, dropped again.
    const loggers = (mm: string) => `Horodatage;Cumul (mm)\n01/06/2026 10:00;5\n01/06/2026 10:05;${mm}\n`
    for (const [name, value] of [
      ['cumul_Livry_a.csv', '6'],
      ['cumul_Livry_b.csv', '7'],
      ['cumul_Livry_a.csv', '6'],
    ])
      await drop({ name, bytes: loggers(value) })
    const livry = site.gauges.find(({ source }) => 'files' in source && source.files === 'cumul_Livry_')!
    const totals = (await readReadings(database.db, [livry.id], span)).get(livry.id)!
    expect([...totals.mm].filter((v) => v === 6 || v === 7)).toEqual([7])
    expect((await call('DELETE', `/api/gauges/${id}`, 'm')).status).toBe(204)
    expect(
      await database.db.selectFrom('gauge_corrected').selectAll().where('gauge', '=', id).execute(),
    ).toEqual([])
  })

  test.each([
    [
      'other separators',
      'Date|Poste|Longitude|Latitude|Pluie\n2026-06-01 10:00|A|2.6|48.6|1\n',
      /séparées par/,
    ],
    [
      'decimal commas between commas',
      'date,id,lon,lat,mm\n2026-06-01 10:00,A,2.6,48.6,0,2\n',
      /Des virgules décimales demandent/,
    ],
    [
      'two values at one time',
      `${HEAD}${ROW}${ROW.replace('0,4', '0,6')}`,
      /deux valeurs pour le même instant/,
    ],
    [
      'a place outside every product',
      `${HEAD}${ROW.replace('2,6;48,6', '48,6;2,6')}`,
      /hors de tous les produits/,
    ],
    [
      'a jump by 100 km',
      `${HEAD}${ROW}${ROW.replace('10:05', '10:10').replace('48,6', '49,6')}`,
      /a changé de place/,
    ],
    ['plane coordinates alone', 'date;id;x;y;mm\n2026-06-01 10:00;A;1;2;3\n', /ni longitude ni latitude/],
    ['a line that is cut', `${HEAD}${ROW}2026-06-01 10\n`, /coupée/],
    ['no readings', HEAD, /au moins une mesure/],
    ['years to come', `${HEAD}${ROW.replace('2026-', '2036-')}`, /dans le futur/],
  ])('an upload with %s is refused in French', async (_, csv, says) => {
    const answer = await upload(csv)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.body.message).toMatch(says)
    expect(
      (await call('GET', '/api/gauges', 'm')).body.filter((g: { owner: string }) => g.owner === 'user'),
    ).toEqual([])
  })

  test('totals that run backward and the hour that comes twice are read, and said', async () => {
    const line = (time: string, total: string) => `${time};Cuve;2,6;48,6;${total}\n`
    const csv = `${HEAD}${line('2025-10-26 01:30', '1')}${line('2025-10-26 02:30', '2')}${line('2025-10-26 02:30', '4')}${line('2025-10-26 03:30', '1')}`
    const { status, body } = await upload(csv, { unit: 'total', timeZone: 'Europe/Paris' })
    expect([status, body.remarksFr]).toEqual([
      200,
      [expect.stringMatching(/changement d’heure/), expect.stringMatching(/recule 1 fois/)],
    ])
    const { id } = body.gauges[0]
    const span = { startMs: Date.parse('2025-10-26T00:00:00Z'), endMs: Date.parse('2025-10-26T04:00:00Z') }
    expect([...(await readReadings(database.db, [id], span)).get(id)!.mm]).toEqual([
      Number.NaN,
      1,
      2,
      Number.NaN,
    ])
    // Without the zone the hour that comes twice cannot be told apart.
    expect((await upload(csv.replaceAll('Cuve', 'B'), { unit: 'total' })).body.message).toMatch(
      /fuseau horaire du fichier/,
    )
    expect((await upload(csv, { timeZone: 'Europe/Lutece' })).body.message).toMatch(/n’existe pas/)
    // A clock that stays at winter time has an hour in spring that the zone has not; dry, it would have gone unseen.
    const spring = ['01:30', '02:30', '03:30'].map((at) => `2026-03-29 ${at};48,54;2,66;0`).join('\n')
    const winter = (timeZone: string) => upload(`temps;lat;lon;mm\n${spring}\n`, { timeZone })
    expect(await winter('Europe/Paris')).toMatchObject({
      status: 422,
      body: { code: 'gauges.skipped', message: expect.stringMatching(/ligne 3 .*n’existe pas ce jour-là/) },
    })
    const fixed = await winter('Etc/GMT-1')
    expect(fixed.body.gauges[0].readings).toBe(3)
    await call('DELETE', `/api/gauges/${fixed.body.gauges[0].id}`, 'm')
    await call('DELETE', `/api/gauges/${id}`, 'm')
  })

  describe('beside the radar', () => {
    const START = Date.parse('2026-06-04T10:00:00Z')
    const [HOURS, STEP, RATE] = [6, 206_000, 6]
    const period = `p=dpsri&s=${new Date(START).toISOString()}&e=${new Date(START + HOURS * HOUR).toISOString()}`
    const ids: string[] = []
    const compare = async (rest = '', token = 'm') => {
      const { status, body } = await call('GET', `/api/gauges/comparison?${period}${rest}`, token)
      expect(status).toBe(200)
      return gaugeComparisonSchema.parse(body)
    }

    beforeAll(async () => {
      const product = store.catalog.products.get('dpsri')!
      const weights = zoneWeights(product, store.catalog.zones)
      // Each row of cells has its own rate, so that neighbours differ from the cell itself.
      const codes = Uint16Array.from({ length: product.steps ** 2 }, (_, i) =>
        encodeRate(RATE * (1 + Math.floor(i / product.steps) / 100)),
      )
      await commitFrames(
        store.context,
        Array.from({ length: Math.ceil((HOURS * HOUR) / STEP) + 1 }, (_, k) => ({
          frame: prepareFrame(codes, weights, {
            product: 'dpsri',
            timeMs: START + k * STEP,
            version: '5',
            name: 'DPSRI',
            sensor: { name: 'X', wavelengthM: 0.03, beamwidthDeg: 1, altitudeM: 100 },
          }),
          source: sourceFile(`gauge ${k}`),
        })),
      )
      // One gauge has half as much again as the radar, one is clogged, one stuck.
      const lines = Array.from({ length: HOURS * 12 }, (_, k) => {
        const time = new Date(START + (k + 1) * 300_000).toISOString()
        const line = (name: string, lng: number, mm: number) =>
          `${time};${name};${lng};48.6;${mm.toFixed(5)}\n`
        const real = (1.5 * RATE) / 12
        return (
          line('A', 2.45, real * (k % 2 === 0 ? 1.01 : 0.99)) +
          line('B', 2.55, k < 12 ? real * (k % 2 === 0 ? 1.02 : 0.98) : 0) +
          line('C', 2.65, k % 3 === 0 && k > 24 ? 0.3 : real)
        )
      })
      const { body } = await upload(HEAD + lines.join(''))
      ids.push(...body.gauges.map(({ id }: { id: string }) => id))
    })

    test('ratio, bias, correlation and series of a gauge over its cell and the 3 x 3 around', async () => {
      const found = await compare(`&g=${ids[0]}`)
      const a = found.gauges.find(({ id }) => id === ids[0])!
      const { row } = cellOf(site.products[0], { lat: 48.6, lng: 2.45 })!
      const [cell, above, below] = [row, row - 1, row + 1].map((r) => RATE * (1 + r / 100))
      expect(a.state).toBe('compared')
      expect(a.depth!.ratio).toBeCloseTo((1.5 * RATE) / cell, 2)
      expect(a.depth!.radarMm).toBeCloseTo(HOURS * cell, 0)
      expect(a.depth!.lowMm / a.depth!.radarMm).toBeCloseTo(above / cell, 2)
      expect(a.depth!.highMm / a.depth!.radarMm).toBeCloseTo(below / cell, 2)
      expect(a.scores!.biasPct).toBeCloseTo(100 * (cell / (1.5 * RATE) - 1), 0)
      expect(a.doubleMass.at(-1)![1]).toBeCloseTo(1.5 * RATE * HOURS, 0)
      expect(found.series).toMatchObject({ gauge: ids[0], stepMin: 15 })
      expect(found.series!.gaugeMm).toHaveLength(HOURS * 4)
      expect(found.series!.radarMm[4]).toBeCloseTo(cell / 4, 2)
      expect(found.events).toHaveLength(1)
      expect(found.months).toMatchObject([{ gauges: 3 }])
      // What was read off the frames once is kept, and gives the same.
      expect(await compare(`&g=${ids[0]}`)).toEqual(found)
    })

    test('totals take the rain as it moved between frames once it was followed, or stand still as asked', async () => {
      const waiting = await compare()
      expect(waiting.method).toBe('raw')
      while ((await store.moved.makeSome(store.catalog.products.get('dpsri')!, ALWAYS)) > 0);
      const moved = await compare()
      expect(moved.method).toBe('moved')
      const still = await compare('&method=raw')
      expect(still).toEqual(waiting)
      // Where the rain is the same everywhere along a row, and stays, both tell the same.
      const ratio = ({ gauges }: typeof moved) => gauges.find(({ id }) => id === ids[0])!.depth!.ratio!
      expect(ratio(moved)).toBeCloseTo(ratio(still), 2)
      expect((await call('GET', `/api/gauges/comparison?${period}&method=other`, 'm')).status).toBe(400)
    })

    test('checks leave a clogged and a stuck gauge out; a manager’s word goes first', async () => {
      const before = await compare()
      const state = (found: typeof before, k: number) => found.gauges.find(({ id }) => id === ids[k])!
      expect(state(before, 1).faults).toMatchObject([{ fault: 'clogged', kept: false }])
      expect(state(before, 1).depth!.gaugeMm).toBeLessThan(1.6 * RATE)
      expect(state(before, 2).faults).toMatchObject([{ fault: 'stuck' }])
      expect(state(await compare('&raw=1'), 1).depth!.radarMm).toBeGreaterThan(5 * RATE)
      const span = { start: new Date(START).toISOString(), end: new Date(START + 6 * HOUR).toISOString() }
      const keep = await call('POST', `/api/gauges/${ids[1]}/flags`, 'm', {
        ...span,
        kind: 'keep',
        reason: 'Vrai.',
      })
      await call('POST', `/api/gauges/${ids[0]}/flags`, 'm', { ...span, kind: 'exclude', reason: 'Ombre.' })
      const after = await compare()
      expect(state(after, 1).faults).toMatchObject([{ fault: 'clogged', kept: true }])
      expect(state(after, 1).depth!.radarMm).toBeGreaterThan(5 * RATE)
      expect(state(after, 0)).toMatchObject({ state: 'excluded', faults: [{ fault: 'flag' }] })
      expect(after.flags.map(({ author, reason }) => [author, reason])).toEqual([
        ['marie', 'Vrai.'],
        ['marie', 'Ombre.'],
      ])
      for (const { id } of after.flags) await call('DELETE', `/api/gauges/flags/${id}`, 'm')
      expect(keep.status).toBe(200)
    })

    test('the adjusted product stands beside the original, its factor, error and name told', async () => {
      const more = Array.from({ length: HOURS * 12 }, (_, k) => {
        const time = new Date(START + (k + 1) * 300_000).toISOString()
        return ['D', 'E', 'F', 'G']
          .map(
            (name, i) =>
              `${time};${name};${2.3 + i / 5};48.7;${((1.5 * RATE * (k % 2 === 0 ? 1.01 : 0.99)) / 12).toFixed(5)}\n`,
          )
          .join('')
      })
      const added = await upload(HEAD + more.join(''))
      const ask = (path: string, token = 'm') =>
        call('GET', `/api/gauges/${path}${path.includes('?') ? '&' : '?'}${period}`, token)
      for (const method of ['mfb', 'multiplicative', 'ked']) {
        const { status, body } = await ask(`adjustment?method=${method}`)
        expect([status, body.unchanged]).toEqual([200, null])
        const about = gaugeAdjustmentSchema.parse(body)
        expect(about.name).toMatch(/^dpsri ajusté/)
        expect(about.frames).toHaveLength(105)
        for (const { factor } of about.frames) expect(factor).toBeCloseTo(1.5 / 1.1, 0)
        const error = (name: string) => about.errors.find((one) => one.method === name)!
        expect(Math.abs(error(method).biasPct!)).toBeLessThan(Math.abs(error('raw').biasPct!) / 4)
      }
      // Live, the first hours know nothing of the later ones, and the factor stays within the site's limits.
      const live = await ask('adjustment?method=mfb&mode=live')
      expect(live.body.frames.at(-1).factor).toBeCloseTo(1.5 / 1.12, 0)
      const frames = await app.inject({
        url: `/api/gauges/adjusted/frames?${period}&method=mfb`,
        headers: { authorization: 'Bearer m' },
      })
      const header = JSON.parse(
        frames.rawPayload.subarray(8, 8 + frames.rawPayload.readUInt32LE(4)).toString(),
      )
      expect(header.adjustment).toMatchObject({
        name: expect.stringMatching(/biais moyen, réanalyse/),
        method: 'mfb',
      })
      expect(header.adjustment.factors).toHaveLength(header.times.length)
      const csv = await app.inject({
        url: `/api/gauges/adjusted.csv?${period}&c=melun`,
        headers: { authorization: 'Bearer m' },
      })
      expect(csv.body).toMatch(/# produit : dpsri ajusté \(biais moyen, réanalyse\)\n[\s\S]*EQM/)
      const [time, before, after, factor] = csv.body.trim().split('\n').at(-1)!.split(';')
      const number = (text: string) => Number(text.replace(',', '.'))
      expect(number(after) / number(before)).toBeCloseTo(number(factor), 2)
      expect(time).toMatch(/^2026-06-04T15/)
      for (const path of ['adjustment', 'adjusted/frames', 'adjusted/accumulation', 'adjusted.csv'])
        expect((await ask(path, 'r')).status, path).toBe(403)
      // A frame that came adjusted is told and left as it is.
      await database.db
        .updateTable('radar_frame')
        .set({ bias: 2.04 })
        .where('time', '=', new Date(START))
        .execute()
      const again = (await ask('adjustment')).body
      expect(again.frames[0]).toMatchObject({ factor: 1, already: 2.04 })
      expect(again.notesFr.join()).toMatch(/déjà ajustée/)
      for (const { id } of added.body.gauges) await call('DELETE', `/api/gauges/${id}`, 'm')
    })

    test('a step finer than the readings, a period without any and gauges outside are said', async () => {
      const hourly = `${HEAD}2026-06-04T11:00Z;H;2,5;48,5;9\n2026-06-04T12:00Z;H;2,5;48,5;9\n2026-06-04T13:00Z;H;2,5;48,5;9\n`
      const { body } = await upload(hourly)
      const found = await compare()
      const h = found.gauges.find(({ id }) => id === body.gauges[0].id)!
      expect([h.state, h.depth!.ratio]).toEqual(['tooCoarse', expect.closeTo(1.5, 0)])
      expect(found.notesFr.join(' ')).toMatch(
        /Sans mesure sur la période : Taranis.*plus espacées que le pas choisi : H/,
      )
      expect((await compare('&step=60')).gauges.find(({ id }) => id === h.id)!.state).toBe('compared')
      expect((await call('GET', `/api/gauges/comparison?${period}&step=7`, 'm')).status).toBe(400)
      // Dates of an account hold for what gauges say too; others see none of these gauges.
      expect((await call('GET', `/api/gauges/comparison?${period}`, 'r')).status).toBe(403)
      expect((await compare('', 'a')).gauges).toEqual([])
    })
  })

  test('a manager flags a period with the reason; who took it back stays on record', async () => {
    const flag = {
      start: '2026-06-01T00:00:00Z',
      end: '2026-06-01T06:00:00Z',
      kind: 'exclude',
      reason: 'Feuilles.',
    }
    const set = await call('POST', '/api/gauges/melun/flags', 'm', flag)
    expect(set).toMatchObject({ status: 200, body: { gauge: 'melun', author: 'marie', removedBy: null } })
    expect(
      (await call('POST', '/api/gauges/melun/flags', 'm', { ...flag, reason: ' ' })).body.message,
    ).toMatch(/pourquoi/)
    expect((await call('POST', '/api/gauges/nulle-part/flags', 'm', flag)).status).toBe(404)
    expect((await call('POST', '/api/gauges/melun/flags', 'a', flag)).status).toBe(403)
    // Another manager's dates begin later.
    expect((await call('POST', '/api/gauges/melun/flags', 'r', flag)).status).toBe(403)
    expect((await call('DELETE', `/api/gauges/flags/${set.body.id}`, 'r')).status).toBe(403)
    expect((await call('DELETE', `/api/gauges/flags/${set.body.id}`, 'm')).status).toBe(204)
    expect((await call('DELETE', `/api/gauges/flags/${set.body.id}`, 'm')).status).toBe(404)
    const period = 's=2026-06-01T00:00:00Z&e=2026-06-02T00:00:00Z'
    const { body } = await call('GET', `/api/gauges/flags?${period}`, 'm')
    expect(body).toMatchObject([{ reason: 'Feuilles.', author: 'marie', removedBy: 'marie' }])
    expect((await call('GET', `/api/gauges/flags?${period}`, 'r')).status).toBe(403)
  })
})
