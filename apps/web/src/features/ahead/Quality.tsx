import { scoreChart } from '@radx/charts/score-chart'
import type { ChartSize } from '@radx/charts/theme'
import type { AheadScores } from '@radx/contracts/ahead'
import { formatNumberFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useAuth } from '../../app/auth/store.ts'
import { aheadTexts as texts } from '../../texts/ahead.ts'
import { Chart } from '../../ui/Chart.tsx'
import { useChartTheme } from '../../ui/chart-theme.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Section } from '../../ui/Section.tsx'
import classes from './AheadScreen.module.css'
import { scoresQuery } from './api.ts'

const SHOWN_MIN = 30

/** How good the forecasts of the last month were. */
export function Quality({ id }: { id: string }) {
  const [nowMs] = useState(Date.now)
  const from = useAuth(({ restriction }) => restriction?.start ?? null)
  const { data } = useQuery(scoresQuery(id, nowMs, from === null ? 0 : Date.parse(from)))
  if (!data) return null
  const known = data.leads.filter(({ cycles }) => cycles > 0)
  const shown = known.find(({ leadMin }) => leadMin === SHOWN_MIN)
  return (
    <Section title={texts.quality}>
      {known.length === 0 && <p className={classes.note}>{texts.qualityNone}</p>}
      <dl className={classes.scores}>
        {known.map(({ leadMin, cycles, brierSkill }) => (
          <div key={leadMin}>
            <dt>{texts.qualityLead(leadMin)}</dt>
            <dd>{texts.qualityOf(cycles, brierSkill)}</dd>
          </div>
        ))}
      </dl>
      {shown && <Reliability lead={shown} />}
    </Section>
  )
}

function Reliability({ lead: { reliability } }: { lead: AheadScores['leads'][number] }) {
  const theme = useChartTheme()
  const build = useCallback(
    (size: ChartSize) =>
      scoreChart(
        {
          ...{ xName: texts.forecastShare, yName: texts.observedShare, xMax: 1, diagonal: true },
          series: [
            {
              name: texts.reliability,
              points: reliability.map(({ forecast, observed }) => [forecast, observed] as const),
            },
          ],
        },
        theme,
        size,
      ),
    [reliability, theme],
  )
  const table = (
    <DataTable
      caption={texts.reliability}
      head={[texts.forecastShare, texts.observedShare]}
      rows={reliability.map(({ forecast, observed }) => [
        formatNumberFr(forecast, 2),
        formatNumberFr(observed, 2),
      ])}
    />
  )
  return <Chart label={texts.reliability} height={260} build={build} table={table} />
}
