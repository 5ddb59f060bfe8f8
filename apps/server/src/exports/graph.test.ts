import { expect, test } from 'vitest'
import { graphTitle } from './graph.ts'

test('a saved graph names its place as the page does', () => {
  const place = { pixel: '48,5400 N, 2,6600 E', zone: 'Le Mée' }
  expect(
    (['hyetogram', 'coverage', 'catchment', 'cumul', 'pixel'] as const).map((type) =>
      graphTitle(type, place, false),
    ),
  ).toEqual([
    'Hyétogramme Rmoyen zone pluvieuse',
    'Évolution de la couverture pluvieuse',
    'Hyétogramme du bassin Le Mée',
    'Cumul de pluie, bassin Le Mée',
    'Hyétogramme du pixel, 48,5400 N, 2,6600 E',
  ])
  expect(graphTitle('cumul', {}, true)).toBe('Cumul de pluie, produit ajusté')
})
