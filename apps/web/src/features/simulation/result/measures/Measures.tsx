import { NumberInput } from '@mantine/core'
import { runsChart } from '@radx/charts/runs-chart'
import type { RunMeasure } from '@radx/contracts/measures'
import { DRAIN_SURFACE, MEASURE_LIMITS, type MeasureKind } from '@radx/contracts/measures-constants'
import { formatNumberFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { measuresTexts as texts } from '../../../../texts/measures.ts'
import { Chart } from '../../../../ui/Chart.tsx'
import { useChartTheme } from '../../../../ui/chart-theme.ts'
import { DataTable } from '../../../../ui/DataTable.tsx'
import { Message } from '../../../../ui/Message.tsx'
import { TableHead } from '../../../../ui/TableHead.tsx'
import { TextButton } from '../../../../ui/TextButton.tsx'
import type { SimulationJob } from '../../api.ts'
import { DownloadButton } from '../../parts/DownloadButton.tsx'
import { ResultSection } from '../ResultSection.tsx'
import tableClasses from '../ResultTable.module.css'
import { measuresQuery } from './api.ts'
import { costOf, type Prices, sumByKind } from './by-kind.ts'
import classes from './Measures.module.css'

/** Measures that a table shows; a town may have thousands. */
const MOST_ROWS = 100

const parts = () => import('../../compare/spread-parts.ts')

/** What each measure of the run kept, what that costs, and where its water went. */
export function Measures({ job }: { job: SimulationJob }) {
  const [open, setOpen] = useState(false)
  if (job.result?.balance.measuresStoredM3 === undefined) return null
  return (
    <ResultSection title={texts.title} open={open} onToggle={setOpen}>
      <Content jobId={job.id} />
    </ResultSection>
  )
}

function Content({ jobId }: { jobId: string }) {
  const found = useQuery(measuresQuery(jobId))
  if (found.error)
    return (
      <Message
        kind="error"
        action={<TextButton onClick={() => void found.refetch()}>{texts.retry}</TextButton>}
      >
        {genericErrorText(found.error)}
      </Message>
    )
  if (!found.data) return <p role="status">{texts.loading}</p>
  return <Found jobId={jobId} measures={found.data.measures} />
}

function Found({ jobId, measures }: { jobId: string; measures: readonly RunMeasure[] }) {
  const [prices, setPrices] = useState<Prices>({})
  const first = useMemo(
    () => measures.toSorted((a, b) => b.keptM3 - a.keptM3).slice(0, MOST_ROWS),
    [measures],
  )
  return (
    <div className={classes.root}>
      <p className={classes.note}>{texts.lead}</p>
      <Kinds measures={measures} prices={prices} onPrices={setPrices} />
      <Costs measures={first} prices={prices} />
      {first.length < measures.length && (
        <p className={classes.note}>{texts.most(first.length, measures.length)}</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className={tableClasses.table} aria-label={texts.table} tabIndex={0}>
        <DataTable caption={texts.table} head={texts.head} rows={first.map(rowOf)} />
      </section>
      <div>
        <DownloadButton
          path={`/api/job/output/${jobId}/measures.csv/data`}
          filename="measures.csv"
          label={texts.csv}
        />
      </div>
    </div>
  )
}

const drainFr = ({ drainTo }: RunMeasure) =>
  drainTo === '' ? texts.noDrain : drainTo === DRAIN_SURFACE ? texts.toSurface : drainTo

const rowOf = (measure: RunMeasure): string[] => [
  measure.name,
  formatNumberFr(measure.areaM2, 0),
  ...[measure.rainM3, measure.inflowM3, measure.infiltratedM3, measure.evaporatedM3].map(m3),
  ...[measure.drainedM3, measure.overflowM3, measure.storedM3, measure.keptM3].map(m3),
  drainFr(measure),
]
const m3 = (volume: number) => formatNumberFr(volume, 1)

interface KindsProps {
  measures: readonly RunMeasure[]
  prices: Prices
  onPrices: (prices: Prices) => void
}

/** What each kind kept, and what a cubic metre of that costs by prices that can be changed here. */
function Kinds({ measures, prices, onPrices }: KindsProps) {
  const { min, max } = MEASURE_LIMITS.costEurM2
  const change = (kind: MeasureKind, value: number | string) => {
    const { [kind]: _, ...others } = prices
    onPrices(
      typeof value === 'number' && value >= min && value <= max ? { ...prices, [kind]: value } : others,
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className={tableClasses.table} aria-label={texts.byKind} tabIndex={0}>
      <table>
        <caption>{texts.byKind}</caption>
        <TableHead names={texts.kindHead} />
        <tbody>
          {sumByKind(measures, prices).map(({ kind, count, areaM2, keptM3, costEur, eurM2, eurM3 }) => (
            <tr key={kind}>
              <th scope="row">{texts.kinds[kind]}</th>
              <td>{formatNumberFr(count)}</td>
              <td>{formatNumberFr(areaM2, 0)}</td>
              <td>{m3(keptM3)}</td>
              <td>
                <NumberInput
                  size="xs"
                  w={96}
                  aria-label={texts.costOf(texts.kinds[kind])}
                  min={min}
                  max={max}
                  decimalSeparator=","
                  hideControls
                  value={prices[kind] ?? Math.round(eurM2)}
                  onChange={(value) => change(kind, value)}
                />
              </td>
              <td>{formatNumberFr(costEur, 0)}</td>
              <td>{eurM3 === null ? texts.noDrain : formatNumberFr(eurM3, 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.note}>{texts.costs}</p>
    </section>
  )
}

const AXES = {
  x: { name: texts.kept, unit: 'm³', decimals: 1 },
  y: { name: texts.cost, unit: '€', decimals: 0 },
}

/** Cost against the volume kept, a point a measure. */
function Costs({ measures, prices }: { measures: readonly RunMeasure[]; prices: Prices }) {
  const theme = useChartTheme()
  const build = useCallback(() => {
    const kinds = [...new Set(measures.map(({ kind }) => kind))]
    const groups = kinds.map((kind) => ({
      name: texts.kinds[kind],
      points: measures
        .filter((measure) => measure.kind === kind)
        .map((measure) => ({ title: measure.name, x: measure.keptM3, y: costOf(measure, prices) })),
    }))
    return runsChart({ ...AXES, groups }, theme)
  }, [measures, prices, theme])
  const rows = measures.map((measure) => [
    measure.name,
    m3(measure.keptM3),
    formatNumberFr(costOf(measure, prices), 0),
  ])
  return (
    <Chart
      label={texts.chart}
      height={320}
      build={build}
      parts={parts}
      table={
        <DataTable
          caption={texts.chart}
          head={[texts.head[0], `${texts.kept} (m³)`, `${texts.cost} (€)`]}
          rows={rows}
        />
      }
    />
  )
}
