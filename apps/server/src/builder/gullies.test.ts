import { tmpdir } from 'node:os'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Findings } from './findings.ts'
import { type Frame, middleOf } from './grid.ts'
import { gulliesOf } from './gullies.ts'
import { checkRecipe } from './recipe.ts'
import { readNetwork } from './sewer/placed-inp.ts'
import { crsOf } from './sources/crs.ts'
import { RecipeFolder } from './sources/files.ts'

const frame: Frame = { ncols: 12, nrows: 10, xll: 1000, yll: 2000, cellSize: 10 }
const CELLS = frame.ncols * frame.nrows
const [ROAD, GULLY] = [2, 5]

const networkAt = (places: readonly (readonly [number, number])[]) =>
  readNetwork(
    [
      '[OPTIONS]',
      'START_DATE 01/01/2026',
      'START_TIME 00:00:00',
      'END_DATE 01/01/2026',
      'END_TIME 01:00:00',
      'FLOW_UNITS CMS',
      '[JUNCTIONS]',
      ...places.map((_, k) => `J-${k} 20 2 0 0 0`),
      '[OUTFALLS]',
      'OUT 10 FREE',
      '[CONDUITS]',
      ...places.map((_, k) => `C-${k} J-${k} ${k + 1 < places.length ? `J-${k + 1}` : 'OUT'} 50 0.013 0 0`),
      '[XSECTIONS]',
      ...places.map((_, k) => `C-${k} CIRCULAR 0.3 0 0 0`),
      '[COORDINATES]',
      ...places.map(([x, y], k) => `J-${k} ${x} ${y}`),
      'OUT 1000 2000',
      '',
    ].join('\n'),
    'network.inp',
  )

test('gullies by rule lie low on roads, apart, in reach of their junction, and none more would fit', async () => {
  const cells = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: CELLS, maxLength: CELLS })
  const place = fc.tuple(fc.integer({ min: 1000, max: 1120 }), fc.integer({ min: 2000, max: 2100 }))
  await fc.assert(
    fc.asyncProperty(
      cells(fc.integer({ min: 20, max: 30 })),
      cells(fc.constantFrom(ROAD, 3, GULLY)),
      fc.array(place, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 5, max: 60 }),
      fc.integer({ min: 15, max: 80 }),
      async (levels, kinds, places, spacing, reach) => {
        const recipe = checkRecipe({
          ...{ id: 'petit', display: 'Petit', crs: 'EPSG:2154', cellSize: frame.cellSize },
          outline: { bounds: [1000, 2000, 1120, 2100] },
          terrain: { files: ['mnt.tif'] },
          gullies: { automatic: { spacing, reach } },
        })
        const outside = new Uint8Array(CELLS)
        const sources = { recipe, crs: crsOf(recipe.crs), folder: new RecipeFolder(tmpdir()) }
        const context = { ...sources, frame, outside, findings: new Findings(() => undefined) }
        const z = Float64Array.from(levels)
        const codes = Int16Array.from(kinds)
        const made = await gulliesOf(context, recipe.gullies!, networkAt(places), z, codes)
        const between = (a: readonly [number, number], b: readonly [number, number]) =>
          Math.hypot(a[0] - b[0], a[1] - b[1])
        const at = made.map(({ cell }) => middleOf(frame, cell))
        made.forEach(({ cell, junction }, k) => {
          expect(kinds[cell]).not.toBe(3)
          const own = between(at[k], places[Number(junction.slice(2))])
          expect(own).toBeLessThanOrEqual(reach)
          for (const other of places) expect(own).toBeLessThanOrEqual(between(at[k], other) + 1e-9)
          for (let other = 0; other < k; other++)
            expect(between(at[k], at[other])).toBeGreaterThanOrEqual(spacing * (1 - 1e-6))
        })
        // A road cell that got none has no junction in reach, or a gully near that lies as low.
        const taken = new Set(made.map(({ cell }) => cell))
        for (let cell = 0; cell < CELLS; cell++) {
          expect(codes[cell] === GULLY).toBe(taken.has(cell))
          if (kinds[cell] === 3 || taken.has(cell)) continue
          const middle = middleOf(frame, cell)
          const near = made.some((one, k) => between(middle, at[k]) < spacing && z[one.cell] <= z[cell])
          expect(near || places.every((one) => between(middle, one) > reach - 1e-9)).toBe(true)
        }
      },
    ),
    { numRuns: 100 },
  )
})

test('cells of gullies alone may be named as those on which gullies lie: what is not taken is road', async () => {
  const recipe = checkRecipe({
    ...{ id: 'petit', display: 'Petit', crs: 'EPSG:2154', cellSize: frame.cellSize },
    outline: { bounds: [1000, 2000, 1120, 2100] },
    terrain: { files: ['mnt.tif'] },
    gullies: { automatic: { spacing: 500, reach: 60, codes: [GULLY] } },
  })
  const sources = { recipe, crs: crsOf(recipe.crs), folder: new RecipeFolder(tmpdir()) }
  const context = {
    ...sources,
    frame,
    outside: new Uint8Array(CELLS),
    findings: new Findings(() => undefined),
  }
  const codes = new Int16Array(CELLS).fill(GULLY, 0, 12)
  const z = new Float64Array(CELLS).fill(25)
  const made = await gulliesOf(context, recipe.gullies!, networkAt([[1050, 2095]]), z, codes)
  expect(made).toHaveLength(1)
  expect([...codes.subarray(0, 12)].sort()).toEqual([...new Array(11).fill(ROAD), GULLY])
})
