import type { CatchmentCollection } from '@radx/contracts/catchments'
import { MAP_TILE_ZOOM } from '@radx/contracts/constants'
import { useRef } from 'react'
import { useSite } from '../app/site.ts'
import { CatchmentLayer } from '../map/CatchmentLayer.tsx'
import { Attribution } from '../map/controls/Attribution.tsx'
import { MapButtons } from '../map/controls/MapButtons.tsx'
import { Scale } from '../map/controls/Scale.tsx'
import classes from '../map/corners.module.css'
import { RadarMap } from '../map/RadarMap.tsx'
import { useReferenceParts } from '../map/reference/parts.ts'
import { selectionTexts as texts } from '../texts/selection.ts'

interface Props {
  collection: CatchmentCollection
  catchment: string | null
  subcatchment: string | null
  onChoose: (catchment: string, subcatchment: string | null) => void
}

const NO_TIMES: readonly string[] = []

/** Where the basins lie; a click on one chooses it. */
export default function CatchmentMap(props: Props) {
  const site = useSite()
  const reference = useReferenceParts()
  const stage = useRef<HTMLElement>(null)
  return (
    <section ref={stage} aria-label={texts.map} style={{ height: '100%', '--bar-height': '-16px' }}>
      <RadarMap
        withoutRain
        store={null}
        time={null}
        times={NO_TIMES}
        opacity={100}
        reference={reference}
        center={site.map.center}
        zoom={site.map.zoom}
        minZoom={MAP_TILE_ZOOM.min}
        maxZoom={MAP_TILE_ZOOM.max}
      >
        <CatchmentLayer {...props} />
        <div className={classes.topRight}>
          <MapButtons stage={stage} />
        </div>
        <div className={`${classes.bottomLeft} ${classes.stacked}`}>
          <Scale />
          <Attribution />
        </div>
      </RadarMap>
    </section>
  )
}
