import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROLE_MANAGER } from '@radx/contracts'
import type { LoginAnswer } from '@radx/contracts/accounts'
import type { Browser, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  SMALL_CATCHMENT,
  writeSmallCatchment,
} from '../../apps/server/src/simulation/testing/small-catchment.ts'
import { type RadxServer, startRadx } from './radx-server.ts'
import { spokenFaults } from './spoken.ts'
import { axe, COARSE, type OpenPage, openBrowser, openPage } from './support.ts'

/** A cell of the small town on the editor's canvas: its 12 x 8 cells fill 900 x 600. */
const CELL_PX = 75

let radx: RadxServer
let browser: Browser
let folder: string
const sessions = new Map<string, LoginAnswer>()
const open = (user: string | null, path: string): Promise<OpenPage> => {
  const session = user === null ? undefined : sessions.get(user)
  return openPage(browser, radx.url + path, {
    viewport: { width: 1440, height: 900 },
    ...COARSE,
    storage: {
      allowCookie: 'false',
      ...(session && {
        'radx-session': JSON.stringify({ ...session, expiration: Date.now() + session.expiresIn }),
      }),
    },
  })
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'radx-town-'))
  const town = {
    ...JSON.parse(SMALL_CATCHMENT['catchment.json']),
    id: 'melun',
    display: 'Melun',
    caseStudies: [{ id: 'eogn', display: 'EOGN', mask: 'mask-place.asc' }],
  }
  writeSmallCatchment(folder, { 'catchment.json': JSON.stringify(town) })
  ;[browser, radx] = await Promise.all([openBrowser(), startRadx()])
  await radx.radx('catchment', 'import', folder)
  for (const [name, roles] of [
    ['anne', []],
    ['chef', [ROLE_MANAGER]],
  ] as const)
    sessions.set(name, await radx.signIn(name, await radx.addAccount(name, { roles: [...roles] })))
})
afterAll(async () => {
  await browser?.close()
  await radx?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const next = (page: Page) => page.getByRole('button', { name: 'Suivant' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** A choice of a segmented control; its radio button is hidden. */
const choice = (page: Page, name: string) =>
  page.locator('label').filter({ hasText: new RegExp(`^${name}$`) })

const GRID = 'Carte du bassin, une cellule de 10 m par carré'

/** What the editor's canvas shows without the pointer's outline, two images later. */
async function drawnBy(page: Page): Promise<string> {
  await page.mouse.move(0, 0)
  return page.getByLabel(GRID).evaluate(async (canvas: HTMLCanvasElement) => {
    for (let k = 0; k < 2; k++) await new Promise(requestAnimationFrame)
    return canvas.toDataURL()
  })
}

/** Clicks the middle of a cell of the editor. */
async function paint(page: Page, row: number, col: number): Promise<void> {
  const canvas = page.getByLabel(GRID)
  const box = (await canvas.boundingBox())!
  const scale = box.width / 900
  await canvas.click({ position: { x: (col + 0.5) * CELL_PX * scale, y: (row + 0.5) * CELL_PX * scale } })
}

/** The instrument of order: headings, slideshow and footer of the page as they follow each other. */
const partsOf = (page: Page) =>
  page
    .locator('main :is(h1, h2, [aria-roledescription], footer)')
    .evaluateAll((all) =>
      all.map(
        (part) =>
          part.getAttribute('aria-label') ?? (part.tagName === 'FOOTER' ? 'footer' : part.textContent),
      ),
    )

describe('simulations in the browser', () => {
  test('[SIMLIST-01] [SIMLIST-22] [SIMLIST-02] [SIMLIST-03] [SIMLIST-04] [SIMLIST-05] [SIMLIST-10] [ERR-09] an empty list has its two scenarios and says that it is empty', async () => {
    const { page, errors, close } = await open('anne', '/a-propos')
    let answer = () => {}
    const held = new Promise<void>((go) => {
      answer = go
    })
    await page.route('**/api/jobs/multihydro', async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('link', { name: 'Simulation (Multi-Hydro)' }).click()
    await page.getByText('Loading simulations').waitFor()
    answer()
    await page.getByText('La liste de simulation Multi-Hydro est vide pour le moment.').waitFor()
    const film = page.getByLabel('Présentation de la simulation en vidéo')
    await expect.poll(() => film.getAttribute('controls')).toBe('')
    await expect
      .poll(() => film.locator('source').evaluateAll((all) => all.map((one) => one.getAttribute('type'))))
      .toEqual(['video/webm', 'video/mp4'])
    const seconds = await film.evaluate(async (video: HTMLVideoElement) => {
      const loaded = new Promise((done) => video.addEventListener('loadeddata', done, { once: true }))
      video.preload = 'auto'
      video.load()
      await loaded
      return video.duration
    })
    expect(seconds).toBeGreaterThan(20)
    expect(seconds).toBeLessThan(40)
    await expect
      .poll(() => film.evaluate((video: HTMLVideoElement) => video.textTracks[0]?.cues?.length ?? 0))
      .toBeGreaterThan(5)
    await page.getByRole('heading', { name: 'Scénarios de simulation' }).waitFor()
    await page.getByRole('heading', { name: 'Résultats de simulations' }).waitFor()
    const scenarios = page.getByRole('region', { name: 'Scénarios de simulation' }).getByRole('link')
    await expect
      .poll(() => scenarios.evaluateAll((links) => links.map((link) => link.getAttribute('href'))))
      .toEqual(['/multihydro/form', '/multihydro/case-study/form/eogn'])
    await scenarios.nth(1).getByText('Melun EOGN', { exact: true }).waitFor()
    await scenarios.nth(1).click()
    await page.waitForURL('**/multihydro/case-study/form/eogn')
    await page.getByRole('heading', { name: 'Melun, le quartier de l’EOGN' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Résultats de simulations' }).waitFor()
    await expect
      .poll(() => page.getByRole('button', { name: /^(EOGN|OXYGENE)$/ }).allTextContents())
      .toEqual(['EOGN', 'OXYGENE'])
    expect(errors).toEqual([])
    await close()
  })

  test('[SIMFORM-04] [SIMFORM-05] [SIMFORM-06] [SIMFORM-11] [SIMFORM-12] [SIMFORM-13] [SIMFORM-14] [SIMFORM-15] [SIMFORM-16] [SIMFORM-17] [SIMFORM-18] [SIMFORM-19] [SIMFORM-20] [SIMFORM-30] the modules step wants a title and offers one', async () => {
    const { page, errors, close } = await open('anne', '/multihydro/form')
    await page.getByRole('link', { name: '< Retour à votre liste de simulations' }).waitFor()
    await page.getByLabel('Bassin versant').first().click()
    await expect
      .poll(() => page.getByRole('listbox').getByRole('option').allTextContents())
      .toEqual(['Melun, résolution de 10\u00a0m'])
    await page.keyboard.press('Escape')
    const title = page.getByLabel('Titre de la simulation')
    await title.focus()
    await title.blur()
    await page.getByText('Ce champ est requis').waitFor()
    await expect.poll(() => next(page).isDisabled()).toBe(true)
    await page.getByLabel('Proposer un nom au hasard').click()
    await expect.poll(() => title.inputValue()).not.toBe('')
    await expect.poll(() => next(page).isEnabled()).toBe(true)
    await expect
      .poll(() => page.getByLabel('Bassin versant').first().inputValue())
      .toBe('Melun, résolution de 10\u00a0m')
    for (const name of ['Soil module', 'Drainage module'])
      await expect.poll(() => page.getByRole('switch', { name }).isChecked()).toBe(true)
    for (const name of ['Barrier', 'Bassin', 'Green roof'])
      await expect.poll(() => page.getByRole('switch', { name, exact: true }).isDisabled()).toBe(true)
    const resilience = page.getByRole('group', { name: 'Resilience' })
    for (const name of ['Barrier, Hauteur (m)', 'Bassin, Profondeur (m)'])
      await expect.poll(() => resilience.getByLabel(name).isDisabled()).toBe(true)
    await page.getByRole('heading', { name: 'Le modèle', exact: true }).waitFor()
    const models = page.getByRole('region', { name: 'Les modèles employés' })
    await expect
      .poll(() => models.getByRole('term').allInnerTexts())
      .toEqual(['Surface', 'Sol', 'Assainissement'])
    const town = page.getByRole('img', { name: /^Coupe d’un quartier/ })
    const slider = page.getByRole('slider', { name: 'Rotation de la ville' })
    await slider.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => town.getAttribute('data-deg')).toBe('-45')
    await page.keyboard.press('End')
    await expect.poll(() => town.getAttribute('data-deg')).toBe('-15')
    const steps = page.getByRole('navigation', { name: 'Étapes du formulaire' }).getByRole('button')
    await expect
      .poll(() => steps.evaluateAll((all) => all.map((step) => step.lastElementChild?.textContent)))
      .toEqual(['Modules', 'Occupations des sols', 'Données pluviométriques'])
    const current = () => steps.evaluateAll((all) => all.findIndex((step) => step.ariaCurrent === 'step'))
    await expect.poll(() => button(page, 'Précédent').isDisabled()).toBe(true)
    await next(page).click()
    await expect.poll(current).toBe(1)
    await button(page, 'Précédent').click()
    await expect.poll(current).toBe(0)
    await page.getByRole('link', { name: '< Retour à votre liste de simulations' }).click()
    await page.waitForURL(/\/multihydro$/)
    expect(errors).toEqual([])
    await close()
  })

  test('[SIMFORM-09] [SIMFORM-10] [SIMFORM-26] [SIMFORM-31] [SIMFORM-32] [LUSE-01] [LUSE-02] [LUSE-05] [LUSE-06] [LUSE-07] [LUSE-08] [LUSE-10] [LUSE-14] [LUSE-16] [LUSE-20] [LUSE-22] [RAINSRC-01] [RAINSRC-05] [RAINSRC-07] [RAINSRC-08] [RAINSRC-09] [RAINSRC-10] [RAINSRC-11] [RAINSRC-24] [RAINSRC-25] [RAINSRC-26] [RAINSRC-27] [LUSE-09] [LUSE-31] [LUSE-34] [LUSE-35] [RAINSRC-06] [RAINSRC-21] [JOB-13] [API-36] [ERR-09] a case study is painted, sent, followed and read', async () => {
    const { page, errors, close } = await open('anne', '/multihydro/case-study/form/eogn')
    await page.getByText('Le projet fictif').waitFor()
    await expect
      .poll(() => page.getByRole('article').getByRole('heading', { level: 3 }).allInnerTexts())
      .toEqual([
        'La ville de Melun',
        'L’histoire de l’école',
        'Le projet fictif',
        'La méthode',
        'Les motivations',
      ])
    const told = page.getByRole('article').locator('section')
    const facts = [/préfecture/, /gendarmerie/, /logements/, /carrés de 10\sm/, /pluies intenses/]
    for (const [k, fact] of facts.entries()) {
      const paragraphs = await told.nth(k).locator('p').allInnerTexts()
      expect(paragraphs.length).toBeGreaterThan(0)
      for (const paragraph of paragraphs) expect(paragraph.length).toBeGreaterThan(80)
      expect(paragraphs.join(' ')).toMatch(fact)
    }
    await next(page).click()
    await page.getByLabel('Titre de la simulation').fill('Place bâtie')
    await next(page).click()
    const file = page.getByRole('radio').first()
    await expect.poll(() => file.textContent()).toMatch(/default · \d{2}\/\d{2}\/\d{4}/)
    await expect.poll(() => file.locator('img').getAttribute('src')).toMatch(/^data:image\/jpeg;base64,/)
    const [asked] = await Promise.all([page.waitForRequest('**/dataJson?*'), file.click()])
    expect(asked.url()).toMatch(/\/api\/multihydro\/file\/[\w-]+\/dataJson\?allCodes=true&elevation=true$/)
    expect(asked.headers().authorization).toBe(`Bearer ${sessions.get('anne')?.token}`)
    await page.getByRole('table', { name: 'Codes utilisés' }).waitFor()
    await page.getByLabel('Décrire « Herbe »'.replace(/ (?=»)|(?<=«) /g, '\u00a0')).click()
    await page.getByRole('dialog').getByText('Green et Ampt').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('textbox', { name: /^kh/ }).count()).toBe(0)
    await page.getByRole('switch', { name: 'Modifier l’occupation des sols' }).click()
    await expect.poll(() => next(page).isDisabled()).toBe(true)
    await button(page, 'Ajouter Noue végétalisée').click()
    await button(page, 'Retirer Noue végétalisée').waitFor()
    // A swale stores: its layers can be set, within what can be built.
    await page.getByText(/^Réglages\s:\sNoue végétalisée$/).click()
    await page.getByRole('img', { name: /^Coupe\s:\sNoues$/ }).waitFor()
    const depth = page.getByLabel('Hauteur d’eau avant débordement (mm)')
    await depth.fill('9000')
    await page.getByText(/^de\s0\sà\s5\s000$/).waitFor()
    await depth.fill('250')
    await page.getByText(/^de\s0\sà\s5\s000$/).waitFor({ state: 'detached' })
    await button(page, "Continuer avec ces codes d'utilisation des sols").click()
    // The button that it becomes has the focus.
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Revenir aux codes')
    await page.getByTestId('changed').waitFor()
    await button(page, 'Aide').click()
    await page.getByRole('region', { name: 'Aide' }).getByText('agrandit le pinceau').waitFor()
    await button(page, 'Aide').click()
    await choice(page, 'Altitude').click()
    await page.getByText('Altitude (m)').waitFor()
    await choice(page, 'Occupation des sols').click()
    await page.keyboard.press('s')
    await page.keyboard.press('7')
    await paint(page, 5, 1)
    await paint(page, 2, 2)
    await paint(page, 4, 3)
    await expect.poll(() => page.getByTestId('changed').textContent()).toContain('1 cellule modifiée, 0,01')
    await paint(page, 6, 1)
    await page.keyboard.press('Control+z')
    await expect.poll(() => page.getByTestId('changed').textContent()).toContain('1 cellule modifiée')
    // What strokes have drawn piece by piece is what is drawn at once.
    const byStrokes = await drawnBy(page)
    await choice(page, 'Altitude').click()
    await expect.poll(() => drawnBy(page)).not.toBe(byStrokes)
    await choice(page, 'Occupation des sols').click()
    await expect.poll(() => drawnBy(page)).toBe(byStrokes)
    await expect.poll(() => page.getByLabel('Commentaire (factultatif)').count()).toBe(0)
    await button(page, 'Enregistrer la carte').click()
    await page.getByLabel('Commentaire (factultatif)').fill('Une noue sur la place')
    await next(page).click()
    for (const name of ['Événement 7', 'Données réelles']) await page.getByRole('radio', { name }).waitFor()
    await page.getByRole('radio', { name: 'Pluie de projet synthétique' }).click()
    await page.getByText('Une durée initiale de 15').waitFor()
    await page.getByText('Le temps d’attente laisse la simulation continuer après la pluie.').waitFor()
    const parameters = page.getByRole('region', { name: 'Pluie de projet synthétique' }).getByRole('textbox')
    const values = () =>
      parameters.evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value))
    await expect.poll(() => values()).toEqual(['10', '3', '10', '20'])
    await choice(page, 'Triangle double').click()
    await expect.poll(() => values()).toEqual(['30', '100', '240', '10', '2', '20'])
    await page.getByText('15 min <= t1 <= 60 min').waitFor()
    await page.getByText('t3 <= 240 min ou t3 = 10 x t1').waitFor()
    await choice(page, 'Triangle simple').click()
    await expect.poll(() => button(page, 'Lancer la simulation').isDisabled()).toBe(true)
    // Why it cannot be sent is said beside it.
    await page.getByText('Retenez cette pluie : « Utiliser ces paramètres ».').waitFor()
    // What cannot be is said at its field, and drawn nowhere; what is pasted stays as it is.
    const field = (name: string) => page.getByLabel(name)
    const use = button(page, 'Utiliser ces paramètres')
    for (const [name, value, message] of [
      ['t, instant de la pointe', '12', 'la pointe vient avant la fin : t au plus égal à d'],
      ['d, durée totale', '3000000', 'au plus 10 080 min, sept jours'],
    ]) {
      const before = await field(name).inputValue()
      await field(name).fill(value)
      const words = new RegExp(`^${message.replaceAll(' ', '\\s')}$`)
      await page.getByText(words).waitFor()
      await expect.poll(() => field(name).getAttribute('aria-invalid')).toBe('true')
      await expect.poll(() => use.isDisabled()).toBe(true)
      await field(name).fill(before)
      await page.getByText(words).waitFor({ state: 'detached' })
    }
    await field('t, instant de la pointe').fill('3,14159265')
    await field('t, instant de la pointe').blur()
    await expect.poll(() => field('t, instant de la pointe').inputValue()).toBe('3,14159265')
    await field('t, instant de la pointe').fill('3')
    await page.locator('dd').getByText('pas encore de calcul').waitFor()
    await page.getByLabel('iMax, intensité maximale').fill('60')
    await button(page, 'Utiliser ces paramètres').click()
    await expect.poll(() => button(page, 'Lancer la simulation').isDisabled()).toBe(false)
    await expect.poll(() => page.getByLabel('iMax, intensité maximale').isDisabled()).toBe(true)
    await page.getByText('00:02:03').waitFor()
    let refuse = () => {}
    const waiting = new Promise<void>((go) => {
      refuse = go
    })
    await page.route('**/api/job/multihydro', async (route) => {
      await waiting
      await route.fulfill({ status: 400, json: { code: 'x', message: 'Le disque est plein.' } })
    })
    await button(page, 'Lancer la simulation').click()
    await button(page, 'Envoi du formulaire...').waitFor()
    refuse()
    await page.getByRole('alert').getByText('Le disque est plein.').waitFor()
    errors.length = 0
    await page.unroute('**/api/job/multihydro')
    await button(page, 'Lancer la simulation').click()
    await page.waitForURL(/\/multihydro\/[0-9a-f-]{36}$/)
    const followed = page.getByRole('region', { name: 'Statut et logs' })
    await followed
      .or(page.getByRole('heading', { name: 'Fichier(s) de sortie' }))
      .first()
      .waitFor()
    await page.getByRole('heading', { name: 'Fichier(s) de sortie' }).waitFor()
    await page.getByText('all_flow_10m.txt').waitFor()
    await page.getByText('Terminé').first().waitFor()
    await expect.poll(() => followed.count()).toBe(0)
    await page.getByRole('heading', { name: 'Place bâtie' }).waitFor()
    const comparison = page.getByRole('region', { name: 'Comparaison avec la carte de référence' })
    await comparison.getByText('Noue végétalisée').waitFor()
    await expect
      .poll(() => comparison.getByRole('row').nth(1).textContent())
      .toMatch(/^Herbe\s*Noue végétalisée\s*1\s*0,01/)
    await page.getByText('Une noue sur la place').waitFor()
    await page.getByRole('row', { name: /^Infiltrée par les ouvrages/ }).waitFor()
    await button(page, 'Ouvrages de stockage').click()
    const measures = page.getByRole('region', { name: 'Ouvrages de stockage' })
    await measures.getByRole('row', { name: /^Noue végétalisée 1 30 0,5 / }).waitFor()
    // A price of one's own, for 30 m2 of swale.
    await measures.getByLabel(/^Coût au m²\s:\sNoues$/).fill('40')
    await measures.getByRole('row', { name: /^Noues 1 30 .* 1\s200 / }).waitFor()
    expect(errors).toEqual([])
    await close()
  })

  test('[SIMLIST-11] [SIMLIST-12] [SIMLIST-13] [SIMLIST-14] [JOB-10] [SIMLIST-15] [SIMLIST-17] [SIMLIST-06] [SIMLIST-07] [SIMDETAIL-05] [SIMDETAIL-34] the list shows the run; its title and notes are kept', async () => {
    const { page, errors, close } = await open('anne', '/multihydro')
    const card = page.getByRole('article').filter({ hasText: 'Place bâtie' })
    await card.waitFor()
    const text = () => expect.poll(() => card.textContent())
    for (const part of ['Melun · EOGN', 'anne', 'Terminé', 'virtuel, triangle simple', '45\u202fmin'])
      await text().toContain(part)
    await text().toMatch(/\d{2}\/\d{2}\/\d{4} - \d{2}:\d{2}:\d{2}/)
    await button(page, 'OXYGENE').click()
    await page.getByText('Aucune simulation de ce cas d’étude pour le moment.').waitFor()
    await button(page, 'OXYGENE').click()
    await card.getByRole('link', { name: 'Place bâtie' }).click()
    await button(page, 'Renommer la simulation').click()
    await page.getByLabel('Titre', { exact: true }).fill('Place en noue')
    await button(page, 'Enregistrer le titre').click()
    await page.getByRole('heading', { name: 'Place en noue' }).waitFor()
    await page.getByRole('textbox', { name: 'Notes' }).fill('À comparer.')
    await button(page, 'Enregistrer les notes').click()
    await page.getByText('Notes enregistrées').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Place en noue' }).waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Notes' }).inputValue()).toBe('À comparer.')
    expect(errors).toEqual([])
    await close()
  })

  test('notes that somebody else changed meanwhile are not overwritten unseen, and what was typed stays', async () => {
    const { page, errors, close } = await open('anne', '/multihydro')
    await page.getByRole('link', { name: 'Place en noue' }).click()
    const notes = page.getByRole('region', { name: 'Notes' })
    const field = notes.getByRole('textbox', { name: 'Notes' })
    await expect.poll(() => field.inputValue()).toBe('À comparer.')
    await field.fill('À comparer. Vu sur place.')
    // The same person in another window.
    const answer = await fetch(`${radx.url}/api/multihydro/${page.url().split('/').at(-1)}/comment`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${sessions.get('anne')?.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ comment: 'Comparé le 4.', before: 'À comparer.' }),
    })
    expect(answer.status).toBe(204)
    await button(page, 'Enregistrer les notes').click()
    await notes.getByText(/^Ces notes ont été modifiées par quelqu’un d’autre/).waitFor()
    await notes.getByRole('figure').getByText('Comparé le 4.').waitFor()
    await expect.poll(() => field.inputValue()).toBe('À comparer. Vu sur place.')
    await field.fill('Comparé le 4. Vu sur place.')
    await button(page, 'Enregistrer les notes').click()
    await notes.getByText('Notes enregistrées').waitFor()
    await expect.poll(() => notes.getByRole('figure').count()).toBe(0)
    await page.reload()
    await expect.poll(() => field.inputValue()).toBe('Comparé le 4. Vu sur place.')
    expect(errors.filter((text) => !text.includes('409'))).toEqual([])
    await close()
  })

  test('[SIMDETAIL-01] [SIMDETAIL-02] [SIMDETAIL-03] [SIMDETAIL-04] [SIMDETAIL-07] [SIMDETAIL-08] [SIMDETAIL-11] [SIMDETAIL-12] [SIMDETAIL-14] [SIMDETAIL-15] [SIMDETAIL-16] [SIMDETAIL-17] [SIMDETAIL-19] [SIMDETAIL-27] [SIMDETAIL-31] [SIMDETAIL-32] [SIMDETAIL-33] [SIMDETAIL-35] a run has its parts in their order, and what fails says so in its place', async () => {
    const { page, close } = await open('anne', '/multihydro')
    await page.getByRole('link', { name: 'Place en noue' }).click()
    await page.getByText('all_flow_10m.txt').waitFor()
    const parts = (from: number, to?: number) =>
      expect.poll(async () => (await partsOf(page)).slice(from, to))
    await parts(0, 10).toEqual([
      'Images du bassin versant',
      'Place en noue',
      'Modules',
      'Résumé',
      'Notes',
      'Occupation des sols',
      'Comparaison avec la carte de référence',
      'Pluie',
      'Résultat',
      'Fichier(s) de sortie',
    ])
    await parts(-1).toEqual(['footer'])
    const back = page.getByRole('link', { name: '< Retour à votre liste de simulations' })
    for (const link of await back.all())
      await expect.poll(() => link.getAttribute('href')).toBe('/multihydro')
    await expect.poll(() => back.count()).toBeGreaterThan(0)
    const head = page.locator('main header').filter({ hasText: 'Place en noue' })
    const facts = () => head.locator('dl > div').allTextContents()
    await expect
      .poll(async () => (await facts()).slice(0, 3))
      .toEqual(['Bassin versantMelun', 'Cas d’étudeEOGN', 'Utilisateuranne'])
    await expect.poll(async () => (await facts())[3]).toMatch(/^Date\d{2}\/\d{2}\/\d{4} - \d{2}:\d{2}:\d{2}$/)
    const modules = () => expect.poll(() => page.getByRole('region', { name: 'Modules' }).textContent())
    await modules().toMatch(/Sol \(infiltration\)\s*Activé/)
    await modules().toMatch(/Barrier\s*hauteur 0\u202fm\s*Désactivé/)
    await modules().toMatch(/Bassin\s*profondeur 0\u202fm\s*Désactivé/)
    const land = page.getByRole('region', { name: 'Occupation des sols' })
    const legend = () => land.getByRole('list', { name: 'Légende' }).getByRole('listitem').allTextContents()
    await expect.poll(async () => (await legend()).at(-1)).toBe('Noue végétalisée7')
    await expect.poll(legend).toContainEqual(expect.stringMatching(/^Herbe/))
    await expect
      .poll(() => land.getByRole('columnheader').allInnerTexts())
      .toEqual(['Id', 'Utilisateur', 'Description', 'Date de création', 'Taille (Ko)', 'Téléchargement'])
    const rain = page.getByRole('region', { name: 'Pluie', exact: true })
    await rain.getByText('Pluie synthétique, triangle simple').waitFor()
    await expect
      .poll(async () =>
        (await rain.locator('dl > div').allTextContents()).map((text) => text.replace(/\s/g, ' ')),
      )
      .toEqual([
        'd, durée totale10 min',
        't, instant de la pointe3 min',
        'iMax, intensité maximale60 mm/h',
        'Attente après la pluie20 min',
        'Intervalle1 min',
      ])
    const result = page.getByRole('region', { name: 'Résultat' })
    await expect
      .poll(() => result.locator('dl').textContent())
      .toMatch(/^StatutTerminéTemps de calcul\d+(,\d)?\s(ms|s)$/)
    const line = result.getByText(/pas en .* erreur de bilan/)
    await expect.poll(() => line.isVisible()).toBe(false)
    await result.getByText('Logs', { exact: true }).click()
    await line.waitFor()
    await page.getByText(/^Calculé par RadX/).waitFor()
    await expect
      .poll(() =>
        page
          .getByRole('region', { name: 'Fichier(s) de sortie' })
          .getByRole('columnheader')
          .allTextContents(),
      )
      .toEqual(['Fichier', 'Description', 'Taille (Ko)', 'Téléchargement'])

    await page.emulateMedia({ reducedMotion: 'no-preference' })
    const slides = page.getByRole('region', { name: 'Images du bassin versant' }).locator('figure')
    await expect
      .poll(() => slides.locator('figcaption').allTextContents())
      .toEqual([
        'L’occupation des sols de cette simulation',
        'Le relief du bassin, ombré depuis le nord-ouest',
        'Les rues, les avaloirs et les regards du réseau d’assainissement',
      ])
    await expect
      .poll(() =>
        slides.evaluateAll((all) =>
          all.map((slide) => {
            const { transitionProperty, transitionDuration } = getComputedStyle(slide)
            return [transitionProperty, transitionDuration, slide.querySelector('canvas')?.width]
          }),
        ),
      )
      .toEqual(Array(3).fill(['opacity', '0.5s', 12]))
    // Held still, the picture at the start stays: after some loads it was not always the same.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const first = new Set<number>()
    for (let load = 0; load < 25 && first.size < 2; load++) {
      await page.reload()
      await slides.first().waitFor({ state: 'attached' })
      first.add(await slides.evaluateAll((all) => all.findIndex((slide) => slide.dataset.shown === 'true')))
    }
    expect(first.size).toBe(2)
    await page.getByText('all_flow_10m.txt').waitFor()

    await page.route('**/all_flow_10m.txt/data', (route) =>
      route.fulfill({ status: 404, json: { code: 'x', message: 'Ce fichier manque.' } }),
    )
    await button(page, 'Télécharger all_flow_10m.txt').click()
    await page
      .getByRole('row', { name: /all_flow/ })
      .getByText('Ce fichier manque.')
      .waitFor()
    await expect.poll(() => button(page, 'Télécharger all_flow_10m.txt').count()).toBe(0)

    let sent = 0
    await page.route('**/title', (route) => {
      sent++
      return route.fulfill({ status: 403, json: { code: 'x', message: 'Lecture seule.' } })
    })
    await button(page, 'Renommer la simulation').click()
    await button(page, 'Enregistrer le titre').click()
    await button(page, 'Renommer la simulation').waitFor()
    expect(sent).toBe(0)
    await button(page, 'Renommer la simulation').click()
    await page.getByLabel('Titre', { exact: true }).fill('Autre')
    await button(page, 'Enregistrer le titre').click()
    await page.getByText('Lecture seule.').waitFor()
    await page.getByRole('heading', { name: 'Place en noue' }).waitFor()
    expect(sent).toBe(1)
    await close()
  })

  test('[SIMDETAIL-13] [SIMDETAIL-14] [SIMDETAIL-18] [SIMDETAIL-19] [SIMDETAIL-20] [SIMDETAIL-25] [SIMDETAIL-26] [SIMDETAIL-28] [SIMDETAIL-36] [SIMDETAIL-38] [JOB-02] [JOB-11] [JOB-12] each rain, status and error has its words', async () => {
    const { page, close } = await open('anne', '/multihydro')
    let change: (job: { input: Record<string, unknown>; [key: string]: unknown }) => void = () => {}
    await page.route(/\/api\/job\/[0-9a-f-]{36}$/, async (route) => {
      const job = await (await route.fetch()).json()
      change(job)
      await route.fulfill({ json: job })
    })
    await page.route('**/api/job/output/*', (route) => route.fulfill({ json: [] }))
    // A line that cannot be opened.
    await page.addInitScript(() => {
      window.WebSocket = class {
        constructor() {
          throw new Error('no line')
        }
      } as unknown as typeof WebSocket
    })
    await page.getByRole('link', { name: 'Place en noue' }).click()
    await page.getByText('La liste de fichier est vide.').waitFor()
    const rain = page.getByRole('region', { name: 'Pluie', exact: true })
    const shown = async (selection: string) => {
      change = ({ input }) => {
        input.rainfallSelection = selection
      }
      await page.reload()
      await rain.waitFor()
      return rain.textContent()
    }
    const radar = await shown('radar')
    for (const part of ['Radar bande X à double polarisation', 'DPSRI', 'Début', 'Fin', '3,433\u202fmin'])
      expect(radar).toContain(part)
    const ev7 = await shown('ev7')
    for (const part of ['Évènement radar 7', '5\u202fmin']) expect(ev7).toContain(part)
    expect(await shown('grêle')).toContain('Sélection inconnue')

    // What the server answers of rain outside the account's dates: nothing is offered that would be refused.
    const workspace = page.locator('main header').getByRole('link', { name: /espace de travail/ })
    await workspace.waitFor()
    change = (job) => Object.assign(job, { result: null, logs: [] })
    await page.reload()
    const outputs = page.getByRole('region', { name: 'Fichier(s) de sortie' })
    await outputs.getByText('viennent d’une pluie hors des dates de votre compte').waitFor()
    expect(await outputs.getByRole('link').count()).toBe(0)
    expect(await outputs.getByRole('button').count()).toBe(0)
    expect(await workspace.count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'SWMM Analyse' }).count()).toBe(0)
    expect(await page.getByText(/échoué avec le code/).count()).toBe(0)

    change = (job) => Object.assign(job, { status: 'error', error: 'Le disque est plein.', result: null })
    await page.reload()
    await page
      .getByRole('region', { name: 'Résultat' })
      .locator('pre', { hasText: 'Le disque est plein.' })
      .waitFor()
    const footer = page.locator('main footer')
    await expect.poll(() => footer.count()).toBe(1)
    const badge = page.locator('main header [data-status]').first()
    await expect.poll(() => badge.textContent()).toBe('Erreur')

    change = (job) => Object.assign(job, { status: 'running', result: null })
    await page.reload()
    await footer.getByText(/^Calcul en cours par RadX/).waitFor()
    await expect.poll(() => badge.textContent()).toBe('En cours de traitement')

    change = (job) =>
      Object.assign(job, { status: 'pending', result: null, progress: { value: 0, max: 0 }, msg: '' })
    await page.reload()
    const progress = page.getByRole('region', { name: 'Statut et logs' })
    await progress.getByText('pending', { exact: true }).waitFor()
    const bar = progress.getByRole('progressbar', { name: 'Statut et logs' })
    await bar.waitFor()
    await expect
      .poll(async () => [await bar.getAttribute('aria-valuetext'), await bar.getAttribute('aria-valuenow')])
      .toEqual(['pending', '0'])
    await expect.poll(() => footer.count()).toBe(0)
    await expect.poll(() => badge.textContent()).toBe('En attente')
    // Without a line and without a reload, only asking again tells that the run has ended.
    change = () => {}
    await progress.waitFor({ state: 'detached' })
    await expect.poll(() => badge.textContent()).toBe('Terminé')
    await page.getByText('La liste de fichier est vide.').waitFor()
    await close()
  })

  test('a dialog that is open when the session ends waits behind the form to sign in, as it was', async () => {
    const password = await radx.addAccount('dora')
    const { page, close } = await open(null, '/compte')
    const signIn = async () => {
      await page.getByLabel('Identifiant').fill('dora')
      await page.getByLabel('Mot de passe', { exact: true }).fill(password)
      await button(page, 'Connexion').click()
    }
    await signIn()
    await button(page, 'Déconnexion').waitFor()
    await page.goto(`${radx.url}/multihydro/form`)
    await page.getByLabel('Titre de la simulation').fill('Essai')
    await next(page).click()
    const opener = page.getByRole('button', { name: /^Exporter/ }).last()
    await opener.click()
    const size = page.getByLabel('Taille d’une cellule (px)')
    await size.fill('7')
    await radx.radx('user', 'end-sessions', 'dora')
    // Another window was used meanwhile.
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    const told = page.getByRole('dialog', { name: 'Déconnexion automatique' })
    await told.waitFor()
    await page.keyboard.press('Escape')
    await told.waitFor({ state: 'detached' })
    await page.getByText(/ce que vous aviez saisi est resté/).waitFor()
    await expect.poll(() => size.isVisible()).toBe(false)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    // Who types goes on with his name.
    const name = page.getByLabel('Identifiant')
    await expect.poll(() => name.evaluate((at) => at === document.activeElement)).toBe(true)
    await signIn()
    await size.waitFor()
    await expect.poll(() => size.inputValue()).toBe('7')
    await page.keyboard.press('Escape')
    await size.waitFor({ state: 'detached' })
    await expect.poll(() => opener.evaluate((at) => at === document.activeElement)).toBe(true)
    await close()
  })

  test('[LUSE-04] [LUSE-11] [LUSE-12] [LUSE-13] [LUSE-36] a file is exported as grid and picture; a manager changes properties', async () => {
    const { page, errors, close } = await open('chef', '/multihydro/form')
    await page.getByLabel('Titre de la simulation').fill('Essai')
    await next(page).click()
    await page
      .getByRole('button', { name: /^Exporter/ })
      .last()
      .click()
    const [grid] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Télécharger luse.asc').click(),
    ])
    expect(grid.suggestedFilename()).toBe('luse.asc')
    expect(readFileSync(await grid.path(), 'utf8')).toContain('ncols')
    await expect.poll(() => page.getByLabel('Taille d’une cellule (px)').inputValue()).toBe('5')
    const [image] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Générer l’image luse.png').click(),
    ])
    expect(image.suggestedFilename()).toBe('luse.png')
    const png = PNG.sync.read(readFileSync(await image.path()))
    expect([png.width, png.height]).toEqual([60, 40])
    await page.keyboard.press('Escape')
    // The basin's own files stay; one that runs need says so.
    await page.getByRole('button', { name: 'Supprimer Une noue sur la place' }).click()
    await page
      .getByRole('group', { name: /^Supprimer Une noue/ })
      .getByRole('button', { name: 'Supprimer' })
      .click()
    await page.getByText(/est la référence de 1\s?simulation/).waitFor()
    await expect
      .poll(() => page.getByRole('button', { name: /^Supprimer/ }).count())
      .toBe((await page.getByRole('radio').count()) - 1)
    errors.length = 0
    await page.getByRole('radio').first().click()
    await page.getByRole('switch', { name: 'Modifier l’occupation des sols' }).click()
    const kh = page.getByRole('textbox', { name: 'kh, Herbe' })
    await kh.fill('9000')
    await page.getByText(/^de 0 à \d/).waitFor()
    await expect.poll(() => kh.getAttribute('aria-invalid')).toBe('true')
    // What is wrong can be read, and on a phone the table is moved within its place.
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    const { violations } = await axe(page).include('table').withRules(['color-contrast']).analyze()
    expect(violations.map(({ nodes }) => nodes.map(({ html }) => html.slice(0, 120)))).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
    await kh.fill('2e-6')
    await page.getByText(/^de 0 à \d/).waitFor({ state: 'detached' })
    await button(page, "Continuer avec ces codes d'utilisation des sols").click()
    await expect
      .poll(() => page.getByRole('table', { name: 'Codes utilisés' }).textContent())
      .toMatch(/2\s*·\s*10\s*[−⁻-]\s*[6⁶]/)
    expect(errors).toEqual([])
    await close()
  })

  test('[LUSE-15] [LUSE-17] [LUSE-18] [LUSE-19] [LUSE-21] [LUSE-23] the editor has its modes, brushes, zooms and keys', async () => {
    const { page, errors, close } = await open('anne', '/multihydro/form')
    await page.getByLabel('Titre de la simulation').fill('Essai')
    await next(page).click()
    await page.getByRole('radio').first().click()
    await page.getByRole('switch', { name: 'Modifier l’occupation des sols' }).click()
    await button(page, "Continuer avec ces codes d'utilisation des sols").click()
    const canvas = page.getByLabel(GRID)
    await canvas.waitFor()
    await expect
      .poll(async () => [await canvas.getAttribute('width'), await canvas.getAttribute('height')])
      .toEqual(['900', '600'])
    const group = (name: string) => page.getByRole('radiogroup', { name, exact: true })
    const chosen = (name: string) =>
      expect.poll(() => group(name).locator('input:checked').locator('xpath=..').textContent())
    await expect
      .poll(() => group('Mode').locator('label').allTextContents())
      .toEqual(['Déplacer', 'Dessiner', 'Effacer'])
    await expect
      .poll(() => group('Pinceau').locator('label').allTextContents())
      .toEqual(['1 × 1', '4 × 4', '8 × 8'])
    await chosen('Mode').toBe('Dessiner')
    expect(await spokenFaults(page)).toEqual([])
    for (const mode of ['Effacer', 'Déplacer', 'Dessiner']) {
      await page.keyboard.press('a')
      await chosen('Mode').toBe(mode)
    }
    await chosen('Pinceau').toBe('4 × 4')
    await page.keyboard.press('z')
    await chosen('Pinceau').toBe('8 × 8')
    await page.keyboard.press('s')
    await page.keyboard.press('s')
    await chosen('Pinceau').toBe('1 × 1')
    const layer = page.getByRole('switch', { name: 'Calque des modifications' })
    await page.keyboard.press('d')
    await expect.poll(() => layer.isChecked()).toBe(false)
    await page.keyboard.press('d')
    await expect.poll(() => layer.isChecked()).toBe(true)
    const paper = page.getByRole('group', { name: 'Peindre avec' }).locator('button[aria-pressed=true] kbd')
    for (const digit of ['4', '1']) {
      await page.keyboard.press(digit)
      await expect.poll(() => paper.textContent()).toBe(digit)
    }

    const changed = () => expect.poll(() => page.getByTestId('changed').textContent())
    await paint(page, 5, 1)
    await changed().toContain('1 cellule modifiée')
    await choice(page, 'Effacer').click()
    await paint(page, 5, 1)
    await changed().toContain('Aucune cellule modifiée')
    await choice(page, 'Déplacer').click()
    await paint(page, 5, 1)
    await changed().toContain('Aucune cellule modifiée')

    // Keys alone: a cell, a stroke that is drawn, one that is dropped, and back.
    await page.mouse.move(0, 0)
    await page.keyboard.press('Escape')
    const cell = () => expect.poll(() => page.getByTestId('editor-cell').textContent())
    await group('Mode').locator('input:checked').focus()
    for (let k = 0; k < 20 && !(await canvas.evaluate((one) => one === document.activeElement)); k++)
      await page.keyboard.press('Tab')
    await cell().toMatch(/^ligne \d+, colonne \d+\u00a0: /)
    await expect.poll(() => page.getByText(/^Au clavier/).isVisible()).toBe(true)
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Shift+ArrowUp')
    await cell().toMatch(/^ligne 0, colonne 0\u00a0: /)
    for (const key of ['ArrowRight', ...Array(5).fill('ArrowDown')]) await page.keyboard.press(key)
    await page.keyboard.press('Space')
    await cell().toMatch(/^Rien n’est peint dans ce mode.*, ligne 5, colonne 1/)
    await changed().toContain('Aucune cellule modifiée')
    await page.keyboard.press('a')
    await page.keyboard.press('Space')
    await cell().toMatch(/^Peint, ligne 5, colonne 1/)
    await changed().toContain('1 cellule modifiée')
    await page.keyboard.press('Enter')
    await cell().toMatch(/^Pinceau posé/)
    for (const key of ['ArrowRight', 'ArrowRight', 'Escape']) await page.keyboard.press(key)
    await cell().toMatch(/^Trait annulé/)
    await changed().toContain('1 cellule modifiée')
    for (const key of ['Enter', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
    await cell().toMatch(/^Pinceau levé, ligne 5, colonne 2/)
    await changed().toContain('3 cellules modifiées')
    for (const left of ['1 cellule modifiée', 'Aucune cellule modifiée']) {
      await page.keyboard.press('Control+z')
      await changed().toContain(left)
    }

    const zoom = page.getByTestId('zoom')
    await canvas.hover()
    for (const turn of [-1, 1])
      for (const level of turn < 0 ? [2, 3, 4, 4] : [3, 2, 1, 1]) {
        await page.mouse.wheel(0, turn * 100)
        await expect.poll(() => zoom.textContent()).toBe(`Zoom ${level}`)
      }
    await choice(page, 'Altitude').click()
    const legend = page.getByRole('figure').filter({ hasText: 'Altitude (m)' })
    const numbers = async () => (await legend.locator('p span').allTextContents()).map(Number)
    await expect.poll(async () => (await numbers()).length).toBeGreaterThan(1)
    const ends = await numbers()
    for (const end of ends) expect(end % 5).toBe(0)
    // The scale is viridis: violet, green, yellow.
    const ramp = await legend.locator('> span').evaluate((one) => getComputedStyle(one).backgroundImage)
    const stops = [...ramp.matchAll(/rgb\((\d+), (\d+), (\d+)\)/g)].map((stop) => stop.slice(1).map(Number))
    expect([stops[0], stops[6], stops[12]]).toEqual([
      [68, 1, 84],
      [33, 145, 140],
      [253, 231, 37],
    ])
    expect(errors).toEqual([])
    await close()
  })

  test('[SIMFORM-27] Back and reload find the form with its step and what was painted; leaving asks, and a new form offers it', async () => {
    const { page, errors, close } = await open('anne', '/multihydro')
    await page.locator('a[href="/multihydro/form"]').click()
    const title = page.getByLabel('Titre de la simulation')
    await title.fill('À ne pas perdre')
    await next(page).click()
    await page.getByRole('radio').first().click()
    await page.getByRole('switch', { name: 'Modifier l’occupation des sols' }).click()
    await button(page, "Continuer avec ces codes d'utilisation des sols").click()
    await choice(page, '1 × 1').click()
    await page.keyboard.press('1')
    const changed = () => expect.poll(() => page.getByTestId('changed').textContent())
    // What is not painted yet is no change that could be lost.
    await changed().toBe('Aucune cellule modifiéeEnregistrez la carte pour continuer')
    await paint(page, 5, 1)
    await changed().toContain('1 cellule modifiée')
    const heading = (name: string) => page.getByRole('heading', { level: 1, name })
    const found = async () => {
      await heading('Occupations des sols').waitFor()
      await changed().toContain('1 cellule modifiée')
      await page.getByText('Modifications non enregistrées').waitFor()
    }
    // By the browser's buttons and by a link, it asks; staying stays.
    const ask = page.getByRole('dialog', { name: 'Quitter le formulaire' })
    await page.evaluate(() => history.go(-2))
    await ask.waitFor()
    await button(page, 'Rester').click()
    await ask.waitFor({ state: 'detached' })
    await found()
    const link = page.getByRole('link', { name: 'Analyse' })
    await link.focus()
    await page.keyboard.press('Enter')
    await ask.waitFor()
    await page.keyboard.press('Escape')
    await ask.waitFor({ state: 'detached' })
    await expect.poll(() => link.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.goBack()
    await heading('Modules').waitFor()
    await page.goForward()
    await found()
    await page.evaluate(() => history.go(-2))
    await ask.waitFor()
    await button(page, 'Quitter').click()
    await page.waitForURL(/\/multihydro$/)
    await page.evaluate(() => history.go(2))
    await found()
    // The browser asks by itself here.
    await page.reload()
    await found()
    await page.goBack()
    await heading('Modules').waitFor()
    await expect.poll(() => title.inputValue()).toBe('À ne pas perdre')
    await page.getByRole('link', { name: '< Retour à votre liste de simulations' }).click()
    await button(page, 'Quitter').click()
    await page.waitForURL(/\/multihydro$/)

    // A form that is entered anew is empty and offers what was left.
    await page.locator('a[href="/multihydro/form"]').click()
    await heading('Modules').waitFor()
    await expect.poll(() => title.inputValue()).toBe('')
    await page.getByText('« À ne pas perdre »').waitFor()
    await button(page, 'Le reprendre').click()
    await expect.poll(() => title.inputValue()).toBe('À ne pas perdre')
    await next(page).click()
    await found()
    await button(page, 'Enregistrer la carte').click()
    await next(page).click()
    await page.getByRole('radio', { name: 'Pluie de projet synthétique' }).click()
    await button(page, 'Utiliser ces paramètres').click()

    // Beside the figure of the specification stands what this machine took.
    await page
      .locator('dd')
      .filter({ hasText: /\d.*d’après (le dernier calcul|les \d+ derniers calculs)/ })
      .waitFor()

    // The answer to the first click is lost on its way: sending again is the same run.
    const runs = new Set<string>()
    let answers = 0
    await page.route('**/api/job/multihydro', async (route) => {
      const answer = await route.fetch()
      runs.add((await answer.json()).jobId)
      if (answers++ === 0) await route.abort()
      else await route.fulfill({ response: answer })
    })
    await button(page, 'Lancer la simulation').click()
    await page.getByRole('alert').getByText('Le serveur ne répond pas').waitFor()
    await button(page, 'Lancer la simulation').dblclick()
    await page.waitForURL(/\/multihydro\/[0-9a-f-]{36}$/)
    expect(runs.size).toBe(1)
    await expect.poll(() => page.url()).toContain([...runs][0])
    // Going back to what was sent, and on from there by another rain, is another run.
    await page.goBack()
    await heading('Données pluviométriques').waitFor()
    await button(page, 'Modifier ces paramètres').click()
    await page.getByLabel('iMax, intensité maximale').fill('12')
    await button(page, 'Utiliser ces paramètres').click()
    await button(page, 'Lancer la simulation').click()
    await page.waitForURL(/\/multihydro\/[0-9a-f-]{36}$/)
    expect(runs.size).toBe(2)
    expect(errors.filter((text) => !text.includes('net::ERR_FAILED'))).toEqual([])
    await close()
  })

  test('a run is cancelled once it was asked, says so, and waiting ones say their place', async () => {
    const { page, close } = await open('anne', '/multihydro')
    let change: (job: Record<string, unknown>) => void = () => {}
    await page.route(/\/api\/job\/[0-9a-f-]{36}$/, async (route) => {
      if (route.request().method() === 'DELETE') return route.continue()
      const job = await (await route.fetch()).json()
      change(job)
      await route.fulfill({ json: job })
    })
    // What the line tells is true; what is asked for is not.
    await page.addInitScript(() => {
      window.WebSocket = class {
        constructor() {
          throw new Error('no line')
        }
      } as unknown as typeof WebSocket
    })
    await page.reload()
    let asked = 0
    await page.route('**/cancel', (route) => {
      asked++
      change = (job) =>
        Object.assign(job, { status: 'error', cancelled: true, error: 'Calcul annulé.', result: null })
      return route.fulfill({ json: {} })
    })
    change = (job) =>
      Object.assign(job, { status: 'pending', queuePlace: 3, result: null, progress: { value: 0, max: 0 } })
    await page.getByRole('link', { name: 'Place en noue' }).click()
    const progress = page.getByRole('region', { name: 'Statut et logs' })
    await progress.getByText('(3e de la file)').waitFor()
    await button(page, 'Annuler le calcul').click()
    await button(page, 'Continuer le calcul').click()
    expect(asked).toBe(0)
    await button(page, 'Annuler le calcul').click()
    await button(page, 'Oui, annuler').dblclick()
    await page.getByRole('region', { name: 'Résultat' }).getByText('Le calcul a été annulé.').waitFor()
    expect(asked).toBe(1)
    await expect.poll(() => page.locator('main header [data-status]').first().textContent()).toBe('Annulée')

    // Notes that are not saved hold the page.
    change = () => {}
    await page.reload()
    await page.getByRole('textbox', { name: 'Notes' }).fill('Une phrase qui')
    const back = page.getByRole('link', { name: '< Retour à votre liste de simulations' }).first()
    await back.click()
    const ask = page.getByRole('dialog', { name: 'Quitter sans enregistrer' })
    await ask.waitFor()
    await button(page, 'Rester').click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Notes' }).inputValue()).toBe('Une phrase qui')
    await back.click()
    await button(page, 'Quitter').click()
    await page.waitForURL(/\/multihydro$/)

    // A run goes after one question, and leaves the focus in the list instead of nowhere.
    const card = page.getByRole('link', { name: 'Place en noue' })
    await card.click()
    const remove = button(page, 'Supprimer cette simulation')
    await remove.press('Enter')
    await button(page, 'Garder').press('Escape')
    await expect.poll(() => remove.evaluate((one) => one === document.activeElement)).toBe(true)
    await remove.press('Enter')
    await button(page, 'Supprimer').press('Enter')
    await page.waitForURL(/\/multihydro$/)
    await card.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('contenu')
    await close()
  })

  test('[SIMDETAIL-24] visitors are sent to log in, and a run that is not there says so', async () => {
    const visitor = await open(null, '/multihydro')
    await visitor.page.waitForURL('**/compte')
    await visitor.close()
    const { page, close } = await open('anne', '/multihydro/00000000-0000-4000-8000-000000000000')
    await page.getByText('Unable to fetch the data').waitFor()
    await close()
  })
})
