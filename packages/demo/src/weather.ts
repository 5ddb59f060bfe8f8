import type { Bounds, LatLng } from '@radx/contracts/site'
import { EARTH_RADIUS_M, type ProductGrid } from '@radx/rainfall/grid'
import { type Anchor, anchoredSystems } from './anchor.ts'
import { FieldPainter } from './field.ts'
import type { KmWindow } from './patch.ts'
import { type PrescribedRain, strength, systemsAt, type WeatherSystem } from './systems.ts'

const KM_PER_DEGREE = (EARTH_RADIUS_M / 1000) * (Math.PI / 180)

export interface WeatherOptions {
  seed: number
  /** Where the weather's plane touches the ground: the radar. */
  origin: LatLng
  prescribed: readonly PrescribedRain[]
  /** Weather that is sure to come around a moment. */
  anchor?: Anchor
}

/**
 * The demonstration's weather: a pure function of seed, instant and place. Positions are taken on a plane
 * around the radar on which a degree of longitude has the radar's length.
 */
export class Weather {
  readonly options: WeatherOptions
  private readonly painter = new FieldPainter()
  private latest: { instantMs: number; found: WeatherSystem[] } | undefined

  constructor(options: WeatherOptions) {
    this.options = options
  }

  /** Systems acting at an instant. */
  systems(instantMs: number): WeatherSystem[] {
    if (this.latest?.instantMs !== instantMs) {
      const { seed, prescribed, anchor } = this.options
      const found = systemsAt(instantMs, seed, prescribed)
      if (anchor)
        found.push(
          ...anchoredSystems(instantMs, seed, anchor, anchor.storm && this.toKm(anchor.storm)).filter(
            (system) => strength(system, instantMs) > 0,
          ),
        )
      this.latest = { instantMs, found }
    }
    return this.latest.found
  }

  /**
   * Rain at the ground over a product grid, mm/h, `[row * steps + col]`, row 0 north; no gaps of the
   * radar (see `coverage`). `out` is filled and returned when given.
   */
  rateField(grid: ProductGrid, instantMs: number, out?: Float32Array): Float32Array {
    return this.painter.paint(this.systems(instantMs), this.window(grid.bounds, grid.steps), instantMs, out)
  }

  /** Rain at a place, mm/h. */
  rateAt(place: LatLng, instantMs: number): number {
    const { x, y } = this.toKm(place)
    const window = { x0: x, y0: y, dx: 1, dy: 1, nrows: 1, ncols: 1 }
    return this.painter.paint(this.systems(instantMs), window, instantMs)[0]
  }

  toKm(place: LatLng): { x: number; y: number } {
    const { origin } = this.options
    return {
      x: (place.lng - origin.lng) * KM_PER_DEGREE * Math.cos((origin.lat * Math.PI) / 180),
      y: (place.lat - origin.lat) * KM_PER_DEGREE,
    }
  }

  window({ ul, lr }: Bounds, steps: number): KmWindow {
    const a = this.toKm(ul)
    const b = this.toKm(lr)
    const dx = (b.x - a.x) / steps
    const dy = (a.y - b.y) / steps
    return { x0: a.x + dx / 2, y0: a.y - dy / 2, dx, dy, nrows: steps, ncols: steps }
  }
}
