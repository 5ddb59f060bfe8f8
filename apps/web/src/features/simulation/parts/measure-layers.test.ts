import { MEASURE_KINDS } from '@radx/contracts/measures-constants'
import { expect, test } from 'vitest'
import { layersOf } from './measure-layers.ts'

test('layers lie below each other and fill the picture, the thickest being the highest', () => {
  const layers = layersOf({ kind: 'rain-garden', storageMm: 300 }, 128, 20)
  expect(layers.map(({ layer, mm }) => [layer, mm])).toEqual([
    ['surface', 150],
    ['soil', 600],
    ['storage', 300],
  ])
  for (const [k, { top, height }] of layers.entries()) {
    expect(height).toBeGreaterThan(20)
    expect(top + height).toBeCloseTo(layers[k + 1]?.top ?? 128, 9)
  }
  expect(layers[1].height).toBeGreaterThan(layers[2].height)
})

test('every kind has a layer to draw', () => {
  for (const kind of MEASURE_KINDS) expect(layersOf({ kind }, 128, 20).length, kind).toBeGreaterThan(0)
})
