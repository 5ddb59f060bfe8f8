import type { LatLng } from '@radx/contracts/site'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useColorScheme } from '../app/color-scheme.ts'
import { useSite } from '../app/site.ts'
import { mapTexts } from '../texts/map.ts'
import { Message } from '../ui/Message.tsx'
import { MapContext } from './context.ts'
import { createMap, type RadxMap } from './createMap.ts'
import type { FrameCache } from './frames/FrameCache.ts'
import classes from './RadarMap.module.css'
import type { PaletteKind } from './radar-shader.ts'
import type { ReferenceParts } from './reference/ReferenceOverlay.ts'
import { tileZoom } from './zoom.ts'

interface Props {
  /** Frames and which of them to show; null shows the bare map. */
  store: FrameCache | null
  time: string | null
  /** Instants in play order. */
  times: readonly string[]
  /** 0 to 100. */
  opacity: number
  /** What the frames' codes stand for; intensities by default. */
  palette?: PaletteKind
  /** The frames are forecast, not seen. */
  forecast?: boolean
  reference: ReferenceParts
  center: LatLng
  zoom: number
  minZoom: number
  maxZoom: number
  /** Nothing of the world is shown below. Default false; taken when the map is made. */
  plane?: boolean
  /** It shows no rain, now or later, and is not called a map of the radar. Default false. */
  withoutRain?: boolean
  /** Called when the first radar frame is on the screen, or when there will never be one. */
  onFirstFrame?: () => void
  /** Hands out the map once it stands, and null when it goes. */
  onMap?: (map: RadxMap | null) => void
  /** Controls and markers on the map. */
  children?: ReactNode
}

export function RadarMap(props: Props) {
  const {
    store,
    time,
    times,
    opacity,
    palette = 'intensity',
    forecast = false,
    reference,
    center,
    zoom,
    minZoom,
    maxZoom,
  } = props
  const site = useSite()
  const scheme = useColorScheme()
  const root = useRef<HTMLDivElement>(null)
  const container = useRef<HTMLDivElement>(null)
  const firstFrame = useRef(props.onFirstFrame)
  const [radx, setRadx] = useState<RadxMap | null>(null)
  const [failed, setFailed] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the map is made once; what changes is set below
  useEffect(() => {
    if (container.current === null) return
    let made: RadxMap
    try {
      made = createMap(container.current, {
        site,
        scheme,
        center,
        zoom,
        minZoom,
        maxZoom,
        locale: props.withoutRain ? { ...mapTexts.library, 'Map.Title': mapTexts.plain } : mapTexts.library,
        plane: props.plane,
      })
    } catch {
      setFailed(true)
      firstFrame.current?.()
      return
    }
    setRadx(made)
    props.onMap?.(made)
    return () => {
      setRadx(null)
      props.onMap?.(null)
      made.destroy()
    }
  }, [])

  // What is on the screen can be read off the element: the frame drawn and the frame asked for, and the
  // zoom in tiles of 256 px once the map stands still.
  useEffect(() => {
    if (radx === null) return
    const { map } = radx
    const note = (zoom: number | null) => {
      if (root.current) root.current.dataset.zoom = zoom === null ? '' : String(tileZoom(zoom))
    }
    const onStart = () => note(null)
    const onEnd = () => note(map.getZoom())
    note(map.isMoving() ? null : map.getZoom())
    map.on('movestart', onStart)
    map.on('moveend', onEnd)
    return () => {
      map.off('movestart', onStart)
      map.off('moveend', onEnd)
    }
  }, [radx])
  useEffect(() => {
    if (radx === null) return
    const note = () => {
      const shown = radx.radar.shown
      if (root.current) root.current.dataset.radarFrame = shown ?? ''
      if (shown !== null) firstFrame.current?.()
    }
    radx.map.on('render', note)
    return () => {
      radx.map.off('render', note)
    }
  }, [radx])

  useEffect(() => radx?.setScheme(scheme), [radx, scheme])
  useEffect(() => {
    radx?.radar.setStore(store)
    radx?.reference.setBounds(store?.grid.bounds ?? null)
  }, [radx, store])
  useEffect(() => radx?.radar.setFrame(time, times), [radx, time, times])
  useEffect(() => radx?.radar.setOpacity(opacity / 100), [radx, opacity])
  useEffect(() => radx?.radar.setPalette(palette), [radx, palette])
  useEffect(() => radx?.radar.setForecast(forecast), [radx, forecast])
  useEffect(() => {
    radx?.reference.setParts(reference)
    radx?.ground.setRivers(reference.rivers)
  }, [radx, reference])

  return (
    <div
      ref={root}
      className={classes.root}
      data-wanted-frame={time ?? ''}
      data-forecast={forecast || undefined}
    >
      <div ref={container} className={classes.map} />
      {failed && (
        <div className={classes.failed}>
          <Message kind="error">{mapTexts.noWebGl}</Message>
        </div>
      )}
      {radx && <MapContext value={radx}>{props.children}</MapContext>}
    </div>
  )
}
