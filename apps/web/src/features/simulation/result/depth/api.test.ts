import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { chunkQuery, forgetFarChunks } from './api.ts'

test('of two days of depths only the chunks around the moment stay, and the first', () => {
  const client = new QueryClient()
  for (const job of ['a', 'b'])
    for (let chunk = 0; chunk < 25; chunk++)
      client.setQueryData(chunkQuery('depth', job, chunk, 24).queryKey, Uint16Array.of(chunk))
  forgetFarChunks(client, 'depth', 'a', 12)
  const left = (job: string) =>
    client
      .getQueryCache()
      .findAll({ queryKey: ['frames-chunk', 'depth', job] })
      .map(({ queryKey }) => queryKey[3])
  expect(left('a')).toEqual([0, 10, 11, 12, 13, 14])
  expect(left('b')).toHaveLength(25)
  client.clear()
})
