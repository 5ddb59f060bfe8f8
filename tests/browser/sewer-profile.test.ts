import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRun, type SewerServer, startSewerServer } from './sewer-server.ts'
import { sewerTown } from './sewer-town.ts'
import { openBrowser } from './support.ts'

const RAIN = { d: 10, t: 3, iMax: 90, calmAfter: 10 }
let browser: Browser
let town: SewerServer

beforeAll(async () => {
  ;[browser, town] = await Promise.all([openBrowser(), startSewerServer(sewerTown())])
  await town.run('Ville', RAIN)
})
afterAll(async () => {
  await browser?.close()
  await town?.stop()
})

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
