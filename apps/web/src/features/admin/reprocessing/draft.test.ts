import { expect, test } from 'vitest'
import { NO_CHANGE, parametersOf } from './draft.ts'

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
