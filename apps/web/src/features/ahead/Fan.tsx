import { fanChart } from '@radx/charts/fan-chart'
import type { ChartSize } from '@radx/charts/theme'
import { cursorAt } from '@radx/charts/time-chart'
import type { AheadCycle, AheadFan } from '@radx/contracts/ahead'
import { formatDateTimeFr, formatHourMinuteFr, formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { Link } from 'react-router'
import { serverErrorText } from '../../app/api/errors.ts'
import { useSite } from '../../app/site.ts'
import { aheadTexts as texts } from '../../texts/ahead.ts'
import { Chart } from '../../ui/Chart.tsx'
import { useChartTheme } from '../../ui/chart-theme.ts'
import { Message } from '../../ui/Message.tsx'
import { Section } from '../../ui/Section.tsx'
import { SeriesTable } from '../../ui/SeriesTable.tsx'
import classes from './AheadScreen.module.css'
import { fanQuery, type Place } from './api.ts'
import { straysOf } from './strays.ts'

const HEIGHT = 220

interface Values {
  label: string
  values: readonly { time: string; value: number; p10: number; p50: number; p90: number }[]
  unit: string
  decimals: number
  /** The moment that the page shows. */
  now: string | null
  untrustedFrom: string | null
}

/** What members lie between over time, and the deterministic course. */
function FanOf({ label, values, unit, decimals, now, untrustedFrom }: Values) {
  const { timeZone } = useSite()
  const theme = useChartTheme()
  const build = useCallback(
    (size: ChartSize) =>
      fanChart(
        {
          values: values.map(({ value, ...rest }) => ({ ...rest, mmH: value })),
          ...{ untrustedFrom, timeZone, unit, decimals },
        },
        theme,
        size,
      ),
    [values, untrustedFrom, timeZone, unit, decimals, theme],
  )
  const patch = useMemo(() => cursorAt(now, theme), [now, theme])
  const told = (value: number) => formatQuantityFr(value, unit, decimals)
  const table = (
    <SeriesTable
      caption={label}
      head={texts.rainHead}
      count={values.length}
      row={(k) => {
        const { time, value, p10, p50, p90 } = values[k]
        return [formatDateTimeFr(time, timeZone), ...[value, p10, p50, p90].map(told)]
      }}
    />
  )
  const strays = straysOf(values, decimals)
  return (
    <>
      <Chart label={label} height={HEIGHT} build={build} patch={patch} table={table} />
      {strays && (
        <p className={classes.note}>
          {texts.strays(formatHourMinuteFr(strays.from, timeZone), formatHourMinuteFr(strays.to, timeZone))}
        </p>
      )}
    </>
  )
}

export function RainFan({ cycle, now }: { cycle: AheadCycle; now: string | null }) {
  const values = useMemo(() => cycle.rainMmH.map((value, k) => ({ ...value, time: cycle.times[k] })), [cycle])
  return (
    <Section title={texts.rain}>
      <FanOf
        label={texts.rain}
        values={values}
        unit="mm/h"
        decimals={1}
        now={now}
        untrustedFrom={cycle.rainUntil}
      />
    </Section>
  )
}

/** The fan at a place that was chosen. */
export function PlaceFan({
  cycle,
  place,
  now,
}: {
  cycle: AheadCycle
  place: Place | null
  now: string | null
}) {
  const chosen = place ?? { kind: 'cell', name: '' }
  const fan = useQuery({
    ...fanQuery(cycle.catchment.id, cycle.issued, chosen as Place),
    enabled: place !== null,
  })
  return (
    <Section title={texts.fan}>
      {place === null && <p className={classes.note}>{texts.fanHint}</p>}
      {fan.error && <Message kind="error">{serverErrorText(fan.error)}</Message>}
      {place !== null && fan.data && <Drawn cycle={cycle} fan={fan.data} now={now} />}
      {place !== null && (
        <p className={classes.note}>
          <Link to={alertAddress(cycle, place)}>{texts.alert}</Link>
        </p>
      )}
    </Section>
  )
}

/** The form of a rule on this place. */
const alertAddress = (cycle: AheadCycle, place: Place) => {
  const asked = { r: `flood-${place.kind}`, c: cycle.catchment.id, n: place.name, t: labelOf(cycle, place) }
  return `/alertes?${new URLSearchParams(asked)}`
}

/** What a place is called: what the list knows it by, or where it is. */
function labelOf({ watch, place: { ncols } }: AheadCycle, { kind, name }: Place): string {
  const known = kind === 'cell' && watch.find(({ cell }) => String(cell) === name)
  if (known) return texts.fans.place(texts.place(known.ground, known.near, known.name))
  if (kind !== 'cell') return texts.fans[kind](name)
  return texts.fans.cell(Math.floor(Number(name) / ncols) + 1, (Number(name) % ncols) + 1)
}

/** How a unit is shown. */
const SHOWN = {
  mm: { factor: 0.1, words: 'cm', decimals: 1 },
  share: { factor: 100, words: texts.unitShare, decimals: 0 },
  m: { factor: 1, words: 'm', decimals: 2 },
} as const

function Drawn({ cycle, fan, now }: { cycle: AheadCycle; fan: AheadFan; now: string | null }) {
  const { kind, unit } = fan
  const label = labelOf(cycle, fan)
  const { factor, words, decimals } = SHOWN[unit]
  const values = useMemo(
    () =>
      fan.values.map(({ time, value, p10, p50, p90 }) => ({
        ...{ time, value: factor * value, p10: factor * p10, p50: factor * p50, p90: factor * p90 },
      })),
    [fan, factor],
  )
  return (
    <>
      <h3 className={classes.subtitle}>{label}</h3>
      <FanOf
        label={label}
        values={values}
        unit={words}
        decimals={decimals}
        now={now}
        untrustedFrom={cycle.rainUntil}
      />
      {fan.limit !== null && (
        <p className={classes.note}>
          {texts.limits[kind](formatQuantityFr(factor * fan.limit, words, decimals))}
        </p>
      )}
    </>
  )
}
