import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BRUSHES, type Brush, flatten, GridModel, nextMode, stepBrush, stepZoom } from './model.ts'
import { CANVAS, cellPx, clampView, elevationRange, toGrid, wholeView, zoomAt } from './view.ts'

const COLS = 12
const codes = () => {
  const grid = new Int16Array(COLS * 10).fill(3)
  grid[0] = -9999
  grid[5 * COLS + 5] = 5
  return grid
}
const at = (row: number, col: number) => ({ row, col })
const stroke = (
  model: GridModel,
  from: [number, number],
  to: [number, number],
  size: Brush,
  code: number | null,
) => {
  model.begin()
  model.line(at(...from), at(...to), size, code)
  model.end()
}

describe('painting the grid', () => {
  test('[LUSE-34] gullies and empty cells are never painted, and the gully code is no paint', () => {
    const model = new GridModel(codes(), COLS)
    for (let row = 0; row < 10; row++) stroke(model, [row, 0], [row, 11], 1, 4)
    expect(model.codes[0]).toBe(-9999)
    expect(model.codes[5 * COLS + 5]).toBe(5)
    expect(model.changed).toBe(COLS * 10 - 2)
    const other = new GridModel(codes(), COLS)
    stroke(other, [2, 2], [2, 9], 8, 5)
    expect(other.changed).toBe(0)
  })

  test('[LUSE-35] with a mask only its cells are painted', () => {
    const mask = new Uint8Array(COLS * 10)
    mask[3 * COLS + 3] = 1
    const model = new GridModel(codes(), COLS, mask)
    stroke(model, [3, 0], [3, 11], 4, 1)
    expect(model.updates()).toEqual([{ i: 3, j: 3, value: 1 }])
    expect(model.protection(3 * COLS + 4)).toBe('mask')
    expect(() => new GridModel(codes(), COLS, new Uint8Array(3))).toThrow(RangeError)
  })

  test('[LUSE-18] brushes of 1, 4 and 8 cells are squares, cut at the edge', () => {
    for (const size of BRUSHES) {
      const model = new GridModel(new Int16Array(20 * 20).fill(3), 20)
      stroke(model, [9, 9], [9, 9], size, 1)
      expect(model.changed).toBe(size * size)
    }
    const corner = new GridModel(new Int16Array(20 * 20).fill(3), 20)
    stroke(corner, [19, 19], [19, 19], 4, 1)
    expect(corner.changed).toBe(4)
    expect([stepBrush(1, 1), stepBrush(4, 1), stepBrush(8, 1), stepBrush(1, -1)]).toEqual([4, 8, 8, 1])
  })

  test('a stroke that is taken back while it is drawn leaves nothing, not even to undo', () => {
    const model = new GridModel(codes(), COLS)
    stroke(model, [1, 1], [1, 3], 1, 4)
    model.begin()
    model.line(at(1, 2), at(3, 2), 1, 1)
    expect([model.isDrawing, model.changed]).toEqual([true, 5])
    model.cancel()
    expect([model.isDrawing, model.changed, model.codes[COLS + 2]]).toEqual([false, 3, 4])
    model.undo()
    expect([model.changed, model.canUndo]).toEqual([0, false])
  })

  test('a fast stroke leaves no holes', () => {
    const model = new GridModel(new Int16Array(40 * 40).fill(3), 40)
    stroke(model, [2, 2], [37, 20], 1, 1)
    const rows = new Set(model.updates().map(({ i }) => i))
    expect(rows.size).toBe(36)
    const thick = new GridModel(new Int16Array(40 * 40).fill(3), 40)
    stroke(thick, [4, 4], [4, 34], 8, 1)
    expect(thick.changed).toBe(8 * 38)
  })

  test('[LUSE-17] delete gives the code of the file back', () => {
    const model = new GridModel(codes(), COLS)
    stroke(model, [2, 2], [2, 9], 1, 4)
    stroke(model, [2, 4], [2, 5], 1, null)
    expect(model.updates().map(({ j }) => j)).toEqual([2, 3, 6, 7, 8, 9])
  })

  test('undo and redo by strokes; a new stroke forgets what was undone', () => {
    const model = new GridModel(codes(), COLS)
    stroke(model, [2, 2], [2, 4], 1, 4)
    stroke(model, [2, 4], [2, 6], 1, 1)
    model.undo()
    expect(model.updates().map(({ value }) => value)).toEqual([4, 4, 4])
    model.redo()
    expect(model.updates().map(({ value }) => value)).toEqual([4, 4, 1, 1, 1])
    model.undo()
    stroke(model, [8, 8], [8, 8], 1, 2)
    expect(model.canRedo).toBe(false)
    stroke(model, [8, 8], [8, 8], 1, 2)
    model.undo()
    model.undo()
    expect(model.changed).toBe(0)
    expect(model.canUndo).toBe(false)
  })

  test('any run of strokes, undone, leaves the file; the updates make the same map again', () => {
    const place = fc.tuple(fc.integer({ min: -3, max: 12 }), fc.integer({ min: -3, max: 14 }))
    const one = fc.record({
      from: place,
      to: place,
      size: fc.constantFrom(...BRUSHES),
      code: fc.option(fc.integer({ min: 1, max: 7 })),
    })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (strokes) => {
        const model = new GridModel(codes(), COLS)
        for (const { from, to, size, code } of strokes) stroke(model, from, to, size, code)
        const again = new GridModel(codes(), COLS)
        again.apply(model.updates())
        expect(again.codes).toEqual(model.codes)
        expect(model.changed).toBe(model.updates().length)
        while (model.canUndo) model.undo()
        expect(model.codes).toEqual(model.original)
        while (model.canRedo) model.redo()
        expect(model.codes).toEqual(again.codes)
      }),
      { numRuns: 200 },
    )
  })

  test('only changed cells are drawn again', () => {
    const model = new GridModel(codes(), COLS)
    stroke(model, [2, 2], [2, 3], 1, 4)
    expect(model.takeDirty()).toEqual([2 * COLS + 2, 2 * COLS + 3])
    expect(model.takeDirty()).toEqual([])
  })

  test('[LUSE-23] a goes through the modes', () => {
    expect([nextMode('move'), nextMode('draw'), nextMode('delete')]).toEqual(['draw', 'delete', 'move'])
  })
})

describe('the view', () => {
  const grid = { ncols: 340, nrows: 340 }
  test('[LUSE-15] [LUSE-19] the whole grid fits in 900 x 600 at zoom 1, and the wheel keeps the place under it', () => {
    expect(CANVAS).toEqual({ width: 900, height: 600 })
    const whole = wholeView(grid)
    expect(cellPx(whole, grid) * grid.nrows).toBeCloseTo(600, 9)
    let view = whole
    for (const zoom of [2, 3, 4]) {
      const held = toGrid(420, 250, view, grid)
      view = zoomAt(view, zoom, 420, 250, grid)
      const now = toGrid(420, 250, view, grid)
      expect(now.col).toBeCloseTo(held.col, 6)
      expect(now.row).toBeCloseTo(held.row, 6)
    }
    expect([stepZoom(1, -1), stepZoom(1, 1), stepZoom(4, 1)]).toEqual([1, 2, 4])
    expect(clampView({ zoom: 4, col: -50, row: 9999 }, grid).col).toBeGreaterThan(0)
    expect(zoomAt(view, 1, 0, 0, grid)).toEqual(whole)
  })

  test('[LUSE-21] the elevation legend ends at multiples of 5 m', () => {
    expect(elevationRange([-9999, 37.2, 81.9], -9999)).toEqual({ low: 35, high: 85 })
    expect(elevationRange([40, 40], -9999)).toEqual({ low: 40, high: 45 })
    expect(elevationRange([], -9999)).toEqual({ low: 0, high: 5 })
  })
})

test('rows become one grid', () => {
  expect([
    ...flatten(
      [
        [1, 2],
        [3, 4],
      ],
      2,
    ),
  ]).toEqual([1, 2, 3, 4])
})
