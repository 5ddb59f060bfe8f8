import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setSpeed, setTime, startClock, stepClock, togglePlaying, useClock } from './clock.ts'

const now = () => useClock.getState().timeS
let stop = () => {}
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

test('[SWMM-24] [SWMM-29] playing shows a minute every 500 ms until it is paused', () => {
  stop = startClock(600, 0)
  togglePlaying()
  vi.advanceTimersByTime(499)
  expect(now()).toBe(0)
  vi.advanceTimersByTime(1)
  expect(now()).toBe(60)
  vi.advanceTimersByTime(1000)
  expect(now()).toBe(180)
  togglePlaying()
  vi.advanceTimersByTime(5000)
  expect([now(), useClock.getState().playing]).toEqual([180, false])
})

test('a long run can be played faster, evenly, and the pace changes while it plays', () => {
  stop = startClock(172_800, 0)
  setSpeed(5)
  togglePlaying()
  vi.advanceTimersByTime(100)
  expect(now()).toBe(60)
  vi.advanceTimersByTime(900)
  expect(now()).toBe(600)
  setSpeed(20)
  vi.advanceTimersByTime(1000)
  expect([now(), useClock.getState().playing]).toEqual([600 + 40 * 60, true])
  setSpeed(1)
  vi.advanceTimersByTime(500)
  expect(now()).toBe(600 + 41 * 60)
})

test('[SWMM-25] a frame outside the run is the first one', () => {
  stop = startClock(600, 300)
  expect(now()).toBe(300)
  setTime(601)
  expect(now()).toBe(0)
  setTime(-1)
  expect(now()).toBe(0)
  setTime(600)
  stepClock(1)
  expect(now()).toBe(0)
  stop()
  stop = startClock(60, 5000)
  expect(now()).toBe(0)
})

test('a clock without a run does not play', () => {
  stop = startClock(0, 0)
  togglePlaying()
  expect(useClock.getState().playing).toBe(false)
})
