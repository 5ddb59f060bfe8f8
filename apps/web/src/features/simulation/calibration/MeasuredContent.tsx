import { Button } from '@mantine/core'
import type { ObservedRun, ObservedRuns } from '@radx/contracts/calibration'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { saveCsv } from '../../../app/csv.ts'
import { useSite } from '../../../app/site.ts'
import { measuredTexts as texts } from '../../../texts/calibration.ts'
import { DataTable } from '../../../ui/DataTable.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Message } from '../../../ui/Message.tsx'
import { instantOf, localText } from '../../../ui/moments.ts'
import { QueryState } from '../../../ui/QueryState.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import type { SimulationJob } from '../api.ts'
import table from '../result/ResultTable.module.css'
import { overlaidQuery, seriesQuery } from './api.ts'
import { BringSeries } from './BringSeries.tsx'
import classes from './Calibration.module.css'
import { curvesCsv, scoresCsv } from './files.ts'
import { MeasuredChart } from './MeasuredChart.tsx'
import { OwnSeries } from './OwnSeries.tsx'
import { placeText, scoreCells } from './words.ts'

/** Charts that are drawn at once. */
const FIRST_CHARTS = 6

/** The account's series of the catchment, those that meet the run over its own curves, and more of them. */
export default function MeasuredContent({ job }: { job: SimulationJob }) {
  const { catchmentId } = job.input
  const series = useQuery(seriesQuery(catchmentId))
  const [period, setPeriod] = useState<Period>({ start: null, end: null })
  const beside = useQuery({ ...overlaidQuery(job.id, period), placeholderData: keepPreviousData })
  return (
    <div className={classes.parts}>
      <p className={classes.note}>
        {texts.lead}{' '}
        <Link to={`/multihydro/calage?bassin=${catchmentId}&episode=${job.id}`}>{texts.toFit}</Link>
      </p>
      <QueryState query={beside} there={beside.data !== undefined} waits={texts.loading} />
      {beside.data && series.data && (
        <Beside
          runs={beside.data}
          kept={series.data.length}
          isVirtual={job.input.rainfallSelection === 'virtual'}
          onPeriod={setPeriod}
        />
      )}
      <OwnSeries series={series} />
      <BringSeries catchmentId={catchmentId} jobId={job.id} />
    </div>
  )
}

interface Period {
  start: string | null
  end: string | null
}

interface BesideProps {
  runs: ObservedRuns
  /** Series of the catchment, also of other times. */
  kept: number
  /** The rain fell on no day. */
  isVirtual: boolean
  onPeriod: (period: Period) => void
}

function Beside({ runs, kept, isVirtual, onPeriod }: BesideProps) {
  const [most, setMost] = useState(FIRST_CHARTS)
  if (runs.series.length === 0)
    return (
      <p className={classes.note}>{kept === 0 ? texts.noSeries : `${texts.none} ${texts.others(kept)}`}</p>
    )
  const compared = runs.series.filter(({ problem }) => problem === null)
  return (
    <>
      <PeriodFields runs={runs} onPeriod={onPeriod} />
      <ScoreTable series={compared} />
      {runs.series.map(
        ({ id, name, problem }) =>
          problem !== null && (
            <Message key={id} kind="warning">
              {name} : {problem}
            </Message>
          ),
      )}
      <div className={classes.bar}>
        <Button variant="default" onClick={() => saveCsv(scoresCsv(compared), texts.scoresFile)}>
          {texts.downloadScores}
        </Button>
        <Button variant="default" onClick={() => saveCsv(curvesCsv(runs), texts.curvesFile)}>
          {texts.downloadCurves}
        </Button>
      </div>
      <div className={classes.charts}>
        {compared.slice(0, most).map((one) => (
          <MeasuredChart key={one.id} series={one} start={runs.start} isVirtual={isVirtual} />
        ))}
      </div>
      {compared.length > most && (
        <TextButton onClick={() => setMost(most + FIRST_CHARTS)}>{texts.moreCharts}</TextButton>
      )}
    </>
  )
}

/** Over which part of the run scores count; as they are typed, once both are moments. */
function PeriodFields({ runs: { start, durationS }, onPeriod }: Pick<BesideProps, 'runs' | 'onPeriod'>) {
  const { civilZone } = useSite()
  const startMs = Date.parse(start)
  const endMs = startMs + 1000 * durationS
  const [from, setFrom] = useState<string | null>(() => localText(startMs, civilZone))
  const [to, setTo] = useState<string | null>(() => localText(endMs, civilZone))
  const [round, setRound] = useState(0)
  const [fromMs, toMs] = [instantOf(from, civilZone), instantOf(to, civilZone)]
  const isWrong = fromMs !== null && toMs !== null && fromMs >= toMs
  const tell = (nextFrom: string | null, nextTo: string | null) => {
    const [a, b] = [instantOf(nextFrom, civilZone), instantOf(nextTo, civilZone)]
    if (a === null || b === null || a >= b) return
    // The fields have minutes, ends of a run may have seconds.
    const iso = (ms: number) => new Date(ms).toISOString()
    onPeriod({ start: a - startMs > 0 ? iso(a) : null, end: endMs - b >= 60_000 ? iso(b) : null })
  }
  return (
    <div className={classes.bar} key={round}>
      <DateField
        withTime
        label={texts.from}
        value={from}
        onChange={(value) => {
          setFrom(value)
          tell(value, to)
        }}
      />
      <DateField
        withTime
        label={texts.to}
        value={to}
        onChange={(value) => {
          setTo(value)
          tell(from, value)
        }}
      />
      <Button
        variant="default"
        onClick={() => {
          setFrom(localText(startMs, civilZone))
          setTo(localText(endMs, civilZone))
          setRound(round + 1)
          onPeriod({ start: null, end: null })
        }}
      >
        {texts.wholeRun}
      </Button>
      {isWrong && <Message kind="error">{texts.wrongPeriod}</Message>}
    </div>
  )
}

function ScoreTable({ series }: { series: readonly ObservedRun[] }) {
  const rows = series.map(({ name, place, quantity, scores }) => [
    name,
    placeText(place),
    ...(scores === null
      ? [texts.tooFew, ...Array.from({ length: 8 }, () => '')]
      : scoreCells(scores, quantity)),
  ])
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className={table.table} aria-label={texts.scores} tabIndex={0}>
        <DataTable caption={texts.scores} head={texts.scoreHead} rows={rows} />
      </section>
      <p className={classes.note}>{texts.scoreNote}</p>
    </>
  )
}
