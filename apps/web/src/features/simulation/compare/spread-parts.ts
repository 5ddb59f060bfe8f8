import { BoxplotChart, ScatterChart } from 'echarts/charts'
import { LegendComponent } from 'echarts/components'
import { use } from 'echarts/core'

use([BoxplotChart, ScatterChart, LegendComponent])
