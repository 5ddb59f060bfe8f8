import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Seeds } from '../../apps/server/src/accounts/second-factor/seeds.ts'
import { codeAt, stepAt } from '../../apps/server/src/accounts/second-factor/totp.ts'
import { addAccount, findAccount } from '../../apps/server/src/accounts/service.ts'
import { passwordOf } from '../../apps/server/src/testing/account-server.ts'
import {
  type BrowserServer,
  eventually,
  giveAuthenticator,
  look,
  signedIn,
  signIn,
  startBrowserServer,
} from './account-server.ts'
import { axe, openBrowser, openPage, SHARP } from './support.ts'

let server: BrowserServer
let browser: Browser
let leave: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await startBrowserServer({}, {}, { REQUIRE_2FA: 'manager' })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
afterEach(async () => {
  for (const close of leave.splice(0)) await close()
  leave = []
  // Each test has its own managers.
  await server.database.db.deleteFrom('account').execute()
  await server.database.db.deleteFrom('login_throttle').execute()
})

async function openAccount(): Promise<Page> {
  const { page, close } = await openPage(browser, `${server.url}/compte`)
  leave.push(close)
  return page
}
const manager = (name: string) =>
  addAccount(server.database.db, name, passwordOf(name), { roles: ['manager'] })
const factors = (page: Page) => page.getByRole('region', { name: 'Second facteur' })
const codeField = (page: Page) => page.getByLabel('Code de l’application ou code de secours')

/** A code of the account's application, as a clock that is wrong by so much would show it. */
async function codeOf(name: string, wrongMs = 0): Promise<string> {
  const { db } = server.database
  const { id } = await findAccount(db, name)
  const row = await db
    .selectFrom('totp')
    .select('secret')
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow()
  const seed = await new Seeds(db, server.deps.config.dataDir, null).open(row.secret, id)
  return codeAt(seed, stepAt(Date.now() + wrongMs))
}

/** Signs a manager in whose rights wait, and puts an application of codes in place. */
async function enrol(page: Page, name: string): Promise<string[]> {
  await signIn(page, name)
  await signedIn(page).waitFor()
  const part = factors(page)
  await part.getByText('vos droits de gestionnaire attendent', { exact: false }).waitFor()
  await part.getByRole('button', { name: 'Ajouter une application de codes' }).click()
  await part.getByLabel('Mot de passe actuel', { exact: true }).fill(passwordOf(name))
  await page.keyboard.press('Enter')
  await part.getByRole('img', { name: 'Code QR de l’application de codes' }).waitFor()
  await part.getByLabel('Code à six chiffres').fill(await codeOf(name))
  await page.keyboard.press('Enter')
  await eventually(() => part.getByRole('listitem').count()).toBe(10)
  return part.getByRole('listitem').allTextContents()
}
const signOut = async (page: Page) => {
  await signedIn(page).click()
  await page.getByLabel('Identifiant').waitFor()
}

test('the only manager of a platform that asks for a second factor signs in without one, and is led to it', async () => {
  await manager('seule')
  const page = await openAccount()
  await signIn(page, 'seule')
  await signedIn(page).waitFor()
  await page.goto(`${server.url}/admin`)
  await page.getByRole('heading', { name: 'Un second facteur est attendu' }).waitFor()
  expect((await axe(page).analyze()).violations.map(({ id }) => id)).toEqual([])
  await page.getByRole('link', { name: 'Voir mon compte' }).click()
  await signOut(page)
  await enrol(page, 'seule')
  // The rights are back without another login.
  await page.getByRole('banner').getByRole('link', { name: 'Administration' }).click()
  await page.getByRole('heading', { name: 'État du service' }).waitFor()
})

test('codes that are shown once stay while the state of the account cannot be read', async () => {
  await manager('iris')
  const page = await openAccount()
  await signIn(page, 'iris')
  await signedIn(page).waitFor()
  await factors(page).getByRole('button', { name: 'Ajouter une application de codes' }).waitFor()
  await page.route('**/api/users/security', (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: '{"message":"Base absente."}' }),
  )
  const part = factors(page)
  await part.getByRole('button', { name: 'Ajouter une application de codes' }).click()
  await part.getByLabel('Mot de passe actuel', { exact: true }).fill(passwordOf('iris'))
  await page.keyboard.press('Enter')
  await part.getByRole('img', { name: 'Code QR de l’application de codes' }).waitFor()
  await part.getByLabel('Code à six chiffres').fill(await codeOf('iris'))
  await page.keyboard.press('Enter')
  await eventually(() => part.getByRole('listitem').count()).toBe(10)
  await page.unroute('**/api/users/security')
  await part.getByRole('button', { name: 'Je les ai notés' }).click()
})

test('a clock ten minutes slow is told at the login; the code of a clock that is right opens the session', async () => {
  await manager('lente')
  const page = await openAccount()
  await enrol(page, 'lente')
  await factors(page).getByRole('button', { name: 'Je les ai notés' }).click()
  await signOut(page)
  await signIn(page, 'lente')
  await codeField(page).fill(await codeOf('lente', -10 * 60_000))
  await page.keyboard.press('Enter')
  await eventually(() => page.getByRole('alert').textContent()).toMatch(
    /retarde d’environ 10\smin|retarde d'environ 10\smin/,
  )
  // What was typed stays but for the code; the one of the enrolment is used up, the next step is good early.
  await codeField(page).fill(await codeOf('lente', 30_000))
  await page.keyboard.press('Enter')
  await signedIn(page).waitFor()
})

test('who lost the second factor: a recovery code opens a session, and without codes another manager takes it away', async () => {
  await manager('perdue')
  await manager('autre')
  const lost = await openAccount()
  const codes = await enrol(lost, 'perdue')
  await factors(lost).getByRole('button', { name: 'Je les ai notés' }).click()
  await signOut(lost)
  await signIn(lost, 'perdue')
  await lost.getByText('Sans code de secours', { exact: false }).waitFor()
  await codeField(lost).fill(codes[0])
  await lost.keyboard.press('Enter')
  await signedIn(lost).waitFor()
  await factors(lost).getByText('9 codes de secours restent.').waitFor()

  // The other manager, whose own factor stands.
  const page = await openAccount()
  await enrol(page, 'autre')
  await page.goto(`${server.url}/admin?rubrique=comptes`)
  await page.getByRole('button', { name: 'Modifier le compte perdue' }).click()
  await page.getByRole('button', { name: 'Retirer le second facteur' }).click()
  await page
    .getByText('S’assurer d’abord que la demande vient bien de cette personne.', { exact: false })
    .waitFor()
  await page.getByRole('button', { name: 'Retirer le second facteur' }).click()
  await page.getByRole('form', { name: 'Modifier le compte perdue' }).waitFor({ state: 'detached' })

  // Her session is over, which her page says when she is back; the password alone opens the next, and her rights wait again.
  await lost.evaluate(() => dispatchEvent(new Event('focus')))
  await lost.getByRole('dialog', { name: 'Déconnexion automatique' }).waitFor()
  await lost.keyboard.press('Escape')
  await signIn(lost, 'perdue')
  await signedIn(lost).waitFor()
  await factors(lost).getByText('vos droits de gestionnaire attendent', { exact: false }).waitFor()
})

test('the last manager neither gives up the role, nor closes nor erases the account, and reads why', async () => {
  await manager('derniere')
  await addAccount(server.database.db, 'eleve', passwordOf('eleve'))
  const page = await openAccount()
  await enrol(page, 'derniere')
  await page.goto(`${server.url}/admin?rubrique=comptes`)
  await page.getByRole('button', { name: 'Modifier le compte derniere' }).click()
  const form = page.getByRole('form', { name: 'Modifier le compte derniere' })
  const refused = () =>
    eventually(() => form.getByRole('alert').last().textContent()).toMatch(/dernier gestionnaire/)
  await form.getByLabel('Gestionnaire').uncheck()
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await refused()
  await page.reload()
  await page.getByRole('button', { name: 'Modifier le compte derniere' }).click()
  await expect.poll(() => form.getByLabel('Gestionnaire').isChecked()).toBe(true)
  await form.getByRole('button', { name: 'Désactiver' }).click()
  await form.getByRole('button', { name: 'Désactiver' }).click()
  await refused()

  await page.goto(`${server.url}/compte`)
  const own = page.getByRole('region', { name: 'Vos données' })
  await own.getByRole('button', { name: 'Effacer mon compte' }).click()
  await own.getByRole('radio', { name: 'Les supprimer' }).click()
  await own.getByLabel('Mot de passe actuel', { exact: true }).fill(passwordOf('derniere'))
  await own.getByRole('button', { name: 'Effacer définitivement' }).click()
  await eventually(() => own.getByRole('alert').textContent()).toMatch(/dernier gestionnaire/)
  const { roles, disabled_at } = await findAccount(server.database.db, 'derniere')
  expect([roles, disabled_at]).toEqual([['manager'], null])
})

test('each form of second factors works by keyboard alone and has no accessibility fault at 1440 and 390, light and dark', async () => {
  const faults: string[] = []
  const name = 'clavier'
  await manager(name)
  // Passkeys want a name, not an address.
  const url = server.url.replace('127.0.0.1', 'localhost')
  const { page, close } = await openPage(browser, `${url}/compte`, SHARP)
  leave.push(close)
  await page.getByLabel('Identifiant').waitFor()
  await look(page, 'login', faults)
  await signIn(page, name)
  await signedIn(page).waitFor()
  const part = factors(page)
  const press = async (button: string) => {
    await page.getByRole('button', { name: button, exact: true }).focus()
    await page.keyboard.press('Enter')
  }
  await press('Ajouter une application de codes')
  await look(page, 'password', faults)
  // Where a form opens, whoever types goes on typing.
  await page.keyboard.type(passwordOf(name))
  await page.keyboard.press('Enter')
  await part.getByRole('img', { name: 'Code QR de l’application de codes' }).waitFor()
  await look(page, 'QR code', faults)
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await part.getByRole('alert').waitFor()
  await look(page, 'refused code', faults)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(await codeOf(name))
  await page.keyboard.press('Enter')
  await eventually(() => part.getByRole('listitem').count()).toBe(10)
  await look(page, 'recovery codes', faults)
  await press('Je les ai notés')
  await giveAuthenticator(page)
  await press('Ajouter une clé d’accès')
  await page.keyboard.type('ordinateur du bureau')
  await look(page, 'passkey', faults)
  await page.keyboard.press('Tab')
  await page.keyboard.type(passwordOf(name))
  await page.keyboard.press('Enter')
  await part.getByText('ordinateur du bureau').waitFor()
  await look(page, 'both factors', faults)
  for (const opener of [
    'Retirer la clé d’accès : ordinateur du bureau',
    'Retirer l’application de codes',
    'Refaire les codes de secours',
  ]) {
    await press(opener)
    await part.getByRole('form').waitFor()
    await look(page, opener, faults)
    await page.keyboard.press('Escape')
  }
  await press('Déconnexion')
  await page.getByLabel('Identifiant').waitFor()
  await signIn(page, name)
  await codeField(page).waitFor()
  await look(page, 'code at the login', faults)
  expect(faults).toEqual([])
})
