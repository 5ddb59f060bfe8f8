import { describe, expect, test } from 'vitest'
import { type BandsChartData, bandsChart } from './bands-chart.ts'
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
