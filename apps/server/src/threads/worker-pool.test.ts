import { FormatError } from '@radx/contracts'
import { afterEach, describe, expect, test } from 'vitest'
import { toWireError, WorkerFailure, WorkerPool } from './worker-pool.ts'

/** Does what it is told: answer, hang, die, throw a catalogued error. */
const SCRIPT = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId, workerData } from 'node:worker_threads'
    parentPort.on('message', ({ id, message }) => {
      if (message.do === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      if (message.do === 'die') process.exit(3)
      if (message.do === 'throw') return parentPort.postMessage({ id, error: message.error })
      parentPort.postMessage({ id, result: { threadId, workerData, said: message.say } })
    })
  `)}`,
)

describe('worker pool', () => {
  let pool: WorkerPool
  afterEach(() => pool.close())
  const say = (text: string) =>
    pool.run<{ threadId: number; workerData: string; said: string }>({ do: 'say', say: text })

  test('tasks are shared among as many threads as there may be, and each gets its own answer', async () => {
    pool = new WorkerPool(SCRIPT, 'data', 2)
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(say))
    expect(answers.map(({ said }) => said)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(new Set(answers.map(({ threadId }) => threadId)).size).toBeLessThanOrEqual(2)
    expect(answers[0].workerData).toBe('data')
  })

  test('an urgent task goes ahead of what waits', async () => {
    pool = new WorkerPool(SCRIPT, null, 1)
    const order: string[] = []
    const note = (text: string, urgent = false) =>
      pool.run({ do: 'say', say: text }, urgent).then(() => order.push(text))
    await Promise.all([note('under way'), note('waits'), note('waits too'), note('urgent', true)])
    expect(order).toEqual(['under way', 'urgent', 'waits', 'waits too'])
  })

  test.each([
    // Long enough for a thread to start on a busy machine.
    ['hangs', { do: 'hang' }, 'thread.timeout', 4_000],
    ['dies', { do: 'die' }, 'thread.crash', undefined],
  ])('a task that %s fails alone and its thread is replaced', async (_, message, code, limitMs) => {
    pool = new WorkerPool(SCRIPT, null, 1, limitMs)
    const [first, bad, last] = await Promise.allSettled([say('before'), pool.run(message), say('after')])
    expect(first).toMatchObject({ status: 'fulfilled', value: { said: 'before' } })
    expect(bad).toMatchObject({ status: 'rejected', reason: { code, status: 422 } })
    expect(last).toMatchObject({ status: 'fulfilled', value: { said: 'after' } })
  })

  test('catalogued errors keep their code, status, message and facts on the way', async () => {
    pool = new WorkerPool(SCRIPT, null, 1)
    const error = toWireError(new FormatError('rainbow5.truncated', 'Coupé.', { details: { at: 5 } }))
    await expect(pool.run({ do: 'throw', error })).rejects.toMatchObject({
      code: 'rainbow5.truncated',
      status: 422,
      message: 'Coupé.',
      details: { at: 5 },
    })
    const full = toWireError(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
    await expect(pool.run({ do: 'throw', error: full })).rejects.toMatchObject({ code: 'ENOSPC' })
  })

  test('a closed pool refuses what waits and what comes', async () => {
    pool = new WorkerPool(SCRIPT, null, 1)
    const waiting = pool.run({ do: 'hang' })
    const closing = pool.close()
    await expect(waiting).rejects.toThrow(WorkerFailure)
    await expect(say('late')).rejects.toThrow(WorkerFailure)
    await closing
  })
})
