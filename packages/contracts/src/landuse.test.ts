import { expect, test } from 'vitest'
import { DEFAULT_LAND_USE, GULLY_CODE, LAND_USE_NODATA } from './landuse.ts'

test('[LUSE-25] the codes mean forest, road, grass, house, gully and unknown, and -9999 no data', () => {
  expect(DEFAULT_LAND_USE.map(({ code, title }) => [code, title])).toEqual([
    [1, 'Forêt'],
    [2, 'Route'],
    [3, 'Herbe'],
    [4, 'Maison'],
    [5, 'Avaloir'],
    [6, 'Inconnu'],
  ])
  expect([GULLY_CODE, LAND_USE_NODATA]).toEqual([5, -9999])
})
