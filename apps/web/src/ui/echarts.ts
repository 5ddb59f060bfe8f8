import { BarChart, LineChart } from 'echarts/charts'
import {
  GridComponent,
  MarkAreaComponent,
  MarkLineComponent,
  PolarComponent,
  TitleComponent,
  TooltipComponent,
} from 'echarts/components'
import * as core from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'

// The parts of the chart library that the screens draw with; a screen that needs more registers it itself.
core.use([
  BarChart,
  LineChart,
  GridComponent,
  MarkAreaComponent,
  MarkLineComponent,
  PolarComponent,
  TitleComponent,
  TooltipComponent,
  CanvasRenderer,
])

export const { init } = core
export type ECharts = core.ECharts
