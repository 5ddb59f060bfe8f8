import { crc32 } from 'node:zlib'
import { StoreCorruptError } from './frame-codec.ts'
import type { Span } from './frame-index.ts'
import type { FrameStore, PackName } from './frame-store.ts'
import {
  blocksOfCells,
  columnsOfBlock,
  type GridCell,
  headerBytes,
  readTileIndex,
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
}

/** Tile layouts kept in memory; one is about 10 kB. */
const MAX_INDEXES = 800

/** Columns of blocks kept in memory, half a kilobyte each: 12 pixels over a year are some 9,000. */
const MAX_COLUMNS = 16_384

/**
 * Reads columns of cells from tile files: each block once, however many of the cells lie in it. Those read last are
 * kept, since opening a block takes longer than all that is done with a column of it, and who asks about a place asks
 * again. A file never changes: another generation has another name.
 */
export class TileReader {
  readonly #store: FrameStore
  readonly #columns = new KeptColumns(MAX_COLUMNS)
  readonly #indexes = new Map<string, Promise<TileIndex>>()

  constructor(store: FrameStore) {
    this.#store = store
  }

  /** @throws StoreCorruptError */
  async columns(
    name: PackName,
    row: TileFileRow,
    steps: number,
    cells: readonly GridCell[],
    { startMs, endMs }: Span,
  ): Promise<CellColumns> {
    const index = await this.#index(name, row, steps)
    const [from, to] = [firstFrom(index.times, startMs), firstFrom(index.times, endMs)]
    const codes = cells.map(() => new Uint16Array(to - from))
    const blocks = blocksOfCells(index, cells, startMs, endMs)
      .filter(({ length }) => length > 0)
      .map((block) => ({
        block,
        columns: this.#columns.of(`${fileKey(name)} ${block.offset}`, block.places),
      }))
    const unread = blocks.filter(({ columns }) => columns.missing.length > 0)
    const bytes =
      unread.length === 0
        ? []
        : await this.#store.read(
            name,
            unread.map(({ block }) => block),
          )
    for (const [k, { block, columns }] of unread.entries()) {
      const read = columnsOfBlock({ ...block, places: columns.missing }, bytes[k])
      columns.missing.forEach(({ at }, j) => {
        columns.found.set(at, read[j])
      })
      this.#columns.keep(columns)
    }
    for (const { block, columns } of blocks) {
      const skipped = Math.max(0, from - block.firstFrame)
      const end = Math.min(block.frames, to - block.firstFrame)
      for (const { cell, at } of block.places)
        codes[cell].set(columns.found.get(at)!.subarray(skipped, end), block.firstFrame + skipped - from)
    }
    return { timesMs: Array.from(index.times.subarray(from, to)), codes }
  }

  #index(name: PackName, { frames, header_check: check }: TileFileRow, steps: number): Promise<TileIndex> {
    const key = fileKey(name)
    let index = this.#indexes.get(key)
    if (index) {
      this.#indexes.delete(key)
    } else {
      index = this.#store.read(name, [{ offset: 0, length: headerBytes(frames, steps) }]).then(([header]) => {
        if (check !== null && crc32(header) >>> 0 !== check) throw new StoreCorruptError('en-tête de tuiles')
        return readTileIndex(header)
      })
      index.catch(() => this.#indexes.delete(key))
    }
    this.#indexes.set(key, index)
    if (this.#indexes.size > MAX_INDEXES) this.#indexes.delete(this.#indexes.keys().next().value!)
    return index
  }
}

const fileKey = ({ product, day, kind, generation }: PackName) => `${product} ${day} ${kind} ${generation}`

/** Columns of a block by their place in it, and the places that are not known yet. */
interface BlockColumns<Place extends { at: number }> {
  key: string
  found: Map<number, Uint16Array>
  missing: Place[]
}

/** Columns of the blocks that were read last; those used longest ago go first. */
class KeptColumns {
  readonly #most: number
  readonly #blocks = new Map<string, Map<number, Uint16Array>>()
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  /** What is known of a block: a copy, so that what goes meanwhile is not missed. */
  of<Place extends { at: number }>(key: string, places: readonly Place[]): BlockColumns<Place> {
    const kept = this.#blocks.get(key)
    if (kept) {
      this.#blocks.delete(key)
      this.#blocks.set(key, kept)
    }
    const found = new Map<number, Uint16Array>()
    const missing: Place[] = []
    for (const place of places) {
      const column = kept?.get(place.at)
      if (column) found.set(place.at, column)
      else missing.push(place)
    }
    return { key, found, missing }
  }

  keep({ key, found }: Pick<BlockColumns<{ at: number }>, 'key' | 'found'>): void {
    const kept = this.#blocks.get(key) ?? new Map<number, Uint16Array>()
    this.#blocks.delete(key)
    this.#count -= kept.size
    for (const [at, column] of found) kept.set(at, column)
    this.#blocks.set(key, kept)
    this.#count += kept.size
    for (const [oldest, columns] of this.#blocks) {
      if (this.#count <= this.#most) break
      this.#blocks.delete(oldest)
      this.#count -= columns.size
    }
  }
}

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
