import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MODEL } from '../../apps/server/src/networks/testing/model.ts'
import { openRun, type SewerServer, startSewerServer } from './sewer-server.ts'
import { sewerTown } from './sewer-town.ts'
import { spokenFaults } from './spoken.ts'
import { axe, openBrowser, openPage } from './support.ts'

const RAIN = { d: 10, t: 3, iMax: 90, calmAfter: 10 }
let browser: Browser
let town: SewerServer

beforeAll(async () => {
  ;[browser, town] = await Promise.all([openBrowser(), startSewerServer(sewerTown())])
  await town.run('Ville', RAIN)
})
afterAll(async () => {
  await browser?.close()
  await town?.stop()
})

test('the profile is read nearer by keys, buttons, wheel and drag', async () => {
  const { page, close } = await openRun(browser, town, 'Ville', '?sortie=swmm&objet=J-1&objet=OUT-1')
  const profile = page.getByTestId('profile')
  await profile.waitFor()
  const names = () =>
    page
      .getByTestId('profile-names')
      .getByText(/^(J|OUT)-/)
      .allTextContents()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await expect.poll(async () => (await names())[0]).toBe('J-1')
  await expect.poll(async () => (await names()).at(-1)).toBe('OUT-1')
  const whole = await names()
  await expect.poll(() => button('Réduire le profil').isDisabled()).toBe(true)

  await button('Agrandir le profil').click()
  await expect.poll(async () => (await names()).includes('J-1')).toBe(false)
  await button('Vers le début du chemin').click()
  await expect.poll(names).toContain('J-1')
  await button('Montrer tout le profil').click()
  await expect.poll(names).toEqual(whole)

  await page.getByRole('group', { name: /^Profil en long/ }).focus()
  for (const key of ['+', '+', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight'])
    await page.keyboard.press(key)
  await expect.poll(async () => (await names()).at(-1)).toBe('OUT-1')
  await expect.poll(() => names()).not.toContain('J-1')
  await page.keyboard.press('-')
  await page.keyboard.press('0')
  await expect.poll(names).toEqual(whole)

  // At the start of the path its start stays.
  await profile.hover({ position: { x: 80, y: 200 } })
  await page.mouse.wheel(0, -300)
  await expect.poll(() => profile.getAttribute('data-zoomed')).toBe('true')
  await page.mouse.move(0, 0)
  await expect.poll(names).toContain('J-1')
  await profile.hover({ position: { x: 600, y: 200 } })
  await page.mouse.down()
  await profile.hover({ position: { x: 100, y: 200 } })
  await page.mouse.up()
  await page.mouse.move(0, 0)
  await expect.poll(names).not.toContain('J-1')
  await close()
})

test('two fingers draw the profile nearer and let it go again, on a phone', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const address = '?sortie=swmm&objet=J-1&objet=OUT-1'
  const { page, close } = await openRun(browser, town, 'Ville', address, phone)
  const profile = page.getByTestId('profile')
  await profile.scrollIntoViewIfNeeded()
  const fingers = await page.context().newCDPSession(page)
  /** Two fingers on a level line, from one distance to another, in CSS pixels. */
  const pinch = async (from: number, to: number) => {
    const box = (await profile.boundingBox())!
    const [x, y] = [box.x + Math.min(box.width, 390) / 2, box.y + box.height / 2]
    const at = (apart: number) => [
      { x: x - apart / 2, y, id: 0 },
      { x: x + apart / 2, y, id: 1 },
    ]
    await fingers.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) })
    for (let k = 1; k <= 10; k++)
      await fingers.send('Input.dispatchTouchEvent', {
        type: 'touchMove',
        touchPoints: at(from + ((to - from) * k) / 10),
      })
    await fingers.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  await expect.poll(() => profile.getAttribute('data-zoomed')).not.toBe('true')
  await pinch(60, 240)
  await expect.poll(() => profile.getAttribute('data-zoomed')).toBe('true')
  // The page itself stays as large as it was.
  await expect.poll(() => page.evaluate(() => window.visualViewport?.scale)).toBe(1)
  await pinch(240, 40)
  await expect.poll(() => profile.getAttribute('data-zoomed')).not.toBe('true')
  await close()
})

/** A page of networks, for the same reader. */
const openNetworks = (path: string, options: Parameters<typeof openPage>[2] = {}) =>
  openPage(browser, `${town.url}${path}`, {
    viewport: { width: 1440, height: 900 },
    ...options,
    storage: {
      'radx-session': JSON.stringify({
        ...town.session,
        expiration: Date.now() + town.session.expiresIn * 1000,
      }),
    },
  })

test('a network that is dropped is shown, run, read and compared', async () => {
  const { page, close } = await openNetworks('/reseaux')
  const drop = page.getByTestId('network-drop')
  const letGo = async (name: string, text: string) => {
    const files = await page.evaluateHandle(
      ([name, text]) => {
        const data = new DataTransfer()
        data.items.add(new File([text], name))
        return data
      },
      [name, text],
    )
    await drop.dispatchEvent('drop', { dataTransfer: files })
  }
  await letGo('faux.inp', MODEL.replace('C2 J2 O1', 'C2 J2 O9'))
  await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/faux\.inp.*ligne \d+.*O9/)
  await letGo('Deux conduites.inp', `${MODEL}[EVENTS]\n01/01/2024 00:00 01/01/2024 01:00\n`)

  await page.waitForURL(/\/reseaux\/[0-9a-f-]{36}/)
  await page.getByTestId('network-map').waitFor()
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Deux conduites')
  await expect.poll(() => page.getByTestId('network-warnings').textContent()).toMatch(/^ligne \d+ .*EVENTS/)
  await page.getByText('ne place pas ses nœuds').waitFor()

  // Without a network a run is refused with a word, not sent later.
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Lancer le calcul' }).click()
  await page
    .getByRole('alert')
    .getByText(/réseau/)
    .waitFor()
  await page.context().setOffline(false)

  // Twice at once is one run.
  await page.getByRole('button', { name: 'Lancer le calcul' }).dblclick()
  const results = page.getByRole('region', { name: 'Résultats' })
  await results.waitFor()
  await expect.poll(() => results.getByTestId('figures').textContent()).toMatch(/Pluie20,0.*mm/)
  await expect.poll(() => page.getByRole('region', { name: 'Calculs' }).locator('tbody tr').count()).toBe(1)

  // Curves of a subcatchment, by keyboard.
  const catchments = page.getByTestId('network-subcatchments')
  await catchments.locator('summary').press('Enter')
  await catchments.getByRole('button', { name: 'S1', exact: true }).press('Enter')
  await catchments.getByRole('region', { name: 'Ruissellement' }).waitFor()

  const table = page.getByTestId('network-table')
  for (const name of ['J1', 'O1']) await table.getByRole('button', { name, exact: true }).click()
  await page.getByTestId('profile').waitFor()
  await page.getByText('Conduite', { exact: true }).first().click()
  await table.getByRole('button', { name: 'C2', exact: true }).press('Enter')
  await page.getByRole('region', { name: 'Débit' }).waitFor()
  // The address has it all.
  await page.reload()
  await page.getByRole('region', { name: 'Débit' }).waitFor()

  const [report] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^resultats\.rpt/ }).click(),
  ])
  const compare = page.getByRole('region', { name: 'Comparer' })
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    compare.getByRole('button', { name: 'Fichier d’EPA SWMM' }).click(),
  ])
  const path = `${await report.path()}.rpt`
  await report.saveAs(path)
  await chooser.setFiles(path)
  await expect
    .poll(() => compare.getByTestId('network-comparison').textContent())
    .toMatch(/2\sen commun.*écart médian 0,\d\d\s%/)
  expect((await axe(page).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)).toEqual([])
  expect(await spokenFaults(page)).toEqual([])
  await close()
})

test('a network is renamed and deleted by keyboard, on a phone too', async () => {
  const answer = await fetch(`${town.url}/api/networks?name=Petit.inp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${town.session.token}`, 'content-type': 'application/octet-stream' },
    body: `${MODEL}[COORDINATES]\nJ1 652000 6862000\nJ2 652100 6862000\nO1 652200 6862000\n`,
  })
  const { id } = (await answer.json()) as { id: string }
  const { page, close } = await openNetworks(`/reseaux/${id}`, {
    scheme: 'dark',
    viewport: { width: 390, height: 844 },
  })
  await page.getByTestId('network-map').waitFor()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  // By the code of its system the network stands in Paris; a wrong one is told.
  const system = page.getByLabel('Système de coordonnées')
  await system.fill('9999')
  await system.press('Enter')
  await page.getByText('Le système EPSG:9999 n’est pas pris en charge').waitFor()
  await system.fill('2154')
  await system.press('Enter')
  await expect
    .poll(() => page.getByTestId('network-map').locator('[data-view]').getAttribute('data-view'))
    .toMatch(/^2\.34\d*,48\.85/)
  // A rain of one's own: 60 mm/h at the peak of an hour.
  await page.getByRole('radio', { name: 'Un triangle' }).check()
  await page.getByText(/^30,0\smm en tout$/).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Lancer le calcul' }).isEnabled()).toBe(true)
  // Escape leaves each question, and the focus is where it was.
  for (const name of ['Renommer', 'Supprimer le réseau']) {
    await page.getByRole('button', { name, exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Annuler', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('button:focus', { hasText: name }).waitFor()
  }
  await page.getByRole('button', { name: 'Renommer' }).press('Enter')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Tout petit')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Tout petit' }).waitFor()
  expect((await axe(page).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)).toEqual([])
  expect(await spokenFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Supprimer le réseau' }).press('Enter')
  // The focus is on what leaves everything as it is.
  await page.keyboard.press('Enter')
  await page.locator('button:focus', { hasText: 'Supprimer le réseau' }).waitFor()
  await page.getByRole('button', { name: 'Supprimer le réseau' }).press('Enter')
  await page.getByRole('button', { name: 'Supprimer', exact: true }).press('Enter')
  await page.waitForURL(/\/reseaux$/)
  await expect.poll(() => page.getByText('Tout petit').count()).toBe(0)
  await close()
})
