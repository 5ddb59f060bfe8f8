import { CLASS_NO_DATA } from '@radx/contracts/constants'
import { cellCentre, cellOf, type ProductGrid } from '@radx/rainfall/grid'
import { FrameCache, type FrameGrid } from './FrameCache.ts'

/** Frames of one product read on the grid of another: each cell takes the one that holds its centre. */
export class RegriddedFrames extends FrameCache {
  private readonly rows: Int16Array
  private readonly cols: Int16Array
  private readonly steps: number
  private readonly block: Uint8Array

  /** @param from grid of the frames that are added @param grid grid that they are read on */
  constructor(from: ProductGrid, grid: FrameGrid) {
    super(grid)
    this.steps = from.steps
    this.block = new Uint8Array(Math.ceil(from.steps ** 2 / 2))
    const along = (place: 'row' | 'col') =>
      Int16Array.from({ length: grid.steps }, (_, k) => {
        const centre = cellCentre(grid, place === 'row' ? k : 0, place === 'row' ? 0 : k)
        // The other coordinate is taken from inside: rows and columns are found apart.
        const { ul } = from.bounds
        const point = place === 'row' ? { lat: centre.lat, lng: ul.lng } : { lat: ul.lat, lng: centre.lng }
        return cellOf(from, point)?.[place] ?? -1
      })
    this.rows = along('row')
    this.cols = along('col')
  }

  override read(time: string, out: Uint8Array): boolean {
    if (!super.read(time, this.block)) return false
    const { steps } = this.grid
    for (let row = 0, index = 0; row < steps; row++) {
      const start = this.rows[row] * this.steps
      for (let col = 0; col < steps; col++, index++) {
        const from = start < 0 || this.cols[col] < 0 ? -1 : start + this.cols[col]
        const code = from < 0 ? CLASS_NO_DATA : (this.block[from >> 1] >> (from % 2 === 0 ? 4 : 0)) & 15
        if (index % 2 === 0) out[index >> 1] = code << 4
        else out[index >> 1] |= code
      }
    }
    return true
  }
}
