import type { AlertReplayBody } from '@radx/contracts/alerts'
import type { ALERT_RAIN_KINDS } from '@radx/contracts/alerts-constants'
import { bodyOf, type Draft } from '../draft.ts'

export type EventKind = 'own' | (typeof ALERT_RAIN_KINDS)[number]

/** What a rule is held against while it is typed. */
export interface EventDraft {
  kind: EventKind
  /** Fields of the rain that there was to warn of. */
  rain: Draft
  windowMin: number | string
}

/** Thresholds of rain that is worth a warning. */
const WORTH: Record<(typeof ALERT_RAIN_KINDS)[number], number> = {
  'rain-rate': 20,
  'rain-total': 15,
  'rain-return': 2,
}

export const ofKind = (event: EventDraft, kind: EventKind): EventDraft =>
  kind === 'own'
    ? { ...event, kind }
    : { ...event, kind, rain: { ...event.rain, kind, threshold: WORTH[kind] } }

/** Rain over an hour at the rule's own place; an instrument has only itself. */
export function eventFor(rule: Draft): EventDraft {
  const isInstrument = ['radar-down', 'gauge-stuck', 'no-cycle'].includes(rule.kind)
  const rain = { ...rule, minutes: 60 }
  if (rule.kind === 'rain-chance') rain.place = 'point'
  const event: EventDraft = { kind: 'rain-total', rain, windowMin: 60 }
  return ofKind(event, isInstrument ? 'own' : 'rain-total')
}

/** What is sent; null while something is missing. */
export function replayBody(
  rule: Draft,
  event: EventDraft,
  startMs: number | null,
  endMs: number | null,
): AlertReplayBody | null {
  const body = bodyOf({ ...rule, name: 'x' })
  const windowMin = Number(event.windowMin)
  const against =
    event.kind === 'own'
      ? body
      : bodyOf({ ...event.rain, name: 'x', clear: event.rain.threshold, minMinutes: 0, escalateMin: '' })
  if (body === null || against === null || startMs === null || endMs === null) return null
  if (event.windowMin === '' || !Number.isInteger(windowMin) || windowMin < 0) return null
  const { measure, threshold, clear, minMinutes } = body
  return {
    rule: { measure, threshold, clear, minMinutes },
    start: new Date(startMs).toISOString(),
    end: new Date(endMs).toISOString(),
    event: { measure: against.measure, threshold: against.threshold, windowMin },
  }
}

/** The rule's fields with another threshold; its end keeps its share. */
export function withThreshold(rule: Draft, threshold: number): Pick<Draft, 'threshold' | 'clear'> {
  const share = Number(rule.clear) / Number(rule.threshold)
  const clear = share > 0 && share < 1 ? Number((share * threshold).toPrecision(3)) : threshold
  return { threshold, clear }
}
