import { DEFAULT_SIMPLE_TRIANGLE } from '@radx/contracts/simulation'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import * as echarts from 'echarts'
import { expect, test } from 'vitest'
import { lightTheme } from './theme.ts'
import { virtualRainChart } from './virtual-rain-chart.ts'

const SIZE = { width: 640, height: 240 }

test('[RAINSRC-28] the rain curve has mm/h upwards and minutes along', () => {
  const rateMmH = virtualRain('simple', DEFAULT_SIMPLE_TRIANGLE)
  const option = virtualRainChart({ rateMmH }, lightTheme, SIZE)
  expect(option.xAxis).toMatchObject({ name: 'min', min: 0, max: 45 })
  expect(option.yAxis).toMatchObject({ name: 'mm/h' })
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, ...SIZE })
  chart.setOption(option)
  const svg = chart.renderToSVGString()
  chart.dispose()
  for (const text of ['mm/h', 'min', '10', '20']) expect(svg).toContain(`>${text}<`)
})

test('no rain is an empty chart, not an error', () => {
  expect(virtualRainChart({ rateMmH: [] }, lightTheme, SIZE).xAxis).toMatchObject({ max: 1 })
})
