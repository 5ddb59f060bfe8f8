import { countFr, formatQuantityFr } from '@radx/locale/format-fr'
import type { EChartsOption } from 'echarts'
import type { ChartSize, ChartTheme } from './theme.ts'
import { tooltipBox } from './tooltip.ts'

/** Cells that went from one land use to another. */
export interface LandUseChange {
  from: { title: string; color: string }
  to: { title: string; color: string }
  cells: number
  hectares: number
}

/** What names beside their arcs need on each side; on a narrow picture they stand in several lines. */
const ROOM_PX = { wide: 110, narrow: 84 }
const NARROW_PX = 420
/** Letters of a line there. */
const LINE = 12

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
  const narrow = size.width < NARROW_PX
  const room = narrow ? ROOM_PX.narrow : ROOM_PX.wide
  const radius = Math.max(40, Math.min(size.height / 2 - 28, size.width / 2 - room))
  return {
    animation: false,
    textStyle: { fontFamily: theme.fontFamily, color: theme.text, fontSize: 12 },
    tooltip: {
      ...tooltipBox(theme),
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
        label: {
          show: true,
          position: 'outside',
          distance: 8,
          color: theme.text,
          fontSize: 12,
          lineHeight: 15,
          formatter: ({ name }: { name: string }) => (narrow ? inLines(name) : name),
        },
        emphasis: { focus: 'adjacency', lineStyle: { opacity: 0.8 } },
      },
    ],
  }
}

function inLines(name: string): string {
  const lines: string[] = []
  for (const word of name.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length > 0 && longer.length <= LINE) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.join('\n')
}

interface Given {
  dataType?: 'node' | 'edge'
  name?: string
  data?: { source?: string; target?: string }
}

function tip({ dataType, name, data }: Given, changes: readonly LandUseChange[]): string {
  const told = (rows: readonly LandUseChange[]) => {
    const sum = (of: 'cells' | 'hectares') => rows.reduce((all, row) => all + row[of], 0)
    return `${countFr(sum('cells'), 'cellule')}, ${formatQuantityFr(sum('hectares'), 'ha', 2)}`
  }
  if (dataType === 'edge') {
    const rows = changes.filter(({ from, to }) => from.title === data?.source && to.title === data?.target)
    return `${data?.source}, devenu ${data?.target}<br><b>${told(rows)}</b>`
  }
  const lost = changes.filter(({ from }) => from.title === name)
  const gained = changes.filter(({ to }) => to.title === name)
  return [
    name,
    ...(lost.length > 0 ? [`perdus : <b>${told(lost)}</b>`] : []),
    ...(gained.length > 0 ? [`gagnés : <b>${told(gained)}</b>`] : []),
  ].join('<br>')
}
