/* Shows alerts while no page is open. It keeps nothing and stands in for no call of the page. */
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
