import { NativeSelect } from '@mantine/core'
import { MAP_TILE_ZOOM } from '@radx/contracts/constants'
import { NOWCAST_CHANCES_MM_H } from '@radx/contracts/nowcast'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { genericErrorText } from '../../app/api/errors.ts'
import { useSite } from '../../app/site.ts'
import { Attribution } from '../../map/controls/Attribution.tsx'
import { IntensityLegend } from '../../map/controls/Legend.tsx'
import ProbabilityLegend from '../../map/controls/ProbabilityLegend.tsx'
import { Scale } from '../../map/controls/Scale.tsx'
import corners from '../../map/corners.module.css'
import { FrameCache } from '../../map/frames/FrameCache.ts'
import { packRuns } from '../../map/frames/packbits.ts'
import { RadarMap } from '../../map/RadarMap.tsx'
import { useReferenceParts } from '../../map/reference/parts.ts'
import { qualityTexts as texts } from '../../texts/forecast-quality.ts'
import { futureTexts } from '../../texts/future.ts'
import { Message } from '../../ui/Message.tsx'
import { chancesQuery, nearestPicture, type Picture, type Replay } from './api.ts'
import classes from './QualityScreen.module.css'

/** Or the rain, mm/h, whose probability is shown. */
type Shown = 'forecast' | 'seen' | (typeof NOWCAST_CHANCES_MM_H)[number]

/** A forecast made again on the map, lead by lead, and what came in its place. */
export default function ReplayMap({ replay }: { replay: Replay }) {
  const site = useSite()
  const reference = useReferenceParts()
  const [lead, setLead] = useState(0)
  const [shown, setShown] = useState<Shown>('forecast')
  const { about, forecast, seen } = replay
  const product = site.products.find(({ shortName }) => shortName === about.product)
  const above = typeof shown === 'number' ? shown : null
  const chances = useQuery(chancesQuery(about.issued ?? '', above))
  const pictures = shown === 'forecast' ? forecast : shown === 'seen' ? seen : (chances.data ?? NONE)
  const cache = useMemo(() => product && cacheOf(product, pictures), [product, pictures])
  if (!product || !cache || about.issued === null) return null
  const atMs = Date.parse(forecast[lead].time)
  const picture = nearestPicture(pictures, atMs, shown === 'seen' ? undefined : 1000)
  const minutes = Math.round((atMs - Date.parse(about.issued)) / 60_000)
  const words = `${texts.leadIs(minutes)}, ${formatDateTimeFr(atMs, site.timeZone)}`
  return (
    <section aria-label={texts.onMap} className={classes.replayMap}>
      <div className={classes.bar}>
        <label className={classes.lead}>
          <span>{words}</span>
          <input
            type="range"
            min={0}
            max={forecast.length - 1}
            value={lead}
            aria-valuetext={words}
            onChange={({ currentTarget }) => setLead(Number(currentTarget.value))}
          />
        </label>
        <NativeSelect
          label={texts.look}
          value={String(shown)}
          onChange={({ currentTarget: { value } }) => setShown(shownOf(value))}
          data={[
            { value: 'forecast', label: texts.forecastOf },
            { value: 'seen', label: texts.seenOf },
            ...NOWCAST_CHANCES_MM_H.map((mmH) => ({
              value: String(mmH),
              label: futureTexts.views.chance(formatNumberFr(mmH, 1, true)),
            })),
          ]}
        />
      </div>
      {picture === null && shown === 'seen' && <p className={classes.note}>{texts.notSeen}</p>}
      {above !== null && chances.isPending && <p role="status">{texts.replaying}</p>}
      {above !== null && lead === 0 && <p className={classes.note}>{texts.noChanceYet}</p>}
      {above !== null && chances.error && <Message kind="error">{genericErrorText(chances.error)}</Message>}
      <div className={classes.map}>
        <RadarMap
          store={cache}
          time={picture?.time ?? null}
          times={timesOf(pictures)}
          palette={above === null ? 'intensity' : 'probability'}
          opacity={90}
          forecast={shown !== 'seen' && lead > 0}
          reference={reference}
          center={site.map.center}
          zoom={site.map.zoom}
          minZoom={MAP_TILE_ZOOM.min}
          maxZoom={MAP_TILE_ZOOM.max}
        >
          <div className={corners.bottomLeft}>
            {above === null ? <IntensityLegend /> : <ProbabilityLegend above={above} />}
            <Scale />
          </div>
          <div className={corners.bottomRight}>
            <Attribution />
          </div>
        </RadarMap>
      </div>
    </section>
  )
}

const NONE: readonly Picture[] = []
const shownOf = (value: string): Shown =>
  NOWCAST_CHANCES_MM_H.find((mmH) => String(mmH) === value) ?? (value === 'seen' ? 'seen' : 'forecast')
const timesOf = (pictures: readonly Picture[]) => pictures.map(({ time }) => time)

function cacheOf(
  { shortName, bounds, steps }: { shortName: string; bounds: FrameCache['grid']['bounds']; steps: number },
  pictures: readonly Picture[],
): FrameCache {
  const cache = new FrameCache({ product: shortName, bounds, steps })
  cache.add(pictures.map(({ time, block }) => ({ time, packed: packRuns(block) })))
  return cache
}
