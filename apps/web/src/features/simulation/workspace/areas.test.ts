import { expect, test } from 'vitest'
import { floodedLand } from './areas.ts'

test('areas are by land use and by depth, the most flooded first; open water and the outside count nowhere', () => {
  const classes = [3, 2, 6].map((code, k) => ({
    code,
    title: ['Herbe', 'Route', 'Eau'][k],
    color: '#000000',
  }))
  const place = { cellSizeM: 10 } as never
  const land = Uint8Array.of(0, 0, 1, 1, 1, 2, 255)
  const depths = [0.05, 0.1, 0.25, 0.2, 0, 3, Number.NaN]
  expect(floodedLand({ classes, land, waterCode: 6, place }, depths, [0.1, 0.2])).toEqual([
    { title: 'Route', areasM2: [200, 200], wholeM2: 300 },
    { title: 'Herbe', areasM2: [100, 0], wholeM2: 200 },
  ])
})
