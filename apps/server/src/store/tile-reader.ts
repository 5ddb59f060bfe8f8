import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { StoreCorruptError } from './frame-codec.ts'
import type { Span } from './frame-index.ts'
import type { FrameStore, PackName } from './frame-store.ts'
import {
  blocksOfCells,
  columnsOfBlocks,
  type GridCell,
  headerBytes,
  readTileIndex,
  type TileBlock,
  type TileIndex,
} from './tile-file.ts'

/** What some cells have over a span. */
export interface CellColumns {
  /** Instants of the frames in ms since 1970, ascending. */
  timesMs: number[]
  /** Rate codes, an array a cell in the order asked for, one code an instant. */
  codes: Uint16Array[]
}

/** What the database says of a tile file. */
export interface TileFileRow {
  frames: number
  /** CRC-32 of its header; null where nobody has written it yet. */
  header_check: number | null
  /** Cells of a tile's side. */
  tile_size: number
}

/** Tile layouts kept in memory, a year of days; one is about 60 kB. */
const MAX_INDEXES = 400

/** Columns of blocks kept in memory, half a kilobyte each: 12 pixels over a year are some 9,000. */
const MAX_COLUMNS = 16_384

/**
 * Reads columns of cells from tile files: each block once, however many of the cells lie in it. Those read last are
 * kept, since opening a block takes longer than all that is done with a column of it, and who asks about a place asks
 * again. A file never changes: another generation has another name.
 */
export class TileReader {
  private readonly store: FrameStore
  private readonly cache = new LRUCache<string, Uint16Array>({ max: MAX_COLUMNS })
  private readonly indexes = new LRUCache<string, Promise<TileIndex>>({ max: MAX_INDEXES })

  constructor(store: FrameStore) {
    this.store = store
  }

  /** @throws StoreCorruptError */
  async columns(
    name: PackName,
    row: TileFileRow,
    steps: number,
    cells: readonly GridCell[],
    { startMs, endMs }: Span,
  ): Promise<CellColumns> {
    const index = await this.index(name, row, steps)
    const [from, to] = [firstFrom(index.times, startMs), firstFrom(index.times, endMs)]
    const codes = cells.map(() => new Uint16Array(to - from))
    const file = fileKey(name)
    const keyOf = ({ offset }: TileBlock, at: number) => `${file} ${offset} ${at}`
    const blocks = blocksOfCells(index, cells, startMs, endMs)
      .filter(({ length }) => length > 0)
      .map((block) => ({
        block,
        columns: block.places.map(({ at }) => this.cache.get(keyOf(block, at))),
      }))
    const unread = blocks.filter(({ columns }) => columns.includes(undefined))
    const wanted = unread.map(({ block }) => block)
    const bytes = wanted.length === 0 ? [] : await this.store.read(name, wanted)
    const gaps = unread.map(({ columns }) => [...columns.keys()].filter((j) => columns[j] === undefined))
    const read = columnsOfBlocks(
      unread.map(({ block }, k) => ({ ...block, places: gaps[k].map((j) => block.places[j]) })),
      bytes,
    )
    for (const [k, { block, columns }] of unread.entries())
      for (const [i, j] of gaps[k].entries()) {
        columns[j] = read[k][i]
        this.cache.set(keyOf(block, block.places[j].at), read[k][i])
      }
    for (const { block, columns } of blocks) {
      const skipped = Math.max(0, from - block.firstFrame)
      const end = Math.min(block.frames, to - block.firstFrame)
      for (const [j, { cell }] of block.places.entries())
        codes[cell].set(columns[j]!.subarray(skipped, end), block.firstFrame + skipped - from)
    }
    return { timesMs: Array.from(index.times.subarray(from, to)), codes }
  }

  private index(
    name: PackName,
    { frames, header_check: check, tile_size: size }: TileFileRow,
    steps: number,
  ): Promise<TileIndex> {
    const key = fileKey(name)
    const known = this.indexes.get(key)
    if (known) return known
    const index = this.store
      .read(name, [{ offset: 0, length: headerBytes(frames, steps, size) }])
      .then(([header]) => {
        if (check !== null && crc32(header) >>> 0 !== check) throw new StoreCorruptError('en-tête de tuiles')
        return readTileIndex(header)
      })
    index.catch(() => this.indexes.delete(key))
    this.indexes.set(key, index)
    return index
  }
}

const fileKey = ({ product, day, kind, generation }: PackName) => `${product} ${day} ${kind} ${generation}`

/** Place of the first instant that is not before `ms`. */
function firstFrom(times: Float64Array, ms: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle] < ms) low = middle + 1
    else high = middle
  }
  return low
}

/** Columns one after another in time order; an instant that several have is taken from the first of them. */
export function joinColumns(parts: readonly CellColumns[], cells: number): CellColumns {
  const timesMs: number[] = []
  for (const part of parts) for (const ms of part.timesMs) timesMs.push(ms)
  const codes = Array.from({ length: cells }, (_, cell) => {
    const all = new Uint16Array(timesMs.length)
    let at = 0
    for (const part of parts) {
      all.set(part.codes[cell], at)
      at += part.codes[cell].length
    }
    return all
  })
  if (timesMs.every((ms, i) => i === 0 || ms > timesMs[i - 1])) return { timesMs, codes }
  const order = timesMs
    .map((_, i) => i)
    .sort((a, b) => timesMs[a] - timesMs[b])
    .filter((i, k, sorted) => k === 0 || timesMs[i] !== timesMs[sorted[k - 1]])
  return {
    timesMs: order.map((i) => timesMs[i]),
    codes: codes.map((all) => Uint16Array.from(order, (i) => all[i])),
  }
}
