import { LegendComponent } from 'echarts/components'
import { use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'

use([LegendComponent, LabelLayout])
