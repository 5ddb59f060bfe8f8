import { showers } from '@radx/motion/testing/weather'
import { expect, test } from 'vitest'
import { type MovedProduct, movedFrames } from './moved-frame.ts'

const steps = 40
const product: MovedProduct = {
  shortName: 'dpsri',
  steps,
  frameSeconds: 600,
  bounds: { ul: { lat: 49, lng: 2 }, lr: { lat: 48.6, lng: 2.6 } },
}

test('a frame without measures stays missing between two with rain, which stand for themselves', () => {
  const frames = showers({ nrows: steps, ncols: steps }, [0.3, 0.2], [0, 10, 20], 3)
  frames[1].rateMmH.fill(Number.NaN)
  const wanted = new Set(frames.map(({ timeMs }) => timeMs))
  const [first, none, last] = movedFrames(product, [], frames, wanted)
  expect(none).toMatchObject({ before: null, after: null, validCount: 0 })
  expect([first.after, last.before]).toEqual([null, null])
  expect([first.validCount, last.validCount]).toEqual([steps * steps, steps * steps])
  const frame = {
    timeMs: 600_000,
    rateMmH: showers({ nrows: steps, ncols: steps }, [0.3, 0.2], [10], 3)[0].rateMmH,
  }
  const [, between] = movedFrames(product, [], [frames[0], frame, frames[2]], wanted)
  expect(between).toMatchObject({ before: 0, after: 1_200_000, validCount: steps * steps })
})
