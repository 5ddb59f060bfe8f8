import { expect, test } from 'vitest'
import { hasPainting, isWorthKeeping, packCells, unpackCells } from './drafts.ts'
import { INITIAL_FORM } from './state.ts'

test('painted cells come out of a draft as they went in', () => {
  const cells = [
    { i: 0, j: 1999, value: 7 },
    { i: 1999, j: 0, value: -1 },
  ]
  expect(unpackCells(packCells(cells))).toEqual(cells)
  expect(unpackCells(packCells([]))).toEqual([])
})

test('a draft is worth keeping with a title or something painted, until the form was sent', () => {
  expect(isWorthKeeping(INITIAL_FORM)).toBe(false)
  expect(isWorthKeeping({ ...INITIAL_FORM, title: ' ' })).toBe(false)
  expect(isWorthKeeping({ ...INITIAL_FORM, title: 'Essai' })).toBe(true)
  expect(isWorthKeeping({ ...INITIAL_FORM, title: 'Essai', jobId: 'j' })).toBe(false)
  const cells = [{ i: 0, j: 0, value: 1 }]
  expect(hasPainting({ ...INITIAL_FORM, stage: 'grid', unsaved: cells })).toBe(true)
  expect(hasPainting({ ...INITIAL_FORM, stage: 'saved', luseUpdates: cells })).toBe(true)
  expect(hasPainting({ ...INITIAL_FORM, stage: 'grid', unsaved: [] })).toBe(false)
  // Without edit mode nothing of it is simulated.
  expect(hasPainting({ ...INITIAL_FORM, stage: 'off', luseUpdates: cells })).toBe(false)
})
