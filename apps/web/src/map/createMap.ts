import type { LatLng, PublicSite } from '@radx/contracts/site'
import { Map as MapLibreMap, setWorkerUrl } from 'maplibre-gl'
import 'maplibre-gl/dist/maplibre-gl.css'
import { BaseMap, emptyStyle, type Scheme } from './basemap.ts'
import { GroundLayers } from './ground.ts'
import workerUrl from './maplibre.worker.ts?worker&url'
import { RadarLayer } from './RadarLayer.ts'
import { ReferenceOverlay } from './reference/ReferenceOverlay.ts'
import { libraryZoom } from './zoom.ts'

setWorkerUrl(workerUrl)

export interface MapOptions {
  site: PublicSite
  scheme: Scheme
  center: LatLng
  /** Zooms in tiles of 256 px. */
  zoom: number
  minZoom: number
  maxZoom: number
  locale: Record<string, string>
  /** Nothing of the world below: what is shown has no place on it. Default false. */
  plane?: boolean
}

/** A map with its radar layer and own reference; `destroy` leaves nothing behind. */
export interface RadxMap {
  map: MapLibreMap
  radar: RadarLayer
  reference: ReferenceOverlay
  ground: GroundLayers
  setScheme: (scheme: Scheme) => void
  recentre: () => void
  /** Flies to a place; a reader who wants no motion is there at once. @param tileZoom in tiles of 256 px */
  flyTo: (center: LatLng, tileZoom: number) => void
  destroy: () => void
}

/** The veil over cells without data. */
export const NO_DATA = {
  light: { color: '#5f7076', alpha: 0.22 },
  dark: { color: '#9aaab0', alpha: 0.2 },
} as const

/** @throws Error when the browser has no WebGL2 */
export function createMap(container: HTMLElement, options: MapOptions): RadxMap {
  const { site, center } = options
  const zoom = libraryZoom(options.zoom)
  const map = new MapLibreMap({
    container,
    style: emptyStyle(options.scheme),
    center,
    zoom,
    minZoom: libraryZoom(options.minZoom),
    maxZoom: libraryZoom(options.maxZoom),
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    maxPitch: 0,
    locale: options.locale,
    canvasContextAttributes: { antialias: false, preserveDrawingBuffer: false },
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  const radar = new RadarLayer()
  radar.setScheme(options.scheme, NO_DATA[options.scheme])
  const reference = new ReferenceOverlay(map, site)
  const ground = new GroundLayers(map, options.scheme, radar.id)
  const base = new BaseMap(map, site, {
    scheme: options.scheme,
    below: radar.id,
    onTiles: (shown) => ground.setCovered(shown),
  })
  // Comes again when a lost graphics context has been restored: the style then starts without our layers.
  map.on('style.load', () => {
    if (!map.getLayer(radar.id)) map.addLayer(radar)
    if (options.plane) return
    void base.add()
    void ground.add().then((found) => reference.setGround(found))
  })
  const still = window.matchMedia('(prefers-reduced-motion: reduce)')
  const go = (target: { center: LatLng; zoom: number }, duration: number) => {
    if (still.matches) map.jumpTo(target)
    else map.flyTo({ ...target, duration })
  }
  return {
    map,
    radar,
    reference,
    ground,
    setScheme: (scheme) => {
      base.setScheme(scheme)
      ground.setScheme(scheme)
      radar.setScheme(scheme, NO_DATA[scheme])
      reference.refreshColors()
    },
    recentre: () => go({ center, zoom }, 600),
    flyTo: (place, tileZoom) => go({ center: place, zoom: libraryZoom(tileZoom) }, 900),
    destroy: () => {
      base.destroy()
      reference.destroy()
      radar.destroy()
      map.remove()
    },
  }
}
