import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { FIXTURE_SITE, type FixtureServer, startFixtureServer } from './fixture-server.ts'
import { spokenFaults } from './spoken.ts'
import { axe, DIST, type OpenOptions, type OpenPage, openBrowser, openPage, waitForFrame } from './support.ts'

// The live home against known answers. That it lives on the real server is home.test.ts.

const NEWEST = Date.UTC(2026, 10, 21, 2, 42, 10)
const instant = (back: number) => new Date(NEWEST - back * 206_000).toISOString().replace('.000Z', 'Z')

let browser: Browser
let server: FixtureServer
let leave: (() => Promise<void>)[] = []
/** One page for the tests that only look, or leave it as they found it. */
let home: OpenPage

beforeAll(async () => {
  browser = await openBrowser()
  server = await startFixtureServer({ dist: DIST, frames: 12, newest: NEWEST })
  home = await openPage(browser, server.url)
  await waitForFrame(home.page)
})
afterAll(async () => {
  await home?.close()
  await browser?.close()
  await server?.close()
})
afterEach(async () => {
  server.options.isRadarDown = false
  server.options.forecast = false
  server.options.overrides = {}
  for (const close of leave.splice(0)) await close()
  leave = []
})

async function open(path = '/', options: OpenOptions = {}) {
  const opened = await openPage(browser, server.url + path, options)
  leave.push(opened.close)
  return opened
}

async function openLive(path = '/', options: OpenOptions = {}) {
  const opened = await open(path, options)
  await waitForFrame(opened.page)
  return opened
}

const clock = (page: Page) => page.getByTestId('clock').textContent()
const follow = async (page: Page) => {
  await page.getByRole('button', { name: 'Direct', exact: true }).click()
  await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:42:10')
}
const control = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Commandes de lecture' }).getByRole('button', { name })

describe('the page', () => {
  test("[SHELL-01] [SHELL-07] [SHELL-08] [LIVE-01] / is the public live home titled 'Direct', without an error", async () => {
    const { page, errors } = home
    await expect.poll(() => page.title()).toBe('Direct')
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('fr')
    await page.getByRole('navigation').getByRole('link', { name: 'Direct' }).waitFor()
    expect(errors).toEqual([])
  })

  test('[SHELL-05] [SHELL-06] the footer shows the partners and the chair', async () => {
    const { page } = home
    const footer = page.getByRole('contentinfo')
    await expect.poll(() => footer.textContent()).toContain('Chaire Hydrologie pour une ville résiliente')
    // They come after the map.
    const partners = footer.getByRole('list', { name: 'Partenaires' }).getByRole('img')
    await expect.poll(() => partners.count()).toBeGreaterThan(1)
  })

  test('[SHELL-04] light is the default, dark is a toggle that stays', async () => {
    const { page } = await openLive()
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
    await expect.poll(() => scheme()).toBe('light')
    await page.getByRole('button', { name: 'Passer en affichage sombre' }).click()
    await expect.poll(() => scheme()).toBe('dark')
    await page.reload()
    await expect.poll(() => scheme()).toBe('dark')
    await page.getByRole('button', { name: 'Passer en affichage clair' }).click()
    await expect.poll(() => scheme()).toBe('light')
  })

  test.each(['light', 'dark'] as const)('has no accessibility fault in %s mode', async (scheme) => {
    const { page } = await openLive('/', { scheme })
    await page.getByText("Paramètres d'acquisition").click()
    await page.locator('figure [data-ready="true"]').first().waitFor()
    const { violations } = await axe(page).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual(
      [],
    )
  })

  test('an unknown address says so and leads back', async () => {
    const { page } = await open('/nulle-part')
    await page.getByRole('heading', { name: 'Page introuvable' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Revenir au direct' }).click()
    await waitForFrame(page)
  })
})

describe('control bar', () => {
  test('[LIVE-04] [LIVE-05] [LIVE-30] starts at the newest image and steps both ways', async () => {
    const { page } = home
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:42:10')
    await control(page, 'Image précédente (Q)').click()
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:38:44')
    await control(page, 'Image suivante (D)').click()
    await control(page, 'Image suivante (D)').click()
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:04:24')
    await follow(page)
  })

  test('[LIVE-12] z, q and d play and step, in either case', async () => {
    const { page } = home
    await page.keyboard.press('q')
    await page.keyboard.press('Q')
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:35:18')
    await page.keyboard.press('d')
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:38:44')
    await page.keyboard.press('z')
    await control(page, 'Pause (Z)').waitFor()
    await page.keyboard.press('Z')
    await control(page, 'Lecture (Z)').waitFor()
    await follow(page)
  })

  test('[LIVE-03] [LIVE-06] [LIVE-26] playing moves the map, the clock and the slider, and fetches nothing again', async () => {
    const { page } = home
    await page.waitForFunction(() => document.querySelector('progress') === null)
    const before = server.requests.filter((path) => path.startsWith('/api/products/frames')).length
    const slider = page.getByRole('slider', { name: 'Instant affiché' })
    const shown = () => page.locator('[data-radar-frame]').getAttribute('data-radar-frame')
    await control(page, 'Lecture (Z)').click()
    await page.waitForFunction((newest) => {
      const map = document.querySelector<HTMLElement>('[data-radar-frame]')
      return map?.dataset.radarFrame !== newest
    }, instant(0))
    await control(page, 'Pause (Z)').click()
    await waitForFrame(page)
    const index = Number(await slider.inputValue())
    await expect.poll(() => shown()).toBe(instant(11 - index))
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe(await clock(page))
    await expect
      .poll(() => server.requests.filter((path) => path.startsWith('/api/products/frames')).length)
      .toBe(before)
    await follow(page)
  })

  test('[LIVE-07] ticks are hidden with more than 50 images', async () => {
    const few = await openLive()
    await expect.poll(() => few.page.locator('[data-tick]').count()).toBe(12)
    const busy = await startFixtureServer({
      dist: DIST,
      frames: 51,
      newest: NEWEST,
      rate: (frame) => (frame === 50 ? 5 : 0),
    })
    leave.push(busy.close)
    const many = await openPage(browser, busy.url)
    leave.push(many.close)
    await waitForFrame(many.page)
    await expect.poll(() => many.page.locator('[data-tick]').count()).toBe(0)
  })

  test('[LIVE-08] [LIVE-40] opacity starts at 100 and lives in the address', async () => {
    const { page } = await openLive()
    const opacity = page.getByRole('slider', { name: 'Opacité' })
    await expect.poll(() => opacity.inputValue()).toBe('100')
    await expect
      .poll(async () => [await opacity.getAttribute('min'), await opacity.getAttribute('max')])
      .toEqual(['0', '100'])
    await opacity.press('Home')
    await page.waitForURL(/[?&]o=0\b/)
    await page.reload()
    await expect.poll(() => opacity.inputValue()).toBe('0')
  })

  test('[LIVE-09] the map comes back to the radar', async () => {
    const { page } = home
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const scale = page.getByTestId('scale')
    const before = await scale.textContent()
    await page.getByRole('button', { name: 'Zoomer', exact: true }).click()
    await page.waitForFunction(
      (text) => document.querySelector('[data-testid=scale]')?.textContent !== text,
      before,
    )
    await control(page, 'Recentrer sur le radar').click()
    await page.waitForFunction(
      (text) => document.querySelector('[data-testid=scale]')?.textContent === text,
      before,
    )
  })

  test('[LIVE-10] [LIVE-22] [LIVE-23] [LIVE-38] another product is chosen in a dialog; inactive ones cannot be', async () => {
    const { page } = await openLive()
    await control(page, 'Produit radar : dpsri').click()
    const dialog = page.getByRole('dialog', { name: 'Produit radar' })
    const inactive = dialog.getByRole('button', { name: /cappi/ })
    await expect.poll(() => inactive.getAttribute('aria-disabled')).toBe('true')
    await inactive.hover()
    await page.getByRole('tooltip', { name: 'Produit non-intégré pour le moment' }).waitFor()
    await inactive.press('Enter')
    await expect.poll(() => dialog.isVisible()).toBe(true)
    await dialog.getByRole('button', { name: /^sri/ }).click()
    await dialog.waitFor({ state: 'detached' })
    await control(page, 'Produit radar : sri').waitFor()
    await waitForFrame(page)
    await expect.poll(() => server.requests).toContain('/api/products/latestImages?p=sri')
    await expect.poll(() => page.url()).toContain('p=sri')
    await page.goBack()
    const opener = control(page, 'Produit radar : dpsri')
    await opener.press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => opener.evaluate((one) => one === document.activeElement)).toBe(true)
  })

  test('[LIVE-39] choosing a product is told to the audience measurement, where the visitor allowed it', async () => {
    server.options.overrides = {
      '/api/site': {
        status: 200,
        // On the page's own server, as its content policy wants it here.
        body: { ...FIXTURE_SITE, analytics: { url: `${server.url}/stats/`, siteId: '3' } },
      },
    }
    const reports = () =>
      server.requests.flatMap((request) => {
        const { pathname, searchParams } = new URL(request, server.url)
        return pathname === '/stats/matomo.php' ? [searchParams] : []
      })
    const told = async (allowCookie: string) => {
      const before = reports().length
      const { page } = await openLive('/', { storage: { allowCookie } })
      // The measurement begins after the first frame, with the page itself.
      if (allowCookie === 'true') await expect.poll(() => reports().length).toBe(before + 1)
      await control(page, 'Produit radar : dpsri').click()
      await page.getByRole('dialog', { name: 'Produit radar' }).getByRole('button', { name: /^sri/ }).click()
      await control(page, 'Produit radar : sri').waitFor()
      await waitForFrame(page)
      return () =>
        reports()
          .slice(before)
          .filter((query) => query.has('e_c'))
          .map((query) => ['e_c', 'e_a', 'e_n', 'e_v'].map((name) => query.get(name)).join(' '))
    }
    await expect.poll(await told('true')).toEqual(['product select sri 1'])
    await expect.poll(async () => (await told('false'))()).toEqual([])
  })

  test('[LIVE-11] the configuration button is for connected users', async () => {
    await expect.poll(() => control(home.page, 'Configuration').count()).toBe(0)
    const session = {
      token: 'x',
      name: 'anne',
      roles: [],
      avatar: null,
      shapefiles: [],
      expiresIn: 3_600_000,
    }
    const { page } = await openLive('/', {
      storage: {
        'radx-session': JSON.stringify({
          ...session,
          restriction: { start: null, end: null },
          expiration: Date.now() + session.expiresIn,
        }),
      },
    })
    await control(page, 'Configuration').click()
    await page.getByRole('dialog', { name: 'Configuration' }).waitFor()
  })
})

describe('what the address says', () => {
  test('a chosen moment and its product come back on reload and by link', async () => {
    const { page } = await openLive('/?p=sri')
    await page.keyboard.press('q')
    await page.keyboard.press('q')
    await page.waitForURL((url) => url.searchParams.get('t') === instant(2))
    const url = new URL(page.url())
    expect(url.searchParams.get('p')).toBe('sri')
    const link = await openLive(url.pathname + url.search)
    await expect.poll(() => clock(link.page)).toBe('21/11/2026 - 03:35:18')
    await link.page.getByRole('button', { name: 'Direct' }).click()
    await expect.poll(() => clock(link.page)).toBe('21/11/2026 - 03:42:10')
    await link.page.waitForFunction(() => !window.location.search.includes('t='))
  })

  test('a moment that the address gets while the page stands moves its clock, and the images stay', async () => {
    const { page } = await openLive()
    const goTo = (address: string) =>
      page.evaluate((to) => {
        history.pushState(null, '', to)
        dispatchEvent(new PopStateEvent('popstate', { state: null }))
      }, address)
    await goTo(`/?t=${instant(3)}`)
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:31:52')
    await goTo(`/?t=${instant(5)}`)
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:25:00')
    await goTo('/')
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:42:10')
  })

  test('a moment that has gone gives the newest image and a word about it', async () => {
    const { page } = await openLive('/?t=2020-01-01T00:00:00Z')
    await page.getByText(/n’est plus parmi les trois dernières heures/).waitFor()
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:42:10')
  })
})

describe('refresh', () => {
  test('[LIVE-34] [LIVE-30] every 120 s the page asks again and fetches only what is new', async () => {
    const own = await startFixtureServer({ dist: DIST, frames: 6, newest: NEWEST })
    leave.push(own.close)
    const opened = await openPage(browser, 'about:blank')
    leave.push(opened.close)
    const { page } = opened
    await page.clock.install()
    await page.goto(own.url)
    await waitForFrame(page)
    await page.waitForFunction(() => document.querySelector('progress') === null)
    const calls = (path: string) => own.requests.filter((asked) => asked.startsWith(path))
    expect(calls('/api/products/latestImages')).toHaveLength(1)
    const bundles = calls('/api/products/frames').length
    own.advance()
    // The page's clock runs on by itself as well: half of the time is surely too early.
    await page.clock.runFor(60_000)
    expect(calls('/api/products/latestImages')).toHaveLength(1)
    await page.clock.runFor(60_000)
    await page.waitForFunction(
      (text) => document.querySelector('[data-testid=clock]')?.textContent === text,
      '21/11/2026 - 03:45:36',
    )
    await waitForFrame(page)
    expect(calls('/api/products/latestImages')).toHaveLength(2)
    expect(calls('/api/products/frames').slice(bundles)).toEqual([
      `/api/products/frames?p=dpsri&s=${encodeURIComponent(instant(-1))}&e=${encodeURIComponent(new Date(NEWEST + 206_001).toISOString())}`,
    ])
  })

  test('[LIVE-21] [LIVE-35] the warning stands while the radar is down', async () => {
    server.options.isRadarDown = true
    const { page } = await openLive()
    await page
      .getByText('We apologise for the present data updating interruption.', { exact: true })
      .waitFor()
  })

  test('[LIVE-36] the warning goes as soon as an answer says that the radar is back', async () => {
    server.options.isRadarDown = true
    const opened = await openPage(browser, 'about:blank')
    leave.push(opened.close)
    const { page } = opened
    await page.clock.install()
    await page.goto(server.url)
    await waitForFrame(page)
    const warning = page.getByText('We apologise for the present data updating interruption.')
    await warning.waitFor()
    server.options.isRadarDown = false
    await page.clock.runFor(121_000)
    await warning.waitFor({ state: 'detached' })
  })

  test('of many parts that wait for the network one says so', async () => {
    const opened = await openPage(browser, 'about:blank')
    leave.push(opened.close)
    const { page } = opened
    await page.route('**/assets/ChartCanvas-*.js', (route) => route.abort('internetdisconnected'))
    await page.goto(server.url)
    await waitForFrame(page)
    // Each has its place before the network goes: a column that is not there yet would be one part.
    await expect.poll(() => page.getByRole('main').getByRole('alert').count()).toBeGreaterThan(1)
    await page.context().setOffline(true)
    const waits = page.getByRole('main').getByText('En attente du réseau', { exact: true })
    await expect.poll(() => waits.count()).toBeGreaterThan(1)
    await expect.poll(() => page.getByRole('alert').filter({ hasText: 'Pas de réseau' }).count()).toBe(1)
  })

  test('offline, a part that is not there yet says so in its place and comes by itself with the network', async () => {
    const { page } = await openLive()
    await page.locator('figure [data-ready="true"]').first().waitFor()
    const main = page.getByRole('main')
    await page.context().setOffline(true)
    await expect.poll(() => page.getByTestId('age').textContent()).toMatch(/hors ligne$/)
    const badge = page.getByRole('button', { name: 'Direct', exact: true })
    await expect.poll(() => badge.getAttribute('data-stale')).toBe('offline')
    await control(page, 'Produit radar : dpsri').click()
    const missing = page.getByRole('alert').filter({ hasText: 'Pas de réseau' })
    await missing.waitFor()
    // The rest of the page stays and works.
    await control(page, 'Image précédente (Q)').click()
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:38:44')
    await expect.poll(() => main.textContent()).not.toContain('De nouvelles données')
    await missing.getByRole('button', { name: 'Réessayer' }).click()
    await missing.waitFor()
    // A screen that is not there yet as well.
    await page.getByRole('link', { name: 'À propos' }).click()
    await main.getByText('Pas de réseau').first().waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Aide en ligne' }).first().waitFor()
    await page.goBack()
    await page.getByRole('dialog', { name: 'Produit radar' }).waitFor()
    await page.keyboard.press('Escape')
    await waitForFrame(page)
  })

  test('a server that takes the call and never answers: the part says so in its place, and comes once it answers', async () => {
    const opened = await openPage(browser, 'about:blank')
    leave.push(opened.close)
    const { page } = opened
    await page.clock.install()
    let silent = true
    const held: Route[] = []
    await page.route(/\/(assets\/ProductDialog[^/]*js|healthz)$/, (route) => {
      if (silent) held.push(route)
      else return route.continue()
    })
    await page.goto(server.url)
    await waitForFrame(page)
    // What is under way when time leaps would be given up as well, and say so in its own place.
    await page.waitForLoadState('networkidle')
    await control(page, 'Produit radar : dpsri').click()
    await expect.poll(() => held.length).toBe(1)
    await page.clock.runFor(46_000)
    await page.getByRole('alert').filter({ hasText: 'Le serveur ne répond pas' }).waitFor()
    await expect.poll(() => page.getByRole('main').textContent()).not.toContain('De nouvelles données')
    silent = false
    for (const route of held) await route.continue().catch(() => undefined)
    await expect
      .poll(async () => {
        await page.clock.runFor(11_000)
        return page.getByRole('dialog', { name: 'Produit radar' }).count()
      })
      .toBe(1)
  })

  test('charts whose library does not come say so in their places, the map plays on, and they come once it does', async () => {
    const opened = await openPage(browser, 'about:blank')
    leave.push(opened.close)
    const { page } = opened
    await page.clock.install()
    let silent = true
    const held: Route[] = []
    await page.route(/\/(assets\/ChartCanvas[^/]*js|healthz)$/, (route) => {
      if (silent) held.push(route)
      else return route.continue()
    })
    await page.goto(server.url)
    await waitForFrame(page)
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000)
        return held.length
      })
      .toBeGreaterThan(0)
    await page.clock.runFor(46_000)
    const charts = page.locator('figure')
    await charts.getByRole('alert').filter({ hasText: 'Le serveur ne répond pas' }).first().waitFor()
    await control(page, 'Image précédente (Q)').click()
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:38:44')
    silent = false
    for (const route of held) await route.continue().catch(() => undefined)
    await expect
      .poll(async () => {
        await page.clock.runFor(11_000)
        return charts.locator('[data-ready="true"]').count()
      })
      .toBeGreaterThan(0)
    await expect
      .poll(async () => {
        await page.clock.runFor(11_000)
        return charts.getByRole('alert').count()
      })
      .toBe(0)
  })

  test('a server that refuses the call: the part says so in its place, and what to do once it is back', async () => {
    const opened = await openPage(browser, 'about:blank')
    leave.push(opened.close)
    const { page } = opened
    await page.clock.install()
    let refused = true
    await page.route(/\/(assets\/ProductDialog[^/]*js|healthz)$/, (route) =>
      refused ? route.abort('connectionrefused') : route.continue(),
    )
    await page.goto(server.url)
    await waitForFrame(page)
    const missing = page.getByRole('alert')
    await control(page, 'Produit radar : dpsri').click()
    await missing.filter({ hasText: 'Le serveur ne répond pas' }).waitFor()
    refused = false
    // The browser remembers that the script did not come: it is there, and of no other version.
    await expect
      .poll(async () => {
        await page.clock.runFor(11_000)
        return missing.filter({ hasText: 'Le serveur répond de nouveau' }).count()
      })
      .toBe(1)
    await missing.getByRole('button', { name: 'Actualiser la page' }).click()
    await waitForFrame(page)
    await control(page, 'Produit radar : dpsri').click()
    await page.getByRole('dialog', { name: 'Produit radar' }).waitFor()
  })

  test('the clock says how old the image is, and the badge is grey while it is late or the radar is down', async () => {
    const opened = await openPage(browser, 'about:blank')
    leave.push(opened.close)
    const { page } = opened
    // Half a minute may pass before one of the minutes told below is over.
    await page.clock.install({ time: NEWEST + 122_000 })
    await page.goto(server.url)
    await waitForFrame(page)
    const age = () => page.getByTestId('age').textContent()
    const badge = page.getByRole('button', { name: 'Direct', exact: true })
    await expect.poll(age).toBe('il y a 2\u202fmin')
    await expect.poll(() => badge.getAttribute('data-following')).toBe('true')
    await control(page, 'Image précédente (Q)').click()
    await expect.poll(age).toBe('il y a 5\u202fmin')
    await badge.click()
    await page.clock.runFor(360_000)
    await expect.poll(age).toMatch(/^il y a [89]\smin, image en retard$/)
    await expect
      .poll(async () => [await badge.getAttribute('data-following'), await badge.getAttribute('data-stale')])
      .toEqual(['false', 'late'])
    server.options.isRadarDown = true
    await page.clock.runFor(120_000)
    await expect.poll(age).toMatch(/radar interrompu$/)
    await expect
      .poll(async () => [await badge.getAttribute('data-following'), await badge.getAttribute('data-stale')])
      .toEqual(['false', 'down'])
  })

  test('while images are slow, the page says what comes, keeps the places, and counts them in', async () => {
    const opened = await openPage(browser, 'about:blank')
    leave.push(opened.close)
    const { page } = opened
    const held: Record<string, (() => void)[]> = { latestImages: [], frames: [] }
    await page.route(/\/api\/products\/(latestImages|frames)\?/, async (route) => {
      const [, name] = /products\/(\w+)/.exec(route.request().url())!
      await new Promise<void>((go) => held[name].push(go))
      await route.continue()
    })
    await page.goto(server.url)
    const main = page.getByRole('main')
    await main.getByRole('status').filter({ hasText: 'Chargement des images radar...' }).waitFor()
    await expect
      .poll(() => page.getByRole('complementary', { name: 'Mesures' }).locator('[aria-busy="true"]').count())
      .toBe(1)
    await expect.poll(() => main.textContent()).not.toMatch(/Aucune|interrompu/)
    for (const go of held.latestImages.splice(0)) go()
    // The clock and the player stand before their pictures are there.
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:42:10')
    await page.locator('progress').waitFor()
    await expect
      .poll(() => {
        for (const go of held.frames.splice(0)) go()
        return page.locator('progress').count()
      })
      .toBe(0)
    await waitForFrame(page)
  })

  test('[ERR-06] a failed live call shows status, status text and message of the answer', async () => {
    server.options.overrides = {
      '/api/products/latestImages': {
        status: 503,
        body: { code: 'x', message: 'Images indisponibles.' },
      },
    }
    const { page } = await open()
    await page
      .getByRole('alert')
      .filter({ hasText: /503 Service Unavailable\s*Images indisponibles\./ })
      .waitFor()
  })

  test('a page opened while the server starts shows the rain by itself once there is a database', async () => {
    const body = { code: 'database.unavailable', message: 'La base de données ne répond pas.' }
    server.options.overrides = { '/api/products/latestImages': { status: 503, body } }
    const { page } = await open()
    await page.getByRole('alert').filter({ hasText: 'La base de données ne répond pas.' }).waitFor()
    server.options.overrides = {}
    await waitForFrame(page)
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  test('[LIVE-37] a live answer without images is shown with a way to try again', async () => {
    server.options.overrides = { '/api/products/latestImages': { status: 200, body: { isRadarDown: false } } }
    const { page } = await open()
    await page
      .getByRole('alert')
      .filter({ hasText: /^500\s*Bad API request/ })
      .waitFor()
    server.options.overrides = {}
    await page.getByRole('button', { name: 'Réessayer' }).click()
    await waitForFrame(page)
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  test('[ERR-07] without any image the page says what will happen, and shows the first one when it is there', async () => {
    server.options.overrides = {
      '/api/products/latestImages': {
        status: 200,
        body: {
          images: [],
          isRadarDown: true,
          taranis: null,
          mrr: { latest: null },
          cumulated: { zoneMm: [] },
        },
      },
    }
    const { page } = await open()
    await page
      .locator('[data-kind="nfo"]')
      .getByText(/Aucune image radar n’est encore arrivée/)
      .waitFor()
    await expect.poll(() => page.getByTestId('age').textContent()).toBe('radar interrompu')
    // No axis without a curve.
    await expect.poll(() => page.getByText('Pas encore de valeurs à tracer.').count()).toBe(2)
    server.options.overrides = {}
    await waitForFrame(page)
    await expect.poll(() => page.getByText('Pas encore de valeurs à tracer.').count()).toBe(0)
  })

  test('at the first start of a demonstration the page says that its images are being made, and looks more often', async () => {
    const own = await startFixtureServer({ dist: DIST, frames: 6, newest: NEWEST })
    leave.push(own.close)
    own.options.overrides = {
      '/api/site': { status: 200, body: { ...FIXTURE_SITE, demo: true } },
      '/api/products/latestImages': {
        status: 200,
        body: {
          images: [],
          isRadarDown: true,
          taranis: null,
          mrr: { latest: null },
          cumulated: { zoneMm: [] },
        },
      },
    }
    const opened = await openPage(browser, own.url)
    leave.push(opened.close)
    const { page } = opened
    await page.getByRole('status').filter({ hasText: 'La démonstration prépare ses images' }).waitFor()
    await expect.poll(() => page.getByTestId('age').textContent()).toBe('images en préparation')
    await expect
      .poll(() => page.getByRole('main').textContent())
      .not.toMatch(/We apologise|Aucune image|interrompu/)
    own.options.overrides = {}
    await waitForFrame(page)
    await page.getByText('La démonstration prépare ses images').waitFor({ state: 'detached' })
    own.advance()
    // Less than the 120 s of every day, however busy the machine is.
    await page.waitForFunction(
      (text) => document.querySelector('[data-testid=clock]')?.textContent === text,
      '21/11/2026 - 03:45:36',
      { timeout: 100_000 },
    )
  })

  test('[SHELL-25] [SHELL-26] [SHELL-28] a site that cannot be had gives the error page', async () => {
    server.options.overrides = {
      '/api/site': { status: 500, body: { code: 'internal', message: 'Panne interne.' } },
    }
    const { page } = await open()
    await page.getByRole('alert').waitFor()
    const text = await page.getByRole('alert').textContent()
    expect(text).toContain('500')
    expect(text).toContain('Panne interne.')
    expect(text).toContain('Désolé une erreur est survenue côté serveur.')
  })
})

describe('beside the map', () => {
  test('[LIVE-15] [LIVE-16] both histograms show the window, and a click goes to that image', async () => {
    const { page } = home
    for (const title of ['Hyétogramme Rmoyen zone pluvieuse', 'Évolution de la couverture pluvieuse']) {
      const table = page.getByRole('region', { name: title, exact: true }).getByRole('table')
      await expect.poll(() => table.getByRole('row').count()).toBe(13)
    }
    const chart = page
      .getByRole('figure', { name: 'Hyétogramme Rmoyen zone pluvieuse' })
      .locator('[data-ready="true"]')
    await chart.waitFor()
    const box = await chart.boundingBox()
    await chart.click({ position: { x: 60, y: (box?.height ?? 0) / 2 } })
    await page.waitForFunction(
      (text) => document.querySelector('[data-testid=clock]')?.textContent !== text,
      '21/11/2026 - 03:42:10',
    )
    await expect.poll(() => clock(page)).toMatch(/^21\/11\/2026 - 03:0\d:/)
    await follow(page)
  })

  test('[LIVE-17] [LIVE-18] [LIVE-19] acquisition parameters open on demand', async () => {
    const { page } = home
    const block = page.locator('details', { hasText: "Paramètres d'acquisition" })
    await expect.poll(() => block.locator('dl').isVisible()).toBe(false)
    await block.locator('summary').click()
    const text = (await block.locator('dl').textContent())?.replaceAll('\u202f', ' ')
    for (const part of ['dpsri', '5.51.0', '21/11/2026 - 03:42:10', 'PARIS-X', '0,0319 m', '1,00 °', '145 m'])
      expect(text).toContain(part)
  })

  test('[LIVE-20] [STATION-01] [STATION-02] [STATION-03] [STATION-12] the weather station has two compasses and four graphs', async () => {
    const { page } = home
    const station = page.getByRole('region', { name: 'Situation météorologique au pied du radar' })
    for (const name of ['Station météo', 'Anémomètre 3D', 'Température', 'Pression', 'Humidité', 'Vz'])
      await station.getByRole('region', { name, exact: true }).waitFor()
    const text = await station.textContent()
    for (const part of ['°C', 'hPa', '%', 'km/h', 'Survolez une direction pour afficher les détails'])
      expect(text).toContain(part)
  })

  test('[STATION-04] [STATION-05] its dialog explains where the wind rose points', async () => {
    const { page } = home
    await page.getByRole('button', { name: 'Agrandir' }).click()
    const dialog = page.getByRole('dialog', { name: 'Situation météorologique au pied du radar' })
    await dialog
      .getByText(
        "La rose des vents indique la direction vers laquelle va le vent, et non celle d'où il vient.",
      )
      .waitFor()
    // Its parts are no second regions of the panel's names behind it.
    const { violations } = await axe(page).withRules(['landmark-unique']).analyze()
    expect(violations.map(({ nodes }) => nodes.map(({ html }) => html.slice(0, 120)))).toEqual([])
    const before = await clock(page)
    await page.keyboard.press('q')
    await expect.poll(() => clock(page)).toBe(before)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Agrandir')
  })

  test('[STATION-11] a compass without data says so', async () => {
    server.options.mutate = (live) => {
      if (live.taranis) live.taranis.sonic = null
    }
    const { page } = await openLive()
    server.options.mutate = undefined
    const compass = page.getByRole('region', { name: 'Anémomètre 3D' })
    await expect.poll(() => compass.textContent()).toContain('Pas de données')
  })

  test('[LIVE-13] [ADMIN-06] the published message is shown, without anything that could run', async () => {
    server.options.overrides = {
      '/api/article/home-message': {
        status: 200,
        body: [
          {
            main: '<p>Radar en <strong>maintenance</strong> <a href="javascript:alert(1)">ici</a><img src=x onerror="window.hacked=1"><script>window.hacked=1</script></p>',
          },
          { main: '<p>second</p>' },
        ],
      },
    }
    const { page } = await openLive()
    const message = page.getByRole('region', { name: 'Message', exact: true })
    await expect.poll(async () => (await message.textContent())?.trim()).toBe('Radar en maintenance ici')
    await expect.poll(() => message.locator('strong').textContent()).toBe('maintenance')
    await expect.poll(() => message.locator('[href], img, script').count()).toBe(0)
    await expect.poll(() => page.evaluate(() => 'hacked' in window)).toBe(false)
  })

  test('the column folds away and stays so', async () => {
    const { page } = home
    const title = page.getByRole('heading', { name: 'Hyétogramme Rmoyen zone pluvieuse' })
    await expect.poll(() => title.isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Replier le panneau' }).click()
    await expect.poll(() => title.isVisible()).toBe(false)
    await page.reload()
    await waitForFrame(page)
    await expect.poll(() => title.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Déplier le panneau' }).click()
    await expect.poll(() => title.isVisible()).toBe(true)
  })

  test('on a phone everything stands below the map, nothing is cut off and notices leave the buttons free, also on its side', async () => {
    server.options.isRadarDown = true
    const { page } = await openLive('/', {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    })
    const notice = await page.getByText('We apologise for the present data').locator('..').boundingBox()
    for (const name of ['Zoomer', 'Dézoomer', 'Plein écran']) {
      const button = await page.getByRole('button', { name, exact: true }).boundingBox()
      if (!notice || !button) throw new Error('notice or button is not there')
      expect(notice.x + notice.width, name).toBeLessThan(button.x)
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow).toBe(0)
    await page.getByRole('heading', { name: 'Hyétogramme Rmoyen zone pluvieuse' }).scrollIntoViewIfNeeded()
    const focused = () => expect.poll(() => page.locator(':focus').getAttribute('aria-label'))
    await page.getByRole('button', { name: 'Ouvrir le menu' }).click()
    const first = page.getByRole('navigation').getByRole('link', { name: 'Direct' })
    await expect.poll(() => first.evaluate((link) => link === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await first.waitFor({ state: 'hidden' })
    await focused().toBe('Ouvrir le menu')
    const box = async (name: string | RegExp) => {
      const found = await page.getByRole('button', { name }).boundingBox()
      if (!found) throw new Error(`${name} is not there`)
      return found
    }
    // On its side, the player stands in the window together with the map.
    await page.setViewportSize({ width: 844, height: 390 })
    await page.evaluate(() => window.scrollTo(0, 0))
    await expect
      .poll(async () => {
        const play = await box('Lecture (Z)')
        return play.y + play.height
      })
      .toBeLessThanOrEqual(390)
    // On a tablet, what wraps wraps together.
    await page.setViewportSize({ width: 820, height: 1180 })
    await expect
      .poll(async () => {
        const [product, recentre] = [await box(/^Produit radar/), await box('Recentrer sur le radar')]
        return Math.abs(product.y + product.height / 2 - recentre.y - recentre.height / 2)
      })
      .toBeLessThan(4)
    // Who goes to another screen by the menu is on that screen.
    await page.getByRole('button', { name: 'Ouvrir le menu' }).press('Enter')
    await page.getByRole('navigation').getByRole('link', { name: 'À propos' }).press('Enter')
    await page.getByRole('heading', { name: 'Aide en ligne' }).first().waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('contenu')
  })
})

describe('forecast', () => {
  /** The page a minute after the newest image, with a forecast from it; its date stands still, or its clock is the test's. */
  async function openForecast({
    clock = 'still',
    ...options
  }: OpenOptions & { clock?: 'still' | 'moved' } = {}) {
    server.options.forecast = true
    const opened = await openPage(browser, 'about:blank', options)
    leave.push(opened.close)
    if (clock === 'still') await opened.page.clock.setFixedTime(NEWEST + 60_000)
    else await opened.page.clock.install({ time: NEWEST + 60_000 })
    await opened.page.goto(server.url)
    await waitForFrame(opened.page)
    return opened
  }
  const age = (page: Page) => page.getByTestId('age').textContent()
  const onMap = (page: Page) => page.locator('[data-radar-frame]')
  const track = (page: Page) => page.getByRole('slider', { name: 'Prévision' })

  test('the column says when rain comes from now on, and how far to trust it', async () => {
    const { page } = await openForecast()
    const forecast = page.getByRole('complementary').getByRole('region', { name: 'Prévision' })
    await forecast.getByText('Pluie dans 24 min').waitFor()
    await expect.poll(() => forecast.textContent()).toMatch(/Au radar.*Fiable jusqu’à 35\smin aujourd’hui/)
    await expect.poll(() => forecast.getByRole('listitem').count()).toBe(25)
    await expect.poll(() => forecast.locator('[data-beyond]').count()).toBe(17)
    const fan = page.getByRole('region', { name: 'Intensité prévue' })
    await fan.getByText('10 à 90\u00a0% des 20\u00a0membres').waitFor()
    await expect.poll(() => fan.getByRole('row').count()).toBe(12)
    await forecast.getByLabel('Lieu de la prévision').selectOption('À Melun')
    await expect.poll(() => server.requests.at(-1)).toContain('/api/nowcast/place?lat=48.54&lng=2.66')
    await forecast.getByRole('paragraph').getByText('À Melun').waitFor()
    // A place whose forecast does not come says so, and can be asked for again.
    await page.route('**/api/nowcast/place*', (route) => route.fulfill({ status: 503, json: {} }))
    await forecast.getByLabel('Lieu de la prévision').selectOption('Au radar')
    await forecast.getByLabel('Lieu de la prévision').selectOption('À Paris')
    await forecast.getByText('La prévision n’a pas pu être lue.').waitFor()
    await page.unroute('**/api/nowcast/place*')
    await forecast.getByRole('button', { name: 'Réessayer' }).click()
    await forecast.getByRole('paragraph').getByText('À Paris').waitFor()
  })

  test('the time bar goes on past now, up to where the forecast can be trusted, and one action leads back', async () => {
    const { page, errors } = await openForecast()
    await page.getByTestId('forecast-track').getByText('fiable jusqu’à 35\u00a0min aujourd’hui').waitFor()
    await page.keyboard.press('d')
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:47:10')
    await expect.poll(() => age(page)).toBe('prévision, dans 4\u00a0min (émise 03:42)')
    await waitForFrame(page)
    await expect.poll(() => onMap(page).getAttribute('data-forecast')).toBe('true')
    const badge = page.getByTestId('forecast-badge')
    await expect
      .poll(() => badge.textContent())
      .toMatch(/Prévision dans 4\smin.*de sri, sur la grille de dpsri/)
    await expect.poll(() => page.url()).not.toContain('t=')
    // Back over the boundary, by key and by the slider's own.
    await page.keyboard.press('q')
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:42:10')
    await page.getByRole('slider', { name: 'Instant affiché' }).press('ArrowRight')
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:47:10')
    await track(page).press('End')
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 04:32:10')
    await expect.poll(() => badge.textContent()).toContain('au-delà de la limite de fiabilité')
    await page.keyboard.press('Escape')
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:42:10')
    await expect.poll(() => onMap(page).getAttribute('data-forecast')).toBeNull()
    await track(page).press('ArrowRight')
    await page.getByRole('button', { name: 'Revenir au direct' }).click()
    const direct = page.getByRole('button', { name: 'Direct', exact: true })
    await expect.poll(() => direct.getAttribute('data-following')).toBe('true')
    expect(errors).toEqual([])
  })

  test('[LIVE-27] play goes on into the future up to the horizon, then starts anew', async () => {
    const { page } = await openForecast({ clock: 'moved' })
    await track(page).waitFor()
    await control(page, 'Image précédente (Q)').click()
    await page.clock.pauseAt(NEWEST + 200_000)
    await control(page, 'Lecture (Z)').click()
    const seen: (string | null)[] = []
    for (let step = 0; step < 10; step++) {
      await page.clock.runFor(500)
      if (step > 0) await expect.poll(() => clock(page)).not.toBe(seen.at(-1))
      seen.push(await clock(page))
    }
    expect(seen.map((text) => text?.slice(13, 18))).toEqual([
      '03:42',
      '03:47',
      '03:52',
      '03:57',
      '04:02',
      '04:07',
      '04:12',
      '04:17',
      '03:04',
      '03:07',
    ])
  })

  test('probabilities are a choice of view with their legend, motion an option, and neither has an accessibility fault', async () => {
    const { page, errors } = await openForecast({ scheme: 'dark' })
    await track(page).press('ArrowRight')
    await page.getByLabel('Voir').selectOption('Probabilité de plus de 3\u00a0mm/h')
    await page.getByRole('region', { name: 'Probabilité de plus de 3\u00a0mm/h' }).waitFor()
    await page.getByRole('button', { name: 'Déplacement', exact: true }).click()
    await waitForFrame(page)
    await expect
      .poll(() => server.requests.some((path) => path.includes('/chances?') && path.includes('above=3')))
      .toBe(true)
    const { violations } = await axe(page).analyze()
    expect(violations.map(({ id }) => id)).toEqual([])
    expect(await spokenFaults(page)).toEqual([])
    expect(errors).toEqual([])
  })

  test('without a forecast the bar says why, and one whose last lead is past is not shown', async () => {
    server.options.overrides = {
      '/api/nowcast': {
        status: 200,
        body: { product: 'sri', issued: instant(0), reason: 'gap', times: [], horizonMin: null, skill: [] },
      },
    }
    const { page } = await openForecast({ clock: 'moved' })
    await page.getByTitle(/Plus de 15\smin entre les dernières images/).waitFor()
    server.options.overrides = {}
    await page.clock.runFor(120_000)
    await track(page).waitFor()
    await track(page).press('End')
    server.options.isRadarDown = true
    await page.clock.runFor(3_000_000)
    await page.getByTitle(/La dernière prévision est dépassée/).waitFor()
    await expect.poll(() => clock(page)).toBe('21/11/2026 - 03:42:10')
  })

  test('on a phone the forecast leaves map buttons free and nothing is cut off', async () => {
    const { page } = await openForecast({
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    })
    await track(page).press('ArrowRight')
    await expect
      .poll(async () => {
        const banner = await page.getByTestId('forecast-badge').locator('..').boundingBox()
        const zoom = await page.getByRole('button', { name: 'Dézoomer', exact: true }).boundingBox()
        if (!banner || !zoom) throw new Error('banner or button is not there')
        return banner.y > zoom.y + zoom.height && banner.x + banner.width <= 390
      })
      .toBe(true)
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
      .toBe(0)
  })
})

describe('geolocation', () => {
  const button = (page: Page) => page.getByRole('button', { name: 'Me positionner sur la carte' })

  test('[MAP-08] [MAP-09] the button goes once it was asked for, and the position comes back on reload', async () => {
    const { page } = await openLive('/', {
      permissions: ['geolocation'],
      geolocation: { latitude: 48.9, longitude: 2.6 },
    })
    await button(page).click()
    await page.getByRole('img', { name: 'Votre position' }).waitFor()
    await expect.poll(() => button(page).count()).toBe(0)
    await page.reload()
    await page.getByRole('img', { name: 'Votre position' }).waitFor()
    await expect.poll(() => button(page).count()).toBe(0)
  })

  test('[MAP-10] [MAP-11] it is asked for as specified; a refusal is explained', async () => {
    const opened = await openPage(browser, 'about:blank')
    leave.push(opened.close)
    const { page } = opened
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'geolocation', {
        value: {
          getCurrentPosition: (_ok: unknown, fail: (error: { code: number }) => void, options: unknown) => {
            Object.assign(window, { asked: options })
            fail({ code: 1 })
          },
        },
      })
    })
    await page.goto(server.url)
    await button(page).click()
    await page
      .getByText(
        'Activer le service de localisation pour afficher votre position sur la carte, puis recharger la page.',
        { exact: true },
      )
      .waitFor()
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { asked: unknown }).asked))
      .toEqual({
        enableHighAccuracy: true,
        timeout: 5000,
        maximumAge: 60_000,
      })
  })
})
