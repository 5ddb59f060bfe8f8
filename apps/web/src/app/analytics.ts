/** Types that the audience measurement knows. */
const ANALYTICS_TYPES = ['event', 'page'] as const

/** An event of the audience measurement; without a type it is an `event`. */
export interface AnalyticsEvent {
  type?: (typeof ANALYTICS_TYPES)[number]
  category: string
  action: string
  name?: string
  value: number
}

type Sink = (event: AnalyticsEvent) => void

let sink: Sink | null = null

/** The consent module hands in what really sends, and null to stop. Without it nothing leaves the page. */
export function setAnalyticsSink(next: Sink | null): void {
  sink = next
}

/**
 * Tells the audience measurement, where the visitor allowed it.
 * @throws TypeError for an unknown type, and without a category, an action or a numeric value: whether or
 * not anything is sent, so that a wrong call shows before a visitor consents
 */
export function trackEvent(event: AnalyticsEvent): void {
  const { type = 'event', category, action, value } = event
  if (!ANALYTICS_TYPES.includes(type)) throw new TypeError(`unknown analytics type: ${String(type)}`)
  if (typeof category !== 'string' || category === '') throw new TypeError('analytics category is missing')
  if (typeof action !== 'string' || action === '') throw new TypeError('analytics action is missing')
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new TypeError('analytics value is not a number')
  sink?.({ ...event, type })
}
