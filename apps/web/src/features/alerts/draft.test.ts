import { type AlertRule, alertRuleBodySchema } from '@radx/contracts/alerts'
import { ALERT_KINDS } from '@radx/contracts/alerts-constants'
import { expect, test } from 'vitest'
import { bodyOf, draftOf, emptyDraft, USUAL } from './draft.ts'
import { matches, whereOf } from './where.ts'

const known = { product: 'dpsri', place: 'melun', catchment: 'melun', gauge: 'g1', table: '' }
const empty = emptyDraft(known)

test('a form of each kind makes a body that the server takes, and the rule shows as it was typed', () => {
  for (const kind of ALERT_KINDS)
    for (const place of ['melun', 'melun/nord', 'point']) {
      const draft = {
        ...{ ...empty, ...USUAL[kind], kind, place, name: 'Règle', lat: 48.5, lng: 2.5, cell: 12 },
        ...{ element: 'N1', minutes: 90, escalateMin: 20 },
      }
      const body = bodyOf(draft)!
      expect(alertRuleBodySchema.parse(body)).toMatchObject({ measure: { kind }, escalateMin: 20 })
      const rule = {
        ...body,
        id: '',
        version: 1,
        phase: 'below',
        value: null,
        valueAt: null,
        seen: null,
      } as AlertRule
      expect(bodyOf(draftOf(rule, empty))).toEqual(body)
    }
})

test('nothing is sent while what counts is empty', () => {
  expect(bodyOf(empty)).toBeNull()
  expect(bodyOf({ ...empty, name: 'x', threshold: '' })).toBeNull()
  expect(bodyOf({ ...empty, name: 'x', place: 'point' })).toBeNull()
  expect(bodyOf({ ...empty, name: 'x', threshold: '12,5' })).toMatchObject({
    threshold: 12.5,
    escalateMin: null,
  })
})

test('a link from the forecast opens the form on what was looked at', () => {
  expect(
    emptyDraft(known, { kind: 'flood-node', catchment: 'melun', name: 'N7', title: 'Regard N7' }),
  ).toMatchObject({
    name: 'Regard N7',
    kind: 'flood-node',
    element: 'N7',
    ...USUAL['flood-node'],
  })
  expect(emptyDraft(known, { kind: 'nonsense', catchment: null, name: null }).kind).toBe('rain-rate')
})

test('a rule is found by its words, in any case and without accents, and what it looks at is told by name', () => {
  const choices = {
    places: [
      { value: 'melun', label: 'Melun' },
      { value: 'melun/nord', label: 'Melun nord' },
    ],
    catchments: [{ value: 'melun', label: 'Melun' }],
    products: [{ value: 'dpsri', label: 'Lame d’eau' }],
    gauges: [{ value: 'g1', label: 'Pluviomètre de la gare' }],
  }
  const wheres = ALERT_KINDS.map((kind) => {
    const draft = {
      ...empty,
      ...USUAL[kind],
      kind,
      name: 'Règle',
      lat: 48.5,
      lng: 2.5,
      cell: 12,
      element: 'N1',
    }
    return whereOf(bodyOf({ ...draft, place: 'melun/nord' })!.measure, choices)
  })
  expect(wheres).toEqual(
    [
      ...['Melun nord', 'Melun nord', 'Melun nord', '48,5000 N, 2,5000 E', 'maille 12, Melun'],
      ...['N1, Melun', 'N1, Melun', 'Lame d’eau', 'Pluviomètre de la gare', 'Melun'],
    ].map((text) => expect.stringMatching(new RegExp(`^${text.replaceAll(' ', '\\s')}$`))),
  )
  const measure = bodyOf({ ...empty, name: 'x', place: 'gone' })!.measure
  expect(whereOf(measure, choices)).toBe('gone')
  const rule = { name: 'Préfecture', measure, phase: 'below' as const }
  expect(matches(rule, 'Melun nord', '')).toBe(true)
  expect(matches(rule, 'Melun nord', 'NORD prefecture  intensite')).toBe(true)
  expect(matches(rule, 'Melun nord', 'prefecture sud')).toBe(false)
})
