import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnalysisServer, instant, startAnalysis } from './analysis-server.ts'
import { spokenFaults } from './spoken.ts'
import { type OpenPage, waitForFrame } from './support.ts'

// Saved events on the product's own server.

let server: AnalysisServer
let opened: OpenPage
let page: Page

beforeAll(async () => {
  server = await startAnalysis()
  opened = await server.open('simple', '/analyse')
  page = opened.page
})
afterAll(async () => {
  await opened?.close()
  await server?.stop()
})

const soon = <T>(read: () => Promise<T>) => expect.poll(read)
const list = () => page.getByRole('region', { name: 'Vos événements pluvieux' })
const rows = () => list().getByTestId('event')
const titles = () => rows().locator('td:first-child').allTextContents()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const call = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, {
    ...init,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token('simple')}` },
  })
const stored = async (): Promise<{ _id: string; title: string; comment: string; version: number }[]> =>
  (await call('/api/users/events')).json()

test("[EVENT-01] [EVENT-24] 'Vos événements pluvieux' is empty at first and says so", async () => {
  await page.getByText("Votre liste d'événement pluvieux est vide.").waitFor()
})

test("[EVENT-25] while the list comes, 'Chargement des événements...' stands there", async () => {
  let release: () => void = () => undefined
  const released = new Promise<void>((done) => {
    release = done
  })
  let held: Promise<void> = Promise.resolve()
  await page.route('**/api/users/events', (route) => {
    held = released.then(() => route.continue())
    return held
  })
  await page.reload()
  await page.getByText('Chargement des événements...').waitFor()
  release()
  await page.getByText("Votre liste d'événement pluvieux est vide.").waitFor()
  await held
  await page.unroute('**/api/users/events')
})

describe('saving the selection', () => {
  const title = () => page.getByLabel('Titre', { exact: true })
  const comment = () => page.getByLabel('Commentaire', { exact: true })
  const submit = () => page.getByRole('button', { name: 'Enregistrer', exact: true })

  test('[ANA-19] [EVENT-15] [EVENT-16] [EVENT-17] the button is disabled while title or comment is not valid', async () => {
    await page.goto(`${server.url}/analyse?s=${instant(0)}&e=${instant(10)}&v=1`)
    await title().waitFor()
    await expect.poll(() => submit().isDisabled()).toBe(true)
    await title().fill('x'.repeat(1025))
    await expect.poll(() => submit().isDisabled()).toBe(true)
    await page.getByText('1025 / 1024 : 1024 caractères au plus').waitFor()
    await title().fill('x'.repeat(1024))
    await soon(() => submit().isEnabled()).toBe(true)
    await comment().fill('y'.repeat(4097))
    await soon(() => submit().isDisabled()).toBe(true)
    await comment().fill('')
    await title().fill('   ')
    await soon(() => submit().isDisabled()).toBe(true)
  })

  test("[EVENT-05] [EVENT-11] [EVENT-12] [EVENT-13] saving says 'Votre sélection a été enregistré', empties the form and fetches the list with the server's cumul", async () => {
    await title().fill('Orage de juillet')
    await comment().fill('Averse forte et brève sur Melun, à comparer au pluviographe de la ville.')
    // A second click right after saves no second one.
    await submit().dblclick()
    await page.getByText('Votre sélection a été enregistré', { exact: true }).waitFor()
    await expect.poll(() => title().inputValue()).toBe('')
    await soon(titles).toEqual(['Orage de juillet'])
    // 12 mm/h over ten steps of 206 s, and a little more in one cell.
    await expect.poll(() => rows().first().locator('td').nth(5).textContent()).toBe('6,88')
  })

  test('[EVENT-14] the message is gone after leaving and coming back', async () => {
    await button('Modifier la sélection').click()
    await page.getByRole('button', { name: 'Charger cette sélection' }).click()
    await title().waitFor()
    await expect.poll(() => page.getByText('Votre sélection a été enregistré').count()).toBe(0)
  })

  test('what the server refuses is said, and the text stays', async () => {
    await page.route('**/api/users/events', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 503, json: { code: 'x', message: 'Base indisponible.' } })
        : route.continue(),
    )
    await title().fill('Perdu ?')
    await submit().click()
    await page.getByRole('alert').getByText('Base indisponible.').waitFor()
    await expect.poll(() => title().inputValue()).toBe('Perdu ?')
    await page.unroute('**/api/users/events')
    // It waits for its writer, on the way through another selection and another page; a reload is asked about.
    await button('Modifier la sélection').click()
    await page.getByRole('link', { name: 'Micro radar', exact: true }).click()
    await page.getByRole('heading', { name: 'Micro radar de pluie' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Charger cette sélection' }).click()
    await expect.poll(() => title().inputValue()).toBe('Perdu ?')
    const asked = new Promise<string>((resolve) => {
      page.once('dialog', (dialog) => {
        resolve(dialog.type())
        void dialog.dismiss()
      })
    })
    await page.evaluate(() => location.assign('/a-propos'))
    expect(await asked).toBe('beforeunload')
    await title().fill('')
  })
})

describe('the list', () => {
  test('[EVENT-06] [EVENT-26] [EVENT-27] pages of 5 or 10 with a window around the current one', async () => {
    for (let k = 1; k <= 40; k++)
      await call('/api/users/events', {
        method: 'PUT',
        body: JSON.stringify({
          title: `Pluie ${String(k).padStart(2, '0')}`,
          product: 'dpsri',
          selectionDates: { start: instant(0), end: instant(1 + (k % 9)) },
          catchment: k % 2 ? null : { catchment: 'lemee', subcatchment: null },
          comment: k === 1 ? 'Ligne\nsuivante' : 'court',
        }),
      })
    await page.goto(`${server.url}/analyse`)
    await rows().first().waitFor()
    await expect.poll(() => rows().count()).toBe(5)
    const pages = () => list().getByRole('navigation', { name: 'Pages' }).locator('button[class*=page], span')
    await soon(async () => (await pages().allTextContents()).filter(Boolean)).toEqual(['1', '2', '…', '9'])
    await list().getByRole('button', { name: 'Page 2' }).click()
    await list().getByRole('button', { name: 'Page suivante' }).click()
    await list().getByRole('button', { name: 'Page suivante' }).click()
    // A gap of one page is that page.
    await soon(async () => (await pages().allTextContents()).filter(Boolean)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '…',
      '9',
    ])
    await list().getByLabel('Par page').selectOption('10')
    await soon(() => rows().count()).toBe(10)
  })

  test('[EVENT-07] a column sorts the list, the same one again turns the order round', async () => {
    await button('Titre').click()
    await soon(async () => (await titles())[0]).toBe('Orage de juillet')
    await button('Titre').click()
    await soon(async () => (await titles())[0]).toBe('Pluie 40')
    await button('Titre').click()
  })

  test('[EVENT-21] [EVENT-22] the title filter takes any case and turns paging off', async () => {
    await page.getByLabel('Filtrer par titre').fill('PLUIE')
    await soon(() => rows().count()).toBe(40)
    await expect.poll(() => list().getByRole('navigation', { name: 'Pages' }).count()).toBe(0)
    await page.getByLabel('Filtrer par titre').fill('orage')
    await soon(titles).toEqual(['Orage de juillet'])
  })

  test("[EVENT-19] [EVENT-20] a long comment is cut to 50 characters with 'Lire la suite' and 'Moins'", async () => {
    const cell = () => rows().first().locator('td').nth(6)
    await expect
      .poll(() => cell().textContent())
      .toBe('Averse forte et brève sur Melun, à comparer au plu Lire la suite')
    await cell().getByRole('button', { name: 'Lire la suite' }).click()
    await expect.poll(() => cell().textContent()).toContain('pluviographe de la ville.')
    await cell().getByRole('button', { name: 'Moins' }).click()
    await page.getByLabel('Filtrer par titre').fill('pluie 01')
    await soon(() => cell().getByRole('button', { name: 'Lire la suite' }).count()).toBe(1)
    await page.getByLabel('Filtrer par titre').fill('pluie 02')
    await soon(() => cell().textContent()).toBe('court')
  })

  test('[EVENT-08] [EVENT-09] [EVENT-18] one title or comment is edited at a time, at once on the screen, then on the server', async () => {
    await page.getByLabel('Filtrer par titre').fill('pluie 0')
    await soon(() => rows().count()).toBe(9)
    await button('Renommer « Pluie 03 »').click()
    await expect.poll(() => button('Renommer « Pluie 04 »').isDisabled()).toBe(true)
    await expect.poll(() => button('Modifier le commentaire de « Pluie 03 »').isDisabled()).toBe(true)
    const field = rows().getByRole('textbox')
    await field.fill('Pluie 03 bis')
    await rows().getByRole('button', { name: 'Enregistrer' }).click()
    await soon(titles).toContain('Pluie 03 bis')
    await soon(async () => (await stored()).map((event) => event.title)).toContain('Pluie 03 bis')
    await soon(() => button('Renommer « Pluie 04 »').isEnabled()).toBe(true)
    // The keyboard goes on where it was, also when nothing was changed.
    await button('Renommer « Pluie 04 »').click()
    await field.press('Escape')
    await soon(() => button('Renommer « Pluie 04 »').evaluate((at) => at === document.activeElement)).toBe(
      true,
    )
  })

  test('an edit made elsewhere meanwhile is told; the text typed here is not lost', async () => {
    await button('Renommer « Pluie 05 »').click()
    const event = (await stored()).find((one) => one.title === 'Pluie 05')!
    const elsewhere = await call(`/api/users/events/${event._id}`, {
      method: 'PUT',
      body: JSON.stringify({ ...event, comment: 'ailleurs' }),
    })
    expect(elsewhere.status).toBe(200)
    await rows().getByRole('textbox').fill('Pluie 05 ici')
    await rows().getByRole('button', { name: 'Enregistrer' }).click()
    await rows().getByRole('alert').getByText('Cet évènement a été modifié dans une autre fenêtre.').waitFor()
    await expect.poll(() => rows().getByRole('textbox').inputValue()).toBe('Pluie 05 ici')
    await soon(async () => (await rows().allTextContents()).join()).toContain('ailleurs')
    await rows().getByRole('button', { name: 'Enregistrer' }).click()
    await soon(titles).toContain('Pluie 05 ici')
  })

  test("[EVENT-03] [EVENT-10] deleting asks 'Confirmer la suppression de cet évènement ?' and removes on the screen before the call", async () => {
    await button('Supprimer « Pluie 06 »').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Confirmer la suppression de cet évènement ?', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Non' }).click()
    await expect.poll(() => titles()).toContain('Pluie 06')
    await soon(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Supprimer « Pluie 06 »',
    )
    let release: () => void = () => undefined
    const released = new Promise<void>((done) => {
      release = done
    })
    let held: Promise<void> = Promise.resolve()
    await page.route('**/api/users/events/*', (route) => {
      held = released.then(() => route.continue())
      return held
    })
    await button('Supprimer « Pluie 06 »').click()
    await dialog.getByRole('button', { name: 'Oui' }).click()
    await soon(titles).not.toContain('Pluie 06')
    await expect.poll(async () => (await stored()).map((event) => event.title)).toContain('Pluie 06')
    release()
    await soon(async () => (await stored()).map((event) => event.title)).not.toContain('Pluie 06')
    await held
    await page.unroute('**/api/users/events/*')
  })

  test('an event that the server refuses to delete comes back with a message', async () => {
    await page.route('**/api/users/events/*', (route) =>
      route.fulfill({ status: 403, json: { code: 'x', message: 'Suppression refusée.' } }),
    )
    await button('Supprimer « Pluie 07 »').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Oui' }).click()
    await page.getByRole('alert').getByText('« Pluie 07 » n’a pas été supprimé').waitFor()
    await soon(titles).toContain('Pluie 07')
    await page.unroute('**/api/users/events/*')
  })

  test('[EVENT-23] [EXPORT-05] the raster of an event is for managers, and for events with a basin', async () => {
    await expect
      .poll(() =>
        list()
          .getByRole('button', { name: /^Raster de/ })
          .count(),
      )
      .toBe(0)
    const header = { 'content-type': 'application/json', authorization: `Bearer ${server.token('chef')}` }
    for (const catchment of ['melun', null])
      await fetch(`${server.url}/api/users/events`, {
        method: 'PUT',
        headers: header,
        body: JSON.stringify({
          title: catchment ?? 'sans bassin',
          product: 'dpsri',
          selectionDates: { start: instant(0), end: instant(4) },
          catchment: catchment && { catchment, subcatchment: null },
        }),
      })
    const chef = await server.open('chef', '/analyse')
    await chef.page.getByTestId('event').nth(1).waitFor()
    const buttons = chef.page.getByRole('button', { name: /^Raster de/ })
    await expect.poll(() => buttons.count()).toBe(1)
    const [download] = await Promise.all([chef.page.waitForEvent('download'), buttons.click()])
    expect(download.suggestedFilename()).toMatch(/\.json$/)
    await chef.close()
  })

  test('[EVENT-02] help explains the list', async () => {
    await button('Aide sur les événements pluvieux').click()
    await page.getByRole('dialog').getByText('Vos événements sont les périodes').waitFor()
    await page.keyboard.press('Escape')
  })

  test('an event opens with one click, with its product, period and basin', async () => {
    await page.getByLabel('Filtrer par titre').fill('orage')
    await rows().getByRole('button', { name: 'Charger' }).waitFor()
    expect(await spokenFaults(page)).toEqual([])
    await rows().getByRole('button', { name: 'Charger' }).click()
    await waitForFrame(page)
    await expect
      .poll(() => page.getByTestId('sentence').textContent())
      .toBe('dpsri, Melun, le 04/07/2021 de 12:00 à 12:34 : 10 images')
    await expect
      .poll(() =>
        page.getByTestId('sentence').evaluate((sentence) => {
          const { top, bottom } = sentence.getBoundingClientRect()
          return top >= 0 && bottom <= window.innerHeight
        }),
      )
      .toBe(true)
  })

  test('an address with a basin that does not exist says so, and names it nowhere else', async () => {
    await page.goto(`${new URL(page.url()).origin}/analyse?c=nowhere`)
    await page.getByText('Le bassin « nowhere » que nomme l’adresse n’existe pas ici.').waitFor()
    await page.getByText('Plus forte moyenne du jour sur la zone pluvieuse').waitFor()
    await expect
      .poll(() => page.getByTestId('sentence').textContent())
      .toBe('dpsri, toute la zone du radar, aucune date choisie')
    await page.getByRole('button', { name: 'Melun', exact: true }).click()
    await page.getByText('Le bassin « nowhere »').waitFor({ state: 'detached' })
    await page.getByText('Plus forte moyenne du jour sur Melun').waitFor()
  })
})
