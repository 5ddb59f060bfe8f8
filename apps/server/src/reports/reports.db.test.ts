import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReportBlock } from '@radx/contracts'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { encodeRate } from '@radx/rainfall'
import { getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../http/app.ts'
import { createApp } from '../http/create-app.ts'
import type { Session } from '../http/sessions.ts'
import { commitFrames } from '../store/commit-frames.ts'
import { storeOf } from '../store/open-store.ts'
import { prepareFrame } from '../store/prepared-frame.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import { registerStorms } from '../storms/routes.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../testing/deps.ts'
import { smallCatchments, smallSite } from '../testing/small-site.ts'
import { sourceFile } from '../testing/source-file.ts'
import { registerReports } from './routes.ts'

const START = Date.parse('2026-06-04T10:00:00Z')
const STEP_MS = 206_000
const FRAMES = 60
const RATE_MM_H = 6

const iso = (ms: number) => new Date(ms).toISOString()
const session = (name: string, restriction: Session['restriction'] = null): Session => ({
  userId: name,
  name,
  roles: [],
  restriction,
})

describe('reports', () => {
  let database: TestDatabase
  let app: App
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-reports-'))
  const tokens = new Map([
    ['a', { ...session('alice'), roles: ['manager'] }],
    ['b', session('bruno')],
    ['r', session('restreint', { start: new Date('2026-06-04T11:00:00Z'), end: null })],
  ])

  beforeAll(async () => {
    database = await createTestDatabase()
    const deps = await testDeps({
      config: testConfig({ DATA_DIR: dataDir }),
      database: handleOf(database),
      site: smallSite(),
      catchments: smallCatchments(),
      sessions: { resolve: async (token) => tokens.get(token) ?? null },
    })
    const { context, catalog } = await storeOf(deps)
    const product = catalog.products.get('dpsri')!
    const weights = zoneWeights(product, catalog.zones)
    const codes = new Uint16Array(product.steps ** 2).fill(encodeRate(RATE_MM_H))
    await commitFrames(
      context,
      Array.from({ length: FRAMES }, (_, k) => ({
        frame: prepareFrame(codes, weights, {
          product: 'dpsri',
          timeMs: START + k * STEP_MS,
          version: '5',
          name: 'DPSRI',
          sensor: { name: 'X', wavelengthM: 0.03, beamwidthDeg: 1, altitudeM: 100 },
        }),
        source: sourceFile(String(k)),
      })),
    )
    app = await createApp(deps, { features: [registerStorms, registerReports] })
  })
  afterAll(async () => {
    await app?.close()
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const call = async (
    method: 'GET' | 'PUT' | 'DELETE',
    path: string,
    token: string | null,
    payload?: object,
  ) => {
    const response = await app.inject({
      method,
      url: path,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      ...(payload ? { payload } : {}),
    })
    return { status: response.statusCode, body: response.body === '' ? null : response.json() }
  }
  const pdf = async (path: string) => {
    const response = await app.inject({ url: path, headers: { authorization: 'Bearer a' } })
    expect(response.statusCode).toBe(200)
    return new Uint8Array(response.rawPayload)
  }
  const zone = () => smallCatchments().all[0].key

  const span = `p=dpsri&s=${iso(START)}&e=${iso(START + 30 * STEP_MS)}`
  const whole = () => `${span}&c=${zone()}&g=48.55,2.45&title=Orage`

  test('the PDF is tagged, in French, and reads as the calls answer', async () => {
    await call('PUT', '/api/storms/tables', 'a', {
      name: 'Tableau du test',
      units: 'mm-min',
      source: { csv: 'T;a;b;durée min;durée max\n5;0,2;0,3;6;60\n10;0,4;0,3;6;60\n' },
    })
    const document = await open(await pdf(`/api/reports/event.pdf?${whole()}`))
    expect(await document.getMarkInfo()).toMatchObject({ Marked: true })
    const { info } = await document.getMetadata()
    expect(info).toMatchObject({ Title: 'Rapport d’évènement – Orage', Language: 'fr-FR' })
    const { text, roles, alternatives } = await contents(document)
    const asked = (
      await call('GET', `/api/storms/return-periods?${whole().replace('&title=Orage', '')}`, 'a')
    ).body
    expect(asked.places).toHaveLength(3)
    for (const place of asked.places) {
      expect(text).toContain(plain(formatQuantityFr(place.totalMm, 'mm', 1)))
      for (const { depthMm, period } of place.depths) {
        expect(text).toContain(plain(formatQuantityFr(depthMm, 'mm', 1)))
        expect(text).toContain(plain(period.label))
      }
    }
    const archive = asked.places[0].totalMm
    expect(text).toContain(plain(`Cumul moyen du bassin Melun ${formatQuantityFr(archive, 'mm', 1)}`))
    expect(roles).toEqual(
      expect.arrayContaining(['Document', 'H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD', 'Figure']),
    )
    expect(alternatives).toHaveLength(roles.filter((role) => role === 'Figure').length)
    expect(alternatives.every((alternative) => alternative.length > 20)).toBe(true)
  })

  test('the same data give the same bytes, and the page holds what the PDF does', async () => {
    const [one, two] = [
      await pdf(`/api/reports/event.pdf?${whole()}`),
      await pdf(`/api/reports/event.pdf?${whole()}`),
    ]
    expect(Buffer.from(one).equals(Buffer.from(two))).toBe(true)
    const { body } = await call('GET', `/api/reports/event?${whole()}`, 'a')
    const { text } = await contents(await open(one))
    for (const block of body.blocks as ReportBlock[]) {
      if (block.kind === 'table')
        for (const cell of block.rows.flat().filter((one) => one.length < 25))
          expect(text).toContain(plain(cell))
      if (block.kind === 'heading') expect(text).toContain(plain(block.text))
    }
  })

  test('a period without a frame, one that is not allowed and an unknown run are refused plainly', async () => {
    const empty = await call(
      'GET',
      `/api/reports/event?p=dpsri&s=2020-01-01T00:00:00Z&e=2020-01-01T01:00:00Z`,
      'a',
    )
    expect(empty).toMatchObject({ status: 404, body: { message: expect.stringContaining('aucune image') } })
    expect((await call('GET', `/api/reports/event?${span}`, 'r')).status).toBe(403)
    const nobody = '00000000-0000-4000-8000-000000000000'
    expect((await call('GET', `/api/reports/run/${nobody}`, 'a')).status).toBe(404)
  })

  test('without a table a report gives no return period', async () => {
    const { body } = await call('GET', `/api/reports/event?${span}&c=${zone()}`, 'b')
    expect(JSON.stringify(body.blocks)).toContain('aucune période de retour n’est donnée')
  })
})

/** One space for any number of any kind. */
const plain = (text: string) => text.replace(/[\s\u00a0\u202f]+/g, ' ')

const open = (data: Uint8Array) => getDocumentProxy(data, { verbosity: 0 })

interface Node {
  role?: string
  alt?: string
  children?: Node[]
}

/** Texts of all pages and what their structure trees say. */
async function contents(document: Awaited<ReturnType<typeof open>>) {
  const words: string[] = []
  const roles: string[] = []
  const alternatives: string[] = []
  const walk = ({ role, alt, children }: Node) => {
    if (role) roles.push(role)
    if (alt) alternatives.push(alt)
    children?.forEach(walk)
  }
  for (let k = 1; k <= document.numPages; k++) {
    const page = await document.getPage(k)
    const { items } = await page.getTextContent()
    words.push(...items.map((item) => ('str' in item ? item.str : '')))
    walk((await page.getStructTree()) as Node)
  }
  return { text: plain(words.join(' ')), roles, alternatives }
}
