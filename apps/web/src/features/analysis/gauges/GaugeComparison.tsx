import { Button, Checkbox, NativeSelect } from '@mantine/core'
import type { GaugeComparison as Found } from '@radx/contracts/gauges'
import { formatDateTimeFr, formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { punctuated } from '@radx/locale/punctuation-fr'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import { part } from '../../../app/part.tsx'
import { useSite } from '../../../app/site.ts'
import { MethodSwitch } from '../../../player/MethodSwitch.tsx'
import { useRainMethod } from '../../../player/rain-method.ts'
import { gaugeComparisonTexts as texts } from '../../../texts/gauge-comparison.ts'
import { DataTable } from '../../../ui/DataTable.tsx'
import { MantineRoot } from '../../../ui/MantineRoot.tsx'
import { Message } from '../../../ui/Message.tsx'
import { Section } from '../../../ui/Section.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import { type ExportRequest, exportQuery } from '../exports/request.ts'
import { Adjusted } from './Adjusted.tsx'
import { comparisonQuery } from './api.ts'
import { Choice } from './Choice.tsx'
import { Faults } from './Faults.tsx'
import { DoubleMass, Figure, GaugeSeries, Scatter } from './GaugeCharts.tsx'
import classes from './GaugeComparison.module.css'
import { GaugeTable } from './GaugeTable.tsx'
import { OwnGauges } from './OwnGauges.tsx'
import { kindOf } from './ratios.ts'
import { Scrolled } from './Scrolled.tsx'

const RatioMap = part(() => import('./RatioMap.tsx'))

type Extent = keyof typeof texts.extents
const DAYS: Record<Extent, number> = { event: 0, month: 30, year: 365 }

/** The period's end, and as many days before as the extent has. */
function extended({ s, e }: { s: string; e: string }, extent: Extent): { s: string; e: string } {
  const days = DAYS[extent]
  if (days === 0) return { s, e }
  const from = Math.min(Date.parse(s), Date.parse(e) - days * 86_400_000)
  return { s: new Date(from).toISOString(), e }
}

interface Props extends ExportRequest {
  /** Adjusted product on the map; null shows the original. */
  shown: string | null
  onShow: (adjusted: string | null) => void
}

/** Real gauges beside the radar, on demand: by event, a month or a year. */
export default function GaugeComparison({ shown, onShow, ...request }: Props) {
  const { p, s, e } = exportQuery(request)
  const [wanted, setWanted] = useState(shown !== null)
  const [step, setStep] = useState('15')
  const [extent, setExtent] = useState<Extent>('event')
  const [raw, setRaw] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const query = {
    p,
    ...extended({ s, e }, extent),
    step,
    raw: raw ? ('1' as const) : ('0' as const),
    method: useRainMethod(({ method }) => method),
    g: chosen,
  }
  const found = useQuery({ ...comparisonQuery(query), enabled: wanted })
  return (
    <MantineRoot>
      <Section title={texts.title}>
        <div className={classes.root}>
          <p className={classes.note}>{texts.lead}</p>
          {wanted ? (
            <div className={classes.bar}>
              <Choice label={texts.extent} names={texts.extents} value={extent} onChange={setExtent} />
              <NativeSelect
                label={texts.step}
                value={step}
                data={Object.entries(texts.steps).map(([value, label]) => ({ value, label }))}
                onChange={({ currentTarget }) => setStep(currentTarget.value)}
              />
              <Checkbox
                label={texts.raw}
                checked={raw}
                onChange={({ currentTarget }) => setRaw(currentTarget.checked)}
              />
            </div>
          ) : (
            <div>
              <Button variant="default" onClick={() => setWanted(true)}>
                {texts.run}
              </Button>
            </div>
          )}
          {wanted && found.isFetching && <p role="status">{texts.working}</p>}
          {found.error && !found.isFetching && (
            <Message
              kind="error"
              action={<TextButton onClick={() => void found.refetch()}>{texts.retry}</TextButton>}
            >
              {genericErrorText(found.error)}
            </Message>
          )}
          {wanted && found.data && !found.error && (
            <Result found={found.data} chosen={chosen} onChoose={setChosen} raw={raw} />
          )}
          {wanted && (found.data?.gauges.length ?? 0) > 0 && (
            <Adjusted request={exportQuery(request)} shown={shown} onShow={onShow} />
          )}
          {wanted && <OwnGauges />}
        </div>
      </Section>
    </MantineRoot>
  )
}

interface ResultProps {
  found: Found
  chosen: string | null
  onChoose: (id: string | null) => void
  raw: boolean
}

function Result({ found, chosen, onChoose, raw }: ResultProps) {
  if (found.gauges.length === 0) return <Message kind="hint">{texts.none}</Message>
  const gauge = found.gauges.find(({ id }) => id === chosen)
  const choose = (id: string) => onChoose(id === chosen ? null : id)
  return (
    <>
      {found.notesFr.map((note) => (
        <Message key={note} kind="hint">
          {punctuated(note)}
        </Message>
      ))}
      <Figures found={found} />
      <MethodSwitch shown={found.method} />
      <GaugeTable found={found} chosen={chosen} onChoose={choose} />
      <p className={classes.note}>{texts.scoresNote}</p>
      {gauge && (
        <>
          <GaugeSeries found={found} />
          <Faults key={gauge.id} found={found} gauge={gauge} raw={raw} />
        </>
      )}
      <div className={classes.charts}>
        <Scatter found={found} chosen={chosen} />
        <DoubleMass found={found} chosen={chosen} />
        <Figure label={texts.ratioMap}>
          <Suspense>
            <RatioMap found={found} chosen={chosen} onChoose={choose} />
          </Suspense>
          <ul className={classes.legend}>
            {(['under', 'equal', 'over'] as const).map((kind) => (
              <li key={kind} data-kind={kind}>
                {texts[kind]}
              </li>
            ))}
          </ul>
        </Figure>
      </div>
      <Spans title={texts.events} spans={found.events} />
      {found.months.length > 1 && <Spans title={texts.months} spans={found.months} />}
    </>
  )
}

function Figures({ found: { all } }: { found: Found }) {
  const { figures, empty } = texts
  const list: [string, string, string?][] = [
    [figures.ratio, all.ratio === null ? empty : formatNumberFr(all.ratio, 2), kindOf(all.ratio)],
    [figures.median, all.medianRatio === null ? empty : formatNumberFr(all.medianRatio, 2)],
    [figures.bias, all.biasPct === null ? empty : formatQuantityFr(all.biasPct, '%', 0)],
    [figures.rmse, all.rmse === null ? empty : formatQuantityFr(all.rmse, 'mm', 2)],
    [figures.correlation, all.correlation === null ? empty : formatNumberFr(all.correlation, 2)],
    [figures.pairs, formatNumberFr(all.pairs, 0)],
  ]
  return (
    <dl className={classes.figures} aria-label={texts.all}>
      {list.map(([name, value, kind]) => (
        <div key={name} data-kind={kind}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Spans({ title, spans }: { title: string; spans: Found['events'] }) {
  const { timeZone } = useSite()
  if (spans.length === 0) return null
  return (
    <Scrolled label={title}>
      <DataTable
        caption={title}
        head={texts.spanHead}
        rows={spans.map(({ start, end, gauges, depth }) => [
          formatDateTimeFr(start, timeZone),
          formatDateTimeFr(end, timeZone),
          formatNumberFr(depth.gaugeMm, 1),
          formatNumberFr(depth.radarMm, 1),
          depth.ratio === null ? texts.empty : formatNumberFr(depth.ratio, 2),
          String(gauges),
        ])}
      />
    </Scrolled>
  )
}
