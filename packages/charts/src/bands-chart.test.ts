import { describe, expect, test } from 'vitest'
import { type BandsChartData, bandsChart } from './bands-chart.ts'
import { fanChart } from './fan-chart.ts'
import { lightTheme } from './theme.ts'

const DATA: BandsChartData = {
  timesMs: [0, 60_000],
  control: [1, 2],
  p10: [0, -1],
  p50: [1, 2],
  p90: [3, 4],
  members: [
    [0, -1],
    [3, 4],
  ],
  unit: 'm³/s',
  decimals: 2,
  all: true,
  timeZone: 'Europe/Paris',
}
const seriesOf = (data: BandsChartData) =>
  bandsChart(data, lightTheme, { width: 600, height: 300 }).series as { id: string; data: unknown[] }[]

describe('bands of an ensemble', () => {
  test('the area reaches from 10 to 90 %, below 0 too, with every member where they are wanted', () => {
    const series = seriesOf(DATA)
    expect(series.map(({ id }) => id)).toEqual([
      ...['member-0', 'member-1', 'band-low', 'band'],
      ...['90\u00a0% des membres', 'Médiane', '10\u00a0% des membres', 'Sans désagrégation', 'cursor'],
    ])
    expect(series[2].data[1]).toEqual([60_000, -1])
    expect(series[3].data[1]).toEqual([60_000, 5])
    expect(seriesOf({ ...DATA, all: false }).some(({ id }) => id.startsWith('member'))).toBe(false)
  })
})

describe('the fan of a forecast', () => {
  const value = (minute: number, mmH: number | null, low: number | null, high: number | null) => ({
    time: new Date(minute * 60_000).toISOString(),
    mmH,
    p10: low,
    p50: low,
    p90: high,
  })
  const drawn = (untrustedFrom: string | null) =>
    fanChart(
      {
        values: [value(0, 1, null, null), value(5, 2, 0.5, 4), value(10, null, null, null)],
        untrustedFrom,
        timeZone: 'Europe/Paris',
      },
      lightTheme,
      { width: 400, height: 160 },
    ).series as { id: string; data: [number, number | null][]; markArea?: { data: unknown } }[]

  test('has an area from 10 to 90 % where members are, a gap where nothing is known, and a shade behind the horizon', () => {
    const series = drawn(new Date(300_000).toISOString())
    const of = (id: string) => series.find((entry) => entry.id === id)
    expect(of('band')?.data.map(([, height]) => height)).toEqual([null, 3.5, null])
    expect(of('Prévision')?.data.map(([, mmH]) => mmH)).toEqual([1, 2, null])
    expect(of('gaps')?.markArea?.data).toEqual([[{ xAxis: 300_000 }, { xAxis: 600_000 }]])
    expect(drawn(null).some(({ id }) => id === 'gaps')).toBe(false)
  })
})
