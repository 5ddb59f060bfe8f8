import { readToa5, toUtcMs } from '@radx/formats/toa5'
import { describe, expect, test } from 'vitest'
import { Demo } from './demo.ts'
import { groundWeather } from './ground.ts'
import { defaultSite, otherSite } from './testing/site.ts'

const HOUR = 3_600_000
const demo = new Demo(defaultSite)
const columns = defaultSite.station!.columns

describe('station tables', () => {
  test('a table holds a record a minute under the columns that the site names', () => {
    const start = Date.UTC(2025, 5, 1, 10)
    const { name, bytes } = demo.stationFile(start)
    expect(name).toBe('Taranis_1min_20250601_1001.dat')
    const table = readToa5(bytes)
    expect([...toUtcMs(table.localMs, 'UTC')]).toEqual(
      Array.from({ length: 60 }, (_, i) => start + (i + 1) * 60_000),
    )
    const values = (column: string) => table.columns.find((c) => c.name === column)!.values
    for (const column of Object.values(columns))
      expect(values(column).every((v) => Number.isFinite(v))).toBe(true)
    expect(values(columns.windDirectionDeg).every((v) => v >= 0 && v <= 360)).toBe(true)
    expect(values('RECORD')[1] - values('RECORD')[0]).toBe(1)
  })

  test('any cutting into files gives the same records', () => {
    const start = Date.UTC(2025, 6, 3, 14)
    const lines = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trimEnd().split('\r\n').slice(4)
    const parts = [0, 1, 2, 3, 4, 5].flatMap((k) =>
      lines(demo.stationFile(start + k * 600_000, 600_000).bytes),
    )
    expect(parts).toEqual(lines(demo.stationFile(start).bytes))
    expect(demo.stationStarts(start + 1, start + HOUR)).toEqual([start])
    expect(demo.stationStarts(start, start + HOUR - 1)).toEqual(
      [start - HOUR].filter((t) => t + HOUR > start),
    )
  })

  test('time stamps are those of the zone that the site names', () => {
    const site = { ...defaultSite, station: { ...defaultSite.station!, fileTimeZone: 'Europe/Paris' } }
    const start = Date.UTC(2025, 6, 3, 14)
    const table = readToa5(new Demo(site).stationFile(start).bytes)
    expect(table.localMs[0]).toBe(start + 2 * HOUR + 60_000)
    expect(toUtcMs(table.localMs, 'Europe/Paris')[0]).toBe(start + 60_000)
  })

  test('a site without a station has no tables', () => {
    const bare = new Demo(otherSite)
    expect(bare.stationStarts(0, 10 * HOUR)).toEqual([])
    expect(() => bare.stationFile(0)).toThrow(RangeError)
  })
})

describe('weather at the ground', () => {
  const sample = (from: number, days: number, everyHours: number) =>
    Array.from({ length: Math.floor((days * 24) / everyHours) }, (_, i) =>
      groundWeather(demo.weather, 130, from + i * everyHours * HOUR),
    )
  const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length

  test('summers are warm, winters cold, afternoons warmer than mornings', () => {
    const january = sample(Date.UTC(2025, 0, 1), 31, 3).map((g) => g.temperatureC)
    const july = sample(Date.UTC(2025, 6, 1), 31, 3).map((g) => g.temperatureC)
    expect(mean(january)).toBeGreaterThan(0)
    expect(mean(january)).toBeLessThan(9)
    expect(mean(july)).toBeGreaterThan(15)
    expect(mean(july)).toBeLessThan(24)
    const at = (hour: number) => mean(july.filter((_, i) => (i * 3) % 24 === hour))
    expect(at(15) - at(3)).toBeGreaterThan(4)
  })

  test('everything stays within what a station measures', () => {
    for (const g of sample(Date.UTC(2025, 0, 1), 365, 7)) {
      expect(g.temperatureC).toBeGreaterThan(-15)
      expect(g.temperatureC).toBeLessThan(42)
      expect(g.pressureHpa).toBeGreaterThan(945)
      expect(g.pressureHpa).toBeLessThan(1045)
      expect(g.humidityPct).toBeGreaterThanOrEqual(20)
      expect(g.humidityPct).toBeLessThanOrEqual(100)
      expect(g.windSpeedMs).toBeGreaterThan(0)
      expect(g.windSpeedMs).toBeLessThan(35)
      expect(Math.abs(g.verticalMs)).toBeLessThan(5)
    }
  })

  test('nothing jumps from a minute to the next', () => {
    const from = Date.UTC(2025, 6, 1)
    let before = groundWeather(demo.weather, 130, from)
    for (let minute = 1; minute < 1440; minute++) {
      const now = groundWeather(demo.weather, 130, from + minute * 60_000)
      expect(Math.abs(now.temperatureC - before.temperatureC)).toBeLessThan(0.6)
      expect(Math.abs(now.pressureHpa - before.pressureHpa)).toBeLessThan(0.5)
      expect(Math.abs(now.humidityPct - before.humidityPct)).toBeLessThan(8)
      before = now
    }
  })

  test('the air is damp when the radar sees rain above the station', () => {
    const all = sample(Date.UTC(2025, 0, 1), 365, 1)
    const raining = all.filter((g) => g.rainMmH > 0.5).map((g) => g.humidityPct)
    const dry = all.filter((g) => g.rainMmH === 0).map((g) => g.humidityPct)
    expect(raining.length).toBeGreaterThan(100)
    expect(mean(raining)).toBeGreaterThan(mean(dry) + 8)
  })
})
