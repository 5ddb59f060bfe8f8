import type { PublicSite } from '@radx/contracts/site'
import { type CanvasSource, type LayerSpecification, Map as MapLibreMap } from 'maplibre-gl'
import type { RadxMap } from '../map/createMap.ts'
import { mercatorY } from '../map/mercator.ts'
import { ReferenceOverlay } from '../map/reference/ReferenceOverlay.ts'
import type { MercatorView } from './protocol.ts'

/** The layout of a picture, px; a picture of 1080 lines has half as many pixels again each way. */
export const LAYOUT = { width: 1280, height: 720 } as const
/** Tiles of a slow service are waited for that long, ms. */
const PATIENCE_MS = 8_000

/** The ground of an animation: what the page's map shows, but for what moves. */
export interface Backdrop {
  /** Below what moves, opaque. */
  under: ImageBitmap
  /** Over it, clear elsewhere. */
  over: OffscreenCanvas
  width: number
  height: number
  /** Pixels of the picture for each of the layout. */
  ratio: number
  view: MercatorView
  /** Where a place lies in the picture, px. */
  project: (lngLat: readonly [number, number]) => [number, number]
  /** Of the middle, for the scale. */
  lat: number
  /** As the library counts, for pixels of the layout. */
  zoom: number
}

/**
 * Draws a map like the one of the page, unseen, in the size of a picture.
 * @param moving layers that are left out; the first that the map has is where ground and what lies over it part
 * @throws AbortError
 */
export async function makeBackdrop(
  radx: RadxMap,
  site: PublicSite,
  moving: readonly string[],
  lines: 720 | 1080,
  signal: AbortSignal,
): Promise<Backdrop> {
  const ratio = lines / LAYOUT.height
  const shown = radx.map.getContainer()
  const fit = Math.min(LAYOUT.width / shown.clientWidth, LAYOUT.height / shown.clientHeight)
  const container = document.createElement('div')
  container.inert = true
  Object.assign(container.style, {
    position: 'fixed',
    left: '-20000px',
    top: '0',
    width: `${LAYOUT.width}px`,
    height: `${LAYOUT.height}px`,
  })
  document.body.append(container)
  const { glyphs } = radx.map.getStyle()
  const map = new MapLibreMap({
    container,
    style: { version: 8, sources: {}, layers: [], ...(glyphs && { glyphs }) },
    center: radx.map.getCenter(),
    zoom: radx.map.getZoom() + Math.log2(fit),
    pixelRatio: ratio,
    attributionControl: false,
    interactive: false,
    fadeDuration: 0,
    canvasContextAttributes: { antialias: false, preserveDrawingBuffer: true },
  })
  try {
    await settled(map, 'load', signal)
    const [below, above] = copyStyle(radx.map, map, moving)
    const reference = copyReference(radx, map, site)
    const [width, height] = [LAYOUT.width * ratio, LAYOUT.height * ratio]
    for (const id of above) map.setLayoutProperty(id, 'visibility', 'none')
    await settled(map, 'idle', signal)
    const under = await createImageBitmap(map.getCanvas())
    const over = new OffscreenCanvas(width, height)
    const context = over.getContext('2d')!
    if (above.some((id) => isVisible(radx.map, id))) {
      for (const id of below) map.setLayoutProperty(id, 'visibility', 'none')
      for (const id of above) if (isVisible(radx.map, id)) map.setLayoutProperty(id, 'visibility', 'visible')
      await settled(map, 'idle', signal)
      context.drawImage(map.getCanvas(), 0, 0, width, height)
    }
    reference.draw()
    context.drawImage(reference.canvas, 0, 0, width, height)
    reference.destroy()
    const { lng, lat } = map.getCenter()
    const zoom = map.getZoom()
    const size = 512 * 2 ** zoom * ratio
    const view = {
      size,
      left: width / 2 - ((lng + 180) / 360) * size,
      top: height / 2 - mercatorY(lat) * size,
    }
    const project = ([x, y]: readonly [number, number]): [number, number] => [
      ((x + 180) / 360) * size + view.left,
      mercatorY(y) * size + view.top,
    ]
    return { under, over, width, height, ratio, view, project, lat, zoom }
  } finally {
    map.remove()
    container.remove()
  }
}

const isVisible = (map: MapLibreMap, id: string) => map.getLayoutProperty(id, 'visibility') !== 'none'

/** Waits for an event of the map, but no longer than for slow tiles. */
function settled(map: MapLibreMap, event: 'load' | 'idle', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, PATIENCE_MS)
    signal.addEventListener('abort', end)
    if (signal.aborted) return end()
    map.once(event, end)
    map.triggerRepaint()
  })
}

/** Puts sources and layers of one map into another. @returns ids of the layers below and above what moves */
function copyStyle(from: MapLibreMap, to: MapLibreMap, moving: readonly string[]): [string[], string[]] {
  const { sources, layers } = from.getStyle()
  for (const [id, source] of Object.entries(sources)) {
    if (to.getSource(id)) continue
    const shown = from.getSource(id)
    // What a canvas shows is no part of a written style.
    if (shown?.type === 'canvas') {
      const { coordinates } = shown as CanvasSource
      const canvas = (shown as CanvasSource).getCanvas()
      to.addSource(id, { type: 'canvas', canvas, coordinates, animate: false })
    } else to.addSource(id, source)
  }
  const order = from.getLayersOrder()
  const cut = Math.min(...moving.map((id) => (order.includes(id) ? order.indexOf(id) : order.length)))
  const left = new Set(moving)
  const parts: [string[], string[]] = [[], []]
  for (const layer of layers as LayerSpecification[]) {
    if (left.has(layer.id)) continue
    to.addLayer(layer)
    parts[order.indexOf(layer.id) < cut ? 0 : 1].push(layer.id)
  }
  return parts
}

function copyReference({ reference }: RadxMap, map: MapLibreMap, site: PublicSite): ReferenceOverlay {
  const copy = new ReferenceOverlay(map, site)
  const { parts, bounds, towns, hasGround } = reference
  Object.assign(copy, { parts, bounds, towns, hasGround })
  return copy
}
