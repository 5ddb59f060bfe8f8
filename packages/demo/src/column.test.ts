import { describe, expect, test } from 'vitest'
import { columnAbove, GATE_SPACING_M, GATES } from './column.ts'
import { Demo } from './demo.ts'
import { meltingHeightM } from './ground.ts'
import { defaultSite } from './testing/site.ts'

const { weather } = new Demo(defaultSite)
const place = defaultSite.microRainRadar!.position
const ev7 = Date.UTC(2018, 0, 16, 3)
const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length
const rainy = columnAbove(weather, place, 130, ev7, 60)

describe('column above the micro rain radar', () => {
  test('[MRR-22] 128 gates of 35 m every 10 s, over more than 4,000 m', () => {
    expect(rainy.heightsM).toHaveLength(GATES)
    expect(rainy.heightsM[0]).toBe(GATE_SPACING_M)
    expect(rainy.heightsM[GATES - 1]).toBeGreaterThan(4000)
    expect([...rainy.timesMs.slice(0, 2)]).toEqual([ev7, ev7 + 10_000])
    expect(rainy.LWC).toHaveLength(60 * GATES)
  })

  test('its lowest gates agree with the rain of the radar picture below', () => {
    // 2 h of means over 10 min, third gate.
    const pairs = Array.from({ length: 12 }, (_, k) => {
      const start = ev7 + k * 600_000
      const column = columnAbove(weather, place, 130, start, 60)
      const seen = mean(Array.from({ length: 60 }, (_, i) => column.RR[i * GATES + 2]))
      const ground = mean(
        Array.from({ length: 60 }, (_, i) => weather.rateAt(place, start + i * 10_000 + 16_000)),
      )
      return [seen, ground]
    })
    for (const [seen, ground] of pairs) expect(Math.abs(seen - ground)).toBeLessThan(0.4 * ground + 0.15)
    const ratio = mean(pairs.map((p) => p[0])) / mean(pairs.map((p) => p[1]))
    expect(ratio).toBeGreaterThan(0.85)
    expect(ratio).toBeLessThan(1.15)
  })

  test('widespread rain has a bright band under the melting height, with slow snow above and fast rain below', () => {
    const melting = meltingHeightM(weather, ev7) - 130
    const gateAt = (h: number) => Math.max(0, Math.round(h / GATE_SPACING_M) - 1)
    const at = (values: Float32Array, h: number) =>
      mean(
        Array.from({ length: 60 }, (_, k) => values[k * GATES + gateAt(h)]).filter((v) => !Number.isNaN(v)),
      )
    expect(melting).toBeGreaterThan(300)
    expect(melting).toBeLessThan(1500)
    expect(at(rainy.Z, melting - 210)).toBeGreaterThan(at(rainy.Z, melting + 500) + 3)
    expect(at(rainy.LWC, melting - 210)).toBeGreaterThan(1.5 * at(rainy.LWC, melting + 400))
    expect(at(rainy.VEL, melting + 400)).toBeLessThan(2.6)
    expect(at(rainy.VEL, 35)).toBeGreaterThan(3.5)
    expect(at(rainy.ML, melting - 210)).toBeGreaterThan(0.5)
  })

  test('the melting height follows the seasons', () => {
    const month = (m: number) =>
      mean(Array.from({ length: 28 }, (_, d) => meltingHeightM(weather, Date.UTC(2025, m, d + 1))))
    expect(month(6)).toBeGreaterThan(month(0) + 1200)
  })

  test('a dry column holds no water and no echo', () => {
    let t = Date.UTC(2025, 6, 1)
    const isDry = (at: number) =>
      Array.from({ length: 20 }, (_, k) => weather.rateAt(place, at + k * 180_000)).every((r) => r === 0)
    while (!isDry(t)) t += 3_600_000
    const dry = columnAbove(weather, place, 130, t, 6)
    expect(dry.LWC.every((v) => v === 0)).toBe(true)
    expect(dry.Z.every((v) => Number.isNaN(v))).toBe(true)
    expect(dry.SNR.every((v) => v < 0)).toBe(true)
  })

  test('columns of adjoining files are one column cut in two', () => {
    const two = columnAbove(weather, place, 130, ev7, 120)
    const second = columnAbove(weather, place, 130, ev7 + 600_000, 60)
    expect(two.LWC.slice(60 * GATES)).toEqual(second.LWC)
    expect(two.Z.slice(0, 60 * GATES)).toEqual(rainy.Z)
  })

  test('water, attenuation and speeds stay within what the instrument measures', () => {
    // The heaviest afternoon of a summer.
    const storm = columnAbove(weather, place, 130, Date.UTC(2026, 6, 24, 15, 20), 60)
    for (const column of [rainy, storm]) {
      expect(Math.max(...column.LWC)).toBeLessThan(10)
      expect(Math.max(...column.PIA)).toBeLessThan(40)
      expect(column.VEL.every((v) => Number.isNaN(v) || (v >= 0 && v < 11.9))).toBe(true)
    }
  })
})
