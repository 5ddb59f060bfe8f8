import { AHEAD_DEPTHS_MM } from '@radx/contracts/ahead'
import { NOTIFY_NOBODY } from '@radx/contracts/alert-notices'
import type { AlertMeasure, AlertRule, AlertRuleBody } from '@radx/contracts/alerts'
import { ALERT_KINDS, type AlertKind } from '@radx/contracts/alerts-constants'
import { NOWCAST_CHANCES_MM_H } from '@radx/contracts/nowcast'

/** A rule while it is typed: every field of every kind, as the form shows it. */
export interface Draft {
  name: string
  kind: AlertKind
  product: string
  /** `point`, or a catchment's key, or a catchment's and its part's with a slash. */
  place: string
  lat: number | string
  lng: number | string
  minutes: number | string
  table: string
  aboveMmH: number
  withinMin: number | string
  catchment: string
  cell: number | string
  element: string
  aboveMm: number
  gauge: string
  threshold: number | string
  clear: number | string
  minMinutes: number | string
  severity: AlertRuleBody['severity']
  escalateMin: number | string
  enabled: boolean
  notify: AlertRuleBody['notify']
  /** Quiet hours of the rule's own, as typed; not used while `ownQuiet` is off. */
  quiet: { from: string; to: string }
  ownQuiet: boolean
}

/** A night. */
export const USUAL_QUIET = { from: '22:00', to: '07:00' }

/** Thresholds that a new rule begins with. */
export const USUAL: Record<AlertKind, { threshold: number; clear: number }> = {
  'rain-rate': { threshold: 20, clear: 10 },
  'rain-total': { threshold: 20, clear: 15 },
  'rain-return': { threshold: 2, clear: 1 },
  'rain-chance': { threshold: 60, clear: 40 },
  'flood-cell': { threshold: 50, clear: 30 },
  'flood-node': { threshold: 50, clear: 30 },
  'flood-link': { threshold: 80, clear: 50 },
  'radar-down': { threshold: 15, clear: 15 },
  'gauge-stuck': { threshold: 5, clear: 1 },
  'no-cycle': { threshold: 30, clear: 30 },
}

export const emptyDraft = (
  known: { product: string; place: string; catchment: string; gauge: string; table: string },
  asked: { kind: string | null; catchment: string | null; name: string | null; title?: string | null } = {
    kind: null,
    catchment: null,
    name: null,
  },
): Draft => {
  const kind = ALERT_KINDS.find((one) => one === asked.kind) ?? 'rain-rate'
  return {
    name: asked.title?.slice(0, 100) ?? '',
    kind,
    ...known,
    catchment: asked.catchment ?? known.catchment,
    ...{ lat: '', lng: '', minutes: 60, aboveMmH: NOWCAST_CHANCES_MM_H[1], withinMin: 30 },
    cell: kind === 'flood-cell' ? (asked.name ?? '') : '',
    element: kind === 'flood-cell' ? '' : (asked.name ?? ''),
    aboveMm: AHEAD_DEPTHS_MM[1],
    ...USUAL[kind],
    ...{ minMinutes: 0, severity: 'warning', escalateMin: '', enabled: true },
    ...{ notify: NOTIFY_NOBODY, quiet: USUAL_QUIET, ownQuiet: false },
  }
}

/** A rule as the form shows it. */
export function draftOf(rule: AlertRule, empty: Draft): Draft {
  const { measure, name, threshold, clear, minMinutes, severity, enabled } = rule
  const draft = { ...empty, name, kind: measure.kind, threshold, clear, minMinutes, severity, enabled }
  draft.escalateMin = rule.escalateMin ?? ''
  Object.assign(draft, {
    notify: rule.notify,
    quiet: rule.quiet ?? USUAL_QUIET,
    ownQuiet: rule.quiet !== null,
  })
  if ('product' in measure) draft.product = measure.product
  if ('place' in measure) {
    const { place } = measure
    if (place.kind === 'point') Object.assign(draft, { place: 'point', lat: place.lat, lng: place.lng })
    else draft.place = placeKey(place.catchment, place.subcatchment)
  }
  if ('minutes' in measure) draft.minutes = measure.minutes
  if ('withinMin' in measure) draft.withinMin = measure.withinMin
  if ('catchmentId' in measure) draft.catchment = measure.catchmentId
  if (measure.kind === 'rain-return') draft.table = measure.table ?? ''
  if (measure.kind === 'rain-chance')
    Object.assign(draft, { lat: measure.lat, lng: measure.lng, aboveMmH: measure.aboveMmH })
  if (measure.kind === 'flood-cell') Object.assign(draft, { cell: measure.cell, aboveMm: measure.aboveMm })
  if (measure.kind === 'flood-node' || measure.kind === 'flood-link') draft.element = measure.name
  if (measure.kind === 'gauge-stuck') draft.gauge = measure.gauge
  return draft
}

export const placeKey = (catchment: string, subcatchment: string | null) =>
  subcatchment === null ? catchment : `${catchment}/${subcatchment}`

const numberOf = (value: number | string): number | null => {
  const text = String(value).trim().replace(',', '.')
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : null
}

/** What is sent; null while a field that counts is empty. */
export function bodyOf(draft: Draft, version?: number): AlertRuleBody | null {
  const [threshold, clear, minMinutes] = [draft.threshold, draft.clear, draft.minMinutes].map(numberOf)
  const measure = measureOf(draft)
  const name = draft.name.trim()
  if (measure === null || name === '' || threshold === null || clear === null || minMinutes === null)
    return null
  const { severity, enabled, notify } = draft
  const escalateMin = numberOf(draft.escalateMin)
  const quiet = draft.ownQuiet ? draft.quiet : null
  return {
    ...{ name, measure, threshold, clear, minMinutes, severity, escalateMin, enabled },
    ...{ notify, quiet, version },
  }
}

function measureOf(draft: Draft): AlertMeasure | null {
  const { kind, product, catchment: catchmentId, element: name, gauge } = draft
  const [lat, lng, minutes, withinMin, cell] = [
    draft.lat,
    draft.lng,
    draft.minutes,
    draft.withinMin,
    draft.cell,
  ].map(numberOf)
  switch (kind) {
    case 'rain-rate':
    case 'rain-total':
    case 'rain-return': {
      const [key, part = null] = draft.place.split('/')
      if (draft.place === '' || (key === 'point' && (lat === null || lng === null))) return null
      const place =
        key === 'point'
          ? ({ kind: 'point', lat: lat!, lng: lng! } as const)
          : ({ kind: 'zone', catchment: key, subcatchment: part } as const)
      if (kind === 'rain-rate') return { kind, product, place }
      if (kind === 'rain-return')
        return { kind, product, place, table: draft.table === '' ? null : draft.table }
      return minutes === null ? null : { kind, product, place, minutes }
    }
    case 'rain-chance':
      if (lat === null || lng === null || withinMin === null) return null
      return { kind, lat, lng, aboveMmH: draft.aboveMmH as 3, withinMin }
    case 'flood-cell':
      if (cell === null || withinMin === null || catchmentId === '') return null
      return { kind, catchmentId, cell, aboveMm: draft.aboveMm as 200, withinMin }
    case 'flood-node':
    case 'flood-link':
      return withinMin === null || name === '' || catchmentId === ''
        ? null
        : { kind, catchmentId, name, withinMin }
    case 'radar-down':
      return { kind, product }
    case 'gauge-stuck':
      return minutes === null || gauge === '' ? null : { kind, gauge, minutes }
    case 'no-cycle':
      return catchmentId === '' ? null : { kind, catchmentId }
  }
}
