import { Button, NativeSelect } from '@mantine/core'
import type { ChartSize } from '@radx/charts/theme'
import { timeChart } from '@radx/charts/time-chart'
import type { GaugeAdjustment, GaugeMethod } from '@radx/contracts/gauges'
import { formatHourMinuteFr, formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { punctuated } from '@radx/locale/punctuation-fr'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { saveBlob } from '../../../app/api/download.ts'
import { genericErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { gaugeComparisonTexts as texts } from '../../../texts/gauge-comparison.ts'
import { Chart } from '../../../ui/Chart.tsx'
import { useChartTheme } from '../../../ui/chart-theme.ts'
import { DataTable } from '../../../ui/DataTable.tsx'
import { Message } from '../../../ui/Message.tsx'
import { type AdjustmentQuery, adjustedCsv, adjustmentQuery } from './api.ts'
import { Choice } from './Choice.tsx'
import { Figure } from './GaugeCharts.tsx'
import classes from './GaugeComparison.module.css'
import { Scrolled } from './Scrolled.tsx'

interface Props {
  request: { p: string; s: string; e: string; c: string | null; sc: string | null }
  /** What the map shows, `method.mode`; null shows the original. */
  shown: string | null
  onShow: (adjusted: string | null) => void
}

/** Longest period whose adjusted frames the map shows. */
const MAP_DAYS = 2

type Mode = AdjustmentQuery['mode']

/** The adjusted product beside the original: its factors, its error by method, and whether the map shows it. */
export function Adjusted({ request, shown, onShow }: Props) {
  const [first, then] = (shown ?? 'mfb.hindsight').split('.')
  const [method, setMethod] = useState(first as GaugeMethod)
  const [mode, setMode] = useState(then as Mode)
  const { p, s, e } = request
  const found = useQuery(adjustmentQuery({ p, s, e, method, mode }))
  const key = `${method}.${mode}`
  const csv = useMutation({
    mutationFn: (asked: AdjustmentQuery) => adjustedCsv({ ...request, ...asked }),
    onSuccess: (blob, asked) => saveBlob(blob, `${asked.p}-ajuste-${asked.method}.${asked.mode}.csv`),
  })
  const change = (next: string) => {
    if (shown !== null) onShow(next)
  }
  return (
    <section className={classes.wide} aria-label={texts.adjusted}>
      <h3 className={classes.heading}>{texts.adjusted}</h3>
      <p className={classes.note}>{texts.adjustedLead}</p>
      <div className={classes.bar}>
        <NativeSelect
          label={texts.method}
          value={method}
          data={Object.entries(texts.methods)
            .filter(([value]) => value !== 'raw')
            .map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget }) => {
            setMethod(currentTarget.value as GaugeMethod)
            change(`${currentTarget.value}.${mode}`)
          }}
        />
        <Choice
          label={texts.mode}
          names={texts.modes}
          value={mode}
          onChange={(value) => {
            setMode(value)
            change(`${method}.${value}`)
          }}
        />
        <Choice
          label={texts.onMap}
          names={texts.shown}
          disabled={Date.parse(e) - Date.parse(s) > MAP_DAYS * 86_400_000}
          value={shown === null ? 'original' : 'adjusted'}
          onChange={(value) => onShow(value === 'original' ? null : key)}
        />
        <Button
          variant="default"
          disabled={!found.data}
          loading={csv.isPending}
          onClick={() => csv.mutate({ p, s, e, method, mode })}
        >
          {texts.adjustedCsv}
        </Button>
      </div>
      {csv.error && <Message kind="error">{genericErrorText(csv.error)}</Message>}
      {found.isFetching && <p role="status">{texts.adjusting}</p>}
      {found.error && !found.isFetching && <Message kind="error">{genericErrorText(found.error)}</Message>}
      {found.data && <About about={found.data} />}
    </section>
  )
}

const number = (value: number | null, digits: number) =>
  value === null ? texts.empty : formatNumberFr(value, digits)

function About({ about }: { about: GaugeAdjustment }) {
  const factors = about.frames.map(({ factor }) => factor)
  return (
    <>
      {factors.length > 0 && about.unchanged === null && (
        <p className={classes.note}>
          {texts.made(about.name, about.gauges, Math.min(...factors), Math.max(...factors))}
        </p>
      )}
      {about.notesFr.map((note) => (
        <Message key={note} kind="hint">
          {punctuated(note)}
        </Message>
      ))}
      {about.errors.length > 0 && (
        <Scrolled label={texts.errors}>
          <DataTable
            caption={texts.errors}
            head={texts.errorHead}
            rows={about.errors.map(({ method, pairs, biasPct, rmse, correlation }) => [
              texts.methods[method],
              biasPct === null ? texts.empty : formatQuantityFr(biasPct, '%', 0),
              number(rmse, 2),
              number(correlation, 2),
              String(pairs),
            ])}
          />
        </Scrolled>
      )}
      {about.frames.length > 1 && <Factors about={about} />}
    </>
  )
}

function Factors({ about }: { about: GaugeAdjustment }) {
  const theme = useChartTheme()
  const { timeZone } = useSite()
  const build = useCallback(
    (size: ChartSize) =>
      timeChart(
        {
          timeZone,
          series: [
            {
              name: texts.factor,
              unit: '',
              decimals: 2,
              kind: 'line',
              axis: 'left',
              points: about.frames.map(({ time, factor }) => ({ datetime: time, value: factor })),
            },
          ],
        },
        theme,
        size,
      ),
    [about, theme, timeZone],
  )
  return (
    <Figure label={texts.factors}>
      <Chart
        label={texts.factors}
        height={180}
        build={build}
        table={
          <DataTable
            caption={texts.factors}
            head={[texts.time, texts.factor]}
            rows={about.frames
              .slice(0, 500)
              .map(({ time, factor }) => [formatHourMinuteFr(time, timeZone), formatNumberFr(factor, 2)])}
          />
        }
      />
    </Figure>
  )
}
