import { describe, expect, test } from 'vitest'
import { createLayout, paddedIndex } from './layout.ts'
import { SURFACE_DEFAULTS, type SurfaceParams } from './types.ts'

const [NONE, G, DX] = [Number.NaN, 9.81, 10]
const WALL = 1e15

/** A layout of a few cells; what it says of them, row by row. */
function laidOut(bed: number[][], params: Partial<SurfaceParams> = {}) {
  const [nrows, ncols] = [bed.length, bed[0].length]
  const grid = { nrows, ncols, cellSizeM: DX, elevationM: Float64Array.from(bed.flat()) }
  const manning = new Float64Array(nrows * ncols).fill(0.02)
  const layout = createLayout(grid, { manning, edges: 'closed', ...params }, SURFACE_DEFAULTS)
  const at = Array.from({ length: nrows * ncols }, (_, cell) => paddedIndex(layout, cell))
  return {
    ...layout,
    at,
    of: (values: ArrayLike<number>) => at.map((i) => values[i]),
    /** Edges by cell, side and factor. */
    edges: layout.edges.map(({ cell, face, vertical, sign, factor }) => ({
      cell: at.indexOf(cell),
      face: face - cell,
      vertical,
      sign,
      factor,
    })),
    layout,
  }
}

describe('the padded grid', () => {
  test.each([
    [1, 8],
    [3, 8],
    [4, 12],
    [7, 12],
    [8, 16],
  ])('of %i columns has rows of %i cells, four of them before the first', (ncols, stride) => {
    const made = laidOut([new Array(ncols).fill(0), new Array(ncols).fill(0)])
    expect([made.stride, made.rows, made.size]).toEqual([stride, 6, 6 * stride])
    // Two rows above.
    expect(made.at[0]).toBe(2 * stride + 4)
    expect(made.at[ncols - 1]).toBe(2 * stride + 4 + ncols - 1)
    expect(made.at[ncols]).toBe(3 * stride + 4)
  })

  test('cells outside and of permanent water are not live', () => {
    const made = laidOut([[1, NONE, 2, 3]], { permanentWater: Uint8Array.of(0, 0, 0, 1) })
    expect(made.of(made.live)).toEqual([1, 0, 1, 0])
    expect([...made.liveCells]).toEqual([made.at[0], made.at[2]])
    expect(made.live.reduce((sum, live) => sum + live)).toBe(2)
  })

  test('soil and interception are those of live cells, none where nothing is said', () => {
    const soil = {
      khMS: Float64Array.of(1, 2, 3),
      capshM: Float64Array.of(4, 5, 6),
      soilmd: Float64Array.of(7, 8, 9),
    }
    const params = {
      soil,
      interceptionM: Float64Array.of(0.1, 0.2, 0.3),
      permanentWater: Uint8Array.of(0, 1, 0),
    }
    const made = laidOut([[0, 0, 0]], params)
    expect(made.of(made.kh)).toEqual([1, 0, 3])
    expect(made.of(made.capsh)).toEqual([4, 0, 6])
    expect(made.of(made.soilmd)).toEqual([7, 0, 9])
    expect(made.of(made.interception)).toEqual([0.1, 0, 0.3])
    const bare = laidOut([[0, 0, 0]])
    for (const values of [bare.kh, bare.capsh, bare.soilmd, bare.interception])
      expect(bare.of(values)).toEqual([0, 0, 0])
  })
})

describe('faces', () => {
  test('have the bed’s step to the east and to the south; nothing passes at the rim of the grid', () => {
    const made = laidOut([
      [1, 1.5, 3],
      [0.5, 2, 1],
    ])
    expect(made.of(made.stepX)).toEqual([0.5, 1.5, WALL, 1.5, -1, WALL])
    expect(made.of(made.stepY)).toEqual([-0.5, 0.5, -2, WALL, WALL, WALL])
    // Nor from outside.
    for (let row = 0; row < 2; row++) expect(made.stepX[made.at[3 * row] - 1]).toBe(WALL)
    for (let col = 0; col < 3; col++) expect(made.stepY[made.at[col] - made.stride]).toBe(WALL)
  })

  test('to cells outside, and between two of permanent water, are walls', () => {
    const made = laidOut([[0, NONE, 0, 1, 2, 3]], { permanentWater: Uint8Array.of(0, 0, 0, 1, 1, 0) })
    expect(made.of(made.stepX)).toEqual([WALL, WALL, 1, WALL, 1, WALL])
    const column = laidOut([[0], [NONE], [0], [1], [2], [3]], {
      permanentWater: Uint8Array.of(0, 0, 0, 1, 1, 0),
    })
    expect(column.of(column.stepY)).toEqual([WALL, WALL, 1, WALL, 1, WALL])
  })

  test('have the mean roughness of their cells, and the flow of their slope, of 0.15 at most', () => {
    const manning = Float64Array.of(0.02, 0.04, 0.02, 0.02)
    const made = laidOut(
      [
        [0, 1],
        [-0.5, -4],
      ],
      { manning },
    )
    const [x, y] = [made.of(made.frictionX), made.of(made.frictionY)]
    expect(x[0]).toBeCloseTo(G * 0.03 ** 2, 12)
    expect(x[2]).toBeCloseTo(G * 0.02 ** 2, 12)
    expect(y[0]).toBeCloseTo(G * 0.02 ** 2, 12)
    expect(y[1]).toBeCloseTo(G * 0.03 ** 2, 12)
    expect(made.normalX[made.at[0]]).toBeCloseTo(Math.sqrt(0.1) / 0.03, 9)
    expect(made.normalY[made.at[0]]).toBeCloseTo(Math.sqrt(0.05) / 0.02, 9)
    expect(made.normalY[made.at[1]]).toBeCloseTo(Math.sqrt(0.15) / 0.03, 9)
    expect(made.normalX[made.at[2]]).toBeCloseTo(Math.sqrt(0.15) / 0.02, 9)
  })
})

describe('the last faces before open water', () => {
  const SLOW = 1 / 1.5
  test('are the one into it and the one that leads down to the shore', () => {
    const bed = [4, 3, 2, 1, 0]
    const permanentWater = Uint8Array.of(0, 0, 0, 0, 1)
    const paces = (made: ReturnType<typeof laidOut>, values: Float64Array) =>
      made.of(values).map((pace) => (pace === 1 ? 1 : pace === SLOW ? 0 : Number.NaN))
    const row = laidOut([bed], { permanentWater })
    // Faces to the east of the third and fourth cell; their cells.
    expect(paces(row, row.paceX)).toEqual([1, 1, 0, 0, 1])
    expect(paces(row, row.pace)).toEqual([1, 1, 0, 0, 0])
    expect(paces(row, row.paceY)).toEqual([1, 1, 1, 1, 1])
    const column = laidOut(
      bed.map((z) => [z]),
      { permanentWater },
    )
    expect(paces(column, column.paceY)).toEqual([1, 1, 0, 0, 1])
    expect(paces(column, column.pace)).toEqual([1, 1, 0, 0, 0])
    // Whichever way it falls.
    const west = laidOut([[...bed].reverse()], { permanentWater: permanentWater.slice().reverse() })
    expect(paces(west, west.paceX)).toEqual([0, 0, 1, 1, 1])
    const north = laidOut(
      [...bed].reverse().map((z) => [z]),
      { permanentWater: permanentWater.slice().reverse() },
    )
    expect(paces(north, north.paceY)).toEqual([0, 0, 1, 1, 1])
  })

  test('not those along the shore, nor from the shore up', () => {
    const paced = (bed: number[][], water: number[]) => {
      const made = laidOut(bed, { permanentWater: Uint8Array.from(water) })
      return [made.of(made.paceX).map((pace) => pace < 1), made.of(made.paceY).map((pace) => pace < 1)]
    }
    const along = paced(
      [
        [2, 1],
        [0, 0],
      ],
      [0, 0, 1, 1],
    )
    expect(along).toEqual([
      [false, false, false, false],
      [true, true, false, false],
    ])
    // The cell beside the water lies higher than the one behind it.
    expect(paced([[1, 2, 0]], [0, 0, 1])).toEqual([
      [false, true, false],
      [false, false, false],
    ])
  })
})

describe('open edges', () => {
  test('are where the bed falls towards the outside, at its slope or one in a thousand', () => {
    const made = laidOut([[3, 2, 1.999]], { edges: 'open' })
    // To the east alone: to the west it rises, and north and south there is no cell to fall from.
    expect(made.edges).toEqual([
      { cell: 2, face: 0, vertical: false, sign: 1, factor: Math.sqrt(0.001) / 0.02 },
    ])
    const steep = laidOut([[3, 2, 1]], { edges: 'open' })
    expect(steep.edges[0].factor).toBeCloseTo(Math.sqrt(0.1) / 0.02, 9)
    expect(laidOut([[3, 2, 1]]).edges).toEqual([])
  })

  test('have a face on each side, by the rows that store the faces', () => {
    const manning = new Float64Array(9).fill(0.05)
    // A hill: it falls to all sides.
    const made = laidOut(
      [
        [0, 0, 0],
        [0, 1, 0],
        [0, 0, 0],
      ],
      { edges: 'open', manning },
    )
    const sides = made.edges.map(({ cell, face, vertical, sign }) => [cell, face, vertical, sign])
    expect(sides).toEqual([
      [1, -made.stride, true, -1],
      [3, -1, false, -1],
      [5, 0, false, 1],
      [7, 0, true, 1],
    ])
    for (const { factor } of made.edges) expect(factor).toBeCloseTo(Math.sqrt(0.1) / 0.05, 9)
  })

  test('of a corner come by the rows of their faces, each row from the west', () => {
    const made = laidOut(
      [
        [0, 1],
        [1, 2],
      ],
      { edges: 'open' },
    )
    const { stride } = made
    // The corner falls to the north and west; of the others one side each, which has higher ground behind it.
    expect(made.edges.map(({ cell, face }) => [cell, face])).toEqual([
      [0, -stride],
      [1, -stride],
      [0, -1],
      [2, -1],
    ])
    const south = laidOut(
      [
        [1, 2],
        [0, 1],
      ],
      { edges: 'open' },
    )
    expect(south.edges.map(({ cell, face }) => [cell, face])).toEqual([
      [0, -1],
      [2, -1],
      [2, 0],
      [3, 0],
    ])
  })

  test('also around cells that lie outside within the grid, not at permanent water', () => {
    const made = laidOut([[3, 2, NONE, 2, 3]], { edges: 'open' })
    expect(made.edges.map(({ cell, face, sign }) => [cell, face, sign])).toEqual([
      [1, 0, 1],
      [3, -1, -1],
    ])
    const water = laidOut([[3, 2, 1, 2, 3]], {
      edges: 'open',
      permanentWater: Uint8Array.of(0, 0, 1, 0, 0),
    })
    expect(water.edges).toEqual([])
  })
})
