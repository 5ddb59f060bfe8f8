import { IconFocusCentered } from '@tabler/icons-react'
import { useEffect, useMemo, useRef } from 'react'
import { useColorScheme } from '../../../app/color-scheme.ts'
import { useSite } from '../../../app/site.ts'
import { useRadxMap } from '../../../map/context.ts'
import { Attribution } from '../../../map/controls/Attribution.tsx'
import { ButtonGroup } from '../../../map/controls/ButtonGroup.tsx'
import { MapButtons } from '../../../map/controls/MapButtons.tsx'
import { Scale } from '../../../map/controls/Scale.tsx'
import corners from '../../../map/corners.module.css'
import { RadarMap } from '../../../map/RadarMap.tsx'
import type { ReferenceParts } from '../../../map/reference/ReferenceOverlay.ts'
import { type BuilderScreenStep, builderTexts as texts } from '../../../texts/builder.ts'
import { townTexts } from '../../../texts/town.ts'
import { cellsOf, type TownGrid } from '../../../town/api.ts'
import { type Bounds, boundsOfPlace } from '../../../town/bounds.ts'
import { Ground } from '../../../town/TownGround.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import classes from '../Builder.module.css'
import { useBuilder } from '../useBuilder.ts'
import { DrawingTools } from './DrawingTools.tsx'
import { DrawnOutline } from './DrawnOutline.tsx'
import { heightPicture } from './height-picture.ts'
import { PreviewLayers } from './PreviewLayers.tsx'

const ZOOM = { min: 5, max: 20 } as const
const NO_TIMES: readonly string[] = []
const REFERENCE: ReferenceParts = { rings: false, towns: true, rivers: true, bounds: false }
const FIT_PX = 32
/** How near a place is shown that somebody asks for. */
const MARK_ZOOM = 17

interface Props {
  step: BuilderScreenStep
  /** A preview is being made. */
  busy: boolean
}

/** What the steps make so far, on the map of the world. */
export default function BuilderMap({ step, busy }: Props) {
  const { preview } = useBuilder()
  const site = useSite()
  const stage = useRef<HTMLDivElement>(null)
  const town = useMemo(() => townOf(preview), [preview])
  const scheme = useColorScheme()
  const isTerrain = step === 'terrain'
  const land = useMemo(
    () => (isTerrain && town ? heightPicture(town, scheme) : undefined),
    [isTerrain, town, scheme],
  )
  const place = preview?.grid?.place
  const bounds = useMemo(() => (place ? boundsOfPlace(place) : null), [place])
  const { lat, lng } = site.map.center
  return (
    <section ref={stage} className={classes.map} aria-label={texts.preview.map} aria-busy={busy}>
      <RadarMap
        withoutRain
        store={null}
        time={null}
        times={NO_TIMES}
        opacity={0}
        reference={REFERENCE}
        center={{ lat, lng }}
        zoom={11}
        minZoom={ZOOM.min}
        maxZoom={ZOOM.max}
      >
        <Ground town={town} name={`builder ${nameOf(town)}`} land={land} />
        {preview && <PreviewLayers preview={preview} withOutline={town === undefined} />}
        <DrawnOutline />
        <Whereabouts bounds={bounds} />
        <DrawingTools />
        <div className={corners.topRight}>
          <MapButtons stage={stage} />
          {bounds && <FitButton bounds={bounds} />}
        </div>
        <div className={corners.bottomLeft}>
          <Scale />
        </div>
        <div className={corners.bottomRight}>
          <Attribution also={town?.attribution} />
        </div>
      </RadarMap>
    </section>
  )
}

/** Of each ground its own number, for what is made of it. */
const names = new WeakMap<TownGrid, number>()
let named = 0
function nameOf(town: TownGrid | undefined): number {
  if (town === undefined) return 0
  const known = names.get(town) ?? ++named
  names.set(town, known)
  return known
}

function townOf(preview: ReturnType<typeof useBuilder>['preview']): TownGrid | undefined {
  if (!preview?.town || preview.cells === null) return undefined
  const bytes = Uint8Array.from(atob(preview.cells), (letter) => letter.charCodeAt(0))
  return { ...preview.town, ...cellsOf(preview.town, bytes.buffer) }
}

/** Goes where the grid lies when that changes, and to a place that is pointed out. */
function Whereabouts({ bounds }: { bounds: Bounds | null }) {
  const { map, flyTo } = useRadxMap()
  const { mark } = useBuilder()
  const at = bounds === null ? '' : JSON.stringify(bounds)
  useEffect(() => {
    if (at !== '') map.fitBounds(JSON.parse(at) as Bounds, { padding: FIT_PX, duration: 0 })
  }, [map, at])
  useEffect(() => {
    if (mark) flyTo({ lng: mark[0], lat: mark[1] }, MARK_ZOOM)
  }, [flyTo, mark])
  return null
}

function FitButton({ bounds }: { bounds: Bounds }) {
  const { map } = useRadxMap()
  return (
    <ButtonGroup below>
      <IconButton
        label={townTexts.fitCatchment}
        tip="left"
        onClick={() => map.fitBounds(bounds, { padding: FIT_PX, duration: 0 })}
      >
        <IconFocusCentered size={18} stroke={1.75} />
      </IconButton>
    </ButtonGroup>
  )
}
