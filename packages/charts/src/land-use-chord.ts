import { formatNumberFr, formatQuantityFr } from '@radx/rainfall/format-fr'
import type { EChartsOption } from 'echarts'
import type { ChartSize, ChartTheme } from './theme.ts'

/** Cells that went from one land use to another. */
export interface LandUseChange {
  from: { title: string; color: string }
  to: { title: string; color: string }
  cells: number
  hectares: number
}

/** Below this size a name beside its arc would leave the picture. */
const ROOM_PX = 110

/**
 * Changes of land use as chords: arcs are codes, chords in the colour of what was there before lead to what
 * took its place.
 */
export function landUseChord(
  data: { changes: readonly LandUseChange[] },
  theme: ChartTheme,
  size: ChartSize,
): EChartsOption {
  const lands = new Map(data.changes.flatMap(({ from, to }) => [from, to]).map((land) => [land.title, land]))
  const radius = Math.max(40, Math.min(size.height / 2 - 28, size.width / 2 - ROOM_PX))
  return {
    animation: false,
    textStyle: { fontFamily: theme.fontFamily, color: theme.text, fontSize: 12 },
    tooltip: {
      confine: true,
      transitionDuration: 0,
      backgroundColor: theme.surface,
      borderColor: theme.grid,
      padding: [6, 10],
      textStyle: { color: theme.text, fontSize: 12, fontFamily: theme.fontFamily },
      formatter: (given: unknown) => tip(given as Given, data.changes),
    },
    series: [
      {
        type: 'chord',
        radius: [Math.round(radius * 0.93), radius],
        center: ['50%', '50%'],
        padAngle: 4,
        minAngle: 4,
        clockwise: true,
        startAngle: 90,
        data: [...lands.values()].map(({ title, color }) => ({
          name: title,
          itemStyle: { color, borderColor: theme.grid, borderWidth: 1 },
        })),
        links: data.changes.map(({ from, to, cells }) => ({
          source: from.title,
          target: to.title,
          value: cells,
        })),
        itemStyle: { borderRadius: 3 },
        lineStyle: { color: 'source', opacity: 0.55 },
        label: { show: true, position: 'outside', distance: 8, color: theme.text, fontSize: 12 },
        emphasis: { focus: 'adjacency', lineStyle: { opacity: 0.8 } },
      },
    ],
  }
}

interface Given {
  dataType?: 'node' | 'edge'
  name?: string
  data?: { source?: string; target?: string }
}

function tip({ dataType, name, data }: Given, changes: readonly LandUseChange[]): string {
  const told = (rows: readonly LandUseChange[]) => {
    const sum = (of: 'cells' | 'hectares') => rows.reduce((all, row) => all + row[of], 0)
    return `${formatNumberFr(sum('cells'))} cellules, ${formatQuantityFr(sum('hectares'), 'ha', 2)}`
  }
  if (dataType === 'edge') {
    const rows = changes.filter(({ from, to }) => from.title === data?.source && to.title === data?.target)
    return `${data?.source} → ${data?.target}<br><b>${told(rows)}</b>`
  }
  const lost = changes.filter(({ from }) => from.title === name)
  const gained = changes.filter(({ to }) => to.title === name)
  return [
    name,
    ...(lost.length > 0 ? [`perdus : <b>${told(lost)}</b>`] : []),
    ...(gained.length > 0 ? [`gagnés : <b>${told(gained)}</b>`] : []),
  ].join('<br>')
}
