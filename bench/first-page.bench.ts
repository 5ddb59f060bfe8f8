import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { latestFiles } from '../tests/browser/latest-files.ts'
import { openBrowser } from '../tests/browser/support.ts'
import type { BenchResult } from '../tools/bench.ts'
import { buildWeb } from '../tools/build-web.ts'
import { type FirstVisit, firstVisit, type Line } from './first-visit.ts'
import { switchFrames } from './frame-switch.ts'
import { startBenchServer } from './radx-server.ts'

const RUNS = 9
const MINUTES = 180
/** A middling line; the browser holds back what the page loads, not what its workers do. */
const LINE: Line = { megabits: 10, latencyMs: 40 }
/** A telephone far from towns: 3G as browsers' own tools take it. */
const THIRD_GENERATION: Line = { megabits: 1.6, latencyMs: 150 }
const SLOW_RUNS = 3

/** What a visitor who was never here waits for on the live page, and the player under the fingers. */
export async function run(): Promise<BenchResult[]> {
  await buildWeb()
  const server = await startBenchServer()
  const folder = mkdtempSync(join(tmpdir(), 'radx-bench-files-'))
  let browser: Browser | null = null
  try {
    mkdirSync(folder, { recursive: true })
    const paths = (await latestFiles(Date.now(), MINUTES)).map(({ name, bytes }) => {
      writeFileSync(join(folder, name), bytes)
      return join(folder, name)
    })
    await server.radx('ingest', ...paths)
    browser = await openBrowser()
    // The browser's own start is not the page's.
    await firstVisit(browser, server.url)
    const local: FirstVisit[] = []
    const far: FirstVisit[] = []
    for (let k = 0; k < RUNS; k++) {
      local.push(await firstVisit(browser, server.url))
      far.push(await firstVisit(browser, server.url, LINE))
    }
    const slow: FirstVisit[] = []
    for (let k = 0; k < SLOW_RUNS; k++) slow.push(await firstVisit(browser, server.url, THIRD_GENERATION))
    const frames = slow.map(({ frameMs }) => frameMs).sort((a, b) => a - b)
    return [
      {
        name: 'first radar image over 3G',
        value: Math.round(frames[Math.floor(SLOW_RUNS / 2)]),
        unit: 'ms',
        note: `${THIRD_GENERATION.megabits} Mbit/s, ${THIRD_GENERATION.latencyMs} ms, nothing kept`,
        aim: '≤ 8 000 ms',
      },
      {
        name: 'script before the map shows, compressed',
        value: Math.round(Math.max(...local.map(({ scriptBytes }) => scriptBytes)) / 100) / 10,
        unit: 'kB',
        note: `${local[0].scripts} files`,
        aim: '≤ 350 kB',
      },
      ...figures('on this machine', local),
      ...figures(`over a line of ${LINE.megabits} Mbit/s and ${LINE.latencyMs} ms`, far),
      ...(await switchFrames(browser, server.url)),
    ]
  } finally {
    await browser?.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function figures(where: string, visits: FirstVisit[]): BenchResult[] {
  const figure = (name: string, of: (visit: FirstVisit) => number, about: string, aim?: string) => {
    const sorted = visits.map(of).sort((a, b) => a - b)
    return {
      name: `${name}, ${where}`,
      value: Math.round(sorted[Math.floor(RUNS / 2)]),
      unit: 'ms',
      note: `cold cache, median of ${RUNS}, slowest ${Math.round(sorted[RUNS - 1])} ms${about}`,
      ...(aim ? { aim } : {}),
    }
  }
  const elements = [...new Set(visits.map(({ largest }) => largest))].join(', ')
  return [
    figure('largest contentful paint', (visit) => visit.largestMs, `; ${elements}`, '≤ 1500 ms'),
    figure('radar image on the map', (visit) => visit.frameMs, ''),
  ]
}
