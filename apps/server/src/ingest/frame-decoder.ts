import type { SiteProduct } from '@radx/contracts'
import { FormatError } from '@radx/contracts/errors'
import type { GridGeometry } from '@radx/contracts/grid-geometry'
import { type Hdf5Limits, Hdf5Reader } from '@radx/formats/hdf5/reader'
import { type RainbowPicture, readRainbowPicture } from '@radx/formats/rainbow5/product'
import {
  lowestReflectivitySweep,
  type Rainbow5Sensor,
  readRainbowVolume,
} from '@radx/formats/rainbow5/volume'
import { encodeRates, RATE_NO_DATA } from '@radx/rainfall'
import { type PolarCells, polarCells, type RadarPlace, rainFromSweep } from '@radx/rainfall/polar'
import {
  type AreaMap,
  areaMap,
  type NearestMap,
  nearestMap,
  regridArea,
  regridKey,
  regridNearest,
} from '@radx/rainfall/regrid'
import type { FrameSensor } from '../store/schema.ts'
import { unknownProduct, wrongGrid, wrongProduct } from './refusal.ts'
import { groundRain } from './volume-rain.ts'

export type FrameKind = 'rainbow5-product' | 'rainbow5-volume' | 'odim'

/** A file's frame on the grid of a product of the site. */
export interface DecodedFrame {
  product: SiteProduct
  timeMs: number
  /** Rate codes, `[row * steps + col]`, row 0 north; the decoder may use the array again for its next file. */
  codes: Uint16Array
  /** Version of the product as the file states it. */
  version: string
  name: string
  sensor: FrameSensor
  /** Factor that the file says its rain was adjusted by. */
  bias?: number | null
}

export interface DecodeRequest {
  kind: FrameKind
  /** File name: its extension names the product of a Rainbow file that does not name it inside. */
  name: string
  /** Product that the drop folder or the command names; null when none does. */
  product: string | null
  /** Product of files that name none. */
  fallbackProduct: string
}

/** Corners of a file and of the site agree within this share of a cell. */
const CORNER_TOLERANCE_CELLS = 0.02

/** The site's own radar; what a volume of it does not say is taken from here. */
export interface DecoderRadar {
  lat: number
  lng: number
  altitudeM: number
  wavelengthM?: number
  beamwidthDeg?: number
}

/** Turns instrument files into frames of the site's products. Keeps what is the same from file to file. */
export class FrameDecoder {
  private readonly products: Map<string, SiteProduct>
  private readonly radar: DecoderRadar
  private readonly polar = new Map<string, PolarCells>()
  private readonly maps = new Map<string, { nearest: NearestMap } | { area: AreaMap }>()
  /** Our code of every code of a file, by the file's table of rates. */
  private readonly tables = new WeakMap<Float32Array, Uint16Array>()
  private scratch = new Uint16Array()
  /** In a thread of its own: some damaged files keep the HDF5 library busy for ever, or fill the memory. */
  private readonly hdf5: Hdf5Reader

  constructor(products: SiteProduct[], radar: DecoderRadar, limits: Hdf5Limits = {}) {
    this.products = new Map(products.map((product) => [product.shortName, product]))
    this.radar = radar
    this.hdf5 = new Hdf5Reader(limits)
  }

  /** @throws FormatError or IngestRefusal */
  async decode(bytes: Buffer, request: DecodeRequest): Promise<DecodedFrame> {
    if (request.kind === 'rainbow5-product') return this.rainbowProduct(bytes, request)
    return request.kind === 'odim' ? this.odim(bytes, request) : this.rainbowVolume(bytes, request)
  }

  private named(name: string): SiteProduct {
    const product = this.products.get(name)
    if (!product) throw unknownProduct(name, [...this.products.keys()])
    return product
  }

  private rainbowProduct(bytes: Buffer, { name, product: asked }: DecodeRequest): DecodedFrame {
    const file = readRainbowPicture(bytes)
    const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1].toLowerCase() ?? ''
    const own = [file.type, extension].find((candidate) => this.products.has(candidate))
    if (asked !== null && own !== undefined && own !== asked) throw wrongProduct(own, asked)
    const product = this.named(own ?? asked ?? (file.type || extension))
    return {
      product,
      timeMs: Date.parse(file.datetime),
      codes: this.pictureCodes(file, product),
      version: file.version,
      name: file.name,
      sensor: sensorOf(file.sensor),
    }
  }

  private async odim(
    bytes: Buffer,
    { product: asked, fallbackProduct }: DecodeRequest,
  ): Promise<DecodedFrame> {
    const product = this.named(asked ?? fallbackProduct)
    const file = await this.hdf5.readOdim(bytes).catch((error: unknown) => {
      if (mayBePolar(error)) return null
      throw error
    })
    if (!file) return this.hdf5Volume(bytes, product)
    return {
      product,
      timeMs: Date.parse(file.datetime),
      codes: this.onGrid(file.rateMmH, file.geometry, product),
      version: file.conventions,
      name: `${file.object} ${file.quantity}`,
      sensor: { name: file.source, wavelengthM: null, beamwidthDeg: null, altitudeM: null },
      bias: file.bias,
    }
  }

  /** Straight from the file's codes to ours where the grid is the product's own, as the radar's products are. */
  private pictureCodes(file: RainbowPicture, product: SiteProduct): Uint16Array {
    if (!sameGrid(file.geometry, product)) {
      const rates = new Float32Array(file.nrows * file.ncols)
      return this.onGrid(file.lookUp(file.rateOfCode, Number.NaN, rates), file.geometry, product)
    }
    let table = this.tables.get(file.rateOfCode)
    if (!table) {
      table = encodeRates(file.rateOfCode)
      this.tables.set(file.rateOfCode, table)
    }
    if (this.scratch.length !== product.steps ** 2) this.scratch = new Uint16Array(product.steps ** 2)
    return file.lookUp(table, RATE_NO_DATA, this.scratch)
  }

  /**
   * Rates of another grid as codes of the product's own: the same grid as it is, a coarser one by the
   * nearest cell, a finer one by the mean over the area.
   */
  private onGrid(rateMmH: Float32Array, geometry: GridGeometry, product: SiteProduct): Uint16Array {
    if (sameGrid(geometry, product)) return encodeRates(rateMmH)
    const key = regridKey(geometry, product)
    let map = this.maps.get(key)
    if (!map) {
      if (this.maps.size >= 4) this.maps.clear()
      map = isFiner(geometry, product)
        ? { area: areaMap(geometry, product) }
        : { nearest: nearestMap(geometry, product) }
      this.maps.set(key, map)
    }
    const codes = encodeRates(
      'area' in map ? regridArea(rateMmH, map.area) : regridNearest(rateMmH, map.nearest),
    )
    if ('nearest' in map ? map.nearest.every((cell) => cell < 0) : map.area.source.length === 0)
      throw wrongGrid(product.shortName)
    return codes
  }

  /** A polar volume in HDF5, taken from its moments to rain. */
  private async hdf5Volume(bytes: Buffer, product: SiteProduct): Promise<DecodedFrame> {
    const volume = await this.hdf5.readVolume(bytes)
    const { site, format } = volume
    const { radar } = this
    const place = {
      lat: site.lat ?? radar.lat,
      lon: site.lon ?? radar.lng,
      altitudeM: site.altitudeM ?? radar.altitudeM,
    }
    const isOwn = Math.abs(place.lat - radar.lat) < 0.01 && Math.abs(place.lon - radar.lng) < 0.01
    const wavelengthM = volume.wavelengthM ?? (isOwn ? (radar.wavelengthM ?? null) : null)
    const beamWidthDeg = volume.beamWidthDeg ?? (isOwn ? (radar.beamwidthDeg ?? null) : null)
    const whole = { ...volume, wavelengthM, beamWidthDeg, site: { ...site, ...place } }
    const rain = groundRain(whole, place, this.cellsOf(product, place))
    if (!rain)
      throw new FormatError(
        'odim.noReflectivity',
        'Aucun balayage de ce volume n’a de réflectivité (DBZH ou TH). Demandez au fournisseur un volume qui en ait.',
      )
    const codes = encodeRates(rain.rateMmH)
    if (codes.every((code) => code === RATE_NO_DATA)) throw wrongGrid(product.shortName)
    return {
      product,
      timeMs: Date.parse(rain.datetime),
      codes,
      version: format,
      name: 'volume polarimétrique',
      sensor: { name: site.name, wavelengthM, beamwidthDeg: beamWidthDeg, altitudeM: site.altitudeM },
    }
  }

  private cellsOf(product: SiteProduct, place: RadarPlace): PolarCells {
    const key = `${product.shortName} ${place.lat} ${place.lon}`
    let cells = this.polar.get(key)
    if (!cells) {
      // A site has one radar or two: more places than that are a mix-up, and each takes megabytes.
      if (this.polar.size >= 4) this.polar.clear()
      cells = polarCells(place, product)
      this.polar.set(key, cells)
    }
    return cells
  }

  private rainbowVolume(bytes: Buffer, { product: asked, fallbackProduct }: DecodeRequest): DecodedFrame {
    const product = this.named(asked ?? fallbackProduct)
    const volume = readRainbowVolume(bytes)
    const sweep = lowestReflectivitySweep(volume)
    const { lat, lon, altitudeM } = volume.sensor
    const place = { lat, lon, altitudeM: altitudeM ?? this.radar.altitudeM }
    const cells = this.cellsOf(product, place)
    const codes = encodeRates(rainFromSweep(sweep, place, cells))
    if (codes.every((code) => code === RATE_NO_DATA)) throw wrongGrid(product.shortName)
    return {
      product,
      timeMs: Date.parse(sweep.datetime),
      codes,
      version: volume.version,
      name: volume.name,
      sensor: sensorOf(volume.sensor),
    }
  }
}

/** Whether what was no composite may be a polar volume: ODIM that says so, or HDF5 of another make. */
const mayBePolar = (error: unknown): boolean =>
  error instanceof FormatError &&
  ((error.code === 'odim.unsupported' && ['PVOL', 'SCAN'].includes(String(error.details.object))) ||
    (error.code === 'odim.badHeader' && error.details.attribute === 'what'))

const sensorOf = ({ name, wavelengthM, beamwidthDeg, altitudeM }: Rainbow5Sensor): FrameSensor => ({
  name,
  wavelengthM,
  beamwidthDeg,
  altitudeM,
})

/** Whether a file's grid is the product's own, cell by cell. */
function sameGrid(geometry: GridGeometry, { bounds, steps }: SiteProduct): boolean {
  if (!geometry.proj4.includes('+proj=longlat')) return false
  const { ul, lr } = bounds
  const near = (a: number, b: number, span: number) =>
    Math.abs(a - b) <= (Math.abs(span) / steps) * CORNER_TOLERANCE_CELLS
  return (
    geometry.ncols === steps &&
    geometry.nrows === steps &&
    near(geometry.left, ul.lng, lr.lng - ul.lng) &&
    near(geometry.right, lr.lng, lr.lng - ul.lng) &&
    near(geometry.top, ul.lat, ul.lat - lr.lat) &&
    near(geometry.bottom, lr.lat, ul.lat - lr.lat)
  )
}

/** m a degree of latitude. */
const DEGREE_M = 111_195

/** Whether the source's cells are clearly smaller than the product's. */
function isFiner(source: GridGeometry, { bounds, steps }: SiteProduct): boolean {
  const unit = /\+proj=(longlat|latlong|lonlat|latlon)\b/.test(source.proj4) ? DEGREE_M : 1
  const sourceM = ((source.top - source.bottom) / source.nrows) * unit
  const targetM = ((bounds.ul.lat - bounds.lr.lat) / steps) * DEGREE_M
  return sourceM < 0.75 * targetM
}
