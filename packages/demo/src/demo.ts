import type { Site, SiteProduct } from '@radx/contracts/site'
import { productNamed } from '@radx/rainfall/grid'
import { type Anchor, completeAround, isAnchoredGap, LATEST_MS, latenessMs } from './anchor.ts'
import { unseenCells } from './coverage.ts'
import { type DemoGaugeSource, gaugeFile, gaugeSources } from './gauge-files.ts'
import { MRR_FILE_MS, microRainRadarFile } from './mrr-files.ts'
import { type DemoFile, radarFile } from './radar-files.ts'
import { frameInstants, periodStarts, type SchedulePlan } from './schedule.ts'
import { stationFile } from './station-files.ts'
import type { PrescribedRain } from './systems.ts'
import { volumeFiles } from './volume-files.ts'
import { Weather } from './weather.ts'

export const DEMO_SEED = 206

/** Length of a station table when nothing else is asked for. */
export const STATION_FILE_MS = 3_600_000

export interface DemoOptions {
  /** Another seed is another weather. @default DEMO_SEED */
  seed?: number
  /** Around this moment and after it there is always something to see; without it the weather is as it comes. */
  anchor?: Anchor
}

/**
 * The demonstration source of a site: its weather as instruments of the site would record it. Everything
 * it gives depends on the site, the seed and the instant alone, so past and live fit together and any
 * moment can be computed first.
 */
export class Demo {
  readonly site: Site
  readonly seed: number
  readonly weather: Weather
  private readonly anchor: Anchor | undefined
  private readonly events: PrescribedRain[]
  private readonly unseen = new Map<string, Uint32Array>()

  constructor(site: Site, options: DemoOptions = {}) {
    this.site = site
    this.seed = options.seed ?? DEMO_SEED
    this.anchor = options.anchor
    this.events = site.events.map((event) => ({
      startMs: Date.parse(event.start),
      endMs: Date.parse(event.end),
    }))
    this.weather = new Weather({
      seed: this.seed,
      origin: site.radar.position,
      prescribed: this.events,
      anchor: options.anchor,
    })
  }

  /**
   * Instants (ms since the epoch, ascending) of the product's frames in [fromMs, toMs). All products of
   * a site share one schedule when their `frameSeconds` are equal.
   * @throws UnknownProductError
   */
  radarInstants(product: string, fromMs: number, toMs: number): number[] {
    return frameInstants(fromMs, toMs, this.plan(this.product(product)))
  }

  /** Instants as of `radarInstants` whose files come in [fromMs, toMs): a file may come late. */
  radarArrivals(product: string, fromMs: number, toMs: number): number[] {
    return this.radarInstants(product, fromMs - LATEST_MS, toMs).filter((instant) => {
      const arrival = instant + latenessMs(instant, this.product(product).frameSeconds, this.anchor)
      return arrival >= fromMs && arrival < toMs
    })
  }

  /**
   * What the radar sees at an instant, mm/h, `[row * steps + col]`, row 0 north; NaN beyond its range and
   * behind obstacles, 0 below what it detects. `out` is filled and returned when given.
   * @throws UnknownProductError
   */
  rateField(product: string, instantMs: number, out?: Float32Array): Float32Array {
    const grid = this.product(product)
    const field = this.weather.rateField(grid, instantMs, out)
    for (const cell of this.unseenOf(grid)) field[cell] = Number.NaN
    return field
  }

  /** Rainbow 5 file of a frame, such as `2018011523000000dpsri.dpsri`. @throws UnknownProductError */
  radarFile(product: string, instantMs: number): DemoFile {
    return radarFile(this.site, this.product(product), instantMs, this.rateField(product, instantMs))
  }

  /** Starts (ms) of the whole hours, or periods of another length, that end in (fromMs, toMs]. */
  stationStarts(fromMs: number, toMs: number, lengthMs = STATION_FILE_MS): number[] {
    return this.site.station === null ? [] : periodStarts(fromMs, toMs, lengthMs)
  }

  /**
   * TOA5 table of the station beside the radar: a record a minute in (startMs, startMs + lengthMs]. Any
   * cutting into files gives the same records.
   * @throws RangeError when the site has no station
   */
  stationFile(startMs: number, lengthMs = STATION_FILE_MS): DemoFile {
    const { station } = this.site
    if (station === null) throw new RangeError('the site has no station')
    return stationFile(this.site, station, this.weather, startMs, startMs + lengthMs)
  }

  /** Where the site's gauges with files of their own write: one file a source and period. */
  gaugeSources(): DemoGaugeSource[] {
    return gaugeSources(this.site)
  }

  /** Starts (ms) of the whole hours, or periods of another length, that end in (fromMs, toMs]. */
  gaugeStarts(fromMs: number, toMs: number, lengthMs = STATION_FILE_MS): number[] {
    return periodStarts(fromMs, toMs, lengthMs)
  }

  /** File of a source of gauges, named by how its files begin. @throws RangeError when the site has none such */
  gaugeFile(files: string, startMs: number, lengthMs = STATION_FILE_MS): DemoFile {
    const source = this.gaugeSources().find((one) => one.files === files)
    if (!source) throw new RangeError('the site has no such gauges')
    return gaugeFile(this.site, source, this.weather, startMs, lengthMs)
  }

  /** Starts (ms) of the ten-minute files of the micro rain radar that end in (fromMs, toMs]. */
  microRainRadarStarts(fromMs: number, toMs: number): number[] {
    return this.site.microRainRadar === null ? [] : periodStarts(fromMs, toMs, MRR_FILE_MS)
  }

  /**
   * MRR-PRO netCDF file of ten minutes, such as `20230322_014000.nc`: 60 profiles of 128 gates of 35 m.
   * @throws RangeError when the site has no micro rain radar
   */
  async microRainRadarFile(startMs: number): Promise<DemoFile> {
    const { microRainRadar } = this.site
    if (microRainRadar === null) throw new RangeError('the site has no micro rain radar')
    return microRainRadarFile(this.site, microRainRadar, this.weather, startMs)
  }

  /** Rainbow 5 files of the polar volume of an instant, one a moment. */
  volumeFiles(instantMs: number): DemoFile[] {
    return volumeFiles(this.site, this.weather, instantMs)
  }

  private product(shortName: string): SiteProduct {
    return productNamed(this.site.products, shortName)
  }

  private plan(product: SiteProduct): SchedulePlan {
    const anchor = this.anchor
    return {
      seed: this.seed,
      frameSeconds: product.frameSeconds,
      complete: anchor ? [...this.events, completeAround(anchor)] : this.events,
      isGap: anchor && ((instantMs) => isAnchoredGap(instantMs, anchor)),
    }
  }

  private unseenOf(product: SiteProduct): Uint32Array {
    let cells = this.unseen.get(product.shortName)
    if (cells === undefined) {
      cells = unseenCells(product, this.site.radar)
      this.unseen.set(product.shortName, cells)
    }
    return cells
  }
}
