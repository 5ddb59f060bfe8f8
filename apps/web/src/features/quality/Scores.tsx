import { NativeSelect } from '@mantine/core'
import { scoreChart } from '@radx/charts/score-chart'
import type { ChartSize } from '@radx/charts/theme'
import {
  longestGapMin,
  NOWCAST_CHANCES_MM_H,
  NOWCAST_LONGEST_MIN,
  type NowcastScores,
} from '@radx/contracts/nowcast'
import { countFr, formatNumberFr, MISSING_FR } from '@radx/locale/format-fr'
import { useCallback, useState } from 'react'
import { qualityTexts as texts } from '../../texts/forecast-quality.ts'
import { Chart } from '../../ui/Chart.tsx'
import { useChartTheme } from '../../ui/chart-theme.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Message } from '../../ui/Message.tsx'
import { Section } from '../../ui/Section.tsx'
import classes from './QualityScreen.module.css'

const parts = () => import('../../ui/chart-legend.ts')
const UNTIL_MIN = NOWCAST_LONGEST_MIN / 2
const short = (value: number) => formatNumberFr(value, 1, true)
const two = (value: number | null | undefined) => (value == null ? MISSING_FR : formatNumberFr(value, 2))
const three = (value: number | null | undefined) => (value == null ? MISSING_FR : formatNumberFr(value, 3))

/** Scores by lead against persistence, and how reliable probabilities were. */
export function Scores({ scores }: { scores: NowcastScores }) {
  const [threshold, setThreshold] = useState(1)
  const { thresholdsMmH, leads } = scores
  const at = Math.max(0, thresholdsMmH.indexOf(threshold))
  if (leads.length === 0) return <Message kind="nfo">{texts.none}</Message>
  return (
    <>
      <div>
        <p className={classes.figure}>{horizonWords(scores)}</p>
        <p className={classes.note}>
          {texts.frames(countFr(scores.frames, 'image'), scores.product.toUpperCase())}
        </p>
      </div>
      <div className={classes.bar}>
        <NativeSelect
          label={texts.threshold}
          value={String(threshold)}
          onChange={({ currentTarget }) => setThreshold(Number(currentTarget.value))}
          data={thresholdsMmH.map((value) => ({ value: String(value), label: texts.rate(short(value)) }))}
        />
      </div>
      <div className={classes.charts}>
        <CsiChart scores={scores} at={at} />
        <ReliabilityChart scores={scores} />
      </div>
      <ScoreTable scores={scores} at={at} />
    </>
  )
}

function horizonWords({ horizonMin: minutes, leads, thresholdsMmH }: NowcastScores): string {
  if (minutes === null) return texts.noHorizon
  if (minutes === 0) return texts.lost
  const at = thresholdsMmH.indexOf(1)
  const isLostLater = leads.some(
    ({ leadMin, forecast }) => leadMin > minutes && (forecast.csi[at] ?? 1) < 1 / Math.E,
  )
  return isLostLater ? texts.horizon(minutes) : texts.horizonAtLeast(minutes)
}

function CsiChart({ scores, at }: { scores: NowcastScores; at: number }) {
  const theme = useChartTheme()
  const build = useCallback(
    (size: ChartSize) => {
      const points = (method: 'forecast' | 'persistence') =>
        scores.leads.map((lead) => [lead.leadMin, lead[method].csi[at]] as const)
      const leadsMin = scores.leads.map(({ leadMin }) => leadMin)
      const isOne = scores.thresholdsMmH[at] === 1
      return scoreChart(
        {
          xName: texts.lead,
          yName: 'CSI',
          xMax: Math.max(...leadsMin),
          longestGap: longestGapMin(leadsMin),
          series: [
            { name: texts.forecast, points: points('forecast') },
            { name: texts.persistence, points: points('persistence'), dashed: true },
          ],
          ...(isOne && { limit: { name: texts.limit, value: 1 / Math.E } }),
        },
        theme,
        size,
      )
    },
    [scores, at, theme],
  )
  const rows = scores.leads.map(({ leadMin, forecast, persistence }) => [
    texts.minutes(leadMin),
    two(forecast.csi[at]),
    two(persistence.csi[at]),
  ])
  return (
    <div>
      <h2>{texts.csi}</h2>
      <Chart
        label={texts.csi}
        height={320}
        build={build}
        parts={parts}
        table={
          <DataTable caption={texts.csi} head={[texts.lead, texts.forecast, texts.persistence]} rows={rows} />
        }
      />
      <p className={classes.note}>{texts.csiHelp}</p>
    </div>
  )
}

function ReliabilityChart({ scores }: { scores: NowcastScores }) {
  const theme = useChartTheme()
  const build = useCallback(
    (size: ChartSize) =>
      scoreChart(
        {
          xName: texts.given,
          yName: texts.seen,
          xMax: 1,
          diagonal: true,
          series: scores.reliability.map(({ thresholdMmH, bins }) => ({
            name: texts.above(short(thresholdMmH)),
            points: bins.flatMap(({ given, seen }) => (given === null ? [] : [[given, seen] as const])),
          })),
        },
        theme,
        size,
      ),
    [scores, theme],
  )
  const rows = scores.reliability.flatMap(({ thresholdMmH, bins }) =>
    bins
      .filter(({ cells }) => cells > 0)
      .map(({ given, seen, cells }) => [
        `${texts.above(short(thresholdMmH))}, ${two(given)}`,
        two(seen),
        formatNumberFr(cells),
      ]),
  )
  return (
    <div>
      <h2>{texts.reliability}</h2>
      {rows.length === 0 ? (
        <p className={classes.note}>{texts.noMembers}</p>
      ) : (
        <>
          <Chart
            label={texts.reliability}
            height={320}
            build={build}
            parts={parts}
            table={
              <DataTable
                caption={texts.reliability}
                head={[texts.given, texts.seen, texts.cells]}
                rows={rows}
              />
            }
          />
          <p className={classes.note}>{texts.reliabilityHelp(UNTIL_MIN)}</p>
        </>
      )}
    </div>
  )
}

function ScoreTable({ scores, at }: { scores: NowcastScores; at: number }) {
  const rate = scores.thresholdsMmH[at]
  const chance = NOWCAST_CHANCES_MM_H.findIndex((value) => value >= rate)
  const rows = scores.leads.map(({ leadMin, forecast, persistence, brier }) => [
    texts.minutes(leadMin),
    two(forecast.csi[at]),
    two(persistence.csi[at]),
    two(forecast.pod[at]),
    two(forecast.far[at]),
    two(forecast.frequencyBias[at]),
    two(forecast.maeMmH),
    two(persistence.maeMmH),
    three(brier[chance]),
  ])
  // Not the heading's words alone: two landmarks of one name cannot be told apart.
  const label = `${texts.table}, ${texts.rate(short(rate))}`
  return (
    <Section title={texts.table}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by the keyboard */}
      <section className={classes.table} aria-label={label} tabIndex={0}>
        <DataTable
          caption={texts.rate(short(rate))}
          head={texts.head(short(NOWCAST_CHANCES_MM_H[chance] ?? rate))}
          rows={rows}
        />
      </section>
    </Section>
  )
}
