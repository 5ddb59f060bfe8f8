import { aboveInstrument } from '@radx/charts/rain-charts'
import type { ChartSize, ChartTheme } from '@radx/charts/theme'
import { MRR_PERIOD_MAX_DAYS } from '@radx/contracts/constants'
import type { MrrPeriod } from '@radx/contracts/mrr'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { callJson } from '../../../app/api/client.ts'
import { genericErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { MapMarker } from '../../../map/controls/MapMarker.tsx'
import { type GraphData, TimeGraph } from '../../../player/TimeGraph.tsx'
import { analysisTexts } from '../../../texts/analysis.ts'
import { Message } from '../../../ui/Message.tsx'
import { Section } from '../../../ui/Section.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import classes from './MicroRainRadar.module.css'
import { ProfilePicture } from './ProfilePicture.tsx'
import { useArchive } from './store.ts'

const texts = analysisTexts.mrr
const HEIGHT = 132

interface Period {
  s: string
  e: string
}

const isTooLong = ({ s, e }: Period) => Date.parse(e) - Date.parse(s) > MRR_PERIOD_MAX_DAYS * 86_400_000

/** The instrument's profiles over the period, asked for once the map has its first image. */
function usePeriod(product: string, { s, e }: Period) {
  const { microRainRadar } = useSite()
  const ready = useArchive((state) => state.layersCreated)
  return useQuery({
    queryKey: ['mrr', 'period', product, s, e],
    queryFn: ({ signal }) => callJson<MrrPeriod>('/api/mrr/period', { query: { p: product, s, e }, signal }),
    enabled: microRainRadar !== null && ready && !isTooLong({ s, e }),
  })
}

interface Props {
  product: string
  period: Period
  range: { start: string; end: string }
  margins: { left: number; right: number }
  gaps: readonly { start: string; end: string }[]
  current: string | null
  onPick: (instantMs: number) => void
}

/**
 * What the micro rain radar saw above itself, and below it the radar's pixel there, on the clock of the other
 * graphs. Nothing for a period in which it measured nothing.
 */
export function MicroRainRadar({ product, period, range, margins, gaps, current, onPick }: Props) {
  const { microRainRadar } = useSite()
  const { data, error, refetch } = usePeriod(product, period)
  const instrument = useMemo(() => {
    if (!data) return null
    const name = texts.rate(formatQuantityFr(data.rateHeightM, 'm', 0))
    return { name, points: withGaps(data) }
  }, [data])
  const build = useCallback(
    (given: GraphData, theme: ChartTheme, size: ChartSize) =>
      aboveInstrument({ ...given, instrument: instrument ?? { name: '', points: [] } }, theme, size),
    [instrument],
  )
  if (microRainRadar !== null && isTooLong(period))
    return (
      <Section title={texts.title}>
        <p className={classes.note}>{analysisTexts.mrrTooLong(MRR_PERIOD_MAX_DAYS)}</p>
      </Section>
    )
  if (error)
    return (
      <Section title={texts.title}>
        <Message
          kind="error"
          action={<TextButton onClick={() => void refetch()}>{analysisTexts.retry}</TextButton>}
        >
          {genericErrorText(error)}
        </Message>
      </Section>
    )
  if (!data || data.columns.length === 0) return null
  const { radarPixel, radarData } = data.pixel
  const dry = !data.columns.some(({ lwc }) => lwc.some((value) => (value ?? 0) > 0))
  const nothingSeen = dry && radarPixel !== null && !radarData.some(({ value }) => (value ?? 0) > 0)
  return (
    <>
      <Section title={texts.title}>
        {dry ? (
          <p className={classes.note}>
            {texts.dry(formatQuantityFr(measuredShare(data, range), '%', 0))}
            {nothingSeen && ` ${texts.pixelDry}`}
          </p>
        ) : (
          <ProfilePicture period={data} range={range} margins={margins} current={current} onPick={onPick} />
        )}
      </Section>
      {radarPixel === null ? (
        <p className={classes.note}>{texts.outside}</p>
      ) : nothingSeen ? null : (
        <TimeGraph
          title={texts.pixel}
          unit="mm/h"
          decimals={2}
          height={HEIGHT}
          build={build}
          points={radarData}
          gaps={gaps}
          margins={margins}
          range={range}
          current={current}
          onPick={onPick}
        />
      )}
    </>
  )
}

/** How much of the range has columns, %. */
function measuredShare({ columns, columnSeconds }: MrrPeriod, range: Props['range']): number {
  const seconds = (Date.parse(range.end) - Date.parse(range.start)) / 1000
  return Math.min(100, Math.floor((100 * columns.length * columnSeconds) / Math.max(1, seconds)))
}

/** Rates of the columns; where columns are missing the line is broken. */
function withGaps({ columns, columnSeconds }: MrrPeriod) {
  return columns.flatMap(({ datetime, rateMmH }, i) => {
    const point = { datetime, value: rateMmH }
    const before = columns[i - 1]
    const joined = before && Date.parse(datetime) - Date.parse(before.datetime) <= columnSeconds * 1000
    return before === undefined || joined ? [point] : [{ datetime: before.datetime, value: null }, point]
  })
}

/** Where the instrument stands, when it measured in the period. */
export function InstrumentMarker({ product, period }: { product: string; period: Period }) {
  const { microRainRadar } = useSite()
  const { data } = usePeriod(product, period)
  if (microRainRadar === null || !data || data.columns.length === 0) return null
  return (
    <MapMarker position={microRainRadar.position}>
      <div className={classes.marker} title={`${texts.title} (${microRainRadar.name})`} />
    </MapMarker>
  )
}
