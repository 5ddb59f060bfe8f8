import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addAccount } from '../../apps/server/src/accounts/service.ts'
import { cleanHtml } from '../../apps/server/src/articles/clean.ts'
import { saveHomeMessage } from '../../apps/server/src/articles/service.ts'
import { XSS_CORPUS } from '../../apps/server/src/articles/testing/xss-corpus.ts'
import { passwordOf } from '../../apps/server/src/testing/account-server.ts'
import { type BrowserServer, eventually, signIn, startBrowserServer } from './account-server.ts'
import { axe, type OpenOptions, openBrowser, openPage } from './support.ts'

let server: BrowserServer
let browser: Browser
let leave: (() => Promise<void>)[] = []
beforeAll(async () => {
  // What is stored is not read again by itself while a test says what was found.
  server = await startBrowserServer({}, {}, { RADX_VERIFY_DAYS: '0' })
  browser = await openBrowser()
  await addAccount(server.database.db, 'chef', passwordOf('chef'), { roles: ['manager'] })
  await addAccount(server.database.db, 'alice', passwordOf('alice'))
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
afterEach(async () => {
  for (const close of leave.splice(0)) await close()
  leave = []
})

async function openAs(name: string, options: OpenOptions = {}) {
  const opened = await openPage(browser, `${server.url}/admin`, {
    ...options,
    storage: { allowCookie: 'false' },
  })
  leave.push(opened.close)
  await signIn(opened.page, name)
  await opened.page.waitForURL(`${server.url}/admin`)
  return opened
}

const STAND = 'http://stand.test/'

const publicMessage = async () => (await server.app.inject({ url: '/api/article/home-message' })).json()

test('[ADMIN-02] [ADMIN-03] [ADMIN-04] [ADMIN-07] [ADMIN-08] a manager writes, publishes and saves the message', async () => {
  await saveHomeMessage(
    server.database.db,
    { main: '<p>Brouillon</p>', isPublished: false },
    { name: 'chef', at: new Date() },
  )
  const { page, errors } = await openAs('chef')
  const section = page.getByRole('region', { name: 'Message' })
  const editor = section.getByRole('textbox')
  // Loaded on entry, as it stands on the server.
  await eventually(() => editor.textContent()).toBe('Brouillon')
  const text = (await section.textContent()) ?? ''
  for (const part of ['page d’accueil', 'doit être publié pour être visible', '« Enregistrer »'])
    expect(text.replaceAll('\u00a0', ' ')).toContain(part)

  await editor.fill('')
  await eventually(() => editor.locator('[data-placeholder]').getAttribute('data-placeholder')).toBe(
    'Saisir ici votre texte',
  )

  const published = section.getByRole('switch')
  await expect.poll(() => section.getByText('Dépublié', { exact: true }).count()).toBe(1)
  await published.press('Space')
  await eventually(() => published.isChecked()).toBe(true)
  await section.getByText('Publié', { exact: true }).waitFor()

  await editor.click()
  await section.getByRole('button', { name: 'Gras' }).click()
  await page.keyboard.type('Radar arrêté mardi')
  let reloads = 0
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().endsWith('/api/admin/article/home-message')) reloads++
  })
  await section.getByRole('button', { name: 'Enregistrer' }).click()
  await section.getByText('Message enregistré').waitFor()
  expect(reloads).toBe(1)
  await expect.poll(() => publicMessage()).toEqual([{ main: '<p><strong>Radar arrêté mardi</strong></p>' }])
  expect(errors).toEqual([])
  expect((await axe(page).analyze()).violations.map(({ id }) => id)).toEqual([])
})

test('[ADMIN-01] what is published stands on the home page, with its links and without what is no text', async () => {
  const main =
    '<h2>Maintenance</h2><p>Voir <a href="https://example.org/">la page</a></p><img src=x onerror=alert(1)><script>alert(1)</script>'
  const by = { name: 'chef', at: new Date() }
  await saveHomeMessage(server.database.db, { main, isPublished: true }, by)
  const { page } = await openPage(browser, server.url, { storage: { allowCookie: 'false' } })
  leave.push(() => page.context().close())
  const link = page.getByRole('link', { name: 'la page' })
  await expect.poll(() => link.getAttribute('href')).toBe('https://example.org/')
  await page.getByRole('heading', { name: 'Maintenance' }).waitFor()
  await expect.poll(() => page.locator('main img[src=x], main script').count()).toBe(0)

  await saveHomeMessage(server.database.db, { main, isPublished: false }, by)
  const told = page.waitForResponse('**/api/article/home-message')
  await page.reload()
  expect(await (await told).json()).toEqual([])
  await page.getByText('Rmoyen', { exact: false }).first().waitFor()
  await expect.poll(() => link.count()).toBe(0)
})

test('what is typed as soon as the editor stands, or while a save is under way, is never lost', async () => {
  const by = { name: 'chef', at: new Date() }
  await saveHomeMessage(server.database.db, { main: '<p>Brouillon</p>', isPublished: false }, by)
  const { page } = await openAs('chef')
  const editor = page.getByRole('textbox')
  await editor.waitFor()
  await page.goto(`${server.url}/a-propos`)
  // Typed in the very moment in which the editor comes to stand.
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      const found = document.querySelector<HTMLElement>('[role="textbox"][contenteditable="true"]')
      if (!found?.textContent?.includes('Brouillon')) return
      watch.disconnect()
      getSelection()?.selectAllChildren(found)
      document.execCommand('insertText', false, 'Premières lettres')
    })
    watch.observe(document, { childList: true, subtree: true })
  })
  await page.goto(`${server.url}/admin`)
  await page.getByText('Modifications non enregistrées').waitFor()
  await eventually(() => editor.textContent()).toBe('Premières lettres')

  // A save whose answer is on its way, and the writer goes on.
  let answer = () => undefined as undefined
  const held = new Promise<void>((resolve) => {
    answer = () => void resolve()
  })
  await page.route('**/api/article/home-message', async (route) => {
    await held
    await route.continue()
  })
  const reloaded = page.waitForResponse('**/api/admin/article/home-message')
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await editor.press('End')
  await page.keyboard.type(' et la suite')
  answer()
  await reloaded
  await page.getByText('Modifications non enregistrées').waitFor()
  await expect.poll(() => editor.textContent()).toBe('Premières lettres et la suite')
})

test('[ADMIN-08] a save that fails says so and keeps the text', async () => {
  const { page } = await openAs('chef', { scheme: 'dark' })
  const editor = page.getByRole('textbox')
  await editor.fill('Texte à garder')
  await page.route('**/api/article/home-message', (route) =>
    route.fulfill({ status: 507, contentType: 'application/json', body: '{"message":"Disque plein."}' }),
  )
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await eventually(() => page.getByRole('alert').textContent()).toContain('Disque plein.')
  await expect.poll(() => editor.textContent()).toBe('Texte à garder')
  await expect.poll(() => page.getByText('Message enregistré').count()).toBe(0)
  expect((await axe(page).analyze()).violations.map(({ id }) => id)).toEqual([])
})

test('[SHELL-18] [ADMIN-01] a plain user has no menu entry, and /admin explains whom it is for', async () => {
  const { page } = await openAs('alice')
  await page.getByRole('heading', { name: 'Page réservée aux gestionnaires' }).waitFor()
  await expect
    .poll(() => page.getByRole('banner').getByRole('link', { name: 'Administration' }).count())
    .toBe(0)
  await expect.poll(() => page.getByRole('textbox').count()).toBe(0)
  const manager = await openAs('chef')
  await manager.page.getByRole('banner').getByRole('link', { name: 'Administration' }).waitFor()
})

test('nothing of the corpus runs in a browser, even where cleaned text is put in as raw HTML', async () => {
  const context = await browser.newContext()
  leave.push(() => context.close())
  const page = await context.newPage()
  const outside: string[] = []
  await page.route('**/*', (route) => {
    const url = route.request().url()
    if (url === STAND)
      return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>x</title>' })
    outside.push(url)
    return route.abort()
  })
  await page.goto(STAND)
  await page.evaluate(() => {
    const scope = window as unknown as { pwned: () => void; hits: number }
    scope.hits = 0
    scope.pwned = () => {
      scope.hits++
    }
  })
  const hits = () => page.evaluate(() => (window as unknown as { hits: number }).hits)
  /** Puts it in, follows what runs as a link, and names every element or attribute that is not allowed. */
  const putIn = (html: string) =>
    page.evaluate((text) => {
      document.body.innerHTML = text
      const allowed = /^(p|br|hr|h2|h3|h4|strong|em|u|s|ul|ol|li|blockquote|code|a)$/
      const wrong: string[] = []
      for (const element of document.body.querySelectorAll('*')) {
        if (!allowed.test(element.localName)) wrong.push(element.localName)
        for (const { name } of element.attributes)
          if (element.localName !== 'a' || !/^(href|target|rel)$/.test(name)) wrong.push(`@${name}`)
        if (!(element instanceof HTMLAnchorElement) || !element.hasAttribute('href')) continue
        if (!/^(https?|mailto):$/.test(element.protocol)) wrong.push(element.protocol)
        if (element.protocol === 'javascript:') element.click()
      }
      return wrong
    }, html)
  // The stand works: uncleaned, these do run.
  expect(await putIn('<img src=x onerror=pwned()>')).toEqual(['img', '@src', '@onerror'])
  await eventually(hits).toBe(1)
  expect(await putIn('<a href="javascript:pwned()">x</a>')).toEqual(['javascript:'])
  await eventually(hits).toBe(2)
  outside.length = 0
  for (const payload of XSS_CORPUS) expect(await putIn(cleanHtml(payload)), payload.slice(0, 80)).toEqual([])
  await page.waitForTimeout(200)
  expect(await hits()).toBe(2)
  expect(outside).toEqual([])
})

test('a manager sees when everything stored was read again, and what is damaged', async () => {
  const { page, errors } = await openAs('chef')
  const state = page.getByRole('region', { name: 'État du service' })
  await state.getByText('Pas encore : elle a lieu chaque semaine'.replace(' :', '\u00a0:')).waitFor()
  const status = await (await fetch(`${server.url}/api/status`)).json()
  const verification = {
    at: '2026-11-22T03:00:00Z',
    checked: 12_345,
    bytes: 67_000_000,
    sealed: 0,
    repaired: 1,
    damaged: 2,
  }
  await page.route('**/api/status', (route) => route.fulfill({ json: { ...status, verification } }))
  // Who comes back to this part has it read anew.
  await page.getByRole('link', { name: 'Calculs' }).click()
  await state.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Accueil et état' }).click()
  await state.getByText('22/11/2026 - 04:00:00').waitFor()
  const text = ((await state.textContent()) ?? '').replace(/\s/g, ' ')
  for (const part of ['12 345 éléments, 67 Mo, 1 refaits', '2 endommagés', 'radx verify --repair'])
    expect(text).toContain(part)
  expect(errors).toEqual([])
})
