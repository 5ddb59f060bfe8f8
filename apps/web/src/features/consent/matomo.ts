import type { PublicSite } from '@radx/contracts/site'
import { type AnalyticsEvent, setAnalyticsSink } from '../../app/analytics.ts'

type Target = NonNullable<PublicSite['analytics']>

/** What a report tells about the page. */
export interface PageFacts {
  href: string
  title: string
  referrer: string
  /** As in `1440x900`. */
  screen: string
}

/**
 * Address of one report, as Matomo's HTTP tracking API wants it (`matomo.php`). The query of the page stays
 * here: it holds places and periods that somebody looked at.
 */
export function reportUrl(target: Target, visitor: string, event: AnalyticsEvent, page: PageFacts): string {
  const url = new URL(target.url)
  if (!url.pathname.endsWith('.php')) url.pathname = `${url.pathname.replace(/\/$/, '')}/matomo.php`
  const { origin, pathname } = new URL(page.href)
  const facts: Record<string, string> = {
    idsite: target.siteId,
    rec: '1',
    apiv: '1',
    send_image: '0',
    _id: visitor,
    url: origin + pathname,
    action_name: page.title,
    urlref: page.referrer,
    res: page.screen,
  }
  if (event.type !== 'page') {
    facts.e_c = event.category
    facts.e_a = event.action
    facts.e_v = String(event.value)
    if (event.name) facts.e_n = event.name
  }
  for (const [key, value] of Object.entries(facts)) if (value !== '') url.searchParams.set(key, value)
  return url.href
}

/** 16 hexadecimal digits for the time of this page; nothing is kept on the visitor's machine. */
function newVisitor(): string {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((b) => b.toString(16).padStart(2, '0')).join('')
}

let visitor: string | null = null

/** Starts the measurement after the visitor's consent; what it returns stops it. */
export function startMeasurement(target: Target): () => void {
  visitor ??= newVisitor()
  const id = visitor
  setAnalyticsSink((event) => {
    const page = {
      href: location.href,
      title: document.title,
      referrer: document.referrer,
      screen: `${screen.width}x${screen.height}`,
    }
    // Lost reports are no matter of the visitor's.
    void fetch(reportUrl(target, id, event, page), {
      method: 'POST',
      mode: 'no-cors',
      credentials: 'omit',
      keepalive: true,
    }).catch(() => undefined)
  })
  return () => {
    setAnalyticsSink(null)
    visitor = null
  }
}
