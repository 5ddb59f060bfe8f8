import { CUMUL_NAMES, DRY_WORDS, isDry } from '@radx/charts/rain-charts'
import type { ChartSize, ChartTheme } from '@radx/charts/theme'
import { cursorAt, type TimePoint } from '@radx/charts/time-chart'
import type { RainMethod } from '@radx/contracts/radar'
import { formatDateTimeFr, formatQuantityFr } from '@radx/locale/format-fr'
import type { EChartsOption } from 'echarts'
import { type ReactNode, useCallback, useMemo } from 'react'
import { useSite } from '../app/site.ts'
import { playerTexts as texts } from '../texts/player.ts'
import { Chart } from '../ui/Chart.tsx'
import { useChartTheme } from '../ui/chart-theme.ts'
import { Section } from '../ui/Section.tsx'
import { SeriesTable } from '../ui/SeriesTable.tsx'
import classes from './TimeGraph.module.css'

export interface GraphData {
  points: readonly TimePoint[]
  cumulMm?: readonly TimePoint[]
  /** How the totals take the rain between images. */
  method?: RainMethod
  gaps?: readonly { start: string; end: string }[]
  timeZone: string
  /** Fixed room beside the plot, px. */
  margins?: { left: number; right: number }
  /** Moments at the ends of the axis; by default those of the data. */
  range?: { start: string; end: string }
}

interface Props extends Omit<GraphData, 'timeZone'> {
  title: string
  unit: string
  decimals: number
  height: number
  /** A builder of the chart package. */
  build: (data: GraphData, theme: ChartTheme, size: ChartSize) => EChartsOption
  /** Instant on the map, marked on the graph. */
  current: string | null
  /** Called with the instant under a click. */
  onPick?: (instantMs: number) => void
  /** At the right of the title. */
  aside?: ReactNode
}

/** A graph on the clock of the player: the current frame is marked, a click goes to its moment. */
export function TimeGraph({
  title,
  unit,
  decimals,
  height,
  build,
  points,
  cumulMm,
  method,
  gaps,
  margins,
  range,
  current,
  onPick,
  aside,
}: Props) {
  const { timeZone } = useSite()
  const theme = useChartTheme()
  const option = useCallback(
    (size: ChartSize) => build({ points, cumulMm, method, gaps, timeZone, margins, range }, theme, size),
    [build, points, cumulMm, method, gaps, timeZone, margins, range, theme],
  )
  const patch = useMemo(() => cursorAt(current, theme), [current, theme])
  const table = useMemo(() => {
    return (
      <SeriesTable
        caption={isDry(points, cumulMm) ? `${title} : ${DRY_WORDS}` : title}
        head={[
          texts.instant,
          `${texts.value} (${unit})`,
          ...(cumulMm ? [method ? `${CUMUL_NAMES[method]} (mm)` : texts.cumul] : []),
        ]}
        count={points.length}
        row={(k) => [
          formatDateTimeFr(points[k].datetime, timeZone),
          formatQuantityFr(points[k].value, unit, decimals),
          ...(cumulMm ? [formatQuantityFr(cumulMm[k]?.value, 'mm', 2)] : []),
        ]}
        values={points.map(({ value }) => value)}
      />
    )
  }, [points, cumulMm, method, title, unit, decimals, timeZone])
  return (
    <Section title={title} aside={aside}>
      {points.length === 0 ? (
        // An axis without a curve would look like a fault.
        <p className={classes.empty} style={{ minHeight: height }}>
          {texts.noValues}
        </p>
      ) : (
        <Chart label={title} height={height} build={option} patch={patch} onPick={onPick} table={table} />
      )}
    </Section>
  )
}
