import { expect, test } from 'vitest'
import { Gate } from './gate.ts'

const BUSY = { code: 'request.busy', message: 'Plus tard.' } as const

/** A gate of one place that is taken, and what gives it free. */
function taken(queueLimit: number) {
  const gate = new Gate(1, queueLimit, BUSY)
  const first = Promise.withResolvers<void>()
  const done = gate.run(() => first.promise)
  const free = () => {
    first.resolve()
    return done
  }
  return { gate, free }
}

test('the lowest rank is next, and whoever came first among equals', async () => {
  const { gate, free } = taken(10)
  const order: string[] = []
  const all = [
    ['late', 5],
    ['a', 1],
    ['b', 1],
    ['known', -1],
  ].map(([name, rank]) => gate.run(async () => void order.push(name as string), rank as number))
  await free()
  await Promise.all(all)
  expect(order).toEqual(['known', 'a', 'b', 'late'])
})

test('a full queue refuses the highest rank, whoever that is', async () => {
  const { gate, free } = taken(2)
  const busy = { code: 'request.busy', status: 503 }
  const ran: string[] = []
  const low = gate.run(async () => void ran.push('low'), 1)
  const high = gate.run(async () => void ran.push('high'), 9)
  const refused = expect(high).rejects.toMatchObject(busy)
  const known = gate.run(async () => void ran.push('known'), 0)
  await expect(gate.run(async () => void ran.push('another'), 9)).rejects.toMatchObject(busy)
  await refused
  await free()
  await Promise.all([low, known])
  expect(ran).toEqual(['known', 'low'])
})

test('a task that fails gives its place on', async () => {
  const gate = new Gate(1, 5, BUSY)
  const failing = gate.run(() => Promise.reject(new Error('no')))
  const next = gate.run(async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
  expect(await gate.run(async () => 'again')).toBe('again')
})
