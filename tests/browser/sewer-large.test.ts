import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { farEnds, largeSewer } from './large-sewer.ts'
import { openRun, type SewerServer, startSewerServer } from './sewer-server.ts'
import { openBrowser } from './support.ts'

const LINKS = 10_000
let browser: Browser
let town: SewerServer

beforeAll(async () => {
  ;[browser, town] = await Promise.all([openBrowser(), startSewerServer(largeSewer(LINKS))])
  await town.run('Agglomération', { d: 10, t: 3, iMax: 120, calmAfter: 5 })
})
afterAll(async () => {
  await browser?.close()
  await town?.stop()
})

test('[SWMM-02] [SWMM-03] a network of 10,000 links is read as a small one is, its series on demand', async () => {
  const { page, errors, close } = await openRun(browser, town, 'Agglomération')
  const asked: URLSearchParams[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.endsWith('/output')) asked.push(url.searchParams)
  })
  // What stands below the list of files moves when it comes: a button that moves while it is pressed is not clicked.
  await page.getByRole('table', { name: 'Fichier(s) de sortie' }).waitFor()
  await page.getByRole('button', { name: 'SWMM Analyse', exact: true }).click()
  await page.getByText('Page 1 sur 1\u202f001').waitFor()
  const legend = page.getByRole('region', { name: 'Légende' }).getByRole('listitem')
  await expect.poll(() => legend.filter({ hasText: 'Conduite' }).textContent()).toMatch(/10\u202f000$/)
  await page.locator('[data-view]').waitFor()

  const table = page.getByTestId('network-table')
  const pick = async (name: string) => {
    await page.getByLabel('Rechercher par nom').fill(name)
    await table.getByRole('button', { name, exact: true }).click()
  }
  const { start, end } = farEnds(LINKS)
  await pick(start)
  await pick(end)
  await page.getByText(/^298 junctions/).waitFor()
  await page.getByTestId('profile').waitFor()

  await page
    .locator('label')
    .filter({ hasText: /^Conduite$/ })
    .click()
  await pick('C0-0')
  await pick('C42-17')
  await page.getByRole('figure', { name: 'Débit' }).locator('canvas').waitFor()
  await expect
    .poll(() => asked.map((query) => [query.get('outputType'), query.get('series') ?? query.get('names')]))
    .toEqual([
      ['all_height_10m.txt', 'peak'],
      ['all_flow_10m.txt', 'peak'],
      ['all_flow_10m.txt', 'C0-0'],
      ['all_flow_10m.txt', 'C0-0\tC42-17'],
    ])
  const whole = await town.call(
    `/api/multihydro/file/${town.runs.get('Agglomération')}/output?outputType=all_flow_10m.txt`,
  )
  expect(whole.links).toHaveLength(LINKS)
  expect(whole.links[0].data).toHaveLength(whole.timesS.length)
  expect(errors.filter((text) => !text.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([])
  await close()
})
