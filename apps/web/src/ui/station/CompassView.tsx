import { compassChart, directionLabel, WIND_CLASS_LABELS } from '@radx/charts/compass'
import type { ChartSize } from '@radx/charts/theme'
import { COMPASS_DIRECTIONS, WIND_CLASSES } from '@radx/contracts/constants'
import type { Compass } from '@radx/contracts/station'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { useCallback } from 'react'
import { stationTexts } from '../../texts/station.ts'
import { Chart } from '../Chart.tsx'
import { useChartTheme } from '../chart-theme.ts'
import { DataTable } from '../DataTable.tsx'
import classes from './CompassView.module.css'

const texts = stationTexts

interface Props {
  title: string
  compass: Compass
  height: number
  /** A region of the page by its title; a dialog over the panel would have the same ones again. */
  region: boolean
}

/** A wind rose: where the wind goes, by speed class. */
export function CompassView({ title, compass, height, region }: Props) {
  return (
    <section className={classes.root} aria-label={region ? title : undefined}>
      <h3>{title}</h3>
      {compass === null ? (
        <p className={classes.none} style={{ height }}>
          {texts.noData}
        </p>
      ) : (
        <Rose title={title} compass={compass} height={height} />
      )}
    </section>
  )
}

function Rose({ title, compass, height }: { title: string; compass: NonNullable<Compass>; height: number }) {
  const theme = useChartTheme()
  const build = useCallback((size: ChartSize) => compassChart({ compass }, theme, size), [compass, theme])
  return (
    <Chart
      label={`${title} : ${texts.share}`}
      height={height}
      build={build}
      table={
        <DataTable
          caption={texts.share}
          head={[texts.direction, ...WIND_CLASSES.map((name) => `${WIND_CLASS_LABELS[name]} km/h`)]}
          rows={COMPASS_DIRECTIONS.map((direction) => [
            directionLabel(direction),
            ...WIND_CLASSES.map((name) => formatQuantityFr(compass[name][direction], '%', 1)),
          ])}
        />
      }
    />
  )
}

export function WindLegend() {
  const theme = useChartTheme()
  return (
    <ul className={classes.legend}>
      {WIND_CLASSES.map((name, i) => (
        <li key={name}>
          <span style={{ background: theme.scale[i] }} />
          {WIND_CLASS_LABELS[name]}
        </li>
      ))}
      <li className="rx-unit">km/h</li>
    </ul>
  )
}
