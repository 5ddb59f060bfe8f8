import { RATE_NO_DATA } from '@radx/rainfall'
import { BIN_MS } from '@radx/rainfall/gauges/bins'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CELLS, dayFrames, framePartsOf, NineBins } from './nine-bins.ts'

const frame = fc.record({
  gapS: fc.integer({ min: 60, max: 900 }),
  codes: fc.oneof(
    fc.constant(Array<number>(CELLS).fill(0)),
    fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9000 }), fc.constant(RATE_NO_DATA)), {
      minLength: CELLS,
      maxLength: CELLS,
    }),
  ),
})

test('the nine cells add up as each frame counted second by second does', () => {
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1, maxLength: 30 }), (frames) => {
      const span = { startMs: 0, endMs: 12 * BIN_MS }
      let at = 0
      const times = frames.map(({ gapS }) => {
        at += 2000 * gapS
        return at
      })
      const around = { dayMs: 0, reach: 206_000, bridged: 0, before: -1e9, after: 1e12 }
      const offsets = Int32Array.from(times)
      const sum = new NineBins(span)
      const day = dayFrames(offsets, Uint16Array.from(frames.flatMap(({ codes }) => codes)))
      sum.addDay(day, framePartsOf(offsets, around, span))
      const { radar, low, high } = sum.result()
      for (let bin = 0; bin < 12; bin++) {
        const mm = new Float64Array(CELLS)
        const known = new Float64Array(CELLS)
        for (let ms = bin * BIN_MS + 500; ms < (bin + 1) * BIN_MS; ms += 1000) {
          // Half the way to the next frame on each side, and no further than a frame stands for.
          const i = times.findIndex((time, k) => {
            const before = Math.min(206_000, (time - (times[k - 1] ?? -1e9)) / 2)
            const after = Math.min(206_000, ((times[k + 1] ?? 1e12) - time) / 2)
            return ms > time - before && ms < time + after
          })
          if (i < 0) continue
          frames[i].codes.forEach((code, k) => {
            if (code === RATE_NO_DATA) return
            known[k]++
            mm[k] += code / 360_000
          })
        }
        const isKnown = (k: number) => known[k] >= 0.8 * (BIN_MS / 1000)
        if (!isKnown(4)) expect(radar[bin]).toBeNaN()
        else {
          const seen = [...mm].filter((_, k) => isKnown(k))
          expect(radar[bin]).toBeCloseTo(mm[4], 3)
          expect(low[bin]).toBeCloseTo(Math.min(...seen), 3)
          expect(high[bin]).toBeCloseTo(Math.max(...seen), 3)
        }
      }
    }),
    { numRuns: 40 },
  )
})
