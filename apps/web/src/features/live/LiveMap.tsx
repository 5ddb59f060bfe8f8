import type { RadarImage } from '@radx/contracts/radar'
import { type RefObject, Suspense, useState } from 'react'
import { part } from '../../app/part.tsx'
import { useSite } from '../../app/site.ts'
import { IntensityLegend } from '../../map/controls/Legend.tsx'
import classes from '../../map/corners.module.css'
import type { RadxMap } from '../../map/createMap.ts'
import type { FrameCache } from '../../map/frames/FrameCache.ts'
import { RadarMap } from '../../map/RadarMap.tsx'
import { useReferenceParts } from '../../map/reference/parts.ts'
import { useHasQuality, useQualityFrames } from '../../map/useQualityFrames.ts'
import { extrasMayLoad } from '../../ui/load-order.ts'
import { useAhead } from './future/useAhead.ts'
import { useLiveGauges } from './state/gauges.ts'
import { currentImage, useLive } from './state/store.ts'

const later = <T,>(load: () => Promise<T>) => extrasMayLoad().then(load)
const Attribution = part(
  () => later(() => import('../../map/controls/Attribution.tsx')).then((m) => ({ default: m.Attribution })),
  'nothing',
)
const Geolocate = part(
  () => later(() => import('../../map/controls/Geolocate.tsx')).then((m) => ({ default: m.Geolocate })),
  'nothing',
)
const LiveButtons = part(() => later(() => import('./LiveButtons.tsx')), 'nothing')
const Scale = part(
  () => later(() => import('../../map/controls/Scale.tsx')).then((m) => ({ default: m.Scale })),
  'nothing',
)
const ForecastOnMap = part(() => later(() => import('./future/ForecastOnMap.tsx')), 'nothing')
const ProbabilityLegend = part(() => import('../../map/controls/ProbabilityLegend.tsx'), 'nothing')
const MapStatement = part(
  () => later(() => import('../../map/MapStatement.tsx')).then((m) => ({ default: m.MapStatement })),
  'nothing',
)
const QualityChoice = part(() => import('../../map/QualityChoice.tsx'), 'nothing')
const QualityLegend = part(() => import('../../map/controls/QualityLegend.tsx'), 'nothing')
const OwnLayers = part(() => later(() => import('./OwnLayers.tsx')), 'nothing')

const NO_IMAGES: readonly RadarImage[] = []

/** Beyond the horizon of skill rain is drawn as much paler. */
const BEYOND = 0.5

interface Props {
  store: FrameCache
  times: readonly string[]
  opacity: number
  stage: RefObject<HTMLElement | null>
  onMap: (map: RadxMap | null) => void
  onFirstFrame: () => void
}

/** The map with everything that lies on it; loaded apart, because the map library is large. */
export default function LiveMap({ store, times, opacity, stage, onMap, onFirstFrame }: Props) {
  const site = useSite()
  const image = useLive(currentImage)
  const ahead = useAhead()
  const playing = useLive((state) => state.playing)
  const reference = useReferenceParts()
  const gauges = useLiveGauges((state) => state.gauges)
  const hasQuality = useHasQuality(useLive((state) => state.data?.images ?? NO_IMAGES))
  const [wanted, setWanted] = useState(false)
  const quality = wanted && hasQuality && ahead === null
  const qualities = useQualityFrames(store.grid, times, quality)
  const seen = quality ? qualities.store : store
  return (
    <RadarMap
      store={ahead?.frames ?? seen}
      times={ahead?.times ?? times}
      time={ahead ? ahead.time : (image?.datetime ?? null)}
      opacity={ahead?.beyond ? opacity * BEYOND : opacity}
      palette={ahead && ahead.view !== 'rain' ? 'probability' : quality ? 'quality' : 'intensity'}
      forecast={ahead !== null}
      reference={reference}
      onMap={onMap}
      onFirstFrame={onFirstFrame}
      {...site.map}
    >
      <Suspense>{ahead === null && <MapStatement image={image} playing={playing} />}</Suspense>
      <Suspense>
        <ForecastOnMap ahead={ahead} playing={playing} />
      </Suspense>
      <div className={classes.topLeft}>
        <Suspense>
          <Geolocate />
        </Suspense>
        {gauges && (
          <Suspense>
            <OwnLayers gauges={gauges} />
          </Suspense>
        )}
        {hasQuality && ahead === null && (
          <Suspense>
            <QualityChoice on={wanted} onChange={setWanted} />
          </Suspense>
        )}
      </div>
      <div className={classes.topRight}>
        <Suspense>
          <LiveButtons store={seen} {...{ stage, times, quality, opacity }} />
        </Suspense>
      </div>
      <div className={classes.bottomLeft}>
        {ahead && ahead.view !== 'rain' ? (
          <Suspense>
            <ProbabilityLegend above={ahead.view} />
          </Suspense>
        ) : quality ? (
          <Suspense>
            <QualityLegend />
          </Suspense>
        ) : (
          <IntensityLegend />
        )}
        <Suspense>
          <Scale />
        </Suspense>
      </div>
      <div className={classes.bottomRight}>
        <Suspense>
          <Attribution />
        </Suspense>
      </div>
    </RadarMap>
  )
}
