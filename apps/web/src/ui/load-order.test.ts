import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { extrasMayLoad, holdExtras, LONGEST_MS, releaseExtras } from './load-order.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  releaseExtras()
  vi.useRealTimers()
})

/** Whether extras that ask now have been let through after `ms`. */
async function through(ms = 0): Promise<boolean> {
  let letIn = false
  void extrasMayLoad().then(() => {
    letIn = true
  })
  await vi.advanceTimersByTimeAsync(ms)
  return letIn
}

test('a screen that holds nothing makes nobody wait', async () => {
  expect(await through()).toBe(true)
})

test('extras wait for the first thing, however slow, and come at once when it is there', async () => {
  holdExtras()
  expect(await through(10_000)).toBe(false)
  releaseExtras()
  expect(await through()).toBe(true)
})

test('they come at last when the first thing tells nothing', async () => {
  holdExtras()
  expect(await through(LONGEST_MS)).toBe(true)
})

test('a screen that holds again does not leave behind who waits for the one before', async () => {
  holdExtras()
  const before = through()
  holdExtras()
  expect(await before).toBe(true)
  expect(await through()).toBe(false)
})
