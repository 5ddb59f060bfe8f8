import { MAP_TILE_ZOOM } from '@radx/contracts/constants'
import type { ComparedGauge, GaugeComparison } from '@radx/contracts/gauges'
import type { LatLng } from '@radx/contracts/site'
import { formatNumberFr } from '@radx/locale/format-fr'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useSite } from '../../../app/site.ts'
import { useRadxMap } from '../../../map/context.ts'
import { Attribution } from '../../../map/controls/Attribution.tsx'
import { MapMarker } from '../../../map/controls/MapMarker.tsx'
import { Scale } from '../../../map/controls/Scale.tsx'
import corners from '../../../map/corners.module.css'
import { useOnMap } from '../../../map/layers.ts'
import { latOfMercatorY, toMercator } from '../../../map/mercator.ts'
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
  const view = useMemo(() => viewOf(found.gauges) ?? site.map, [found, site])
  return (
    <section ref={stage} className={classes.map} aria-label={texts.ratioMap}>
      <RadarMap
        withoutRain
        store={null}
        time={null}
        times={NO_TIMES}
        opacity={100}
        reference={reference}
        center={view.center}
        zoom={view.zoom}
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

const ratioText = (ratio: number | null | undefined) =>
  ratio == null ? texts.empty : formatNumberFr(ratio, 2)

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
        aria-pressed={id === chosen}
        aria-label={texts.badge(name, ratioText(depth?.ratio))}
        title={name}
        onClick={(event) => {
          event.stopPropagation()
          onChoose(id)
        }}
      >
        {ratioText(depth?.ratio)}
      </button>
    </MapMarker>
  ))
}

/** Room for the badges between scale and attribution, CSS pixels; a phone's width. */
const ROOM = { width: 250, height: 190 }
const NEAREST_ZOOM = 12

/** Where and how near all gauges are seen; null of none. */
function viewOf(gauges: readonly ComparedGauge[]): { center: LatLng; zoom: number } | null {
  const inside = gauges.filter(({ state }) => state !== 'outside')
  const places = (inside.length > 0 ? inside : gauges).map(({ position }) => toMercator(position))
  if (places.length === 0) return null
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)]
  const range = (values: number[]) => [Math.min(...values), Math.max(...values)] as const
  const [[west, east], [north, south]] = [range(xs), range(ys)]
  const fits = Math.min(ROOM.width / (east - west), ROOM.height / (south - north))
  const zoom = Math.floor(Math.log2(fits / 256))
  return {
    center: { lat: latOfMercatorY((north + south) / 2), lng: ((west + east) / 2) * 360 - 180 },
    zoom: Math.max(MAP_TILE_ZOOM.min, Math.min(NEAREST_ZOOM, zoom)),
  }
}
