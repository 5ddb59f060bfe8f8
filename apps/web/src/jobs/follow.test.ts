import type { JobProgress } from '@radx/contracts/jobs'
import { expect, test } from 'vitest'
import { addMessage, NO_FOLLOW } from './follow.ts'

const progress = (value: number, msg: string): JobProgress => ({
  jobId: 'j',
  status: 'running',
  value,
  max: 100,
  msg,
  msgDate: `2026-01-01T00:00:0${value % 10}Z`,
})

test('[JOB-05] messages of a job add up, and one that comes twice counts once', () => {
  const heard = [progress(1, 'a'), progress(1, 'a'), progress(2, 'b'), progress(3, '')].reduce(addMessage, {
    ...NO_FOLLOW,
    error: 'connect_error: x',
  })
  expect(heard.messages.map(({ text }) => text)).toEqual(['a', 'b'])
  expect(heard.progress?.value).toBe(3)
  expect(heard.error).toBeNull()
})
