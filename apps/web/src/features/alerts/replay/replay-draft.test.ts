import { alertReplayBodySchema } from '@radx/contracts/alerts'
import { ALERT_KINDS } from '@radx/contracts/alerts-constants'
import { expect, test } from 'vitest'
import { emptyDraft, USUAL } from '../draft.ts'
import { eventFor, ofKind, replayBody, withThreshold } from './replay-draft.ts'

const known = { product: 'dpsri', place: 'melun', catchment: 'melun', gauge: 'g1', table: '' }
const empty = emptyDraft(known)

test('a rule of any kind, without a name too, makes a trial that the server takes', () => {
  for (const kind of ALERT_KINDS) {
    const rule = { ...empty, ...USUAL[kind], kind, lat: 48.5, lng: 2.5, cell: 12, element: 'N1' }
    const body = replayBody(rule, eventFor(rule), 0, 86_400_000)!
    expect(alertReplayBodySchema.parse(body)).toMatchObject({ rule: { measure: { kind } } })
    const isInstrument = ['radar-down', 'gauge-stuck', 'no-cycle'].includes(kind)
    expect(body.event.measure.kind).toBe(isInstrument ? kind : 'rain-total')
  }
})

test('nothing is sent while the rule, its event or the period lacks something', () => {
  const event = eventFor(empty)
  expect(replayBody(empty, event, 0, null)).toBeNull()
  expect(replayBody({ ...empty, threshold: '' }, event, 0, 1)).toBeNull()
  expect(replayBody(empty, { ...event, windowMin: '' }, 0, 1)).toBeNull()
  expect(replayBody(empty, { ...event, rain: { ...event.rain, threshold: '' } }, 0, 1)).toBeNull()
  expect(replayBody(empty, ofKind(event, 'own'), 0, 1)).toMatchObject({ event: { threshold: 20 } })
})

test('a chosen threshold takes its end along and never below it', () => {
  expect(withThreshold({ ...empty, threshold: 20, clear: 10 }, 30)).toEqual({ threshold: 30, clear: 15 })
  expect(withThreshold({ ...empty, threshold: 15, clear: 15 }, 3.75)).toEqual({
    threshold: 3.75,
    clear: 3.75,
  })
  expect(withThreshold({ ...empty, threshold: 3, clear: '' }, 6)).toEqual({ threshold: 6, clear: 6 })
})
