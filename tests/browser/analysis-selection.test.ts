import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnalysisServer, FRAMES, instant, startAnalysis } from './analysis-server.ts'
import type { OpenPage } from './support.ts'
import { axe } from './support.ts'

// Choosing what, where and when on the product's own server.

let server: AnalysisServer
let opened: OpenPage
let page: Page

beforeAll(async () => {
  server = await startAnalysis()
  opened = await server.open('simple', '/analyse?m=2021-07')
  page = opened.page
})
afterAll(async () => {
  await opened?.close()
  await server?.stop()
})

const day = (date: string) => page.locator(`[data-day="${date}"]`)
const hour = (frame: number) => page.locator(`[data-datetime="${instant(frame)}"]`)
const mark = (frame: number) => hour(frame).locator('xpath=ancestor::tr').getAttribute('data-mark')
const load = () => page.getByRole('button', { name: 'Charger cette sélection' })
const end = (name: 'start' | 'end') => page.getByTestId(`period-${name}`).textContent()
const sentence = () => page.getByTestId('sentence').textContent()
/** Steps reach the page a moment after the click. */
const soon = <T>(read: () => Promise<T>) => expect.poll(read)
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
const button = (name: string) => page.getByRole('button', { name, exact: true })

describe('before anything is chosen', () => {
  test("[ANA-02] [ANA-26] the product selector 'Produit radar' stands on dpsri", async () => {
    const products = page.getByRole('group', { name: 'Produit radar' })
    await expect.poll(() => products.getByRole('radio', { name: 'dpsri' }).isChecked()).toBe(true)
    await expect.poll(() => products.getByRole('radio').count()).toBe(2)
  })

  test("[ANA-06] [ANA-08] [ANA-29] [ANA-57] 'Sélectionner un bassin ou sous-bassin versant': Melun is chosen, parents unfold", async () => {
    const list = page.getByRole('region', { name: 'Bassins versants' })
    await list.getByRole('heading', { name: 'Sélectionner un bassin ou sous-bassin versant' }).waitFor()
    for (const name of ['Vallée de la Bièvre', 'Melun', 'Le Mée', 'Livry'])
      await expect.poll(() => list.getByRole('button', { name, exact: true }).count()).toBe(1)
    await expect.poll(() => button('Melun').getAttribute('aria-pressed')).toBe('true')
    await page.getByText('Contour approximatif, tracé pour RadX').waitFor()
    await expect.poll(() => button('Bièvre aval').count()).toBe(0)
    await button('Déplier Vallée de la Bièvre').click()
    await button('Bièvre aval').waitFor()
    await button('Replier Vallée de la Bièvre').click()
    await expect.poll(() => button('Bièvre aval').count()).toBe(0)
  })

  test('[ANA-07] a legend tells the tints of the calendar', async () => {
    const legend = page.getByRole('region', { name: 'Légende du calendrier' })
    await expect.poll(() => legend.getByRole('listitem').allTextContents()).toContain('10 à 20')
    await expect.poll(() => legend.textContent()).toContain('Melun')
  })

  test('[ANA-09] [ANA-10] [ANA-53] the month starts on Monday; years run from 2019 to the current one', async () => {
    const calendar = page.getByRole('region', { name: 'Calendrier', exact: true })
    await expect
      .poll(() => calendar.getByRole('columnheader').allTextContents())
      .toEqual(['lu', 'ma', 'me', 'je', 've', 'sa', 'di'])
    const years = () => calendar.getByLabel('Année').locator('option').allTextContents()
    const year = new Intl.DateTimeFormat('fr-FR', { timeZone: 'Europe/Paris', year: 'numeric' })
    await soon(async () => (await years()).at(-1)).toBe('2019')
    await soon(async () => (await years())[0]).toBe(year.format())
    await expect.poll(() => page.locator('[data-day]').count()).toBe(31)
  })

  test("[ANA-54] days without data are disabled with the tooltip 'Pas de données'", async () => {
    await day('2021-07-04').and(page.locator('[aria-disabled="false"]')).waitFor()
    await expect.poll(() => day('2021-07-05').isDisabled()).toBe(true)
    await expect.poll(() => day('2021-07-05').getAttribute('title')).toBe('Pas de données')
    await expect
      .poll(() => day('2021-07-04').getAttribute('title'))
      .toMatch(/^Rmoyen le plus fort : 12,2\smm\/h à 12:17$/)
    await expect.poll(() => day('2021-07-04').getAttribute('data-class')).toBe('4')
  })

  test('a month without images says so and leads to the nearest that have some', async () => {
    const calendar = page.getByRole('region', { name: 'Calendrier', exact: true })
    await button('Mois précédent').click()
    await calendar.getByText('Aucune image de dpsri en juin 2021.').waitFor()
    await expect.poll(() => day('2021-06-04').isDisabled()).toBe(true)
    await button('Après : juillet 2021').click()
    await day('2021-07-04').and(page.locator('[aria-disabled="false"]')).waitFor()
    await expect.poll(() => calendar.getByText('Aucune image').count()).toBe(0)
  })

  test('[ANA-03] [ANA-50] [ANA-56] no date: no hours, an empty start and end, and nothing to load', async () => {
    await page
      .getByText('Sélectionner une date dans le calendrier pour afficher ici les données radar disponibles', {
        exact: true,
      })
      .waitFor()
    await soon(() => end('start')).toBe('DébutDateHeure')
    await soon(() => end('end')).toBe('FinDateHeure')
    await soon(() => load().isDisabled()).toBe(true)
    await soon(sentence).toBe('dpsri, Melun, aucune date choisie')
  })
})

describe('choosing a period', () => {
  test('[ANA-11] [ANA-32] [ANA-36] a day becomes the start day and its hours are listed', async () => {
    await day('2021-07-06').click()
    await day('2021-07-04').click()
    await hour(0).waitFor()
    await expect.poll(() => page.locator('tr[data-index]').count()).toBe(FRAMES.length)
    await soon(() => end('start')).toBe('Début04/07/2021Heure')
    const row = () => page.locator('tr[data-index="0"] td').allTextContents()
    await soon(async () => (await row()).slice(0, 2)).toEqual(['12:00:00', '12,00'])
    await soon(() => load().isDisabled()).toBe(true)
  })

  test('[ANA-38] [ANA-43] [ANA-44] the first hour is the start; earlier hours can no longer be chosen', async () => {
    await hour(2).click()
    await soon(() => end('start')).toBe('Début04/07/202112:06:52')
    await soon(() => mark(2)).toBe('markerStart')
    await expect.poll(() => mark(1)).toBe('unselectable')
    await expect.poll(() => hour(1).isDisabled()).toBe(true)
    await expect.poll(() => mark(3)).toBeNull()
    await soon(() => load().isDisabled()).toBe(true)
  })

  test('[ANA-39] [ANA-45] [ANA-46] [ANA-47] the second hour is the end: images are counted, a countdown runs, the load button opens', async () => {
    const countdown = page.getByTestId('countdown').textContent()
    await hour(10).click()
    await soon(() => end('end')).toBe('Fin04/07/202112:34:20')
    await soon(() => Promise.all([2, 5, 10, 11].map(mark))).toEqual([
      'markerStart',
      'selected',
      'markerEnd',
      'unselectable',
    ])
    await page.getByText('dpsri, Melun, le 04/07/2021 de 12:06 à 12:34 : 8 images').waitFor()
    expect(await countdown).toMatch(/^00:00:0[0-3]$/)
    await soon(() => load().isEnabled()).toBe(true)
  })

  test('nothing stands in the way of assistive technology while choosing', async () => {
    const { violations } = await axe(page).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0].target}`)).toEqual([])
  })

  test('[ANA-49] the countdown ends and hides', async () => {
    await page.getByTestId('countdown').waitFor({ state: 'detached' })
    await soon(() => load().isEnabled()).toBe(true)
  })

  test('the selection is in the address: a reload shows the same', async () => {
    const before = 'dpsri, Melun, le 04/07/2021 de 12:06 à 12:34 : 8 images'
    await page.reload()
    await page.getByText(before, { exact: true }).waitFor()
    await soon(() => mark(5)).toBe('selected')
  })

  test('[ANA-37] a third choice does nothing but say why', async () => {
    await day('2021-07-06').click()
    await page.getByText('La période est complète.').waitFor()
    await soon(() => end('end')).toBe('Fin04/07/202112:34:20')
  })

  test('[ANA-40] [ANA-41] [ANA-42] stepping back frees the end, then the start; deleting clears all dates', async () => {
    await button('Revenir d’un pas').click()
    await soon(() => end('end')).toBe('Fin04/07/2021Heure')
    await soon(() => load().isDisabled()).toBe(true)
    await button('Revenir d’un pas').click()
    await soon(() => end('start')).toBe('Début04/07/2021Heure')
    await button('Effacer les dates').click()
    await soon(sentence).toBe('dpsri, Melun, aucune date choisie')
    await soon(() => button('Effacer les dates').isDisabled()).toBe(true)
  })

  test('[ANA-37] with a start hour, an earlier day is refused with its reason and a later one becomes the end day', async () => {
    await day('2021-07-06').click()
    await page.locator('tr[data-index="0"] button').click()
    await day('2021-07-04').click()
    await page.getByText('Ce jour vient avant le début.').waitFor()
    await button('Effacer les dates').click()
    await day('2021-07-04').click()
    await hour(0).click()
    await day('2021-07-06').click()
    await soon(() => end('end')).toBe('Fin06/07/2021Heure')
    await page.locator('tr[data-index="1"] button').click()
    await page
      .getByText(`dpsri, Melun, du 04/07/2021 à 12:00 au 06/07/2021 à 10:03 : ${FRAMES.length + 1} images`)
      .waitFor()
  })

  test('[ANA-52] the same basin or part again deselects it; hours follow the place', async () => {
    await button('Déplier Melun').click()
    await button('Melun rive droite').click()
    await soon(sentence).toMatch(/^dpsri, Melun, Melun rive droite,/)
    await button('Melun rive droite').click()
    await soon(() => button('Melun').getAttribute('aria-pressed')).toBe('true')
    await button('Melun').click()
    await soon(sentence).toMatch(/^dpsri, toute la zone du radar,/)
    await soon(async () => new URL(page.url()).searchParams.get('c')).toBe('-')
    await button('Melun').click()
  })

  test('[ANA-23] [ANA-25] help explains the screen and the keys', async () => {
    await button('Aide').click()
    const help = page.getByRole('dialog', { name: 'Aide de l’analyse' })
    await help.getByRole('heading', { level: 3 }).first().waitFor()
    await expect.poll(() => help.getByRole('heading', { level: 3 }).count()).toBeGreaterThan(4)
    for (const text of ['Zlecture ou pause', 'Qimage précédente', 'Dimage suivante'])
      await expect
        .poll(async () => (await help.textContent())?.replaceAll(' ', ''))
        .toContain(text.replaceAll(' ', ''))
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'hidden' })
    await soon(() => focused()).toBe('Aide')
  })

  test('[ANA-22] sponsors are shown', async () => {
    await page.getByRole('region', { name: 'Partenaires' }).getByRole('img').first().waitFor()
  })
})

describe('with the keyboard alone, or by dragging', () => {
  const active = (name: 'day' | 'datetime') =>
    page.evaluate((key) => (document.activeElement as HTMLElement).dataset[key], name)
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }

  test('days are one tab stop: arrows lead from day to day and from month to month, Enter chooses', async () => {
    await page.goto(`${server.url}/analyse?m=2021-07`)
    await day('2021-07-04').and(page.locator('[aria-disabled="false"]')).waitFor()
    await expect.poll(() => page.locator('[data-day][tabindex="0"]').count()).toBe(1)
    await page.locator('[data-day][tabindex="0"]').focus()
    // The newest day with images is the way in.
    await press('ArrowLeft')
    await soon(() => active('day')).toBe('2021-07-05')
    await press('ArrowUp')
    await soon(() => active('day')).toBe('2021-06-28')
    await page.getByText('Aucune image de dpsri en juin 2021.').waitFor()
    // A day without data is reached, read out and not chosen.
    await press('Enter')
    await soon(sentence).toBe('dpsri, Melun, aucune date choisie')
    await press('PageDown', 'End')
    await soon(() => active('day')).toBe('2021-08-01')
    await press('ArrowLeft', 'Home', 'PageUp', 'PageDown', 'ArrowUp', 'ArrowUp', 'ArrowUp')
    await soon(() => active('day')).toBe('2021-07-05')
    await press('ArrowLeft', 'Enter')
    await hour(0).waitFor()
    await soon(() => end('start')).toBe('Début04/07/2021Heure')
  })

  test('images stand by the hour and are one tab stop: arrows and pages lead through them', async () => {
    await expect
      .poll(() => page.locator('th[scope="rowgroup"]').allTextContents())
      .toEqual([
        expect.stringMatching(/^12 h12 images, jusqu’à 12,0\smm\/h$/),
        expect.stringMatching(/^13 h8 images, jusqu’à 12,0\smm\/h$/),
      ])
    await expect.poll(() => page.locator('[data-datetime][tabindex="0"]').count()).toBe(1)
    await page.locator('[data-datetime][tabindex="0"]').focus()
    await press('Home', 'ArrowDown', 'ArrowDown', 'Enter')
    await soon(() => mark(2)).toBe('markerStart')
    await press('PageDown')
    await soon(() => active('datetime')).toBe(instant(18))
    await press('End', 'ArrowUp', 'Enter')
    await soon(() => mark(24)).toBe('markerEnd')
    await expect.poll(() => page.locator('[data-datetime][tabindex="0"]').count()).toBe(1)
    await page.getByText('dpsri, Melun, le 04/07/2021 de 12:06 à 13:22 : 16 images').waitFor()
  })

  test('a stretch drawn over the rows is the period; a marker that is drawn moves its end; Escape lets go', async () => {
    const middle = async (frame: number) => {
      // The heads of the table cover what lies under them.
      await hour(frame).evaluate((row) => row.scrollIntoView({ block: 'center' }))
      const box = (await hour(frame).boundingBox())!
      return [box.x + box.width / 2, box.y + box.height / 2] as const
    }
    const draw = async (from: number, ...over: number[]) => {
      await page.mouse.move(...(await middle(from)))
      await page.mouse.down()
      for (const frame of over) await page.mouse.move(...(await middle(frame)), { steps: 4 })
    }
    await draw(7, 9, 4)
    await soon(() => Promise.all([4, 5, 7, 8].map(mark))).toEqual([
      'markerStart',
      'selected',
      'markerEnd',
      'unselectable',
    ])
    await page.mouse.up()
    await page.getByText('dpsri, Melun, le 04/07/2021 de 12:13 à 12:24 : 3 images').waitFor()
    await draw(4, 2)
    await page.mouse.up()
    await page.getByText('dpsri, Melun, le 04/07/2021 de 12:06 à 12:24 : 5 images').waitFor()
    await draw(7, 10)
    await press('Escape')
    await page.mouse.up()
    await soon(() => Promise.all([2, 7].map(mark))).toEqual(['markerStart', 'markerEnd'])
    // On the graph of the day, whose images are far narrower than a row.
    const strip = (await page.getByTestId('day-strip').boundingBox())!
    const x = (share: number) => strip.x + strip.width * share
    await page.mouse.move(x(0.01), strip.y + 10)
    await page.mouse.down()
    await page.mouse.move(x(0.99), strip.y + 12, { steps: 5 })
    await page.mouse.up()
    await page.getByText('dpsri, Melun, le 04/07/2021 de 12:00 à 13:25 : 19 images').waitFor()
  })
})

describe('when something is refused or fails', () => {
  test("[ANA-05] [ANA-55] [AUTH-25] the account's dates are told and bound days, and hours by ten minutes", async () => {
    const other = await server.open('restreint', '/analyse?d=2021-07-04')
    await other.page.getByText('Vous avez accès aux données du 04/07/2021').waitFor()
    const at = (frame: number) => other.page.locator(`[data-datetime="${instant(frame)}"]`)
    await at(0).waitFor()
    // Access ends with frame 8 (12:27:28): ten minutes before that, frame 5 is the last one.
    await expect.poll(() => at(5).isEnabled()).toBe(true)
    await expect.poll(() => at(6).isDisabled()).toBe(true)
    // A day with images outside them is not offered, and says why.
    const later = other.page.locator('[data-day="2021-07-06"]')
    await expect.poll(() => later.getAttribute('aria-disabled')).toBe('true')
    await expect.poll(() => later.getAttribute('title')).toBe('Hors de la période ouverte à votre compte')
    await later.focus()
    await other.page.keyboard.press('Enter')
    await expect.poll(() => new URL(other.page.url()).searchParams.get('d')).toBe('2021-07-04')
    await other.close()
  })

  test('[ANA-51] a failed count shows its message and hides the load button; counting again brings it back', async () => {
    await page.route('**/api/products/weight*', (route) =>
      route.fulfill({ status: 503, json: { code: 'x', message: 'Comptage impossible.' } }),
    )
    await page.goto(`${server.url}/analyse?s=${instant(0)}&e=${instant(9)}`)
    await page.getByRole('alert').getByText('Comptage impossible.').waitFor()
    await expect.poll(() => load().count()).toBe(0)
    await page.unroute('**/api/products/weight*')
    await page.getByRole('button', { name: 'Réessayer' }).click()
    await load().waitFor()
  })

  test('[ANA-59] [ERR-01] [ERR-02] failures of month and hours stand in an error alert', async () => {
    await page.route('**/api/products/month/*', (route) =>
      route.fulfill({ status: 400, json: { code: 'x', message: 'Mois illisible.' } }),
    )
    await page.route('**/api/products/hours/*', (route) =>
      route.fulfill({ status: 401, json: { code: 'x', message: 'Jour illisible.' } }),
    )
    await page.goto(`${server.url}/analyse?d=2021-07-04`)
    await page
      .getByRole('alert')
      .getByText('La requête a échoué avec le code 400 : Mois illisible.', { exact: true })
      .waitFor()
    await page
      .getByRole('alert')
      .getByText('La requête a échoué avec le code 401 : Jour illisible. You may need to relogin.')
      .waitFor()
    await page.unroute('**/api/products/month/*')
    await page.unroute('**/api/products/hours/*')
  })

  test('[ANA-58] without the list of products its message stands in place of the page', async () => {
    await page.route('**/api/products', (route) =>
      route.fulfill({ status: 400, json: { code: 'x', message: 'Produits absents.' } }),
    )
    await page.goto(`${server.url}/analyse`)
    await page.getByRole('alert').getByText('Produits absents.').waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Calendrier', exact: true }).count()).toBe(0)
    await page.unroute('**/api/products')
    await page.getByRole('button', { name: 'Réessayer' }).click()
    await page.getByRole('region', { name: 'Calendrier', exact: true }).waitFor()
  })

  test('a period of more than seven days can be loaded, with a coarser step that says what it weighs', async () => {
    await page.goto(`${server.url}/analyse?s=2021-06-20T10:00:00Z&e=${instant(9)}`)
    await soon(() => load().isDisabled()).toBe(false)
    const sentence = page.getByTestId('sentence')
    const every = await sentence.textContent()
    const steps = page.getByRole('combobox', { name: 'Images', exact: true })
    await steps.selectOption({ label: 'une par jour' })
    await soon(() => sentence.textContent()).not.toBe(every)
    await page.getByText(/Mo. La première image de chaque pas/).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('k')).toBe('86400')
  })

  test('a start and an end at the same image are refused by the server with a reason', async () => {
    await page.goto(`${server.url}/analyse?s=${instant(3)}&e=${instant(3)}`)
    await page.getByRole('alert').getByText('La fin de la période doit venir après son début.').waitFor()
    await expect.poll(() => load().count()).toBe(0)
  })

  test('[SHELL-19] without a session the screen sends to the account page', async () => {
    const other = await server.open(null, '/analyse?d=2021-07-04')
    await other.page.waitForURL(`${server.url}/compte`)
    await other.close()
  })
})
