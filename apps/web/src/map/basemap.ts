import type { PublicSite } from '@radx/contracts/site'
import type {
  ErrorEvent,
  LayerSpecification,
  Map as MapLibreMap,
  MapSourceDataEvent,
  StyleSpecification,
} from 'maplibre-gl'

export type Scheme = 'light' | 'dark'

const LAND = { light: '#edf0ef', dark: '#0d1213' } as const
const TILES = 'radx-tiles'
/** Tiles that may fail in a row before the background is given up for a while. */
const PATIENCE = 4
const RETRY_AFTER_MS = 60_000

/** The style that needs nothing from anywhere: a plain ground on which the radar and the own reference stand. */
export function emptyStyle(scheme: Scheme): StyleSpecification {
  return {
    version: 8,
    sources: {},
    layers: [{ id: 'ground', type: 'background', paint: { 'background-color': LAND[scheme] } }],
  }
}

/** Quiet greys; in dark mode the tiles' brightness is turned round. */
function rasterPaint(scheme: Scheme): Extract<LayerSpecification, { type: 'raster' }>['paint'] {
  return scheme === 'light'
    ? { 'raster-saturation': -0.8, 'raster-opacity': 0.55, 'raster-fade-duration': 0 }
    : {
        'raster-saturation': -0.85,
        'raster-brightness-min': 0.75,
        'raster-brightness-max': 0.05,
        'raster-opacity': 0.5,
        'raster-fade-duration': 0,
      }
}

/**
 * The background from the site's tile service, put under the radar. It is an ornament: when the service
 * does not answer, it is taken away, tried again after a minute, and nobody is bothered.
 */
export class BaseMap {
  private readonly map: MapLibreMap
  private readonly tiles: PublicSite['tiles']
  private readonly below: string
  private readonly named: readonly string[]
  /** Told when tiles come onto the map and when they go. */
  private readonly onTiles: (shown: boolean) => void
  private scheme: Scheme
  private failures = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private layerIds: string[] = []

  constructor(
    map: MapLibreMap,
    site: PublicSite,
    { scheme, below, onTiles }: { scheme: Scheme; below: string; onTiles: (shown: boolean) => void },
  ) {
    this.map = map
    this.tiles = site.tiles
    this.scheme = scheme
    this.below = below
    this.onTiles = onTiles
    this.named = site.towns.map(({ name }) => name)
    map.on('error', this.onError)
    map.on('sourcedata', this.onData)
  }

  /** Adds the background to a style that has just loaded. */
  async add(): Promise<void> {
    clearTimeout(this.timer)
    this.failures = 0
    if (this.tiles.kind === 'none') return
    if (this.tiles.kind === 'raster') {
      if (await reachable(this.probe(this.tiles.urls[0]))) this.addRaster(this.tiles)
      else this.retryLater()
      return
    }
    const vector = await import('./vector-basemap.ts').catch(() => null)
    if (vector === null) return this.retryLater()
    this.layerIds = await vector.addVector(this.map, this.tiles, this.scheme, TILES, this.below, this.named)
    this.onTiles(true)
  }

  setScheme(scheme: Scheme): void {
    this.scheme = scheme
    if (!this.map.isStyleLoaded() && this.map.getLayer('ground') === undefined) return
    this.map.setPaintProperty('ground', 'background-color', LAND[scheme])
    if (this.tiles.kind === 'raster') {
      if (this.map.getLayer(TILES))
        for (const [name, value] of Object.entries({ ...RASTER_DEFAULTS, ...rasterPaint(scheme) }))
          this.map.setPaintProperty(TILES, name as 'raster-opacity', value as number)
    } else if (this.tiles.kind === 'pmtiles') {
      this.remove()
      void this.add()
    }
  }

  destroy(): void {
    clearTimeout(this.timer)
    this.map.off('error', this.onError)
    this.map.off('sourcedata', this.onData)
  }

  private addRaster(tiles: Extract<PublicSite['tiles'], { kind: 'raster' }>): void {
    if (this.map.getSource(TILES) || !this.map.getLayer(this.below)) return
    this.map.addSource(TILES, { type: 'raster', tiles: tiles.urls, tileSize: 256, maxzoom: tiles.maxZoom })
    this.map.addLayer(
      { id: TILES, type: 'raster', source: TILES, paint: rasterPaint(this.scheme) },
      this.below,
    )
    this.layerIds = [TILES]
    this.onTiles(true)
  }

  /** Address of the tile under the map's centre, at a zoom that every service has. */
  private probe(template: string): string {
    const zoom = 7
    const { lng, lat } = this.map.getCenter()
    const size = 2 ** zoom
    const x = Math.floor(((lng + 180) / 360) * size)
    const sine = Math.sin((lat * Math.PI) / 180)
    const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size)
    return template
      .replace('{z}', String(zoom))
      .replace('{x}', String(x))
      .replace('{y}', String(y))
      .replace('{s}', 'a')
  }

  // Without a listener the library writes every failed tile to the console.
  private readonly onError = (event: ErrorEvent & { sourceId?: string }) => {
    if (event.sourceId !== TILES) {
      if (event.error) console.error(event.error)
      return
    }
    this.failures++
    if (this.failures < PATIENCE) return
    this.remove()
    this.retryLater()
  }

  private readonly onData = (event: MapSourceDataEvent) => {
    if (event.sourceId === TILES && event.tile !== undefined) this.failures = 0
  }

  private remove(): void {
    for (const id of this.layerIds) if (this.map.getLayer(id)) this.map.removeLayer(id)
    this.layerIds = []
    this.onTiles(false)
    if (this.map.getSource(TILES)) this.map.removeSource(TILES)
  }

  private retryLater(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.add(), RETRY_AFTER_MS)
  }
}

const RASTER_DEFAULTS = { 'raster-brightness-min': 0, 'raster-brightness-max': 1 }

async function reachable(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(8000) })).ok
  } catch {
    return false
  }
}
