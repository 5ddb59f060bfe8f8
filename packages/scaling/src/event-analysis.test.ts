import { describe, expect, test } from 'vitest'
import { discreteCascade } from './cascade.ts'
import { analyseEvent } from './event-analysis.ts'
import { seededRandom } from './random.ts'
import { chooseWindow, type EventFrames } from './window.ts'

/** Cascades of 64 cells inside a wider grid whose border is missing. */
function event(count: number, alpha = 1.8, c1 = 0.1): EventFrames {
  const random = seededRandom(3)
  const [nrows, ncols] = [80, 100]
  const rateMmH = Array.from({ length: count }, () => {
    const field = discreteCascade({ alpha, c1 }, 6, 2, random)
    const rates = new Float32Array(nrows * ncols).fill(Number.NaN)
    for (let row = 0; row < 64; row++)
      for (let col = 0; col < 64; col++) rates[(row + 8) * ncols + col + 24] = field[row * 64 + col]
    return rates
  })
  return { nrows, ncols, rateMmH }
}

describe('the window', () => {
  test('is the largest square that is known', () => {
    expect(chooseWindow(event(4))).toEqual({ row: 8, col: 24, side: 64 })
  })

  test('of two squares, the one with more rain', () => {
    const rates = new Float32Array(32 * 64).fill(0.1)
    rates[40] = 50
    expect(chooseWindow({ nrows: 32, ncols: 64, rateMmH: [rates] })).toMatchObject({ row: 0, side: 32 })
    expect(chooseWindow({ nrows: 32, ncols: 64, rateMmH: [rates] })!.col).toBeGreaterThan(8)
  })

  test('dry, unknown and small fields have none', () => {
    const fields = [new Float32Array(1024), new Float32Array(1024).fill(Number.NaN)]
    for (const rates of fields) expect(chooseWindow({ nrows: 32, ncols: 32, rateMmH: [rates] })).toBeNull()
    expect(chooseWindow({ nrows: 8, ncols: 128, rateMmH: [new Float32Array(1024).fill(1)] })).toBeNull()
  })
})

describe('an event', () => {
  test('finds the parameters of its cascades over space, and says what is dry and missing', () => {
    const frames = event(16)
    const found = analyseEvent(frames, chooseWindow(frames)!, { ranges: [[1, 8]] })
    const [all, fine] = found.space.fits
    expect(found.space).toMatchObject({ samples: 16, side: 64, zeroShare: 0, missingShare: 0 })
    expect(Math.abs(all.dtm!.alpha - 1.8)).toBeLessThan(0.1)
    expect(Math.abs(all.dtm!.c1 - 0.1)).toBeLessThan(0.03)
    expect(fine).toMatchObject({ fromCells: 1, toCells: 8 })
    expect(Math.abs(fine.dtm!.c1 - 0.1)).toBeLessThan(0.03)
    expect(found.space.points!.cells).toEqual([1, 2, 4, 8, 16, 32, 64])
    expect(found.frames).toHaveLength(16)
    expect(found.time).toMatchObject({ side: 16, firstFrame: 0 })
    expect(found.wet).toMatchObject({ side: 64, samples: 16 })
  })

  test('zeros are shown, and wet squares are analysed beside', () => {
    const frames = event(4)
    for (const rates of frames.rateMmH)
      for (let row = 0; row < 40; row++) rates.fill(0, row * 100 + 24, row * 100 + 88)
    const found = analyseEvent(frames, { row: 8, col: 24, side: 64 })
    expect(found.space.zeroShare).toBe(0.5)
    expect(found.wet).toMatchObject({ side: 32, samples: 8, zeroShare: 0 })
    expect(found.space.fits[0].tm!.c1).toBeGreaterThan(found.wet!.fits[0].tm!.c1)
  })

  test('one frame has no analysis over time; a dry one has no parameters, never numbers', () => {
    const frames = event(1)
    expect(analyseEvent(frames, chooseWindow(frames)!).time).toBeNull()
    const dry = { nrows: 16, ncols: 16, rateMmH: [new Float32Array(256)] }
    const found = analyseEvent(dry, { row: 0, col: 0, side: 16 })
    expect(found.space).toMatchObject({ zeroShare: 1, points: null })
    expect(found.space.fits[0]).toMatchObject({ tm: null, dtm: null })
    expect(found.wet).toBeNull()
  })
})
