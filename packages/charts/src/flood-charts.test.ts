import * as echarts from 'echarts'
import { afterEach, expect, test } from 'vitest'
import {
  floodedArea,
  floodedHa,
  floodRain,
  landUseChord,
  lightTheme,
  sewerFlows,
  storedVolumes,
} from './index.ts'

const open: echarts.ECharts[] = []
afterEach(() => {
  for (const chart of open.splice(0)) chart.dispose()
})
const SIZE = { width: 640, height: 300 }

function draw(option: echarts.EChartsOption): { chart: echarts.ECharts; text: string } {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, ...SIZE })
  open.push(chart)
  chart.setOption(option)
  return { chart, text: chart.renderToSVGString() }
}

const START = Date.UTC(2018, 0, 15, 23)
const course = {
  timesS: [0, 300, 600, 700],
  rainMmH: [0, 40, 20, 0],
  sewerInM3S: [0, 1, 0.5, -0.2],
  outfallM3S: [0, 0.2, 0.4, 0.3],
  surfaceM3: [0, 500, 400, 350],
  sewerM3: [0, 200, 150, 120],
  limitsM: [0.01, 0.1],
  floodedM2: [
    [0, 90_000, 80_000, 70_000],
    [0, 20_000, 30_000, 10_000],
  ],
}
const data = { course, startMs: START, timeZone: 'Europe/Paris' }
type Point = [number, number]
const series = (option: echarts.EChartsOption) =>
  (option.series as { name?: string; data: Point[]; lineStyle?: { type: string } }[]).filter(
    ({ name }) => name,
  )

test('rates stand in the middle of their time, states at their moments, all on one axis', () => {
  const rain = floodRain(data, lightTheme, SIZE)
  expect(series(rain)[0].data).toEqual([
    [START + 150_000, 40],
    [START + 450_000, 20],
    [START + 650_000, 0],
  ])
  const volumes = storedVolumes(data, lightTheme, SIZE)
  expect(series(volumes)[0].data[1]).toEqual([START + 300_000, 500])
  for (const option of [rain, volumes])
    expect(option.xAxis).toMatchObject({ min: START, max: START + 700_000 })
})

test('the flooded area is that from a depth on, in ha, beside the reference dashed', () => {
  expect(floodedHa(course, 10)).toEqual([0, 2, 3, 1])
  const other = { ...course, floodedM2: course.floodedM2.map((of) => of.map((m2) => m2 / 2)) }
  const [own, reference] = series(floodedArea({ ...data, reference: other, fromCm: 10 }, lightTheme, SIZE))
  expect(own.data.map(([, ha]) => ha)).toEqual([0, 2, 3, 1])
  expect(reference.data.map(([, ha]) => ha)).toEqual([0, 1, 1.5, 0.5])
  expect([own.lineStyle?.type, reference.lineStyle?.type]).toEqual(['solid', 'dashed'])
  expect(reference.name).toContain('référence')
})

test('a sewer that gives back is drawn below zero; virtual rain tells its moments since the start', () => {
  const option = sewerFlows({ ...data, elapsed: true }, lightTheme, SIZE)
  expect((option.yAxis as { min?: number }[])[0].min).toBeUndefined()
  const { text } = draw(option)
  expect(text).toContain('>00:05<')
  expect(text).not.toContain('>16/01<')
  expect(text).toContain('m³/s')
})

test('[LUCMP-02] chords lead from what the land was to what it became, an arc a land use', () => {
  const land = (title: string, color: string) => ({ title, color })
  const [grass, forest, road] = [land('Herbe', '#9ccc65'), land('Forêt', '#2e7d32'), land('Route', '#6b7280')]
  const option = landUseChord(
    {
      changes: [
        { from: grass, to: forest, cells: 300, hectares: 3 },
        { from: road, to: forest, cells: 100, hectares: 1 },
      ],
    },
    lightTheme,
    SIZE,
  )
  const [chord] = option.series as { data: { name: string }[]; links: object[] }[]
  expect(chord.data.map(({ name }) => name)).toEqual(['Herbe', 'Forêt', 'Route'])
  expect(chord.links).toEqual([
    { source: 'Herbe', target: 'Forêt', value: 300 },
    { source: 'Route', target: 'Forêt', value: 100 },
  ])
  const { text } = draw(option)
  for (const { title, color } of [grass, forest, road]) {
    expect(text).toContain(`>${title}<`)
    expect(text.toLowerCase()).toContain(color)
  }
  const tip = (option.tooltip as { formatter: (given: object) => string }).formatter
  expect(tip({ dataType: 'node', name: 'Forêt' })).toContain('400 cellules, 4,00\u202fha')
  expect(tip({ dataType: 'edge', data: { source: 'Route', target: 'Forêt' } })).toContain('100 cellules')
})
