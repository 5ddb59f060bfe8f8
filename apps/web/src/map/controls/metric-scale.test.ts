import { expect, test } from 'vitest'
import { metricScale } from './metric-scale.ts'

test('[MAP-06] the scale is a round metric length and as long on the screen as it says', () => {
  expect(metricScale(48.84251, 9, 112)).toEqual({ label: '10 km', widthPx: expect.closeTo(99.4, 0) })
  expect(metricScale(48.84251, 13, 112)).toEqual({ label: '500 m', widthPx: expect.closeTo(79.5, 0) })
  for (let zoom = 7; zoom <= 13; zoom += 0.5)
    expect(metricScale(48.8, zoom, 112).widthPx).toBeLessThanOrEqual(112)
})
