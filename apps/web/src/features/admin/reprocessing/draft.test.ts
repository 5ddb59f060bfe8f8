import { expect, test } from 'vitest'
import { horizonText, NO_CHANGE, parametersOf } from './draft.ts'

test('an empty field stays the site’s, and what is filled in is sent', () => {
  expect(parametersOf(NO_CHANGE)).toEqual({})
  expect(
    parametersOf({
      ...NO_CHANGE,
      alpha: 0.4,
      sweeps: 2,
      rainA: 40,
      rainB: 0.8,
      noPhase: 'kraemer',
      noHorizon: true,
    }),
  ).toEqual({ alpha: 0.4, sweeps: 2, rainOfA: { a: 40, b: 0.8 }, noPhase: 'kraemer', horizon: [] })
})

test('half of a rain law is none', () => {
  expect(parametersOf({ ...NO_CHANGE, rainA: 40 })).toBeNull()
  expect(parametersOf({ ...NO_CHANGE, rainB: 0.8 })).toBeNull()
})

test('obstacles are sent line by line; the site’s own come back as they were; a wrong line holds the order', () => {
  const horizon = [
    { fromDeg: 350, toDeg: 10.5, distanceKm: 2, topDeg: 0.8 },
    { fromDeg: 90, toDeg: 100, distanceKm: 0.4, topDeg: -0.2 },
  ]
  expect(parametersOf({ ...NO_CHANGE, horizon: `\n${horizonText(horizon)}\n` })).toEqual({ horizon })
  expect(parametersOf({ ...NO_CHANGE, horizon: '1 2 3 4', noHorizon: true })).toEqual({ horizon: [] })
  for (const wrong of ['1 2 3', '1 2 3 4 5', '0 400 2 1', '0 90 2 a', '0 90 -1 1', '0 90 2 99'])
    expect(parametersOf({ ...NO_CHANGE, horizon: wrong }), wrong).toBeNull()
})
