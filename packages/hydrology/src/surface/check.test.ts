import { describe, expect, test } from 'vitest'
import { checkSurface } from './check.ts'
import type { SurfaceGrid, SurfaceParams } from './types.ts'

const all = (value: number) => new Float64Array(6).fill(value)
const grid = (more: Partial<SurfaceGrid> = {}): SurfaceGrid => ({
  nrows: 2,
  ncols: 3,
  cellSizeM: 10,
  elevationM: all(50),
  ...more,
})
const params = (more: Partial<SurfaceParams> = {}): SurfaceParams => ({
  manning: all(0.03),
  edges: 'closed',
  ...more,
})
const soil = (more = {}) => ({ soil: { khMS: all(1e-6), capshM: all(0.1), soilmd: all(0.3), ...more } })
const refused = (g: SurfaceGrid, p: SurfaceParams) => {
  try {
    checkSurface(g, p)
  } catch (error) {
    return error as Error & { code: string; details?: object }
  }
  throw new Error('not refused')
}

test('what is right passes, up to the bounds', () => {
  checkSurface(grid(), params(soil()))
  checkSurface(grid({ elevationM: all(9000) }), params({ manning: all(0), interceptionM: all(0) }))
  checkSurface(grid({ elevationM: all(-9000) }), params({ manning: all(2), interceptionM: all(0.1) }))
  checkSurface(grid(), params(soil({ khMS: all(0.1), capshM: all(10), soilmd: all(1) })))
  checkSurface(grid(), params(soil({ khMS: all(0), capshM: all(0), soilmd: all(0) })))
})

test.each([0, -1, Number.NaN, Infinity])('a cell of %d m is refused', (cellSizeM) => {
  const { code, message } = refused(grid({ cellSizeM }), params())
  expect([code, message]).toEqual([
    'surface.cellsize',
    `Taille de maille ${cellSizeM} m : elle doit être positive.`,
  ])
})

test.each([
  ['elevationM', grid({ elevationM: new Float64Array(5) }), params()],
  ['manning', grid(), params({ manning: new Float64Array(5) })],
  ['interceptionM', grid(), params({ interceptionM: new Float64Array(5) })],
  ['khMS', grid(), params(soil({ khMS: new Float64Array(5) }))],
  ['capshM', grid(), params(soil({ capshM: new Float64Array(5) }))],
  ['soilmd', grid(), params(soil({ soilmd: new Float64Array(5) }))],
  ['permanentWater', grid(), params({ permanentWater: new Uint8Array(5) })],
])('%s has a value for each cell', (name, g, p) => {
  const { code, message } = refused(g, p)
  expect(code).toBe('surface.shape')
  expect(message).toBe(`Le champ ${name} a 5 valeurs ; la grille de 2 lignes et 3 colonnes en demande 6.`)
})

describe('values that cannot be', () => {
  /** Good everywhere but in row 1, column 2, counted from 0. */
  const one = (good: number, bad: number) =>
    Float64Array.from({ length: 6 }, (_, cell) => (cell === 5 ? bad : good))
  const place = { row: 1, col: 2 }

  test.each([9000.1, -9000.1, Infinity])('an elevation of %d m', (z) => {
    const { code, message, details } = refused(grid({ elevationM: one(50, z) }), params())
    expect([code, details]).toEqual(['surface.elevation', place])
    expect(message).toContain(`Altitude ${z} m à la ligne 2 de la grille, colonne 3 : valeur impossible.`)
  })

  test.each([
    ['manning', 'coefficient de Manning', 's/m^(1/3)', 0.03, [-0.001, 2.1, Number.NaN], '0 et 2'],
    ['interceptionM', 'interception', 'm', 0.001, [-0.001, 0.11], '0 et 0.1'],
    ['khMS', 'conductivité kh', 'm/s', 1e-6, [-1e-9, 0.11], '0 et 0.1'],
    ['capshM', 'charge capillaire capsh', 'm', 0.1, [-0.1, 10.1], '0 et 10'],
    ['soilmd', 'déficit d’humidité soilmd', 'm³/m³', 0.3, [-0.1, 1.1], '0 et 1'],
  ])('%s', (field, label, unit, good, bads, bounds) => {
    for (const bad of bads) {
      const array = { [field]: one(good, bad) }
      const p = ['khMS', 'capshM', 'soilmd'].includes(field) ? params(soil(array)) : params(array)
      const { code, message, details } = refused(grid(), p)
      expect([code, details]).toEqual(['surface.range', { field, ...place }])
      expect(message).toBe(
        `${label} ${bad} ${unit} à la ligne 2 de la grille, colonne 3 : la valeur doit être entre ${bounds}. Corriger la table d’occupation des sols.`,
      )
    }
  })

  test('cells outside the model may hold anything; a model without cells is refused', () => {
    checkSurface(grid({ elevationM: one(50, Number.NaN) }), params({ manning: one(0.03, -1) }))
    const { code, message } = refused(grid({ elevationM: all(Number.NaN) }), params())
    expect([code, message]).toEqual([
      'surface.empty',
      'La grille d’altitude ne contient aucune maille active.',
    ])
  })
})
