import type { Report } from '@radx/contracts/reports'
import type { OwnStatistics } from '@radx/contracts/storms'
import { gevQuantiles, gumbelQuantiles } from '@radx/rainfall/storms/annual-maxima'
import { DURATIONS_MIN } from '@radx/rainfall/storms/depth-duration'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  DRY_PERIOD,
  EMPTY_PERIOD,
  instant,
  PATIENCE_MS,
  RAINY,
  type ScalingServer,
  startScaling,
} from './scaling-server.ts'
import { axe, type OpenPage } from './support.ts'

// How rare rain is, and rain of one's own: what is shown, and what is said at the field of what cannot be.

vi.setConfig({ testTimeout: 400_000 })

let server: ScalingServer
beforeAll(async () => {
  server = await startScaling()
}, 400_000)
afterAll(async () => {
  await server?.stop()
})

const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: PATIENCE_MS })
const plain = (text: string | null) => (text ?? '').replaceAll(/[\u202f\u00a0]/g, ' ')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const section = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

const analysis = (period: string, options = {}): Promise<OpenPage> =>
  server.open(`/analyse?${period}&v=1`, options)

/** Up to the rain step with the reference land use. */
async function toRain(page: Page): Promise<void> {
  await page.getByLabel('Titre de la simulation').fill('Pluie rare')
  await button(page, 'Suivant').click()
  await page.getByRole('radio').first().click()
  await page.getByRole('table', { name: 'Codes utilisés' }).waitFor()
  await button(page, 'Suivant').click()
}

/** The rain step of the simulation form with the source chosen. */
async function rainStep(mode: string): Promise<OpenPage> {
  const opened = await server.open('/multihydro/form')
  const { page } = opened
  await toRain(page)
  await page.getByRole('radio', { name: 'Pluie de projet synthétique' }).click()
  await page
    .locator('label')
    .filter({ hasText: new RegExp(`^${mode}$`) })
    .click()
  return opened
}

/** Statistics of an archive of so many years; a real one of ten would not fit into a test. */
function ownStatistics(years: number): OwnStatistics {
  const law = years < 20 ? 'gumbel' : 'gev'
  return {
    years: Array.from({ length: years }, (_, k) => 2000 + k),
    incompleteYears: [],
    law,
    noteFr: `Loi sur ${years} années complètes ; bornes à 90 %.`,
    durations: DURATIONS_MIN.map((durationMin) => {
      const scale = (durationMin / 60) ** 0.3
      const maximaMm = Array.from(
        { length: years },
        (_, k) => scale * (20 - 6 * Math.log(-Math.log((k + 0.5) / years))),
      )
      const quantiles = (law === 'gev' ? gevQuantiles : gumbelQuantiles)(maximaMm, [2, 5, 10, 20, 50, 100])
      return { durationMin, maximaMm, quantiles }
    }),
  }
}

describe('how rare a period is', () => {
  test('the synthesis says it by the chosen table, the largest depths stand beside the curves, nothing is cut off', async () => {
    for (const [viewport, scheme] of [
      [{ width: 1440, height: 900 }, 'light'],
      [{ width: 390, height: 844 }, 'dark'],
    ] as const) {
      // A place has one name on the screen, whatever the call that tells its depths.
      const { page, errors, close } = await analysis(`${RAINY}&g=48.54_2.66_0`, { viewport, scheme })
      const told = page.getByTestId('synthesis').getByText('Période de retour')
      await told.first().waitFor()
      await soon(async () => plain(await told.first().textContent())).toMatch(
        /^Période de retour : .* sur 30 min \(Exemple du Mémento ASTEE 2017\)$/,
      )
      const rarity = section(page, 'Périodes de retour')
      await rarity
        .getByLabel('Tableau', { exact: true })
        .selectOption({ label: 'Instruction technique de 1977, région I, 10 ans (site)' })
      await soon(async () => plain(await told.first().textContent())).toContain(
        'Instruction technique de 1977',
      )
      await rarity.getByRole('columnheader', { name: 'Pluviomètre 1' }).first().waitFor()
      // A chart as wide as its section, which scrolls nothing but its tables.
      await soon(() =>
        rarity.evaluate((at) => {
          const end = at.getBoundingClientRect().right
          return [...at.querySelectorAll('figure, select, summary, p')]
            .filter((one) => one.getBoundingClientRect().right > end + 0.5)
            .map((one) => `${one.tagName} ${one.className} ${one.textContent?.slice(0, 40)}`)
        }),
      ).toEqual([])
      expect(errors.filter((text) => !text.includes('net::ERR_'))).toEqual([])
      await close()
    }
  })

  test.each([12, 24])(
    'statistics of %d years of the archive are drawn and told with their bounds',
    async (years) => {
      const own = ownStatistics(years)
      const { page, errors, close } = await analysis(RAINY)
      await page.route('**/api/storms/statistics**', (route) => route.fulfill({ json: own }))
      await page.getByText('Statistiques propres de l’archive').click()
      const rarity = section(page, 'Périodes de retour')
      await rarity.getByText(own.noteFr.replaceAll(' %', '\u202f%').slice(0, 12)).waitFor()
      const chart = page.getByRole('figure', { name: 'Hauteurs par durée selon l’archive' })
      await chart.locator('[data-ready="true"]').waitFor()
      // The chart's table is the one that stands below it.
      const table = page.locator(`#${await chart.getAttribute('aria-details')}`)
      const hour = own.durations.find(({ durationMin }) => durationMin === 60)!
      const one = (mm: number) => `${mm.toFixed(1).replace('.', ',')} mm`
      const row = table.getByRole('row', { name: /^1\sh / })
      await soon(async () => (await row.getByRole('cell').allTextContents()).map(plain)).toEqual(
        hour.quantiles.map(
          ({ depthMm, lowMm, highMm }) => `${one(depthMm)} (${one(lowMm)} à ${one(highMm)})`,
        ),
      )
      // The bounds of another period by the keyboard.
      const bounds = page.getByRole('radiogroup', { name: 'Bornes tracées pour' })
      await expect.poll(() => bounds.getByRole('radio', { name: '10 ans' }).isChecked()).toBe(true)
      await bounds.getByRole('radio', { name: '10 ans' }).focus()
      await page.keyboard.press('ArrowRight')
      await soon(() => bounds.getByRole('radio', { name: '20 ans' }).isChecked()).toBe(true)
      const { violations } = await axe(page).include('#own-statistics').analyze()
      expect(violations).toEqual([])
      expect(errors.filter((text) => !text.includes('net::ERR_'))).toEqual([])
      await close()
    },
  )

  test('an archive of too few years says so, and draws nothing', async () => {
    const { page, close } = await analysis(RAINY)
    await page.getByText('Statistiques propres de l’archive').click()
    await page.getByText(/il en faut 10 pour une loi de Gumbel/).waitFor()
    await expect
      .poll(() => page.getByRole('figure', { name: 'Hauteurs par durée selon l’archive' }).count())
      .toBe(0)
    // A table that was typed does not go with one key.
    await page.getByText('Ajouter un tableau').click()
    await page.getByLabel('Nom').fill('Deux lignes')
    await page.getByRole('radiogroup', { name: 'Saisie du tableau' }).getByText('CSV ou tableur').click()
    await page.getByLabel('Lignes du tableau').fill('5;5;0,6;6;360\n100;9;0,6;6;360')
    await button(page, 'Enregistrer le tableau').click()
    const remove = button(page, 'Supprimer ce tableau')
    await remove.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Supprimer le tableau « Deux lignes »').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => remove.evaluate((at) => at === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await remove.waitFor({ state: 'detached' })
    await expect
      .poll(() => section(page, 'Périodes de retour').getByLabel('Tableau', { exact: true }).inputValue())
      .toBe('astee-2017')
    await close()
  })

  test('a period without images, and one too short for any duration, say so', async () => {
    const empty = await analysis(EMPTY_PERIOD)
    await empty.page.getByText('Aucune image radar sur cette période.', { exact: false }).waitFor()
    await expect.poll(() => empty.page.getByText('Période de retour').count()).toBe(0)
    await empty.close()
    const short = await analysis(DRY_PERIOD)
    await short.page.getByText('La période dure moins de 6', { exact: false }).waitFor()
    await expect
      .poll(() => short.page.getByTestId('synthesis').getByText('Période de retour').count())
      .toBe(0)
    await short.close()
  })
})

describe('the report of a period', () => {
  test('the analysis leads there with the chosen table; its page says what the call does, by keyboard and on a phone', async () => {
    const { page, close } = await analysis(`${RAINY}&c=melun`)
    const rarity = section(page, 'Périodes de retour')
    await rarity
      .getByLabel('Tableau', { exact: true })
      .selectOption({ label: 'Instruction technique de 1977, région I, 10 ans (site)' })
    await soon(async () => page.url()).toContain('table=it-77')
    await page.reload()
    await soon(() => rarity.getByLabel('Tableau', { exact: true }).inputValue()).toBe('it-77')
    const link = page.getByRole('link', { name: 'Rapport (page)' })
    await soon(() => link.getAttribute('href')).toContain('table=it-77')
    const address = (await link.getAttribute('href'))!
    await close()

    const {
      page: report,
      errors,
      close: leave,
    } = await server.open(address, {
      viewport: { width: 390, height: 844 },
      scheme: 'dark',
    })
    await report.getByRole('heading', { name: 'Provenance' }).waitFor({ timeout: PATIENCE_MS })
    await soon(() => report.getByLabel('Tableau', { exact: true }).inputValue()).toBe('it-77')
    const answer = await fetch(`${server.url}/api/reports/event${new URL(address, server.url).search}`, {
      headers: { authorization: `Bearer ${server.token}` },
    })
    const { blocks } = (await answer.json()) as Report
    const shown = plain(await report.getByRole('article').textContent())
    for (const block of blocks) {
      if (block.kind === 'table')
        for (const cell of [...block.head, ...block.rows.flat()]) expect(shown).toContain(plain(cell))
      if (block.kind === 'figure')
        await expect.poll(() => report.getByRole('img', { name: block.alt, exact: true }).count()).toBe(1)
    }
    // Words of a chart are not shrunk to nothing: it is moved sideways, by the keyboard as well.
    const chart = report.getByRole('img', { name: /^Hyétogramme/ })
    await soon(() => chart.evaluate((img: HTMLImageElement) => img.getBoundingClientRect().width)).toBe(600)
    const scroll = report.getByRole('region', { name: /^Intensité/ })
    await scroll.focus()
    await report.keyboard.press('ArrowRight')
    await soon(() => scroll.evaluate((region) => region.scrollLeft)).toBeGreaterThan(0)
    await expect.poll(() => report.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    const saved = report.waitForEvent('download')
    await button(report, 'Enregistrer en PDF').focus()
    await report.keyboard.press('Enter')
    expect((await saved).suggestedFilename()).toMatch(/^rapport-dpsri-.*\.pdf$/)
    const back = report.getByRole('link', { name: 'Ouvrir la période dans l’analyse' })
    await expect.poll(() => back.getAttribute('href')).toContain('table=it-77')
    const { violations } = await axe(report).include('article').analyze()
    expect(violations).toEqual([])
    expect(errors.filter((text) => !text.includes('net::ERR_'))).toEqual([])
    await leave()
  })

  test('a period without images, and an address without a period, say so', async () => {
    const { page, close } = await server.open(`/rapport?p=dpsri&${EMPTY_PERIOD}&c=melun`)
    await page.getByText('L’archive n’a aucune image pour cette période', { exact: false }).waitFor()
    await page.goto(`${server.url}/rapport?p=dpsri`)
    await page.getByText('L’adresse ne dit pas quelle période', { exact: false }).waitFor()
    await close()
  })
})

describe('a table of one’s own', () => {
  test('what cannot be is said at its line and field; a table that can is kept and tells rarity', async () => {
    const { page, close } = await analysis(RAINY)
    const rarity = section(page, 'Périodes de retour')
    await rarity.getByText('Ajouter un tableau').click()
    await button(page, 'Enregistrer le tableau').click()
    await rarity.getByText('Ce champ est requis').waitFor()
    await rarity.getByLabel('Nom', { exact: true }).fill('Notre station')
    const cell = (column: string, line = 1) => rarity.getByLabel(`${column}, ligne ${line}`)
    const fill = async (line: number, period: string, a: string, b: string, from: string, to: string) => {
      for (const [column, text] of Object.entries({ 'Période (ans)': period, a, b }))
        await cell(column, line).fill(text)
      await cell('Durée min', line).fill(from)
      await cell('Durée max', line).fill(to)
    }
    const wrong = (field: ReturnType<typeof cell>) =>
      soon(() => field.getAttribute('aria-invalid')).toBe('true')
    await fill(1, '10', '5,9', '1,59', '6', '360')
    await wrong(cell('b'))
    await rarity.getByText(/^Ligne 1, b\s: b vaut 1,59/).waitFor()
    await cell('b').fill('0,59')
    // Coefficients of mm/h given as mm/min.
    await cell('a').fill('354')
    await wrong(cell('a'))
    await rarity.getByText(/Ligne 1, a\s: .*pas l’unité annoncée/).waitFor()
    await cell('a').fill('5,9')
    await button(page, 'Ajouter une ligne').click()
    await fill(2, '10', '6', '0,6', '60', '720')
    await wrong(cell('Durée max', 2))
    await rarity.getByText(/^Ligne 2, Durée max\s: .*recouvre/).waitFor()
    await fill(2, '20', '5', '0,59', '6', '360')
    await rarity.getByText(/^Ligne 2, a\s: .*coefficients échangés ou d’unités différentes/).waitFor()
    await cell('a', 2).fill('7')
    await button(page, 'Enregistrer le tableau').click()
    await soon(() => rarity.getByLabel('Tableau', { exact: true }).inputValue()).toMatch(/-/)
    await soon(async () => plain(await page.getByTestId('synthesis').textContent())).toContain(
      '(Notre station)',
    )
    await expect.poll(() => rarity.getByText(/^Ligne \d/).count()).toBe(0)
    await close()
  })

  test('a pasted table with mixed units or overlapping ranges is refused below the text, with its line', async () => {
    const { page, close } = await analysis(RAINY)
    const rarity = section(page, 'Périodes de retour')
    await rarity.getByText('Ajouter un tableau').click()
    await rarity.getByLabel('Nom', { exact: true }).fill('Collé')
    await rarity.locator('label').filter({ hasText: 'CSV ou tableur' }).click()
    const text = rarity.getByRole('textbox', { name: 'Lignes du tableau' })
    const said = async (csv: string, message: RegExp) => {
      await text.fill(csv)
      await button(page, 'Enregistrer le tableau').click()
      await rarity.getByText(message).waitFor()
      await expect.poll(() => text.getAttribute('aria-invalid')).toBe('true')
    }
    const head = 'période;a;b;durée min;durée max\n'
    await said(
      `${head}10;5,9;0,59;6 min;2 h\n20;7;0,59;6;120\n`,
      /ligne 2.*des durées portent une unité et d’autres non/,
    )
    await said(`${head}10;5,9;0,59;6;120\n10;6;0,6;60;360\n`, /ligne 3.*recouvre/)
    await said(`${head}10;354;0,59;6;120\n`, /ligne 2.*unité annoncée/)
    await said(`${head}10;5,9;1,2;6;120\n`, /ligne 2.*b vaut 1,2/)
    await close()
  })
})

describe('a hyetogram of one’s own', () => {
  test('unordered and irregular times, decimal commas between commas, negative values and 10,000 lines', async () => {
    const { page, errors, close } = await rainStep('Hyétogramme')
    const text = page.getByLabel('Série de pluie')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const paste = async (series: string) => {
      await page.evaluate((all) => navigator.clipboard.writeText(all), series)
      await text.press('Control+A')
      await text.press('Control+V')
    }
    const use = page.getByRole('button', { name: 'Utiliser ces paramètres' })
    for (const [series, message] of [
      ['minute;mm/h\n0;4\n10;8\n5;3', /ligne 4 : le temps recule/],
      [
        'minute,mm/h\n0,4,5\n5,8,2',
        /Si les décimales sont des virgules, séparer les colonnes par des points-virgules/,
      ],
      ['minute;mm/h\n0;4\n5;-1', /ligne 3 : -1 est impossible/],
      ['minute;mm/h\n0;4\n5;beaucoup', /ligne 3 : « beaucoup » n’est pas un nombre/],
      ['0;4\n5;8', /L’unité n’est dite nulle part/],
      ['minute;mm/h\n0;0\n5;0', /n’a aucune pluie/],
      [
        `minute;mm/h\n${Array.from({ length: 10_200 }, (_, k) => `${k};1`).join('\n')}`,
        /simulation en prend 168\sau plus/,
      ],
    ] as const) {
      await paste(series)
      await page.getByText(message).waitFor()
      await expect.poll(() => text.getAttribute('aria-invalid')).toBe('true')
      await expect.poll(() => use.isDisabled()).toBe(true)
    }
    // Unequal steps are read as they stand, and said.
    await paste('minute;mm/h\n0;4\n5;8\n12;3')
    await page.getByText(/ligne 4 : pas de 7 min au lieu de 5 min/).waitFor()
    await expect.poll(() => use.isEnabled()).toBe(true)
    // Ten thousand lines that do fit are read, with decimal commas.
    await paste(`minute;mm/h\n${Array.from({ length: 10_000 }, (_, k) => `${k};${k % 7},5`).join('\n')}`)
    await soon(async () => plain(await page.getByText(/valeurs, pas de/).textContent())).toBe(
      '10 000 valeurs, pas de 1 min, au plus 6,5 mm/h.',
    )
    await expect.poll(() => text.getAttribute('aria-invalid')).not.toBe('true')
    await expect.poll(() => use.isEnabled()).toBe(true)
    expect(errors.filter((one) => !one.includes('net::ERR_'))).toEqual([])
    await close()
  })
})

describe('rain moved over the catchment', () => {
  test('it is dragged on the map, moved by arrows, shifted and scaled, and runs so', async () => {
    const { page, errors, close } = await server.open(
      `/multihydro/form?p=dpsri&s=${instant(1)}&e=${instant(4)}`,
    )
    await toRain(page)
    const on = page.getByRole('switch', { name: 'Transposer cette pluie' })
    await on.focus()
    await page.keyboard.press('Space')
    const handle = button(page, 'Déplacer la pluie : flèches du clavier, ou glisser')
    const map = page.getByRole('region', { name: 'Cumul de la période et bassin' })
    await soon(() => map.getAttribute('aria-busy')).toBe('false')
    await map.locator('[data-radar-frame]:not([data-radar-frame=""])').waitFor()
    const field = (name: string) => page.getByLabel(name, { exact: true })
    const km = async (name: string) =>
      Number((await field(name).inputValue()).replace(',', '.').replace('−', '-'))
    await handle.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowDown')
    await soon(() => km('Vers l’est')).toBe(1)
    await expect.poll(() => km('Vers le nord')).toBe(-10)
    await page.keyboard.press('Shift+ArrowUp')
    await page.keyboard.press('ArrowLeft')
    await soon(() => km('Vers le nord')).toBe(0)
    await map.scrollIntoViewIfNeeded()
    const legend = map.getByRole('region', { name: 'Cumul (mm)' })
    await soon(async () => {
      const [a, b] = [(await handle.boundingBox())!, (await legend.boundingBox())!]
      return a.y + a.height - (b.y + b.height)
    }).toBeCloseTo(16, 0)
    const box = (await handle.boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 16, y + 12, { steps: 4 })
    await page.mouse.up()
    await soon(() => km('Vers l’est')).toBeGreaterThan(0.5)
    // The map is of one scale both ways.
    await soon(async () => (await km('Vers le nord')) / (await km('Vers l’est'))).toBeCloseTo(-0.75, 1)
    const [east, north] = [await km('Vers l’est'), await km('Vers le nord')]
    // Nothing follows a pointer that let go.
    await page.mouse.move(x - 60, y)
    await expect.poll(() => km('Vers l’est')).toBe(east)
    await field('Vers le nord').fill('250')
    await map.locator('xpath=..').getByText('ne couvre plus le bassin versant').waitFor()
    await field('Vers le nord').fill(String(north).replace('.', ','))
    await field('Facteur').fill('20')
    await page.getByText('de 0,1 à 10').waitFor()
    await expect.poll(() => button(page, 'Lancer la simulation').isDisabled()).toBe(true)
    await field('Facteur').fill('1,5')
    await field('Plus tard de').fill('2')
    await button(page, 'Lancer la simulation').click()
    await page.waitForURL(/\/multihydro\/[0-9a-f-]{36}$/)
    const rain = page.getByRole('region', { name: 'Pluie', exact: true })
    await soon(async () => plain(await rain.textContent())).toMatch(
      /Transposition.* km vers l’est, .*décalée de 2,0 h, multipliée par 1,5.*pluviomètresaucun, produit tel que reçu.*Part sans donnée radar0,0 %/,
    )
    expect(errors.filter((one) => !one.includes('net::ERR_'))).toEqual([])
    await close()
  })
})
