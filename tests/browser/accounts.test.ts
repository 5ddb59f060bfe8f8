import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addAccount, disableAccount } from '../../apps/server/src/accounts/service.ts'
import { SESSION_MS } from '../../apps/server/src/accounts/sessions.ts'
import { importShapefile } from '../../apps/server/src/shapefiles/service.ts'
import { bearer, passwordOf } from '../../apps/server/src/testing/account-server.ts'
import { type BrowserServer, eventually, signedIn, signIn, startBrowserServer } from './account-server.ts'
import { axe, type OpenOptions, openBrowser, openPage } from './support.ts'

const LAYER = JSON.stringify({
  type: 'Feature',
  properties: { Text: 'Almont' },
  geometry: { type: 'Point', coordinates: [2.66, 48.54] },
})
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let server: BrowserServer
let browser: Browser
let leave: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await startBrowserServer()
  browser = await openBrowser()
  const { db } = server.database
  await importShapefile(db, Buffer.from(LAYER), {
    name: 'almont',
    longName: 'Bassin de l’Almont',
    description: 'Contour simplifié',
    color: '#8a4b00',
  })
  await addAccount(db, 'alice', passwordOf('alice'), { shapefiles: ['almont'] })
  await addAccount(db, 'chef', passwordOf('chef'), { roles: ['manager'], avatar: PIXEL })
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
afterEach(async () => {
  for (const close of leave.splice(0)) await close()
  leave = []
})

async function open(path: string, options: OpenOptions = {}) {
  const opened = await openPage(browser, server.url + path, {
    ...options,
    storage: { allowCookie: 'false', ...options.storage },
  })
  leave.push(opened.close)
  return opened
}

async function openSignedIn(name: string, path = '/compte') {
  const opened = await open('/compte')
  await signIn(opened.page, name)
  await signedIn(opened.page).waitFor()
  if (path !== '/compte') await opened.page.goto(server.url + path)
  return opened
}

const stored = (page: Awaited<ReturnType<typeof open>>['page']) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('radx-session') ?? 'null'))

describe('the login', () => {
  test("[AUTH-01] [SHELL-15] [SHELL-23] signed out, /compte is the form and the header says 'Se connecter'", async () => {
    const { page, errors } = await open('/compte')
    await page.getByLabel('Identifiant').waitFor()
    await expect.poll(() => page.title()).toBe('Compte')
    await expect
      .poll(() => page.getByRole('banner').getByRole('link', { name: 'Se connecter' }).getAttribute('href'))
      .toBe('/compte')
    await expect.poll(() => signedIn(page).count()).toBe(0)
    expect(errors).toEqual([])
  })

  test("[AUTH-11] [AUTH-12] 'Connexion' is disabled until both fields have two characters", async () => {
    const { page } = await open('/compte')
    const button = page.getByRole('button', { name: 'Connexion', exact: true })
    const fill = async (name: string, password: string) => {
      await page.getByLabel('Identifiant').fill(name)
      await page.getByLabel('Mot de passe', { exact: true }).fill(password)
      return button.isEnabled()
    }
    await expect.poll(() => fill('', '')).toBe(false)
    await expect.poll(() => fill('a', 'ab')).toBe(false)
    await expect.poll(() => fill('ab', 'a')).toBe(false)
    await expect.poll(() => fill('   a   ', 'ab')).toBe(false)
    await expect.poll(() => fill('ab', 'ab')).toBe(true)
  })

  test('[AUTH-08] [AUTH-13] a failed login shows it is loading, then the message in an alert', async () => {
    const { page } = await open('/compte')
    const answered = Promise.withResolvers<void>()
    await page.route('**/api/users/login', async (route) => {
      await answered.promise
      await route.continue()
    })
    await page.getByLabel('Identifiant').fill('alice')
    await page.getByLabel('Mot de passe', { exact: true }).fill('faux-mot')
    await page.getByLabel('Mot de passe', { exact: true }).press('Enter')
    await page.locator('button[type=submit][data-loading]').waitFor()
    answered.resolve()
    await eventually(() => page.getByRole('alert').textContent()).toBe(
      'Identifiant ou mot de passe incorrect.',
    )
    await expect.poll(() => page.locator('button[type=submit][data-loading]').count()).toBe(0)
    await expect.poll(() => stored(page)).toBeNull()
  })

  test('[AUTH-09] [AUTH-20] [AUTH-21] a login is kept with its expiry in local storage', async () => {
    const before = Date.now()
    const { page, errors } = await openSignedIn('alice')
    const session = await stored(page)
    expect(session).toMatchObject({
      name: 'alice',
      token: expect.stringMatching(/^[\w-]{43}$/),
      roles: [],
      avatar: null,
      restriction: { start: null, end: null },
      shapefiles: [{ name: 'almont', color: '#8a4b00' }],
      expiresIn: SESSION_MS,
    })
    expect(session.expiration).toBeGreaterThanOrEqual(before + SESSION_MS)
    expect(session.expiration).toBeLessThanOrEqual(Date.now() + SESSION_MS)
    expect(errors).toEqual([])
  })

  test('[AUTH-09] the session that a login opened ends by itself, without a reload', async () => {
    const { page } = await open('/compte')
    await page.clock.install()
    await signIn(page, 'alice')
    await signedIn(page).waitFor()
    await page.clock.fastForward(SESSION_MS - 150_000)
    await expect.poll(() => stored(page)).not.toBeNull()
    await expect.poll(() => signedIn(page).count()).toBe(1)
    await page.clock.fastForward(151_000)
    await page.getByRole('dialog', { name: 'Déconnexion automatique' }).waitFor()
    await expect.poll(() => stored(page)).toBeNull()
  })
})

describe('the account', () => {
  test("[AUTH-02] [AUTH-03] [AUTH-05] [AUTH-06] [SHELL-22] shows the name, 'Déconnexion', rights and layers", async () => {
    const { page } = await openSignedIn('alice')
    await page.getByRole('heading', { name: 'alice' }).waitFor()
    await expect
      .poll(() => page.getByRole('banner').getByRole('link', { name: 'Compte de alice' }).textContent())
      .toBe('alice')
    await expect
      .poll(() => page.getByRole('region', { name: 'Accès aux données' }).textContent())
      .toContain('toutes les données')
    const row = page.getByRole('row', { name: /almont/ })
    await eventually(() => row.textContent()).toBe('almontBassin de l’AlmontContour simplifié1')
    await expect.poll(() => page.locator('[data-icon=tie]').count()).toBe(0)
    // How CSV files are written belongs to the account, not to the browser.
    const comma = { name: 'Virgules et point décimal' }
    await expect.poll(() => page.getByRole('radio', comma).isChecked()).toBe(false)
    await page.getByText(comma.name, { exact: true }).click()
    await expect.poll(async () => (await stored(page)).csv).toBe('comma')
    const { page: elsewhere } = await openSignedIn('alice')
    await expect.poll(() => elsewhere.getByRole('radio', comma).isChecked()).toBe(true)
  })

  test('[AUTH-04] [AUTH-02] a manager has a tie icon, and an avatar stands here and in the header', async () => {
    const { page } = await openSignedIn('chef')
    await page.locator('[data-icon=tie]').waitFor()
    await expect
      .poll(() => page.getByRole('region', { name: 'Rôles' }).textContent())
      .toContain('Gestionnaire')
    await expect.poll(() => page.locator('main img').getAttribute('src')).toBe(PIXEL)
    await expect.poll(() => page.getByRole('banner').locator('img').getAttribute('src')).toBe(PIXEL)
  })

  test('[AUTH-34] without a layer the table says so', async () => {
    const { page } = await openSignedIn('chef')
    await page.getByText("Il n'y a pas de shapefile associé à votre compte.").waitFor()
  })

  test('[AUTH-33] a layer that fails to load raises a warning', async () => {
    const { page } = await open('/compte')
    await page.route('**/api/shapefile/**', (route) =>
      route.fulfill({ status: 404, contentType: 'application/json', body: '{"message":"Absent."}' }),
    )
    await signIn(page, 'alice')
    const warning = page.locator('[data-kind=warning]')
    await eventually(() => warning.textContent()).toBe('Erreur au chargement des shapefiles')
  })

  test.each([
    ['AUTH-24', '2026-03-11T23:00Z', '2026-03-12T23:00Z', 'Vous avez accès aux données du 12/03/2026'],
    [
      'AUTH-25',
      '2026-03-11T23:00Z',
      '2026-03-14T23:00Z',
      'Vous avez accès aux données du 12/03/2026 au 14/03/2026',
    ],
    ['AUTH-26', '2026-03-11T23:00Z', null, 'Vous avez accès aux données à partir du 12/03/2026'],
    [
      'AUTH-23',
      null,
      '2026-03-14T23:00Z',
      "Votre compte utilisateur ne vous permet pas d'accéder aux données depuis le 14/03/2026",
    ],
  ])('[%s] [AUTH-27] [AUTH-22] the notice of an account from %s to %s', async (id, start, end, notice) => {
    const name = id.toLowerCase()
    await addAccount(server.database.db, name, passwordOf(name), {
      restrictionStart: start === null ? null : new Date(start),
      restrictionEnd: end === null ? null : new Date(end),
    })
    const { page } = await openSignedIn(name)
    await page.getByText(notice, { exact: true }).waitFor()
  })

  test('[AUTH-10] logging out ends the session here and on the server', async () => {
    const { page } = await openSignedIn('alice')
    const { token } = await stored(page)
    const probe = () => server.app.inject({ url: '/api/shapefile/almont', headers: bearer(token) })
    expect((await probe()).statusCode).toBe(200)
    await signedIn(page).click()
    await page.getByLabel('Identifiant').waitFor()
    await expect.poll(() => stored(page)).toBeNull()
    await expect.poll(async () => (await probe()).statusCode).toBe(401)
    await expect
      .poll(() => page.getByRole('banner').getByRole('link', { name: 'Se connecter' }).count())
      .toBe(1)
  })
})

describe('the session', () => {
  test('[AUTH-14] [AUTH-18] [AUTH-31] is restored with the time it has left, and ends then by itself', async () => {
    const { page } = await openSignedIn('alice')
    // Ten minutes are left, far more than a busy machine takes for the page.
    await page.clock.install({ time: Date.now() + SESSION_MS - 600_000 })
    await page.reload()
    await signedIn(page).waitFor()
    // The layer's call carries the restored token.
    await page.getByText('Bassin de l’Almont').waitFor()
    await page.clock.fastForward(450_000)
    await expect.poll(() => signedIn(page).count()).toBe(1)
    await page.clock.fastForward(155_000)
    const dialog = page.getByRole('dialog', { name: 'Déconnexion automatique' })
    await dialog.waitFor()
    await expect.poll(() => stored(page)).toBeNull()
    await expect.poll(() => signedIn(page).count()).toBe(0)
  })

  test('[AUTH-15] [AUTH-16] [AUTH-17] one that expired meanwhile is ended with its message', async () => {
    const { page } = await openSignedIn('alice')
    await page.clock.install({ time: Date.now() + SESSION_MS + 1_000 })
    await page.goto(`${server.url}/a-propos`)
    const dialog = page.getByRole('dialog', { name: 'Déconnexion automatique' })
    await dialog.waitFor()
    await expect
      .poll(() => dialog.textContent())
      .toContain(
        "La session d'authentification a expiré. Merci de vous reconnecter pour renouveller votre session.",
      )
    await expect.poll(() => stored(page)).toBeNull()
    await expect
      .poll(() => page.getByRole('banner').getByRole('link', { name: 'Se connecter' }).count())
      .toBe(1)
  })

  test('[AUTH-19] without a sound stored session nobody is signed in', async () => {
    const { page, errors } = await open('/compte')
    await page.getByLabel('Identifiant').waitFor()
    const broken = ['', '{"token":', '{"token":1}', '"x"', '{"token":"<b>","expiration":9e15}']
    for (const text of broken) {
      await page.evaluate((value) => localStorage.setItem('radx-session', value), text)
      await page.reload()
      await page.getByLabel('Identifiant').waitFor()
      await expect.poll(() => page.getByRole('dialog').count(), { message: text }).toBe(0)
    }
    expect(errors).toEqual([])
  })

  test('an account that was disabled is out at its next call, and the page says so', async () => {
    await addAccount(server.database.db, 'hugo', passwordOf('hugo'), { shapefiles: ['almont'] })
    const { page } = await openSignedIn('hugo')
    await page.getByText('Bassin de l’Almont').waitFor()
    // An open page would be told by a call that it makes by itself, before this test looks.
    await page.goto('about:blank')
    await disableAccount(server.database.db, 'hugo', new Date())
    await page.goto(`${server.url}/compte`)
    await page.getByRole('dialog', { name: 'Déconnexion automatique' }).waitFor()
    await expect.poll(() => stored(page)).toBeNull()
    await page.keyboard.press('Escape')
    await signIn(page, 'hugo')
    await eventually(() => page.getByRole('alert').textContent()).toMatch(/^Ce compte est désactivé/)
  })

  test('signing out in one tab signs out the others', async () => {
    const { page } = await openSignedIn('alice')
    const other = await page.context().newPage()
    await other.goto(`${server.url}/compte`)
    await signedIn(other).click()
    await other.getByLabel('Identifiant').waitFor()
    await page.getByLabel('Identifiant').waitFor()
  })
})

describe('protected pages', () => {
  test('[SHELL-19] [SHELL-20] [SHELL-21] [SHELL-17] send visitors to /compte and back after the login', async () => {
    const { page } = await open('/admin?vue=1#texte')
    await page.waitForURL(`${server.url}/compte`)
    await signIn(page, 'chef')
    await page.waitForURL(`${server.url}/admin?vue=1#texte`)
    await page.getByRole('heading', { name: 'Message' }).waitFor()
  })

  test('[SHELL-09] [SHELL-19] /analyse is for signed-in users, and is theirs after the login', async () => {
    const { page } = await open('/analyse')
    await page.waitForURL(`${server.url}/compte`)
    await signIn(page, 'alice')
    await page.waitForURL(/\/analyse/)
    await eventually(() => page.title()).toBe('Analyse')
  })

  test('[SHELL-20] the origin outlives a reload, and another site is never one', async () => {
    const { page } = await open('/admin')
    await page.waitForURL(`${server.url}/compte`)
    await page.reload()
    await signIn(page, 'chef')
    await page.waitForURL(`${server.url}/admin`)
    await page.goto(`${server.url}/compte`)
    await signedIn(page).click()
    await page.getByLabel('Identifiant').waitFor()
    await page.evaluate(() => sessionStorage.setItem('radx-redirect', '//evil.example/'))
    await page.reload()
    await signIn(page, 'chef')
    await signedIn(page).waitFor()
    await expect.poll(() => page.url()).toBe(`${server.url}/compte`)
  })
})

describe('both modes', () => {
  test.each(['light', 'dark'] as const)(
    'login and account have no accessibility fault in %s',
    async (scheme) => {
      const { page } = await open('/compte', { scheme })
      await page.getByLabel('Identifiant').waitFor()
      const faults = async () =>
        (await axe(page).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)
      expect(await faults()).toEqual([])
      await signIn(page, 'alice')
      await page.getByText('Bassin de l’Almont').waitFor()
      expect(await faults()).toEqual([])
    },
  )
})
