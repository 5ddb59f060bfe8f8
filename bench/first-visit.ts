import type { Browser } from 'playwright-core'
import { openPage, waitForFrame } from '../tests/browser/support.ts'

export interface Line {
  megabits: number
  latencyMs: number
}

export interface FirstVisit {
  /** Largest contentful paint, from the start of the navigation, and what it was. */
  largestMs: number
  largest: string
  /** First radar image drawn, from the start of the navigation. */
  frameMs: number
  /** Script asked for before that, as it came over the line. */
  scripts: number
  scriptBytes: number
}

interface Watched extends Window {
  radxLargest?: { ms: number; what: string }
  radxFrameMs?: number
}

/** Opens the live page with nothing in the cache. */
export async function firstVisit(browser: Browser, url: string, line?: Line): Promise<FirstVisit> {
  const { page, close } = await openPage(browser, 'about:blank', { hasWholeMaps: true })
  try {
    await page.addInitScript(watch)
    if (line) {
      const client = await page.context().newCDPSession(page)
      const throughput = (line.megabits * 1e6) / 8
      await client.send('Network.enable')
      await client.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: line.latencyMs,
        downloadThroughput: throughput,
        uploadThroughput: throughput,
      })
    }
    await page.goto(url)
    await waitForFrame(page)
    // What comes after the map could still be larger than what was painted before.
    await page.locator('figure [data-ready="true"]').first().waitFor()
    return await page.evaluate(() => {
      const { radxLargest, radxFrameMs = 0 } = window as Watched
      if (radxLargest === undefined) throw new Error('the browser told no largest contentful paint')
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const scripts = entries.filter(
        ({ name, startTime }) => /\.m?js$/.test(new URL(name).pathname) && startTime < radxFrameMs,
      )
      return {
        largestMs: radxLargest.ms,
        largest: radxLargest.what,
        frameMs: radxFrameMs,
        scripts: scripts.length,
        scriptBytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      }
    })
  } finally {
    await close()
  }
}

/** Runs in the page before its scripts. */
function watch(): void {
  const watched = window as Watched
  new PerformanceObserver((list) => {
    const last = list.getEntries().at(-1) as (PerformanceEntry & { element?: Element | null }) | undefined
    if (!last) return
    const text = last.element?.textContent?.trim().slice(0, 40)
    watched.radxLargest = {
      ms: last.startTime,
      what: `${last.element?.tagName.toLowerCase() ?? 'removed'} “${text ?? ''}”`,
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector<HTMLElement>('[data-radar-frame]')?.dataset.radarFrame) return
    watched.radxFrameMs = performance.now()
    observer.disconnect()
  }).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['data-radar-frame'],
  })
}
