import { expect, test } from 'vitest'
import { idOf, verticesOf, withOutline } from '../outline.ts'
import { addressOf, SCREEN_STEPS, stepOf } from '../steps.ts'
import { guessColumns } from './guess-columns.ts'

const named = (...names: string[]) => names.map((name) => ({ name }))

test('columns of surveys are known by their usual names, each for one meaning', () => {
  expect(
    guessColumns('pipes', named('ID', 'AMONT', 'AVAL', 'DN', 'RUGO', 'LONG', 'ZAM', 'ZAV', 'FORME')),
  ).toEqual({
    name: 'ID',
    from: 'AMONT',
    to: 'AVAL',
    diameter: 'DN',
    shape: 'FORME',
    fromInvert: 'ZAM',
    toInvert: 'ZAV',
    roughness: 'RUGO',
    length: 'LONG',
  })
  expect(guessColumns('pipes', named('zrad_am', 'zrad_av', 'prof_am', 'remarque'))).toEqual({
    fromInvert: 'zrad_am',
    toInvert: 'zrad_av',
    fromDepth: 'prof_am',
  })
  expect(guessColumns('manholes', named('code', 'COTE_TN', 'RADIER', 'TYPE', 'PROF'))).toEqual({
    name: 'code',
    rim: 'COTE_TN',
    invert: 'RADIER',
    depth: 'PROF',
    kind: 'TYPE',
  })
})

test('a name becomes an identifier that the recipe takes, or none', () => {
  expect(idOf('Le Bourg d’en-Haut, été 2026')).toBe('le-bourg-d-en-haut-ete-2026')
  expect(idOf('2e essai')).toBe('e-essai')
  expect(idOf('42')).toBeUndefined()
})

test('an outline brings system, cells and identifier along, and keeps its margin', () => {
  const first = withOutline({ display: 'Bourg' }, { bounds: [0, 0, 10, 10] })
  expect(first).toEqual({
    display: 'Bourg',
    id: 'bourg',
    crs: 'EPSG:2154',
    cellSize: 10,
    outline: { bounds: [0, 0, 10, 10] },
  })
  const wider = { ...first, crs: 'EPSG:3949', outline: { bounds: [0, 0, 10, 10], margin: 50 } }
  expect(withOutline(wider, { file: 'contour.gpkg' })).toMatchObject({
    crs: 'EPSG:3949',
    outline: { file: 'contour.gpkg', margin: 50 },
  })
  expect(verticesOf({ file: 'contour.gpkg' })).toBe(0)
})

test('each step has an address of its own; an unknown one is the first', () => {
  for (const step of SCREEN_STEPS) expect(stepOf(new URLSearchParams(addressOf(step)))).toBe(step)
  expect(stepOf(new URLSearchParams('etape=rien'))).toBe('outline')
})
