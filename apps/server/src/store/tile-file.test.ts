import { crc32 } from 'node:zlib'
import { Accumulation } from '@radx/rainfall'
import { describe, expect, test } from 'vitest'
import { StoreCorruptError } from './frame-codec.ts'
import {
  blocksOfCells,
  columnsOfBlocks,
  cutBlocks,
  cutTile,
  headerBytes,
  readTileIndex,
  type TileBlock,
  tileFileOf,
} from './tile-file.ts'
import { TileSums } from './tile-sums.ts'

const steps = 27 // three tiles across, the last one 7 cells wide
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
  const bytesOf = ({ offset, length }: TileBlock) => file.subarray(offset, offset + length)
  const series = (row: number, col: number, from: number, to: number) =>
    blocksOfCells(index, [{ row, col }], from, to).flatMap((block) => {
      const [[codes]] = columnsOfBlocks([block], [bytesOf(block)])
      return [...codes].map((code, k) => [index.times[block.firstFrame + k], code])
    })

  test.each([
    [0, 0],
    [9, 10],
    [26, 26],
    [20, 3],
  ])('the series of cell %i, %i is what the frames hold', (row, col) => {
    expect(series(row, col, -Infinity, Infinity)).toEqual(
      times.map((time, frame) => [time, value(frame, row, col)]),
    )
  })

  test('several cells are read at once, those of one tile from one block', () => {
    const cells = [
      { row: 3, col: 4 },
      { row: 20, col: 3 },
      { row: 0, col: 2 },
    ]
    const blocks = blocksOfCells(index, cells, -Infinity, Infinity)
    expect(blocks.map(({ firstFrame, places }) => [firstFrame, places.map(({ cell }) => cell)])).toEqual([
      [0, [0, 2]],
      [0, [1]],
      [256, [0, 2]],
      [256, [1]],
    ])
    for (const block of blocks) {
      const [columns] = columnsOfBlocks([block], [bytesOf(block)])
      for (const [k, { cell }] of block.places.entries())
        expect([...columns[k]]).toEqual(
          Array.from({ length: block.frames }, (_, i) =>
            value(block.firstFrame + i, cells[cell].row, cells[cell].col),
          ),
        )
    }
  })

  test('blocks are opened together, and a torn one among them is told', () => {
    const cells = [
      { row: 3, col: 4 },
      { row: 12, col: 13 },
      { row: 26, col: 26 },
    ]
    const blocks = blocksOfCells(index, cells, -Infinity, Infinity)
    const bytes = blocks.map(bytesOf)
    const expected = blocks.map(({ firstFrame, frames, places: [{ cell }] }) => [
      Uint16Array.from({ length: frames }, (_, i) => value(firstFrame + i, cells[cell].row, cells[cell].col)),
    ])
    expect(columnsOfBlocks(blocks, bytes)).toEqual(expected)
    for (const [k, own] of bytes.entries()) {
      const torn = Buffer.from(own)
      torn[own.length >> 1] ^= 4
      expect(() => columnsOfBlocks(blocks, bytes.with(k, torn))).toThrow(StoreCorruptError)
      expect(() => columnsOfBlocks(blocks, bytes.with(k, own.subarray(1)))).toThrow(StoreCorruptError)
    }
  })

  test('files of larger tiles, as they were made before, are read too', () => {
    const [size, across] = [20, 2]
    const chunk = frames.slice(0, 200)
    const parts = Array.from({ length: across * across }, (_, tile) =>
      cutTile(chunk, steps, size, Math.floor(tile / across), tile % across),
    )
    const header = Buffer.alloc(headerBytes(chunk.length, steps, size))
    header.write('RXT1', 0, 'latin1')
    for (const [k, number] of [chunk.length, steps, size, 256].entries())
      header.writeUInt32LE(number, 4 + 4 * k)
    for (const [k] of chunk.entries()) header.writeDoubleLE(times[k], 20 + 8 * k)
    let end = header.length
    for (const [k, part] of [null, ...parts].entries()) {
      end += part?.length ?? 0
      header.writeUInt32LE(end, 20 + 8 * chunk.length + 4 * k)
    }
    const old = Buffer.concat([header, ...parts.map((part) => part ?? Buffer.alloc(0))])
    for (const [row, col] of [
      [3, 4],
      [19, 20],
      [26, 26],
    ]) {
      const [block] = blocksOfCells(readTileIndex(old), [{ row, col }], -Infinity, Infinity)
      const [[codes]] = columnsOfBlocks([block], [old.subarray(block.offset, block.offset + block.length)])
      expect([...codes]).toEqual(chunk.map((_, frame) => value(frame, row, col)))
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
    expect(columnsOfBlocks(blocks, [new Uint8Array(0), new Uint8Array(0)])).toEqual([
      [new Uint16Array(256)],
      [new Uint16Array(44)],
    ])
  })

  test('a torn header is refused', () => {
    expect(() => readTileIndex(file.subarray(0, 300))).toThrow(StoreCorruptError)
    expect(() => readTileIndex(Buffer.from('not tiles at all, by any means'))).toThrow(StoreCorruptError)
  })
})

describe('sums of frames that come as tiles', () => {
  const side = 60
  const frame = (k: number) =>
    Uint16Array.from({ length: side * side }, (_, i) => value(k, Math.floor(i / side), i % side))
  const packed = (codes: Uint16Array, size: number) => {
    const across = Math.ceil(side / size)
    const parts = Array.from({ length: across * across }, (_, tile) =>
      cutTile([codes], side, size, Math.floor(tile / across), tile % across),
    )
    const ends: number[] = []
    for (const part of parts) ends.push((ends.at(-1) ?? 0) + (part?.length ?? 0))
    return { ends, bytes: Buffer.concat(parts.filter((part) => part !== null)) }
  }

  // Whole tiles of words, whole ones of odd sizes, and parts of tiles at the edges.
  test.each([20, 15, 25])('of %i cells a side they are those of the codes', (size) => {
    const sums = new TileSums(side, size)
    const [total, wanted] = [new Accumulation(side * side), new Accumulation(side * side)]
    for (const k of [1, 2, 4, 5, 7]) {
      const { bytes, ends } = packed(frame(k), size)
      sums.add(bytes, ends, 3 * k)
      total.addDry(3 * k)
      wanted.add(frame(k), 3 * k)
    }
    sums.addTo(total)
    expect(total.result()).toEqual(wanted.result())
    const { bytes, ends } = packed(frame(1), size)
    bytes[ends[0] - 1] ^= 1
    expect(() => sums.add(bytes, ends, 1)).toThrow(StoreCorruptError)
  })
})
