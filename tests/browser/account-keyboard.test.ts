import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addAccount, findAccount } from '../../apps/server/src/accounts/service.ts'
import { passwordOf } from '../../apps/server/src/testing/account-server.ts'
import { type BrowserServer, eventually, signedIn, signIn, startBrowserServer } from './account-server.ts'
import { type OpenOptions, openBrowser, openPage } from './support.ts'

let server: BrowserServer
let browser: Browser
let leave: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await startBrowserServer()
  browser = await openBrowser()
  const { db } = server.database
  for (const name of ['alice', 'bob']) await addAccount(db, name, passwordOf(name))
  await addAccount(db, 'chef', passwordOf('chef'), { roles: ['manager'] })
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
afterEach(async () => {
  for (const close of leave.splice(0)) await close()
  leave = []
})

async function openAs(name: string, path: string, options: OpenOptions = {}): Promise<Page> {
  // Passkeys want a name, not an address.
  const url = server.url.replace('127.0.0.1', 'localhost')
  const { page, close } = await openPage(browser, `${url}/compte`, options)
  leave.push(close)
  await signIn(page, name)
  await signedIn(page).waitFor()
  if (path !== '/compte') await page.goto(url + path)
  return page
}

/** What has the focus, as a screen reader would name it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement as HTMLElement
    const label = (at as HTMLInputElement).labels?.[0]?.textContent
    return (at.getAttribute('aria-label') ?? label ?? at.textContent ?? '').trim()
  })
const focusIs = (page: Page, name: string | RegExp) =>
  name instanceof RegExp
    ? eventually(() => focused(page)).toMatch(name)
    : eventually(() => focused(page)).toBe(name)

/** Opens a form with Enter, sees the focus in it, and leaves it with Escape. */
async function opensAndLeaves(page: Page, opener: string, field: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: opener, exact: true }).focus()
  await page.keyboard.press('Enter')
  await focusIs(page, field)
  await page.keyboard.press('Escape')
  await focusIs(page, opener)
}

test('one’s account by keyboard: forms take the focus, Escape gives it back, Tab goes from field to field', async () => {
  const page = await openAs('alice', '/compte')
  for (const opener of ['Ajouter une clé d’accès', 'Ajouter une application de codes', 'Effacer mon compte'])
    await opensAndLeaves(page, opener, /^(Nom de la clé d’accès|Mot de passe actuel|Les supprimer)$/)

  // A refusal leaves the focus where the mistake is.
  await page.getByRole('button', { name: 'Ajouter une application de codes' }).focus()
  await page.keyboard.press('Enter')
  await focusIs(page, 'Mot de passe actuel')
  await page.keyboard.type('faux-mot')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'incorrect' }).waitFor()
  await focusIs(page, 'Mot de passe actuel')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(passwordOf('alice'))
  await page.keyboard.press('Enter')
  await focusIs(page, 'Code à six chiffres')
  await page.keyboard.press('Escape')
  await focusIs(page, 'Ajouter une application de codes')

  const form = page.getByRole('form', { name: 'Mot de passe' })
  await form.getByLabel('Mot de passe actuel', { exact: true }).focus()
  const order: string[] = []
  const type = async (text: string) => {
    order.push(await focused(page))
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await type(passwordOf('alice'))
  await type('orage de juillet')
  await type('orage de juillet')
  expect(order).toEqual([
    'Mot de passe actuel',
    'Nouveau mot de passe',
    'Nouveau mot de passe, encore une fois',
  ])
  await focusIs(page, 'Changer le mot de passe')
  await page.keyboard.press('Enter')
  await form.getByText('Mot de passe changé.').waitFor()
})

test('administration of accounts by keyboard: from the row into its form, to its questions, and back', async () => {
  const page = await openAs('chef', '/admin?rubrique=comptes')
  await opensAndLeaves(page, 'Créer un compte', 'Identifiant')
  await opensAndLeaves(page, 'Modifier le compte bob', 'Gestionnaire')

  await page.getByRole('button', { name: 'Modifier le compte bob' }).focus()
  await page.keyboard.press('Enter')
  await focusIs(page, 'Gestionnaire')
  // The question before something is taken away: it begins at the safe answer, and Escape leaves the question alone.
  await opensAndLeaves(page, 'Désactiver', 'Annuler')
  const form = page.getByRole('form', { name: 'Modifier le compte bob' })
  await form.waitFor()
  // Tab out of it takes the question back too, and goes where it goes.
  await page.keyboard.press('Enter')
  await focusIs(page, 'Annuler')
  await page.keyboard.press('Tab')
  await form.getByRole('button', { name: 'Désactiver' }).waitFor()
  await focusIs(page, /^(?!Désactiver)/)
  await form.getByRole('button', { name: 'Désactiver' }).focus()
  await page.keyboard.press('Enter')
  await focusIs(page, 'Annuler')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('rowheader', { name: 'bob' }).getByText('Désactivé').waitFor()
  await focusIs(page, 'Modifier le compte bob')

  await page.getByRole('button', { name: 'Créer un compte' }).focus()
  await page.keyboard.press('Enter')
  await focusIs(page, 'Identifiant')
  await page.keyboard.type('nadia')
  await page.keyboard.press('Enter')
  await focusIs(page, 'Lien de mot de passe de nadia')
  await page.keyboard.press('Escape')
  await focusIs(page, 'Créer un compte')
  await page.getByRole('rowheader', { name: 'nadia' }).getByText('Attend son mot de passe').waitFor()
})

test('Tab alone signs in and gives an account its dates, written in French in any browser', async () => {
  const { page, close } = await openPage(browser, `${server.url}/compte`, { locale: 'en-US' })
  leave.push(close)
  await page.getByLabel('Identifiant').waitFor()
  const tabTo = async (name: string) => {
    const seen: string[] = []
    do {
      await page.keyboard.press('Tab')
      seen.push(await focused(page))
    } while (seen.at(-1) !== name && seen.length < 80)
    expect(seen.at(-1), seen.join(' | ')).toBe(name)
  }
  await tabTo('Identifiant')
  await page.keyboard.type('chef')
  await tabTo('Mot de passe')
  await page.keyboard.type(passwordOf('chef'))
  await tabTo('Connexion')
  await page.keyboard.press('Enter')
  await signedIn(page).waitFor()
  await page.goto(`${server.url}/admin?rubrique=comptes`)
  await page.getByRole('rowheader', { name: 'alice' }).waitFor()
  await tabTo('Modifier le compte alice')
  await page.keyboard.press('Enter')
  await focusIs(page, 'Gestionnaire')
  await tabTo('Accès à partir du')
  await page.keyboard.type('31/2/2026')
  await page.keyboard.press('Enter')
  const form = page.getByRole('form', { name: 'Modifier le compte alice' })
  await form.getByText('Écrivez le jour ainsi').waitFor()
  await expect.poll(() => form.getByRole('button', { name: 'Enregistrer' }).isDisabled()).toBe(true)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('3/2/2026')
  await tabTo('Accès jusqu’au (exclu)')
  await eventually(() => form.getByLabel('Accès à partir du').inputValue()).toBe('03/02/2026')
  await tabTo('Enregistrer')
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'detached' })
  const { restriction_start } = await findAccount(server.database.db, 'alice')
  expect(restriction_start?.toISOString()).toBe('2026-02-02T23:00:00.000Z')
})

test('on a phone each cell of administration says its column, and the table stays one for a screen reader', async () => {
  const page = await openAs('chef', '/admin?rubrique=comptes', { viewport: { width: 390, height: 844 } })
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'alice' }) })
  await row.waitFor()
  const heads = await row
    .getByRole('cell')
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content))
  expect(heads).toEqual(['"Droits"', '"Dernière activité"', '"Gardé / permis"', '"Actions"'])
  const cdp = await page.context().newCDPSession(page)
  const { nodes } = await cdp.send('Accessibility.getFullAXTree')
  const roles = nodes.map(({ role }) => role?.value)
  for (const role of ['table', 'columnheader', 'row', 'rowheader', 'cell']) expect(roles).toContain(role)
})
