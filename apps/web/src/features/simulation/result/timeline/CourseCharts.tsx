import {
  FLOOD_SERIES,
  type FloodChartData,
  floodedArea,
  floodedHa,
  floodRain,
  sewerFlows,
  storedVolumes,
} from '@radx/charts/flood-charts'
import type { ChartSize, ChartTheme } from '@radx/charts/theme'
import { cursorAt } from '@radx/charts/time-chart'
import type { FloodCourse } from '@radx/contracts/flood'
import { formatNumberFr } from '@radx/locale/format-fr'
import type { EChartsOption } from 'echarts'
import { memo, type ReactNode, useCallback, useMemo } from 'react'
import { useSite } from '../../../../app/site.ts'
import { formatElapsed } from '../../../../player/run/elapsed.ts'
import { courseTexts as texts } from '../../../../texts/flood.ts'
import { Chart } from '../../../../ui/Chart.tsx'
import { useChartTheme } from '../../../../ui/chart-theme.ts'
import { SeriesTable } from '../../../../ui/SeriesTable.tsx'
import { AREA_LIMITS_CM, useDepthView } from '../depth/view.ts'
import { setTime } from '../state.ts'
import classes from './Timeline.module.css'

interface Props {
  course: FloodCourse
  reference: FloodCourse | null
  /** Instant of the run's start, ms. */
  startMs: number
  /** Moments are told since the start, not of a day. */
  elapsed: boolean
  timeS: number
}

/** The same room beside each plot, so that a moment stands at one place in all of them, px. */
const MARGINS = { left: 56, right: 16 }
const HEIGHT = 150

type Line = [name: string, color: string, values: readonly number[], decimals: number]

/** Rain, flooded area, volumes and flows below each other on the clock of the run. */
export function CourseCharts(props: Props) {
  const { course } = props
  const theme = useChartTheme()
  const { areaCm, change } = useDepthView()
  const area = useCallback<Build>(
    (data, look, size) => floodedArea({ ...data, fromCm: areaCm }, look, size),
    [areaCm],
  )
  return (
    <div className={classes.charts}>
      <Graph
        {...props}
        title={texts.charts.rain}
        unit="mm/h"
        build={floodRain}
        lines={[[FLOOD_SERIES.rain, theme.bar, course.rainMmH, 1]]}
        // Both runs have the same rain.
        reference={null}
      />
      <Graph
        {...props}
        title={texts.charts.area}
        unit="ha"
        build={area}
        lines={[[FLOOD_SERIES.area(areaCm), theme.accent, floodedHa(course, areaCm), 2]]}
      >
        <select
          className={classes.choice}
          aria-label={texts.areaFrom}
          value={areaCm}
          onChange={({ currentTarget: { value } }) => change({ areaCm: Number(value) })}
        >
          {AREA_LIMITS_CM.map((cm) => (
            <option key={cm} value={cm}>
              {texts.areaFromCm(cm)}
            </option>
          ))}
        </select>
      </Graph>
      <Graph
        {...props}
        title={texts.charts.volumes}
        unit="m³"
        build={storedVolumes}
        lines={[
          [FLOOD_SERIES.surface, theme.accent, course.surfaceM3, 0],
          [FLOOD_SERIES.sewer, theme.gauges[1], course.sewerM3, 0],
        ]}
      />
      <Graph
        {...props}
        title={texts.charts.flows}
        unit="m³/s"
        build={sewerFlows}
        lines={[
          [FLOOD_SERIES.sewerIn, theme.accent, course.sewerInM3S, 3],
          [FLOOD_SERIES.outfall, theme.gauges[0], course.outfallM3S, 3],
        ]}
      />
    </div>
  )
}

type Build = (data: FloodChartData, theme: ChartTheme, size: ChartSize) => EChartsOption

interface GraphProps extends Props {
  title: string
  unit: string
  lines: readonly Line[]
  build: Build
  /** Beside the title. */
  children?: ReactNode
}

function Graph(props: GraphProps) {
  const { title, unit, lines, build, course, reference, startMs, elapsed, timeS } = props
  const { timeZone } = useSite()
  const theme = useChartTheme()
  const option = useCallback(
    (size: ChartSize) =>
      build({ course, reference, startMs, elapsed, timeZone, margins: MARGINS }, theme, size),
    [build, course, reference, startMs, elapsed, timeZone, theme],
  )
  const patch = useMemo(
    () => cursorAt(new Date(startMs + 1000 * timeS).toISOString(), theme),
    [startMs, timeS, theme],
  )
  const pick = useCallback((instantMs: number) => setTime((instantMs - startMs) / 1000), [startMs])
  return (
    <section aria-label={title}>
      <h3>
        {title}
        {props.children}
        <Key lines={lines} compared={reference !== null} />
      </h3>
      <Chart
        label={title}
        height={HEIGHT}
        build={option}
        patch={patch}
        onPick={pick}
        table={<Values title={title} unit={unit} timesS={course.timesS} lines={lines} />}
      />
    </section>
  )
}

function Key({ lines, compared }: { lines: readonly Line[]; compared: boolean }): ReactNode {
  if (lines.length < 2 && !compared) return null
  return (
    <span className={classes.key}>
      {lines.map(([name, color]) => (
        <span key={name}>
          <i style={{ background: color }} aria-hidden />
          {lines.length > 1 ? name : texts.own}
        </span>
      ))}
      {compared && (
        <span>
          <i data-dashed aria-hidden />
          {texts.reference}
        </span>
      )}
    </span>
  )
}

interface ValuesProps {
  title: string
  unit: string
  timesS: readonly number[]
  lines: readonly Line[]
}

/** Built once: the clock does not change it. */
const Values = memo(
  ({ title, unit, timesS, lines }: ValuesProps) => (
    <SeriesTable
      caption={title}
      head={[texts.elapsed, ...lines.map(([name]) => `${name} (${unit})`)]}
      count={timesS.length}
      row={(k) => [
        formatElapsed(timesS[k]),
        ...lines.map(([, , values, decimals]) => formatNumberFr(values[k], decimals)),
      ]}
      values={lines[0][2]}
    />
  ),
  (before, after) =>
    before.timesS === after.timesS && before.lines.every(([name], k) => name === after.lines[k]?.[0]),
)
