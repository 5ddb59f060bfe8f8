import { packCodes, StoreCorruptError, unpackCodes } from './frame-codec.ts'

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
 * @param load codes of frames [from, to), each `[row * steps + col]`; null for a frame that is 0 all over
 */
export async function buildTileFile(
  times: number[],
  steps: number,
  load: (from: number, to: number) => Promise<(Uint16Array | null)[]>,
): Promise<Uint8Array[]> {
  const chunkFrames = chunkFramesFor(steps)
  const across = tilesAcross(steps)
  const header = Buffer.alloc(headerBytes(times.length, steps))
  header.write(MAGIC, 0, 'latin1')
  for (const [k, value] of [times.length, steps, TILE_SIZE, chunkFrames].entries())
    header.writeUInt32LE(value, 4 + 4 * k)
  for (const [k, time] of times.entries()) header.writeDoubleLE(time, FIXED_BYTES + 8 * k)
  let at = FIXED_BYTES + 8 * times.length
  let end = header.length
  const parts: Uint8Array[] = [header]
  at = header.writeUInt32LE(end, at)
  for (let from = 0; from < times.length; from += chunkFrames) {
    const frames = await load(from, Math.min(times.length, from + chunkFrames))
    for (let tile = 0; tile < across * across; tile++) {
      const block = cutTile(frames, steps, Math.floor(tile / across), tile % across)
      if (block) parts.push(block)
      end += block?.length ?? 0
      at = header.writeUInt32LE(end, at)
    }
  }
  return parts
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
  const times = Float64Array.from({ length: frames }, (_, k) => bytes.readDoubleLE(FIXED_BYTES + 8 * k))
  const blocks = Math.ceil(frames / chunkFrames) * tilesAcross(steps) ** 2
  const at = FIXED_BYTES + 8 * frames
  const offsets = Float64Array.from({ length: blocks + 1 }, (_, k) => bytes.readUInt32LE(at + 4 * k))
  return { times, steps, chunkFrames, offsets }
}

/** A block that holds a part of a pixel's series. */
export interface TileBlock {
  offset: number
  length: number
  /** First frame of the chunk and how many it has. */
  firstFrame: number
  frames: number
  /** Cells of the tile, and the pixel's place among them. */
  cells: number
  cell: number
}

/**
 * Blocks that hold cell (row, col) for the frames with from <= time < to (ms). Blocks of length 0 are
 * zeros and need no read.
 */
export function blocksOfCell(
  index: TileIndex,
  row: number,
  col: number,
  from: number,
  to: number,
): TileBlock[] {
  const across = tilesAcross(index.steps)
  const tileRow = Math.floor(row / TILE_SIZE)
  const tileCol = Math.floor(col / TILE_SIZE)
  const rows = Math.min(TILE_SIZE, index.steps - tileRow * TILE_SIZE)
  const cols = Math.min(TILE_SIZE, index.steps - tileCol * TILE_SIZE)
  const blocks: TileBlock[] = []
  for (let firstFrame = 0; firstFrame < index.times.length; firstFrame += index.chunkFrames) {
    const frames = Math.min(index.chunkFrames, index.times.length - firstFrame)
    if (index.times[firstFrame + frames - 1] < from || index.times[firstFrame] >= to) continue
    const k = (firstFrame / index.chunkFrames) * across * across + tileRow * across + tileCol
    blocks.push({
      offset: index.offsets[k],
      length: index.offsets[k + 1] - index.offsets[k],
      firstFrame,
      frames,
      cells: rows * cols,
      cell: (row - tileRow * TILE_SIZE) * cols + (col - tileCol * TILE_SIZE),
    })
  }
  return blocks
}

/** The pixel's codes of a block, one a frame. `bytes` is empty for a block of zeros. */
export function seriesOfBlock(block: TileBlock, bytes: Uint8Array): Uint16Array {
  if (block.length === 0) return new Uint16Array(block.frames)
  const codes = unpackCodes(bytes, block.cells * block.frames)
  return codes.subarray(block.cell * block.frames, (block.cell + 1) * block.frames)
}
