import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeLink } from '../../apps/server/src/accounts/links.ts'
import { Seeds } from '../../apps/server/src/accounts/second-factor/seeds.ts'
import { codeAt, stepAt } from '../../apps/server/src/accounts/second-factor/totp.ts'
import { addAccount, endAccountSessions, findAccount } from '../../apps/server/src/accounts/service.ts'
import { byProgram } from '../../apps/server/src/audit/api.ts'
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
import { axe, type OpenOptions, openBrowser, openPage, SHARP } from './support.ts'

/** A page in sight notices within this time that its session is over, ms. */
const WATCHED_MS = 20_000

let server: BrowserServer
let url: string
let browser: Browser
let leave: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await startBrowserServer()
  // Passkeys want a name, not an address.
  url = server.url.replace('127.0.0.1', 'localhost')
  browser = await openBrowser()
  const { db } = server.database
  for (const name of ['alice', 'bob', 'carla', 'denis']) await addAccount(db, name, passwordOf(name))
  for (const name of ['chef', 'chefe']) await addAccount(db, name, passwordOf(name), { roles: ['manager'] })
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
afterEach(async () => {
  for (const close of leave.splice(0)) await close()
  leave = []
  await server.database.db.deleteFrom('login_throttle').execute()
})

async function openAs(name: string | null, path = '/compte', options: OpenOptions = {}) {
  const opened = await openPage(browser, `${url}/compte`, {
    ...SHARP,
    ...options,
    storage: { allowCookie: 'false' },
  })
  leave.push(opened.close)
  if (name !== null) {
    await signIn(opened.page, name)
    await signedIn(opened.page).waitFor()
  }
  if (path !== '/compte') await opened.page.goto(url + path)
  return opened
}
const region = (page: Page, name: string) => page.getByRole('region', { name })
const password = (page: Page) => page.getByRole('form').getByLabel('Mot de passe actuel', { exact: true })

describe('second factors', () => {
  test('an application of codes is put in place by keyboard, and asked for at the next login', async () => {
    const { page, errors } = await openAs('alice')
    const part = region(page, 'Second facteur')
    await part.getByRole('button', { name: 'Ajouter une application de codes' }).focus()
    await page.keyboard.press('Enter')
    await part.getByLabel('Mot de passe actuel', { exact: true }).fill(passwordOf('alice'))
    await page.keyboard.press('Enter')
    await part.getByRole('img', { name: 'Code QR de l’application de codes' }).waitFor()
    const row = await server.database.db
      .selectFrom('totp')
      .select(['secret', 'account_id'])
      .executeTakeFirstOrThrow()
    const { config } = server.deps
    const seed = await new Seeds(server.database.db, config.dataDir, null).open(row.secret, row.account_id)
    await part.getByLabel('Code à six chiffres').fill(codeAt(seed, stepAt(Date.now())))
    await page.keyboard.press('Enter')
    const codes = part.getByRole('listitem')
    await eventually(() => codes.count()).toBe(10)
    const recovery = (await codes.first().textContent()) ?? ''
    await part.getByRole('button', { name: 'Je les ai notés' }).click()
    await part.getByText('10 codes de secours restent.').waitFor()
    await signedIn(page).click()
    await page.getByLabel('Identifiant').waitFor()

    await signIn(page, 'alice')
    const field = page.getByLabel('Code de l’application ou code de secours')
    await field.waitFor()
    expect((await axe(page).analyze()).violations.map(({ id }) => id)).toEqual([])
    // Whoever types goes on typing.
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await eventually(() => page.getByRole('alert').textContent()).toMatch(/^Code refusé/)
    await field.fill(recovery)
    await page.keyboard.press('Enter')
    await signedIn(page).waitFor()
    await region(page, 'Second facteur').getByText('9 codes de secours restent.').waitFor()
    // A refused login is an answer of 401, which the console tells.
    expect(errors.filter((error) => !/401/.test(error))).toEqual([])
  })

  test('a passkey is added, opens a session without a password, and is taken away', async () => {
    const { page } = await openAs('bob')
    await giveAuthenticator(page)
    const part = region(page, 'Second facteur')
    await part.getByRole('button', { name: 'Ajouter une clé d’accès' }).click()
    await part.getByLabel('Nom de la clé d’accès').fill('ordinateur du bureau')
    await password(page).last().fill(passwordOf('bob'))
    await page.keyboard.press('Enter')
    await eventually(() => part.getByRole('listitem').count()).toBe(10)
    await part.getByRole('button', { name: 'Je les ai notés' }).click()
    await part.getByText('ordinateur du bureau').waitFor()
    await signedIn(page).click()

    await page.getByLabel('Identifiant').waitFor()
    await signIn(page, 'bob')
    await page.getByLabel('Code de l’application ou code de secours').waitFor()
    await page.getByRole('button', { name: 'Utiliser une clé d’accès' }).click()
    await signedIn(page).waitFor()
    await page.getByRole('heading', { name: 'bob' }).waitFor()

    await part.getByRole('button', { name: 'Retirer la clé d’accès : ordinateur du bureau' }).click()
    await part.getByLabel('Mot de passe actuel', { exact: true }).fill(passwordOf('bob'))
    await page.keyboard.press('Enter')
    await part.getByText('Aucun second facteur n’est en place.').waitFor()
    const told = async () => {
      const lines = await server.database.db
        .selectFrom('audit_event')
        .select(['action', 'details'])
        .where('actor', '=', 'bob')
        .orderBy('n')
        .execute()
      return lines.map(({ action, details }) => details.means ?? details.kind ?? action)
    }
    await eventually(told).toEqual(['password', 'passkey', 'logout', 'passkey', 'passkey'])
  })
})

test('a session that is ended in one browser is over in the other, which says so', async () => {
  const there = await openAs(null)
  await there.page.clock.install()
  await signIn(there.page, 'carla')
  await signedIn(there.page).waitFor()
  const here = await openAs('carla')
  const list = region(here.page, 'Sessions ouvertes')
  await list.getByText('Cette session').waitFor()
  await list.getByRole('button', { name: /^Fermer la session/ }).click()
  await eventually(() => list.getByRole('listitem').count()).toBe(1)
  // Nobody does anything there: the page looks by itself, within this time.
  await there.page.clock.fastForward(WATCHED_MS)
  await there.page.getByRole('dialog', { name: 'Déconnexion automatique' }).waitFor()
  await expect.poll(() => there.page.evaluate(() => localStorage.getItem('radx-session'))).toBeNull()
})

test('a session that ends while somebody writes leaves what he wrote, unseen until he is back', async () => {
  const writes = async (name: string) => {
    const { page } = await openAs(name, '/admin')
    await page.getByRole('textbox').fill('Une phrase à garder')
    return page
  }
  const editor = (page: Page) => page.locator('[role="textbox"][aria-multiline]')
  const page = await writes('chef')
  await endAccountSessions(server.database.db, 'chef')
  // Another window was used meanwhile.
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  const dialog = page.getByRole('dialog', { name: 'Déconnexion automatique' })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await page.getByText(/ce que vous aviez saisi est resté/).waitFor()
  await expect.poll(() => editor(page).isVisible()).toBe(false)
  await signIn(page, 'chef')
  await editor(page).waitFor()
  await expect.poll(() => editor(page).textContent()).toBe('Une phrase à garder')

  // Somebody else finds nothing of it.
  await endAccountSessions(server.database.db, 'chef')
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await signIn(page, 'chefe')
  await page.getByRole('link', { name: 'chefe' }).waitFor()
  await editor(page).waitFor()
  await expect.poll(() => editor(page).textContent()).not.toContain('Une phrase à garder')
})

test('one’s own password changes, and the page says what is wrong with a new one', async () => {
  const { page } = await openAs('denis')
  const form = page.getByRole('form', { name: 'Mot de passe' })
  const fill = async (current: string, next: string) => {
    await form.getByLabel('Mot de passe actuel', { exact: true }).fill(current)
    await form.getByLabel('Nouveau mot de passe', { exact: true }).fill(next)
    await form.getByLabel('Nouveau mot de passe, encore une fois', { exact: true }).fill(next)
    await form.getByRole('button', { name: 'Changer le mot de passe' }).click()
  }
  const fields = form.locator('input')
  // The forms of the account come after the button by which one signs out.
  await fields.last().waitFor()
  await expect
    .poll(() =>
      fields.evaluateAll((all) =>
        all.map((one) => [one.getAttribute('type'), one.getAttribute('autocomplete')]),
      ),
    )
    .toEqual([
      ['password', 'current-password'],
      ['password', 'new-password'],
      ['password', 'new-password'],
    ])
  await fill(passwordOf('denis'), 'motdepasse')
  await eventually(() => form.getByRole('alert').textContent()).toMatch(/trop courant/)
  await fill(passwordOf('denis'), 'orage de juillet')
  await form.getByText('Mot de passe changé.').waitFor()
})

describe('managers', () => {
  test('make an account and hand over its link, which sets the password once', async () => {
    const { page } = await openAs('chef', '/admin?rubrique=comptes')
    await page.getByRole('button', { name: 'Créer un compte' }).click()
    const form = page.getByRole('form', { name: 'Créer un compte' })
    await form.getByLabel('Identifiant').fill('nadia')
    await form.getByLabel('Accès à partir du').fill('01/03/2026')
    await page.keyboard.press('Enter')
    const link = await page.getByLabel('Lien de mot de passe de nadia').last().inputValue()
    await page.getByRole('rowheader', { name: 'nadia' }).waitFor()

    const other = await openAs(null)
    await other.page.goto(link)
    await other.page.getByLabel('Nouveau mot de passe', { exact: true }).fill(passwordOf('nadia'))
    await other.page.getByLabel('Nouveau mot de passe, encore une fois').fill(passwordOf('nadia'))
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('button', { name: 'Connexion' }).click()
    await signIn(other.page, 'nadia')
    await other.page.getByText('à partir du 01/03/2026').waitFor()
  })

  test('read the trail by account, and have the chain computed again', async () => {
    await openAs('carla')
    const { page } = await openAs('chef', '/admin?rubrique=journal')
    await page.getByRole('button', { name: 'Vérifier la chaîne' }).click()
    await page.getByText(/^Chaîne intacte/).waitFor()
    await page.getByLabel('Compte', { exact: true }).fill('carla')
    await eventually(async () => {
      const cells = await page.locator('tbody tr td:nth-child(2)').allTextContents()
      return cells.length > 0 && cells.every((cell) => cell === 'carla')
    }).toBe(true)
  })
})

const PARTS = ['', '?rubrique=comptes', '?rubrique=calculs', '?rubrique=acquisition', '?rubrique=journal']

describe('free of accessibility faults, and fits at 1440 and 390, light and dark:', () => {
  test('one’s account with its forms, and the page of a link', async () => {
    const { page, errors } = await openAs('chefe', '/compte')
    const faults: string[] = []
    const erase = region(page, 'Vos données')
    await erase.getByRole('button', { name: 'Effacer mon compte' }).click()
    await erase.getByRole('radio', { name: 'Les supprimer' }).click()
    await erase.getByLabel('Mot de passe actuel', { exact: true }).fill('x')
    await region(page, 'Second facteur')
      .getByRole('button', { name: 'Ajouter une application de codes' })
      .click()
    await look(page, 'account', faults)
    const { db } = server.database
    const { token } = await makeLink(db, await findAccount(db, 'denis'), byProgram('command'))
    await page.goto(`${url}/compte#lien=${token}`)
    await page.getByRole('heading', { name: 'Choisir un mot de passe' }).waitFor()
    await look(page, 'link', faults)
    expect(faults).toEqual([])
    expect(errors).toEqual([])
  })

  test('each part of administration', async () => {
    const { page, errors } = await openAs('chefe', '/compte')
    const faults: string[] = []
    for (const part of PARTS) {
      await page.goto(`${url}/admin${part}`)
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      await page.waitForLoadState('networkidle')
      await look(page, part, faults)
      if (part !== '?rubrique=comptes') continue
      await page.getByRole('button', { name: 'Modifier le compte denis' }).click()
      await page.getByRole('button', { name: 'Désactiver' }).click()
      await page.getByText('Désactiver « denis »').waitFor()
      await look(page, 'edit', faults)
    }
    expect(faults).toEqual([])
    expect(errors).toEqual([])
  })
})

describe('access tokens', () => {
  test('one is made by keyboard, shown once, opens calls, and is revoked', async () => {
    const { page, errors } = await openAs('carla')
    const part = region(page, 'Jetons d’accès')
    await part.getByRole('button', { name: 'Nouveau jeton' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('carnet')
    await page.keyboard.press('Enter')
    const token = await part.getByRole('textbox', { name: 'Jeton « carnet »' }).inputValue()
    expect((await axe(page).analyze()).violations.map(({ id }) => id)).toEqual([])
    const status = async () =>
      (await fetch(`${server.url}/api/gauges`, { headers: { authorization: `Bearer ${token}` } })).status
    await expect.poll(() => status()).toBe(200)
    await part.getByRole('button', { name: 'Je l’ai copié' }).press('Enter')
    await expect
      .poll(() =>
        part.getByRole('button', { name: 'Nouveau jeton' }).evaluate((at) => at === document.activeElement),
      )
      .toBe(true)
    await page.reload()
    await part.getByText('Utilisé le').waitFor()
    await expect.poll(() => page.content()).not.toContain(token)
    await part.getByRole('button', { name: 'Révoquer le jeton : carnet' }).press('Enter')
    await part.getByText('Aucun jeton').waitFor()
    await expect.poll(() => status()).toBe(401)
    expect(errors).toEqual([])
  })
})
