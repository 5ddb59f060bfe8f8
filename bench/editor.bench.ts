import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import {
  SMALL_CATCHMENT,
  writeSmallCatchment,
} from '../apps/server/src/simulation/testing/small-catchment.ts'
import { openBrowser, openPage } from '../tests/browser/support.ts'
import type { BenchResult } from '../tools/bench.ts'
import { buildWeb } from '../tools/build-web.ts'
import { startBenchServer } from './radx-server.ts'

const SIZE = 400
const STROKES = 12

/** Painting on 400 x 400 cells with the largest brush, in a browser. */
export async function run(): Promise<BenchResult[]> {
  await buildWeb()
  const folder = mkdtempSync(join(tmpdir(), 'radx-bench-editor-'))
  const server = await startBenchServer()
  const browser = await openBrowser()
  try {
    await server.radx('catchment', 'import', writeSmallCatchment(join(folder, 'grand'), largeCatchment()))
    const { page, close } = await openPage(browser, `${server.url}/multihydro/form`, {
      viewport: { width: 1440, height: 900 },
      hasWholeMaps: true,
      storage: {
        'radx-session': JSON.stringify({
          ...server.session,
          expiration: Date.now() + server.session.expiresIn,
        }),
      },
    })
    await openEditor(page)
    const results: BenchResult[] = []
    for (const zoom of [1, 4]) {
      await page.getByRole('button', { name: zoom === 1 ? 'Réduire' : 'Agrandir' }).waitFor()
      for (let z = 1; z < zoom; z++) await page.getByRole('button', { name: 'Agrandir' }).click()
      results.push(...(await paint(page, zoom)))
    }
    await close()
    return results
  } finally {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function largeCatchment(): Record<string, string> {
  const grid = (value: (row: number, col: number) => number) =>
    `ncols ${SIZE}\nnrows ${SIZE}\nxllcorner 1000\nyllcorner ${2000 - (SIZE - 8) * 10}\ncellsize 10\nNODATA_value -9999\n${Array.from(
      { length: SIZE },
      (_, row) => Array.from({ length: SIZE }, (_, col) => value(row, col)).join(' '),
    ).join('\n')}\n`
  const json = JSON.parse(SMALL_CATCHMENT['catchment.json'])
  const gully = (row: number, col: number) => row === 4 && (col === 3 || col === 8)
  return {
    'catchment.json': JSON.stringify({
      ...json,
      id: 'grand',
      ncols: SIZE,
      nrows: SIZE,
      yll: 2000 - (SIZE - 8) * 10,
      caseStudies: [],
    }),
    'elevation.asc': grid((row, col) => 30 - 0.01 * col + 0.005 * Math.abs(row - 4)),
    'luse.asc': grid((row, col) => (gully(row, col) ? 5 : row % 9 === 4 ? 2 : 1 + ((row * 7 + col) % 4))),
  }
}

async function openEditor(page: Page): Promise<void> {
  await page.getByLabel('Titre de la simulation').fill('Banc')
  await page.getByRole('button', { name: 'Suivant' }).click()
  await page.getByRole('radio').first().click()
  await page.getByRole('switch', { name: 'Modifier l’occupation des sols' }).click()
  await page.getByRole('button', { name: "Continuer avec ces codes d'utilisation des sols" }).click()
  await page.getByTestId('changed').waitFor()
  await page
    .locator('label')
    .filter({ hasText: /^8 × 8$/ })
    .click()
}

/** Strokes across the canvas, a move with every frame; how long frames take and how much work is in them. */
async function paint(page: Page, zoom: number): Promise<BenchResult[]> {
  const canvas = page.getByLabel('Carte du bassin, une cellule de 10 m par carré')
  const box = (await canvas.boundingBox())!
  const client = await page.context().newCDPSession(page)
  await client.send('Performance.enable')
  const busySeconds = async () =>
    (await client.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')!.value
  await page.getByText('3', { exact: true }).last().waitFor()
  await page.keyboard.press('1')
  const before = await busySeconds()
  const intervals = await page.evaluate(
    async ({ box, strokes }) => {
      const target = document.querySelector('canvas[data-mode]') as HTMLCanvasElement
      const send = (type: string, x: number, y: number) =>
        target.dispatchEvent(
          new PointerEvent(type, { bubbles: true, pointerId: 1, clientX: x, clientY: y, button: 0 }),
        )
      target.setPointerCapture = () => {}
      const frame = () => new Promise<number>((done) => requestAnimationFrame(done))
      const times: number[] = []
      for (let k = 0; k < strokes; k++) {
        const y = box.y + box.height * (0.1 + (0.8 * k) / strokes)
        send('pointerdown', box.x + 20, y)
        for (let step = 0; step <= 60; step++) {
          const x = box.x + 20 + ((box.width - 40) * step) / 60
          send('pointermove', x, y + 30 * Math.sin(step / 5))
          times.push(await frame())
        }
        send('pointerup', box.x + box.width - 20, y)
      }
      return times.slice(1).map((time, k) => time - times[k])
    },
    { box, strokes: STROKES },
  )
  const workMs = ((await busySeconds()) - before) * 1000
  const sorted = intervals.toSorted((a, b) => a - b)
  return [
    {
      name: `painting at zoom ${zoom}: time between images, 95th percentile`,
      value: Math.round(sorted[Math.floor(sorted.length * 0.95)] * 10) / 10,
      unit: 'ms',
      note: `median ${sorted[Math.floor(sorted.length / 2)].toFixed(1)} ms over ${sorted.length} images, drawn without a graphics card`,
      aim: '≤ 16.7 ms',
    },
    {
      name: `painting at zoom ${zoom}: work of the page an image`,
      value: Math.round((workMs / intervals.length) * 100) / 100,
      unit: 'ms',
      note: 'main thread, painting and drawing',
      aim: '≤ 16.7 ms',
    },
  ]
}
