import { GULLY_CODE, LAND_USE_NODATA } from '@radx/contracts/landuse'
import type { LuseUpdate } from '@radx/contracts/simulation'

export const BRUSHES = [1, 4, 8] as const
export type Brush = (typeof BRUSHES)[number]
export const MODES = ['move', 'draw', 'delete'] as const
export type Mode = (typeof MODES)[number]
export const ZOOMS = [1, 2, 3, 4] as const

export const nextMode = (mode: Mode): Mode => MODES[(MODES.indexOf(mode) + 1) % MODES.length]

/** The next larger or smaller brush; the ends stay. */
export function stepBrush(brush: Brush, by: 1 | -1): Brush {
  const at = BRUSHES.indexOf(brush) + by
  return BRUSHES[Math.max(0, Math.min(BRUSHES.length - 1, at))]
}

export const stepZoom = (zoom: number, by: 1 | -1): number =>
  Math.max(ZOOMS[0], Math.min(ZOOMS[ZOOMS.length - 1], zoom + by))

/** What one stroke changed: cells and their codes before and after. */
interface Stroke {
  cells: Int32Array
  before: Int16Array
  after: Int16Array
}

export type Protection = 'gully' | 'empty' | 'mask'

/**
 * Land-use codes while they are painted, `[row * ncols + col]`, row 0 north. Gullies, empty cells and cells
 * outside a mask never change. Cells that changed since they were last drawn are handed out by `takeDirty`.
 */
export class GridModel {
  readonly ncols: number
  readonly nrows: number
  readonly original: Int16Array
  readonly codes: Int16Array
  private readonly mask: Uint8Array | null
  private done: Stroke[] = []
  private undone: Stroke[] = []
  /** Code before, by cell, of the stroke that is being drawn. */
  private stroke: Map<number, number> | null = null
  private dirty: number[] = []
  private changes = 0

  /**
   * @param mask 1 may be edited; null without a case study
   * @throws RangeError when grid, codes and mask do not fit together
   */
  constructor(original: Int16Array, ncols: number, mask: Uint8Array | null = null) {
    if (ncols < 1 || original.length % ncols !== 0) throw new RangeError('codes do not fill whole rows')
    if (mask !== null && mask.length !== original.length) throw new RangeError('the mask has another grid')
    this.ncols = ncols
    this.nrows = original.length / ncols
    this.original = original
    this.codes = original.slice()
    this.mask = mask
  }

  /** Why a cell cannot be painted; null when it can. */
  protection(cell: number): Protection | null {
    const code = this.original[cell]
    if (code === LAND_USE_NODATA) return 'empty'
    if (code === GULLY_CODE) return 'gully'
    return this.mask !== null && this.mask[cell] !== 1 ? 'mask' : null
  }

  isMasked(cell: number): boolean {
    return this.mask !== null && this.mask[cell] !== 1 && this.original[cell] !== LAND_USE_NODATA
  }

  /** Cells that differ from the file. */
  get changed(): number {
    return this.changes
  }

  get canUndo(): boolean {
    return this.done.length > 0 || (this.stroke?.size ?? 0) > 0
  }

  get canRedo(): boolean {
    return this.undone.length > 0
  }

  /** Whether a stroke was begun and not ended. */
  get isDrawing(): boolean {
    return this.stroke !== null
  }

  /** Begins a stroke; what follows until `end` is undone at once. */
  begin(): void {
    this.end()
    this.stroke = new Map()
  }

  /**
   * Paints along a line of cells with a square brush; null gives cells their code of the file back. The gully
   * code is not painted. Without `begin` nothing happens.
   */
  line(
    from: { row: number; col: number },
    to: { row: number; col: number },
    size: Brush,
    code: number | null,
  ): void {
    const steps = Math.max(Math.abs(to.row - from.row), Math.abs(to.col - from.col), 1)
    // Stamps that overlap by half leave no gaps and few jags.
    const count = Math.ceil(steps / Math.max(1, size / 2))
    for (let k = 0; k <= count; k++) {
      const row = Math.round(from.row + ((to.row - from.row) * k) / count)
      const col = Math.round(from.col + ((to.col - from.col) * k) / count)
      this.stamp(row, col, size, code)
    }
  }

  private stamp(row: number, col: number, size: Brush, code: number | null): void {
    if (this.stroke === null || code === GULLY_CODE) return
    const { top, left } = brushCorner(row, col, size)
    for (let r = Math.max(0, top); r < Math.min(this.nrows, top + size); r++)
      for (let c = Math.max(0, left); c < Math.min(this.ncols, left + size); c++) {
        const cell = r * this.ncols + c
        const value = code ?? this.original[cell]
        if (this.codes[cell] === value || this.protection(cell) !== null) continue
        if (!this.stroke.has(cell)) this.stroke.set(cell, this.codes[cell])
        this.set(cell, value)
      }
  }

  /** Ends the stroke; one that changed nothing leaves nothing to undo. */
  end(): void {
    const stroke = this.stroke
    this.stroke = null
    if (stroke === null || stroke.size === 0) return
    const cells = Int32Array.from(stroke.keys())
    this.done.push({
      cells,
      before: Int16Array.from(stroke.values()),
      after: Int16Array.from(cells, (cell) => this.codes[cell]),
    })
    this.undone = []
  }

  /** Takes the stroke that is being drawn back, as if it had never begun. */
  cancel(): void {
    this.stroke?.forEach((before, cell) => {
      this.set(cell, before)
    })
    this.stroke = null
  }

  undo(): void {
    this.end()
    const stroke = this.done.pop()
    if (stroke === undefined) return
    stroke.cells.forEach((cell, k) => {
      this.set(cell, stroke.before[k])
    })
    this.undone.push(stroke)
  }

  redo(): void {
    this.end()
    const stroke = this.undone.pop()
    if (stroke === undefined) return
    stroke.cells.forEach((cell, k) => {
      this.set(cell, stroke.after[k])
    })
    this.done.push(stroke)
  }

  private set(cell: number, value: number): void {
    const was = this.codes[cell] !== this.original[cell]
    this.codes[cell] = value
    this.changes += Number(value !== this.original[cell]) - Number(was)
    this.dirty.push(cell)
  }

  /** Cells that changed since the last call; a cell may come more than once. */
  takeDirty(): number[] {
    const dirty = this.dirty
    this.dirty = []
    return dirty
  }

  /** Every cell that differs from the file, north to south. */
  updates(): LuseUpdate[] {
    const updates: LuseUpdate[] = []
    for (let cell = 0; cell < this.codes.length; cell++)
      if (this.codes[cell] !== this.original[cell])
        updates.push({
          i: Math.floor(cell / this.ncols),
          j: cell % this.ncols,
          value: this.codes[cell],
        })
    return updates
  }

  /** Paints saved updates again, e.g. when the editor is entered anew; nothing of it can be undone. */
  apply(updates: readonly LuseUpdate[]): void {
    for (const { i, j, value } of updates) {
      const cell = i * this.ncols + j
      if (i >= 0 && j >= 0 && i < this.nrows && j < this.ncols && this.protection(cell) === null)
        this.set(cell, value)
    }
  }
}

/** North-west cell of a brush around a cell; even brushes reach one further to the south-east. */
export function brushCorner(row: number, col: number, size: Brush): { top: number; left: number } {
  const back = Math.floor((size - 1) / 2)
  return { top: row - back, left: col - back }
}

/** Rows of a grid as one array. */
export function flatten(rows: readonly (readonly number[])[], ncols: number): Int16Array {
  const flat = new Int16Array(rows.length * ncols)
  rows.forEach((row, i) => {
    flat.set(row, i * ncols)
  })
  return flat
}
