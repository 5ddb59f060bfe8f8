import { SegmentedControl } from '@mantine/core'
import { durationFr } from '@radx/charts/depth-duration-chart'
import { ownStatisticsChart } from '@radx/charts/own-statistics-chart'
import type { ChartSize } from '@radx/charts/theme'
import type { LatLng } from '@radx/contracts/site'
import type { OwnStatistics as Found, RarePlace } from '@radx/contracts/storms'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import { ownStatisticsQuery } from '../../../storms/api.ts'
import { stormTexts as texts } from '../../../texts/storms.ts'
import { Chart } from '../../../ui/Chart.tsx'
import { useChartTheme } from '../../../ui/chart-theme.ts'
import { DataTable } from '../../../ui/DataTable.tsx'
import { Message } from '../../../ui/Message.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import { type ExportRequest, exportQuery } from '../exports/request.ts'
import classes from './Rarity.module.css'
import { useRarePlaces, useTables } from './useRarity.ts'

const parts = () => import('./legend.ts')
/** The period whose bounds are drawn first, years. */
const FIRST_BOUNDS = 10

interface Props extends ExportRequest {
  catchment: string
  /** Those of the section above, whose depths are asked for already. */
  gauges: readonly LatLng[]
}

/** What the archive's own years say; with too few of them, that. */
export function OwnStatistics({ catchment, gauges, ...request }: Props) {
  const { p, sc } = exportQuery(request)
  const [asked, setAsked] = useState(false)
  const own = useQuery({ ...ownStatisticsQuery({ p, c: catchment, sc }), enabled: asked })
  const { found } = useRarePlaces(request, gauges, useTables().chosen?.id)
  const { data } = own
  const zone = found.data?.places.find(({ kind }) => kind === 'zone')
  return (
    <details className={classes.add} onToggle={({ currentTarget }) => setAsked(currentTarget.open)}>
      <summary>{texts.statistics}</summary>
      {own.isFetching && <p role="status">{texts.statisticsLoading}</p>}
      {own.error && !own.isFetching && (
        <Message
          kind="error"
          action={<TextButton onClick={() => void own.refetch()}>{texts.retry}</TextButton>}
        >
          {genericErrorText(own.error)}
        </Message>
      )}
      {data && <p className={classes.note}>{data.noteFr}</p>}
      {data && data.durations.length > 0 && <Law found={data} place={zone} />}
    </details>
  )
}

const mm = (value: number) => formatQuantityFr(value, 'mm', 1)

function Law({ found: { durations }, place }: { found: Found; place: RarePlace | undefined }) {
  const theme = useChartTheme()
  const years = durations[0].quantiles.map(({ periodYears }) => periodYears)
  const [wanted, setWanted] = useState(FIRST_BOUNDS)
  const boundsOf = years.includes(wanted) ? wanted : years[0]
  const build = useCallback(
    (size: ChartSize) =>
      ownStatisticsChart(
        { durations, boundsOf, names: texts.boundNames, places: place ? [place] : [] },
        theme,
        size,
      ),
    [durations, boundsOf, place, theme],
  )
  return (
    <>
      <div className={classes.bounds}>
        <span id="own-bounds">{texts.boundsOf}</span>
        <SegmentedControl
          size="xs"
          aria-labelledby="own-bounds"
          value={String(boundsOf)}
          onChange={(value) => setWanted(Number(value))}
          data={years.map((one) => ({ value: String(one), label: texts.quantileHead(one) }))}
        />
      </div>
      <Chart
        label={texts.ownChart}
        height={380}
        build={build}
        parts={parts}
        table={{ id: 'own-statistics' }}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by the keyboard */}
      <section className={classes.table} aria-label={texts.statistics} tabIndex={0} id="own-statistics">
        <DataTable
          caption={texts.ownCaption}
          head={[texts.durationHead, ...years.map(texts.quantileHead)]}
          rows={durations.map(({ durationMin, quantiles }) => [
            durationFr(durationMin),
            ...quantiles.map((one) => `${mm(one.depthMm)} (${texts.bounds(mm(one.lowMm), mm(one.highMm))})`),
          ])}
        />
      </section>
    </>
  )
}
