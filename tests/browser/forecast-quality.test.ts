import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ROLE_MANAGER } from '@radx/contracts'
import type { LoginAnswer } from '@radx/contracts/accounts'
import type { ArchiveResponse } from '@radx/contracts/radar'
import { formatHourMinuteFr } from '@radx/locale/format-fr'
import { showers } from '@radx/motion/testing/weather'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadSite } from '../../apps/server/src/config/site.ts'
import { rainFile } from '../../apps/server/src/testing/rain-files.ts'
import { type RadxServer, startRadx } from './radx-server.ts'
import { openBrowser, openPage, waitForFrame } from './support.ts'

/** A radar of few cells: a forecast of it takes a moment on any machine. */
const STEPS = 100
const STEP_MS = 206_000
const FRAMES = 9
const LAST_MS = Math.floor((Date.now() - 5 * 3_600_000) / 60_000) * 60_000
const FIRST_MS = LAST_MS - (FRAMES - 1) * STEP_MS

let siteDir: string
let radx: RadxServer
let browser: Browser
let page: Page
let errors: string[]
let close: () => Promise<void>
/** Of the manager. */
let session: LoginAnswer

beforeAll(async () => {
  const whole = resolve(import.meta.dirname, '../../site')
  siteDir = mkdtempSync(join(tmpdir(), 'radx-site-'))
  const { products, ...rest } = JSON.parse(readFileSync(join(whole, 'site.json'), 'utf8'))
  const small = products.map((product: object) => ({ ...product, steps: STEPS }))
  cpSync(whole, siteDir, { recursive: true })
  writeFileSync(join(siteDir, 'site.json'), JSON.stringify({ ...rest, products: small }))
  ;[browser, radx] = await Promise.all([
    openBrowser(),
    startRadx({ SITE_DIR: siteDir, RADX_FOLLOW_RAIN: '1' }),
  ])
  const { site } = await loadSite(siteDir)
  const minutes = Array.from({ length: FRAMES }, (_, k) => (k * STEP_MS) / 60_000)
  const frames = showers({ nrows: STEPS, ncols: STEPS }, [0.15, 0.05], minutes, 4)
  await radx.ingest(
    frames.map(({ rateMmH }, k) =>
      rainFile(site, {
        product: 'sri',
        timeMs: FIRST_MS + k * STEP_MS,
        rate: (i) => rateMmH[i],
      }),
    ) as Parameters<typeof radx.ingest>[0],
  )
  ;({ page, errors, close, session } = await open('chef', [ROLE_MANAGER]))
})

afterAll(async () => {
  await close?.()
  await browser?.close()
  await radx?.stop()
  rmSync(siteDir, { recursive: true, force: true })
})

/** The page of a new account. */
async function open(name: string, roles: string[] = []) {
  const session = await radx.signIn(name, await radx.addAccount(name, { roles }))
  return { ...(await openAs(session, '/analyse/prevision')), session }
}

const openAs = (session: LoginAnswer, path: string) =>
  openPage(browser, radx.url + path, {
    storage: {
      'radx-session': JSON.stringify({ ...session, expiration: Date.now() + session.expiresIn }),
    },
  })

test('the cumul says whether the rain was moved between images, and the switch beside it changes all of them', async () => {
  const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')
  const period = `p=sri&s=${iso(FIRST_MS)}&e=${iso(LAST_MS + STEP_MS)}`
  const archive = async () => {
    const headers = { authorization: `Bearer ${session.token}` }
    const answer = await fetch(`${radx.url}/api/products/archive?${period}`, { headers })
    return ((await answer.json()) as ArchiveResponse).cumulated
  }
  await expect.poll(async () => (await archive()).moved != null, { timeout: 400_000 }).toBe(true)
  const { page: own, close: leave } = await openAs(session, `/analyse?${period}&v=1`)
  await waitForFrame(own)
  const methods = () =>
    expect.poll(() =>
      own.getByTestId('rain-method').evaluateAll((all) => all.map((one) => one.dataset.method)),
    )
  const head = () =>
    expect.poll(() =>
      own
        .getByRole('figure', { name: 'Hyétogramme Rmoyen zone pluvieuse' })
        .getByRole('row')
        .first()
        .textContent(),
    )
  // The synthesis, the hyetograms and the return periods, which come later.
  await methods().toEqual(['moved', 'moved', 'moved'])
  await head().toContain('Cumul, pluie déplacée (mm)')
  await own.getByRole('button', { name: 'Voir sans déplacement' }).first().click()
  await methods().toEqual(['raw', 'raw', 'raw'])
  await head().toContain('Cumul, images fixes (mm)')
  await expect.poll(() => own.getByText('Cumul : images tenues fixes', { exact: false }).count()).toBe(3)
  await own.getByRole('button', { name: 'Voir avec déplacement' }).first().click()
  await methods().toEqual(['moved', 'moved', 'moved'])
  await leave()
}, 600_000)

/** As an input of a moment takes it, on clocks in Paris. */
const inParis = (ms: number) => {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Paris', dateStyle: 'short' }).format(ms)
  return `${day}T${formatHourMinuteFr(ms, 'Europe/Paris').replace(/[^\d]/, ':')}`
}

test('a past period is forecast again as a job, its scores appear, and the last one stands on the map', async () => {
  await page.getByText('Aucune prévision n’a été notée dans cette période').waitFor()
  const remake = page.getByRole('region', { name: 'Refaire les prévisions d’une période' })
  await remake.getByLabel('Début').fill(inParis(FIRST_MS - 60_000))
  await remake.getByRole('button', { name: 'Refaire' }).click()
  await remake.getByText(/Prévisions\srefaites|pas\spu/).waitFor()
  await expect
    .poll(async () => (await remake.innerText()).replace(/\s/g, ' '))
    .toContain(`Prévisions refaites : ${FRAMES} images.`)

  // Scores of these very forecasts: rain that only moves is met better than by standing still.
  const table = page.getByRole('region', { name: 'Scores par échéance', exact: true }).getByRole('table')
  await table.waitFor()
  const rows = await table
    .locator('tbody tr')
    .evaluateAll((all) =>
      all.map((row) => Array.from(row.children, (cell) => (cell.textContent ?? '').replace(/\s/g, ' '))),
    )
  const number = (text: string) => Number(text.replace(',', '.'))
  expect(rows[0][0]).toBe('5 min')
  for (const [, csi, persistence] of rows) expect(number(csi)).toBeGreaterThan(number(persistence))
  expect(number(rows[0][1])).toBeGreaterThan(0.5)
  await page.getByText(/^Fiable\s(au\smoins\s)?jusqu’à\s\d+\smin/).waitFor()

  await remake.getByRole('button', { name: 'Voir la dernière sur la carte' }).click()
  const map = page.getByRole('region', { name: 'Prévision rejouée sur la carte' })
  await map.getByText('Échéance : 0 min').waitFor()
  await waitForFrame(page)
  const lead = map.getByRole('slider')
  await lead.press('ArrowRight')
  await lead.press('ArrowRight')
  await map.getByText('Échéance : 10 min').waitFor()
  await waitForFrame(page)
  // Nothing came after the last image.
  await map.getByLabel('Voir').selectOption({ label: 'Observé' })
  await map.getByText('Pas d’image à moins de 5 min de ce moment.').waitFor()
  // Tiles of the base map may be out of reach.
  expect(errors.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
}, 600_000)

test('a reader has one moment forecast again with its probabilities, and no period', async () => {
  const reader = await open('lecteur')
  try {
    const replay = reader.page.getByRole('region', { name: 'Prévision rejouée', exact: true })
    await replay.getByLabel('Moment').fill(inParis(LAST_MS + 60_000))
    await replay.getByRole('button', { name: 'Refaire avec les probabilités' }).click()
    await replay.getByText(/Prévisions\srefaites|pas\spu/).waitFor()
    await expect
      .poll(async () => (await replay.innerText()).replace(/\s/g, ' '))
      .toContain('Prévisions refaites : 1 image.')
    await expect.poll(() => reader.page.getByText('Refaire les prévisions d’une période').count()).toBe(0)

    await replay.getByRole('button', { name: 'Voir la dernière sur la carte' }).click()
    const map = reader.page.getByRole('region', { name: 'Prévision rejouée sur la carte' })
    await map.getByLabel('Voir').selectOption('0.4')
    await map.getByText('il n’y a pas de probabilité', { exact: false }).waitFor()
    await map.getByRole('slider').press('ArrowRight')
    await map.getByRole('region', { name: /^Probabilité\sde\splus\sde\s0,4/ }).waitFor()
    await waitForFrame(reader.page)
  } finally {
    await reader.close()
  }
}, 600_000)
