import type { RadarImage } from '@radx/contracts/radar'
import { expect, test } from 'vitest'
import { summarise } from './summary.ts'

const period = { s: '2021-07-04T10:00:00Z', e: '2021-07-04T12:00:00Z' }
const image = (max: number | null, nonzerosmean: number | null): RadarImage =>
  ({
    max,
    nonzerosmean,
    maxAt: max ? { lat: 48 + max / 100, lng: 2 } : null,
    datetime: `2021-07-04T10:${String(max ?? 59).padStart(2, '0')}:00Z`,
  }) as RadarImage

test('[ANA-18] the summary tells images, missing share, means, the strongest cell and the cumuls', () => {
  const summary = summarise(
    {
      images: [image(0, 0), image(12, 3), image(30, 1), image(30, null)],
      cumulated: { zoneMm: [0, 1, 2, 3], catchmentMm: [0, 0, 1, 4.5], missingSeconds: 1800 },
    },
    period,
  )
  expect(summary).toEqual({
    frames: 4,
    missingShare: 0.25,
    meanMmH: 2,
    rmoyenMmH: 4 / 3,
    max: { valueMmH: 30, at: { lat: 48.3, lng: 2 }, datetime: '2021-07-04T10:30:00Z', index: 2 },
    zoneMm: 3,
    catchmentMm: 4.5,
  })
})

test('a period without images is all missing and has no figures', () => {
  const cumulated = { zoneMm: [], catchmentMm: null, missingSeconds: 7200 }
  expect(summarise({ images: [], cumulated }, period)).toEqual({
    frames: 0,
    missingShare: 1,
    meanMmH: null,
    rmoyenMmH: null,
    max: null,
    zoneMm: null,
    catchmentMm: null,
  })
})
