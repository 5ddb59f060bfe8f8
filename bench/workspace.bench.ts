import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GULLY_CODE } from '@radx/contracts/landuse'
import { type EsriGrid, readEsriAscii, writeEsriAscii } from '@radx/formats/esri-ascii'
import type { Browser, Page } from 'playwright-core'
import { virtualRainFields } from '../apps/server/src/simulation/testing/run-form.ts'
import { openBrowser } from '../tests/browser/support.ts'
import { REFERENCE_DATA } from '../tests/conformance/reference-data.ts'
import type { BenchResult } from '../tools/bench.ts'
import { buildWeb } from '../tools/build-web.ts'
import { longTasks, metrics, openWatched } from './page-work.ts'
import { type BenchServer, finished, startBenchServer, submitRun } from './radx-server.ts'

const MELUN = join(REFERENCE_DATA, 'melun')
/** Cells of Melun are 10 m wide; a finer town has so many a side in place of each. */
const PARTS = (process.env.RADX_BENCH_PARTS ?? '1,4').split(',').map(Number)
const CELL_M = 10
const ROAD_CODE = 2
const RAIN = { d: 10, t: 5, iMax: 90, calmAfter: 5 }
const RUNS = 5
const PLAYED_MS = 5_000
const WITHOUT_GPU = 'drawn without a graphics card'

/** The workspace of a finished run on Melun: until the first answer stands there, and while its clock plays. */
export async function run(): Promise<BenchResult[]> {
  if (!existsSync(MELUN)) return []
  await buildWeb()
  const results: BenchResult[] = []
  for (const parts of PARTS) {
    const folder = mkdtempSync(join(tmpdir(), 'radx-bench-workspace-'))
    const server = await startBenchServer()
    const browser = await openBrowser()
    try {
      writeTown(folder, parts)
      await server.radx('catchment', 'import', folder)
      const id = await submitRun(server, 'melun', virtualRainFields(RAIN))
      await finished(server, id)
      const figures = await screen(browser, server, id)
      results.push(
        ...figures.map((figure) => ({ ...figure, name: `Melun at ${CELL_M / parts} m: ${figure.name}` })),
      )
    } finally {
      await browser.close()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return results
}

/** Melun with finer cells: each has the height and land use of the one that it lies in, gullies their own first. */
function writeTown(folder: string, parts: number): void {
  cpSync(MELUN, folder, { recursive: true })
  if (parts === 1) return
  const finer = (name: string, decimals: number): void => {
    const grid = split(readEsriAscii(readFileSync(join(MELUN, name), 'utf8'), name), parts)
    // One gully stays one cell, the rest of its street is road.
    if (name === 'luse.asc')
      grid.data.forEach((code, k) => {
        const [row, col] = [Math.floor(k / grid.ncols), k % grid.ncols]
        if (code === GULLY_CODE && (row % parts > 0 || col % parts > 0)) grid.data[k] = ROAD_CODE
      })
    writeFileSync(join(folder, name), writeEsriAscii(grid, decimals))
  }
  finer('elevation.asc', 3)
  finer('luse.asc', 0)
  finer('mask-eogn.asc', 0)
  const about = JSON.parse(readFileSync(join(MELUN, 'catchment.json'), 'utf8'))
  const { ncols, nrows, cellSize } = about
  writeFileSync(
    join(folder, 'catchment.json'),
    JSON.stringify({ ...about, ncols: ncols * parts, nrows: nrows * parts, cellSize: cellSize / parts }),
  )
  const [head, ...rows] = readFileSync(join(MELUN, 'gullies.csv'), 'utf8').trimEnd().split('\n')
  const columns = head.split(',')
  const moved = rows.map((row) =>
    row
      .split(',')
      .map((field, k) => (/^(row|col)$/.test(columns[k]) ? String(parts * Number(field)) : field))
      .join(','),
  )
  writeFileSync(join(folder, 'gullies.csv'), `${[head, ...moved].join('\n')}\n`)
}

function split(grid: EsriGrid, parts: number): EsriGrid {
  const [nrows, ncols] = [grid.nrows * parts, grid.ncols * parts]
  const data = new Float64Array(nrows * ncols)
  for (let row = 0; row < nrows; row++)
    for (let col = 0; col < ncols; col++)
      data[row * ncols + col] = grid.data[Math.floor(row / parts) * grid.ncols + Math.floor(col / parts)]
  return { ...grid, nrows, ncols, cellSize: grid.cellSize / parts, data }
}

const ms = (name: string, values: readonly number[], rest: Partial<BenchResult> = {}): BenchResult => {
  const sorted = values.toSorted((a, b) => a - b)
  const note = `median of ${sorted.length}, slowest ${Math.round(sorted[sorted.length - 1])} ms`
  return {
    name,
    value: Math.round(10 * sorted[sorted.length >> 1]) / 10,
    unit: 'ms',
    ...rest,
    note: [note, rest.note].filter(Boolean).join('; '),
  }
}

async function screen(browser: Browser, server: BenchServer, id: string): Promise<BenchResult[]> {
  const visits: Opening[] = []
  for (let k = 0; k < RUNS; k++) visits.push(await opening(browser, server, id))
  const last = visits[RUNS - 1]
  return [
    ms(
      'key figures after opening',
      visits.map(({ figuresMs }) => figuresMs),
      { aim: '≤ 1500 ms' },
    ),
    ms(
      'largest depths on the map after opening',
      visits.map(({ waterMs }) => waterMs),
      {
        aim: '≤ 1500 ms',
        note: `cold cache, ${WITHOUT_GPU}; ${last.requests} requests, ${(last.bytes / 1e6).toFixed(2)} MB`,
      },
    ),
    ms(
      'work of the page until then',
      visits.map(({ workMs }) => workMs),
      { note: 'main thread, processor time' },
    ),
    ms(
      'longest task while it opens',
      visits.map(({ longestMs }) => longestMs),
    ),
    ...(await playing(browser, server, `${id}/espace?couche=instant`, 'clock plays')),
    ...(await playing(
      browser,
      server,
      `${id}/espace?couche=instant&reseau=oui`,
      'clock plays, with network',
    )),
    ...(await playing(browser, server, `${id}/espace?couche=instant&mode=3d`, 'clock plays in 3D')),
  ]
}

interface Opening {
  figuresMs: number
  waterMs: number
  longestMs: number
  /** Of the page's main thread until then, processor time. */
  workMs: number
  requests: number
  bytes: number
}

async function opening(browser: Browser, server: BenchServer, id: string): Promise<Opening> {
  const { page, client, close } = await openWatched(browser, server)
  const counted = { requests: 0, bytes: 0 }
  await client.send('Network.enable')
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    counted.requests++
    counted.bytes += encodedDataLength
  })
  const started = performance.now()
  await page.goto(`${server.url}/multihydro/${id}/espace`, { waitUntil: 'commit' })
  const figures = page
    .locator('[aria-label="Chiffres clés"][aria-busy="false"]')
    .waitFor()
    .then(() => performance.now() - started)
  await shown(page)
  const waterMs = performance.now() - started
  const figuresMs = await figures
  const workMs = 1000 * (await metrics(client)).TaskDuration
  const [longestMs = 0] = await longTasks(page)
  await close()
  return { figuresMs, waterMs, longestMs, workMs, ...counted }
}

/** Until the map has what it shows, and has drawn it. */
async function shown(page: Page): Promise<void> {
  await page.locator('[aria-label="Carte du résultat"][aria-busy="false"] canvas').first().waitFor()
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

async function playing(
  browser: Browser,
  server: BenchServer,
  path: string,
  name: string,
): Promise<BenchResult[]> {
  const { page, client, close } = await openWatched(browser, server)
  await page.goto(`${server.url}/multihydro/${path}`)
  if (path.includes('mode=3d')) await page.locator('[data-testid="town-3d"][data-triangles]').waitFor()
  else await shown(page)
  // What loads behind the first answer has loaded.
  await page.waitForLoadState('networkidle')
  await longTasks(page)
  await page.getByRole('button', { name: 'Lecture (Z)' }).click()
  const [before, drawnBefore] = [await metrics(client), await drawing(browser)]
  const intervals = await images(page)
  const [after, drawnAfter] = [await metrics(client), await drawing(browser)]
  const [longestMs = 0] = await longTasks(page)
  await close()
  const each = (of: string) => (1000 * (after[of] - before[of])) / intervals.length
  const mean = intervals.reduce((sum, value) => sum + value, 0) / intervals.length
  return [
    {
      name: `${name}: images a second`,
      value: Math.round(10_000 / mean) / 10,
      unit: '/s',
      note: WITHOUT_GPU,
      aim: '≥ 30 /s',
    },
    {
      name: `${name}: drawing an image`,
      value: Math.round((10_000 * (drawnAfter - drawnBefore)) / intervals.length) / 10,
      unit: 'ms',
      note: `processor time of the process that stands for a graphics card; an image lasts ${mean.toFixed(0)} ms`,
    },
    {
      name: `${name}: script an image`,
      value: Math.round(100 * each('ScriptDuration')) / 100,
      unit: 'ms',
      note: `processor time; ${each('TaskDuration').toFixed(1)} ms of all work of the page; longest task ${Math.round(longestMs)} ms`,
      aim: '≤ 10 ms',
    },
  ]
}

/** Processor time of the browser's graphics process so far, s. */
async function drawing(browser: Browser): Promise<number> {
  const client = await browser.newBrowserCDPSession()
  const { processInfo } = await client.send('SystemInfo.getProcessInfo')
  await client.detach()
  return processInfo.find(({ type }) => type === 'GPU')?.cpuTime ?? 0
}

/** Times between the images of a while, ms. */
const images = (page: Page): Promise<number[]> =>
  page.evaluate(async (lasts) => {
    const frame = () => new Promise<number>((done) => requestAnimationFrame(done))
    const start = await frame()
    const times = [start]
    while (times[times.length - 1] - start < lasts) times.push(await frame())
    return times.slice(1).map((time, k) => time - times[k])
  }, PLAYED_MS)
