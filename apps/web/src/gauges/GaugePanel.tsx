import { CUMUL_NAMES, pixelHyetogram } from '@radx/charts/rain-charts'
import type { ChartSize } from '@radx/charts/theme'
import { cursorAt, type TimePoint } from '@radx/charts/time-chart'
import type { PixelResponse, RainMethod } from '@radx/contracts/radar'
import { formatDateTimeFr, formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useCallback, useMemo } from 'react'
import { genericErrorText } from '../app/api/errors.ts'
import { isManager, useAuth } from '../app/auth/store.ts'
import { useSite } from '../app/site.ts'
import { MethodSwitch } from '../player/MethodSwitch.tsx'
import { shownTotals, useRainMethod } from '../player/rain-method.ts'
import { gaugeTexts as texts } from '../texts/gauges.ts'
import { playerTexts } from '../texts/player.ts'
import { Chart } from '../ui/Chart.tsx'
import { useChartTheme } from '../ui/chart-theme.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Message } from '../ui/Message.tsx'
import { Quantity } from '../ui/Quantity.tsx'
import { Section } from '../ui/Section.tsx'
import { SeriesTable } from '../ui/SeriesTable.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import classes from './Gauges.module.css'
import type { Gauge, Gauges, GaugeTotals } from './useGauges.ts'

const HEIGHT = 132

interface Props {
  gauges: Gauges
  /** Instant on the map. */
  current: string | null
  onPick: (instantMs: number) => void
  /** Seconds of the period, to tell how much of it was missing. */
  periodSeconds: number
  gaps?: readonly { start: string; end: string }[]
  /** Fixed room beside the plots, px. */
  margins?: { left: number; right: number }
  /** Moments at the ends of the axes; by default those of the data. */
  range?: { start: string; end: string }
  /** Beside a gauge's total, e.g. its graph as an image. */
  aside?: (gauge: Gauge, number: number) => ReactNode
}

/** Pixel rain gauges of a signed-in user, newest first; without any, how to place one. */
export function GaugePanel({ gauges, aside, ...common }: Props) {
  const manager = useAuth(isManager)
  const count = gauges.list.length
  return (
    <Section title={texts.title}>
      {count === 0 && <Message kind="hint">{manager ? texts.hintManager : texts.hint}</Message>}
      {gauges.list.map((gauge, i) => (
        <GaugeView
          key={`${gauge.point.pos.lat} ${gauge.point.pos.lng}`}
          gauge={gauge}
          number={count - i}
          {...common}
          onRemove={() => gauges.remove(gauge.point)}
          aside={aside?.(gauge, count - i)}
        />
      ))}
    </Section>
  )
}

interface ViewProps extends Omit<Props, 'gauges' | 'aside'> {
  gauge: Gauge
  number: number
  onRemove: () => void
  aside?: ReactNode
}

function GaugeView({ gauge, number, periodSeconds, onRemove, aside, ...common }: ViewProps) {
  const theme = useChartTheme()
  const { point, data, error } = gauge
  const place = `${formatNumberFr(point.posCenter.lat, 4)} N, ${formatNumberFr(point.posCenter.lng, 4)} E`
  const wanted = useRainMethod((state) => state.method)
  const shown = data === null ? null : shownTotals<GaugeTotals>(data, wanted)
  const share = shown === null || periodSeconds <= 0 ? 0 : shown.totals.missingSeconds / periodSeconds
  return (
    <section
      className={classes.gauge}
      aria-label={texts.name(number)}
      style={{ '--gauge': theme.gauges[point.color] }}
      data-testid="gauge"
      data-color={point.color}
    >
      <div className={classes.top}>
        <h3>
          <span className={classes.badge} aria-hidden>
            {number}
          </span>
          <span className="rx-visually-hidden">{texts.name(number)}</span>
          <span className={classes.place}>{place}</span>
        </h3>
        <div className={classes.total}>
          <span>
            <span className="rx-unit">{texts.cumul} </span>
            <Quantity value={shown?.totals.cumulMm.at(-1)} unit="mm" decimals={2} />
          </span>
          {aside}
          <IconButton label={texts.remove(number)} tip="left" size={28} onClick={onRemove}>
            <IconX size={16} stroke={1.75} />
          </IconButton>
        </div>
      </div>
      {error !== null && (
        <Message kind="error" action={<TextButton onClick={gauge.retry}>{texts.retry}</TextButton>}>
          {genericErrorText(error)}
        </Message>
      )}
      {data === null && error === null && <div className={classes.loading} aria-busy />}
      {data !== null && data.radarPixel === null && <p className={classes.note}>{texts.outsideProduct}</p>}
      {data !== null && shown !== null && data.radarPixel !== null && (
        <GaugeGraph data={data} {...shown} color={point.color} number={number} {...common} />
      )}
      {shown !== null && data?.radarPixel && <MethodSwitch shown={shown.method} />}
      {share >= 0.005 && (
        <p className={classes.note}>{texts.missing(formatQuantityFr(share * 100, '%', 0))}</p>
      )}
    </section>
  )
}

interface GraphProps extends Pick<Props, 'current' | 'onPick' | 'gaps' | 'margins' | 'range'> {
  data: PixelResponse
  totals: GaugeTotals
  method: RainMethod
  color: number
  number: number
}

function GaugeGraph({
  data,
  totals,
  method,
  color,
  number,
  current,
  onPick,
  gaps,
  margins,
  range,
}: GraphProps) {
  const { timeZone } = useSite()
  const theme = useChartTheme()
  const cumulMm = useMemo<TimePoint[]>(
    () => data.radarData.map(({ datetime }, i) => ({ datetime, value: totals.cumulMm[i] ?? null })),
    [data, totals],
  )
  const build = useCallback(
    (size: ChartSize) =>
      pixelHyetogram(
        { points: data.radarData, cumulMm, method, color, timeZone, gaps, margins, range },
        theme,
        size,
      ),
    [data, cumulMm, method, color, timeZone, gaps, margins, range, theme],
  )
  const patch = useMemo(() => cursorAt(current, theme), [current, theme])
  const table = useMemo(
    () => (
      <SeriesTable
        caption={texts.name(number)}
        head={[playerTexts.instant, `${playerTexts.value} (mm/h)`, `${CUMUL_NAMES[method]} (mm)`]}
        count={data.radarData.length}
        row={(k) => [
          formatDateTimeFr(data.radarData[k].datetime, timeZone),
          formatQuantityFr(data.radarData[k].value, 'mm/h', 2),
          formatQuantityFr(totals.cumulMm[k], 'mm', 2),
        ]}
        values={data.radarData.map(({ value }) => value)}
      />
    ),
    [data, totals, method, number, timeZone],
  )
  return (
    <Chart
      label={texts.name(number)}
      height={HEIGHT}
      build={build}
      patch={patch}
      onPick={onPick}
      table={table}
    />
  )
}
