import type { ArchiveResponse } from '@radx/contracts/radar'
import { expect, test } from 'vitest'
import { type ArchiveAction, archiveReducer, EMPTY_ARCHIVE } from './state.ts'

const archive = {
  images: [0, 1, 2].map((k) => ({ datetime: `2021-07-04T15:5${k}:00Z` })),
  taranis: null,
  mrr: { latest: null },
  cumulated: { zoneMm: [0, 0, 0], catchmentMm: null, missingSeconds: 0 },
  gaps: [],
} as unknown as ArchiveResponse
const run = (...actions: ArchiveAction[]) => actions.reduce(archiveReducer, EMPTY_ARCHIVE)
const loaded: ArchiveAction = { type: 'succeeded', archive }
const failure = { code: 408, statusText: 'Time out', message: 'late' }

test('[ANA-30] [ANA-35] a load goes loading, then images, or an error without images', () => {
  expect(run({ type: 'requested' })).toEqual({ ...EMPTY_ARCHIVE, loading: true })
  expect(run({ type: 'requested' }, loaded)).toEqual({ ...EMPTY_ARCHIVE, ...archive })
  expect(run({ type: 'requested' }, { type: 'failed', error: failure })).toEqual({
    ...EMPTY_ARCHIVE,
    error: failure,
  })
})

test('[ANA-33] the player plays, pauses, wraps after the last frame and is killed', () => {
  expect(run(loaded, { type: 'played' }).playing).toBe(true)
  expect(run(loaded, { type: 'played' }, { type: 'paused' }).playing).toBe(false)
  const last = run(loaded, { type: 'chosen', counter: 2 })
  expect(archiveReducer(last, { type: 'advanced' }).counter).toBe(0)
  expect(archiveReducer(last, { type: 'killed' })).toEqual(EMPTY_ARCHIVE)
})

test('a frame out of range changes nothing, and without images nothing plays', () => {
  const one = run(loaded, { type: 'chosen', counter: 1 })
  for (const counter of [-1, 3, 0.5, Number.NaN])
    expect(archiveReducer(one, { type: 'chosen', counter })).toBe(one)
  expect(run({ type: 'played' }).playing).toBe(false)
  expect(run({ type: 'advanced' }).counter).toBe(0)
})
