import { ChordChart } from 'echarts/charts'
import { use } from 'echarts/core'

use([ChordChart])
