import { type SewerChartData, sewerChart, sewerCursor } from '@radx/charts/sewer-chart'
import type { ChartSize } from '@radx/charts/theme'
import { formatNumberFr } from '@radx/locale/format-fr'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useCallback, useMemo } from 'react'
import { setTime, useClock } from '../player/run/clock.ts'
import { sewerTexts as texts } from '../texts/sewer.ts'
import { Chart } from '../ui/Chart.tsx'
import { useChartTheme } from '../ui/chart-theme.ts'
import { SeriesTable } from '../ui/SeriesTable.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import classes from './Curves.module.css'
import { csvText, saveCsv } from './csv.ts'

interface Props {
  title: string
  /** Memoise it: a new one draws anew. */
  data: SewerChartData
  filename: string
  height?: number
  aside?: ReactNode
  /** More curves are on their way: the file would lack them. */
  pending?: boolean
}

/** Curves on the one clock: its moment is marked, a click goes to its own. */
export function Curves({ title, data, filename, height = 360, aside, pending = false }: Props) {
  const theme = useChartTheme()
  const timeS = useClock((clock) => clock.timeS)
  const build = useCallback((size: ChartSize) => sewerChart(data, theme, size), [data, theme])
  const patch = useMemo(() => sewerCursor(timeS / 60, theme, data.delta ? 2 : 1), [timeS, theme, data.delta])
  const columns = useMemo(() => [...data.curves, ...(data.delta ? [data.delta] : [])], [data])
  const table = useMemo(
    () => (
      <SeriesTable
        caption={title}
        head={[texts.minutes, ...columns.map(({ name }) => `${name} (${data.unit})`)]}
        count={data.timesS.length}
        row={(k) => [
          formatNumberFr(data.timesS[k] / 60, 1, true),
          ...columns.map(({ values }) => formatNumberFr(values[k], data.decimals)),
        ]}
        values={columns[0]?.values}
      />
    ),
    [data, columns, title],
  )
  const save = () =>
    saveCsv(
      csvText(
        [texts.csvColumns.time, ...columns.map(({ name }) => `${name} (${data.unit})`)],
        data.timesS.map((endS, k) => [endS, ...columns.map(({ values }) => values[k] ?? '')]),
      ),
      filename,
    )
  return (
    <section aria-label={title} aria-busy={pending} className={classes.root}>
      <header>
        <h3>{title}</h3>
        {aside}
        <TextButton onClick={save} disabled={pending}>
          <IconDownload size={16} stroke={1.75} aria-hidden /> {texts.csv}
        </TextButton>
      </header>
      <Chart
        label={title}
        height={height}
        build={build}
        patch={patch}
        onPick={(minute) => setTime(minute * 60)}
        table={table}
      />
    </section>
  )
}
