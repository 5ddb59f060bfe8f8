import { join } from 'node:path'
import { rainBetween } from '@radx/motion/advection/between'
import { estimateMotion } from '@radx/motion/tracking/estimate'
import { refineMotion } from '@radx/motion/tracking/refine'
import { expect, test } from 'vitest'
import { openRainFiles } from '../../apps/server/src/nowcast/files/rain-files.ts'
import { motionKernel } from '../../apps/server/src/store/motion-kernel.ts'
import { hasReferenceData, REFERENCE_DATA } from './reference-data.ts'

/** What was tuned was tuned on frames before. */
const FROM_MS = Date.parse('2021-07-04T17:00:00Z')
const WINDOWS = {
  whole: { row: 0, col: 0, nrows: 700, ncols: 700, least: 0.4 },
  paris200: { row: 450, col: 119, nrows: 200, ncols: 200, least: 0.44 },
}

/** Every third frame from 17:00 on withheld, and met from its neighbours 10 min apart. */
test.skipIf(!hasReferenceData())(
  'withheld frames of the RMI event are met with 40 % less error than by averaging, and the same water',
  async () => {
    const series = await openRainFiles([join(REFERENCE_DATA, 'odim/rmi-20210704')])
    const { shape, timesMs } = series
    const sums = Object.values(WINDOWS).map(() => ({ moved: 0, averaged: 0, seen: 0, water: 0 }))
    for (let k = 1; k + 1 < timesMs.length; k += 3) {
      if (timesMs[k - 1] < FROM_MS) continue
      const [a, withheld, b] = await Promise.all([k - 1, k, k + 1].map((at) => series.frame(at)))
      const found = estimateMotion([a, b], shape, motionKernel('follow'))!
      const motion = refineMotion(a, b, found.field)
      const moved = rainBetween(a, b, motion, (withheld.timeMs - a.timeMs) / 60_000)
      Object.values(WINDOWS).forEach(({ row, col, nrows, ncols }, w) => {
        for (let y = row; y < row + nrows; y++)
          for (let i = y * shape.ncols + col; i < y * shape.ncols + col + ncols; i++) {
            const seen = withheld.rateMmH[i]
            const averaged = (a.rateMmH[i] + b.rateMmH[i]) / 2
            if (!(seen >= 0 && averaged >= 0 && moved[i] >= 0)) continue
            sums[w].moved += (moved[i] - seen) ** 2
            sums[w].averaged += (averaged - seen) ** 2
            sums[w].seen += seen
            sums[w].water += moved[i]
          }
      })
    }
    Object.entries(WINDOWS).forEach(([name, { least }], w) => {
      const { moved, averaged, seen, water } = sums[w]
      expect(1 - Math.sqrt(moved / averaged), name).toBeGreaterThan(least)
      if (name === 'whole') expect(Math.abs(water / seen - 1)).toBeLessThan(0.01)
    })
  },
)
