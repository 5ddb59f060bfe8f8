import { readFileSync } from 'node:fs'
import { OUTPUT_FLOW, OUTPUT_HEIGHT } from '@radx/contracts/simulation-constants'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tileZoom } from '../../apps/web/src/map/zoom.ts'
import { openRun, type SewerServer, startSewerServer } from './sewer-server.ts'
import { sewerTown } from './sewer-town.ts'
import { openBrowser, placeOf } from './support.ts'

/** 60 mm/h at the peak, then half an hour of calm. */
const RAIN = { d: 30, t: 10, iMax: 60, calmAfter: 30 }

let browser: Browser
let town: SewerServer

const call = (path: string) => town.call(path)
const open = (title: string, query = '') => openRun(browser, town, title, query)

beforeAll(async () => {
  ;[browser, town] = await Promise.all([openBrowser(), startSewerServer(sewerTown())])
  await Promise.all([
    town.run('Ville', RAIN),
    town.run('Jardins', RAIN, { soilModule: 'true' }),
    town.run('Sans égouts', RAIN, { drainageModule: 'false' }),
  ])
  await town.run('Bruine', { ...RAIN, iMax: 1 })
})
afterAll(async () => {
  await browser?.close()
  await town?.stop()
})

/** Without what a machine without network says of the background's tiles. */
const unexpected = (errors: readonly string[]) =>
  errors.filter((text) => !text.includes('ERR_NAME_NOT_RESOLVED'))

const swmm = (page: Page) => page.getByRole('region', { name: 'SWMM Analyse' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const chosen = (page: Page) => page.getByRole('region', { name: 'Sélection' }).getByRole('listitem')
const type = (page: Page, name: string) => page.locator('label').filter({ hasText: new RegExp(`^${name}$`) })
/** The button of a row, whose name it is. */
const row = (page: Page, name: string) =>
  swmm(page).getByRole('table').getByRole('button', { name, exact: true })

/** Waits until the map has drawn everything and answers where a place of the network is on the page. */
async function onMap(page: Page) {
  const map = page.locator('[data-view]')
  await map.waitFor()
  await map.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const [lng, lat, zoom] = ((await map.getAttribute('data-view')) ?? '').split(',').map(Number)
  const at = await placeOf(page, { center: { lng, lat }, zoom: tileZoom(zoom) })
  const nodes: { name: string; lon: number; lat: number }[] = await call('/api/multihydro/melun/nodes')
  const place = (name: string) => {
    const node = nodes.find((entry) => entry.name === name)
    if (!node) throw new Error(`no node ${name}`)
    return at({ lng: node.lon, lat: node.lat })
  }
  return {
    place,
    middle: (a: string, b: string) => {
      const [from, to] = [place(a), place(b)]
      return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }
    },
  }
}

type Network = Awaited<ReturnType<typeof onMap>>

/** What a part of the page says once the pointer is at a place of the map, which may still settle in its own. */
const pointAt = (page: Page, at: (network: Network) => { x: number; y: number }, says: Locator) =>
  expect.poll(async () => {
    const { x, y } = at(await onMap(page))
    await page.mouse.move(x + 1, y)
    await page.mouse.move(x, y)
    return (await says.allTextContents()).join()
  })

describe('the sewer analysis of a run', () => {
  test('[SIMDETAIL-21] [SIMDETAIL-22] [SIMDETAIL-37] [REF-06] the outputs are collapsed at start and open by the selector, the heading and the address', async () => {
    const { page, errors, close } = await open('Ville')
    const heading = page.getByRole('button', { name: 'SWMM Analyse', exact: true })
    await heading.waitFor()
    await expect.poll(() => heading.getAttribute('aria-expanded')).toBe('false')
    await button(page, 'Simulation de référence\u00a0: aucune').waitFor()
    const selector = page
      .getByRole('region', { name: 'Sorties à analyser' })
      .getByRole('button', { name: /^SWMM/ })
    await selector.click()
    await expect.poll(() => heading.getAttribute('aria-expanded')).toBe('true')
    await expect.poll(() => new URL(page.url()).searchParams.get('sortie')).toBe('swmm')
    await heading.click()
    await expect.poll(() => selector.getAttribute('aria-pressed')).toBe('false')
    expect(unexpected(errors)).toEqual([])
    await page.goto(`${page.url().split('?')[0]}?sortie=neige`)
    await page.getByRole('alert').getByText('Unknown selectedOutput').waitFor()
    await selector.click()
    await page.getByText('Unknown selectedOutput').waitFor({ state: 'detached' })
    await swmm(page).getByRole('table').waitFor()
    // A screen that is being left, and not yet gone from the page, takes nobody back by what it still writes.
    const leave = await page
      .getByRole('navigation')
      .first()
      .getByRole('link', { name: 'À propos' })
      .elementHandle()
    await heading.evaluate((element: HTMLElement, link) => {
      ;(link as HTMLElement).click()
      element.click()
    }, leave)
    await page.getByRole('heading', { level: 1, name: 'À propos' }).waitFor()
    expect(page.url()).toMatch(/\/a-propos$/)
    await close()
  })

  test('[SWMM-01] [SWMM-02] [SWMM-03] [SWMM-04] [SWMM-05] [SWMM-06] [SWMM-08] [SWMM-13] [SWMM-14] [SWMM-15] [SWMM-19] [SWMM-20] [SWMM-21] [SWMM-22] [SWMM-23] [SWMM-34] a path is picked on the map and in the table', async () => {
    const asked: string[] = []
    const { page, errors, close } = await open('Ville')
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await button(page, 'SWMM Analyse').click()
    for (const name of ['Réseau', 'Junction', 'Conduite']) await type(page, name).waitFor()
    await onMap(page)
    await expect.poll(() => asked).toContain('/api/multihydro/melun/nodes')
    const legend = page.getByRole('region', { name: 'Légende' }).getByRole('listitem')
    const counts = async () =>
      (await legend.allTextContents()).map((text) => [text.replace(/\d+$/, ''), /\d+$/.exec(text)?.[0]])
    await expect
      .poll(async () => (await counts()).map(([label]) => label))
      .toEqual(['Junction', 'Junction qui déborde', 'Exutoire', 'Conduite'])
    // Those that overflow are told once the run's levels are there.
    await expect.poll(async () => Number((await counts())[1][1])).toBeGreaterThan(0)
    const [junctions, overflowing, outfalls, links] = (await counts()).map(([, count]) => Number(count))
    expect([junctions + overflowing, outfalls, links]).toEqual([12, 2, 12])

    const popup = page.getByTestId('map-popup')
    await pointAt(page, ({ middle }) => middle('J-6', 'J-7'), popup).toMatch(
      /Name\s*C-6\s*From node\s*J-6\s*To node\s*J-7\s*Length\s*10,0\u202fm/,
    )
    await pointAt(page, ({ place }) => place('J-2'), popup).toMatch(
      /Name\s*J-2\s*Elevation\s*29,50\u202fm\s*MaxDepth\s*0,40\u202fm/,
    )

    await expect.poll(() => swmm(page).locator('tbody tr').count()).toBe(10)
    await page.getByText('Page 1 sur 2').waitFor()
    await button(page, 'Page suivante').click()
    await expect.poll(() => swmm(page).locator('tbody tr').count()).toBe(4)
    // What is pointed at on the map is turned to and marked in the table.
    await pointAt(page, ({ place }) => place('J-2'), page.locator('tr[data-hover]')).toMatch(/^J-2/)
    const { place } = await onMap(page)
    const { x, y } = place('J-2')

    await page.getByText('Choisissez une première junction').waitFor()
    await page.mouse.click(x, y)
    await expect.poll(() => chosen(page).allInnerTexts()).toEqual(['J-2'])
    await page.getByText('Choisissez une seconde junction pour fermer le chemin.').waitFor()
    await page.mouse.click(x, y)
    await expect.poll(() => chosen(page).allInnerTexts()).toEqual(['J-2'])
    const last = place('J-9')
    await page.mouse.click(last.x, last.y)
    const profile = page.getByTestId('profile')
    await profile.waitFor()
    await expect.poll(() => chosen(page).allInnerTexts()).toEqual(['J-2', 'J-9'])
    await page.getByText('8 junctions, 70\u202fm').waitFor()
    // A third junction changes nothing.
    await row(page, 'J-5').click()
    await expect.poll(() => chosen(page).allInnerTexts()).toEqual(['J-2', 'J-9'])

    await button(page, 'Réinitialiser').click()
    await expect.poll(() => chosen(page).allInnerTexts()).toEqual(['J-2'])
    await profile.waitFor({ state: 'detached' })
    // The other piece of network cannot be reached.
    await page.getByLabel('Rechercher par nom').fill('k-')
    await row(page, 'K-1').click()
    await page.getByText(/Aucun chemin ne relie J-2 à K-1/).waitFor()
    errors.splice(0, errors.length, ...errors.filter((text) => !text.includes('404')))
    for (const [name, kind, help] of [
      ['Junction', 'node', 'Choisissez une ou plusieurs junctions pour tracer leur hauteur d’eau moyenne.'],
      ['Conduite', 'link', 'Choisissez une conduite pour tracer son débit.'],
    ] as const) {
      await type(page, name).click()
      await page.getByText('Rien n’est choisi.').waitFor()
      const panel = page.getByRole('region', { name: 'Sélection' })
      await panel.getByText(help).waitFor()
      await page.getByRole('region', { name: 'Carte du réseau' }).locator('canvas').first().waitFor()
      await expect.poll(() => swmm(page).locator('tbody tr').count()).toBe(10)
      await page.getByText('Page 1 sur 2').waitFor()
      const names = kind === 'node' ? ['J-1', 'J-3'] : ['C-1', 'C-3']
      for (const one of names) await row(page, one).click()
      await expect.poll(() => chosen(page).allInnerTexts()).toEqual(names)
      await panel.getByRole('button', { name: 'Réinitialiser' }).click()
      await expect.poll(() => chosen(page).allInnerTexts()).toEqual(names.slice(0, 1))
    }
    expect(unexpected(errors)).toEqual([])
    await close()
  })

  test('[SWMM-08] [SWMM-24] [SWMM-25] [SWMM-29] [SWMM-30] the profile plays a minute a frame; a junction pointed at is marked everywhere', async () => {
    const { page, errors, close } = await open('Ville', '?sortie=swmm&objet=J-1&objet=OUT-1')
    const profile = page.getByTestId('profile')
    await profile.waitFor()
    await expect
      .poll(async () => [await profile.getAttribute('width'), await profile.getAttribute('height')])
      .toEqual(['800', '500'])
    const legend = page.getByTestId('profile-legend')
    await expect
      .poll(async () => [await legend.getAttribute('width'), await legend.getAttribute('height')])
      .toEqual(['200', '200'])
    const elapsed = page.getByTestId('elapsed')
    const timeline = page.getByRole('slider', { name: 'Moment de la simulation' })
    const water = () => page.getByTestId('profile-water').getAttribute('d')
    await expect.poll(() => elapsed.textContent()).toBe('00:00')
    const dry = await water()
    // However late this looks, each frame is the minute after the one before.
    const told = await elapsed.evaluateHandle((element) => {
      const seen = [element.textContent]
      new MutationObserver(() => seen.push(element.textContent)).observe(element, {
        characterData: true,
        childList: true,
        subtree: true,
      })
      return seen
    })
    await button(page, 'Lecture (Z)').click()
    await expect.poll(async () => (await told.jsonValue()).length).toBeGreaterThan(2)
    await button(page, 'Pause (Z)').click()
    for (const [minute, text] of (await told.jsonValue()).entries())
      expect(text).toBe(`00:${String(minute).padStart(2, '0')}`)
    await timeline.focus()
    await page.keyboard.press('End')
    await expect.poll(() => elapsed.textContent()).toBe('01:15')
    await expect.poll(() => water()).not.toBe(dry)
    await page.getByText('Le profil s’arrête à 01:10').waitFor()
    // Water that flows has its energy above the level, drawn and told.
    await page.getByTestId('profile-energy').waitFor({ state: 'attached' })
    await expect.poll(() => legend.textContent()).toContain('Ligne de charge')
    // The frame after the last is the first.
    await button(page, 'Image suivante (D)').click()
    await expect.poll(() => elapsed.textContent()).toBe('00:00')
    await timeline.focus()
    await page.keyboard.press('PageUp')
    await expect.poll(() => elapsed.textContent()).not.toBe('00:00')
    const chosenTime = await elapsed.textContent()
    await expect.poll(() => new URL(page.url()).searchParams.get('t')).not.toBeNull()

    const reading = page.getByTestId('profile-reading')
    await pointAt(page, ({ place }) => place('J-9'), page.getByTestId('profile-mark')).toContain('J-9')
    await expect.poll(() => reading.textContent()).toMatch(/^Junction\s*J-9/)
    await expect.poll(() => reading.textContent()).toMatch(/Vitesse\d,\d\d\sm\/s/)
    await profile.scrollIntoViewIfNeeded()
    const box = (await profile.boundingBox())!
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2)
    await expect.poll(() => page.locator('tr[data-hover]').textContent()).toMatch(/^J-6|^J-7/)
    await expect.poll(() => page.getByTestId('map-popup').textContent()).toMatch(/J-6|J-7/)

    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Télécharger en CSV').click(),
    ])
    const lines = readFileSync(await csv.path(), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
    expect(lines[0].split(';').slice(0, 3)).toEqual(['temps_s', 'J-1 (m)', 'J-2 (m)'])
    expect(lines.slice(2).map((line) => Number(line.split(';')[0]))).toEqual([
      0, 600, 1200, 1800, 2400, 3000, 3600, 4200,
    ])

    await page.reload()
    await profile.waitFor()
    await expect.poll(() => elapsed.textContent()).toBe(chosenTime)
    expect(unexpected(errors)).toEqual([])
    await close()
  })

  test('[SWMM-09] [SWMM-10] [SWMM-19] depths of several junctions and flows of several links, as the files have them', async () => {
    const { page, errors, close } = await open('Ville', '?sortie=swmm&analyse=point')
    // Clicks that come before the page has drawn those before them count, too.
    await row(page, 'J-9').waitFor()
    await swmm(page)
      .getByRole('table')
      .evaluate((table) => {
        for (const name of ['J-4', 'J-9'])
          for (const one of table.querySelectorAll('button')) if (one.textContent === name) one.click()
      })
    await expect.poll(() => chosen(page).allInnerTexts()).toEqual(['J-4', 'J-9'])
    const depths = page.getByRole('figure', { name: 'Hauteur d’eau moyenne' })
    await depths.locator('canvas').waitFor()
    const series = async (figure: string) => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page
          .getByRole('region', { name: figure, exact: true })
          .getByRole('button', { name: 'Télécharger en CSV' })
          .click(),
      ])
      const [, head, ...lines] = readFileSync(await file.path(), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(';'))
      return { head, lines: lines.map((line) => line.map((field) => Number(field.replace(',', '.')))) }
    }
    const height = await call(
      `/api/multihydro/file/${town.runs.get('Ville')}/output?outputType=${OUTPUT_HEIGHT}`,
    )
    const dataOf = (name: string) => height.junctions.find((j: { Name: string }) => j.Name === name).data
    const shown = await series('Hauteur d’eau moyenne')
    expect(shown.head).toEqual(['temps_s', 'J-4 (m)', 'J-9 (m)'])
    expect(shown.lines.map(([, a]) => a)).toEqual(dataOf('J-4'))
    expect(shown.lines.map(([, , b]) => b)).toEqual(dataOf('J-9'))

    await type(page, 'Conduite').click()
    await page.getByText('Choisissez une conduite pour tracer son débit.').waitFor()
    // The page grew shorter with the chart; where the map is settles with it.
    const link = ({ middle }: Network) => middle('J-4', 'J-5')
    await pointAt(page, link, page.getByTestId('map-popup')).toMatch(/Name\s*C-4/)
    const { x, y } = link(await onMap(page))
    await page.mouse.click(x, y)
    await expect.poll(() => chosen(page).allInnerTexts()).toEqual(['C-4'])
    await page
      .getByText(/^[\d\u202f,]+\u202fm³$/)
      .first()
      .waitFor()
    await row(page, 'C-9').click()
    // From then on the file cannot be had before it has both.
    await expect.poll(() => chosen(page).allInnerTexts()).toEqual(['C-4', 'C-9'])
    const flows = await series('Débit')
    expect(flows.head).toEqual(['temps_s', 'C-4 (m³/s)', 'C-9 (m³/s)'])
    const flow = await call(`/api/multihydro/file/${town.runs.get('Ville')}/output?outputType=${OUTPUT_FLOW}`)
    expect(flows.lines.map(([, a]) => a)).toEqual(
      flow.links.find((l: { Name: string }) => l.Name === 'C-4').data,
    )
    expect(unexpected(errors)).toEqual([])
    await close()
  })

  test('[REF-01] [REF-02] [REF-03] [REF-07] [REF-08] [REF-10] [SWMM-07] [SWMM-11] [SWMM-12] [SWMM-31] a comparable run is chosen, compared link by link, and taken away', async () => {
    const { page, errors, close } = await open('Ville', '?sortie=swmm&analyse=link&objet=C-9&objet=C-4')
    await page.getByRole('button', { name: 'Simulation de référence\u00a0: aucune' }).click()
    const cards = page.getByRole('group', { name: 'Simulations comparables' }).getByRole('radio')
    await cards.first().waitFor()
    await expect.poll(() => cards.count()).toBe(2)
    await expect.poll(() => button(page, 'Supprimer la sélection').count()).toBe(0)
    const fetched = page.waitForRequest((request) =>
      request
        .url()
        .includes(`/api/multihydro/file/${town.runs.get('Jardins')}/output?outputType=${OUTPUT_FLOW}`),
    )
    await page.getByRole('radio', { name: /^Jardins/ }).click()
    await fetched
    await page.getByRole('button', { name: 'Simulation de référence\u00a0: Jardins' }).waitFor()
    await expect
      .poll(() => ['reference', 'titre'].map((name) => new URL(page.url()).searchParams.get(name)))
      .toEqual([town.runs.get('Jardins'), 'Jardins'])
    // One link only, the first of those chosen before.
    await expect.poll(() => chosen(page).allInnerTexts()).toEqual(['C-9'])
    await row(page, 'C-2').click()
    await expect.poll(() => chosen(page).allInnerTexts()).toEqual(['C-9'])
    const [own, other] = await Promise.all(
      ['Ville', 'Jardins'].map(async (title) => {
        const { links } = await call(
          `/api/multihydro/file/${town.runs.get(title)}/output?outputType=${OUTPUT_FLOW}`,
        )
        return links.find((link: { Name: string }) => link.Name === 'C-9').data as number[]
      }),
    )
    const volume = (data: number[]) => data.reduce((sum, flow) => sum + flow * 60, 0)
    const percent = Math.floor((100 * (volume(own) - volume(other))) / volume(other))
    expect(percent).toBeGreaterThan(0)
    const badge = page.getByTestId('volume-badge')
    await expect
      .poll(async () => ((await badge.textContent()) ?? '').replace(/[^\d+]/g, ''))
      .toBe(`+${percent}`)
    await expect.poll(() => badge.getAttribute('data-class')).toBe(percent < 20 ? '3' : '4')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Télécharger en CSV').click(),
    ])
    const [, head, first] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n')
    expect(head).toBe('temps_s;C-9 (m³/s);Jardins (m³/s);Écart à la référence (m³/s)')
    expect(first.split(';')).toHaveLength(4)

    await type(page, 'Réseau').click()
    await page
      .getByText('La comparaison avec la simulation de référence n’est possible que pour une conduite.')
      .waitFor()
    await button(page, 'Supprimer la sélection').click()
    await page.getByRole('button', { name: 'Simulation de référence\u00a0: aucune' }).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('reference')).toBeNull()
    expect(unexpected(errors)).toEqual([])
    await close()
  })

  test('[REF-04] [REF-11] without a comparable run the picker says so; a reference that is gone leaves the rest', async () => {
    const drizzle = await open('Bruine', '?sortie=swmm')
    await drizzle.page.getByRole('button', { name: /^Simulation de référence/ }).click()
    await drizzle.page
      .getByText("Aucune simulation avec des données d'entrées comparables n'a été trouvé.")
      .waitFor()
    // A drizzle floods nothing.
    await onMap(drizzle.page)
    await expect
      .poll(() =>
        drizzle.page.getByRole('listitem').filter({ hasText: 'Junction qui déborde' }).textContent(),
      )
      .toMatch(/0$/)
    expect(unexpected(drizzle.errors)).toEqual([])
    await drizzle.close()

    const gone = '00000000-0000-4000-8000-000000000000'
    const { page, close } = await open(
      'Ville',
      `?sortie=swmm&analyse=link&objet=C-4&reference=${gone}&titre=Essai`,
    )
    await page.getByText(/Essai.*n’existe plus/).waitFor()
    await page.getByRole('figure', { name: 'Débit' }).locator('canvas').waitFor()
    // The owner of the reference simulations is marked on its card.
    await page.route('**/similar/*', async (route) => {
      const list = await (await route.fetch()).json()
      await route.fulfill({ json: list.map((run: object) => ({ ...run, username: 'default' })) })
    })
    await page.reload()
    await page.getByRole('button', { name: /^Simulation de référence/ }).click()
    await page.getByRole('img', { name: 'Simulation de référence' }).first().waitFor()
    await button(page, 'Supprimer la sélection').click()
    await page.getByText(/n’existe plus/).waitFor({ state: 'detached' })
    await close()
  })

  test('a run without drainage, a missing output and a network of one junction each say what they lack', async () => {
    const { page, close } = await open('Sans égouts', '?sortie=swmm&analyse=link&objet=C-4&objet=X-1')
    await page.getByText(/Le module d’assainissement est désactivé/).waitFor()
    await page.getByText(/Inconnu dans ce réseau.*X-1/).waitFor()
    await page.getByRole('figure', { name: 'Débit' }).locator('canvas').waitFor()

    await page.route(`**/output?outputType=${OUTPUT_FLOW}*`, (route) =>
      route.fulfill({ status: 404, json: { code: 'x', message: 'Le fichier « all_flow_10m.txt » manque.' } }),
    )
    await page.goto(`${page.url().split('?')[0]}?sortie=swmm&analyse=point&objet=J-4`)
    await page.getByText(/all_flow_10m\.txt.*manque/).waitFor()
    await page.getByRole('figure', { name: 'Hauteur d’eau moyenne' }).locator('canvas').waitFor()

    await page.route('**/melun/nodes?*', (route) =>
      route.fulfill({ json: [{ name: 'J-1', lon: 2.66, lat: 48.54, kind: 'junction' }] }),
    )
    await page.goto(`${page.url().split('?')[0]}?sortie=swmm`)
    await onMapReady(page)
    await row(page, 'J-1').click()
    await page.getByText('Choisissez une seconde junction pour fermer le chemin.').waitFor()
    await page.unroute('**/melun/nodes?*')
    await page.route('**/melun/nodes?*', (route) => route.fulfill({ json: [] }))
    await page.reload()
    await page.getByText('Ce bassin versant n’a pas de réseau d’assainissement.').waitFor()
    await close()
  })
})

const onMapReady = (page: Page) => page.locator('[data-view]').waitFor()
