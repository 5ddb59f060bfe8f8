import type { Browser, Page } from 'playwright-core'
import { openPage, waitForFrame } from '../tests/browser/support.ts'
import type { BenchResult } from '../tools/bench.ts'

interface Watched extends Window {
  radxSwitches?: number[]
}

/** From a key to the map having drawn the image asked for: backwards, where nothing is uploaded, then forwards. */
export async function switchFrames(browser: Browser, url: string): Promise<BenchResult[]> {
  const { page, close } = await openPage(browser, 'about:blank', { hasWholeMaps: true })
  try {
    await page.addInitScript(watch)
    await page.goto(url)
    await waitForFrame(page)
    await page.locator('[data-loading="false"]').waitFor()
    const steps = await page.evaluate(() =>
      Number(document.querySelector<HTMLInputElement>('input[type="range"]')?.max ?? 0),
    )
    return [
      figure('image switched, not yet on the graphics card', await press(page, 'q', steps)),
      figure('image switched, already on the graphics card', await press(page, 'd', steps)),
    ]
  } finally {
    await close()
  }
}

async function press(page: Page, key: string, times: number): Promise<number[]> {
  await page.evaluate(() => {
    ;(window as Watched).radxSwitches = []
  })
  for (let k = 1; k <= times; k++) {
    await page.keyboard.press(key)
    await page.waitForFunction((count) => ((window as Watched).radxSwitches?.length ?? 0) >= count, k)
  }
  return page.evaluate(() => (window as Watched).radxSwitches ?? [])
}

/** Runs in the page before its scripts. */
function watch(): void {
  const watched = window as Watched
  let pressed: { at: number; wanted: string } | null = null
  const map = () => document.querySelector<HTMLElement>('[data-radar-frame]')?.dataset
  window.addEventListener(
    'keydown',
    ({ timeStamp }) => {
      pressed = { at: timeStamp, wanted: map()?.wantedFrame ?? '' }
    },
    { capture: true },
  )
  new MutationObserver(() => {
    const { radarFrame, wantedFrame = '' } = map() ?? {}
    if (pressed === null || wantedFrame === pressed.wanted || radarFrame !== wantedFrame) return
    watched.radxSwitches?.push(performance.now() - pressed.at)
    pressed = null
  }).observe(document, {
    subtree: true,
    attributes: true,
    attributeFilter: ['data-radar-frame', 'data-wanted-frame'],
  })
}

function figure(name: string, times: number[]): BenchResult {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return {
    name,
    value: Math.round(at(0.5) * 10) / 10,
    unit: 'ms',
    note: `median of ${times.length}, 95th percentile ${at(0.95).toFixed(1)} ms; key to drawn, without a graphics card`,
  }
}
