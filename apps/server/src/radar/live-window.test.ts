import { CLOCK_TOLERANCE_SECONDS } from '@radx/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLive, NewestFrames, secondsOpen } from './live-window.ts'

const NOON = Date.UTC(2026, 5, 15, 12)
const MINUTE = 60_000

test('what caches were allowed to keep is still open when they let it go, whatever frames came meanwhile', () => {
  const minutes = (min: number, max: number) => fc.integer({ min: min * MINUTE, max: max * MINUTE })
  // Frames come one after another; their dates run ahead of the clock by the tolerance at most, and may jump.
  const comes = fc.record({ afterMs: minutes(0, 5), laterMs: minutes(0, 600) })
  fc.assert(
    fc.property(
      minutes(-200, 10),
      fc.array(comes, { maxLength: 8 }),
      minutes(0, 200),
      (first, steps, back) => {
        const windows = new NewestFrames()
        let [now, newest] = [NOON, NOON + first]
        const startMs = newest - back
        const keptUntil: number[] = []
        const look = () => {
          const open = windows.isOpen(1, { startMs }, newest, now)
          for (const until of keptUntil) if (now < until) expect(open).toBe(true)
          if (open) keptUntil.push(now + windows.secondsOpen(1, { startMs }, now) * 1000)
        }
        look()
        for (const { afterMs, laterMs } of steps) {
          // Asked just before the frame comes and just after.
          now += afterMs
          look()
          newest = Math.max(newest, Math.min(newest + laterMs, now + CLOCK_TOLERANCE_SECONDS * 1000))
          look()
          now += 1
          look()
        }
      },
    ),
    // A frame that leaps, and somebody who asks within the minute for which what it moved out is held.
    {
      numRuns: 1000,
      examples: [
        [
          -1_245_156,
          [
            { afterMs: 226_835, laterMs: 0 },
            { afterMs: 82_327, laterMs: 0 },
            { afterMs: 113_785, laterMs: 2_268_119 },
            { afterMs: 6_189, laterMs: 0 },
            { afterMs: 53_808, laterMs: 0 },
          ],
          9_431_881,
        ],
      ],
    },
  )
})

test('frames long past are kept a minute, those to come ten, and the window closes a minute after it moved', () => {
  expect(secondsOpen(NOON - 24 * 60 * MINUTE, NOON)).toBe(60)
  expect(secondsOpen(NOON, NOON)).toBe(600)
  const windows = new NewestFrames()
  const old = { startMs: NOON - 180 * MINUTE + 1 }
  expect(windows.isOpen(1, old, NOON, NOON)).toBe(true)
  const moved = NOON + 16 * MINUTE
  expect(isLive(old, moved)).toBe(false)
  expect(windows.isOpen(1, old, moved, NOON + 59_000)).toBe(true)
  expect(windows.secondsOpen(1, old, NOON + 59_000)).toBe(1)
  expect(windows.isOpen(1, old, moved, NOON + 61_000)).toBe(false)
  expect(windows.isOpen(2, old, moved, NOON + 59_000)).toBe(false)
})
