import { setTimeout as sleep } from 'node:timers/promises'
import { ClassBundleDecoder, cellCentre, cellOf, unpackClassBlock } from '@radx/rainfall'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JOB_KINDS_MODULE } from '../../apps/server/src/job-kinds.ts'
import { Jobs } from '../../apps/server/src/jobs/service.ts'
import { reprocessingJob } from '../../apps/server/src/reprocessing/job.ts'
import { dropVolume, KNOWN, stormVolume } from '../../apps/server/src/sweeps/testing/storm-volume.ts'
import { passwordOf } from '../../apps/server/src/testing/account-server.ts'
import { QUALITY_COLORS } from '../../apps/web/src/map/quality.ts'
import { type BrowserServer, eventually, look, startBrowserServer } from './account-server.ts'
import { openBrowser, openPage, pixels, placeOf, SHARP, waitForFrame, waitForZoom } from './support.ts'

const LIVE_MS = 10 * 60_000
/** Zoom at which a cell is many pixels wide. */
const CLOSE = 13

describe('the view of the sweep', () => {
  let server: BrowserServer
  let browser: Browser
  let jobs: Jobs | null = null
  let session: string

  beforeAll(async () => {
    server = await startBrowserServer({}, { jobs: { starting: () => false, queue: () => jobs!.queue() } })
    const { site, config } = server.deps
    const deps = { ...server.deps, config: { ...config, databaseUrl: server.database.url } }
    jobs = new Jobs({ deps, kinds: [reprocessingJob as never], kindsModule: JOB_KINDS_MODULE, work: true })
    jobs.start()
    await jobs.ready()
    const begun = `${new Date(Date.now() - LIVE_MS).toISOString().slice(0, 17)}00Z`
    await dropVolume(config.dataDir, stormVolume(site.radar.position, begun), 'volume.h5')
    await server.signIn('sonia', { roles: ['manager'] })
    const login = await fetch(`${server.url}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'sonia', password: passwordOf('sonia') }),
    })
    const answer = (await login.json()) as { expiresIn: number; token: string }
    session = JSON.stringify({ ...answer, expiration: Date.now() + answer.expiresIn })
    const headers = { authorization: `Bearer ${answer.token}` }
    const isThere = async () =>
      ((await (await fetch(`${server.url}/api/radar-volumes`, { headers })).json()) as unknown[]).length > 0
    for (const end = Date.now() + 60_000; !(await isThere()); await sleep(100))
      if (Date.now() > end) throw new Error('the volume is not taken in')
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await jobs?.stop()
    await server?.close()
  })

  test('from the radar’s mark on the map to a gate, the next elevation by key, and a ray before and after', async () => {
    const { page, errors, close } = await openPage(browser, `${server.url}/`, {
      storage: { 'radx-session': session },
      viewport: { width: 1280, height: 900 },
    })
    await page.getByRole('link', { name: 'Voir les balayages du radar' }).first().click()
    await eventually(() => new URL(page.url()).pathname).toBe('/balayage')
    const picture = page.getByTestId('ppi')
    await page.locator('[data-drawn^="DBZH"]').waitFor()
    const reading = page.getByTestId('sweep-reading')
    const said = async () => ((await reading.textContent()) ?? '').replace(/[\u00a0\u202f]/g, ' ')

    // Due east of the radar, where the value is known: the sweep ends 25 km away, 32 px before the edge.
    const box = (await picture.boundingBox())!
    const pixels = (Math.min(box.width, box.height) / 2 - 32) / 25
    const [x, y] = [box.x + box.width / 2 + 13 * pixels, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await eventually(said).toContain(`Valeur${KNOWN.dbz[0]},0 dBZ`)
    expect(await said()).toMatch(/Azimut(89,\d|90,\d)°/)
    await page.mouse.click(x, y)
    await eventually(() => new URL(page.url()).searchParams.get('distance')).toMatch(/^1[23]/)

    await picture.focus()
    await page.keyboard.press('PageUp')
    await eventually(() => new URL(page.url()).searchParams.get('balayage')).toBe('2')
    await page.locator('[data-drawn="DBZH 3"]').waitFor()
    await eventually(said).toContain(`Valeur${KNOWN.dbz[1]},0 dBZ`)

    const at = (name: string) => Number(new URL(page.url()).searchParams.get(name))
    const [azimuth, distance] = [at('azimut'), at('distance')]
    await page.keyboard.press('ArrowRight')
    await eventually(() => at('azimut')).toBeCloseTo(azimuth + 2, 1)
    await page.keyboard.press('ArrowUp')
    await eventually(() => at('distance')).toBeCloseTo(distance + 0.25, 2)

    const steps = page.getByTestId('sweep-steps')
    await steps.locator('[data-stage="corrected"]').first().waitFor()
    const measured = steps.locator('tr[data-stage="moments"]')
    await eventually(async () => (await measured.textContent())?.replace(/\s/g, ' ')).toContain('25,0')
    await steps.locator('[data-stage="zphi_self"]').waitFor()
    await page.getByRole('img', { name: /^Réflectivité le long du rayon/ }).waitFor()
    await page.getByRole('img', { name: /^Réflectivité, coupe verticale/ }).waitFor()

    await page.getByLabel('Grandeur').selectOption({ label: 'Qualité de la pluie' })
    await page.locator('[data-drawn="QUALITY 3"]').waitFor()
    await page.reload()
    await page.locator('[data-drawn="QUALITY 3"]').waitFor()
    await page.goBack()
    await page.locator('[data-drawn="DBZH 3"]').waitFor()

    const faults: string[] = []
    await look(page, 'sweep', faults)
    expect(faults).toEqual([])
    expect(errors).toEqual([])
    await close()
  })

  test('the live map shows the quality of the rain in its place and colours, and the rain again', async () => {
    const { site } = server.deps
    const { bounds, steps } = site.products.find(({ shortName }) => shortName === site.odimProduct)!
    const { page, errors, close } = await openPage(browser, `${server.url}/`, SHARP)
    const bundle = new ClassBundleDecoder()
    const span = new URLSearchParams({
      ...{ p: site.odimProduct, layer: 'quality' },
      s: new Date(Date.now() - 2 * LIVE_MS).toISOString(),
      e: new Date().toISOString(),
    })
    const bytes = await (await fetch(`${server.url}/api/products/frames?${span}`)).bytes()
    const [{ block }] = bundle.push(bytes)
    const classes = unpackClassBlock(block, steps)

    await waitForFrame(page)
    const choice = page.getByRole('checkbox', { name: 'Qualité de la pluie' })
    await choice.check()
    await page.getByRole('region', { name: 'Qualité de la pluie, de 0 à 1' }).waitFor()
    for (let zoom = site.map.zoom; zoom < CLOSE; zoom++)
      await page.getByRole('button', { name: 'Zoomer', exact: true }).click()
    await waitForZoom(page, CLOSE)
    const toPage = await placeOf(page, { center: site.map.center, zoom: CLOSE })
    const middle = cellOf({ bounds, steps }, site.map.center)!
    const looked = Array.from({ length: 15 ** 2 }, (_, k) => ({
      row: middle.row - 7 + Math.floor(k / 15),
      col: middle.col - 7 + (k % 15),
    }))
    const shown = new Set(looked.map(({ row, col }) => classes[row * steps + col]))
    expect(shown.size).toBeGreaterThan(1)
    /** Share of cells whose middle has the colour of their quality: marks and names lie over some. */
    const rightShare = async () => {
      const picture = await pixels(page)
      const right = looked.filter(({ row, col }) => {
        const { x, y } = toPage(cellCentre({ bounds, steps }, row, col))
        const wanted = QUALITY_COLORS.light[classes[row * steps + col] - 1]
        const bytes = [1, 3, 5].map((at) => Number.parseInt(wanted?.slice(at, at + 2) ?? '', 16))
        return picture.at(x, y).every((value, n) => Math.abs(value - bytes[n]) <= 3)
      })
      return right.length / looked.length
    }
    await expect.poll(rightShare, { interval: 500 }).toBeGreaterThan(0.9)
    await choice.uncheck()
    await page.getByRole('region', { name: 'Intensité (mm/h)' }).waitFor()
    await expect.poll(rightShare, { interval: 500 }).toBe(0)
    expect(errors).toEqual([])
    await close()
  })

  test('volumes are taken through the chain again, compared with the old rain, chosen in the analysis and removed', async () => {
    const { page, errors, close } = await openPage(browser, `${server.url}/admin?rubrique=retraitement`, {
      storage: { 'radx-session': session },
      viewport: { width: 1280, height: 900 },
    })
    const form = page.getByRole('form', { name: 'Retraiter des volumes' })
    await form.getByLabel('Nom du nouveau produit').fill('essai')
    await form.getByLabel('Titre').fill('Atténuation forte')
    await form.getByLabel('α, atténuation par KDP').fill('0,6')
    await form.getByRole('button', { name: 'Retraiter' }).press('Enter')
    await form.getByText('1 image dans le nouveau produit').waitFor({ timeout: 60_000 })

    const made = page.getByRole('row', { name: /Atténuation forte/ })
    await eventually(async () => (await made.textContent())?.replace(/\s/g, ' ')).toContain('α 0,6')
    await made.getByRole('button', { name: 'Comparer : essai' }).press('Enter')
    const whole = page.getByRole('row', { name: /^Sur la période/ })
    await whole.waitFor()
    const numbers = await whole.getByRole('cell').allTextContents()
    const rateOf = (text: string) =>
      Number(
        text
          .replace(/[^\d,−-]/g, '')
          .replace('−', '-')
          .replace(',', '.'),
      )
    const [old, now, bias] = numbers.slice(2, 5).map(rateOf)
    expect(bias).toBeGreaterThan(0.01)
    expect(now - old).toBeCloseTo(bias, 2)
    const faults: string[] = []
    await look(page, 'reprocessing', faults)
    expect(faults).toEqual([])

    await page.setViewportSize({ width: 1280, height: 900 })
    await made.getByRole('link', { name: 'Voir dans Analyse' }).click()
    await eventually(() => page.getByRole('radio', { name: /^essai/i }).isChecked()).toBe(true)
    await page.goBack()
    await made.getByRole('button', { name: 'Supprimer : essai' }).press('Enter')
    await made.getByRole('button', { name: 'Supprimer', exact: true }).press('Enter')
    await page.getByText('Aucun produit retraité.').waitFor()
    expect(errors).toEqual([])
    await close()
  })
})
