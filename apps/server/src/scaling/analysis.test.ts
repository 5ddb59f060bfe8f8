import { encodeRate } from '@radx/rainfall'
import { discreteCascade } from '@radx/scaling/cascade'
import { seededRandom } from '@radx/scaling/random'
import { traceMoments } from '@radx/scaling/trace-moments'
import { longestEven } from '@radx/scaling/window'
import { describe, expect, test } from 'vitest'
import type { AnswerContext } from '../threads/answers.ts'
import { scalingAnswer } from './analysis.ts'

const STEP_MS = 206_000
const START = Date.UTC(2026, 5, 4)
const STEPS = 64

/** A store of one product whose frames are given as codes. */
function storeOf(frames: (Uint16Array | null)[], times = frames.map((_, k) => START + k * STEP_MS)) {
  const product = {
    shortName: 'dpsri',
    frameSeconds: 206,
    steps: STEPS,
    bounds: { ul: { lat: 49, lng: 2 }, lr: { lat: 48.856, lng: 2.219 } },
  }
  const index = {
    places: async () => times.map((timeMs) => ({ timeMs })),
    codes: async function* () {
      yield* frames
    },
  }
  return {
    store: { index, catalog: { products: new Map([['dpsri', product]]) } },
  } as unknown as AnswerContext
}

const input = { product: 'dpsri', span: { startMs: START, endMs: START + 3_600_000 } }
const cascades = (count: number) => {
  const random = seededRandom(11)
  return Array.from({ length: count }, () =>
    Uint16Array.from(discreteCascade({ alpha: 1.8, c1: 0.1 }, 6, 2, random), (rate) => encodeRate(20 * rate)),
  )
}

describe('the scaling of a period', () => {
  test('is that of its frames, for all scales and every range, per frame and over time', async () => {
    const frames = cascades(16)
    const found = await scalingAnswer.run(storeOf(frames), input)
    expect(found).toMatchObject({ frames: 16, frameSeconds: 206, window: { row: 0, col: 0, side: 64 } })
    expect(found.cellM).toBeCloseTo(250, -1)
    const fields = frames.map((codes) => Float64Array.from(codes, (code) => code / 100))
    const own = traceMoments({ dimension: 2, side: 64, fields }, { low: 1, high: 64 })!
    const [all, ...ranges] = found.space.fits
    expect(all.tm).toMatchObject({ alpha: expect.closeTo(own.alpha, 6), c1: expect.closeTo(own.c1, 6) })
    const part = ranges.find(({ fromCells, toCells }) => fromCells === 2 && toCells === 16)!
    const some = traceMoments({ dimension: 2, side: 64, fields }, { low: 4, high: 32 })!
    expect(part.tm).toMatchObject({ alpha: expect.closeTo(some.alpha, 6), r2: expect.closeTo(some.r2, 6) })
    // 1-4, 1-8, ... of seven scales, at least three apart: fifteen with the whole.
    expect(found.space.fits).toHaveLength(15)
    expect(found.single).toHaveLength(16)
    expect(found.single[3].fits).toHaveLength(15)
    expect(found.time).toMatchObject({ side: 16, from: '2026-06-04T00:00:00Z' })
    expect(found.spectrum?.fits[0]).toMatchObject({ fromCells: 1, toCells: 64, h: expect.any(Number) })
    expect(found.spectrum?.wavelengthM[0]).toBeCloseTo(64 * found.cellM, 6)
    expect(found.wet?.zeroShare).toBeLessThan(0.02)
    expect(found.notesFr).toEqual([])
  })

  test('zeros, one frame and gaps are said', async () => {
    const [half] = cascades(1)
    half.fill(0, 0, 2400)
    const one = await scalingAnswer.run(storeOf([half]), input)
    expect([one.time, one.single.length]).toEqual([null, 1])
    expect(one.notesFr.join(' ')).toMatch(/59 % de zéros.*Moins de huit images.*Une seule image/)
    const frames = cascades(20)
    const times = frames.map((_, k) => START + (k < 9 ? k : k + 10) * STEP_MS)
    const gappy = await scalingAnswer.run(storeOf(frames, times), input)
    expect(gappy.time).toMatchObject({ side: 8 })
    expect(Date.parse(gappy.time!.from)).toBeGreaterThanOrEqual(times[9])
    const noise = seededRandom(4)
    const rough = frames.map((codes) => codes.map(() => 100 + Math.round(900 * noise.uniform())))
    expect((await scalingAnswer.run(storeOf(rough), input)).notesFr.join(' ')).toMatch(
      /ne suivent pas une droite.*R² 0,[0-8]/,
    )
    frames[3][64 * 32 + 5] = 65535
    const holed = await scalingAnswer.run(storeOf(frames), input)
    expect(holed.notesFr.join(' ')).toMatch(
      /mailles manquantes.*sans lacune : 32 mailles de côté au lieu de 64/,
    )
    expect(holed.spectrum?.wavelengthM[0]).toBeCloseTo(32 * holed.cellM, 0)
  })

  test.each<[(Uint16Array | null)[], string]>([
    [[], 'aucune image'],
    [[null, null], 'Il n’a pas plu'],
    [[new Uint16Array(STEPS ** 2).fill(65535)], 'rien ne dit s’il a plu'],
    [
      [Uint16Array.from({ length: STEPS ** 2 }, (_, i) => (i % 8 === 0 ? 65535 : 100))],
      'trop de mailles manquent',
    ],
    [[new Uint16Array(STEPS ** 2).fill(200)], 'la pluie est la même partout'],
    [
      [Uint16Array.from({ length: STEPS ** 2 }, (_, i) => (i === 2080 || i < 9 ? 500 : 0))],
      'trop peu de mailles',
    ],
  ])('nothing to analyse is said, never a number (%#)', async (frames, message) => {
    await expect(scalingAnswer.run(storeOf(frames), input)).rejects.toThrow(message)
  })

  test('the longest run of even frames', () => {
    expect(longestEven([], 206)).toEqual([0, 0])
    expect(longestEven([0], 206)).toEqual([0, 1])
    expect(
      longestEven(
        [0, 1, 2, 9, 10, 11, 12].map((k) => k * STEP_MS),
        206,
      ),
    ).toEqual([3, 7])
  })
})
