import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OUTPUT_FLOW, OUTPUT_HEIGHT } from '@radx/contracts/simulation-constants'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { writeSmallCatchment } from '../apps/server/src/simulation/testing/small-catchment.ts'
import { farEnds, largeSewer } from '../tests/browser/large-sewer.ts'
import { openBrowser } from '../tests/browser/support.ts'
import type { BenchResult } from '../tools/bench.ts'
import { buildWeb } from '../tools/build-web.ts'
import { longTasks, metrics, openWatched } from './page-work.ts'
import { type BenchServer, finished, startBenchServer, submitRun } from './radx-server.ts'

const SIZES = (process.env.RADX_BENCH_LINKS ?? '5000,10000').split(',').map(Number)
/** The default double triangle: 275 intervals of a minute. */
const RAIN = { t1: 30, t2: 100, t3: 240, iMax: 60, i2: 4, calmAfter: 20 }
const STEPS = 60
const LONG_TASK_AIM = '≤ 200 ms'
const WITHOUT_GPU = 'drawn without a graphics card'

/** The sewer analysis of runs with large networks, in a browser. */
export async function run(): Promise<BenchResult[]> {
  await buildWeb()
  const folder = mkdtempSync(join(tmpdir(), 'radx-bench-sewer-'))
  const server = await startBenchServer()
  const browser = await openBrowser()
  const results: BenchResult[] = []
  try {
    for (const links of SIZES) {
      const dir = writeSmallCatchment(join(folder, String(links)), largeSewer(links))
      await server.radx('catchment', 'import', dir)
      const data = virtualRain('double', RAIN)
      const id = await submitRun(server, 'melun', {
        rainfallSelection: 'virtual',
        virtualRainShape: 'double',
        virtualParam: JSON.stringify(RAIN),
        virtualData: JSON.stringify(data),
        simulationDuration: String(data.length / 60),
        rainfallStart: '2019-12-31T23:00:00Z',
        rainfallEnd: new Date(Date.parse('2019-12-31T23:00:00Z') + data.length * 60_000).toISOString(),
      })
      await finished(server, id)
      const figures = [...(await calls(server, id, links)), ...(await screen(browser, server, id, links))]
      results.push(...figures.map((figure) => ({ ...figure, name: `${links} links: ${figure.name}` })))
    }
    return results
  } finally {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const ms = (name: string, value: number, rest: Partial<BenchResult> = {}): BenchResult => ({
  name,
  value: Math.round(value * 10) / 10,
  unit: 'ms',
  ...rest,
})

/** What the server needs for the calls of the screen. */
async function calls({ url, session }: BenchServer, id: string, links: number): Promise<BenchResult[]> {
  const { start, end } = farEnds(links)
  const ask = async (name: string, path: string) => {
    const times: number[] = []
    let bytes = 0
    for (let k = 0; k < 3; k++) {
      const started = performance.now()
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${session.token}` } })
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
      bytes = (await answer.arrayBuffer()).byteLength
      times.push(performance.now() - started)
    }
    return ms(name, times.sort((a, b) => a - b)[1], { note: `${(bytes / 1e6).toFixed(2)} MB unpacked` })
  }
  const output = (type: string) => `/api/multihydro/file/${id}/output?outputType=${type}`
  return [
    await ask('call for the nodes', '/api/multihydro/melun/nodes'),
    await ask('call for all depths', output(OUTPUT_HEIGHT)),
    await ask('call for all flows', output(OUTPUT_FLOW)),
    await ask('call for the largest flows', `${output(OUTPUT_FLOW)}&series=peak`),
    await ask('call for the flow of one link', `${output(OUTPUT_FLOW)}&names=C0-0`),
    await ask(
      'call for the longest path',
      `/api/pathfinder/catchmentId/melun?start=${start}&end=${end}&jobId=${id}`,
    ),
  ]
}

async function screen(
  browser: Browser,
  server: BenchServer,
  id: string,
  links: number,
): Promise<BenchResult[]> {
  const { page, client, close } = await openWatched(browser, server)
  const results = [
    ...(await opening(page, `${server.url}/multihydro/${id}?sortie=swmm`)),
    ...(await moving(page, client)),
    ...(await paging(page)),
    ...(await path(page, client, links)),
  ]
  const metric = await metrics(client)
  await client.send('HeapProfiler.collectGarbage')
  const kept = await metrics(client)
  results.push({
    name: 'memory of the page',
    value: Math.round(kept.JSHeapUsedSize / 1e5) / 10,
    unit: 'MB',
    note: `after collecting; ${Math.round(metric.JSHeapUsedSize / 1e6)} MB before`,
  })
  await close()
  return results
}

const longest = (name: string, tasks: readonly number[], aim?: string): BenchResult =>
  ms(`longest task, ${name}`, tasks[0] ?? 0, { note: `${tasks.length} of more than 50 ms`, aim })

async function opening(page: Page, address: string): Promise<BenchResult[]> {
  const started = performance.now()
  await page.goto(address)
  await page.getByTestId('network-table').locator('tbody tr').first().waitFor()
  const table = performance.now() - started
  await page.locator('[data-view]').waitFor()
  const map = performance.now() - started
  return [
    ms('from opening to the table', table),
    ms('from opening to the whole map', map, { note: WITHOUT_GPU }),
    longest('while it opens', await longTasks(page)),
  ]
}

/** A gesture on the map, an image a step: how long images take and how much work of the page is in them. */
async function gesture(
  page: Page,
  client: CDPSession,
  name: string,
  kind: 'pan' | 'zoom' | 'hover',
): Promise<BenchResult[]> {
  const before = (await metrics(client)).TaskDuration
  const intervals = await page.evaluate(
    async ({ kind, steps }) => {
      const canvas = document.querySelector('.maplibregl-canvas') as HTMLCanvasElement
      const box = canvas.getBoundingClientRect()
      const frame = () => new Promise<number>((done) => requestAnimationFrame(done))
      const mouse = (type: string, x: number, y: number, buttons: number) =>
        canvas.dispatchEvent(
          new MouseEvent(type, {
            bubbles: true,
            cancelable: true,
            clientX: x,
            clientY: y,
            button: 0,
            buttons,
          }),
        )
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      const times = [await frame()]
      if (kind === 'pan') mouse('mousedown', x, y, 1)
      for (let k = 1; k <= steps; k++) {
        const turn = (2 * Math.PI * k) / steps
        if (kind === 'zoom')
          canvas.dispatchEvent(
            new WheelEvent('wheel', {
              bubbles: true,
              cancelable: true,
              clientX: x,
              clientY: y,
              deltaY: k <= steps / 2 ? -40 : 40,
            }),
          )
        else
          mouse('mousemove', x + 150 * Math.sin(turn), y + 100 * Math.sin(2 * turn), kind === 'pan' ? 1 : 0)
        times.push(await frame())
      }
      if (kind === 'pan') mouse('mouseup', x, y, 0)
      // What stays under the pointer would hold its page of the table.
      mouse('mouseout', x, y, 0)
      return times.slice(1).map((time, k) => time - times[k])
    },
    { kind, steps: STEPS },
  )
  const work = (((await metrics(client)).TaskDuration - before) * 1000) / intervals.length
  const sorted = intervals.toSorted((a, b) => a - b)
  return [
    ms(`${name}: time between images, median`, sorted[sorted.length >> 1], {
      note: `95th percentile ${sorted[Math.floor(sorted.length * 0.95)].toFixed(0)} ms, ${WITHOUT_GPU}`,
    }),
    ms(`${name}: work of the page an image`, work, { note: 'main thread' }),
    longest(name, await longTasks(page), LONG_TASK_AIM),
  ]
}

async function moving(page: Page, client: CDPSession): Promise<BenchResult[]> {
  await page.locator('.maplibregl-canvas').scrollIntoViewIfNeeded()
  return [
    ...(await gesture(page, client, 'panning', 'pan')),
    ...(await gesture(page, client, 'zooming', 'zoom')),
    ...(await gesture(page, client, 'pointing on the map', 'hover')),
  ]
}

/** From a click in the page to the image in which the first row of the table has changed. */
const click = (page: Page, selector: string): Promise<number> =>
  page.evaluate(async (selector) => {
    const first = () => document.querySelector('[data-testid="network-table"] tbody tr')?.textContent
    const before = first()
    const started = performance.now()
    ;(document.querySelector(`[data-testid="network-table"] ${selector}`) as HTMLElement).click()
    while (first() === before && performance.now() - started < 10_000)
      await new Promise((done) => requestAnimationFrame(done))
    await new Promise((done) => requestAnimationFrame(done))
    return performance.now() - started
  }, selector)

async function paging(page: Page): Promise<BenchResult[]> {
  const next = await click(page, 'nav button[aria-label="Page suivante"]')
  const sort = await click(page, 'th:nth-child(4) button')
  const name = await click(page, 'th:nth-child(1) button')
  return [
    ms('next page of the table', next),
    ms('sorting by a figure', sort),
    ms('sorting by name', name),
    longest('in the table', await longTasks(page), LONG_TASK_AIM),
  ]
}

async function path(page: Page, client: CDPSession, links: number): Promise<BenchResult[]> {
  const { start, end } = farEnds(links)
  const pick = async (name: string) => {
    await page.getByRole('searchbox').fill(name)
    const button = page.getByTestId('network-table').getByRole('button', { name, exact: true })
    await button.waitFor()
    return button
  }
  await (await pick(start)).click()
  const last = await pick(end)
  await longTasks(page)
  const started = performance.now()
  await last.click()
  await page.getByTestId('profile').waitFor()
  const shown = performance.now() - started
  const tasks = await longTasks(page)
  const before = (await metrics(client)).TaskDuration
  // The slider is moved with every image: the clock itself goes on twice a second.
  const intervals = await page.evaluate(async (steps) => {
    const slider = document.querySelector('section input[type="range"]') as HTMLInputElement
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!
    const frame = () => new Promise<number>((done) => requestAnimationFrame(done))
    const times = [await frame()]
    for (let k = 1; k <= steps; k++) {
      set.call(slider, String(k * 4))
      slider.dispatchEvent(new Event('input', { bubbles: true }))
      times.push(await frame())
    }
    return times.slice(1).map((time, k) => time - times[k])
  }, STEPS)
  const work = (((await metrics(client)).TaskDuration - before) * 1000) / intervals.length
  const mean = intervals.reduce((sum, value) => sum + value, 0) / intervals.length
  return [
    ms('from the second junction to the profile of the longest path', shown),
    longest('until the profile is there', tasks, LONG_TASK_AIM),
    {
      name: 'images of the profile a second',
      value: Math.round(10_000 / mean) / 10,
      unit: '/s',
      note: `${work.toFixed(1)} ms of work each; the player asks for 2`,
      aim: '≥ 2 /s',
    },
    longest('while the profile moves', await longTasks(page), LONG_TASK_AIM),
  ]
}
