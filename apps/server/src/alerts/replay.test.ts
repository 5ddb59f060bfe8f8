import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventsOf, replayAlerts, scoreOf, verdictOf } from './replay.ts'

const MINUTE = 60_000
const samplesOf = (values: readonly (number | null)[]) =>
  values.map((value, k) => ({ timeMs: k * 10 * MINUTE, value }))
const limits = (threshold: number) => ({ threshold, clear: threshold, minMs: 0, blindMs: null })

test('a rule that warns before the event is a hit with its lead, one that warns of nothing is false', () => {
  // The rule is over at 20 and at 200 min; the event begins at 50 min, another one at 400 min.
  const rule = samplesOf(Array.from({ length: 45 }, (_, k) => (k === 2 || k === 20 ? 9 : 0)))
  const rain = samplesOf(Array.from({ length: 45 }, (_, k) => (k === 5 || k === 7 || k === 40 ? 30 : 0)))
  const events = eventsOf(rain, 20, 0)
  expect(events.map(({ startMs }) => startMs / MINUTE)).toEqual([50, 400])
  const held = { events, samples: rain, windowMs: 60 * MINUTE }
  expect(scoreOf(replayAlerts(rule, limits(5), 0), held)).toEqual({
    ...{ alerts: 2, hits: 1, misses: 1, falseAlarms: 1, pod: 0.5, far: 0.5, leadMin: 30 },
  })
})

test('an alert after which nobody measured is neither hit nor false', () => {
  // Over at 20, 200 and 430 min; no values from 210 to 250 min, nor after 440.
  const rule = samplesOf(Array.from({ length: 45 }, (_, k) => ([2, 20, 43].includes(k) ? 9 : 0)))
  const rain = samplesOf(Array.from({ length: 45 }, (_, k) => (k > 20 && k < 26 ? null : 0)))
  const held = { events: [], samples: rain, windowMs: 60 * MINUTE }
  const alerts = replayAlerts(rule, limits(5), 0)
  expect(alerts.map((alert) => verdictOf(alert, held))).toEqual(['false', 'unknown', 'unknown'])
  expect(scoreOf(alerts, held)).toMatchObject({ alerts: 3, hits: 0, falseAlarms: 1, far: 1 })
})

test('a higher threshold never warns earlier nor of more events', () => {
  const values = fc.array(fc.option(fc.integer({ min: 0, max: 20 }), { freq: 8 }), { maxLength: 80 })
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 10 }), fc.integer({ min: 0, max: 9 }), (all, low, more) => {
      const samples = samplesOf(all)
      const events = eventsOf(samples, 12, 0)
      const [below, above] = [low, low + more].map((threshold) =>
        scoreOf(replayAlerts(samples, limits(threshold), 0), { events, samples, windowMs: 24 * 60 * MINUTE }),
      )
      for (const { hits, misses, falseAlarms, alerts } of [below, above]) {
        expect(hits + misses).toBe(events.length)
        expect(falseAlarms).toBeLessThanOrEqual(alerts)
      }
      // At or below the event's own threshold nothing is missed.
      if (low + more <= 12) expect(above.misses).toBe(0)
    }),
  )
})
