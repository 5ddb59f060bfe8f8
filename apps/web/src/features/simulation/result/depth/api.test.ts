import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { depthChunkQuery, forgetFarChunks } from './api.ts'

test('of two days of depths only the chunks around the moment stay, and the first', () => {
  const client = new QueryClient()
  for (const job of ['a', 'b'])
    for (let chunk = 0; chunk < 25; chunk++)
      client.setQueryData(depthChunkQuery(job, chunk, 24).queryKey, Uint16Array.of(chunk))
  forgetFarChunks(client, 'a', 12)
  const left = (job: string) =>
    client
      .getQueryCache()
      .findAll({ queryKey: ['depth-chunk', job] })
      .map(({ queryKey }) => queryKey[2])
  expect(left('a')).toEqual([0, 10, 11, 12, 13, 14])
  expect(left('b')).toHaveLength(25)
  client.clear()
})
