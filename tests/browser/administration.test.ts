import type { AdminAccounts } from '@radx/contracts/administration'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addAccount, editAccount, findAccount } from '../../apps/server/src/accounts/service.ts'
import { jobKinds } from '../../apps/server/src/job-kinds.ts'
import { JobQueue } from '../../apps/server/src/jobs/queue.ts'
import { passwordOf } from '../../apps/server/src/testing/account-server.ts'
import { type BrowserServer, eventually, signedIn, signIn, startBrowserServer } from './account-server.ts'
import { axe, openBrowser, openPage, SHARP } from './support.ts'

let server: BrowserServer
let browser: Browser
let leave: (() => Promise<void>)[] = []
beforeAll(async () => {
  let queue: JobQueue | null = null
  // No job is done here: the queue only looks and cancels.
  server = await startBrowserServer({}, { jobs: { starting: () => false, queue: () => queue! } })
  queue = new JobQueue(server.database.db, null as never, jobKinds, () => new Date())
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

async function openAdmin(part = '', isFresh = false): Promise<Page> {
  const { page, close } = await openPage(browser, `${server.url}/compte`, { ...SHARP, isFresh })
  leave.push(close)
  await signIn(page, 'chef')
  await signedIn(page).waitFor()
  await page.goto(`${server.url}/admin${part}`)
  return page
}

test('who edits what another changed meanwhile is told, reads the other’s settings into the form and goes on', async () => {
  const { db } = server.database
  const page = await openAdmin('?rubrique=comptes')
  await page.getByRole('button', { name: 'Modifier le compte alice' }).click()
  const form = page.getByRole('form', { name: 'Modifier le compte alice' })
  await form.getByLabel('Accès à partir du').fill('01/01/2026')
  await editAccount(db, 'alice', { restrictionStart: new Date('2026-05-01T00:00:00Z'), roles: ['manager'] })
  await form.getByRole('button', { name: 'Enregistrer' }).press('Enter')
  await eventually(() => form.getByRole('alert').textContent()).toMatch(/modifié entre-temps/)
  const starts = async () => (await findAccount(db, 'alice')).restriction_start?.toISOString()
  await expect.poll(() => starts()).toBe('2026-05-01T00:00:00.000Z')
  // What was typed stays until it is given up for the other's.
  await expect.poll(() => form.getByLabel('Accès à partir du').inputValue()).toBe('01/01/2026')
  expect((await axe(page).analyze()).violations.map(({ id }) => id)).toEqual([])

  await form.getByRole('button', { name: 'Relire ses réglages' }).press('Enter')
  await eventually(() => form.getByLabel('Accès à partir du').inputValue()).toBe('01/05/2026')
  await expect.poll(() => form.getByLabel('Gestionnaire').isChecked()).toBe(true)
  await expect.poll(() => form.getByRole('alert').count()).toBe(0)
  await eventually(() =>
    form.getByLabel('Gestionnaire').evaluate((at) => at === document.activeElement),
  ).toBe(true)
  await form.getByLabel('Accès à partir du').fill('1/6/2026')
  await form.getByRole('button', { name: 'Enregistrer' }).press('Enter')
  await form.waitFor({ state: 'detached' })
  await expect.poll(() => starts()).toBe('2026-05-31T22:00:00.000Z')
})

test('sources are named in French, and words, names and addresses stand whole in their columns', async () => {
  const { db } = server.database
  for (const [i, kind] of ['rainbow5', 'station', 'gauge', 'mrr'].entries())
    await sql`insert into source_file (hash, kind, name, bytes) values (${Buffer.alloc(32, i)}, ${kind}, 'f', 1)`.execute(
      db,
    )
  await addAccount(db, 'responsable', passwordOf('responsable'))
  const page = await openAdmin('?rubrique=acquisition')
  await page.setViewportSize({ width: 1440, height: 900 })
  const heads = page.getByRole('table').getByRole('rowheader')
  await heads.first().waitFor()
  await expect
    .poll(() => heads.allTextContents())
    .toEqual(['Pluviomètres', 'Micro radar de pluie', 'Radar, Rainbow 5', 'Station météo'])
  const broken = () =>
    page.locator('tbody :is(th, td)').evaluateAll((cells) =>
      cells.flatMap((cell) => {
        const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
        const found: string[] = []
        for (let node = walk.nextNode(); node; node = walk.nextNode())
          for (const { 0: word, index } of node.textContent!.matchAll(/[^\s-]+/g)) {
            const range = document.createRange()
            range.setStart(node, index)
            range.setEnd(node, index + word.length)
            if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word)
          }
        return found
      }),
    )
  await expect.poll(() => broken()).toEqual([])
  await page.getByRole('link', { name: 'Comptes' }).click()
  await page.getByRole('rowheader', { name: 'responsable' }).waitFor()
  await expect.poll(() => broken()).toEqual([])

  await page.getByRole('button', { name: 'Créer un compte' }).click()
  const form = page.getByRole('form', { name: 'Créer un compte' })
  await form.getByLabel('Identifiant').fill('stagiaire')
  await form.getByLabel('Accès à partir du').fill('01/01/2026')
  await form.getByLabel('Accès jusqu’au (exclu)').fill('01/07/2026')
  await page.keyboard.press('Enter')
  await page.getByRole('rowheader', { name: 'stagiaire' }).waitFor()
  await page.getByRole('link', { name: 'Journal d’audit' }).click()
  await page.getByText('du 01/01/2026 - 00:00:00, au 01/07/2026 - 00:00:00').waitFor()
  await expect.poll(() => broken()).toEqual([])
})

test('what is being typed stays while the list of accounts cannot be read again', async () => {
  const page = await openAdmin('?rubrique=comptes')
  await page.getByRole('button', { name: 'Modifier le compte bob' }).click()
  const form = page.getByRole('form', { name: 'Modifier le compte bob' })
  await form.getByLabel('Accès à partir du').fill('03/02/2026')
  await page.route('**/api/admin/accounts', (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: '{"message":"Base absente."}' }),
  )
  await form.getByRole('button', { name: 'Faire un lien de mot de passe' }).click()
  await page.getByLabel('Lien de mot de passe de bob').last().waitFor()
  await page.getByRole('alert').filter({ hasText: 'Base absente.' }).waitFor()
  await expect.poll(() => form.getByLabel('Accès à partir du').inputValue()).toBe('03/02/2026')
})

test('of many accounts fifty are shown at a time, and one is found by a part of its name', async () => {
  const page = await openAdmin()
  await page.route('**/api/admin/accounts', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as AdminAccounts
    const [first] = answer.accounts
    const many = Array.from({ length: 120 }, (_, i) => ({ ...first, id: `id-${i}`, name: `poste-${i}` }))
    await route.fulfill({ response, json: { ...answer, accounts: many } })
  })
  await page.getByRole('link', { name: 'Comptes' }).click()
  const rows = page.locator('tbody').getByRole('rowheader')
  await page.getByText('50 sur 120 comptes').waitFor()
  await expect.poll(() => rows.count()).toBe(50)
  await page.getByRole('button', { name: 'Comptes suivants' }).press('Enter')
  await eventually(() => rows.count()).toBe(100)
  await page.getByLabel('Chercher un compte').fill('POSTE-11')
  await eventually(() => rows.count()).toBe(11)
  await page.getByLabel('Chercher un compte').fill('personne')
  await page.getByText('Aucun compte ne porte ce nom.').waitFor()
  expect((await axe(page).analyze()).violations.map(({ id }) => id)).toEqual([])
})

test('offline, a part of administration that is not there yet says so in its place, and comes with the network', async () => {
  const page = await openAdmin('', true)
  const stored = page.getByRole('heading', { name: 'Stockage' })
  await stored.waitFor()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Journal d’audit' }).click()
  const missing = page.getByRole('alert').filter({ hasText: 'Pas de réseau' })
  await missing.waitFor()
  await expect.poll(() => page.getByRole('main').textContent()).not.toContain('De nouvelles données')
  // The others stay in reach.
  await page.getByRole('link', { name: 'Accueil et état' }).click()
  await stored.waitFor()
  await page.getByRole('link', { name: 'Journal d’audit' }).click()
  await missing.waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Vérifier la chaîne' }).waitFor()
})

test('a job of somebody is cancelled after one question, by keyboard', async () => {
  const { rows } = await sql<{ id: string }>`
    insert into job (id, kind, username, input, status) values
      (gen_random_uuid(), 'multihydro', 'alice', '{"title":"Crue de mai"}', 'pending') returning id`.execute(
    server.database.db,
  )
  const status = async () =>
    (
      await server.database.db
        .selectFrom('job')
        .select('status')
        .where('id', '=', rows[0].id)
        .executeTakeFirstOrThrow()
    ).status
  const page = await openAdmin('?rubrique=calculs')
  const cancel = page.getByRole('button', { name: 'Annuler : Crue de mai' })
  const keep = page.getByRole('button', { name: 'Continuer', exact: true })
  const focused = (at: typeof keep) =>
    eventually(() => at.evaluate((element) => element === document.activeElement)).toBe(true)
  await cancel.press('Enter')
  // The safe answer has the focus.
  await focused(keep)
  await page.keyboard.press('Escape')
  await focused(cancel)
  await expect.poll(() => status()).toBe('pending')
  await cancel.press('Enter')
  await focused(keep)
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Relancer : Crue de mai' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Crue de mai' }).getByText('Annulée').waitFor()
  await expect.poll(() => status()).toBe('error')
})
