import { expect, test } from 'vitest'
import type { FrameStore, PackName, RecordRef } from './frame-store.ts'
import { cutBlocks, FILE_TILE_SIZE, tileFileOf } from './tile-file.ts'
import { TileReader } from './tile-reader.ts'

const STEPS = 40

test('what was read of a file is not read again, and what a further cell needs is', async () => {
  const times = Array.from({ length: 300 }, (_, k) => 1000 * k)
  const frames = times.map((_, k) =>
    Uint16Array.from({ length: STEPS ** 2 }, (_, cell) => (7 * k + 13 * cell) % 5000),
  )
  const { parts, headerCheck } = await tileFileOf(times, STEPS, async (from, to) =>
    cutBlocks(frames.slice(from, to), STEPS),
  )
  const file = Buffer.concat(parts)
  let reads = 0
  const store = {
    read: async (_: PackName, refs: RecordRef[]) => {
      reads += refs.length
      return refs.map(({ offset, length }) => file.subarray(offset, offset + length))
    },
  } as unknown as FrameStore
  const reader = new TileReader(store)
  const name: PackName = { product: 'p', day: '2026-01-01', kind: 'tiles', generation: 1 }
  const row = { frames: times.length, header_check: headerCheck, tile_size: FILE_TILE_SIZE }
  const read = async (cells: { row: number; col: number }[], startMs: number, endMs: number) => {
    const { timesMs, codes } = await reader.columns(name, row, STEPS, cells, { startMs, endMs })
    expect(timesMs).toEqual(times.filter((ms) => ms >= startMs && ms < endMs))
    cells.forEach(({ row, col }, k) => {
      expect(Array.from(codes[k])).toEqual(timesMs.map((ms) => frames[ms / 1000][row * STEPS + col]))
    })
    return reads
  }
  const [here, beside, far] = [
    { row: 3, col: 4 },
    { row: 5, col: 4 },
    { row: 30, col: 35 },
  ]
  const first = await read([here], 0, 300_000)
  expect(first).toBeGreaterThan(1)
  expect(await read([here], 20_000, 290_000)).toBe(first)
  // Both cells lie in the blocks of one tile: they are opened again for the second.
  expect(await read([here, beside], 0, 300_000)).toBe(first + 2)
  expect(await read([far, beside, here, here], 0, 300_000)).toBe(first + 4)
  expect(await read([far, beside, here], 250_000, 300_000)).toBe(first + 4)
})
