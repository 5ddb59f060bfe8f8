import fc from 'fast-check'
import proj4 from 'proj4'
import { describe, expect, test } from 'vitest'
import { projectionText } from '../config/projections.ts'
import { type Frame, middleOf, type Place } from './grid.ts'
import { crossingOf } from './ground/crossing.ts'
import { alongLine, cellsOfStrip } from './ground/lines.ts'
import { cellsInside, coverageOf, type Rings } from './ground/rasterise.ts'
import { fillHole, holesOf } from './terrain/holes.ts'
import { breach, fill, outletsOf, priorityFlood, sinksOf } from './terrain/pits.ts'
import { areaMeans, bilinear, movedCorners, overCorners, type Patch } from './terrain/resample.ts'

const frameOf = (ncols: number, nrows: number, cellSize = 10): Frame => ({
  ncols,
  nrows,
  xll: 100,
  yll: 200,
  cellSize,
})

/** A terrain of few levels, so that flats and equal sills occur, with holes. */
const terrain = fc
  .record({ ncols: fc.integer({ min: 1, max: 9 }), nrows: fc.integer({ min: 1, max: 9 }) })
  .chain(({ ncols, nrows }) =>
    fc
      .array(fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 12 }) }, fc.constant(Number.NaN)), {
        minLength: ncols * nrows,
        maxLength: ncols * nrows,
      })
      .map((values) => ({ frame: frameOf(ncols, nrows), z: Float64Array.from(values) })),
  )
const neighbours = fc.constantFrom(4 as const, 8 as const)

/** Level at which water leaves each cell, by asking all neighbours again and again until nothing changes. */
function slowLevels(
  z: Float64Array,
  { ncols, nrows }: Frame,
  outlets: Uint8Array,
  around: 4 | 8,
): Float64Array {
  const level = Float64Array.from(z, (value, cell) =>
    Number.isNaN(value) ? Number.NaN : outlets[cell] === 1 ? value : Number.POSITIVE_INFINITY,
  )
  for (let changed = true; changed; ) {
    changed = false
    for (let cell = 0; cell < z.length; cell++)
      for (let dr = -1; dr <= 1; dr++)
        for (let dc = -1; dc <= 1; dc++) {
          if ((dr === 0 && dc === 0) || (around === 4 && dr !== 0 && dc !== 0)) continue
          const row = Math.floor(cell / ncols) + dr
          const col = (cell % ncols) + dc
          if (row < 0 || col < 0 || row >= nrows || col >= ncols) continue
          const through = Math.max(z[cell], level[row * ncols + col])
          if (through < level[cell]) {
            level[cell] = through
            changed = true
          }
        }
  }
  return level
}

describe('sinks', () => {
  test('priority flood finds the levels that a brute search finds, and never lowers', () => {
    fc.assert(
      fc.property(terrain, neighbours, fc.boolean(), ({ frame, z }, around, open) => {
        const outlets = outletsOf(z, frame, new Uint8Array(z.length), open)
        const { level } = priorityFlood(z, frame, outlets, around)
        const slow = slowLevels(z, frame, outlets, around)
        for (let cell = 0; cell < z.length; cell++) {
          if (Number.isNaN(z[cell])) expect(level[cell]).toBeNaN()
          else {
            // What no way leads out of stays without a level in both.
            expect(Number.isNaN(level[cell]) ? Number.POSITIVE_INFINITY : level[cell]).toBe(slow[cell])
            if (!Number.isNaN(level[cell])) expect(level[cell]).toBeGreaterThanOrEqual(z[cell])
          }
        }
      }),
      { numRuns: 400 },
    )
  })

  test('filled or breached, no sink is left; a breach never raises and a fill never lowers', () => {
    fc.assert(
      fc.property(terrain, neighbours, fc.boolean(), ({ frame, z }, around, cut) => {
        const outlets = outletsOf(z, frame, new Uint8Array(z.length), true)
        const before = z.slice()
        const flood = priorityFlood(z, frame, outlets, around)
        for (const sink of sinksOf(z, flood, frame, around, 0))
          if (cut) expect(breach(z, flood, sink, 100)).not.toBeNull()
        for (let cell = 0; cell < z.length; cell++) if (z[cell] > before[cell]) throw new Error('raised')
        const cutZ = z.slice()
        for (const sink of sinksOf(z, priorityFlood(z, frame, outlets, around), frame, around, 0))
          fill(z, sink)
        for (let cell = 0; cell < z.length; cell++) if (z[cell] < cutZ[cell]) throw new Error('lowered')
        expect(sinksOf(z, priorityFlood(z, frame, outlets, around), frame, around, 0)).toEqual([])
      }),
      { numRuns: 400 },
    )
  })

  test('a sink is told with its depth, area, volume and place', () => {
    const frame = frameOf(5, 5)
    const z = new Float64Array(25).fill(10)
    z[12] = 7
    z[13] = 9
    const flood = priorityFlood(z, frame, outletsOf(z, frame, new Uint8Array(25), true), 4)
    const [sink] = sinksOf(z, flood, frame, 4, 0.01)
    expect(sink).toMatchObject({ cell: 12, levelM: 10, depthM: 3, areaM2: 200, volumeM3: 400 })
    expect(breach(z, flood, sink, 2)).toBeNull()
    expect(z[13]).toBe(9)
    expect(breach(z, flood, sink, 3)).toMatchObject({ cutM: 3 })
  })

  test('water takes what comes: a pond is no sink', () => {
    const frame = frameOf(5, 5)
    const z = new Float64Array(25).fill(10)
    z[12] = 7
    const water = new Uint8Array(25)
    water[12] = 1
    const flood = priorityFlood(z, frame, outletsOf(z, frame, water, false), 4)
    expect(sinksOf(z, flood, frame, 4, 0)).toEqual([])
  })
})

test('holes are those that the ground encloses, and are filled between its levels', () => {
  const frame = frameOf(6, 5)
  const z = Float64Array.from({ length: 30 }, (_, cell) => cell % 6)
  for (const cell of [8, 9, 5, 11]) z[cell] = Number.NaN
  const holes = holesOf(z, frame, new Uint8Array(30))
  expect(holes.map(({ cells }) => [...cells].sort((a, b) => a - b))).toEqual([[8, 9]])
  fillHole(z, frame, holes[0])
  expect(z[8]).toBeGreaterThan(1)
  expect(z[9]).toBeGreaterThan(z[8])
  expect(z[9]).toBeLessThan(4)
  // A hole that the outline cuts through is none.
  z[8] = Number.NaN
  const outside = new Uint8Array(30)
  outside[9] = 1
  expect(holesOf(z, frame, outside)).toEqual([])
})

const patchOf = (
  ncols: number,
  nrows: number,
  cell: number,
  left: number,
  top: number,
  data: Float64Array,
): Patch => ({
  ncols,
  nrows,
  left,
  top,
  cellWidth: cell,
  cellHeight: cell,
  data,
})

describe('resampling', () => {
  test('means over areas conserve the mean, whatever the cells', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 6 }),
        fc.double({ min: 1, max: 7, noNaN: true }),
        fc.integer({ min: 1, max: 2 ** 31 }),
        (ncols, nrows, ratio, seed) => {
          const frame = frameOf(ncols, nrows)
          const cell = frame.cellSize / ratio
          // The lattice covers the frame exactly where the counts are whole; else it reaches over, with nothing there.
          const [c, r] = [Math.ceil(ncols * ratio), Math.ceil(nrows * ratio)]
          const random = mulberry(seed)
          const data = Float64Array.from({ length: c * r }, () => 100 * random())
          const patch = patchOf(c, r, cell, 100, 200 + nrows * 10, data)
          const means = areaMeans(patch, frame, 0, nrows)
          let sum = 0
          let weights = 0
          for (let row = 0; row < r; row++)
            for (let col = 0; col < c; col++) {
              const width = Math.min(ncols * ratio, col + 1) - col
              const height = Math.min(nrows * ratio, row + 1) - row
              sum += width * height * data[row * c + col]
              weights += width * height
            }
          const mean = means.reduce((all, value) => all + value, 0) / means.length
          expect(mean).toBeCloseTo(sum / weights, 8)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('bands of rows are the whole', () => {
    const random = mulberry(7)
    const frame = frameOf(7, 9)
    const data = Float64Array.from({ length: 40 * 40 }, () => (random() < 0.1 ? Number.NaN : random()))
    const patch = patchOf(40, 40, 2.7, 95, 300, data)
    const whole = areaMeans(patch, frame, 0, 9)
    const bands = [areaMeans(patch, frame, 0, 4), areaMeans(patch, frame, 4, 9)]
    expect([...bands[0], ...bands[1]]).toEqual([...whole])
  })

  test('between middles a plane stays a plane, and no data is not drawn in', () => {
    const data = Float64Array.from({ length: 100 }, (_, k) => 3 * (k % 10) - 2 * Math.floor(k / 10))
    const patch = patchOf(10, 10, 5, 0, 50, data)
    expect(bilinear(patch, 12, 33)).toBeCloseTo(3 * (12 / 5 - 0.5) - 2 * (17 / 5 - 0.5), 9)
    data[33] = Number.NaN
    expect(bilinear(patch, 17, 32)).toBeNaN()
    expect(bilinear(patch, 14.9, 32)).toBeCloseTo(data[32], 0)
    expect(bilinear(patch, -1, 32)).toBeNaN()
  })

  test('a plane moved from another system is the plane there, to a millimetre', () => {
    const frame: Frame = { ncols: 60, nrows: 40, xll: 672_500, yll: 6_824_800, cellSize: 25 }
    const { forward } = proj4(projectionText(2154)!, projectionText(3949)!)
    const move = (place: Place) => forward([place[0], place[1]]) as [number, number]
    const [x0, y0] = move([672_500, 6_824_800])
    const level = (x: number, y: number) => 50 + 0.01 * (x - x0) - 0.02 * (y - y0)
    // Coarser than the frame, so that values lie between middles.
    const [left, top] = [x0 - 500, y0 + 2000]
    const data = Float64Array.from({ length: 100 * 100 }, (_, k) =>
      level(left + ((k % 100) + 0.5) * 40, top - (Math.floor(k / 100) + 0.5) * 40),
    )
    const patch = patchOf(100, 100, 40, left, top, data)
    const values = overCorners(patch, 60, movedCorners(frame, 0, 40, move), 'mean')
    values.forEach((value, cell) => {
      const [x, y] = move(middleOf(frame, cell))
      expect(Math.abs(value - level(x, y))).toBeLessThan(1e-3)
    })
  })
})

test.each([2154, 3949, 32631, 25831, 27572])('places come back from EPSG:%i to a millimetre', (epsg) => {
  const there = proj4(projectionText(2154)!, projectionText(epsg)!)
  for (const place of [
    [672_500, 6_824_800],
    [652_217, 6_861_684],
  ]) {
    const back = there.inverse(there.forward([...place]))
    expect(Math.hypot(back[0] - place[0], back[1] - place[1])).toBeLessThan(1e-3)
  }
})

/** Rings that do not cross themselves: a star around a place, with a hole of the same kind. */
const star = fc
  .record({
    x: fc.double({ min: 60, max: 240, noNaN: true }),
    y: fc.double({ min: 150, max: 350, noNaN: true }),
    radii: fc.array(fc.double({ min: 20, max: 90, noNaN: true }), { minLength: 3, maxLength: 9 }),
    turn: fc.double({ min: 0, max: 6, noNaN: true }),
    hole: fc.boolean(),
    reverse: fc.boolean(),
  })
  .map(({ x, y, radii, turn, hole, reverse }): Rings => {
    const ring = (scale: number) =>
      radii.map((radius, k): Place => {
        const angle = turn + (2 * Math.PI * k) / radii.length
        return [x + scale * radius * Math.cos(angle), y + scale * radius * Math.sin(angle)]
      })
    const outer = reverse ? ring(1).reverse() : ring(1)
    return hole ? [outer, ring(0.5)] : [outer]
  })

function insideOf(rings: Rings, [x, y]: Place): boolean {
  let within = false
  for (const ring of rings)
    for (let k = 0, j = ring.length - 1; k < ring.length; j = k++) {
      const [[xk, yk], [xj, yj]] = [ring[k], ring[j]]
      if (yk > y !== yj > y && x < ((xj - xk) * (y - yk)) / (yj - yk) + xk) within = !within
    }
  return within
}

describe('areas on cells', () => {
  test('cells of an area are those whose middles lie inside', () => {
    fc.assert(
      fc.property(star, (rings) => {
        const frame = frameOf(12, 10)
        const found = new Set<number>()
        cellsInside(rings, frame, (cell) => found.add(cell))
        for (let cell = 0; cell < 120; cell++)
          expect(found.has(cell)).toBe(insideOf(rings, middleOf(frame, cell)))
      }),
      { numRuns: 500 },
    )
  })

  test('areas that touch along lines of middles share no cell and leave none out', () => {
    const frame = frameOf(8, 8)
    const square = (west: number, south: number, east: number, north: number): Rings => [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ]
    const count = new Uint8Array(64)
    // The lines between them run through the middles of cells.
    for (const [west, east] of [
      [95, 125],
      [125, 185],
    ])
      for (const [south, north] of [
        [195, 245],
        [245, 285],
      ])
        cellsInside(square(west, south, east, north), frame, (cell) => count[cell]++)
    expect([...count]).toEqual(new Array(64).fill(1))
  })

  test('shares of cells are those of many small places, and together the area', () => {
    fc.assert(
      fc.property(star, (rings) => {
        const frame = frameOf(12, 10)
        const shares = new Map<number, number>()
        coverageOf(rings, frame, (cell, share) => {
          expect(shares.has(cell)).toBe(false)
          shares.set(cell, share)
        })
        const fine: Frame = { ...frame, ncols: 12 * 20, nrows: 10 * 20, cellSize: 0.5 }
        const counts = new Map<number, number>()
        cellsInside(rings, fine, (small) => {
          const row = Math.floor(small / 240 / 20)
          const cell = row * 12 + Math.floor((small % 240) / 20)
          counts.set(cell, (counts.get(cell) ?? 0) + 1)
        })
        for (let cell = 0; cell < 120; cell++)
          expect(Math.abs((shares.get(cell) ?? 0) - (counts.get(cell) ?? 0) / 400)).toBeLessThan(0.06)
      }),
      { numRuns: 200 },
    )
  })

  test('an area inside the grid is the sum of its shares', () => {
    const frame = frameOf(30, 30)
    const rings: Rings = [
      [
        [113, 217],
        [251.7, 233],
        [301, 402],
        [140, 371.3],
      ],
      [
        [180, 280],
        [182, 310],
        [215, 300],
      ],
    ]
    let sum = 0
    coverageOf(rings, frame, (_, share) => {
      sum += 100 * share
    })
    const area = (ring: readonly Place[]) =>
      Math.abs(
        ring.reduce(
          (all, [x, y], k) => all + x * ring[(k + 1) % ring.length][1] - ring[(k + 1) % ring.length][0] * y,
          0,
        ),
      ) / 2
    expect(sum).toBeCloseTo(area(rings[0]) - area(rings[1]), 6)
  })

  test('a line is as long in its cells as it is, and a narrow street stays in one piece', () => {
    const frame = frameOf(20, 20)
    const line: Place[] = [
      [103, 207],
      [188, 391],
      [299, 250],
    ]
    let sum = 0
    alongLine(line, frame, (cell, lengthM) => {
      expect(cell).toBeGreaterThanOrEqual(0)
      sum += lengthM
    })
    expect(sum).toBeCloseTo(Math.hypot(85, 184) + Math.hypot(111, 141), 6)
    const cells = new Set<number>()
    cellsOfStrip(line, 3, frame, (cell) => cells.add(cell))
    // Each has a neighbour, corners included.
    for (const cell of cells)
      expect([-21, -20, -19, -1, 1, 19, 20, 21].some((step) => cells.has(cell + step))).toBe(true)
    expect(cells.size).toBeGreaterThan(25)
  })

  test('a ring that crosses itself is found where it does, one that only touches itself is not', () => {
    const bow: Place[] = [
      [0, 0],
      [10, 10],
      [10, 0],
      [0, 10],
    ]
    expect(crossingOf([bow])).toEqual([5, 5])
    const pinched: Place[] = [
      [0, 0],
      [5, 5],
      [10, 0],
      [10, 10],
      [5, 5],
      [0, 10],
    ]
    expect(crossingOf([pinched])).toBeNull()
    const square: Place[] = [
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 10],
      [0, 0],
    ]
    expect(crossingOf([square])).toBeNull()
    expect(crossingOf([square, square.map(([x, y]): Place => [x + 5, y + 5])])).not.toBeNull()
    fc.assert(
      fc.property(star, (rings) => {
        expect(crossingOf(rings)).toBeNull()
      }),
      { numRuns: 200 },
    )
  })
})

function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
