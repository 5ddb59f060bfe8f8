import { depthDurationChart, durationFr } from '@radx/charts/depth-duration-chart'
import { RETURN_PERIODS_DAYS } from '@radx/contracts/constants'
import type { LatLng } from '@radx/contracts/site'
import type { MontanaTable, RarePlace } from '@radx/contracts/storms'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { isAtLeast } from '@radx/rainfall/storms/depth-duration'
import { useCallback, useMemo } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import { MethodSwitch } from '../../../player/MethodSwitch.tsx'
import { useRemoveTable } from '../../../storms/api.ts'
import { TablePicker } from '../../../storms/TablePicker.tsx'
import { stormTexts as texts } from '../../../texts/storms.ts'
import { AskedRemoval } from '../../../ui/AskedRemoval.tsx'
import { Chart } from '../../../ui/Chart.tsx'
import { useChartTheme } from '../../../ui/chart-theme.ts'
import { DataTable } from '../../../ui/DataTable.tsx'
import { MantineRoot } from '../../../ui/MantineRoot.tsx'
import { Message } from '../../../ui/Message.tsx'
import { Section } from '../../../ui/Section.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import type { ExportRequest } from '../exports/request.ts'
import { AddTable } from './AddTable.tsx'
import { OwnStatistics } from './OwnStatistics.tsx'
import classes from './Rarity.module.css'
import { useRarePlaces, useTables } from './useRarity.ts'

const parts = () => import('./legend.ts')

interface Props extends ExportRequest {
  gauges: readonly LatLng[]
  /** What the gauges are called elsewhere on the screen. */
  names: readonly string[]
}

/** How rare the period's largest depths are, for the chosen catchment, its parts and the gauges. */
export default function Rarity({ gauges, names, ...request }: Props) {
  const { tables, chosen, choose } = useTables()
  const remove = useRemoveTable()
  return (
    <MantineRoot>
      <Section title={texts.title}>
        <div className={classes.root}>
          {tables.isPending && <p role="status">{texts.loading}</p>}
          {tables.error && <Message kind="error">{genericErrorText(tables.error)}</Message>}
          {tables.data &&
            (chosen ? (
              <TablePicker tables={tables.data} value={chosen.id} onChange={choose} />
            ) : (
              <Message kind="hint">{texts.noTable}</Message>
            ))}
          {chosen?.owner === 'user' && (
            <AskedRemoval
              key={chosen.id}
              label={texts.remove}
              ask={texts.removeAsk(chosen.name)}
              onYes={() => remove.mutate(chosen.id)}
            />
          )}
          {remove.error && <Message kind="error">{genericErrorText(remove.error)}</Message>}
          {chosen && <Places {...request} gauges={gauges} names={names} table={chosen} />}
          <AddTable onAdded={choose} />
          {request.selection.catchment !== null && (
            <OwnStatistics {...request} catchment={request.selection.catchment} gauges={gauges} />
          )}
        </div>
      </Section>
    </MantineRoot>
  )
}

function Places({ gauges, names, table, ...request }: Props & { table: MontanaTable }) {
  const { found, nowhere, tooLong } = useRarePlaces(request, gauges, table.id)
  const key = names.join('\n')
  const places = useMemo(() => named(found.data?.places ?? [], key.split('\n')), [found.data, key])
  if (tooLong) return <Message kind="hint">{texts.tooLong(RETURN_PERIODS_DAYS)}</Message>
  if (nowhere) return <Message kind="hint">{texts.nowhere}</Message>
  if (found.error)
    return (
      <Message kind="error" action={<TextButton onClick={() => found.refetch()}>{texts.retry}</TextButton>}>
        {genericErrorText(found.error)}
      </Message>
    )
  if (!found.data) return <div className={classes.shape} role="status" aria-label={texts.loading} />
  const { method } = found.data
  if (places.every(({ depths }) => depths.length === 0))
    return <Message kind="hint">{texts.tooShort}</Message>
  return (
    <>
      <MethodSwitch shown={method} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by the keyboard */}
      <section className={classes.table} aria-label={texts.caption} tabIndex={0}>
        <DataTable
          caption={texts.caption}
          head={[texts.durationHead, ...places.map(({ name }) => name)]}
          rows={rowsOf(places)}
        />
      </section>
      <DepthDuration table={table} places={places} />
      {places.some(({ kind }) => kind === 'zone') && <p className={classes.note}>{texts.areal}</p>}
    </>
  )
}

/** Places whose pixels, which come last and in the order of the gauges, are called as these are. */
function named(places: readonly RarePlace[], names: readonly string[]): RarePlace[] {
  const zones = places.filter(({ kind }) => kind === 'zone').length
  return places.map((place, k) => ({
    ...place,
    name: k < zones ? place.name : (names[k - zones] ?? place.name),
  }))
}

const mm = (value: number) => formatQuantityFr(value, 'mm', 1)

function rowsOf(places: readonly RarePlace[]): string[][] {
  return (places[0]?.depths ?? []).map(({ durationMin }, k) => [
    durationFr(durationMin),
    ...places.map(({ depths }) => {
      const depth = depths[k]
      if (!depth) return '–'
      if (depth.depthMm === null) return depth.period.label
      const least = isAtLeast(depth) ? `${texts.atLeast} ` : ''
      return `${least}${mm(depth.depthMm)}, ${depth.period.label}`
    }),
  ])
}

function DepthDuration({ table, places }: { table: MontanaTable; places: readonly RarePlace[] }) {
  const theme = useChartTheme()
  const build = useCallback(
    (size: { width: number; height: number }) =>
      depthDurationChart({ laws: table.laws, places }, theme, size),
    [table, places, theme],
  )
  return (
    <Chart
      label={texts.chart}
      height={380}
      build={build}
      parts={parts}
      table={
        <DataTable
          caption={texts.chart}
          head={[texts.durationHead, ...places.map(({ name }) => name)]}
          rows={rowsOf(places)}
        />
      }
    />
  )
}
