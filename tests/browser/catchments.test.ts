import { strToU8, zipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount } from '../../apps/server/src/accounts/service.ts'
import { SMALL_CATCHMENT } from '../../apps/server/src/simulation/testing/small-catchment.ts'
import { passwordOf } from '../../apps/server/src/testing/account-server.ts'
import { type BrowserServer, look, signedIn, signIn, startBrowserServer } from './account-server.ts'
import { spokenFaults } from './spoken.ts'
import { openBrowser, openPage } from './support.ts'

let browser: Browser
let server: BrowserServer

beforeAll(async () => {
  ;[browser, server] = await Promise.all([openBrowser(), startBrowserServer()])
  const roles: Record<string, string[]> = { olga: ['catchments'], nadia: [] }
  for (const [name, own] of Object.entries(roles))
    await addAccount(server.deps.db, name, passwordOf(name), { roles: own })
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const zipOf = (changes: Record<string, string> = {}) =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries({ ...SMALL_CATCHMENT, ...changes }).map(([name, text]) => [name, strToU8(text)]),
      ),
    ),
  )

async function open(name: string) {
  const opened = await openPage(browser, `${server.url}/compte`)
  await signIn(opened.page, name)
  await signedIn(opened.page).waitFor()
  await opened.page.getByRole('link', { name: /^Bassins versants à simuler/ }).click()
  await opened.page.getByRole('heading', { name: 'Bassins versants', level: 1 }).waitFor()
  return opened
}
const choose = (page: Page, name: string, buffer: Buffer) =>
  page
    .getByTestId('catchment-drop')
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/zip', buffer })
const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, level: 3 }) })

test('a package is sent, refused with all that is wrong, cancelled, and added with its card', async () => {
  const { page, close } = await open('olga')
  await page.getByText('Vous n’en avez pas encore').waitFor()
  await choose(page, 'faux.zip', zipOf({ 'luse.asc': 'rien', 'gullies.csv': 'rien' }))
  const refused = page.getByRole('alert')
  await refused.getByText(/faux\.zip n’a pas été ajouté\.\s\d\spoints sont à corriger/).waitFor()
  expect(await refused.getByRole('listitem').count()).toBeGreaterThanOrEqual(2)

  // On its way until somebody lets go of it.
  await page.route('**/api/catchment-packages?name=*', () => undefined)
  await choose(page, 'lent.zip', zipOf())
  await page
    .getByRole('status')
    .getByText(/Envoi de lent\.zip\s: 0\s%|lent\.zip est envoyé/)
    .waitFor()
  expect(await page.getByRole('progressbar', { name: /Envoi de lent\.zip/ }).count()).toBe(1)
  await page.getByRole('button', { name: 'Annuler l’envoi' }).click()
  await page.getByText(/L’envoi de lent\.zip a été annulé/).waitFor()
  await page.unroute('**/api/catchment-packages?name=*')

  await choose(page, 'ville.zip', zipOf())
  await page.getByText(/«\sPetit bassin\s» est là\. Vous seul le voyez/).waitFor()
  const own = card(page, 'Petit bassin')
  await own.getByText('Privé').waitFor()
  await own.getByText(/12\s×\s8\smailles de 10\sm/).waitFor()
  await choose(page, 'ville.zip', zipOf())
  await page.getByText(/«\sPetit bassin\s» est déjà là, sans changement/).waitFor()

  const faults: string[] = []
  await look(page, 'catchments', faults)
  faults.push(...(await spokenFaults(page)))
  expect(faults).toEqual([])
  await close()
})

test('its owner renames it by keys, shares it with an account that then runs it, and deletes it after a question', async () => {
  const { page, close } = await open('olga')
  const about = { ...JSON.parse(SMALL_CATCHMENT['catchment.json']), id: 'autre', display: 'Petit quartier' }
  await choose(page, 'autre.zip', zipOf({ 'catchment.json': JSON.stringify(about) }))
  const renaming = page.getByRole('button', { name: 'Renommer Petit quartier' })
  await renaming.focus()
  await page.keyboard.press('Enter')
  const field = page.getByRole('textbox', { name: 'Nom du bassin versant' })
  await expect.poll(() => field.evaluate((node) => node === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => renaming.evaluate((node) => node === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await field.fill('Ville de l’Est')
  await page.keyboard.press('Enter')
  await card(page, 'Ville de l’Est').waitFor()

  await page.getByRole('button', { name: 'Partager Ville de l’Est' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Les comptes que je nomme' }).check()
  await dialog.getByRole('textbox', { name: 'Noms des comptes' }).fill('nadia, personne')
  await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  await dialog.getByText(/Aucun compte ne s’appelle.*personne/).waitFor()
  const faults: string[] = []
  await look(page, 'sharing', faults)
  expect(faults).toEqual([])
  await dialog.getByRole('textbox', { name: 'Noms des comptes' }).fill('nadia')
  await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  await card(page, 'Ville de l’Est').getByText('Partagé avec 1 compte').waitFor()

  const other = await open('nadia')
  await other.page.getByText(/demande un droit que donne un gestionnaire/).waitFor()
  await other.page.getByRole('heading', { name: 'Partagés par d’autres' }).waitFor()
  const theirs = card(other.page, 'Ville de l’Est')
  await theirs.getByText(/Partagé avec vous.*de olga/).waitFor()
  expect(await theirs.getByRole('button', { name: /Supprimer/ }).count()).toBe(0)
  await theirs.getByRole('link', { name: /Lancer une simulation/ }).click()
  const chosen = other.page.getByRole('combobox', { name: 'Bassin versant' })
  await expect.poll(() => chosen.inputValue()).toMatch(/^Ville de l’Est, /)
  await other.close()

  await page.getByRole('button', { name: 'Supprimer Ville de l’Est' }).click()
  const question = page.getByRole('group', { name: 'Supprimer Ville de l’Est' })
  await question.getByText(/avec toutes ses versions/).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Supprimer Ville de l’Est' }).click()
  await question.getByRole('button', { name: 'Supprimer' }).click()
  await card(page, 'Ville de l’Est').waitFor({ state: 'detached' })
  await close()
})
