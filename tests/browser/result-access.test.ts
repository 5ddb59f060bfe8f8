import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRun, type SewerServer, startSewerServer } from './sewer-server.ts'
import { sewerTown } from './sewer-town.ts'
import { openBrowser } from './support.ts'

const RAIN = { d: 10, t: 3, iMax: 90, calmAfter: 10 }
let browser: Browser
let town: SewerServer

beforeAll(async () => {
  ;[browser, town] = await Promise.all([openBrowser(), startSewerServer(sewerTown())])
  await Promise.all([town.run('Ville', RAIN), town.run('Jardins', RAIN, { soilModule: 'true' })])
})
afterAll(async () => {
  await browser?.close()
  await town?.stop()
})

/** Addresses that open every section with data in it, and what each of them has once it is there. */
const sections = (): [name: string, query: string, there: (page: Page) => Promise<void>][] => {
  const reference = `reference=${town.runs.get('Jardins')}&titre=Jardins`
  return [
    ['path', 'sortie=swmm&objet=J-1&objet=OUT-1', (page) => page.getByTestId('profile').waitFor()],
    [
      'junctions',
      'sortie=swmm&analyse=point&objet=J-4&objet=J-9',
      (page) => page.getByRole('figure', { name: 'Hauteur d’eau moyenne' }).locator('canvas').waitFor(),
    ],
    [
      'links beside a reference',
      `sortie=swmm&analyse=link&objet=C-4&${reference}`,
      (page) => page.getByTestId('volume-badge').waitFor(),
    ],
    ['depth 2D', 'sortie=depth&vue=2d&cellule=5,8', (page) => page.getByTestId('cell-value').waitFor()],
    ['depth 3D', 'sortie=depth&vue=3d', (page) => page.getByTestId('depth-3d').waitFor()],
    [
      'depth beside a reference',
      `sortie=depth&vue=carte&ecart=oui&${reference}`,
      (page) => page.getByTestId('difference').waitFor(),
    ],
    [
      'over time',
      `sortie=evolution&t=600&${reference}`,
      (page) =>
        page
          .getByRole('heading', { name: /^Bilan/ })
          .first()
          .waitFor(),
    ],
  ]
}

test.each(['light', 'dark'] as const)(
  'no section of a finished run has an accessibility violation in %s mode, nor is one wider than a phone',
  async (scheme) => {
    const found: string[] = []
    for (const [name, query, there] of sections()) {
      const { page, close } = await openRun(browser, town, 'Ville', `?${query}`, { scheme })
      await there(page)
      const axe = new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .exclude('.maplibregl-canvas')
      const { violations } = await axe.analyze()
      for (const { id, nodes } of violations)
        found.push(`${name}: ${id} (${nodes.length}) ${nodes[0].html.slice(0, 160)}`)
      await page.setViewportSize({ width: 390, height: 844 })
      await there(page)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      if (overflow > 1) found.push(`${name}: ${overflow} px wider than a phone`)
      await close()
    }
    expect(found).toEqual([])
  },
  180_000,
)

test('the profile is read nearer by keys, buttons, wheel and drag', async () => {
  const { page, close } = await openRun(browser, town, 'Ville', '?sortie=swmm&objet=J-1&objet=OUT-1')
  const profile = page.getByTestId('profile')
  await profile.waitFor()
  const names = () =>
    page
      .getByTestId('profile-names')
      .getByText(/^(J|OUT)-/)
      .allTextContents()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const whole = await names()
  expect(whole[0]).toBe('J-1')
  expect(await button('Réduire le profil').isDisabled()).toBe(true)

  await button('Agrandir le profil').click()
  await expect.poll(async () => (await names()).includes('J-1')).toBe(false)
  await button('Vers le début du chemin').click()
  await expect.poll(names).toContain('J-1')
  await button('Montrer tout le profil').click()
  await expect.poll(names).toEqual(whole)

  await page.getByRole('group', { name: /^Profil en long/ }).focus()
  for (const key of ['+', '+', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight'])
    await page.keyboard.press(key)
  await expect.poll(async () => (await names()).at(-1)).toBe('OUT-1')
  expect(await names()).not.toContain('J-1')
  await page.keyboard.press('-')
  await page.keyboard.press('0')
  await expect.poll(names).toEqual(whole)

  // At the start of the path its start stays.
  await profile.hover({ position: { x: 80, y: 200 } })
  await page.mouse.wheel(0, -300)
  await expect.poll(() => profile.getAttribute('data-zoomed')).toBe('true')
  await page.mouse.move(0, 0)
  await expect.poll(names).toContain('J-1')
  await profile.hover({ position: { x: 600, y: 200 } })
  await page.mouse.down()
  await profile.hover({ position: { x: 100, y: 200 } })
  await page.mouse.up()
  await page.mouse.move(0, 0)
  await expect.poll(names).not.toContain('J-1')
  await close()
})
