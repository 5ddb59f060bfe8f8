import { differencePalette } from '@radx/charts/palettes'
import type { GridPlace } from '@radx/contracts/flood'
import { formatDuration } from '@radx/locale/duration'
import { IconRulerMeasure } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import { useColorScheme } from '../../../app/color-scheme.ts'
import { ButtonGroup } from '../../../map/controls/ButtonGroup.tsx'
import type { RadxMap } from '../../../map/createMap.ts'
import { GridLayer } from '../../../map/GridLayer.tsx'
import { useClock } from '../../../player/run/clock.ts'
import { formatElapsed } from '../../../player/run/elapsed.ts'
import { depthTexts } from '../../../texts/flood.ts'
import { townTexts } from '../../../texts/town.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import type { TownGrid } from '../../../town/api.ts'
import { boundsOfCells } from '../../../town/bounds.ts'
import type { GridPicture } from '../../../town/paint-ground.ts'
import { TownMap } from '../../../town/TownMap.tsx'
import { useWaterFrom } from '../../../town/useWaterFrom.ts'
import { WaterFrom } from '../../../town/WaterFrom.tsx'
import { waterPicture } from '../../../town/water-classes.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Message } from '../../../ui/Message.tsx'
import { runSeconds, type SimulationJob, townOfRun } from '../api.ts'
import { DownloadButton } from '../parts/DownloadButton.tsx'
import { depthFramesQuery } from '../result/depth/api.ts'
import { differencePicture } from '../result/depth/paint.ts'
import { useReference } from '../result/reference/useReference.ts'
import { runMapQuery } from './api.ts'
import { bandPicture } from './bands.ts'
import { LandAreas } from './LandAreas.tsx'
import { Layers } from './Layers.tsx'
import { BandLegend, SewerLegend } from './Legend.tsx'
import { MAP_LAYERS } from './layers.ts'
import { NowLayer } from './NowLayer.tsx'
import { Picking, placeOfPick } from './Picking.tsx'
import { SEWER_LINKS, type Sewer, SewerOverlay } from './SewerOverlay.tsx'
import { useWorkspace } from './useWorkspace.ts'
import classes from './Workspace.module.css'

interface Props {
  job: SimulationJob
  town: TownGrid | undefined
  sewer: Sewer
  hasNetwork: boolean
}

/** A map that has moved is in the address once it stands, ms. */
const SETTLE_MS = 300
/** A place that is gone to is seen with its street. */
const NEAR_ZOOM = 15.5
/** Of the height of the map; see Workspace.module.css. */
const SHEET_SHARE = 0.55
/** A change that a map is taken to, cm: less is spread over the town. */
const SEEN_CM = 1

/** The town with one layer of water, the network over it, and what was clicked. */
export function Stage({ job, town, sewer, hasNetwork }: Props) {
  const { layer, network, picks, pick, view } = useWorkspace()
  const frames = useQuery(depthFramesQuery(job.id))
  const place = frames.data?.place ?? town?.place
  const reference = useReference(job.id)
  const { radx, keepView } = useView(place, sewer)
  const shown = useShown(job, place, reference.id)
  const [drawing, setDrawing] = useState(false)
  return (
    <div className={classes.stage}>
      {place ? (
        <TownMap
          label={texts.map}
          town={townOfRun(job)}
          place={place}
          change={shown.change}
          className={classes.map}
          start={view}
          onMap={keepView}
          buttons={
            <ButtonGroup below>
              <IconButton
                label={drawing ? texts.endLine : texts.drawLine}
                tip="left"
                aria-pressed={drawing}
                variant={drawing ? 'filled' : undefined}
                onClick={() => setDrawing(!drawing)}
              >
                <IconRulerMeasure size={18} stroke={1.75} />
              </IconButton>
            </ButtonGroup>
          }
        >
          {network && <SewerOverlay sewer={sewer} />}
          {layer === 'instant' ? (
            <NowLayer jobId={job.id} place={place} classes={shown.water} below={SEWER_LINKS} />
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
            network={network ? sewer.network : undefined}
            picks={picks}
            drawing={drawing}
            onPick={(one) => {
              setDrawing(false)
              pick(one)
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
          {texts.drawHelp}
        </p>
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
        ) : (
          shown.bands.length > 0 && <BandLegend title={shown.title} bands={shown.bands} />
        )}
        {network && <SewerLegend />}
        <div className={classes.files}>
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
      </Layers>
      <span className="rx-visually-hidden" role="status">
        {radx && shown.title}
      </span>
    </div>
  )
}

/** The legend's title moves with the clock. */
function NowLegend({ bands }: { bands: readonly { color: string; label: string }[] }) {
  const elapsed = useClock(({ timeS }) => formatElapsed(timeS))
  return <BandLegend title={townTexts.now(elapsed)} bands={bands} />
}

/** What the chosen layer draws and says. */
function useShown(job: SimulationJob, place: GridPlace | undefined, referenceId: string) {
  const { layer } = useWorkspace()
  const scheme = useColorScheme()
  const { classes: water } = useWaterFrom()
  const seconds = runSeconds(job)
  const of = MAP_LAYERS[layer]
  const depthWanted = layer === 'maximum' || layer === 'ecart'
  const depth = useQuery({ ...runMapQuery(job.id, 'hauteur'), enabled: depthWanted })
  const other = useQuery({
    ...runMapQuery(referenceId, 'hauteur'),
    enabled: layer === 'ecart' && referenceId !== '',
  })
  const map = useQuery({ ...runMapQuery(job.id, of?.map ?? 'hauteur'), enabled: of !== undefined })
  const difference = useMemo(() => {
    if (layer !== 'ecart' || !depth.data || !other.data || depth.data.length !== other.data.length)
      return null
    const before = other.data
    return Float64Array.from(depth.data, (m, k) => 100 * (m - before[k]))
  }, [layer, depth.data, other.data])
  const spanCm = useMemo(() => (difference ? spanOf(difference) : 1), [difference])
  const waterBands = useMemo(
    () =>
      water.map(({ fromCm, toCm, color }) => ({
        color,
        label:
          toCm === null ? townTexts.from(String(fromCm)) : townTexts.between(String(fromCm), String(toCm)),
      })),
    [water],
  )
  const mapBands = useMemo(() => of?.bands(scheme, seconds) ?? [], [of, scheme, seconds])
  const picture = useMemo((): GridPicture | null => {
    if (!place) return null
    const cells = place.nrows * place.ncols
    if (layer === 'maximum' && depth.data?.length === cells)
      return waterPicture(
        place,
        depth.data.map((m) => 100 * m),
        water,
      )
    if (difference?.length === cells) return differencePicture(place, difference, spanCm)
    if (of && map.data?.length === cells) return bandPicture(place, map.data, mapBands)
    return null
  }, [place, layer, depth.data, water, difference, spanCm, of, map.data, mapBands])
  const change = useMemo(() => {
    if (layer !== 'ecart' || !place) return undefined
    return difference ? boundsOfCells(place, (k) => Math.abs(difference[k]) >= SEEN_CM) : null
  }, [layer, place, difference])
  const bands =
    layer === 'maximum' || layer === 'instant'
      ? waterBands
      : layer === 'ecart'
        ? differenceBands(spanCm)
        : mapBands
  const title =
    layer === 'maximum'
      ? townTexts.maximum(formatDuration(1000 * seconds))
      : texts.legends[layer](formatDuration(1000 * seconds))
  const named = layer === 'maximum' ? 'hauteur' : of?.map
  return { picture, bands, title, water, change, map: named, error: depth.error ?? other.error ?? map.error }
}

/** Reaches the 99.5th percentile, so that a single cell does not pale the rest, cm. */
function spanOf(cm: Float64Array): number {
  const sizes = cm
    .map(Math.abs)
    .filter((size) => size >= 0.1)
    .sort()
  return Math.max(1, Math.ceil(sizes[Math.floor(0.995 * (sizes.length - 1))] ?? 1))
}

const differenceBands = (spanCm: number) =>
  [-1, -0.5, 0, 0.5, 1].map((share) => ({
    color: differencePalette(0.5 + share / 2),
    label: texts.differenceBand(share * spanCm),
  }))

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
    // A sheet covers the lower part of a small map.
    const covered = window.matchMedia('(max-width: 61.99em)').matches ? SHEET_SHARE : 0
    const offset: [number, number] = [0, (-covered * map.getContainer().clientHeight) / 2]
    map.easeTo({ center: to, zoom: Math.max(map.getZoom(), NEAR_ZOOM), offset, duration: still ? 0 : 600 })
  }, [key])
  return { radx: radx.current, keepView }
}
