/*
 * The one service worker of the application: alerts while no page is open, and the application without a network.
 *
 * Whoever has a network is never shown an old page: the page itself, and every answer, come from the network first. Only
 * hashed files, whose name changes with their content, come from here. Of answers only those are kept that anybody gets
 * who is not signed in (`public`, asked for without a session).
 */
const APP = 'radx-app'
const ANSWERS = 'radx-answers'
/** Hashed files that are kept, more than a version of the application has. */
const FILES_MAX = 400
const SHELL = '/'
/** Beside the page, without a hash in their name. */
const PLAIN = ['/theme-init.js', '/favicon.svg', '/manifest.webmanifest']
/** What the live page asks for, the same for everybody; instants and frames of the last hours are kept together. */
const INSTANTS = '/api/products/latestImages'
const FRAMES = '/api/products/frames'
const OTHERS = ['/api/site', '/api/products', '/api/catchments', '/api/article/home-message']
const LIVE = [INSTANTS, FRAMES, ...OTHERS]
/** Addresses below which no page of the application lies. */
const NO_PAGE = /^\/(?:api|langue|images|ogc|site|socket\.io|assets|metrics|healthz|readyz)(?:\/|$)/

addEventListener('install', (event) => {
  skipWaiting()
  event.waitUntil(
    fetch(SHELL)
      .then(keepShell)
      .catch(() => undefined),
  )
})

addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      clients.claim(),
      // The page need not wait until this has started.
      registration.navigationPreload?.enable(),
      caches
        .keys()
        .then((names) =>
          Promise.all(
            names.filter((name) => ![APP, ANSWERS].includes(name)).map((name) => caches.delete(name)),
          ),
        ),
    ]),
  )
})

addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (!NO_PAGE.test(url.pathname)) event.respondWith(page(event))
  } else if (url.pathname.startsWith('/assets/')) event.respondWith(hashed(event))
  else if (PLAIN.includes(url.pathname)) event.respondWith(orKept(request, APP, request))
  else if (LIVE.includes(url.pathname)) event.respondWith(orKept(request, ANSWERS, keyOf(url)))
})

/** The page from the network; without one, the last page whose files are all here. */
async function page(event) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request))
    if (answer.ok && new URL(event.request.url).pathname === SHELL)
      event.waitUntil(keepShell(answer.clone()).catch(() => undefined))
    return answer
  } catch (error) {
    const kept = await caches.match(SHELL, { cacheName: APP })
    if (kept) return kept
    throw error
  }
}

/**
 * Keeps a page once everything that it starts with is here, so that a version is never half an old one.
 * @param answer to `/`
 */
async function keepShell(answer) {
  if (!answer.ok || !(answer.headers.get('content-type') ?? '').startsWith('text/html')) return
  const cache = await caches.open(APP)
  const text = await answer.clone().text()
  const named = `${text} ${answer.headers.get('link') ?? ''}`.match(/\/assets\/[\w.-]+\.\w+/g) ?? []
  const missing = []
  for (const path of new Set(named)) if (!(await cache.match(path))) missing.push(path)
  await cache.addAll(missing)
  await Promise.all(PLAIN.map((path) => cache.add(path).catch(() => undefined)))
  await cache.put(SHELL, answer)
  const files = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith('/assets/'))
  const old = files.filter(({ url }) => !named.includes(new URL(url).pathname))
  await Promise.all(old.slice(0, Math.max(0, files.length - FILES_MAX)).map((file) => cache.delete(file)))
}

/** A file whose name says what it holds. */
async function hashed({ request }) {
  const cache = await caches.open(APP)
  const kept = await cache.match(request.url)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.status === 200) await cache.put(request.url, answer.clone()).catch(() => undefined)
  return answer
}

async function orKept(request, cacheName, key) {
  try {
    return await fetch(request)
  } catch (error) {
    // Who asked may have thought better of it.
    const kept = request.signal.aborted ? undefined : await caches.match(key, { cacheName })
    if (kept) return kept
    throw error
  }
}

/** Frames of a product are kept once, whatever window of them is asked for. */
function keyOf(url) {
  const layer = url.searchParams.get('layer')
  return url.pathname === FRAMES && layer === null
    ? `${url.pathname}?p=${url.searchParams.get('p')}`
    : url.pathname + url.search
}

/** What anybody is given; null for anything else. Asked for without the session of the page. */
async function everybodys(path) {
  const answer = await fetch(path)
  return answer.ok && (answer.headers.get('cache-control') ?? '').includes('public') ? answer : null
}

/** @returns whether it is kept */
async function keepAnswer(path, key = path) {
  const answer = await everybodys(path)
  if (answer) await (await caches.open(ANSWERS)).put(key, answer)
  return answer !== null
}

/** Instants and frames of the last hours, both or none, since the page asks for the frames of the instants. */
async function keepLive(product) {
  const p = encodeURIComponent(product)
  const path = `${INSTANTS}?p=${p}`
  const answer = await everybodys(path)
  if (!answer) return
  const { images } = await answer.clone().json()
  if (images.length === 0) return
  const ends = images.map(({ datetime }) => Date.parse(datetime))
  const [s, e] = [Math.min(...ends), Math.max(...ends) + 1000].map((ms) => new Date(ms).toISOString())
  if (await keepAnswer(`${FRAMES}?p=${p}&s=${s}&e=${e}`, `${FRAMES}?p=${product}`))
    await (await caches.open(ANSWERS)).put(path, answer)
}

addEventListener('message', (event) => {
  const { files = [], answers = [], live, forget } = event.data ?? {}
  const work = async () => {
    if (forget) await caches.delete(ANSWERS)
    const cache = await caches.open(APP)
    for (const path of files) if (!(await cache.match(path))) await cache.add(path).catch(() => undefined)
    for (const path of answers)
      if (OTHERS.includes(path.split('?')[0])) await keepAnswer(path).catch(() => undefined)
    if (live) await keepLive(live).catch(() => undefined)
    event.ports[0]?.postMessage('done')
  }
  event.waitUntil(work())
})

addEventListener('push', (event) => {
  let notice = {}
  try {
    notice = event.data?.json() ?? {}
  } catch {
    // Browsers want something shown for every message.
  }
  event.waitUntil(
    registration.showNotification(notice.title ?? 'RadX', {
      body: notice.body ?? '',
      icon: '/favicon.svg',
      lang: 'fr',
      // A notice that comes twice takes its own place.
      tag: notice.id,
      data: { url: notice.url ?? '/alertes' },
    }),
  )
})

addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = new URL(event.notification.data?.url ?? '/alertes', location.origin)
  // Only pages of this site are opened.
  if (url.origin !== location.origin) return
  event.waitUntil(
    clients.matchAll({ type: 'window' }).then((open) => {
      const page = open.find((one) => new URL(one.url).pathname === url.pathname)
      return page ? page.focus() : clients.openWindow(url.href)
    }),
  )
})
