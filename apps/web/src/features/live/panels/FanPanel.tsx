import { fanChart } from '@radx/charts/fan-chart'
import type { ChartSize } from '@radx/charts/theme'
import { cursorAt } from '@radx/charts/time-chart'
import type { NowcastFan } from '@radx/contracts/nowcast'
import { formatDateTimeFr, formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useSite } from '../../../app/site.ts'
import { catchmentsQuery } from '../../../selection/api.ts'
import { fanTexts as texts } from '../../../texts/nowcast.ts'
import { Chart } from '../../../ui/Chart.tsx'
import { useChartTheme } from '../../../ui/chart-theme.ts'
import { Section } from '../../../ui/Section.tsx'
import { SeriesTable } from '../../../ui/SeriesTable.tsx'
import { goTo, position } from '../commands.ts'
import { type FanPlace, fanQuery } from '../future/api.ts'
import { sameMoment } from '../future/forecast.ts'
import places from '../future/PlaceChoice.module.css'
import { currentLead, useFuture } from '../future/store.ts'
import { useLiveGauges } from '../state/gauges.ts'
import classes from './NowcastPanel.module.css'

const HEIGHT = 150

/** The forecast mean of a catchment, or at a pixel that the reader chose, with what the members lie between. */
export default function FanPanel() {
  // Without members there is no fan, and the map and the words tell the rest.
  const issued = useFuture(({ forecast }) => (forecast && forecast.members > 0 ? forecast.issued : null))
  const { place, choice } = useFanPlace(issued !== null)
  const { data: fan } = useQuery({
    ...fanQuery(issued ?? '', place ?? { c: '', sc: null }),
    enabled: issued !== null && place !== null,
    placeholderData: (before) => before,
  })
  const known = fan?.reason === null && fan.values.some(({ mmH }) => mmH !== null)
  if (issued === null || !fan) return null
  return (
    <Section title={texts.title} aside={choice}>
      {known ? <Fan fan={fan} /> : <p className={classes.note}>{texts.unknown}</p>}
      {known && <p className={classes.note}>{texts.members(fan.members)}</p>}
    </Section>
  )
}

function Fan({ fan: { values, horizonMin, issued } }: { fan: NowcastFan }) {
  const { timeZone } = useSite()
  const theme = useChartTheme()
  const current = useFuture((state) => currentLead(state)?.time ?? null)
  const untrustedFrom =
    issued === null ? null : new Date(Date.parse(issued) + (horizonMin ?? 0) * 60_000).toISOString()
  const build = useCallback(
    (size: ChartSize) => fanChart({ values, untrustedFrom, timeZone }, theme, size),
    [values, untrustedFrom, timeZone, theme],
  )
  const patch = useMemo(() => cursorAt(current, theme), [current, theme])
  const pick = (instantMs: number) => {
    const { forecast } = useFuture.getState()
    const lead = forecast && sameMoment(new Date(instantMs).toISOString(), forecast.leads)
    if (lead !== null) goTo(position().count + lead)
  }
  const mmH = (value: number | null) => formatQuantityFr(value, 'mm/h', 1)
  const table = (
    <SeriesTable
      caption={texts.title}
      head={texts.head}
      count={values.length}
      row={(k) => [
        formatDateTimeFr(values[k].time, timeZone),
        ...[values[k].mmH, values[k].p10, values[k].p50, values[k].p90].map(mmH),
      ]}
    />
  )
  return <Chart label={texts.title} height={HEIGHT} build={build} patch={patch} onPick={pick} table={table} />
}

/** Catchments are everyone's; exact values at a pixel are for those who may place gauges. */
function useFanPlace(wanted: boolean) {
  const { defaultCatchment } = useSite()
  const gauges = useLiveGauges((state) => state.gauges)
  const { data: catchments } = useQuery({ ...catchmentsQuery, enabled: wanted })
  const [chosen, setChosen] = useState('')
  const basins = (catchments?.features ?? []).map(({ properties: { key, name, parent } }) => ({
    value: `basin ${key}`,
    name,
    place: (parent === null ? { c: key, sc: null } : { c: parent, sc: key }) as FanPlace,
  }))
  const pixels = (gauges?.list ?? []).map(({ point: { pos } }, k, { length }) => ({
    value: `pixel ${pos.lat} ${pos.lng}`,
    name: texts.pixel(length - k),
    place: { lat: pos.lat, lng: pos.lng } as FanPlace,
  }))
  const all = [...basins, ...pixels]
  const shown =
    all.find(({ value }) => value === chosen) ??
    all.find(({ value }) => value === `basin ${defaultCatchment}`)
  const choice = (
    <select
      className={places.root}
      aria-label={texts.place}
      value={shown?.value}
      onChange={(event) => setChosen(event.currentTarget.value)}
    >
      {all.map(({ value, name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  )
  return { place: shown?.place ?? null, choice: all.length > 1 ? choice : shown?.name }
}
