import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { latestFiles } from '../tests/browser/latest-files.ts'
import { openBrowser, openPage, SHARP, waitForFrame } from '../tests/browser/support.ts'
import type { BenchResult } from '../tools/bench.ts'
import { buildWeb } from '../tools/build-web.ts'
import { startBenchServer } from './radx-server.ts'

const RUNS = 3
/** The live window; an animation of six hours takes twice as many pictures. */
const MINUTES = 180
const SIX_HOURS_FRAMES = 105

/** An animation of the live window at 1080p, made by the browser, told for six hours. */
export async function run(): Promise<BenchResult[]> {
  await buildWeb()
  const server = await startBenchServer()
  const folder = mkdtempSync(join(tmpdir(), 'radx-bench-share-'))
  let browser: Browser | null = null
  try {
    mkdirSync(folder, { recursive: true })
    const paths = (await latestFiles(Date.now(), MINUTES)).map(({ name, bytes }) => {
      writeFileSync(join(folder, name), bytes)
      return join(folder, name)
    })
    await server.radx('ingest', ...paths)
    browser = await openBrowser()
    const { page } = await openPage(browser, server.url, SHARP)
    await waitForFrame(page)
    await page.getByRole('button', { name: 'Partager cette vue' }).click()
    await page.getByRole('tab', { name: 'Animation' }).click()
    await page.getByLabel('1920 × 1080', { exact: true }).check()
    const frames = Number(/(\d+) images/.exec(await page.getByRole('dialog').innerText())?.[1])
    const times: number[] = []
    for (let k = 0; k < RUNS; k++) {
      const start = performance.now()
      const saved = page.waitForEvent('download', { timeout: 300_000 })
      await page.getByRole('button', { name: 'Faire l’animation' }).click()
      await (await saved).path()
      times.push((performance.now() - start) / 1000)
    }
    const seconds = times.sort((a, b) => a - b)[Math.floor(RUNS / 2)]
    return [
      {
        name: 'MP4 of 6 h at 1080p in the browser',
        value: Math.round(10 * seconds * (SIX_HOURS_FRAMES / frames)) / 10,
        unit: 's',
        note: `median of ${RUNS}: ${frames} pictures took ${seconds.toFixed(1)} s, ground included, told for ${SIX_HOURS_FRAMES}`,
        aim: '≤ 20 s',
      },
    ]
  } finally {
    await browser?.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
