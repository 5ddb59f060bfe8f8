import { readFileSync } from 'node:fs'
import type { EventScalingAnswer } from '@radx/contracts/scaling'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  CASCADE,
  DRY_PERIOD,
  instant,
  PATIENCE_MS,
  RAINY,
  type ScalingServer,
  startScaling,
} from './scaling-server.ts'
import { axe } from './support.ts'

// How rain scales, on the analysis screen and in the simulation form, on rain whose scaling is known.

vi.setConfig({ testTimeout: 400_000 })

let server: ScalingServer
let answer: EventScalingAnswer
beforeAll(async () => {
  server = await startScaling()
  answer = await call(RAINY)
}, 400_000)
afterAll(async () => {
  await server?.stop()
})

async function call(period: string): Promise<EventScalingAnswer> {
  const found = await fetch(`${server.url}/api/scaling/event?p=dpsri&${period}`, {
    headers: { authorization: `Bearer ${server.token}` },
  })
  return (await found.json()) as EventScalingAnswer
}

const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: PATIENCE_MS })
const plain = (text: string | null) => (text ?? '').replaceAll(/[\u202f\u00a0]/g, ' ').replaceAll('−', '-')
const three = (value: number) => value.toFixed(3).replace('.', ',')
const own = (errors: string[]) => errors.filter((text) => !text.includes('net::ERR_'))
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Rows of a CSV as accounts get it: semicolons and decimal commas. */
const rowsOf = (text: string) =>
  text
    .replace(/^\ufeff/, '')
    .trim()
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split(';').map((cell) => cell.replace(',', '.')))

test('a period is analysed on demand: estimates, plots, a range chosen on the plot and by keyboard, tables and files', async () => {
  const { page, errors, close } = await server.open(`/analyse?${RAINY}&v=1`)
  await button(page, 'Analyser les échelles').click()
  const estimates = page.getByRole('table', { name: 'Paramètres estimés sur la gamme choisie' })
  await estimates.waitFor()
  const told = async (method: string) =>
    (
      await estimates
        .getByRole('row', { name: new RegExp(`^${method} `) })
        .getByRole('cell')
        .allTextContents()
    ).map(plain)
  const fitOf = (fromCells: number, toCells: number) =>
    answer.space.fits.find((one) => one.fromCells === fromCells && one.toCells === toCells)!
  const shown = (one: { alpha: number; c1: number; r2: number }) => [one.alpha, one.c1, one.r2].map(three)
  const { side } = answer.space
  await expect.poll(() => told('DTM')).toEqual(shown(fitOf(1, side).dtm!))
  await expect.poll(async () => (await told('TM')).length).toBe(3)
  // The rain is a cascade of these, over nine images.
  expect(Math.abs(fitOf(1, side).dtm!.alpha - CASCADE.alpha)).toBeLessThan(0.1)
  expect(Math.abs(fitOf(1, side).dtm!.c1 - CASCADE.c1)).toBeLessThan(0.05)

  const names = ['Moments de trace (TM) par échelle', 'Doubles moments de trace', 'Spectre de puissance']
  for (const name of names) {
    const figure = page.getByRole('figure', { name })
    await figure.locator('[data-ready="true"]').waitFor()
    await expect.poll(() => figure.getByRole('row').count()).toBeGreaterThan(5)
  }
  await page
    .getByRole('figure', { name: 'image par image' })
    .getByRole('row')
    .nth(1)
    .waitFor({ state: 'attached' })

  // A click at 8 cells: the lower end of the range is the nearer one.
  const canvas = page.getByRole('figure', { name: names[0] }).locator('[data-ready="true"]')
  await canvas.scrollIntoViewIfNeeded()
  const box = (await canvas.boundingBox())!
  const [low, high] = [1 / 1.1, side * 1.1]
  const place = (cells: number) => 56 + (box.width - 72) * (Math.log(cells / low) / Math.log(high / low))
  await canvas.click({ position: { x: place(8), y: box.height / 3 } })
  const from = page.getByLabel('De', { exact: true })
  await soon(() => from.inputValue()).toBe('8')
  await expect.poll(() => told('DTM')).toEqual(shown(fitOf(8, side).dtm!))
  // And back by the keyboard.
  await from.focus()
  await page.keyboard.press('Home')
  await page.getByLabel('à', { exact: true }).selectOption('8')
  await soon(() => told('DTM')).toEqual(shown(fitOf(1, 8).dtm!))
  const slope = answer.spectrum!.fits.find((one) => one.fromCells === 1 && one.toCells === 8)!
  await page.getByText(`bêta ${three(slope.beta)}`, { exact: false }).waitFor()

  const file = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
    return rowsOf(readFileSync(await download.path(), 'utf8'))
  }
  const [head, ...rows] = await file('Paramètres (csv)')
  const small = rows.find((row) => row[0] === 'space' && row[1] === '1' && row[2] === '8')!
  expect(Number(small[head.indexOf('dtm_alpha')])).toBeCloseTo(fitOf(1, 8).dtm!.alpha, 9)
  expect(Number(small[head.indexOf('tm_c1')])).toBeCloseTo(fitOf(1, 8).tm!.c1, 9)
  expect((await file('Images (csv)')).length).toBe(1 + answer.frames)
  expect((await file('Spectre (csv)')).length).toBe(1 + answer.spectrum!.power.length)
  const moments = await file('Moments (csv)')
  expect(moments.filter(([part]) => part === 'space')).toHaveLength(
    answer.space.points.cells.length * answer.space.points.q.length,
  )

  await page.getByRole('radio', { name: 'Temps' }).focus()
  await page.keyboard.press('Space')
  await soon(
    async () =>
      (await page.getByRole('figure', { name: names[0] }).getByRole('columnheader').allTextContents())[0],
  ).toBe('échelle (min)')
  const { violations } = await axe(page).include('main').disableRules(['color-contrast']).analyze()
  expect(violations).toEqual([])
  expect(own(errors)).toEqual([])
  await close()
})

test('a dry period has no scaling, and the page says why', async () => {
  const { page, close } = await server.open(`/analyse?${DRY_PERIOD}&v=1`)
  await button(page, 'Analyser les échelles').click()
  await page.getByText('Il n’a pas plu pendant cette période', { exact: false }).waitFor()
  await expect
    .poll(() => page.getByRole('table', { name: 'Paramètres estimés sur la gamme choisie' }).count())
    .toBe(0)
  await close()
})

test('one image is analysed in space alone, and the page says so', async () => {
  const one = `s=${instant(0)}&e=${instant(1)}`
  const { time, notesFr } = await call(one)
  expect(time).toBeNull()
  const { page, close } = await server.open(`/analyse?${one}&v=1`)
  await button(page, 'Analyser les échelles').click()
  for (const note of notesFr) await page.getByText(note.slice(0, 30), { exact: false }).first().waitFor()
  expect(notesFr.join(' ')).toMatch(/image/)
  await expect.poll(() => page.getByRole('radio', { name: 'Temps' }).count()).toBe(0)
  await close()
})

test('the ensemble of a run takes its parameters from the period: those of its smallest scales, with their range and R²', async () => {
  const { page, errors, close } = await server.open(
    `/multihydro/form?p=dpsri&s=${instant(0)}&e=${instant(9)}`,
  )
  await page.getByLabel('Titre de la simulation').fill('Membres estimés')
  await button(page, 'Suivant').click()
  await page.getByRole('radio').first().click()
  await page.getByRole('table', { name: 'Codes utilisés' }).waitFor()
  await button(page, 'Suivant').click()
  const on = page.getByRole('switch', { name: 'Désagréger en ensemble' })
  await on.focus()
  await page.keyboard.press('Space')
  const estimate = button(page, 'Estimer sur la période')
  await estimate.focus()
  await page.keyboard.press('Enter')
  const { dtm } = answer.space.fits.find((one) => one.fromCells === 1 && one.toCells === 8)!
  await page.getByText('Estimés par DTM de', { exact: false }).waitFor()
  const value = async (label: string) =>
    Number((await page.getByLabel(label, { exact: true }).inputValue()).replace(',', '.'))
  await expect.poll(() => value('alpha')).toBeCloseTo(dtm!.alpha, 3)
  await expect.poll(() => value('C1')).toBeCloseTo(dtm!.c1, 3)
  await soon(async () => plain(await page.getByText('Estimés par DTM de').textContent())).toBe(
    `Estimés par DTM de 0,25 km à 2,01 km sur la période, R² ${three(dtm!.r2)}.`,
  )
  expect(own(errors)).toEqual([])
  await close()
})
