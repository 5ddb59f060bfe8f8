import { MAP_TILE_ZOOM } from '@radx/contracts/constants'
import type { ComparedGauge, GaugeComparison } from '@radx/contracts/gauges'
import { formatNumberFr } from '@radx/locale/format-fr'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useSite } from '../../../app/site.ts'
import { useRadxMap } from '../../../map/context.ts'
import { Attribution } from '../../../map/controls/Attribution.tsx'
import { MapMarker } from '../../../map/controls/MapMarker.tsx'
import { Scale } from '../../../map/controls/Scale.tsx'
import corners from '../../../map/corners.module.css'
import { useOnMap } from '../../../map/layers.ts'
import { RadarMap } from '../../../map/RadarMap.tsx'
import { useReferenceParts } from '../../../map/reference/parts.ts'
import { gaugeComparisonTexts as texts } from '../../../texts/gauge-comparison.ts'
import classes from './GaugeComparison.module.css'
import { kindOf } from './ratios.ts'
import { spreadApart } from './spread.ts'

const NO_TIMES: readonly string[] = []

interface Props {
  found: GaugeComparison
  chosen: string | null
  onChoose: (id: string) => void
}

/** Ratios where the gauges stand; a click chooses one. */
export default function RatioMap({ found, chosen, onChoose }: Props) {
  const site = useSite()
  const reference = useReferenceParts()
  const stage = useRef<HTMLElement>(null)
  const center = useMemo(() => middleOf(found.gauges) ?? site.map.center, [found, site])
  return (
    <section ref={stage} className={classes.map} aria-label={texts.ratioMap}>
      <RadarMap
        store={null}
        time={null}
        times={NO_TIMES}
        opacity={100}
        reference={reference}
        center={center}
        zoom={site.map.zoom}
        minZoom={MAP_TILE_ZOOM.min}
        maxZoom={MAP_TILE_ZOOM.max}
      >
        <Badges found={found} chosen={chosen} onChoose={onChoose} />
        <div className={corners.bottomLeft}>
          <Scale />
        </div>
        <div className={corners.bottomRight}>
          <Attribution />
        </div>
      </RadarMap>
    </section>
  )
}

/** Ratios where their gauges stand, apart from each other; one that had to make room is tied to its gauge. */
function Badges({ found, chosen, onChoose }: Props) {
  const { map } = useRadxMap()
  const [down, setDown] = useState<readonly number[]>([])
  const place = useCallback(() => {
    const spots = found.gauges.map(({ position: { lat, lng } }) => map.project([lng, lat]))
    const next = spreadApart(spots).map(Math.round)
    setDown((before) => (before.join() === next.join() ? before : next))
  }, [map, found])
  useOnMap(place)
  return found.gauges.map(({ id, name, position, depth }, k) => (
    <MapMarker key={id} position={position} anchor="center">
      {(down[k] ?? 0) !== 0 && (
        <span
          className={classes.tie}
          style={{ height: Math.abs(down[k]), top: down[k] > 0 ? '50%' : `calc(50% + ${down[k]}px)` }}
          aria-hidden
        />
      )}
      <button
        type="button"
        className={classes.ratio}
        style={{ translate: `0 ${down[k] ?? 0}px` }}
        data-kind={kindOf(depth?.ratio)}
        data-chosen={id === chosen || undefined}
        title={name}
        onClick={(event) => {
          event.stopPropagation()
          onChoose(id)
        }}
      >
        {depth?.ratio == null ? texts.empty : formatNumberFr(depth.ratio, 2)}
      </button>
    </MapMarker>
  ))
}

function middleOf(gauges: readonly ComparedGauge[]): { lat: number; lng: number } | null {
  if (gauges.length === 0) return null
  const mean = (of: (gauge: ComparedGauge) => number) =>
    gauges.reduce((sum, gauge) => sum + of(gauge), 0) / gauges.length
  return { lat: mean(({ position }) => position.lat), lng: mean(({ position }) => position.lng) }
}
