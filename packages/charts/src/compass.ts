import { COMPASS_DIRECTIONS, WIND_CLASSES } from '@radx/contracts/constants'
import type { Compass } from '@radx/contracts/station'
import { formatQuantityFr } from '@radx/locale/format-fr'
import type { EChartsOption } from 'echarts'
import type { ChartSize, ChartTheme } from './theme.ts'
import { hovered, tooltipBox } from './tooltip.ts'

/** Wind classes as the specification writes them, km/h. */
export const WIND_CLASS_LABELS = { t0: '<10', t1: '10-20', t2: '20-30', t3: '>30' } as const

/** French point of the compass: west is O. */
export const directionLabel = (direction: (typeof COMPASS_DIRECTIONS)[number]) =>
  direction.toUpperCase().replaceAll('W', 'O')

export interface CompassData {
  title?: string
  compass: NonNullable<Compass>
}

/** Share of each speed class by the direction the wind blows to, %, stacked on 16 sectors. */
export function compassChart(data: CompassData, theme: ChartTheme, size: ChartSize): EChartsOption {
  const small = Math.min(size.width, size.height) < 220
  return {
    animation: false,
    textStyle: { fontFamily: theme.fontFamily, color: theme.dim, fontSize: small ? 10 : 11 },
    ...(data.title && {
      title: {
        text: data.title,
        left: 'center',
        top: 4,
        textStyle: { fontSize: 13, fontWeight: 600, color: theme.text, fontFamily: theme.fontFamily },
      },
    }),
    polar: { center: ['50%', data.title ? '54%' : '50%'], radius: small ? '74%' : '78%' },
    angleAxis: {
      type: 'category',
      data: COMPASS_DIRECTIONS.map(directionLabel),
      // North's sector is centred on the top.
      startAngle: 90 + 180 / COMPASS_DIRECTIONS.length,
      clockwise: true,
      axisLine: { lineStyle: { color: theme.grid } },
      axisTick: { show: false },
      splitLine: { show: false },
      axisLabel: {
        color: theme.dim,
        interval: 0,
        formatter: (label: string) => (label.length === 1 ? label : ''),
      },
    },
    radiusAxis: {
      min: 0,
      splitNumber: 3,
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { show: false },
      splitLine: { lineStyle: { color: theme.grid } },
    },
    tooltip: {
      trigger: 'axis',
      ...tooltipBox(theme),
      axisPointer: { type: 'shadow', shadowStyle: { color: theme.dim, opacity: 0.12 } },
      formatter: (given: unknown) => {
        const items = hovered<{
          name: string
          seriesName: string
          value: number
        }>(given)
        const rows = items.map(
          ({ seriesName, value }) => `${seriesName} km/h : <b>${formatQuantityFr(value, '%', 1)}</b>`,
        )
        return [`Vers ${items[0]?.name ?? ''}`, ...rows].join('<br>')
      },
    },
    series: WIND_CLASSES.map((name, i) => ({
      id: name,
      name: WIND_CLASS_LABELS[name],
      type: 'bar' as const,
      coordinateSystem: 'polar' as const,
      stack: 'wind',
      barCategoryGap: '8%',
      data: COMPASS_DIRECTIONS.map((direction) => data.compass[name][direction]),
      // The palest class stands out from the ground by its outline.
      itemStyle: { color: theme.scale[i], borderColor: theme.dim, borderWidth: 0.75 },
    })),
  }
}
