import { describe, expect, test } from 'vitest'
import {
  anchorOf,
  chooseCatchment,
  chooseDay,
  chooseHour,
  chooseRange,
  chosenPeriod,
  clearDates,
  initialSelection,
  markHour,
  type Selection,
  stepBack,
  withoutUnknown,
} from './selection.ts'

const dayOf = (instant: string) => instant.slice(0, 10)
const empty = initialSelection('2026-06')
const H = (day: number, time: string) => `2026-06-${String(day).padStart(2, '0')}T${time}:00Z`

function run(...steps: ((s: Selection) => Selection)[]): Selection {
  return steps.reduce((s, step) => step(s), empty)
}
const day = (d: number) => (s: Selection) =>
  chooseDay(s, `2026-06-${String(d).padStart(2, '0')}`, dayOf).selection
const hour = (d: number, time: string) => (s: Selection) => chooseHour(s, H(d, time)).selection

describe('selection of a period', () => {
  test('[ANA-26] [ANA-27] [ANA-29] starts with dpsri, Melun and no date', () => {
    expect(empty).toMatchObject({
      selectedProduct: 'dpsri',
      catchment: 'melun',
      subcatchment: null,
      selectionDates: { start: { date: null, setHour: false }, end: { date: null, setHour: false } },
    })
  })

  test('a drawn stretch takes the place of what was chosen; from a marker it moves that end', () => {
    const drawn = chooseRange(run(hour(1, '08:00')), H(4, '12:00'), H(4, '09:00'))
    expect(chosenPeriod(drawn)).toEqual({ s: H(4, '09:00'), e: H(4, '12:00') })
    expect(anchorOf(drawn, H(4, '09:00'))).toBe(H(4, '12:00'))
    expect(anchorOf(drawn, H(4, '12:00'))).toBe(H(4, '09:00'))
    expect(anchorOf(drawn, H(4, '10:00'))).toBe(H(4, '10:00'))
    expect(anchorOf(run(hour(4, '09:00')), H(4, '09:00'))).toBe(H(4, '09:00'))
  })

  test('[ANA-36] a day becomes the start day until a start hour is set', () => {
    expect(run(day(4)).selectionDates.start).toEqual({ date: '2026-06-04', setHour: false })
    expect(run(day(4), day(2)).selectionDates.start).toEqual({ date: '2026-06-02', setHour: false })
    expect(run(day(4), day(2)).activeDay).toBe('2026-06-02')
  })

  test('[ANA-37] a day after a set start hour becomes the end; before it, or with the end set, it does not', () => {
    const started = run(day(4), hour(4, '10:00'))
    expect(chooseDay(started, '2026-06-06', dayOf).selection.selectionDates.end).toEqual({
      date: '2026-06-06',
      setHour: false,
    })
    expect(chooseDay(started, '2026-06-04', dayOf).selection.selectionDates.end.date).toBe('2026-06-04')
    expect(chooseDay(started, '2026-06-03', dayOf)).toEqual({ selection: started, refusal: 'dayBeforeStart' })
    const complete = run(day(4), hour(4, '10:00'), hour(4, '12:00'))
    const later = chooseDay(complete, '2026-06-08', dayOf)
    expect(later.selection.selectionDates).toEqual(complete.selectionDates)
    expect(later.refusal).toBe('complete')
  })

  test('[ANA-38] the first hour chosen is the start', () => {
    expect(run(day(4), hour(4, '10:00')).selectionDates.start).toEqual({ date: H(4, '10:00'), setHour: true })
  })

  test('[ANA-39] the second is the end, unless it lies before the start or the end is set', () => {
    const started = run(day(4), hour(4, '10:00'))
    expect(chooseHour(started, H(4, '09:00'))).toEqual({ selection: started, refusal: 'hourBeforeStart' })
    const done = chooseHour(started, H(4, '12:00')).selection
    expect(done.selectionDates.end).toEqual({ date: H(4, '12:00'), setHour: true })
    expect(chooseHour(done, H(4, '13:00'))).toEqual({ selection: done, refusal: 'complete' })
    expect(chosenPeriod(done)).toEqual({ s: H(4, '10:00'), e: H(4, '12:00') })
    expect(chosenPeriod(started)).toBeNull()
  })

  test('[ANA-40] [ANA-41] stepping back frees the end hour first, then the start hour', () => {
    const done = run(day(4), hour(4, '10:00'), hour(4, '12:00'))
    const once = stepBack(done)
    expect(once.selectionDates.end.setHour).toBe(false)
    expect(once.selectionDates.start.setHour).toBe(true)
    const twice = stepBack(once)
    expect(twice.selectionDates.start.setHour).toBe(false)
    expect(chooseHour(twice, H(4, '08:00')).selection.selectionDates.start.date).toBe(H(4, '08:00'))
  })

  test('[ANA-42] deleting clears every date and keeps the place', () => {
    const cleared = clearDates(run(day(4), hour(4, '10:00'), hour(4, '12:00')))
    expect(cleared.selectionDates).toEqual(empty.selectionDates)
    expect(cleared.catchment).toBe('melun')
  })

  test('[ANA-43] [ANA-44] hours are marked start, end, selected or unselectable', () => {
    const done = run(day(4), hour(4, '10:00'), hour(4, '12:00'))
    expect(['09:00', '10:00', '11:00', '12:00', '13:00'].map((t) => markHour(done, H(4, t)))).toEqual([
      'unselectable',
      'markerStart',
      'selected',
      'markerEnd',
      'unselectable',
    ])
    const started = run(day(4), hour(4, '10:00'))
    expect(['09:00', '10:00', '11:00'].map((t) => markHour(started, H(4, t)))).toEqual([
      'unselectable',
      'markerStart',
      null,
    ])
    expect(markHour(empty, H(4, '09:00'))).toBeNull()
  })

  test('[ANA-55] hours outside the allowed range cannot be chosen', () => {
    const allowed = { from: H(4, '09:10'), to: H(4, '11:50') }
    expect(['09:00', '09:10', '11:50', '12:00'].map((t) => markHour(empty, H(4, t), allowed))).toEqual([
      'unselectable',
      null,
      null,
      'unselectable',
    ])
  })

  test('[ANA-52] choosing the same catchment or sub-catchment again deselects it', () => {
    expect(chooseCatchment(empty, 'melun').catchment).toBeNull()
    const sub = chooseCatchment(empty, 'melun', 'melun-rive-droite')
    expect(sub).toMatchObject({ catchment: 'melun', subcatchment: 'melun-rive-droite' })
    expect(chooseCatchment(sub, 'melun', 'melun-rive-droite')).toMatchObject({
      catchment: 'melun',
      subcatchment: null,
    })
    expect(chooseCatchment(sub, 'bievre')).toMatchObject({ catchment: 'bievre', subcatchment: null })
  })
})

describe('a place of the address', () => {
  const areas = [
    { key: 'melun', parent: null },
    { key: 'rive', parent: 'melun' },
  ]
  test.each([
    [{ catchment: 'melun', subcatchment: 'rive' }, { catchment: 'melun', subcatchment: 'rive' }, null],
    [{ catchment: null, subcatchment: null }, { catchment: null, subcatchment: null }, null],
    [{ catchment: 'nowhere', subcatchment: 'rive' }, { catchment: null, subcatchment: null }, 'nowhere'],
    [{ catchment: 'rive', subcatchment: null }, { catchment: null, subcatchment: null }, 'rive'],
    [{ catchment: 'melun', subcatchment: 'lac' }, { catchment: 'melun', subcatchment: null }, 'lac'],
  ])('%o is taken as %o', (asked, taken, unknown) => {
    const { selection, unknown: named } = withoutUnknown({ ...empty, ...asked }, areas)
    expect(selection).toEqual({ ...empty, ...taken })
    expect(named).toBe(unknown)
  })
})
