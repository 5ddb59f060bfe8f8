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

test('two fingers draw the profile nearer and let it go again, on a phone', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const address = '?sortie=swmm&objet=J-1&objet=OUT-1'
  const { page, close } = await openRun(browser, town, 'Ville', address, phone)
  const profile = page.getByTestId('profile')
  await profile.scrollIntoViewIfNeeded()
  const fingers = await page.context().newCDPSession(page)
  /** Two fingers on a level line, from one distance to another, in CSS pixels. */
  const pinch = async (from: number, to: number) => {
    const box = (await profile.boundingBox())!
    const [x, y] = [box.x + Math.min(box.width, 390) / 2, box.y + box.height / 2]
    const at = (apart: number) => [
      { x: x - apart / 2, y, id: 0 },
      { x: x + apart / 2, y, id: 1 },
    ]
    await fingers.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) })
    for (let k = 1; k <= 10; k++)
      await fingers.send('Input.dispatchTouchEvent', {
        type: 'touchMove',
        touchPoints: at(from + ((to - from) * k) / 10),
      })
    await fingers.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  expect(await profile.getAttribute('data-zoomed')).not.toBe('true')
  await pinch(60, 240)
  await expect.poll(() => profile.getAttribute('data-zoomed')).toBe('true')
  // The page itself stays as large as it was.
  expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1)
  await pinch(240, 40)
  await expect.poll(() => profile.getAttribute('data-zoomed')).not.toBe('true')
  await close()
})
