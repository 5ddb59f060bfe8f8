import { smallGraph } from '@radx/charts/small-graph'
import type { ChartSize } from '@radx/charts/theme'
import type { Taranis } from '@radx/contracts/station'
import { formatDateTimeFr, formatHourMinuteFr, formatQuantityFr } from '@radx/locale/format-fr'
import { useCallback } from 'react'
import { useSite } from '../../app/site.ts'
import { stationTexts } from '../../texts/station.ts'
import { Chart } from '../Chart.tsx'
import { useChartTheme } from '../chart-theme.ts'
import { Quantity } from '../Quantity.tsx'
import { SeriesTable } from '../SeriesTable.tsx'
import { CompassView, WindLegend } from './CompassView.tsx'
import classes from './StationView.module.css'

const texts = stationTexts
const GRAPHS = ['t', 'p', 'h', 'uzSonic'] as const

interface Props {
  taranis: Taranis
  /** `panel` for a column, `dialog` for more room. */
  size: 'panel' | 'dialog'
}

/** Two wind compasses and four curves of the weather station. */
export function StationView({ taranis, size }: Props) {
  const { timeZone } = useSite()
  const region = size === 'panel'
  const compassHeight = region ? 172 : 280
  return (
    <div className={classes.root} data-size={size}>
      <div className={classes.compasses}>
        <CompassView title={texts.wind} compass={taranis.station} height={compassHeight} region={region} />
        <CompassView title={texts.sonic} compass={taranis.sonic} height={compassHeight} region={region} />
      </div>
      <WindLegend />
      <p className={classes.hint}>{texts.hint}</p>
      <div className={classes.graphs}>
        {GRAPHS.map((key) => (
          <StationGraph
            key={key}
            points={taranis[key]}
            {...texts.graphs[key]}
            height={region ? 92 : 132}
            region={region}
          />
        ))}
      </div>
      <p className={classes.last}>{texts.lastReading(formatHourMinuteFr(taranis.end, timeZone))}</p>
    </div>
  )
}

interface GraphProps {
  name: string
  unit: string
  decimals: number
  points: Taranis['t']
  height: number
  region: boolean
}

function StationGraph({ name, unit, decimals, points, height, region }: GraphProps) {
  const { timeZone } = useSite()
  const theme = useChartTheme()
  const build = useCallback(
    (room: ChartSize) => smallGraph({ timeZone, name, unit, decimals, points }, theme, room),
    [timeZone, name, unit, decimals, points, theme],
  )
  const latest = points.findLast((point) => point.value !== null)?.value
  return (
    <section className={classes.graph} aria-label={region ? name : undefined}>
      <h3>
        {name} <Quantity value={latest} unit={unit} decimals={decimals} />
      </h3>
      <Chart
        label={`${name} (${unit})`}
        height={height}
        build={build}
        table={
          <SeriesTable
            caption={name}
            head={[texts.table.time, `${texts.table.value} (${unit})`]}
            count={points.length}
            row={(k) => [
              formatDateTimeFr(points[k].datetime, timeZone),
              formatQuantityFr(points[k].value, unit, decimals),
            ]}
            values={points.map(({ value }) => value)}
          />
        }
      />
    </section>
  )
}
