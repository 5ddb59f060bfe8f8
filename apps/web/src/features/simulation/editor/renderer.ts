import { paletteBytes } from '@radx/charts/palettes'
import { LAND_USE_NODATA } from '@radx/contracts/landuse'
import { type Brush, brushCorner, type GridModel } from './model.ts'
import { CANVAS, cellPx, elevationRange, origin, type View, wholeView } from './view.ts'

export type Ground = 'landUse' | 'elevation'

/** Opaque pixel of a `#rrggbb` colour as one little-endian word. */
const pixel = (color: string): number => {
  const n = Number.parseInt(color.slice(1), 16)
  return (0xff000000 | ((n & 0xff) << 16) | (n & 0xff00) | (n >> 16)) >>> 0
}

const UNKNOWN = pixel('#9ca3af')
const VEIL = 0x99000000

class Layer {
  readonly canvas = document.createElement('canvas')
  private readonly context: CanvasRenderingContext2D
  private readonly image: ImageData
  readonly words: Uint32Array

  constructor(ncols: number, nrows: number) {
    this.canvas.width = ncols
    this.canvas.height = nrows
    this.context = this.canvas.getContext('2d') as CanvasRenderingContext2D
    this.image = this.context.createImageData(ncols, nrows)
    this.words = new Uint32Array(this.image.data.buffer)
  }

  upload(left = 0, top = 0, width = this.canvas.width, height = this.canvas.height): void {
    this.context.putImageData(this.image, 0, 0, left, top, width, height)
  }
}

/** Half the width of a brush's outline and a pixel, canvas pixels. */
const OUTLINE = 3

/** Part of the grid in cells, `right` and `bottom` left out. */
interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

function around(a: Box | null, b: Box | null): Box | null {
  if (a === null || b === null) return a ?? b
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  }
}

/**
 * Draws a grid model onto the editor's canvas: one pixel a cell in layers beside it, of which a stroke sends
 * only the cells that changed; the canvas itself is scaled copies of those. While the view stands, only what changed
 * is drawn anew: the whole canvas takes a machine without a graphics card longer than an image may last.
 */
export class GridRenderer {
  view: View
  ground: Ground = 'landUse'
  showEdits = true
  /** Cell under the pointer whose brush is outlined. */
  cursor: { row: number; col: number; size: Brush } | null = null

  private readonly canvas: HTMLCanvasElement
  private readonly model: GridModel
  private readonly landUse: Layer
  private readonly relief: Layer | null
  private readonly edits: Layer
  private readonly veil: Layer
  private colors = new Map<number, number>()
  private frame = 0
  /** What the canvas shows; null when it has to be drawn as a whole. */
  private drawn: { view: View; ground: Ground; showEdits: boolean; brush: Box | null } | null = null

  constructor(
    canvas: HTMLCanvasElement,
    model: GridModel,
    elevation: readonly (readonly number[])[] | undefined,
  ) {
    this.canvas = canvas
    this.model = model
    const { ncols, nrows } = model
    this.view = wholeView(model)
    this.landUse = new Layer(ncols, nrows)
    this.edits = new Layer(ncols, nrows)
    this.veil = new Layer(ncols, nrows)
    for (let cell = 0; cell < model.codes.length; cell++)
      if (model.isMasked(cell)) this.veil.words[cell] = VEIL
    this.veil.upload()
    this.relief = elevation ? reliefLayer(elevation, ncols, nrows) : null
  }

  setColors(table: readonly { code: number; color: string }[]): void {
    this.colors = new Map(table.map(({ code, color }) => [code, pixel(color)]))
    const { original, codes } = this.model
    for (let cell = 0; cell < original.length; cell++) {
      this.landUse.words[cell] = this.colorOf(original[cell])
      this.edits.words[cell] = codes[cell] === original[cell] ? 0 : this.colorOf(codes[cell])
    }
    this.model.takeDirty()
    this.landUse.upload()
    this.edits.upload()
    this.drawn = null
    this.invalidate()
  }

  private colorOf(code: number): number {
    return code === LAND_USE_NODATA ? 0 : (this.colors.get(code) ?? UNKNOWN)
  }

  /** Draws with the next frame, however often it is asked for until then. */
  invalidate(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.draw())
  }

  dispose(): void {
    cancelAnimationFrame(this.frame)
  }

  /** Brings the layer of edits up to the model; the cells that changed. */
  private takeEdits(): Box | null {
    const dirty = this.model.takeDirty()
    if (dirty.length === 0) return null
    const { ncols, nrows, codes, original } = this.model
    let [top, left, bottom, right] = [nrows, ncols, -1, -1]
    for (const cell of dirty) {
      this.edits.words[cell] = codes[cell] === original[cell] ? 0 : this.colorOf(codes[cell])
      const row = Math.floor(cell / ncols)
      const col = cell - row * ncols
      if (row < top) top = row
      if (row > bottom) bottom = row
      if (col < left) left = col
      if (col > right) right = col
    }
    this.edits.upload(left, top, right - left + 1, bottom - top + 1)
    return { left, top, right: right + 1, bottom: bottom + 1 }
  }

  private brush(): Box | null {
    if (this.cursor === null) return null
    const { row, col, size } = this.cursor
    const { top, left } = brushCorner(row, col, size)
    return { left, top, right: left + size, bottom: top + size }
  }

  private draw(): void {
    this.frame = 0
    const context = this.canvas.getContext('2d')
    if (context === null) return
    const changed = this.takeEdits()
    const { view, ground, showEdits } = this
    const brush = this.brush()
    const before = this.drawn
    this.drawn = { view, ground, showEdits, brush }
    const stands = before?.view === view && before.ground === ground && before.showEdits === showEdits
    const part = stands ? around(changed, around(before.brush, brush)) : null
    if (stands && part === null) return
    context.save()
    if (part !== null) this.clip(context, part)
    this.paint(context, brush)
    context.restore()
  }

  /** Lets only some cells be drawn, with the outline of a brush around them. */
  private clip(context: CanvasRenderingContext2D, cells: Box): void {
    const px = cellPx(this.view, this.model)
    const { x, y } = origin(this.view, this.model)
    // Whole pixels, so that nothing at the edge is blended twice.
    const [left, top] = [Math.floor(x + cells.left * px) - OUTLINE, Math.floor(y + cells.top * px) - OUTLINE]
    const right = Math.ceil(x + cells.right * px) + OUTLINE
    const bottom = Math.ceil(y + cells.bottom * px) + OUTLINE
    context.beginPath()
    context.rect(left, top, right - left, bottom - top)
    context.clip()
  }

  private paint(context: CanvasRenderingContext2D, brush: Box | null): void {
    const { ncols, nrows } = this.model
    const px = cellPx(this.view, this.model)
    const { x, y } = origin(this.view, this.model)
    context.clearRect(0, 0, CANVAS.width, CANVAS.height)
    // Cells stay crisp squares once they are larger than a pixel.
    context.imageSmoothingEnabled = false
    const place = (layer: Layer) => context.drawImage(layer.canvas, x, y, ncols * px, nrows * px)
    place(this.ground === 'elevation' && this.relief ? this.relief : this.landUse)
    if (this.showEdits) place(this.edits)
    place(this.veil)
    if (brush === null) return
    const side = (brush.right - brush.left) * px
    context.lineWidth = 3
    context.strokeStyle = 'rgb(0 0 0 / 0.7)'
    context.strokeRect(x + brush.left * px, y + brush.top * px, side, side)
    context.lineWidth = 1.5
    context.strokeStyle = '#fff'
    context.strokeRect(x + brush.left * px, y + brush.top * px, side, side)
  }
}

function reliefLayer(rows: readonly (readonly number[])[], ncols: number, nrows: number): Layer {
  const layer = new Layer(ncols, nrows)
  const { low, high } = elevationRange(rows.flat(), LAND_USE_NODATA)
  const palette = new Uint32Array(paletteBytes('viridis').buffer)
  rows.forEach((row, i) => {
    row.forEach((z, j) => {
      if (z === LAND_USE_NODATA) return
      layer.words[i * ncols + j] = palette[Math.round((255 * (z - low)) / (high - low))]
    })
  })
  layer.upload()
  return layer
}
