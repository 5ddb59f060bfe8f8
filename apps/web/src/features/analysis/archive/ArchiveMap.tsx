import type { CatchmentCollection } from '@radx/contracts/catchments'
import { MAP_TILE_ZOOM } from '@radx/contracts/constants'
import { type RefObject, Suspense, useMemo, useState } from 'react'
import { part } from '../../../app/part.tsx'
import { useSite } from '../../../app/site.ts'
import { GaugeLayer } from '../../../gauges/GaugeLayer.tsx'
import type { Gauges } from '../../../gauges/useGauges.ts'
import { CatchmentLayer } from '../../../map/CatchmentLayer.tsx'
import { Attribution } from '../../../map/controls/Attribution.tsx'
import { CumulLegend } from '../../../map/controls/CumulLegend.tsx'
import { IntensityLegend } from '../../../map/controls/Legend.tsx'
import { MapButtons } from '../../../map/controls/MapButtons.tsx'
import { Scale } from '../../../map/controls/Scale.tsx'
import corners from '../../../map/corners.module.css'
import type { RadxMap } from '../../../map/createMap.ts'
import type { Frames } from '../../../map/frames/useFrames.ts'
import { MapStatement, TotalStatement } from '../../../map/MapStatement.tsx'
import { RadarMap } from '../../../map/RadarMap.tsx'
import { useReferenceParts } from '../../../map/reference/parts.ts'
import { ShapeLayers } from '../../../map/shapes/ShapeLayers.tsx'
import type { AccumulationMap } from '../../../map/useAccumulation.ts'
import { useHasQuality, useQualityFrames } from '../../../map/useQualityFrames.ts'
import type { Selection } from '../../../selection/selection.ts'
import { analysisTexts as texts } from '../../../texts/analysis.ts'
import classes from './ArchiveMap.module.css'
import { InstrumentMarker } from './MicroRainRadar.tsx'
import { ShareArchive } from './ShareArchive.tsx'
import { currentImage, useArchive, useTotals } from './store.ts'

const QualityChoice = part(() => import('../../../map/QualityChoice.tsx'), 'nothing')
const QualityLegend = part(() => import('../../../map/controls/QualityLegend.tsx'), 'nothing')

interface Props {
  product: string
  period: { s: string; e: string }
  frames: Frames
  accumulation: AccumulationMap
  times: readonly string[]
  /** Seconds of the request, of which each image is the first. */
  step: number | null
  opacity: number
  catchments: CatchmentCollection
  selection: Selection
  gauges: Gauges
  stage: RefObject<HTMLElement | null>
  cumul: boolean
  onCumul: (cumul: boolean) => void
  onMap: (map: RadxMap | null) => void
}

/** The archive's map: its frames, or their accumulation. */
export default function ArchiveMap(props: Props) {
  const { frames, accumulation, times, opacity, catchments, selection, gauges, stage, cumul, onCumul } = props
  const site = useSite()
  const image = useArchive(currentImage)
  const playing = useArchive((state) => state.playing)
  const zoneMm = useTotals()?.totals.zoneMm.at(-1) ?? null
  const reference = useReferenceParts()
  const total = cumul ? accumulation.store : null
  const hasQuality = useHasQuality(useArchive((state) => state.images))
  const [wanted, setWanted] = useState(false)
  const quality = wanted && hasQuality && total === null
  const qualities = useQualityFrames(frames.store.grid, times, quality, props.step)
  const totalTimes = useMemo(() => [accumulation.time], [accumulation.time])
  return (
    <RadarMap
      store={total ?? (quality ? qualities.store : frames.store)}
      times={total ? totalTimes : times}
      time={total ? accumulation.time : (image?.datetime ?? null)}
      palette={total ? 'accumulation' : quality ? 'quality' : 'intensity'}
      opacity={opacity}
      reference={reference}
      onMap={props.onMap}
      center={site.map.center}
      zoom={site.map.zoom}
      minZoom={MAP_TILE_ZOOM.min}
      maxZoom={MAP_TILE_ZOOM.max}
    >
      {total ? (
        <TotalStatement {...props.period} zoneMm={zoneMm} />
      ) : (
        <MapStatement image={image} playing={playing} />
      )}
      <CatchmentLayer
        collection={catchments}
        catchment={selection.catchment}
        subcatchment={selection.subcatchment}
      />
      <GaugeLayer gauges={gauges} current={image?.datetime ?? null} />
      <InstrumentMarker product={props.product} period={props.period} />
      <div className={corners.topLeft}>
        <fieldset className={classes.view}>
          <legend className="rx-visually-hidden">{texts.view.label}</legend>
          {([false, true] as const).map((value) => (
            <label key={String(value)}>
              <input type="radio" name="view" checked={cumul === value} onChange={() => onCumul(value)} />
              {value ? texts.view.cumul : texts.view.intensity}
            </label>
          ))}
        </fieldset>
        <ShapeLayers />
        {hasQuality && total === null && (
          <Suspense>
            <QualityChoice on={wanted} onChange={setWanted} />
          </Suspense>
        )}
      </div>
      <div className={corners.topRight}>
        <MapButtons stage={stage} />
        <ShareArchive
          frames={quality ? qualities.store : frames.store}
          {...{ times, opacity, quality }}
          period={props.period}
          cumul={total !== null}
        />
      </div>
      <div className={corners.bottomLeft}>
        <Suspense>
          {total ? <CumulLegend {...props.period} /> : quality ? <QualityLegend /> : <IntensityLegend />}
        </Suspense>
        <Scale />
      </div>
      <div className={corners.bottomRight}>
        <Attribution />
      </div>
    </RadarMap>
  )
}
