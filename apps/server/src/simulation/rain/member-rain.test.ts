import { describe, expect, test } from 'vitest'
import { type CoarseOverModel, checkWet, memberRain } from './member-rain.ts'

const CHOICE = { members: 2, alpha: 1.8, c1: 0.1, seed: 1 }
/** Model cells along a radar cell. */
const SIDE = 25

/** Two radar cells beside each other, `part` of each side of which the model covers from the north-west. */
function coarse(frames: number[][], part = 1): CoarseOverModel {
  const side = Math.round(SIDE * part)
  const [nrows, ncols] = [side, 2 * side]
  const place = (of: (row: number, col: number) => number) =>
    Float64Array.from({ length: nrows * ncols }, (_, i) => of(Math.floor(i / ncols), i % ncols))
  return {
    nrows: 1,
    ncols: 2,
    frames: frames.map((ratesMmH, k) => ({ fromS: 200 * k, toS: 200 * (k + 1), ratesMmH })),
    rows: place((row) => (row + 0.5) / SIDE),
    cols: place((_, col) => Math.floor(col / side) + ((col % side) + 0.5) / SIDE),
    modelCells: SIDE ** 2,
    durationS: 200 * frames.length,
    intervalS: 200,
  }
}

/** Depth in mm on the model cells of each radar cell within one frame, and the number of pieces. */
function depths(rain: ReturnType<typeof memberRain>, frame: number) {
  const sums = [0, 0]
  let pieces = 0
  for (let k = 0; k + 1 < rain.edgesS.length; k++) {
    const [from, to] = [rain.edgesS[k], rain.edgesS[k + 1]]
    if (from < 200 * frame - 1e-6 || to > 200 * (frame + 1) + 1e-6) continue
    pieces++
    const rates = rain.rateMS(k) as Float64Array
    const ncols = Math.sqrt(2 * rates.length)
    rates.forEach((rate, i) => {
      sums[i % ncols < ncols / 2 ? 0 : 1] += (1000 * rate * (to - from) * 2) / rates.length
    })
  }
  return { sums, pieces }
}

describe('a member of downscaled rain', () => {
  test('keeps on the model what each radar cell measured in each picture, by four in time', () => {
    const rain = coarse([
      [12, 0],
      [30, 4.5],
    ])
    for (const seed of [1, 99]) {
      const member = memberRain(rain, CHOICE, seed)
      expect(member).toMatchObject({ durationS: 400, intervalS: 200, missingShare: 0 })
      for (const k of [0, 1]) {
        const { sums, pieces } = depths(member, k)
        expect(pieces).toBe(4)
        sums.forEach((sum, cell) => {
          expect(sum).toBeCloseTo((rain.frames[k].ratesMmH[cell] * 200) / 3600, 5)
        })
      }
      expect((member.rateMS(0) as Float64Array)[2 * SIDE - 1]).toBe(0)
    }
    const [one, again, other] = [1, 1, 2].map((seed) => memberRain(rain, CHOICE, seed).rateMS(1))
    expect(again).toEqual(one)
    expect(other).not.toEqual(one)
  })

  test('where the model has a part of a radar cell, what falls there is its own', () => {
    const rain = coarse([[12, 12]], 0.4)
    const means = [1, 2, 3].map((seed) => depths(memberRain(rain, CHOICE, seed), 0).sums[0])
    for (const mean of means) expect(Math.abs(mean - (12 * 200) / 3600)).toBeGreaterThan(1e-4)
    expect(new Set(means.map((mean) => mean.toFixed(4))).size).toBe(3)
  })

  test('cells without data stay so, dry rain and impossible rates are said', () => {
    expect(memberRain(coarse([[12, Number.NaN]]), CHOICE, 1).missingShare).toBeCloseTo(0.5, 9)
    expect(() => checkWet(coarse([[0, Number.NaN]]))).toThrow('Il n’a pas plu sur le bassin')
    expect(() => checkWet(coarse([[Number.NaN, Number.NaN]]))).toThrow('aucune donnée sur le bassin')
    expect(() => checkWet(coarse([[0, 0.2]]))).not.toThrow()
    expect(() => memberRain(coarse([[2500, 2500]]), { ...CHOICE, c1: 0.5 }, 1)).toThrow('C1 est trop grand')
  })
})
