import type { GridPlace } from '@radx/contracts/flood'
import { IconFocusCentered, IconZoomScan } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useRef } from 'react'
import { useRadxMap } from '../map/context.ts'
import { Attribution } from '../map/controls/Attribution.tsx'
import { ButtonGroup } from '../map/controls/ButtonGroup.tsx'
import { MapButtons } from '../map/controls/MapButtons.tsx'
import { Scale } from '../map/controls/Scale.tsx'
import corners from '../map/corners.module.css'
import type { RadxMap } from '../map/createMap.ts'
import type { FrameCache } from '../map/frames/FrameCache.ts'
import { RadarMap } from '../map/RadarMap.tsx'
import type { ReferenceParts } from '../map/reference/ReferenceOverlay.ts'
import { townTexts as texts } from '../texts/town.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { type TownOf, townQuery } from './api.ts'
import { type Bounds, boundsOfPlace, FIT_PX } from './bounds.ts'
import { TownGround } from './TownGround.tsx'
import classes from './TownMap.module.css'

interface Props {
  /** What the map shows, for assistive technology. */
  label: string
  town: TownOf
  /** The grid that fills the map at first. */
  place: GridPlace
  /** Where something differs, to go to; null where nothing does, left out where nothing is compared. */
  change?: Bounds | null
  className?: string
  /** Where the map stands at first; the whole grid without. */
  start?: { lng: number; lat: number; zoom: number } | null
  /** Layers over the ground, and what lies on the map. */
  children?: ReactNode
  /** More buttons beside those of the zoom. */
  buttons?: ReactNode
  /** Over the scale. */
  legend?: ReactNode
  /** What the map shows is on its way. */
  busy?: boolean
  /** Rain behind what stands on the ground: frames, the one that is shown, and how strong, 0 to 100. */
  rain?: {
    store: FrameCache
    time: string | null
    times: readonly string[]
    opacity: number
    forecast?: boolean
  } | null
  onMap?: (radx: RadxMap | null) => void
}

const NO_TIMES: readonly string[] = []
/** A town from afar, and a cell of 10 m some 30 px wide. */
const ZOOM = { min: 9, max: 20 } as const
/** What is drawn for a region says nothing in a town: only its name helps. */
const REFERENCE: ReferenceParts = { rings: false, towns: true, rivers: false, bounds: false }

/** A town's ground with what stands on it: depths, differences, pipes. */
export function TownMap(props: Props) {
  const {
    label,
    town,
    place,
    change,
    className = classes.map,
    start,
    children,
    buttons,
    legend,
    rain,
  } = props
  const stage = useRef<HTMLDivElement>(null)
  const bounds = useMemo(() => boundsOfPlace(place), [place])
  const { data: ground } = useQuery(townQuery(town))
  const begin = useRef({ start, bounds, onMap: props.onMap })
  const onMap = useCallback((radx: RadxMap | null) => {
    const { start: at, bounds: whole, onMap: tell } = begin.current
    if (radx && at) radx.map.jumpTo({ center: [at.lng, at.lat], zoom: at.zoom })
    else radx?.map.fitBounds(whole, { padding: FIT_PX, duration: 0 })
    tell?.(radx)
  }, [])
  const [[west, south], [east, north]] = bounds
  return (
    <section ref={stage} className={className} aria-label={label} aria-busy={props.busy}>
      <RadarMap
        withoutRain={rain === undefined}
        store={rain?.store ?? null}
        time={rain?.time ?? null}
        times={rain?.times ?? NO_TIMES}
        opacity={rain?.opacity ?? 0}
        forecast={rain?.forecast}
        reference={REFERENCE}
        center={{ lat: (south + north) / 2, lng: (west + east) / 2 }}
        zoom={13}
        minZoom={ZOOM.min}
        maxZoom={ZOOM.max}
        onMap={onMap}
      >
        <TownGround town={town} />
        {children}
        <div className={corners.topRight}>
          <MapButtons stage={stage} />
          <FitButtons bounds={bounds} change={change} />
          {buttons}
        </div>
        <div className={corners.bottomLeft}>
          {legend}
          <Scale />
        </div>
        <div className={corners.bottomRight}>
          <Attribution also={ground?.attribution} />
        </div>
      </RadarMap>
    </section>
  )
}

function FitButtons({ bounds, change }: { bounds: Bounds; change?: Bounds | null }) {
  const { map } = useRadxMap()
  const go = (to: Bounds) => {
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    map.fitBounds(to, { padding: FIT_PX, duration: still ? 0 : 500, maxZoom: 17 })
  }
  return (
    <ButtonGroup below>
      <IconButton label={texts.fitCatchment} tip="left" onClick={() => go(bounds)}>
        <IconFocusCentered size={18} stroke={1.75} />
      </IconButton>
      {change !== undefined && (
        <IconButton
          label={texts.fitChange}
          tip="left"
          disabled={change === null}
          onClick={() => change && go(change)}
        >
          <IconZoomScan size={18} stroke={1.75} />
        </IconButton>
      )}
    </ButtonGroup>
  )
}
