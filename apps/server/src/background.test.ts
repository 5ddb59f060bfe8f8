import { expect, test, vi } from 'vitest'
import { keepDoing } from './background.ts'
import { createLogger } from './log.ts'

test('a round that fails is logged and the next one comes, whatever it threw', async () => {
  const stop = new AbortController()
  const log = createLogger('silent')
  const errors = vi.spyOn(log, 'error')
  let rounds = 0
  await keepDoing(
    async () => {
      rounds++
      if (rounds === 1) throw new Error('the database went away')
      if (rounds === 2) return Promise.reject('not even an error')
      stop.abort()
    },
    { signal: stop.signal, pauseMs: 0, log, failed: 'échec', pausesMs: [0] },
  )
  expect(rounds).toBe(3)
  expect(errors).toHaveBeenCalledTimes(2)
})

test('an excused failure is no error of the log, and a stop during a round is no failure', async () => {
  const stop = new AbortController()
  const log = createLogger('silent')
  const errors = vi.spyOn(log, 'error')
  let rounds = 0
  await keepDoing(
    async () => {
      if (++rounds === 2) stop.abort()
      throw new Error('no connection')
    },
    { signal: stop.signal, pauseMs: 0, log, failed: 'échec', excuse: () => 'absente', pausesMs: [0] },
  )
  expect([rounds, errors.mock.calls.length]).toEqual([2, 0])
})
