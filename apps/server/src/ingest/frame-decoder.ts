import type { SitePolarimetry, SiteProduct } from '@radx/contracts'
import { FormatError } from '@radx/contracts/errors'
import type { GridGeometry } from '@radx/contracts/grid-geometry'
import type { RadarVolume } from '@radx/contracts/radar-volume'
import { type Hdf5Limits, Hdf5Reader } from '@radx/formats/hdf5/reader'
import { type RainbowPicture, readRainbowPicture } from '@radx/formats/rainbow5/product'
import {
  lowestReflectivitySweep,
  type Rainbow5Sensor,
  type RainbowVolume,
  readRainbowVolume,
} from '@radx/formats/rainbow5/volume'
import { joinVolumes } from '@radx/formats/volume/join'
import { fromRainbow } from '@radx/formats/volume/rainbow'
import type { MeltingLayer } from '@radx/polarimetry/melting'
import { encodeQuality, encodeRates, RATE_NO_DATA } from '@radx/rainfall'
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
import { meltingAt, type SeenMelting } from './melting-at.ts'
import { unknownProduct, wrongGrid, wrongProduct } from './refusal.ts'
import { groundRain, type KnownRadar, placedVolume } from './volume-rain.ts'

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
  /** Quality of its cells (`encodeQuality`); absent where nothing is known of it. */
  quality?: Uint8Array
  /** What was recognised, in French. */
  notes?: string[]
  /** Names of other files of its volume that could not be read. */
  damaged?: string[]
  /** Where snow melts, as other instruments knew it and the volume did not show. */
  melting?: MeltingLayer | null
  /** It rains, and nobody told where snow melts. */
  lacksMelting?: boolean
}

export interface DecodeRequest {
  kind: FrameKind
  /** File name: its extension names the product of a Rainbow file that does not name it inside. */
  name: string
  /** Product that the drop folder or the command names; null when none does. */
  product: string | null
  /** Product of files that name none. */
  fallbackProduct: string
  /** The other files of a Rainbow 5 volume by moment. */
  others?: { name: string; bytes: Buffer }[]
  /** Files of the volume are missing: what is left is made the best of. */
  isPartial?: boolean
  /** What other instruments saw of the melting layer. */
  melting?: readonly SeenMelting[]
}

/** Corners of a file and of the site agree within this share of a cell. */
const CORNER_TOLERANCE_CELLS = 0.02

/** Turns instrument files into frames of the site's products. Keeps what is the same from file to file. */
export class FrameDecoder {
  private readonly products: Map<string, SiteProduct>
  private readonly radar: KnownRadar
  private readonly polarimetry: SitePolarimetry
  private readonly polar = new Map<string, PolarCells>()
  private readonly maps = new Map<string, { nearest: NearestMap } | { area: AreaMap }>()
  /** Our code of every code of a file, by the file's table of rates. */
  private readonly tables = new WeakMap<Float32Array, Uint16Array>()
  private scratch = new Uint16Array()
  /** In a thread of its own: some damaged files keep the HDF5 library busy for ever, or fill the memory. */
  private readonly hdf5: Hdf5Reader

  constructor(
    products: SiteProduct[],
    radar: KnownRadar,
    polarimetry: SitePolarimetry,
    limits: Hdf5Limits = {},
  ) {
    this.products = new Map(products.map((product) => [product.shortName, product]))
    this.radar = radar
    this.polarimetry = polarimetry
    this.hdf5 = new Hdf5Reader(limits)
  }

  /** @throws FormatError or IngestRefusal */
  async decode(bytes: Buffer, request: DecodeRequest): Promise<DecodedFrame> {
    if (request.kind === 'rainbow5-product') return this.rainbowProduct(bytes, request)
    return request.kind === 'odim' ? this.odim(bytes, request) : this.rainbowVolume(bytes, request)
  }

  /** Ends its thread; it starts again with the next file that needs it. */
  close(): Promise<void> {
    return this.hdf5.close()
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
    { product: asked, fallbackProduct, melting }: DecodeRequest,
  ): Promise<DecodedFrame> {
    const product = this.named(asked ?? fallbackProduct)
    const file = await this.hdf5.readOdim(bytes).catch((error: unknown) => {
      if (mayBePolar(error)) return null
      throw error
    })
    if (!file) return this.hdf5Volume(bytes, product, melting)
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

  private async hdf5Volume(
    bytes: Buffer,
    product: SiteProduct,
    melting: DecodeRequest['melting'],
  ): Promise<DecodedFrame> {
    const volume = await this.hdf5.readVolume(bytes)
    const frame = this.polarFrame(volume, product, melting)
    if (!frame)
      throw new FormatError(
        'odim.noReflectivity',
        'Aucun balayage de ce volume n’a de réflectivité (DBZH ou TH). Demandez au fournisseur un volume qui en ait.',
      )
    return frame
  }

  /** A polar volume taken from its moments to rain; null without reflectivity. */
  private polarFrame(
    volume: RadarVolume,
    product: SiteProduct,
    seen: readonly SeenMelting[] = [],
  ): DecodedFrame | null {
    const placed = placedVolume(volume, this.radar)
    const { site, format, wavelengthM, beamWidthDeg = null } = placed
    const known = meltingAt(seen, Date.parse(volume.sweeps[0]?.datetime ?? ''))
    const rain = groundRain(placed, this.cellsOf(product, site), this.polarimetry, known)
    if (!rain) return null
    const codes = encodeRates(rain.rateMmH)
    if (codes.every((code) => code === RATE_NO_DATA)) throw wrongGrid(product.shortName)
    return {
      product,
      timeMs: Date.parse(rain.datetime),
      codes,
      version: format,
      name: 'volume polarimétrique',
      sensor: { name: site.name, wavelengthM, beamwidthDeg: beamWidthDeg, altitudeM: volume.site.altitudeM },
      quality: encodeQuality(rain.quality),
      notes: rain.notes,
      melting: rain.melting === known ? known : null,
      lacksMelting: rain.melting === null && rain.rateMmH.some((rate) => rate > 0),
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

  /** By the chain of polarimetry where a moment or a missing file asks for it, else by the lowest reflectivity alone. */
  private rainbowVolume(bytes: Buffer, request: DecodeRequest): DecodedFrame {
    const { product: asked, fallbackProduct, isPartial = false, melting } = request
    const product = this.named(asked ?? fallbackProduct)
    const file = readRainbowVolume(bytes)
    const { volumes, damaged } = readable(request.others ?? [])
    const joined = joinVolumes([file, ...volumes].map(fromRainbow))
    const chain = isPartial || joined.sweeps.some(({ moments }) => POLARIMETRIC.some((name) => moments[name]))
    const frame = chain ? this.polarFrame(joined, product, melting) : null
    if (frame)
      return { ...frame, version: file.version, name: file.name, sensor: sensorOf(file.sensor), damaged }
    const reflectivity = [file, ...volumes].find(({ sweeps }) => sweeps.some(isReflectivity)) ?? file
    return { ...this.plainVolume(reflectivity, product), damaged }
  }

  private plainVolume(volume: RainbowVolume, product: SiteProduct): DecodedFrame {
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

/** Moments that the chain makes more of than of reflectivity alone. */
const POLARIMETRIC = ['PHIDP', 'ZDR', 'RHOHV', 'KDP']

const isReflectivity = ({ quantity }: RainbowVolume['sweeps'][number]) => /^dBu?Z$/i.test(quantity)

/** Files of a volume that can be read, and the names of those that cannot. */
function readable(files: { name: string; bytes: Buffer }[]): { volumes: RainbowVolume[]; damaged: string[] } {
  const volumes: RainbowVolume[] = []
  const damaged: string[] = []
  for (const { name, bytes } of files)
    try {
      volumes.push(readRainbowVolume(bytes))
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      damaged.push(name)
    }
  return { volumes, damaged }
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
