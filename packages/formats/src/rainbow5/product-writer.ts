import { deflateSync } from 'node:zlib'
import { escapeXml } from '../xml.ts'
import { type Coding, codeStep, valueEncoder } from './coding.ts'
import type { Rainbow5Sensor } from './header.ts'
import type { ProductCorners, RainUnit } from './product.ts'

/** What a Rainbow 5 rain product is written from; a product that was read fits. */
export interface RainbowProductInput {
  /** @default '5.43.11' */
  version?: string
  name: string
  /** Type in lower case: `sri`, `dpsri`. */
  type: string
  /** ISO 8601 UTC, written to the second. */
  datetime: string
  sensor: Rainbow5Sensor
  ncols: number
  nrows: number
  corners: ProductCorners
  /** Plane in which rows and columns are regular; `aeqd` has its centre at the sensor unless `proj4` says otherwise. */
  projection: { kind: 'latlon' | 'aeqd'; proj4?: string }
  /**
   * Codes. Without `min` and `max`: dBR from -31.5 to 95.5 as the instruments use (steps of 0.5 dB in 8
   * bits, 0.002 dB in 16), linear from one step, of 0.5 mm/h in 8 bits and of 0.01 mm/h in 16 bits.
   */
  coding: { depth: 8 | 16; unit: RainUnit; min?: number; max?: number }
  /** mm/h, `[row * ncols + col]`, row 0 north; NaN = no data, 0 = no echo. */
  rateMmH: Float32Array
}

const DEFAULT_VERSION = '5.43.11'

function resolveCoding({ depth, unit, min, max }: RainbowProductInput['coding']): Coding {
  if (unit === 'dBR') return { depth, min: min ?? -31.5, max: max ?? 95.5 }
  const step = depth === 8 ? 0.5 : 0.01
  const low = min ?? step
  return { depth, min: low, max: max ?? low + step * (2 ** depth - 2) }
}

/**
 * Writes a Rainbow 5 rain product; the same input gives the same bytes. A rate is written as the nearest
 * code: below half a step under the scale it becomes no echo, above the scale the last code, as on the
 * instrument.
 * @throws RangeError where the array does not hold nrows x ncols values
 */
export function writeRainbowProduct(product: RainbowProductInput): Uint8Array {
  const { nrows, ncols, rateMmH } = product
  if (rateMmH.length !== nrows * ncols)
    throw new RangeError(`rateMmH holds ${rateMmH.length} values, not ${nrows} x ${ncols}`)
  const coding = resolveCoding(product.coding)
  const codes = Buffer.alloc((rateMmH.length * coding.depth) / 8)
  const flags = Buffer.alloc(Math.ceil(rateMmH.length / 8))
  const lowest = coding.min - codeStep(coding) / 2
  const decibels = product.coding.unit === 'dBR'
  const encode = valueEncoder(coding)
  let wettest = Number.NEGATIVE_INFINITY
  let driest = Number.POSITIVE_INFINITY
  for (let i = 0; i < rateMmH.length; i++) {
    const rate = rateMmH[i]
    if (Number.isNaN(rate)) {
      flags[i >> 3] |= 0x80 >> (i & 7)
      continue
    }
    if (!(rate > 0)) continue
    const coded = decibels ? 10 * Math.log10(rate) : rate
    if (coded < lowest) continue
    const code = encode(coded)
    if (coding.depth === 8) codes[i] = code
    else codes.writeUInt16BE(code, i * 2)
    if (coded > wettest) wettest = coded
    if (coded < driest) driest = coded
  }
  const header = headerXml(product, coding, driest <= wettest ? { driest, wettest } : undefined)
  return Buffer.concat([Buffer.from(header), blob(0, codes), blob(1, flags)])
}

function headerXml(
  product: RainbowProductInput,
  coding: Coding,
  found: { driest: number; wettest: number } | undefined,
): string {
  const { sensor, corners, nrows, ncols } = product
  const at = new Date(product.datetime).toISOString()
  const [date, time] = [at.slice(0, 10), at.slice(11, 19)]
  const type = product.coding.unit === 'dBR' ? 'dBR' : 'R'
  const aeqd = product.projection.kind === 'aeqd'
  const range = found ? ` mindata="${found.driest.toFixed(3)}" maxdata="${found.wettest.toFixed(3)}"` : ''
  const optional = (name: string, value: number | null): string =>
    value === null ? '' : `         <${name}>${value}</${name}>\n`
  return `<product version="${escapeXml(product.version ?? DEFAULT_VERSION)}" datetime="${date}T${time}" name="${escapeXml(product.name)}" owner="" type="${escapeXml(product.type)}">
   <data date="${date}" time="${time}" type="${type}">
      <sensorinfo type="dualpol" id="${escapeXml(sensor.id)}" name="${escapeXml(sensor.name)}">
         <lon>${sensor.lon}</lon>
         <lat>${sensor.lat}</lat>
${optional('alt', sensor.altitudeM)}${optional('wavelen', sensor.wavelengthM)}${optional('beamwidth', sensor.beamwidthDeg)}      </sensorinfo>
      <radarpicture placeid="top" type="${type}" min="${coding.min}" max="${coding.max}"${range}>
         <datamap blobid="0" rows="${nrows}" columns="${ncols}" depth="${coding.depth}"/>
         <flagmap blobid="1" rows="${nrows}" columns="${ncols}" depth="1"/>
         <projection type="${aeqd ? 'aeqd' : 'latlon'}" lat_ul="${corners.latUl}" lon_ul="${corners.lonUl}" lat_lr="${corners.latLr}" lon_lr="${corners.lonLr}" size_x="${ncols}" size_y="${nrows}">
${aeqd ? (product.projection.proj4 ? `            <proj4string>${escapeXml(product.projection.proj4)}</proj4string>\n` : `            <lon_0>${sensor.lon}</lon_0>\n            <lat_0>${sensor.lat}</lat_0>\n`) : ''}         </projection>
      </radarpicture>
   </data>
</product>
<!-- END XML -->
`
}

/** One block: its content's length, 4 bytes big-endian, before a zlib stream. */
export function blob(id: number, content: Buffer): Buffer {
  // Level 4: measured on rain fields, five times as fast as 6 and 3 % larger.
  const packed = deflateSync(content, { level: 4 })
  const size = Buffer.alloc(4)
  size.writeUInt32BE(content.length)
  return Buffer.concat([
    Buffer.from(`<BLOB blobid="${id}" size="${packed.length + 4}" compression="qt">\n`),
    size,
    packed,
    Buffer.from('\n</BLOB>\n'),
  ])
}
