import { crc32 } from 'node:zlib'
import { packCodes, StoreCorruptError, unpackParts } from './frame-codec.ts'

/**
 * Pixel tiles: a day of frames cut into blocks of `chunkFrames` frames x 20 x 20 cells, time-fastest,
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
export const TILE_SIZE = 20
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
  chunkFrames: number
  /** Absolute start of block k, and one more entry for the end of the last. */
  offsets: Float64Array
}

export const tilesAcross = (steps: number) => Math.ceil(steps / TILE_SIZE)

/** Bytes of the header of a file of `frames` frames. */
export function headerBytes(frames: number, steps: number): number {
  const blocks = Math.ceil(frames / chunkFramesFor(steps)) * tilesAcross(steps) ** 2
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
  const header = Buffer.alloc(headerBytes(times.length, steps))
  header.write(MAGIC, 0, 'latin1')
  for (const [k, value] of [times.length, steps, TILE_SIZE, chunkFrames].entries())
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
  const across = tilesAcross(steps)
  return Array.from({ length: across * across }, (_, tile) =>
    cutTile(frames, steps, Math.floor(tile / across), tile % across),
  )
}

/** `packCodes` of a tile of some frames, [cell in tile][frame]; null where all are zeros. */
export function cutTile(
  frames: (Uint16Array | null)[],
  steps: number,
  tileRow: number,
  tileCol: number,
): Buffer | null {
  const rows = Math.min(TILE_SIZE, steps - tileRow * TILE_SIZE)
  const cols = Math.min(TILE_SIZE, steps - tileCol * TILE_SIZE)
  const codes = new Uint16Array(rows * cols * frames.length)
  let any = 0
  for (const [k, frame] of frames.entries()) {
    if (frame === null) continue
    for (let row = 0; row < rows; row++) {
      const from = (tileRow * TILE_SIZE + row) * steps + tileCol * TILE_SIZE
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
  const frames = bytes.readUInt32LE(4)
  const steps = bytes.readUInt32LE(8)
  const chunkFrames = bytes.readUInt32LE(16)
  if (chunkFrames !== chunkFramesFor(steps) || bytes.length < headerBytes(frames, steps))
    throw new StoreCorruptError('en-tête de tuiles')
  const times = new Float64Array(frames)
  for (let k = 0; k < frames; k++) times[k] = bytes.readDoubleLE(FIXED_BYTES + 8 * k)
  const blocks = Math.ceil(frames / chunkFrames) * tilesAcross(steps) ** 2
  const at = FIXED_BYTES + 8 * frames
  const offsets = new Float64Array(blocks + 1)
  for (let k = 0; k <= blocks; k++) offsets[k] = bytes.readUInt32LE(at + 4 * k)
  return { times, steps, chunkFrames, offsets }
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
  const across = tilesAcross(index.steps)
  const tiles = new Map<number, Pick<TileBlock, 'cells' | 'places'>>()
  for (const [cell, { row, col }] of cells.entries()) {
    const [tileRow, tileCol] = [Math.floor(row / TILE_SIZE), Math.floor(col / TILE_SIZE)]
    const rows = Math.min(TILE_SIZE, index.steps - tileRow * TILE_SIZE)
    const cols = Math.min(TILE_SIZE, index.steps - tileCol * TILE_SIZE)
    const at = (row - tileRow * TILE_SIZE) * cols + (col - tileCol * TILE_SIZE)
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
 * Codes of a block, an array for each of its `places`, one code a frame. `bytes` is empty for a block of zeros.
 * @throws StoreCorruptError
 */
export function columnsOfBlock(
  { length, frames, cells, places }: TileBlock,
  bytes: Uint8Array,
): Uint16Array[] {
  if (length === 0) return places.map(() => new Uint16Array(frames))
  return unpackParts(
    bytes,
    cells * frames,
    places.map(({ at }) => at * frames),
    frames,
  )
}
