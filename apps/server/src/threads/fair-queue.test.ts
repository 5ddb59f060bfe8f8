import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const LIMITS = { running: 3, runningOfUser: 2, waiting: 12, waitingOfUser: 5 }

/** A queue whose works end when they are told to, and a note of who began in what order. */
function watched(limits = LIMITS) {
  const queue = new FairQueue(limits)
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const ask = (user: string, key: string, gone?: AbortSignal) =>
    queue.run(
      user,
      key,
      () => {
        begun.push(key)
        return new Promise<string>((resolve, reject) =>
          ends.set(key, (error) => (error ? reject(error) : resolve(`result of ${key}`))),
        )
      },
      gone,
    )
  const end = async (key: string, error?: Error) => {
    ends.get(key)!(error)
    await new Promise((turn) => setImmediate(turn))
  }
  return { queue, begun, ask, end }
}
const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    ({ status }) => status as number,
  )

describe('fair queue', () => {
  test('a user has two works running at most, others begin beside them and in turn', async () => {
    const { begun, ask, end } = watched()
    for (const k of [1, 2, 3, 4]) void ask('anne', `a${k}`)
    expect(begun).toEqual(['a1', 'a2'])
    for (const k of [1, 2, 3]) void ask('bruno', `b${k}`)
    void ask('carole', 'c1')
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    await end('a1')
    await end('a2')
    await end('b1')
    expect(begun.slice(3).sort()).toEqual(['a3', 'b2', 'c1'])
  })

  test('beyond its part of the line a user is refused with 429, the others are not', async () => {
    const { ask } = watched()
    for (const k of [1, 2, 3, 4, 5, 6, 7]) void ask('anne', `a${k}`)
    expect(await statusOf(ask('anne', 'a8'))).toBe(429)
    for (const user of ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) void ask(user, `of ${user}`)
    expect(await statusOf(ask('j', 'the line of everyone is full'))).toBe(429)
  })

  test('a caller who has gone before the call begins nothing and holds nobody up', async () => {
    const { queue, begun, ask, end } = watched()
    const gone = new AbortController()
    gone.abort()
    // Whose socket is closed has no address either.
    for (const user of ['anne', undefined as unknown as string])
      expect(await statusOf(ask(user, `late ${user}`, gone.signal))).toBe(429)
    void ask(undefined as unknown as string, 'of nobody')
    void ask('bruno', 'b1')
    expect(begun).toEqual(['of nobody', 'b1'])
    await end('of nobody')
    await end('b1')
    void ask('bruno', 'b2')
    expect([begun.at(-1), queue.waiting]).toEqual(['b2', 0])
  })

  test('the same work is done once for all who ask, and begins in the line that comes first', async () => {
    const { begun, ask, end } = watched()
    for (const k of [1, 2, 3]) void ask('anne', `a${k}`)
    const [first, second] = [ask('anne', 'same'), ask('bruno', 'same')]
    expect(begun).toEqual(['a1', 'a2', 'same'])
    const third = ask('carole', 'same')
    await end('same')
    expect(await Promise.all([first, second, third])).toEqual(Array(3).fill('result of same'))
    expect(begun.filter((key) => key === 'same')).toHaveLength(1)
    void ask('anne', 'same')
    await end('a1')
    await end('a2')
    expect(
      begun.filter((key) => key === 'same'),
      'asked for later it is done anew',
    ).toHaveLength(2)
  })

  test('a failure reaches all who wait and holds nothing up', async () => {
    const { begun, ask, end } = watched()
    const calls = [ask('anne', 'x'), ask('bruno', 'x')].map((call) => call.catch((error) => error.message))
    await end('x', new Error('broken'))
    expect(await Promise.all(calls)).toEqual(['broken', 'broken'])
    void ask('anne', 'y')
    expect(begun).toEqual(['x', 'y'])
  })

  test('what nobody waits for any more is not begun', async () => {
    const { queue, begun, ask, end } = watched()
    for (const k of [1, 2]) void ask('anne', `a${k}`)
    const left = new AbortController()
    void ask('anne', 'gone', left.signal).catch(() => undefined)
    void ask('anne', 'kept')
    left.abort()
    expect(queue.waiting).toBe(1)
    const again = new AbortController()
    void ask('anne', 'kept', again.signal)
    again.abort()
    expect(queue.waiting, 'who asked twice still waits once').toBe(1)
    await end('a1')
    expect(begun).toEqual(['a1', 'a2', 'kept'])
  })

  test('whatever is asked for, every work that was taken ends and the limits hold', async () => {
    const asked = fc.array(
      fc.record({ user: fc.integer({ min: 0, max: 4 }), key: fc.integer({ min: 0, max: 30 }) }),
      {
        maxLength: 60,
      },
    )
    await fc.assert(
      fc.asyncProperty(asked, async (asks) => {
        const queue = new FairQueue(LIMITS)
        let running = 0
        let most = 0
        const statuses = await Promise.all(
          asks.map(({ user, key }) =>
            statusOf(
              queue.run(String(user), String(key), async () => {
                most = Math.max(most, ++running)
                await new Promise((turn) => setImmediate(turn))
                running--
              }),
            ),
          ),
        )
        expect(statuses.every((status) => status === 200 || status === 429)).toBe(true)
        expect(most).toBeLessThanOrEqual(LIMITS.running)
        expect(queue.waiting).toBe(0)
      }),
      { numRuns: 50 },
    )
  })
})
