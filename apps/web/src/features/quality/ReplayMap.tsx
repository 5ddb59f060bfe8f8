import { SegmentedControl } from '@mantine/core'
import { MAP_TILE_ZOOM } from '@radx/contracts/constants'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useMemo, useState } from 'react'
import { useSite } from '../../app/site.ts'
import { Attribution } from '../../map/controls/Attribution.tsx'
import { Scale } from '../../map/controls/Scale.tsx'
import corners from '../../map/corners.module.css'
import { FrameCache } from '../../map/frames/FrameCache.ts'
import { packRuns } from '../../map/frames/packbits.ts'
import { RadarMap } from '../../map/RadarMap.tsx'
import { useReferenceParts } from '../../map/reference/parts.ts'
import { qualityTexts as texts } from '../../texts/forecast-quality.ts'
import { nearestPicture, type Picture, type Replay } from './api.ts'
import classes from './QualityScreen.module.css'

type Shown = 'forecast' | 'seen'

/** A forecast made again on the map, lead by lead, and what came in its place. */
export default function ReplayMap({ replay }: { replay: Replay }) {
  const site = useSite()
  const reference = useReferenceParts()
  const [lead, setLead] = useState(0)
  const [shown, setShown] = useState<Shown>('forecast')
  const { about, forecast, seen } = replay
  const product = site.products.find(({ shortName }) => shortName === about.product)
  const caches = useMemo(
    () => product && { forecast: cacheOf(product, forecast), seen: cacheOf(product, seen) },
    [product, forecast, seen],
  )
  if (!product || !caches || about.issued === null) return null
  const atMs = Date.parse(forecast[lead].time)
  const picture = shown === 'forecast' ? forecast[lead] : nearestPicture(seen, atMs)
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
        <SegmentedControl
          aria-label={texts.onMap}
          value={shown}
          onChange={(value) => setShown(value as Shown)}
          data={[
            { value: 'forecast', label: texts.forecastOf },
            { value: 'seen', label: texts.seenOf },
          ]}
        />
      </div>
      {picture === null && <p className={classes.note}>{texts.notSeen}</p>}
      <div className={classes.map}>
        <RadarMap
          store={caches[shown]}
          time={picture?.time ?? null}
          times={timesOf(shown === 'forecast' ? forecast : seen)}
          opacity={90}
          forecast={shown === 'forecast' && lead > 0}
          reference={reference}
          center={site.map.center}
          zoom={site.map.zoom}
          minZoom={MAP_TILE_ZOOM.min}
          maxZoom={MAP_TILE_ZOOM.max}
        >
          <div className={corners.bottomLeft}>
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

const timesOf = (pictures: readonly Picture[]) => pictures.map(({ time }) => time)

function cacheOf(
  { shortName, bounds, steps }: { shortName: string; bounds: FrameCache['grid']['bounds']; steps: number },
  pictures: readonly Picture[],
): FrameCache {
  const cache = new FrameCache({ product: shortName, bounds, steps })
  cache.add(pictures.map(({ time, block }) => ({ time, packed: packRuns(block) })))
  return cache
}
