import { describe, expect, test } from 'vitest'
import { StoreCorruptError } from './frame-codec.ts'
import { blocksOfCell, buildTileFile, readTileIndex, seriesOfBlock } from './tile-file.ts'

const steps = 47 // three tiles across, the last one 7 cells wide
const count = 300 // two chunks
const start = Date.UTC(2021, 6, 4)
const times = Array.from({ length: count }, (_, k) => start + k * 206_000)
const value = (frame: number, row: number, col: number) =>
  frame % 3 === 0 ? 0 : (frame * 31 + row * 7 + col) % 9 === 0 ? 65_535 : (frame * row + col) % 700
const frames = times.map((_, frame) =>
  frame % 3 === 0
    ? null
    : Uint16Array.from({ length: steps * steps }, (_, i) => value(frame, Math.floor(i / steps), i % steps)),
)

describe('pixel tiles', async () => {
  const file = Buffer.concat(await buildTileFile(times, steps, async (a, b) => frames.slice(a, b)))
  const index = readTileIndex(file)
  const series = (row: number, col: number, from: number, to: number) =>
    blocksOfCell(index, row, col, from, to).flatMap((block) => {
      const codes = seriesOfBlock(block, file.subarray(block.offset, block.offset + block.length))
      return [...codes].map((code, k) => [index.times[block.firstFrame + k], code])
    })

  test.each([
    [0, 0],
    [19, 20],
    [46, 46],
    [40, 3],
  ])('the series of cell %i, %i is what the frames hold', (row, col) => {
    expect(series(row, col, -Infinity, Infinity)).toEqual(
      times.map((time, frame) => [time, value(frame, row, col)]),
    )
  })

  test('only the chunks of the asked period are read', () => {
    expect(blocksOfCell(index, 5, 5, times[256], times[299] + 1).map((b) => b.firstFrame)).toEqual([256])
    expect(blocksOfCell(index, 5, 5, times[0], times[256]).map((b) => b.firstFrame)).toEqual([0])
    expect(blocksOfCell(index, 5, 5, times[299] + 1, Infinity)).toEqual([])
  })

  test('dry tiles take no room', async () => {
    const dry = Buffer.concat(
      await buildTileFile(times, steps, async (a, b) => times.slice(a, b).map(() => null)),
    )
    const dryIndex = readTileIndex(dry)
    const blocks = blocksOfCell(dryIndex, 9, 9, -Infinity, Infinity)
    expect(blocks.map((b) => b.length)).toEqual([0, 0])
    expect(seriesOfBlock(blocks[1], new Uint8Array(0))).toEqual(new Uint16Array(44))
  })

  test('a torn header is refused', () => {
    expect(() => readTileIndex(file.subarray(0, 300))).toThrow(StoreCorruptError)
    expect(() => readTileIndex(Buffer.from('not tiles at all, by any means'))).toThrow(StoreCorruptError)
  })
})
