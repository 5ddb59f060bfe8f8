import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'

export interface OpenPage {
  page: Page
  /** Errors of the page and of its console, in order. */
  errors: string[]
  close: () => Promise<void>
}

export interface EmptyPage extends OpenPage {
  /** Each document that the page opens finds these in its local storage, unless another value is there; null for none. */
  store: (entries: Record<string, string | null>) => Promise<void>
}

/** How a page looked when it was new. */
interface Look {
  viewport?: BrowserContextOptions['viewport']
  reducedMotion?: BrowserContextOptions['reducedMotion']
}

interface Warm {
  page: Page
  look: Look
  errors: string[]
  session: CDPSession
  /** What fills the local storage of each document. */
  script: string | null
  /** Something was changed that cannot be put back. */
  isSpoilt: () => boolean
}

/** Far more than a busy machine takes. */
const TIMEOUT_MS = 120_000
/** Of a kind: tests of one file rarely show more at once. */
const MOST_IDLE = 3
const SPOIL = {
  page: [
    'addInitScript',
    'exposeFunction',
    'exposeBinding',
    'setExtraHTTPHeaders',
    'routeWebSocket',
    'close',
  ],
  context: [
    'addInitScript',
    'exposeFunction',
    'exposeBinding',
    'setExtraHTTPHeaders',
    'routeWebSocket',
    'setOffline',
    'setGeolocation',
    'grantPermissions',
    'newCDPSession',
    'close',
  ],
  clock: ['install', 'setFixedTime', 'setSystemTime', 'pauseAt', 'runFor', 'fastForward'],
}

/**
 * Pages that tests use one after the other: a process that has run the application once shows it again in
 * half the time of a new one. Between two tests a page loses what it stored, its cookies, cache, routes and listeners;
 * where a test changed more than that (its clock, the network, scripts of its own), the page is not used again.
 */
export class WarmPages {
  private readonly idle = new Map<string, Warm[]>()

  /** Whether it waits for the next test. */
  keeps(context: BrowserContext): boolean {
    return [...this.idle.values()].some((pages) => pages.some(({ page }) => page.context() === context))
  }

  /**
   * @param kind pages of one kind were made with the same options
   * @param make makes an empty page in a context of its own, and says how it looks
   */
  async take(kind: string, make: () => Promise<{ page: Page; look: Look }>): Promise<EmptyPage> {
    const idle = this.idle.get(kind) ?? []
    this.idle.set(kind, idle)
    const warm = idle.pop() ?? (await kept(await make()))
    const errors: string[] = []
    warm.errors = errors
    let closed = false
    return {
      page: warm.page,
      errors,
      store: (entries) => fill(warm, entries),
      close: async () => {
        if (closed) return
        closed = true
        if (idle.length < MOST_IDLE && (await cleaned(warm))) idle.push(warm)
        else await warm.page.context().close()
      },
    }
  }
}

async function kept({ page, look }: { page: Page; look: Look }): Promise<Warm> {
  const context = page.context()
  const session = await context.newCDPSession(page)
  await session.send('Page.enable')
  let isSpoilt = false
  const spoils = (of: object, names: readonly string[]) => {
    const methods = of as Record<string, (...given: unknown[]) => unknown>
    for (const name of names) {
      const method = methods[name].bind(of)
      methods[name] = (...given) => {
        isSpoilt = true
        return method(...given)
      }
    }
  }
  spoils(page, SPOIL.page)
  spoils(context, SPOIL.context)
  spoils(context.clock, SPOIL.clock)
  const warm: Warm = { page, look, errors: [], session, script: null, isSpoilt: () => isSpoilt }
  listen(warm)
  return warm
}

/** The page is empty when this is called: what it opens next finds the entries. */
async function fill(warm: Warm, entries: Record<string, string | null>): Promise<void> {
  // An empty page has no storage.
  const source = `if (location.origin !== 'null')
    for (const [key, value] of Object.entries(${JSON.stringify(entries)}))
      if (value !== null && localStorage.getItem(key) === null) localStorage.setItem(key, value)`
  const made = await warm.session.send('Page.addScriptToEvaluateOnNewDocument', { source })
  warm.script = made.identifier
}

/** The test's own limits and listeners go, those that every page has come. */
function listen(warm: Warm): void {
  const { page } = warm
  page.context().setDefaultTimeout(TIMEOUT_MS)
  page.setDefaultTimeout(TIMEOUT_MS)
  for (const event of [
    'console',
    'dialog',
    'download',
    'framenavigated',
    'pageerror',
    'popup',
    'worker',
  ] as const)
    page.removeAllListeners(event)
  for (const event of ['request', 'requestfailed', 'requestfinished', 'response', 'websocket'] as const)
    page.removeAllListeners(event)
  page.on('pageerror', (error) => warm.errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') warm.errors.push(message.text())
  })
}

/** Whether the page is as a new one again. */
async function cleaned(warm: Warm): Promise<boolean> {
  const { page, look, session } = warm
  const context = page.context()
  if (warm.isSpoilt() || page.isClosed() || context.pages().length !== 1) return false
  try {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    const { origin } = new URL(page.url())
    await page.evaluate(() => sessionStorage.clear())
    if (warm.script !== null)
      await session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier: warm.script })
    warm.script = null
    // What the page would still say or store while it goes belongs to nobody.
    warm.errors = []
    await page.goto('about:blank')
    await context.clearCookies()
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
    await session.send('Network.clearBrowserCache')
    await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: look.reducedMotion ?? null })
    if (look.viewport) await page.setViewportSize(look.viewport)
    listen(warm)
    return true
  } catch {
    return false
  }
}
