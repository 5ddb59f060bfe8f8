import type { GridPlace } from '@radx/contracts/flood'
import { type ReactNode, useCallback, useMemo, useRef } from 'react'
import { Attribution } from '../../../../map/controls/Attribution.tsx'
import { MapButtons } from '../../../../map/controls/MapButtons.tsx'
import { Scale } from '../../../../map/controls/Scale.tsx'
import corners from '../../../../map/corners.module.css'
import type { RadxMap } from '../../../../map/createMap.ts'
import { GridLayer } from '../../../../map/GridLayer.tsx'
import { RadarMap } from '../../../../map/RadarMap.tsx'
import type { ReferenceParts } from '../../../../map/reference/ReferenceOverlay.ts'
import classes from './Depth.module.css'
import type { GridPicture } from './paint.ts'

interface Props {
  /** What the map shows, for assistive technology. */
  label: string
  place: GridPlace
  picture: GridPicture
  /** 0 to 1. */
  opacity: number
  onPick: (cell: { row: number; col: number }) => void
  /** On the lower edge of the map. */
  children?: ReactNode
}

const NO_TIMES: readonly string[] = []
/** A town from afar, and a cell of 10 m some 30 px wide. */
const ZOOM = { min: 9, max: 19 } as const
/** What is drawn for a region says nothing in a town: only its name helps. */
const REFERENCE: ReferenceParts = { rings: false, towns: true, rivers: false, bounds: false }

/** A grid of a run on the real map. */
export default function GridMap({ label, place, picture, opacity, onPick, children }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const bounds = useMemo(() => boundsOf(place), [place])
  const fit = useCallback(
    (radx: RadxMap | null) => {
      radx?.map.fitBounds([bounds.west, bounds.south, bounds.east, bounds.north], {
        padding: 24,
        duration: 0,
      })
    },
    [bounds],
  )
  return (
    <section ref={stage} className={classes.map} aria-label={label}>
      <RadarMap
        store={null}
        time={null}
        times={NO_TIMES}
        opacity={0}
        reference={REFERENCE}
        center={{ lat: (bounds.south + bounds.north) / 2, lng: (bounds.west + bounds.east) / 2 }}
        zoom={13}
        minZoom={ZOOM.min}
        maxZoom={ZOOM.max}
        onMap={fit}
      >
        <GridLayer
          id="radx-depth"
          picture={picture}
          corners={place.corners}
          opacity={opacity}
          onPick={onPick}
        />
        <div className={corners.topRight}>
          <MapButtons stage={stage} />
        </div>
        <div className={corners.bottomLeft}>
          <Scale />
        </div>
        <div className={corners.bottomRight}>
          <Attribution />
        </div>
        {children}
      </RadarMap>
    </section>
  )
}

function boundsOf({ corners: { sw, se, ne, nw } }: GridPlace) {
  const all = [sw, se, ne, nw]
  const lngs = all.map(([lng]) => lng)
  const lats = all.map(([, lat]) => lat)
  return {
    west: Math.min(...lngs),
    south: Math.min(...lats),
    east: Math.max(...lngs),
    north: Math.max(...lats),
  }
}
