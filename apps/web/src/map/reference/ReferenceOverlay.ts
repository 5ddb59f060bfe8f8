import type { Bounds, PublicSite } from '@radx/contracts/site'
import type { Map as MapLibreMap } from 'maplibre-gl'
import type { Ground } from '../ground.ts'
import { type MercatorPoint, toMercator } from '../mercator.ts'
import { tileZoom } from '../zoom.ts'
import {
  type Box,
  drawPath,
  drawRadarMark,
  drawText,
  drawTowns,
  type ReferenceColors,
  type Town,
} from './draw.ts'
import { circle, ringRadiiKm } from './geometry.ts'

export const REFERENCE_PARTS = ['rings', 'towns', 'rivers', 'bounds'] as const
type ReferencePart = (typeof REFERENCE_PARTS)[number]
export type ReferenceParts = Record<ReferencePart, boolean>

/**
 * The own reference layer: range rings, towns, main rivers and product bounds, drawn above the radar on a
 * canvas of its own, without network, tiles, fonts from afar or a worker.
 */
export class ReferenceOverlay {
  private readonly map: MapLibreMap
  readonly canvas = document.createElement('canvas')
  private readonly radar: MercatorPoint
  private readonly rings: { label: string; points: MercatorPoint[] }[]
  private readonly rivers: MercatorPoint[][]
  towns: Town[]
  /** The ground draws the rivers, under the rain. */
  hasGround = false
  bounds: MercatorPoint[] | null = null
  parts: ReferenceParts = { rings: true, towns: true, rivers: true, bounds: true }
  private colors = readColors()
  private readonly onRender = () => this.draw()

  constructor(map: MapLibreMap, site: PublicSite) {
    this.map = map
    this.canvas.dataset.layer = 'reference'
    this.canvas.setAttribute('aria-hidden', 'true')
    Object.assign(this.canvas.style, { position: 'absolute', inset: '0', pointerEvents: 'none' })
    map.getCanvasContainer().append(this.canvas)
    const { position, rangeKm } = site.radar
    this.radar = toMercator(position)
    this.rings = ringRadiiKm(rangeKm).map((km) => ({
      label: `${km} km`,
      points: circle(position, km * 1000).map(toMercator),
    }))
    this.rivers = site.rivers.map(({ line }) => line.map(([lng, lat]) => toMercator({ lat, lng })))
    this.towns = site.towns
      .map(({ name, position: at, rank }) => ({ name, at: toMercator(at), rank }))
      .sort((a, b) => a.rank - b.rank)
    map.on('render', this.onRender)
    map.on('resize', this.onRender)
  }

  setBounds(bounds: Bounds | null): void {
    this.bounds = bounds && corners(bounds).map(toMercator)
    this.draw()
  }

  /** Takes the towns of the ground to those of the site, and leaves the rivers to it; null has neither. */
  setGround(ground: Ground | null): void {
    if (ground === null || this.hasGround) return
    this.hasGround = ground.rivers.length > 0
    const known = new Set(this.towns.map(({ name }) => name))
    const more = ground.towns
      .filter(({ name }) => !known.has(name))
      .map(({ name, at: [lng, lat], rank }) => ({
        name,
        at: toMercator({ lat, lng }),
        rank: Math.max(2, rank),
      }))
    this.towns = [...this.towns, ...more].sort((a, b) => a.rank - b.rank)
    this.draw()
  }

  setParts(parts: ReferenceParts): void {
    this.parts = parts
    this.draw()
  }

  /** Takes the colours of the display mode again. */
  refreshColors(): void {
    this.colors = readColors()
    this.draw()
  }

  destroy(): void {
    this.map.off('render', this.onRender)
    this.map.off('resize', this.onRender)
    this.canvas.remove()
  }

  draw(): void {
    const container = this.map.getContainer()
    const [width, height] = [container.clientWidth, container.clientHeight]
    const context = this.prepare(width, height)
    if (context === null) return
    const project = this.projection(width, height)
    const zoom = tileZoom(this.map.getZoom())
    const colors = this.colors
    const taken: Box[] = []
    if (this.parts.rivers && !this.hasGround)
      for (const line of this.rivers)
        drawPath(context, line.map(project), { color: colors.water, width: zoom >= 11 ? 2.5 : 1.75 })
    if (this.parts.bounds && this.bounds !== null)
      drawPath(context, this.bounds.map(project), { color: colors.ring, width: 1, dash: [6, 4] })
    if (this.parts.rings) {
      for (const { points } of this.rings)
        drawPath(context, points.map(project), { color: colors.ring, width: 1 })
      drawRadarMark(context, project(this.radar), colors)
      for (const { label, points } of this.rings) {
        const [x, y] = project(points[0])
        drawText(context, label, [x, y], colors, { size: 10, weight: 500, align: 'center' })
        taken.push([x - 20, y - 8, x + 20, y + 8])
      }
    }
    if (this.parts.towns) drawTowns(context, this.towns, { project, zoom, width, height, colors, taken })
  }

  private prepare(width: number, height: number): CanvasRenderingContext2D | null {
    const ratio = this.map.getPixelRatio()
    const [pixelsX, pixelsY] = [Math.round(width * ratio), Math.round(height * ratio)]
    if (this.canvas.width !== pixelsX || this.canvas.height !== pixelsY) {
      this.canvas.width = pixelsX
      this.canvas.height = pixelsY
      Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` })
    }
    const context = this.canvas.getContext('2d')
    context?.setTransform(ratio, 0, 0, ratio, 0, 0)
    context?.clearRect(0, 0, width, height)
    return context
  }

  /** The map is never turned or tilted: screen pixels are a scaled and shifted unit square. */
  private projection(width: number, height: number): (point: MercatorPoint) => [number, number] {
    const centre = toMercator(this.map.getCenter())
    const size = 512 * 2 ** this.map.getZoom()
    return ({ x, y }) => [(x - centre.x) * size + width / 2, (y - centre.y) * size + height / 2]
  }
}

const corners = ({ ul, lr }: Bounds) => [
  ul,
  { lat: ul.lat, lng: lr.lng },
  lr,
  { lat: lr.lat, lng: ul.lng },
  ul,
]

function readColors(): ReferenceColors {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string) => style.getPropertyValue(name).trim()
  return {
    ink: read('--rx-map-ink'),
    halo: read('--rx-map-halo'),
    ring: read('--rx-map-ring'),
    water: read('--rx-map-water'),
  }
}
