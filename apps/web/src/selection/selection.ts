/**
 * The period and place that an analysis looks at, as pure transitions (spec 1 §3 "Selection state",
 * §4 "Date selection" and "Catchment selection"). Days are local civil days `YYYY-MM-DD`, moments are
 * UTC instants in ISO 8601 with Z; which local day a moment belongs to is told by the caller, because
 * only the site knows its time zone.
 */
import { DEFAULT_CATCHMENT, DEFAULT_PRODUCT } from '@radx/contracts/constants'

export interface SelectionDate {
  /** Instant of the chosen frame once `setHour`, before that the civil day; null when nothing is chosen. */
  date: string | null
  setHour: boolean
}

export interface Selection {
  selectedProduct: string
  selectionDates: { start: SelectionDate; end: SelectionDate }
  /** Month that the calendar shows, `YYYY-MM`. */
  dateCursor: string
  /** Day whose hours are listed. */
  activeDay: string | null
  catchment: string | null
  subcatchment: string | null
}

/** Why a click on a day or an hour did not do what one might expect; shown as a hint. */
export type Refusal = 'dayBeforeStart' | 'hourBeforeStart' | 'complete'

export interface Step {
  selection: Selection
  refusal: Refusal | null
}

const NOTHING: SelectionDate = { date: null, setHour: false }

export function initialSelection(month: string): Selection {
  return {
    selectedProduct: DEFAULT_PRODUCT,
    selectionDates: { start: NOTHING, end: NOTHING },
    dateCursor: month,
    activeDay: null,
    catchment: DEFAULT_CATCHMENT,
    subcatchment: null,
  }
}

const withDates = (selection: Selection, dates: Partial<Selection['selectionDates']>): Selection => ({
  ...selection,
  selectionDates: { ...selection.selectionDates, ...dates },
})

/** A click on a day of the calendar; `dayOf` gives the local day of an instant. */
export function chooseDay(selection: Selection, day: string, dayOf: (instant: string) => string): Step {
  const { start, end } = selection.selectionDates
  const shown = { ...selection, activeDay: day }
  if (!start.setHour)
    return { selection: withDates(shown, { start: { date: day, setHour: false } }), refusal: null }
  // The hours of any day may be looked at; only the choice is refused.
  if (end.setHour) return { selection: shown, refusal: 'complete' }
  if (start.date !== null && day < dayOf(start.date)) return { selection, refusal: 'dayBeforeStart' }
  return { selection: withDates(shown, { end: { date: day, setHour: false } }), refusal: null }
}

/** A click on a row of the hours table. */
export function chooseHour(selection: Selection, instant: string): Step {
  const { start, end } = selection.selectionDates
  if (!start.setHour)
    return { selection: withDates(selection, { start: { date: instant, setHour: true } }), refusal: null }
  if (end.setHour) return { selection, refusal: 'complete' }
  if (start.date !== null && Date.parse(instant) < Date.parse(start.date))
    return { selection, refusal: 'hourBeforeStart' }
  return { selection: withDates(selection, { end: { date: instant, setHour: true } }), refusal: null }
}

/** A stretch drawn over the hours takes the place of what was chosen, whichever end came first. */
export function chooseRange(selection: Selection, one: string, other: string): Selection {
  const [start, end] = Date.parse(one) <= Date.parse(other) ? [one, other] : [other, one]
  return withDates(selection, { start: { date: start, setHour: true }, end: { date: end, setHour: true } })
}

/** The end that stays when a stretch is drawn from an instant: a marker is moved, anything else begins anew. */
export function anchorOf(selection: Selection, pressed: string): string {
  const { start, end } = selection.selectionDates
  if (!start.setHour || !end.setHour || start.date === null || end.date === null) return pressed
  const t = Date.parse(pressed)
  if (t === Date.parse(start.date)) return end.date
  return t === Date.parse(end.date) ? start.date : pressed
}

/** Takes the last choice back: the end's hour when it is set, otherwise the start's. */
export function stepBack(selection: Selection): Selection {
  const { start, end } = selection.selectionDates
  if (end.setHour) return withDates(selection, { end: { ...end, setHour: false } })
  return withDates(selection, { start: { ...start, setHour: false }, end: NOTHING })
}

/** The delete button: every date goes, the place stays. */
export function clearDates(selection: Selection): Selection {
  return { ...withDates(selection, { start: NOTHING, end: NOTHING }), activeDay: null }
}

/** Choosing what is chosen already lets it go again. */
export function chooseCatchment(
  selection: Selection,
  catchment: string,
  subcatchment: string | null = null,
): Selection {
  const same = selection.catchment === catchment && selection.subcatchment === subcatchment
  if (!same) return { ...selection, catchment, subcatchment }
  // A second click on a sub-catchment leaves its parent chosen.
  return subcatchment === null
    ? { ...selection, catchment: null, subcatchment: null }
    : { ...selection, subcatchment: null }
}

/**
 * The selection without a place that there is none of, as an old or mistyped address may name one, and its key.
 * @param areas every catchment and part
 */
export function withoutUnknown(
  selection: Selection,
  areas: readonly { key: string; parent: string | null }[],
): { selection: Selection; unknown: string | null } {
  const { catchment, subcatchment } = selection
  const has = (key: string, parent: string | null) =>
    areas.some((area) => area.key === key && area.parent === parent)
  if (catchment !== null && !has(catchment, null))
    return { selection: { ...selection, catchment: null, subcatchment: null }, unknown: catchment }
  if (subcatchment !== null && !has(subcatchment, catchment))
    return { selection: { ...selection, subcatchment: null }, unknown: subcatchment }
  return { selection, unknown: null }
}

export type HourMark = 'markerStart' | 'markerEnd' | 'selected' | 'unselectable' | null

/** How a row of the hours table is marked. `allowed` is the account's range, null ends are open. */
export function markHour(
  selection: Selection,
  instant: string,
  allowed: { from: string | null; to: string | null } = { from: null, to: null },
): HourMark {
  const { start, end } = selection.selectionDates
  const t = Date.parse(instant)
  if (allowed.from !== null && t < Date.parse(allowed.from)) return 'unselectable'
  if (allowed.to !== null && t > Date.parse(allowed.to)) return 'unselectable'
  if (!start.setHour || start.date === null) return null
  const from = Date.parse(start.date)
  if (t === from) return 'markerStart'
  if (t < from) return 'unselectable'
  if (!end.setHour || end.date === null) return null
  const to = Date.parse(end.date)
  if (t === to) return 'markerEnd'
  return t < to ? 'selected' : 'unselectable'
}

/** The chosen period `[s, e)` once both hours are set. */
export function chosenPeriod(selection: Selection): { s: string; e: string } | null {
  const { start, end } = selection.selectionDates
  return start.setHour && end.setHour && start.date !== null && end.date !== null
    ? { s: start.date, e: end.date }
    : null
}
