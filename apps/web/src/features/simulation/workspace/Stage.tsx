import type { GridPlace } from '@radx/contracts/flood'
import { IconCube, IconRulerMeasure, IconTimeline } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useCallback, useEffect, useRef } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import { part } from '../../../app/part.tsx'
import { ButtonGroup } from '../../../map/controls/ButtonGroup.tsx'
import type { RadxMap } from '../../../map/createMap.ts'
import { GridLayer } from '../../../map/GridLayer.tsx'
import { useClock } from '../../../player/run/clock.ts'
import { formatElapsed } from '../../../player/run/elapsed.ts'
import { depthTexts } from '../../../texts/flood.ts'
import { townTexts } from '../../../texts/town.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import type { TownGrid } from '../../../town/api.ts'
import { boundsOfPlace, FIT_PX } from '../../../town/bounds.ts'
import { TownMap } from '../../../town/TownMap.tsx'
import { WaterFrom } from '../../../town/WaterFrom.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Message } from '../../../ui/Message.tsx'
import { type SimulationJob, townOfRun } from '../api.ts'
import { DownloadButton } from '../parts/DownloadButton.tsx'
import { depthFramesQuery } from '../result/depth/api.ts'
import { useReference } from '../result/reference/useReference.ts'
import { followsClock } from './address.ts'
import { CompareWith } from './CompareWith.tsx'
import { withEnds } from './ends.ts'
import { LandAreas, StreetAreas } from './LandAreas.tsx'
import { Layers } from './Layers.tsx'
import { BandLegend, SewerLegend } from './Legend.tsx'
import { NowLayer } from './NowLayer.tsx'
import { type Drawing, Picking, placeOfPick } from './Picking.tsx'
import { isUniform, RAIN_BANDS, RainLayer, RainLegend } from './Rain.tsx'
import { SEWER_LINKS, type Sewer, SewerOverlay, sewerWanted, useSewer } from './SewerOverlay.tsx'
import { ShareRun } from './ShareRun.tsx'
import { useProfileInSight } from './useProfileInSight.ts'
import { useReturn } from './useReturn.ts'
import { useShown } from './useShown.ts'
import { useWorkspace } from './useWorkspace.ts'
import classes from './Workspace.module.css'

const TownScene = part(() => import('./scene/TownScene.tsx'))

interface Props {
  job: SimulationJob
  town: TownGrid | undefined
  hasNetwork: boolean
  drawing: Drawing | null
  setDrawing: (drawing: Drawing | null) => void
}

/** A map that has moved is in the address once it stands, ms. */
const SETTLE_MS = 300
/** A place that is gone to is seen with its street. */
const NEAR_ZOOM = 15.5
/** Where what is chosen covers the lower part of the map, and how much of its height; see Workspace.module.css. */
const SHEET = '(max-width: 61.99em) and (min-height: 31.25em), (max-width: 39.99em)'
const SHEET_SHARE = 0.55

/** The town with one layer of water, the network over it, and what was clicked. */
export function Stage({ job, town, hasNetwork, drawing, setDrawing }: Props) {
  const { layer, network, picks, profile, pick, view, scene, go } = useWorkspace()
  /** What is clicked next is a junction, which has to be seen. */
  const ofNetwork = drawing === 'profile' || drawing === 'through'
  const sewer = useSewer(job, hasNetwork && (ofNetwork || sewerWanted({ network, picks, profile })))
  const frames = useQuery(depthFramesQuery(job.id))
  const place = frames.data?.place ?? town?.place
  const reference = useReference(job.id)
  const { radx, keepView } = useView(place, sewer)
  const shown = useShown(job, place, reference.id)
  return (
    <div className={classes.stage}>
      {scene && town ? (
        <Suspense fallback={<p className={classes.wait}>{texts.loading}</p>}>
          <TownScene {...{ job, town, sewer }} water={shown.water} picture={shown.picture} />
        </Suspense>
      ) : place && !scene ? (
        <TownMap
          label={texts.map}
          town={townOfRun(job)}
          place={place}
          change={shown.change}
          busy={shown.pending}
          className={classes.map}
          start={view}
          onMap={keepView}
          buttons={
            <ButtonGroup below>
              <Tool of="line" {...{ drawing, setDrawing }}>
                <IconRulerMeasure size={18} stroke={1.75} />
              </Tool>
              {hasNetwork && (
                <Tool of="profile" {...{ drawing, setDrawing }}>
                  <IconTimeline size={18} stroke={1.75} />
                </Tool>
              )}
              <IconButton
                label={texts.toScene}
                tip="left"
                onClick={() => {
                  setDrawing(null)
                  go({ scene: true })
                }}
              >
                <IconCube size={18} stroke={1.75} />
              </IconButton>
              <ShareRun
                {...{ job, place }}
                timesS={frames.data?.timesS}
                title={shown.title}
                isNow={followsClock(layer)}
                bands={layer === 'pluie' ? RAIN_BANDS : shown.bands}
                water={shown.water}
                waterBands={shown.waterBands}
              />
            </ButtonGroup>
          }
        >
          {(network || ofNetwork) && <SewerOverlay {...{ job, sewer }} now={followsClock(layer)} />}
          {layer === 'instant' ? (
            <NowLayer
              key={layer}
              overTime={{ of: 'depth', jobId: job.id, timesS: frames.data?.timesS }}
              place={place}
              classes={shown.water}
              below={SEWER_LINKS}
            />
          ) : layer === 'pluie' ? (
            <RainLayer key={layer} job={job} town={town} place={place} below={SEWER_LINKS} />
          ) : (
            shown.picture && (
              <GridLayer
                key={layer}
                id="radx-depth"
                picture={shown.picture}
                corners={place.corners}
                opacity={0.9}
                below={SEWER_LINKS}
              />
            )
          )}
          <Picking
            place={place}
            network={network || ofNetwork ? sewer.network : undefined}
            picks={picks}
            drawing={drawing}
            onPick={(one) => {
              setDrawing(null)
              pick(one)
            }}
            onProfile={(ends) => {
              setDrawing(null)
              go(({ picks: before }) => ({
                picks: withEnds(before, ends),
                network: true,
                profile: true,
                through: '',
              }))
            }}
            onThrough={(through) => {
              setDrawing(null)
              go({ through })
            }}
          />
        </TownMap>
      ) : (
        <p className={classes.wait} role="status" aria-busy={!frames.error}>
          {frames.error ? genericErrorText(frames.error) : texts.loading}
        </p>
      )}
      {drawing && (
        <p className={classes.drawHelp} role="status">
          {drawing === 'line'
            ? texts.drawHelp
            : !sewer.network
              ? texts.networkComes
              : drawing === 'through'
                ? texts.throughHelp
                : texts.profileDrawHelp}
        </p>
      )}
      {layer === 'ecart' && reference.id === '' && (
        <div className={classes.notice}>
          <Message kind="warning">{texts.noReference}</Message>
        </div>
      )}
      {scene && layer === 'pluie' && (
        <div className={classes.notice}>
          <Message kind="nfo">{texts.rainOnMap}</Message>
        </div>
      )}
      {shown.error !== null && (
        <div className={classes.notice}>
          <Message kind="error">{genericErrorText(shown.error)}</Message>
        </div>
      )}
      <Layers compared={reference.id !== ''} hasNetwork={hasNetwork}>
        {(layer === 'maximum' || layer === 'instant') && <WaterFrom />}
        {layer === 'instant' ? (
          <NowLegend bands={shown.bands} />
        ) : layer === 'pluie' ? (
          <RainLegend job={job} />
        ) : (
          shown.bands.length > 0 && <BandLegend title={shown.title} bands={shown.bands} />
        )}
        {network && <SewerLegend now={followsClock(layer)} nodes={!scene} />}
        <CompareWith jobId={job.id} />
        <div className={classes.files}>
          {layer === 'ecart' && (
            <DownloadButton
              path={`/api/multihydro/file/${job.id}/max-depth.tif?reference=${reference.id}`}
              filename="ecart-hauteur-maximale.tif"
              label={depthTexts.tiff}
              describe={texts.tiffOf(texts.layerNames.ecart)}
            />
          )}
          {(layer === 'instant' || layer === 'pluie') && <MomentFile job={job} layer={layer} />}
          {shown.map && (
            <DownloadButton
              path={`/api/multihydro/file/${job.id}/map/${shown.map}/geotiff`}
              filename={`${shown.map}.tif`}
              label={depthTexts.tiff}
              describe={texts.tiffOf(texts.layerNames[layer])}
            />
          )}
          <DownloadButton
            path={`/api/multihydro/file/${job.id}/geopackage`}
            filename="simulation.gpkg"
            label={texts.geoPackage}
            describe={texts.geoPackageHelp}
          />
        </div>
        {layer === 'maximum' && town && <LandAreas jobId={job.id} town={town} />}
        {layer === 'maximum' && !shown.pending && <StreetAreas jobId={job.id} />}
      </Layers>
      <span className="rx-visually-hidden" role="status">
        {radx && shown.title}
      </span>
    </div>
  )
}

interface ToolProps {
  of: keyof typeof texts.draw
  drawing: Drawing | null
  setDrawing: (drawing: Drawing | null) => void
  children: ReactNode
}

/** Two clicks on the map that mean something together. */
function Tool({ of, drawing, setDrawing, children }: ToolProps) {
  const on = drawing === of
  return (
    <IconButton
      label={on ? texts.endDrawing[of] : texts.draw[of]}
      tip="left"
      aria-pressed={on}
      variant={on ? 'filled' : undefined}
      onClick={() => setDrawing(on ? null : of)}
    >
      {children}
    </IconButton>
  )
}

/** What the cells have at the moment of the clock, as a file; rain that is the same everywhere is none. */
function MomentFile({ job, layer }: { job: SimulationJob; layer: 'instant' | 'pluie' }) {
  const at = useClock(({ timeS }) => Math.round(timeS))
  if (layer === 'pluie' && isUniform(job)) return null
  const [frames, name] = layer === 'pluie' ? ['rain', 'pluie'] : ['depth', 'hauteur']
  return (
    <DownloadButton
      path={`/api/multihydro/file/${job.id}/${frames}/geotiff?at=${at}`}
      filename={`${name}-${at}s.tif`}
      label={depthTexts.tiff}
      describe={texts.tiffOf(texts.layerNames[layer])}
    />
  )
}

/** The legend's title moves with the clock. */
function NowLegend({ bands }: { bands: readonly { color: string; label: string }[] }) {
  const elapsed = useClock(({ timeS }) => formatElapsed(timeS))
  return <BandLegend title={townTexts.now(elapsed)} bands={bands} />
}

/** Keeps where the map stands in the address, and goes where a link or a name leads. */
function useView(place: GridPlace | undefined, sewer: Sewer) {
  const { view, picks, change } = useWorkspace()
  const radx = useRef<RadxMap | null>(null)
  const keepView = useCallback(
    (made: RadxMap | null) => {
      radx.current = made
      if (made === null) return
      let timer: ReturnType<typeof setTimeout> | undefined
      made.map.on('moveend', () => {
        clearTimeout(timer)
        timer = setTimeout(() => {
          if (radx.current !== made) return
          const { lng, lat } = made.map.getCenter()
          change({ view: { lng, lat, zoom: made.map.getZoom() } })
        }, SETTLE_MS)
      })
    },
    [change],
  )
  // A link without a place means its last pick: the map goes there when it is not in sight.
  const last = picks.at(-1)
  const to = view === null && place && last ? placeOfPick(last, place, sewer.network) : null
  const key = to ? `${to.lng},${to.lat}` : ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is that of the key
  useEffect(() => {
    const map = radx.current?.map
    if (!map || to === null) return
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    const covered = window.matchMedia(SHEET).matches ? SHEET_SHARE : 0
    const offset: [number, number] = [0, (-covered * map.getContainer().clientHeight) / 2]
    map.easeTo({ center: to, zoom: Math.max(map.getZoom(), NEAR_ZOOM), offset, duration: still ? 0 : 600 })
  }, [key])
  useProfileInSight(radx, place, sewer)
  useReturn(() => {
    const map = radx.current?.map
    if (!map || !place) return
    if (view) map.jumpTo({ center: view, zoom: view.zoom })
    else if (to === null) map.fitBounds(boundsOfPlace(place), { padding: FIT_PX, duration: 0 })
  })
  return { radx: radx.current, keepView }
}
