import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeProfiles } from '../../apps/server/src/mrr/hour-encoder.ts'
import { insertProfiles } from '../../apps/server/src/mrr/queries.ts'
import { storeOf } from '../../apps/server/src/store/open-store.ts'
import { testDeps } from '../../apps/server/src/testing/deps.ts'
import { sourceFile } from '../../apps/server/src/testing/source-file.ts'
import { type BrowserServer, eventually, startBrowserServer } from './account-server.ts'
import { COARSE, openBrowser, openPage } from './support.ts'

const HOUR = '2026-05-04T08:00:00Z'
const START = Date.parse(HOUR)
const GATES = 128

/**
 * Two hours of profiles: rain up to 2,450 m whose water peaks at gate 60, heaviest at the start of the second hour. In the
 * first one snow melts around 2,070 m, and one profile has more water there than all rain of the day.
 */
function profiles(fromMs: number, count: number) {
  const LWC = new Float32Array(count * GATES).fill(Number.NaN)
  const VEL = new Float32Array(count * GATES).fill(Number.NaN)
  const Ze = new Float32Array(count * GATES).fill(Number.NaN)
  for (let i = 0; i < count; i++)
    for (let gate = 0; gate < 70; gate++) {
      LWC[i * GATES + gate] = (i < 180 ? 0.5 : i < 360 ? 0.25 : 2) * Math.exp(-(((gate - 60) / 20) ** 2))
      VEL[i * GATES + gate] = gate < 60 ? 6 : 1.5
      if (i < 360) Ze[i * GATES + gate] = gate < 58 ? 28 : gate < 62 ? 35 : 20
    }
  LWC[100 * GATES + 59] = 9
  return {
    timesMs: Float64Array.from({ length: count }, (_, i) => fromMs + i * 10_000),
    heightsM: Float32Array.from({ length: GATES }, (_, gate) => (gate + 1) * 35),
    variables: { LWC, VEL, Ze },
  }
}

describe('micro rain radar page', () => {
  let server: BrowserServer
  let browser: Browser
  let session: string

  beforeAll(async () => {
    const { site } = await testDeps()
    const microRainRadar = { ...site.microRainRadar!, openHour: HOUR }
    server = await startBrowserServer({ microRainRadar })
    const { context, frames } = await storeOf(server.deps)
    await insertProfiles(
      context.db,
      frames,
      encodeProfiles(profiles(START, 720)),
      sourceFile('mrr', 'mrr'),
      context.timeZone,
    )
    await server.signIn('mireille')
    session = await sessionOf('mireille')
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  const sessionOf = async (name: string) => {
    const login = await fetch(`${server.url}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: name, password: `${name}-secret` }),
    })
    const answer = (await login.json()) as { expiresIn: number }
    return JSON.stringify({ ...answer, expiration: Date.now() + answer.expiresIn })
  }

  const open = (path: string, signedIn: boolean) =>
    openPage(browser, `${server.url}${path}`, {
      storage: { allowCookie: 'false', ...(signedIn ? { 'radx-session': session } : {}) },
      viewport: { width: 1280, height: 1000 },
      ...COARSE,
    })

  test('[MRR-01] [MRR-02] [MRR-03] [MRR-04] [MRR-22] [SHELL-10] a visitor reads the page and the demonstration hour, no more', async () => {
    const { page, errors, close } = await open('/mrr', false)
    await page.getByRole('heading', { name: 'Micro radar de pluie' }).waitFor()
    const text = (await page.locator('main').textContent()) ?? ''
    for (const fact of ['24,2', '1,24', '128 × 35', '10 s', '4 000'])
      expect(text.replace(/[\u00a0\u202f]/g, ' ')).toContain(fact)
    const steps = page.locator('ol button')
    await expect.poll(() => steps.count()).toBe(4)
    await steps.nth(2).click()
    await expect.poll(() => steps.nth(2).getAttribute('aria-current')).toBe('step')
    await expect.poll(() => page.locator('svg[data-step]').getAttribute('data-step')).toBe('2')
    await page.getByTestId('mrr-explorer').waitFor()
    await expect.poll(() => page.getByTestId('mrr-calendar').count()).toBe(0)
    await expect.poll(() => page.getByLabel('Palette').count()).toBe(0)
    await expect.poll(() => page.getByRole('link', { name: 'Se connecter' }).count()).toBeGreaterThan(0)
    expect(errors).toEqual([])
    await close()
  })

  test('[MRR-05] [MRR-06] [MRR-07] [MRR-08] [MRR-10] [MRR-11] [MRR-12] [MRR-13] [MRR-21] [MRR-24] from the calendar to the hour and its profile', async () => {
    const { page, errors, close } = await open('/mrr', true)
    await page.getByText('Sélectionner une journée dans le calendrier').waitFor()
    await expect
      .poll(() => page.getByLabel('Palette').locator('option').allTextContents())
      .toEqual(['turbo', 'viridis', 'viridis 2', 'blues', 'blues 2', 'inferno', 'inferno 2'])
    await expect.poll(() => page.getByLabel('Seuil supérieur').inputValue()).toContain('3')
    const day = page.getByTestId('mrr-calendar').getByRole('button')
    await expect.poll(() => day.count()).toBe(1)
    await expect
      .poll(async () => (await day.getAttribute('aria-label'))?.replace(/\s/g, ' '))
      .toContain('04/05/2026 : maximum 2,00 g/m³')
    // What melts is no rain: the day's 9 g/m³ are left out of its colour, and that is said.
    await page.getByText('Maximum hors couche de fusion').waitFor()
    await day.click()
    const hours = page.getByTestId('mrr-hours')
    await hours.waitFor()
    await expect.poll(() => hours.locator('rect title').count()).toBe(24)
    // 11:00 local is where the heavy hour begins: a click there sets hour and minute.
    const box = (await hours.boundingBox())!
    await hours.click({ position: { x: (box.width * (11 * 60 + 2)) / 1440, y: 40 } })
    await eventually(() => new URL(page.url()).searchParams.get('heure')).toBe('2026-05-04T09:00:00.000Z')
    await page.getByTestId('mrr-explorer').waitFor()
    // The picture takes all the width that the profile beside it leaves.
    await eventually(async () => {
      const [views, picture] = await Promise.all(
        ['[data-testid="mrr-explorer"]', '[data-testid="mrr-explorer"] canvas[role="img"]'].map((part) =>
          page.locator(part).boundingBox(),
        ),
      )
      return picture!.width / views!.width
    }).toBeGreaterThan(0.5)
    // A height stands at one height of the screen beside the picture and beside the profile, and says the same.
    await eventually(async () => {
      const places = (part: string) =>
        page.getByTestId('mrr-explorer').evaluate((explorer, part) => {
          const marks = [...explorer.querySelectorAll<HTMLElement | SVGElement>(`${part}[data-height]`)]
          return marks.map((mark) => {
            // The text of the profile stands a little below its line.
            const { top, height } = (
              mark.parentElement?.querySelector('line') ?? mark
            ).getBoundingClientRect()
            return { height: mark.dataset.height, text: mark.textContent, at: top + height / 2 }
          })
        }, part)
      const [picture, profile] = [await places('span'), await places('text')]
      const apart = picture.map((mark, k) => Math.abs(mark.at - (profile[k]?.at ?? 1e9)))
      const said = [picture, profile].map((marks) => marks.map(({ height, text }) => `${height} ${text}`))
      return { said: said[0].join() === said[1].join(), marks: picture.length, near: Math.max(...apart) < 2 }
    }).toEqual({ said: true, marks: 5, near: true })
    // The scale fits by itself; what is typed takes its place, and the switch gives it back.
    const fitted = page.getByRole('switch', { name: 'Échelle ajustée à cette heure' })
    await expect.poll(() => fitted.isChecked()).toBe(true)
    await expect.poll(() => page.getByLabel('Valeur maximale').inputValue()).toBe('3\u202fg.m-3')
    await page.getByTestId('mrr-explorer').getByText('2,0 g.m-3').waitFor()
    await page.getByLabel('Valeur maximale').fill('4')
    await page.getByTestId('mrr-explorer').getByText('4,0 g.m-3').waitFor()
    await expect.poll(() => fitted.isChecked()).toBe(false)
    await fitted.click()
    await page.getByTestId('mrr-explorer').getByText('2,0 g.m-3').waitFor()
    await page.getByLabel('Valeur maximale').fill('2')
    await eventually(() => new URL(page.url()).searchParams.get('max')).toBe('2')
    // The picture: nothing above 2,450 m, the highest colour where the water is.
    const look = () =>
      page.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>(
          '[data-testid="mrr-explorer"] canvas[role="img"]',
        )!
        const data = canvas.getContext('2d')!.getImageData(100, 0, 1, canvas.height).data
        const at = (gate: number) => [
          ...data.slice(4 * (canvas.height - 1 - gate), 4 * (canvas.height - 1 - gate) + 4),
        ]
        return { size: [canvas.width, canvas.height], high: at(100), peak: at(60) }
      })
    await eventually(async () => (await look()).peak[0]).toBe(144)
    const seen = await look()
    expect(seen.size).toEqual([360, 128])
    expect(seen.high).toEqual([0, 0, 0, 0])
    const profile = () => page.getByTestId('mrr-profile-table').locator('tbody tr').allTextContents()
    await eventually(async () => (await profile()).length).toBe(70)
    await eventually(async () => (await profile())[60].replace(/\s/g, ' ')).toBe('2 1352,00')
    // The line begins at the ground and has a corner a gate, its largest value where the water is.
    const corners = async () => {
      const line = page.getByRole('img', { name: 'Profil vertical' }).locator('path')
      const text = (await line.getAttribute('d')) ?? ''
      return text
        .split(/[ML]/)
        .slice(1)
        .map((corner) => corner.split(' ').map(Number))
    }
    const drawn = await corners()
    expect(drawn.length).toBeGreaterThanOrEqual(70)
    expect(Math.max(...drawn.map(([x]) => x))).toBe(drawn[60][0])
    expect(drawn[60][0]).toBeGreaterThan(drawn[0][0])
    const scale = page
      .getByTestId('mrr-explorer')
      .getByText(/g\.m-3$/)
      .locator('..')
    await expect
      .poll(async () => (await scale.locator('> span').allTextContents()).map((text) => text.trim()))
      .toEqual(['2,0 g.m-3', '0'])
    // Both controls keep to 0,1 and 10 and go by 0,1.
    for (const name of ['Seuil supérieur', 'Valeur maximale']) {
      const control = page.getByLabel(name)
      for (const [typed, kept] of [
        ['99', '10'],
        ['0', '0,1'],
      ]) {
        await control.fill(typed)
        await control.blur()
        await eventually(() => control.inputValue()).toBe(`${kept}\u202fg.m-3`)
      }
      await control.press('ArrowUp')
      await eventually(() => control.inputValue()).toBe('0,2\u202fg.m-3')
    }
    await eventually(() => new URL(page.url()).searchParams.get('seuil')).toBe('0.2')
    // On a phone the year is wider than the page: the last day with data is in sight.
    await page.route('**/api/mrr/calendar', (route) =>
      route.fulfill({ json: [{ day: '2026-11-25', maxValue: 1 }] }),
    )
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${server.url}/mrr`)
    await day.waitFor()
    await eventually(async () => {
      const place = (await day.boundingBox())!
      return place.x + place.width
    }).toBeLessThan(390)
    expect(errors).toEqual([])
    await close()
  })

  test('[MRR-09] [MRR-12] [MRR-23] play, step and keys move profile and cursor together; the address brings the view back', async () => {
    const { page, errors, close } = await open(`/mrr?jour=2026-05-04&heure=${encodeURIComponent(HOUR)}`, true)
    const clock = page.getByTestId('mrr-clock')
    await clock.waitFor()
    await expect.poll(() => page.getByRole('heading', { name: 'Profils de 10:00 à 11:00' }).count()).toBe(1)
    await expect.poll(() => clock.textContent()).toBe('10:00:00')
    // The melting layer stands in the picture and in the profile, at one height.
    await page.getByText(/^Couche de fusion\s: de\s[12]\s\d{3}\sà\s2\s\d{3}\sm/).waitFor()
    await eventually(async () => {
      const [band, profile] = await Promise.all([
        page.getByTestId('mrr-melting').boundingBox(),
        page.getByRole('img', { name: 'Profil vertical' }).locator('rect').boundingBox(),
      ])
      return Math.max(
        Math.abs(band!.y - profile!.y),
        Math.abs(band!.y + band!.height - profile!.y - profile!.height),
      )
    }).toBeLessThan(2)
    await page.keyboard.press('d')
    await expect.poll(() => clock.textContent()).toBe('10:00:10')
    await page.keyboard.press('q')
    await page.keyboard.press('q')
    await expect.poll(() => clock.textContent()).toBe('10:00:00')
    const water = async () =>
      (await page.getByTestId('mrr-profile-table').locator('tbody tr').nth(60).textContent())?.replace(
        /\s/g,
        ' ',
      )
    const line = page.getByRole('img', { name: 'Profil vertical' }).locator('path')
    await expect.poll(() => water()).toBe('2 1350,50')
    const drawn = await line.getAttribute('d')
    await page.getByRole('slider', { name: 'Instant du profil' }).press('End')
    await eventually(() => clock.textContent()).toBe('10:59:50')
    await expect.poll(() => water()).toBe('2 1350,25')
    await expect.poll(() => line.getAttribute('d')).not.toBe(drawn)
    await page.getByRole('slider', { name: 'Instant du profil' }).press('Home')
    await eventually(() => clock.textContent()).toBe('10:00:00')
    await page.getByRole('button', { name: 'Lecture' }).click()
    await eventually(() => clock.textContent()).not.toBe('10:00:00')
    await page.keyboard.press('z')
    await page.getByRole('button', { name: 'Lecture' }).waitFor()
    await page.getByLabel('Grandeur').selectOption('VEL')
    await eventually(() => new URL(page.url()).searchParams.get('v')).toBe('VEL')
    await eventually(async () =>
      (await page.getByTestId('mrr-profile-table').locator('tbody tr').first().textContent())?.replace(
        /\s/g,
        ' ',
      ),
    ).toBe('356,00')
    await expect
      .poll(() => page.getByTestId('mrr-profile-table').locator('thead').textContent())
      .toBe('Hauteur (m)Vitesse de chute (m/s)')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    expect((await readFile(await download.path(), 'utf8')).split('\n')).toHaveLength(363)
    expect(errors).toEqual([])
    await close()
  })

  test('[LIVE-14] [MRR-19] the live page shows the latest picture with a link, and asks again every 10 minutes', async () => {
    const made = await browser.newContext({ locale: 'fr-FR' })
    const page = await made.newPage()
    page.setDefaultTimeout(120_000)
    await page.clock.install()
    // The page's own time at each call: that of the test may fall behind it by minutes.
    await page.addInitScript(() => {
      localStorage.setItem('allowCookie', 'false')
      const askedAt: number[] = []
      const ask = window.fetch
      window.fetch = (input, init) => {
        if (String(input).endsWith('/api/mrr/latest')) askedAt.push(Date.now())
        return ask(input, init)
      }
      Object.assign(window, { askedAt })
    })
    const askedAt = () => page.evaluate(() => (window as unknown as { askedAt: number[] }).askedAt)
    await page.goto(server.url)
    const picture = page.locator('img[src^="/images/mrr/mrr-20260504T0959"]')
    await picture.scrollIntoViewIfNeeded()
    await eventually(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(960)
    const paper = () =>
      picture.evaluate((img: HTMLImageElement) => {
        if (!img.complete) return null
        const drawn = document.createElement('canvas').getContext('2d')!
        drawn.drawImage(img, 0, 0)
        return [...drawn.getImageData(2, 2, 1, 1).data.slice(0, 3)]
      })
    await expect.poll(() => paper()).toEqual([255, 255, 255])
    await page.getByRole('button', { name: 'Passer en affichage sombre' }).click()
    await eventually(paper).toEqual([15, 20, 21])
    // From here on the page's time stands still unless it is moved; a part of the column that comes late has asked as well.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
    const before = (await askedAt()).length
    await eventually(async () => {
      await page.clock.runFor(60_000)
      return (await askedAt()).length
    }).toBeGreaterThan(before + 2)
    const [first, second] = (await askedAt()).slice(-2)
    // The ten minutes count from the answer, which may come while the page's time is moved on.
    const apartS = Math.round((second - first) / 1_000)
    expect(apartS).toBeGreaterThanOrEqual(600)
    expect(apartS).toBeLessThan(660)
    await page.clock.resume()
    await page.locator('a[href="/mrr"]').last().click()
    await page.getByRole('heading', { name: 'Micro radar de pluie' }).waitFor()
    await made.close()
  })

  test('[MRR-08] [AUTH-25] a dry day says that it was dry, and a day outside the dates of an account that it is closed', async () => {
    const { context, frames } = await storeOf(server.deps)
    const dry = profiles(Date.parse('2026-05-06T08:00:00Z'), 360)
    dry.variables.LWC.fill(0)
    await insertProfiles(context.db, frames, encodeProfiles(dry), sourceFile('dry', 'mrr'), context.timeZone)
    const free = await open('/mrr?jour=2026-05-06&heure=2026-05-06T08:00:00Z', true)
    await free.page.getByText('Pas de pluie ce jour-là').waitFor()
    await free.page.getByText('Pas de pluie pendant cette heure').waitFor()
    await expect.poll(() => free.page.getByLabel('Valeur maximale').count()).toBe(0)
    // It is the newest hour now: the live page says so beside its picture.
    await free.page.getByRole('link', { name: 'Direct', exact: true }).click()
    const panel = free.page.getByRole('region', { name: 'Micro radar de pluie', exact: true })
    await panel
      .getByText('Pas de pluie au-dessus du micro radar pendant la dernière heure mesurée.')
      .waitFor()
    await panel.getByRole('img', { name: 'contenu en eau liquide par hauteur et par temps' }).waitFor()
    await free.close()
    // Measured on the 4th, but not for this account; of 2025 it has nothing, and the calendar draws the year that it names.
    await server.signIn('renee', { restrictionStart: new Date('2026-05-05T22:00:00Z') })
    const held = await sessionOf('renee')
    for (const day of ['2026-05-04', '2025-05-04']) {
      const { page, close } = await openPage(browser, `${server.url}/mrr?jour=${day}`, {
        storage: { 'radx-session': held },
        ...COARSE,
      })
      await page.getByText('Vous avez accès aux données à partir du 06/05/2026').waitFor()
      await page.getByText('Ce jour est hors des dates de votre compte').waitFor()
      await expect.poll(() => page.getByText('Pas de mesure').count()).toBe(0)
      await expect.poll(() => page.getByLabel('Année').inputValue()).toBe('2026')
      await expect.poll(() => page.getByTestId('mrr-calendar').getByRole('button').count()).toBe(1)
      await close()
    }
  })
})
