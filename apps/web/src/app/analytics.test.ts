import { afterEach, expect, test } from 'vitest'
import { type AnalyticsEvent, setAnalyticsSink, trackEvent } from './analytics.ts'

const event: AnalyticsEvent = { category: 'product', action: 'select', name: 'dpsri', value: 1 }
const wrong = (change: object) => () => trackEvent({ ...event, ...change } as AnalyticsEvent)
afterEach(() => setAnalyticsSink(null))

test('[COOKIE-12] a category, an action and a numeric value are needed, whether or not anything is sent', () => {
  for (const key of ['category', 'action', 'value'] as const)
    expect(wrong({ [key]: undefined }), key).toThrow(TypeError)
  for (const value of ['1', Number.NaN, Number.POSITIVE_INFINITY, null])
    expect(wrong({ value }), String(value)).toThrow(TypeError)
  expect(wrong({ category: '' })).toThrow(TypeError)
  expect(wrong({ action: '' })).toThrow(TypeError)
  expect(wrong({ value: 0 })).not.toThrow()
})

test('[COOKIE-13] an unknown type throws', () => {
  for (const type of ['', 'heartbeat', 1, null])
    expect(wrong({ type }), String(type)).toThrow(/unknown analytics/)
})

test('[COOKIE-09] nothing is sent without a sink, and nothing after it is taken away', () => {
  const sent: AnalyticsEvent[] = []
  trackEvent(event)
  setAnalyticsSink((e) => sent.push(e))
  trackEvent(event)
  setAnalyticsSink(null)
  trackEvent(event)
  expect(sent).toEqual([{ ...event, type: 'event' }])
})
