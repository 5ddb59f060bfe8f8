import { expect, test } from 'vitest'
import { LATER_SCREENS } from './later-screens.ts'
import { SCREENS } from './screens.ts'

test('every screen comes from somewhere, and what comes later is a screen', () => {
  const later = SCREENS.filter(({ load }) => load === undefined).map(({ path }) => path)
  expect(later.sort()).toEqual(Object.keys(LATER_SCREENS).sort())
})
