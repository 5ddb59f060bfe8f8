import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { StoreCorruptError } from './frame-codec.ts'
import { blocksOfCells, columnsOfBlock, cutBlocks, readTileIndex, tileFileOf } from './tile-file.ts'

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
  const fileOf = async (given: typeof frames) => {
    const made = await tileFileOf(times, steps, async (a, b) => cutBlocks(given.slice(a, b), steps))
    expect(made.headerCheck).toBe(crc32(made.parts[0]))
    return Buffer.concat(made.parts)
  }
  const file = await fileOf(frames)
  const index = readTileIndex(file)
  const series = (row: number, col: number, from: number, to: number) =>
    blocksOfCells(index, [{ row, col }], from, to).flatMap((block) => {
      const [codes] = columnsOfBlock(block, file.subarray(block.offset, block.offset + block.length))
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

  test('several cells are read at once, those of one tile from one block', () => {
    const cells = [
      { row: 3, col: 4 },
      { row: 40, col: 3 },
      { row: 0, col: 19 },
    ]
    const blocks = blocksOfCells(index, cells, -Infinity, Infinity)
    expect(blocks.map(({ firstFrame, places }) => [firstFrame, places.map(({ cell }) => cell)])).toEqual([
      [0, [0, 2]],
      [0, [1]],
      [256, [0, 2]],
      [256, [1]],
    ])
    for (const block of blocks) {
      const columns = columnsOfBlock(block, file.subarray(block.offset, block.offset + block.length))
      for (const [k, { cell }] of block.places.entries())
        expect([...columns[k]]).toEqual(
          Array.from({ length: block.frames }, (_, i) =>
            value(block.firstFrame + i, cells[cell].row, cells[cell].col),
          ),
        )
    }
  })

  test('only the chunks of the asked period are read', () => {
    expect(
      blocksOfCells(index, [{ row: 5, col: 5 }], times[256], times[299] + 1).map((b) => b.firstFrame),
    ).toEqual([256])
    expect(blocksOfCells(index, [{ row: 5, col: 5 }], times[0], times[256]).map((b) => b.firstFrame)).toEqual(
      [0],
    )
    expect(blocksOfCells(index, [{ row: 5, col: 5 }], times[299] + 1, Infinity)).toEqual([])
  })

  test('dry tiles take no room', async () => {
    const dry = await fileOf(times.map(() => null))
    const dryIndex = readTileIndex(dry)
    const blocks = blocksOfCells(dryIndex, [{ row: 9, col: 9 }], -Infinity, Infinity)
    expect(blocks.map((b) => b.length)).toEqual([0, 0])
    expect(columnsOfBlock(blocks[1], new Uint8Array(0))).toEqual([new Uint16Array(44)])
  })

  test('a torn header is refused', () => {
    expect(() => readTileIndex(file.subarray(0, 300))).toThrow(StoreCorruptError)
    expect(() => readTileIndex(Buffer.from('not tiles at all, by any means'))).toThrow(StoreCorruptError)
  })
})
