import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { Answers } from './answers.ts'

const catchments = { collection: () => ({ type: 'FeatureCollection', features: [] }) }
const asker = (ip: string) => ({ ip, session: null }) as unknown as FastifyRequest

test('who has more under way than the line takes of one is refused before anything is looked up', async () => {
  const answers = new Answers({ catchments } as never)
  const { promise: lookedUp, resolve: goOn } = Promise.withResolvers<void>()
  let begun = 0
  const ask = (ip: string) =>
    answers
      .prepare(asker(ip), () => {
        begun++
        return lookedUp
      })
      .then(
        () => 200,
        ({ status }) => status as number,
      )
  const greedy = Array.from({ length: 400 }, () => ask('10.0.0.1'))
  const modest = ask('10.0.0.2')
  expect(begun).toBe(33)
  goOn()
  expect(await modest).toBe(200)
  const statuses = await Promise.all(greedy)
  expect(statuses.filter((status) => status === 200)).toHaveLength(32)
  expect(statuses.filter((status) => status === 429)).toHaveLength(368)
  expect(await ask('10.0.0.1'), 'the places are free again').toBe(200)
  await answers.close()
})
