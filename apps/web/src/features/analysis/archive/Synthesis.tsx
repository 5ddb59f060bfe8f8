import { durationFr } from '@radx/charts/depth-duration-chart'
import type { PeriodQuality, Product } from '@radx/contracts/radar'
import type { LatLng } from '@radx/contracts/site'
import type { RarePlace } from '@radx/contracts/storms'
import { formatDuration } from '@radx/locale/duration'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { rarestDepth } from '@radx/rainfall/storms/rarest'
import { type ReactNode, useMemo } from 'react'
import { useSite } from '../../../app/site.ts'
import type { Gauges, GaugeTotals } from '../../../gauges/useGauges.ts'
import { MethodSwitch } from '../../../player/MethodSwitch.tsx'
import { shownTotals, useRainMethod } from '../../../player/rain-method.ts'
import type { Selection } from '../../../selection/selection.ts'
import { periodText, placeText } from '../../../selection/sentence.ts'
import { analysisTexts } from '../../../texts/analysis.ts'
import { qualityTexts } from '../../../texts/quality-of-rain.ts'
import { Quantity } from '../../../ui/Quantity.tsx'
import { Section } from '../../../ui/Section.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import type { ExportRequest } from '../exports/request.ts'
import { ratedGauges, useRarePlaces, useTables } from '../rarity/useRarity.ts'
import classes from './Synthesis.module.css'
import { useArchive, useTotals } from './store.ts'
import { summarise } from './summary.ts'

const texts = analysisTexts.synthesis

interface Props {
  product: Product
  selection: Selection
  period: { s: string; e: string }
  nameOf: (key: string) => string
  gauges: Gauges
  /** Goes to an image, and on the map to a place. */
  onShow: (index: number, at: LatLng | null) => void
}

const placeFr = ({ lat, lng }: LatLng) => `${formatNumberFr(lat, 4)} N, ${formatNumberFr(lng, 4)} E`

/** What the period amounts to. */
export function Synthesis({ product, selection, period, nameOf, gauges, onShow }: Props) {
  const { timeZone } = useSite()
  const images = useArchive((state) => state.images)
  const shown = useTotals()
  const cumulated = shown?.totals ?? null
  const wanted = useRainMethod((state) => state.method)
  const every = useArchive((state) => state.every)
  const quality = useArchive((state) => state.cumulated?.quality)
  const summary = useMemo(
    () => (cumulated === null ? null : summarise({ images, cumulated, every }, period)),
    [images, cumulated, every, period],
  )
  const rarity = useRarity({ selection, period }, gauges)
  if (summary === null) return null
  const { max } = summary
  const place = placeText(selection, nameOf)
  const count = gauges.list.length
  const rows: [string, ReactNode][] = [
    [texts.product, product.longName],
    [texts.place, place ?? texts.zone],
    [texts.period, periodText(period.s, period.e, timeZone)],
    [texts.duration, formatDuration(Date.parse(period.e) - Date.parse(period.s))],
    [texts.frames, formatNumberFr(summary.frames)],
    [texts.missing, <Quantity key="q" value={summary.missingShare * 100} unit="%" decimals={1} />],
    [texts.mean, <Quantity key="q" value={summary.meanMmH} unit="mm/h" decimals={2} />],
    [texts.rmoyen, <Quantity key="q" value={summary.rmoyenMmH} unit="mm/h" decimals={2} />],
    [
      texts.max,
      max === null ? (
        texts.dry
      ) : (
        <>
          <Quantity value={max.valueMmH} unit="mm/h" decimals={1} />{' '}
          <span className={classes.detail}>
            {texts.maxAt(formatDateTimeFr(max.datetime, timeZone), max.at ? placeFr(max.at) : '')}
          </span>{' '}
          <TextButton className={classes.show} onClick={() => onShow(max.index, max.at)}>
            {texts.showMax}
          </TextButton>
        </>
      ),
    ],
    [
      texts.zoneMm,
      <>
        <Quantity value={summary.zoneMm} unit="mm" decimals={2} /> {qualityWords(quality?.zone)}
      </>,
    ],
    ...(place === null
      ? []
      : [
          [
            texts.catchmentMm(place),
            <>
              <Quantity value={summary.catchmentMm} unit="mm" decimals={2} />{' '}
              {qualityWords(quality?.catchment)} {rarity.basin}
            </>,
          ] as [string, ReactNode],
        ]),
    ...gauges.list.map(({ point, data }, i): [string, ReactNode] => [
      texts.gauge(count - i, placeFr(point.posCenter)),
      <>
        <Quantity
          value={data === null ? null : shownTotals<GaugeTotals>(data, wanted).totals.cumulMm.at(-1)}
          unit="mm"
          decimals={2}
        />{' '}
        {data && rarity.gauge(point.pos)}
      </>,
    ]),
  ]
  return (
    <Section title={texts.title}>
      <dl className={classes.list} data-testid="synthesis">
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {shown && <MethodSwitch shown={shown.method} />}
    </Section>
  )
}

/** How far a total can be trusted; nothing where nobody knows. */
function qualityWords(quality: PeriodQuality | null | undefined) {
  if (!quality) return null
  const mean = formatNumberFr(quality.mean, 2)
  const words =
    quality.share < 0.995
      ? qualityTexts.besidePart(mean, formatNumberFr(100 * quality.share, 0))
      : qualityTexts.beside(mean)
  return <span className={classes.detail}>({words})</span>
}

/** How rare the depths behind the cumuls are, in words, by the table that the reader chose below. */
function useRarity(request: ExportRequest, gauges: Gauges) {
  const { chosen } = useTables()
  const points = ratedGauges(gauges)
  const { found } = useRarePlaces(request, points, chosen?.id)
  const places = found.data?.places ?? []
  const pixels = places.filter(({ kind }) => kind === 'pixel')
  const words = (place: RarePlace | undefined) => {
    const depth = place && rarestDepth(place)
    if (!depth) return null
    return (
      <span className={classes.detail}>
        {texts.rarity(depth.period.label, durationFr(depth.durationMin), chosen?.name ?? '')}
      </span>
    )
  }
  return {
    basin: words(places[0]?.kind === 'zone' ? places[0] : undefined),
    gauge: (at: LatLng) => words(pixels[points.indexOf(at)]),
  }
}
