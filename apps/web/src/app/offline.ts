import { useAuth } from './auth/store.ts'
import { queryClient } from './query.ts'
import { siteQuery } from './site.ts'

/** The one service worker, which alerts use as well (public/service-worker.js). */
export const SERVICE_WORKER = '/service-worker.js'
/** Asked for once a page, and the same for everybody. */
const KEPT_ANSWERS = /^\/api\/(?:site|products|catchments|article\/home-message)(?:\?|$)/
/** How old the frames may be that are there without a network, ms. */
const KEEP_MS = 10 * 60_000

/** Makes the application open without a network, with the last frames that were seen. Does nothing where browsers cannot. */
export async function keepForOffline(): Promise<void> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return
  try {
    await navigator.serviceWorker.register(SERVICE_WORKER)
  } catch {
    // Closed by the browser's settings: the application goes on without.
    return
  }
  const { active } = await navigator.serviceWorker.ready
  // What came before the worker did, or while it took over.
  new PerformanceObserver((list) => {
    const paths = list
      .getEntries()
      .map(({ name }) => new URL(name))
      .filter(({ origin }) => origin === location.origin)
      .map(({ pathname, search }) => pathname + search)
    const files = paths.filter((path) => path.startsWith('/assets/'))
    const answers = paths.filter((path) => KEPT_ANSWERS.test(path))
    if (files.length + answers.length > 0) active?.postMessage({ files, answers })
  }).observe({ type: 'resource', buffered: true })
  const keepLive = () => {
    const product = queryClient.getQueryData(siteQuery.queryKey)?.defaultProduct
    if (product && document.visibilityState === 'visible') active?.postMessage({ live: product })
  }
  keepLive()
  setInterval(keepLive, KEEP_MS)
  // Nobody finds what another left behind.
  useAuth.subscribe(({ token }, before) => {
    if (before.token !== null && token !== before.token) active?.postMessage({ forget: true })
  })
}
