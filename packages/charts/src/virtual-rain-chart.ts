import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import type { EChartsOption } from 'echarts'
import type { ChartSize, ChartTheme } from './theme.ts'
import { hovered, tooltipBox } from './tooltip.ts'

export interface VirtualRainData {
  title?: string
  /** mm/h, one value a minute: each the mean over its minute. */
  rateMmH: readonly number[]
}

/** Virtual rain over the minutes of the simulation: intensity in mm/h, time in min, stepped by minute. */
export function virtualRainChart(data: VirtualRainData, theme: ChartTheme, size: ChartSize): EChartsOption {
  const { rateMmH, title } = data
  // The value of minute k holds from k to k + 1.
  const points = [...rateMmH.map((rate, k) => [k, rate]), [rateMmH.length, rateMmH.at(-1) ?? 0]]
  const label = { color: theme.dim, formatter: (value: number) => formatNumberFr(value, 2, true) }
  const line = { lineStyle: { color: theme.grid } }
  return {
    animation: false,
    textStyle: { fontFamily: theme.fontFamily, color: theme.dim, fontSize: 12 },
    ...(title && {
      title: {
        text: title,
        left: 8,
        top: 8,
        textStyle: { fontSize: 15, fontWeight: 600, color: theme.text },
      },
    }),
    grid: {
      left: 8,
      right: 12,
      top: title ? 64 : 28,
      bottom: 24,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    xAxis: {
      type: 'value',
      name: 'min',
      nameLocation: 'middle',
      nameGap: 26,
      min: 0,
      max: Math.max(1, rateMmH.length),
      splitNumber: size.width < 560 ? 4 : 8,
      axisLine: line,
      axisTick: line,
      splitLine: { show: false },
      axisLabel: { ...label, hideOverlap: true, showMaxLabel: false },
    },
    yAxis: {
      type: 'value',
      name: 'mm/h',
      nameGap: 10,
      nameTextStyle: { color: theme.dim, align: 'left' },
      min: 0,
      splitNumber: 3,
      axisLabel: label,
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: line,
    },
    tooltip: {
      trigger: 'axis',
      ...tooltipBox(theme),
      formatter: (given: unknown) => {
        const [first] = hovered<{ value: [number, number] }>(given)
        return first
          ? `${formatQuantityFr(first.value[0], 'min')} : <b>${formatQuantityFr(first.value[1], 'mm/h', 2)}</b>`
          : ''
      },
    },
    series: [
      {
        name: 'Intensité',
        type: 'line',
        step: 'end',
        data: points,
        showSymbol: false,
        lineStyle: { color: theme.accent, width: 1.75 },
        itemStyle: { color: theme.accent },
        areaStyle: { color: theme.bar, opacity: 0.35 },
      },
    ],
  }
}
