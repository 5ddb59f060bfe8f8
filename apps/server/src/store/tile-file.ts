import { crc32 } from 'node:zlib'
import { packCodes, StoreCorruptError, unpackParts } from './frame-codec.ts'

/**
 * Pixel tiles: a day of frames cut into blocks of `chunkFrames` frames x a tile of cells, time-fastest,
 * so that a pixel's series is a short read a day. Derived from the packs and rebuildable.
 *
 * | bytes         | what                                                                     |
 * |---------------|--------------------------------------------------------------------------|
 * | 0-3           | ASCII `RXT1`                                                             |
 * | 4-19          | uint32 little-endian: frames, steps, tile size, frames a chunk           |
 * | then          | a float64 little-endian a frame: its instant in ms since 1970, ascending |
 * | then          | uint32 a tile and chunk, chunk-major, and one more: where each block ends |
 * | then          | blocks: `packCodes` of [cell in tile (row-major)][frame in chunk];       |
 * |               | an empty block is zeros all through                                      |
 */
const MAGIC = 'RXT1'
const FIXED_BYTES = 20
/**
 * Cells of a tile's side in files that are made now. A pixel's series opens a whole block, so that small ones are read
 * faster (files of 10 and 20 take two and eight times as long), and they take a tenth more room.
 */
export const FILE_TILE_SIZE = 5
const MAX_CHUNK_FRAMES = 256
/** Codes held at once while a chunk is built, in bytes: big grids get shorter chunks. */
const CHUNK_BUDGET_BYTES = 128 * 1024 * 1024

const chunkFramesFor = (steps: number) =>
  Math.max(1, Math.min(MAX_CHUNK_FRAMES, Math.floor(CHUNK_BUDGET_BYTES / (2 * steps * steps))))

/** How a tile file is laid out; read once a file and kept. */
export interface TileIndex {
  /** Instants in ms since 1970, ascending. */
  times: Float64Array
  steps: number
  tileSize: number
  chunkFrames: number
  /** Absolute start of block k, and one more entry for the end of the last. */
  offsets: Uint32Array
}

export const tilesAcross = (steps: number, tileSize: number) => Math.ceil(steps / tileSize)

/** Bytes of the header of a file of `frames` frames. */
export function headerBytes(frames: number, steps: number, tileSize: number): number {
  const blocks = Math.ceil(frames / chunkFramesFor(steps)) * tilesAcross(steps, tileSize) ** 2
  return FIXED_BYTES + 8 * frames + 4 * (blocks + 1)
}

/**
 * Builds a tile file.
 * @param times instants of the frames in ms since 1970, ascending
 * @param blocks what `cutBlocks` makes of frames [from, to)
 * @returns its bytes and the CRC-32 of its header
 */
export async function tileFileOf(
  times: readonly number[],
  steps: number,
  blocks: (from: number, to: number) => Promise<(Uint8Array | null)[]>,
): Promise<{ parts: Uint8Array[]; headerCheck: number }> {
  const chunkFrames = chunkFramesFor(steps)
  const header = Buffer.alloc(headerBytes(times.length, steps, FILE_TILE_SIZE))
  header.write(MAGIC, 0, 'latin1')
  for (const [k, value] of [times.length, steps, FILE_TILE_SIZE, chunkFrames].entries())
    header.writeUInt32LE(value, 4 + 4 * k)
  for (const [k, time] of times.entries()) header.writeDoubleLE(time, FIXED_BYTES + 8 * k)
  let at = FIXED_BYTES + 8 * times.length
  let end = header.length
  const parts: Uint8Array[] = [header]
  at = header.writeUInt32LE(end, at)
  for (let from = 0; from < times.length; from += chunkFrames)
    for (const block of await blocks(from, Math.min(times.length, from + chunkFrames))) {
      if (block) parts.push(block)
      end += block?.length ?? 0
      at = header.writeUInt32LE(end, at)
    }
  return { parts, headerCheck: crc32(header) >>> 0 }
}

/** Blocks of some frames, `[row * steps + col]` each, null for one that is 0 all over: a block a tile, null for zeros. */
export function cutBlocks(frames: (Uint16Array | null)[], steps: number): (Buffer | null)[] {
  const across = tilesAcross(steps, FILE_TILE_SIZE)
  return Array.from({ length: across * across }, (_, tile) =>
    cutTile(frames, steps, FILE_TILE_SIZE, Math.floor(tile / across), tile % across),
  )
}

/** `packCodes` of a tile of some frames, [cell in tile][frame]; null where all are zeros. */
export function cutTile(
  frames: (Uint16Array | null)[],
  steps: number,
  tileSize: number,
  tileRow: number,
  tileCol: number,
): Buffer | null {
  const rows = Math.min(tileSize, steps - tileRow * tileSize)
  const cols = Math.min(tileSize, steps - tileCol * tileSize)
  const codes = new Uint16Array(rows * cols * frames.length)
  let any = 0
  for (const [k, frame] of frames.entries()) {
    if (frame === null) continue
    for (let row = 0; row < rows; row++) {
      const from = (tileRow * tileSize + row) * steps + tileCol * tileSize
      for (let col = 0; col < cols; col++) {
        const code = frame[from + col]
        codes[(row * cols + col) * frames.length + k] = code
        any |= code
      }
    }
  }
  return any === 0 ? null : packCodes(codes)
}

/** Reads the layout from the first bytes of a file; `bytes` holds at least the whole header. */
export function readTileIndex(bytes: Buffer): TileIndex {
  if (bytes.length < FIXED_BYTES || bytes.toString('latin1', 0, 4) !== MAGIC)
    throw new StoreCorruptError('tuiles sans en-tête')
  const [frames, steps, tileSize, chunkFrames] = [4, 8, 12, 16].map((at) => bytes.readUInt32LE(at))
  if (
    tileSize === 0 ||
    chunkFrames !== chunkFramesFor(steps) ||
    bytes.length < headerBytes(frames, steps, tileSize)
  )
    throw new StoreCorruptError('en-tête de tuiles')
  // A copy begins where eight bytes do.
  const rest = new Uint8Array(bytes.subarray(FIXED_BYTES)).buffer
  const blocks = Math.ceil(frames / chunkFrames) * tilesAcross(steps, tileSize) ** 2
  return {
    times: new Float64Array(rest, 0, frames),
    steps,
    tileSize,
    chunkFrames,
    offsets: new Uint32Array(rest, 8 * frames, blocks + 1),
  }
}

/** A cell of a product's grid, row 0 north. */
export interface GridCell {
  row: number
  col: number
}

/** A block that holds a part of the series of some cells. */
export interface TileBlock {
  offset: number
  length: number
  /** First frame of the chunk and how many it has. */
  firstFrame: number
  frames: number
  /** Cells of the tile. */
  cells: number
  /** Which of the cells asked for lie in it, and their places among its cells. */
  places: { cell: number; at: number }[]
}

/**
 * Blocks that hold cells for the frames with from <= time < to (ms), each once. Blocks of length 0 are zeros and need
 * no read.
 */
export function blocksOfCells(
  index: TileIndex,
  cells: readonly GridCell[],
  from: number,
  to: number,
): TileBlock[] {
  const { tileSize: size } = index
  const across = tilesAcross(index.steps, size)
  const tiles = new Map<number, Pick<TileBlock, 'cells' | 'places'>>()
  for (const [cell, { row, col }] of cells.entries()) {
    const [tileRow, tileCol] = [Math.floor(row / size), Math.floor(col / size)]
    const rows = Math.min(size, index.steps - tileRow * size)
    const cols = Math.min(size, index.steps - tileCol * size)
    const at = (row - tileRow * size) * cols + (col - tileCol * size)
    const tile = tiles.get(tileRow * across + tileCol)
    if (tile) tile.places.push({ cell, at })
    else tiles.set(tileRow * across + tileCol, { cells: rows * cols, places: [{ cell, at }] })
  }
  const blocks: TileBlock[] = []
  for (let firstFrame = 0; firstFrame < index.times.length; firstFrame += index.chunkFrames) {
    const frames = Math.min(index.chunkFrames, index.times.length - firstFrame)
    if (index.times[firstFrame + frames - 1] < from || index.times[firstFrame] >= to) continue
    const first = (firstFrame / index.chunkFrames) * across * across
    for (const [tile, held] of tiles) {
      const [offset, end] = [index.offsets[first + tile], index.offsets[first + tile + 1]]
      blocks.push({ offset, length: end - offset, firstFrame, frames, ...held })
    }
  }
  return blocks
}

/**
 * Codes of blocks, of each an array for each of its `places`, one code a frame.
 * @param bytes of each block; a block of zeros has none
 * @throws StoreCorruptError
 */
export function columnsOfBlocks(
  blocks: readonly Pick<TileBlock, 'frames' | 'cells' | 'places'>[],
  bytes: readonly Uint8Array[],
): Uint16Array[][] {
  const found = new Map<number, Uint16Array[]>()
  const ofOneSize = Map.groupBy(
    [...blocks.keys()].filter((k) => bytes[k].length > 0),
    (k) => `${blocks[k].cells} ${blocks[k].frames}`,
  )
  for (const same of ofOneSize.values()) {
    const { cells, frames } = blocks[same[0]]
    const parts = same.map((k) => ({
      bytes: bytes[k],
      starts: blocks[k].places.map(({ at }) => at * frames),
    }))
    const columns = unpackParts(parts, cells * frames, frames)
    for (const [j, k] of same.entries()) found.set(k, columns[j])
  }
  return blocks.map(({ frames, places }, k) => found.get(k) ?? places.map(() => new Uint16Array(frames)))
}
