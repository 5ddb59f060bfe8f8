import { CLASS_NO_DATA } from '@radx/contracts/constants'
import { cellCentre, cellOf } from '@radx/rainfall/grid'
import { expect, test, vi } from 'vitest'
import { FrameCache } from './FrameCache.ts'
import { packRuns } from './packbits.ts'
import { RegriddedFrames } from './RegriddedFrames.ts'

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

test('frames of another product are read by the place of each cell; outside them there is no data', () => {
  // Four cells of a quarter degree, read on four of an eighth that lie over the south-east and beyond.
  const from = { steps: 4, bounds: { ul: { lat: 49, lng: 2 }, lr: { lat: 48, lng: 3 } } }
  const on = { ...grid, steps: 4, bounds: { ul: { lat: 48.5, lng: 2.625 }, lr: { lat: 48, lng: 3.125 } } }
  const store = new RegriddedFrames(from, on)
  const codes = Array.from({ length: 16 }, (_, k) => k % 9)
  const block = Uint8Array.from({ length: 8 }, (_, k) => (codes[2 * k] << 4) | codes[2 * k + 1])
  store.add([{ time: '2021-07-04T15:50:00Z', packed: packRuns(block) }])
  const out = new Uint8Array(8)
  expect(store.read('2021-07-04T15:50:00Z', out)).toBe(true)
  const read = Array.from({ length: 16 }, (_, k) => (k % 2 === 0 ? out[k >> 1] >> 4 : out[k >> 1] & 15))
  const expected = Array.from({ length: 16 }, (_, k) => {
    const cell = cellOf(from, cellCentre(on, Math.floor(k / 4), k % 4))
    return cell ? codes[cell.row * 4 + cell.col] : CLASS_NO_DATA
  })
  expect(read).toEqual(expected)
  expect(read.filter((code) => code === CLASS_NO_DATA)).toHaveLength(4)
  expect(store.read('2021-07-04T15:55:00Z', out)).toBe(false)
})
