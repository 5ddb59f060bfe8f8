import { useMemo, useRef } from 'react'
import { useColorScheme } from '../app/color-scheme.ts'
import { Attribution } from '../map/controls/Attribution.tsx'
import { MapButtons } from '../map/controls/MapButtons.tsx'
import { Scale } from '../map/controls/Scale.tsx'
import corners from '../map/corners.module.css'
import { RadarMap } from '../map/RadarMap.tsx'
import { useReferenceParts } from '../map/reference/parts.ts'
import { REFERENCE_PARTS, type ReferenceParts } from '../map/reference/ReferenceOverlay.ts'
import { tileZoom } from '../map/zoom.ts'
import type { TownOf } from '../town/api.ts'
import { TownGround } from '../town/TownGround.tsx'
import { boundsOf } from './features.ts'
import { HoverMark } from './HoverMark.tsx'
import { MapLegend } from './MapLegend.tsx'
import { MapPopup } from './MapPopup.tsx'
import { NetworkLayers } from './NetworkLayers.tsx'
import classes from './NetworkMap.module.css'
import type { SewerNetwork } from './network.ts'
import type { Analysis } from './selection.ts'

/** Zooms in tiles of 256 px: from the region down to a street with its manholes. */
const ZOOM = { min: 9, max: 20 } as const
const NO_TIMES: readonly string[] = []
const NO_PARTS = Object.fromEntries(REFERENCE_PARTS.map((part) => [part, false])) as ReferenceParts

interface Props {
  /** Ground below; none without. */
  town?: TownOf
  network: SewerNetwork
  analysis: Analysis
  /** Names of the chosen nodes or links. */
  names: readonly string[]
  /** Names of the nodes of the closed path. */
  path: readonly string[]
  onPick: (name: string) => void
  /** A subcatchment. */
  onPickArea?: (name: string) => void
  /** Places are of no known plane: no map of the world below, and no scale. */
  plane?: boolean
}

/** The network on the map: nodes and links as layers, what is under the pointer in a pop-up. */
export function NetworkMap({
  town,
  network,
  analysis,
  names,
  path,
  onPick,
  onPickArea,
  plane = false,
}: Props) {
  const parts = useReferenceParts()
  const reference = plane ? NO_PARTS : parts
  const dark = useColorScheme() === 'dark'
  const stage = useRef<HTMLDivElement>(null)
  const bounds = useMemo(() => boundsOf(network), [network])
  if (bounds === null) return null
  const [[west, south], [east, north]] = bounds
  return (
    <div ref={stage} className={classes.root} data-testid="network-map" data-scheme={dark ? 'dark' : 'light'}>
      <RadarMap
        withoutRain
        store={null}
        time={null}
        times={NO_TIMES}
        opacity={100}
        reference={reference}
        plane={plane}
        center={{ lng: (west + east) / 2, lat: (south + north) / 2 }}
        zoom={tileZoom(14)}
        minZoom={ZOOM.min}
        maxZoom={ZOOM.max}
      >
        {town && <TownGround town={town} />}
        <HoverMark network={network} />
        <MapPopup network={network} />
        <div className={corners.topRight}>
          <MapButtons stage={stage} />
        </div>
        <div className={corners.bottomLeft}>
          <MapLegend network={network} />
          {!plane && <Scale />}
        </div>
        <div className={corners.bottomRight}>{!plane && <Attribution />}</div>
        {/* Last: it moves the map, and the controls above have to hear of it. */}
        <NetworkLayers
          network={network}
          bounds={bounds}
          analysis={analysis}
          names={names}
          path={path}
          onPick={onPick}
          onPickArea={onPickArea}
        />
      </RadarMap>
    </div>
  )
}
