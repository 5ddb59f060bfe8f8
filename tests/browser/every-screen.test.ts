import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  SMALL_CATCHMENT,
  writeSmallCatchment,
} from '../../apps/server/src/simulation/testing/small-catchment.ts'
import { answerFloods, WORST_CELL } from './ahead-answers.ts'
import { type AnalysisServer, startAnalysis } from './analysis-server.ts'
import { spokenFaults } from './spoken.ts'
import { axe, COARSE } from './support.ts'

const ALL = [
  '/',
  '/analyse',
  '/analyse/prevision',
  '/balayage',
  '/prevision',
  '/multihydro/comparer',
  '/multihydro/calage',
  '/alertes',
  '/mrr',
  '/multihydro',
  '/multihydro/form',
  '/multihydro/case-study/form/eogn',
  '/compte',
  '/multihydro/case-study/form/oxygene',
  '/a-propos',
  '/aide',
  '/aide/hydrologue',
  '/admin',
  '/nulle-part',
]
// The others are looked at where they are tested; `npm run soak` walks all of them.
const SHORT = [
  '/analyse',
  '/analyse/prevision',
  '/prevision',
  '/alertes',
  '/mrr',
  '/multihydro',
  '/multihydro/case-study/form/oxygene',
  '/aide',
  '/aide/hydrologue',
  '/nulle-part',
]
/** Screens that neither the short walk nor a file of their own looks at so; none follows one of its own address. */
const UNSPOKEN = [
  '/multihydro/form',
  '/admin',
  '/multihydro/case-study/form/eogn',
  '/admin?rubrique=acquisition',
  '/reseaux',
]
const SOAK = process.env.RADX_SOAK_NAVIGATIONS
const SCREENS = SOAK === undefined ? SHORT : ALL
const NAVIGATIONS = Number(SOAK ?? 6)

describe('every screen', () => {
  let server: AnalysisServer
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'radx-screens-'))
    const town = { ...JSON.parse(SMALL_CATCHMENT['catchment.json']), id: 'melun', display: 'Melun' }
    writeSmallCatchment(folder, { 'catchment.json': JSON.stringify(town) })
    server = await startAnalysis()
    await server.radx('catchment', 'import', folder)
  })
  afterAll(async () => {
    await server?.stop()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  /** The screen has come to rest: it has something to read, and nothing says that it loads. */
  const settled = (page: Page) =>
    page.waitForFunction(() => {
      const main = document.querySelector('main')
      const text = main?.textContent ?? ''
      return (
        text.length > 20 && !/Chargement|Loading/.test(text) && !main?.querySelector('[aria-busy="true"]')
      )
    })
  const goTo = async (page: Page, path: string) => {
    // The screen before stays until the next one has come.
    const left = await page.evaluateHandle((to) => {
      const shown = to === location.pathname ? null : document.querySelector('main')?.firstElementChild
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate', { state: null }))
      return shown
    }, path)
    await page.waitForFunction((screen) => !screen?.isConnected, left)
    await left.dispose()
    await settled(page)
  }

  test.each(['light', 'dark'] as const)(
    'no screen has an accessibility violation in %s mode, at full size and at twice the text',
    async (scheme) => {
      const { page, close } = await server.open('chef', '/a-propos', {
        scheme,
        viewport: { width: 1440, height: 900 },
        ...COARSE,
        reducedMotion: 'reduce',
      })
      const found: string[] = []
      for (const path of SCREENS) {
        await goTo(page, path)
        const looking = axe(page)
          // Off by default in the library: 24 px of room for each target (2.5.8).
          .options({ rules: { 'target-size': { enabled: true } } })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
          .exclude('.maplibregl-canvas')
        // The other mode has the same document in other colours.
        if (scheme === 'dark') looking.options({}).withRules(['color-contrast'])
        const { violations } = await looking.analyze()
        for (const { id, nodes } of violations)
          found.push(`${path}: ${id} (${nodes.length}) ${nodes[0].html.slice(0, 160)}`)
        if (scheme === 'light') for (const fault of await spokenFaults(page)) found.push(`${path}: ${fault}`)
        const titles = await page.locator('h1').allTextContents()
        if (titles.length !== 1 || titles[0].trim() === '') found.push(`${path}: its h1 are [${titles}]`)
        const plain = await page.evaluate(() =>
          [...document.links]
            .filter((link) => ['rgb(0, 0, 238)', 'rgb(158, 158, 255)'].includes(getComputedStyle(link).color))
            .map((link) => link.textContent),
        )
        if (plain.length > 0) found.push(`${path}: links in the browser's own blue: ${plain}`)
        // 200 % zoom of a 1440 px window leaves 720 CSS pixels.
        await page.setViewportSize({ width: 720, height: 450 })
        // Maps and charts follow their place a moment later.
        const fits = await page
          .waitForFunction(
            () => document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1,
          )
          .catch(() => null)
        if (fits === null) found.push(`${path}: wider than the window at 200 %`)
        await page.setViewportSize({ width: 1440, height: 900 })
      }
      expect(found).toEqual([])
      await close()
    },
  )

  test('on the other screens, too, a screen reader is told what each part is, and headings come in order', async () => {
    const { page, close } = await server.open('chef', '/a-propos', COARSE)
    const found: string[] = []
    for (const path of UNSPOKEN) {
      await goTo(page, path)
      for (const fault of await spokenFaults(page)) found.push(`${path}: ${fault}`)
    }
    expect(found).toEqual([])
    await close()
  })

  test('every screen can be reached and left with the keyboard, and shows where the focus is', async () => {
    const { page, close } = await server.open('chef', '/a-propos', {
      viewport: { width: 1440, height: 900 },
      ...COARSE,
    })
    const lost: string[] = []
    for (const path of SCREENS) {
      await goTo(page, path)
      // Where the skip link leads.
      await page.locator('main').focus()
      const stops = new Set<string>()
      for (let k = 0; k < 24; k++) {
        await page.keyboard.press('Tab')
        const stop = await page.evaluate(() => {
          const at = document.activeElement as HTMLElement | null
          if (!at || at === document.body) return null
          const style = getComputedStyle(at)
          const box = at.getBoundingClientRect()
          return {
            name: `${at.tagName} ${at.getAttribute('aria-label') ?? at.textContent?.slice(0, 30)} ${Math.round(box.x)},${Math.round(box.y)}`,
            seen:
              style.outlineStyle !== 'none' ||
              style.boxShadow !== 'none' ||
              // A control that is drawn by its label, and the browser's own buttons inside a film.
              at.matches(
                'input[type="radio"], input[type="checkbox"], input[type="range"], video:not(:focus-visible)',
              ),
            // Bars that stay in place while the page moves may cover a part of it, never the whole (2.4.11).
            covered:
              box.width > 0 &&
              ![
                [0.5, 0.5],
                [0.02, 0.05],
                [0.98, 0.05],
                [0.02, 0.95],
                [0.98, 0.95],
              ].some(([x, y]) => {
                const top = document.elementFromPoint(box.x + x * box.width, box.y + y * box.height)
                return (
                  top !== null && (at.contains(top) || top.closest('label')?.contains(at) || top.contains(at))
                )
              }),
          }
        })
        if (stop === null) continue
        if (stop.covered) lost.push(`${path}: ${stop.name} has the focus behind something else`)
        stops.add(stop.name)
        if (!stop.seen) lost.push(`${path}: no focus ring on ${stop.name}`)
      }
      if (path === '/mrr' && ![...stops].some((name) => name.startsWith('SELECT ')))
        lost.push(`${path}: no list is reached, only ${[...stops].join('; ')}`)
      if (stops.size < 4) lost.push(`${path}: only ${stops.size} stops`)
    }
    expect(lost).toEqual([])
    await close()
  })

  test('a rule made with the keyboard raises an alert in the header of any page, which is taken on and ended', async () => {
    const { page, close, errors } = await server.open('chef', '/alertes', {
      viewport: { width: 390, height: 844 },
    })
    await page.getByRole('button', { name: 'Nouvelle règle' }).focus()
    await page.keyboard.press('Enter')
    // The form's first field has the focus; nothing is sent while it is empty.
    await page.keyboard.press('Enter')
    await page.getByText('Compléter les champs vides.').waitFor()
    await page.keyboard.type('Radar muet')
    // The archive of this server is years old: its radar is down.
    await page.getByLabel('Ce qui est surveillé').selectOption('radar-down')
    // What is not saved yet is not lost by a reload.
    await page.reload()
    const form = page.getByRole('form', { name: 'Nouvelle règle' })
    await expect.poll(() => form.getByLabel('Nom', { exact: true }).inputValue()).toBe('Radar muet')
    expect(await form.getByLabel('Ce qui est surveillé').inputValue()).toBe('radar-down')
    // Tried on the archive before it is kept: images are missing twice, once for longer than half an hour.
    await page.getByText('Essayer sur l’archive').focus()
    await page.keyboard.press('Enter')
    const trial = page.getByRole('form', { name: 'Essayer sur l’archive' })
    await trial.getByLabel('Du', { exact: true }).fill('04/07/2021 - 12:00')
    await trial.getByLabel('Au', { exact: true }).fill('04/07/2021 - 14:00')
    await trial.getByRole('button', { name: 'Essayer' }).press('Enter')
    const rows = trial.getByRole('region', { name: 'Selon le seuil' }).getByRole('row')
    const row = rows.filter({ has: page.getByRole('radio', { name: /Prendre le seuil 15\s/ }) })
    await row.getByRole('cell', { name: '2', exact: true }).waitFor()
    await trial.getByRole('radio', { name: /Prendre le seuil 30\s/ }).press('Space')
    await expect.poll(() => page.getByLabel('Seuil d’alerte (min)').inputValue()).toBe('30')
    await trial.getByRole('radio', { name: /Prendre le seuil 15\s/ }).press('Space')
    const rule = page.getByRole('form', { name: 'Nouvelle règle' })
    await rule.getByRole('button', { name: 'Enregistrer' }).press('Enter')
    await page.getByRole('heading', { name: 'Radar muet' }).first().waitFor()
    // A webhook that leads into the network of the server is kept, and never called.
    const told = page.getByRole('region', { name: 'Être averti' })
    await told.getByLabel('Nom du webhook').fill('Dedans')
    await told.getByLabel('Adresse (https)').fill('https://192.168.0.1/alerte')
    await told.getByLabel('Adresse (https)').press('Enter')
    await told.getByText(/^whsec_/).waitFor()
    await told.getByRole('button', { name: 'Essayer le webhook : Dedans' }).press('Enter')
    await told.getByText(/192\.168\.0\.1\smène à une adresse privée/).waitFor()
    await goTo(page, '/a-propos')
    await page.getByRole('link', { name: 'Alertes : 1 en cours' }).click()
    const going = page.getByRole('region', { name: 'En cours' })
    await going.getByText(/^Produit .* sans image de radar depuis .*\smin \(seuil 15\smin\)/).waitFor()
    const { violations } = await axe(page).withTags(['wcag2a', 'wcag2aa', 'wcag22aa']).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`)).toEqual([])
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(390)
    await going.getByRole('button', { name: 'Prendre en charge : Radar muet' }).click()
    await going.getByText(/Prise en charge/).waitFor()
    await going.getByRole('button', { name: 'Terminer : Radar muet' }).click()
    await going.getByText('Aucune alerte en cours.').waitFor()
    const log = page.getByRole('region', { name: 'Journal' })
    await log.getByRole('cell', { name: 'Terminée' }).waitFor()
    await page.getByRole('button', { name: 'Supprimer la règle : Radar muet' }).click()
    await page.getByRole('button', { name: 'Supprimer', exact: true }).last().click()
    await page.getByText('Aucune règle : en ajouter une pour être averti.').waitFor()
    expect(errors).toEqual([])
    await close()
  })

  test('a flood ahead: what is worst is shown, its list, clock and map go by keyboard, a past forecast has its address', async () => {
    const { page, close, errors } = await server.open('chef', '/a-propos', {
      viewport: { width: 390, height: 844 },
    })
    await answerFloods(page)
    await goTo(page, '/prevision')
    const fan = page.getByRole('region', { name: 'Éventail des variantes' })
    await fan.getByRole('heading', { name: /^Hauteur d’eau, route/ }).waitFor()
    await page.getByText(/^Certain\s: 1 conduite pleine/).waitFor()
    await page.getByText(/^20\s% de la pluie depuis la prévision d’avant n’ont pas été vus/).waitFor()
    await page.getByText(/^À partir de 18:25, la pluie à venir n’est pas ou qu’en partie connue/).waitFor()
    await page.getByText(/^La pluie est prévue jusqu’à 18:25/).waitFor()
    // By time, then the worse first.
    const list = page.getByRole('table', { name: 'Liste de ce qui est à surveiller' })
    expect(await list.getByRole('button').allTextContents()).toEqual([
      'Conduite C-1 pleine',
      'Regard J-1 déborde',
      expect.stringMatching(/^Route .* plus de 50\scm$/),
    ])
    await list.getByRole('button', { name: 'Regard J-1 déborde' }).focus()
    await page.keyboard.press('Enter')
    await fan.getByRole('heading', { name: 'Hauteur d’eau au regard J-1' }).waitFor()
    // The list is below it on a phone: what was asked for is in sight.
    await expect.poll(() => fan.evaluate((at) => at.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0)
    const shown = (name: string) => new URL(page.url()).searchParams.get(name)
    expect([shown('v'), shown('m')]).toEqual(['node:J-1', '1'])
    const clock = page.getByRole('slider', { name: /^Moment prévu/ })
    await clock.focus()
    await page.keyboard.press('End')
    await expect.poll(() => shown('m')).toBe('2')
    const map = page.getByRole('region', { name: 'Carte des probabilités d’inondation' })
    await map.locator('canvas').first().focus()
    await page.keyboard.press('Enter')
    await fan.getByRole('heading', { name: /^Hauteur d’eau, route/ }).waitFor()
    await expect.poll(() => shown('v')).toBe(`cell:${WORST_CELL}`)
    // What if: the pipe that was chosen, shut.
    const asked: unknown[] = []
    await page.route('**/api/job/what-if', (route) => {
      asked.push(route.request().postDataJSON())
      return route.fulfill({
        status: 422,
        json: { error: 'ahead.gone', message: 'L’état n’est plus gardé.' },
      })
    })
    const whatIf = page.getByRole('form', { name: 'Et si, maintenant' })
    await whatIf.getByRole('button', { name: 'Calculer' }).press('Enter')
    await whatIf.getByText('Ajoutez un réglage, ou choisissez une autre occupation des sols.').waitFor()
    await list.getByRole('button', { name: 'Conduite C-1 pleine' }).press('Enter')
    // A key that is pressed on a button that is still disabled is lost.
    const add = whatIf.getByRole('button', { name: 'Ajouter ce réglage' })
    await expect.poll(() => add.isEnabled()).toBe(true)
    await add.press('Enter')
    await whatIf.getByText(/^Conduite C-1 fermée/).waitFor()
    await whatIf.getByRole('button', { name: 'Calculer' }).press('Enter')
    await whatIf.getByRole('alert').filter({ hasText: 'L’état n’est plus gardé.' }).waitFor()
    expect(asked).toEqual([
      {
        catchmentId: 'melun',
        issued: shown('t') ?? '2026-06-15T16:05:00.000Z',
        luseId: null,
        settings: [{ name: 'C-1', setting: 0 }],
      },
    ])
    await page.getByLabel('Prévision de').selectOption({ index: 2 })
    await page.getByText(/^Ce que l’on voyait à 15\/06\/2026 - 17:58/).waitFor()
    expect(shown('t')).toBe('2026-06-15T15:58:00.000Z')
    await page.goBack()
    await page.getByText(/^Faite de l’image de 15\/06\/2026 - 18:05/).waitFor()
    // What stands there without a network is told to be old.
    await page.context().setOffline(true)
    const old = page.getByText(/^Pas de réseau\s: ce qui suit date de 18:10/)
    await old.waitFor()
    await page.context().setOffline(false)
    await expect.poll(() => old.count()).toBe(0)
    await page.getByRole('figure', { name: /^Fiabilité à 30\smin/ }).waitFor()
    expect((await axe(page).exclude('.maplibregl-canvas').analyze()).violations.map(({ id }) => id)).toEqual(
      [],
    )
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(390)
    // There is no map from outside here, nor rain that was forecast for that moment.
    expect(errors.filter((one) => !one.startsWith('Failed to load resource'))).toEqual([])
    await close()
  })

  test(`${NAVIGATIONS} navigations leave no growing heap`, async () => {
    // What other tests left in a page's process would count as well.
    const { page, close } = await server.open('chef', '/a-propos', { isFresh: true })
    const session: CDPSession = await page.context().newCDPSession(page)
    const measure = async () => {
      // Twice: what finalizers let go of is collected by the second.
      for (let k = 0; k < 2; k++) await session.send('HeapProfiler.collectGarbage')
      const { usedSize } = await session.send('Runtime.getHeapUsage')
      const { nodes } = await session.send('Memory.getDOMCounters')
      return { megabytes: usedSize / 1e6, nodes }
    }
    const tour = ['/', '/analyse', '/mrr', '/multihydro', '/compte', '/a-propos']
    const found: string[] = []
    const visit = async (count: number, look = false) => {
      for (let k = 0; k < count; k++) {
        await goTo(page, tour[k % tour.length])
        if (look) for (const fault of await spokenFaults(page)) found.push(`${tour[k]}: ${fault}`)
      }
      await goTo(page, '/a-propos')
    }
    // Modules, caches and pools fill in the first rounds.
    await visit(tour.length, true)
    expect(found).toEqual([])
    await visit(tour.length)
    const before = await measure()
    await visit(NAVIGATIONS)
    // A page that stays behind weighs some megabytes and a thousand nodes, however often one collects.
    const grown = { megabytes: 4 + NAVIGATIONS / 20, nodes: 800 }
    await expect
      .poll(async () => {
        const { megabytes, nodes } = await measure()
        return megabytes - before.megabytes < grown.megabytes && nodes - before.nodes < grown.nodes
      })
      .toBe(true)
    await close()
  })
})
