import { fittedLine, type LogLogData, logLogChart } from '@radx/charts/log-log-chart'
import type { ChartSize } from '@radx/charts/theme'
import { timeChart } from '@radx/charts/time-chart'
import type { EventScalingAnswer, ScalingPart } from '@radx/contracts/scaling'
import { formatHourMinuteFr, formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { type ReactNode, useCallback, useMemo } from 'react'
import { useSite } from '../../../app/site.ts'
import { scalingTexts as texts } from '../../../texts/scaling.ts'
import { Chart } from '../../../ui/Chart.tsx'
import { useChartTheme } from '../../../ui/chart-theme.ts'
import { DataTable } from '../../../ui/DataTable.tsx'
import { slopeOf } from './csv.ts'
import { type ScaleRange, sameRange, scalesOf } from './ranges.ts'
import classes from './Scaling.module.css'

const parts = () => import('../rarity/legend.ts')
/** Orders whose moments are drawn; all are in the file. */
const DRAWN_Q = [0.5, 1.5, 2, 2.5]

const text = (value: number) => formatNumberFr(value, 4, true)

function LogLog({ label, data, onPick }: { label: string; data: LogLogData; onPick?: (x: number) => void }) {
  const theme = useChartTheme()
  const build = useCallback((size: ChartSize) => logLogChart(data, theme, size), [data, theme])
  const rows = data.series.flatMap(({ name, points }) =>
    points.map(([x, y]) => [`${name}, ${text(x)}`, text(y)]),
  )
  return (
    <Figure label={label}>
      <Chart
        label={label}
        height={340}
        build={build}
        parts={parts}
        onPick={onPick}
        table={<DataTable caption={label} head={[data.xName, data.yName]} rows={rows} />}
      />
    </Figure>
  )
}

const Figure = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={classes.figure}>
    <h3>{label}</h3>
    {children}
  </div>
)

interface PartProps {
  part: ScalingPart
  range: ScaleRange
}

/** Moments by scale; a click moves an end of the range. */
export function MomentsChart({
  part,
  range,
  unit,
  time,
  onPick,
}: PartProps & { unit: number; time: boolean; onPick: (cells: number) => void }) {
  const data = useMemo((): LogLogData => {
    const { cells, q, moments } = part.points
    const fit = part.fits.find((one) => sameRange(one, range))
    const ends = [range.fromCells * unit, range.toCells * unit] as const
    return {
      xName: time ? texts.scaleMin : texts.scaleKm,
      yName: texts.momentAxis,
      range: ends,
      xTicks: scalesOf(part.side).map((scale) => scale * unit),
      series: DRAWN_Q.filter((order) => q.includes(order)).map((order) => {
        const j = q.indexOf(order)
        const points = cells.map((scale, i) => [scale * unit, moments[i][j]] as const)
        const k = fit?.tm?.k.find((one) => one.q === order)?.k
        // Resolution grows where the scale falls: the slope over the scale is -K(q).
        return {
          name: texts.moment(formatNumberFr(order, 1, true)),
          points,
          line: k === undefined ? null : fittedLine(points, -k, ends),
        }
      }),
    }
  }, [part, range, unit, time])
  return <LogLog label={texts.tm} data={data} onPick={(x) => onPick(x / unit)} />
}

/** K(q, eta) over eta: alpha is the slope between 0.5 and 1.5. */
export function DtmChart({ part, range }: PartProps) {
  const data = useMemo((): LogLogData => {
    const dtm = part.fits.find((one) => sameRange(one, range))?.dtm
    const points = (dtm?.k ?? []).map(({ eta, k }) => [eta, k] as const)
    return {
      xName: texts.etaAxis,
      yName: texts.kAxis,
      range: [0.5, 1.5],
      xTicks: [0.1, 0.2, 0.5, 1, 1.5, 2, 4],
      series: [{ name: 'DTM', points, line: dtm ? fittedLine(points, dtm.alpha, [0.5, 1.5]) : null }],
    }
  }, [part, range])
  return <LogLog label={texts.dtm} data={data} />
}

export function SpectrumChart({ found, range }: { found: EventScalingAnswer; range: ScaleRange }) {
  const data = useMemo((): LogLogData => {
    const { wavelengthM, power } = found.spectrum ?? { wavelengthM: [], power: [] }
    const points = wavelengthM.map((metres, i) => [metres / 1000, power[i]] as const)
    const slope = slopeOf(found, range.fromCells, range.toCells)
    // Waves are as long as two boxes.
    const ends = [2 * range.fromCells, 2 * range.toCells].map((cells) => (cells * found.cellM) / 1000)
    const drawn = [ends[0], Math.min(ends[1], points[0]?.[0] ?? ends[1])] as const
    return {
      xName: texts.wavelength,
      yName: texts.powerAxis,
      range: drawn,
      series: [{ name: texts.spectrum, points, line: slope ? fittedLine(points, slope.beta, drawn) : null }],
    }
  }, [found, range])
  return <LogLog label={texts.spectrum} data={data} />
}

/** alpha and C1 of each frame over the chosen range. */
export function FramesChart({ found, at }: { found: EventScalingAnswer; at: number }) {
  const theme = useChartTheme()
  const { timeZone } = useSite()
  const build = useCallback(
    (size: ChartSize) => {
      const points = (name: 'alpha' | 'c1') =>
        found.single.map(({ time, fits }) => ({ datetime: time, value: fits[at]?.dtm?.[name] ?? null }))
      const line = { unit: '', decimals: 2, kind: 'line' as const }
      return timeChart(
        {
          timeZone,
          series: [
            { ...line, name: 'alpha', axis: 'left', points: points('alpha') },
            { ...line, name: 'C1', axis: 'right', points: points('c1'), color: theme.gauges[0] },
          ],
        },
        theme,
        size,
      )
    },
    [found, at, theme, timeZone],
  )
  const rows = found.single.map(({ time, zeroShare, fits }) => [
    formatHourMinuteFr(time, timeZone),
    formatQuantityFr(100 * zeroShare, '%', 0),
    ...[fits[at]?.dtm?.alpha, fits[at]?.dtm?.c1].map((value) =>
      value === undefined ? texts.none : formatNumberFr(value, 2),
    ),
  ])
  return (
    <Figure label={texts.byFrame}>
      <Chart
        label={texts.byFrame}
        height={340}
        build={build}
        table={
          <DataTable
            caption={texts.byFrame}
            head={[texts.frameTime, texts.frameZeros, 'alpha', 'C1']}
            rows={rows}
          />
        }
      />
    </Figure>
  )
}
