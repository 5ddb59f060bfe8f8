import { expect, test, vi } from 'vitest'
import { FrameCache } from './FrameCache.ts'
import { packRuns } from './packbits.ts'

const grid = {
  product: 'dpsri',
  steps: 4,
  bounds: { ul: { lat: 49, lng: 2 }, lr: { lat: 48, lng: 3 } },
}
const frame = (time: string, value: number) => ({ time, packed: packRuns(new Uint8Array(8).fill(value)) })

test('a frame comes back by its instant, however that is written', () => {
  const store = new FrameCache(grid)
  store.add([frame('2021-07-04T15:50:00Z', 0x12)])
  const out = new Uint8Array(8)
  expect(store.read('2021-07-04T15:50:00.000Z', out)).toBe(true)
  expect([...out]).toEqual(Array(8).fill(0x12))
  expect(store.read('2021-07-04T15:53:26Z', out)).toBe(false)
})

test('frames outside the window are let go, the others stay', () => {
  const store = new FrameCache(grid)
  store.add([frame('2021-07-04T15:50:00Z', 1), frame('2021-07-04T15:53:26Z', 2)])
  store.retain(['2021-07-04T15:53:26Z', '2021-07-04T15:56:52Z'])
  expect([store.size, store.has('2021-07-04T15:50:00Z'), store.has('2021-07-04T15:53:26Z')]).toEqual([
    1,
    false,
    true,
  ])
})

test('listeners hear of frames until they leave', () => {
  const store = new FrameCache(grid)
  const listener = vi.fn()
  const leave = store.subscribe(listener)
  store.add([frame('2021-07-04T15:50:00Z', 1)])
  leave()
  store.add([frame('2021-07-04T15:53:26Z', 1)])
  expect(listener.mock.calls).toEqual([[['2021-07-04T15:50:00Z']]])
})
