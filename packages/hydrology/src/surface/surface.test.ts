import { describe, expect, test } from 'vitest'
import { even, flat, relativeError, run } from '../testing/flat.ts'
import { bothKernels, reference } from '../testing/kernels.ts'
import { roughGround, stillWater } from '../testing/plane-cases.ts'
import { smallTown } from '../testing/town.ts'
import { createSurface } from './surface.ts'
import type { SurfaceGrid } from './types.ts'

describe.each(bothKernels())('%s kernel', (name, choice) => {
  test('still water over rough ground with islands stays still', () => {
    // f64 keeps levels to 1e-16. The fast kernel sees depths to 1e-7 m (f32), which moves water at up to 1 mm/s.
    expect(stillWater(choice, 3600)).toBeLessThan(name === 'reference' ? 1e-12 : 1e-3)
  })

  test.each([10, 31, 33, 100, 1000])('walls hold water of %i m', (depthM) => {
    const n = 6
    const grid = flat(n, n)
    // A hole in the middle, where no cell is: water leans against its walls, and against the grid's own.
    grid.elevationM[2 * n + 2] = Number.NaN
    const surface = createSurface(grid, even(grid), choice)
    surface.setInitial(new Float64Array(n * n).fill(depthM))
    run(surface, 60)
    const { surfaceM3, edgeOutM3 } = surface.volumes()
    expect(edgeOutM3).toBe(0)
    expect(surfaceM3 / ((n * n - 1) * depthM * grid.cellSizeM ** 2)).toBeCloseTo(1, 9)
    expect(surface.depthM(n + 1)).toBeCloseTo(depthM, 3)
  })

  test('a boundary takes the place of an open edge, through which nothing leaves beside it', () => {
    const [nrows, ncols] = [3, 10]
    const grid = flat(nrows, ncols)
    // Falls to the east and south by 1 %; the southern edge stays open.
    for (let cell = 0; cell < nrows * ncols; cell++)
      grid.elevationM[cell] = 0.01 * grid.cellSizeM * (ncols - (cell % ncols) - Math.floor(cell / ncols))
    const row = [0, 1, 2]
    const faces = row.map((k) => ({ cell: k * ncols + ncols - 1, side: 0 as const }))
    const leaving = (kind: 'closed' | 'normal', south: boolean) => {
      const lower = Array.from({ length: ncols }, (_, col) => ({ cell: 2 * ncols + col, side: 2 as const }))
      const bounded = south ? faces : [...faces, ...lower]
      const surface = createSurface(grid, { ...even(grid), edges: 'open', bounded }, choice, { halvings: 0 })
      surface.setInitial(new Float64Array(nrows * ncols).fill(0.2))
      surface.setBoundaries([
        { name: 'east', kind, slope: 0.01, faces, cells: [] },
        ...(south ? [] : [{ name: 'south', kind: 'closed' as const, faces: lower, cells: [] }]),
      ])
      run(surface, 60)
      const { edgeOutM3, boundaryInM3 } = surface.volumes()
      return { edgeOutM3, inM3: boundaryInM3 }
    }
    expect(leaving('closed', false)).toEqual({ edgeOutM3: 0, inM3: 0 })
    expect(leaving('normal', false).edgeOutM3).toBe(0)
    expect(leaving('normal', false).inM3).toBeLessThan(-10)
    expect(leaving('closed', true).edgeOutM3).toBeGreaterThan(10)
  })

  test('100,000 rain increments on a closed basin are all there', () => {
    const grid = roughGround(6, 9)
    const surface = createSurface(grid, even(grid), choice)
    const rate = 1 / 3.6e6 / 7
    surface.setRain(rate)
    for (let k = 0; k < 100_000; k++) surface.step(0.25)
    const exact = rate * 25_000 * 54 * 100
    expect(Math.abs(surface.volumes().surfaceM3 / exact - 1)).toBeLessThan(1e-9)
  })

  test('at the last two faces before open water, waves may outrun the step by half', () => {
    const ncols = 8
    const grid = flat(1, ncols)
    for (let col = 0; col < ncols; col++) grid.elevationM[col] = -0.4 * col
    const permanentWater = Uint8Array.from(grid.elevationM, (_, col) => (col === ncols - 1 ? 1 : 0))
    const surface = createSurface(grid, { ...even(grid), permanentWater }, choice, {
      maxStepS: 60,
      halvings: 0,
    })
    surface.setRain(200 / 3.6e6)
    run(surface, 1800)
    const limits = Array.from({ length: ncols - 1 }, (_, col) => {
      const speed = surface.unitDischarge(col).east / surface.depthM(col)
      return (col >= ncols - 3 ? 1.5 : 1) * (6 / speed)
    })
    expect(Math.min(...limits)).toBeLessThan(limits[ncols - 2])
    expect(surface.stableStepS() / Math.min(...limits)).toBeCloseTo(1, 3)
  })

  test('where cells give to two neighbours, the step is shorter than the largest speed asks for', () => {
    const n = 12
    const grid = flat(n, n)
    for (let cell = 0; cell < n * n; cell++)
      grid.elevationM[cell] = -0.3 * ((cell % n) + Math.floor(cell / n))
    const surface = createSurface(grid, { ...even(grid, 0.02), edges: 'open' }, choice, {
      maxStepS: 60,
      halvings: 0,
    })
    surface.setRain(600 / 3.6e6)
    run(surface, 1800)
    const cells = Array.from({ length: n * n }, (_, cell) => ({
      ...surface.unitDischarge(cell),
      h: surface.depthM(cell),
    }))
    const fastest = Math.max(...cells.map(({ east, south, h }) => Math.max(east, south) / h))
    const emptiest = Math.max(...cells.map(({ east, south, h }) => (h > 0.01 ? (east + south) / h : 0)))
    expect(emptiest).toBeGreaterThan(1.5 * fastest)
    expect(surface.stableStepS() / (6 / (0.9 * emptiest))).toBeCloseTo(1, 3)
  })

  test('steps in parts come to the same as short steps for all, and lose nothing', () => {
    const { grid, params } = smallTown()
    const [parted, short] = [{ halvings: 2 }, { halvings: 0, maxStepS: 0.5 }].map((options) => {
      const surface = createSurface(grid, params, choice, options)
      let longest = 0
      surface.setRain(150 / 3.6e6)
      for (let t = 0; t < 1800; t += 60) {
        if (t === 900) surface.setRain(0)
        longest = Math.max(longest, surface.stableStepS() / surface.waveStepS())
        run(surface, 60)
      }
      return { surface, longest, deepest: surface.snapshot('maxDepth') }
    })
    expect(parted.longest).toBeGreaterThan(2)
    expect(short.longest).toBeLessThanOrEqual(1)
    expect(Math.abs(relativeError(parted.surface))).toBeLessThan(1e-11)
    for (const [cell, depth] of parted.deepest.entries())
      if (depth > 1e-3) expect(Math.abs(depth - short.deepest[cell])).toBeLessThan(2e-3 + 0.01 * depth)
  })

  test.each([
    ['south', 60, 3],
    ['east', 3, 60],
  ])('a front that runs over dry ground to the %s is not held up by steps in parts', (_, nrows, ncols) => {
    const along = (cell: number) => (nrows > ncols ? Math.floor(cell / ncols) : cell % ncols)
    const grid = flat(nrows, ncols)
    grid.elevationM.forEach((_, cell) => {
      grid.elevationM[cell] = -0.2 * along(cell)
    })
    const [parted, whole] = [2, 0].map((halvings) => {
      const surface = createSurface(grid, even(grid, 0.02), choice, { halvings })
      let front = 0
      let parts = 0
      let steps = 0
      for (let t = 0; t < 180; steps++) {
        const dt = Math.min(surface.stableStepS(), 180 - t)
        surface.step(dt, undefined, (partS) => {
          parts++
          for (let cell = 0; cell < nrows * ncols; cell++)
            if (along(cell) === 0) surface.addVolume(cell, 3 * partS)
        })
        t += dt
      }
      surface.snapshot('depth').forEach((depth, cell) => {
        if (depth > 0.01) front = Math.max(front, along(cell))
      })
      return { front, parts: parts / steps }
    })
    expect(parted.parts).toBeGreaterThan(1.5)
    expect(whole.front).toBeGreaterThan(20)
    expect(Math.abs(parted.front - whole.front)).toBeLessThanOrEqual(1)
  })

  test.each([
    [10, true],
    [2, false],
  ])('steps in parts are for cells from 4 m on (%d m)', (cellSizeM, parted) => {
    const grid = { ...roughGround(20, 40), cellSizeM }
    const surface = createSurface(grid, even(grid, 0.02), choice)
    surface.setRain(200 / 3.6e6)
    run(surface, 300)
    expect(surface.stableStepS() > 1.2 * surface.waveStepS()).toBe(parted)
  })

  test('a town with soil, pond, interception and open edges loses nothing', () => {
    const { grid, params } = smallTown()
    const surface = createSurface(grid, params, choice)
    surface.setRain(120 / 3.6e6)
    run(surface, 1200)
    surface.setRain(0)
    run(surface, 2400)
    const v = surface.volumes()
    for (const part of [v.interceptedM3, v.infiltratedM3, v.surfaceM3, v.waterM3, v.edgeOutM3])
      expect(part).toBeGreaterThan(0.5)
    expect(Math.abs(relativeError(surface))).toBeLessThan(1e-11)
    for (const depth of surface.snapshot('depth')) expect(depth < 0).toBe(false)
  })

  test('mirrored and turned terrain gives mirrored and turned results', () => {
    const grid = roughGround(12, 20)
    const { nrows, ncols, elevationM } = grid
    const turned: SurfaceGrid = { ...flat(ncols, nrows), elevationM: new Float64Array(240) }
    const mirrored: SurfaceGrid = { ...flat(nrows, ncols), elevationM: new Float64Array(240) }
    const turn = (cell: number) => (cell % ncols) * nrows + (nrows - 1 - Math.floor(cell / ncols))
    const mirror = (cell: number) => cell - (cell % ncols) + (ncols - 1 - (cell % ncols))
    elevationM.forEach((z, cell) => {
      turned.elevationM[turn(cell)] = z
      mirrored.elevationM[mirror(cell)] = z
    })
    const [plain, second, third] = [grid, turned, mirrored].map((g) => {
      const surface = createSurface(g, even(g), choice)
      surface.setRain(100 / 3.6e6)
      run(surface, 900, 1)
      return surface.snapshot('depth')
    })
    // Rounding differs with the order of sums; f32 fluxes keep 7 digits.
    const bound = name === 'reference' ? 1e-9 : 1e-4
    plain.forEach((depth, cell) => {
      expect(Math.abs(second[turn(cell)] - depth)).toBeLessThan(bound)
      expect(Math.abs(third[mirror(cell)] - depth)).toBeLessThan(bound)
    })
  })

  test('interception keeps the first rain and no more', () => {
    const grid = flat(3, 5)
    const surface = createSurface(
      grid,
      { ...even(grid), interceptionM: new Float64Array(15).fill(0.002) },
      choice,
    )
    surface.setRain(3.6 / 3.6e6)
    run(surface, 1500)
    expect(surface.volumes().surfaceM3).toBe(0)
    expect(surface.volumes().interceptedM3).toBeCloseTo(0.0015 * 1500, 9)
    run(surface, 1500)
    expect(surface.volumes().interceptedM3).toBeCloseTo(0.002 * 1500, 9)
    expect(surface.volumes().surfaceM3).toBeCloseTo(0.001 * 1500, 9)
  })

  test('soil takes more with more conductivity, suction and deficit, and run-on infiltrates after the rain', () => {
    const grid = flat(1, 8)
    const taken = (kh: number, capsh: number, soilmd: number) => {
      const fill = (value: number) => new Float64Array(8).fill(value)
      const soil = { khMS: fill(kh), capshM: fill(capsh), soilmd: fill(soilmd) }
      const surface = createSurface(grid, { ...even(grid), soil }, choice)
      surface.setRain(60 / 3.6e6)
      run(surface, 1200)
      const during = surface.volumes().infiltratedM3
      surface.setRain(0)
      run(surface, 1200)
      return { during, after: surface.volumes().infiltratedM3 }
    }
    const base = taken(1e-6, 0.1, 0.2)
    expect(base.after).toBeGreaterThan(base.during * 1.2)
    for (const more of [taken(2e-6, 0.1, 0.2), taken(1e-6, 0.2, 0.2), taken(1e-6, 0.1, 0.3)])
      expect(more.during).toBeGreaterThan(base.during * 1.1)
    expect(taken(0, 0.1, 0.2).after).toBe(0)
  })

  test('a smoother surface drains faster', () => {
    const left = [0.015, 0.1].map((n) => {
      const grid = {
        ...flat(1, 20),
        elevationM: Float64Array.from({ length: 20 }, (_, col) => 2 - 0.1 * col),
      }
      const surface = createSurface(grid, { ...even(grid, n), edges: 'open' }, choice)
      surface.setRain(50 / 3.6e6)
      run(surface, 900)
      return surface.volumes().surfaceM3
    })
    expect(left[1]).toBeGreaterThan(1.5 * left[0])
  })

  test('permanent water takes rain and inflow out of the grid', () => {
    const grid = { ...flat(1, 10), elevationM: Float64Array.from({ length: 10 }, (_, col) => 1 - 0.1 * col) }
    const water = new Uint8Array(10)
    water[9] = 1
    const surface = createSurface(grid, { ...even(grid), permanentWater: water }, choice)
    surface.setRain(36 / 3.6e6)
    run(surface, 600)
    surface.setRain(0)
    run(surface, 7200)
    const { waterM3, surfaceM3 } = surface.volumes()
    // All but the film under the dry depth, 9 cells x 0.2 mm.
    expect(waterM3).toBeGreaterThan(5.8)
    expect(waterM3 + surfaceM3).toBeCloseTo(6, 9)
    expect(surface.depthM(9)).toBe(0)
  })

  test('never more is taken from a cell than it holds', () => {
    const grid = flat(2, 5)
    const surface = createSurface(grid, even(grid), choice)
    expect(surface.addVolume(3, 5)).toBeCloseTo(5, 12)
    expect(surface.addVolume(3, -9)).toBeCloseTo(-5, 12)
    expect(surface.depthM(3)).toBe(0)
  })

  test('a thin sheet over a cliff empties its cells but no deeper', () => {
    const elevationM = Float64Array.from({ length: 30 }, (_, col) => (col < 15 ? 20 : 0))
    const grid = { ...flat(1, 30), elevationM }
    const surface = createSurface(grid, even(grid, 0.015), choice)
    for (let col = 0; col < 15; col++) surface.setDepth(col, 0.01)
    run(surface, 600)
    for (const depth of surface.snapshot('depth')) expect(depth).toBeGreaterThanOrEqual(0)
    expect(Math.abs(relativeError(surface))).toBeLessThan(1e-12)
  })
})

describe('input that cannot be right', () => {
  const grid = flat(2, 2)
  const good = even(grid)
  const bad = (value: number) => new Float64Array(4).fill(value)
  test.each([
    [{ ...grid, elevationM: new Float64Array(3) }, good, 'surface.shape'],
    [{ ...grid, cellSizeM: 0 }, good, 'surface.cellsize'],
    [{ ...grid, elevationM: bad(1e6) }, good, 'surface.elevation'],
    [{ ...grid, elevationM: bad(Number.NaN) }, good, 'surface.empty'],
    [grid, { ...good, manning: bad(-0.03) }, 'surface.range'],
    [grid, { ...good, manning: bad(Number.NaN) }, 'surface.range'],
    [grid, { ...good, interceptionM: bad(-0.1) }, 'surface.range'],
    [grid, { ...good, soil: { khMS: bad(1), capshM: bad(0.1), soilmd: bad(0.3) } }, 'surface.range'],
    [grid, { ...good, soil: { khMS: bad(1e-6), capshM: bad(0.1), soilmd: bad(1.3) } }, 'surface.range'],
    [grid, { ...good, permanentWater: new Uint8Array(4).fill(1) }, 'surface.empty'],
  ])('is refused with a code and a remedy (%#)', (badGrid, params, code) => {
    expect(() => createSurface(badGrid, params, reference)).toThrow(expect.objectContaining({ code }))
  })

  test('says in which cell it stands', () => {
    const grid = flat(3, 4)
    const at = (value: number, other: number) =>
      Float64Array.from({ length: 12 }, (_, k) => (k === 6 ? value : other))
    const refused = (elevationM: Float64Array, manning: Float64Array) => () =>
      createSurface({ ...grid, elevationM }, { manning, edges: 'closed' }, reference)
    const place = { row: 1, col: 2 }
    expect(refused(at(1e6, 0), at(0.03, 0.03))).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^Altitude 1000000 m à la ligne 2 de la grille, colonne 3 /),
        details: place,
      }),
    )
    expect(refused(at(0, 0), at(-1, 0.03))).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/ -1 .* à la ligne 2 de la grille, colonne 3 : .*occupation des sols/),
        details: { field: 'manning', ...place },
      }),
    )
  })
})
