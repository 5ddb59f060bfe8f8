import type { GridGeometry } from '@radx/contracts/grid-geometry'
import type { Group } from 'h5wasm'
import { newHdf5, writeText } from '../hdf5/write.ts'
import { LONGLAT, lonLatOf } from '../projection.ts'

/** A rain picture to be written as an ODIM composite. */
export interface OdimComposite {
  geometry: GridGeometry
  /** Nominal time, ISO 8601 UTC. */
  datetime: string
  /** Such as `NOD:frmtc,ORG:RadX`. */
  source: string
  /** Of the quantity, such as `SURF`. */
  product: string
  /** mm/h, `[row * ncols + col]`, row 0 north; NaN = no data, 0 = no echo. */
  rateMmH: Float32Array
  /** Attributes of `how`: what was done to the data. */
  how: Record<string, string | number>
  /** Of each cell in hundredths, 255 unknown; written as the quality of the rates. */
  quality?: Uint8Array | null
}

/** Name of our quality among those of ODIM (`how/task` of a quality group). */
export const ODIM_QUALITY_TASK = 'org.radx.quality.total'
const QUALITY_UNKNOWN = 255

const NO_DATA = -9999

/**
 * Writes a rain rate composite as ODIM_H5/V2_4 (OPERA 2021): 32-bit rates, `nodata` -9999, `undetect` 0.
 * @throws RangeError when the field has another size than the grid or the projection cannot be computed
 */
export function writeOdimComposite(picture: OdimComposite): Promise<Uint8Array> {
  const { geometry, rateMmH } = picture
  const { nrows, ncols } = geometry
  if (rateMmH.length !== nrows * ncols)
    throw new RangeError(`${rateMmH.length} values on ${nrows} x ${ncols}`)
  const [date, time] = [
    picture.datetime.slice(0, 10).replaceAll('-', ''),
    picture.datetime.slice(11, 19).replaceAll(':', ''),
  ]
  return newHdf5((file) => {
    writeText(file, 'Conventions', 'ODIM_H5/V2_4')
    texts(file.create_group('what'), {
      object: 'COMP',
      version: 'H5rad 2.4',
      date,
      time,
      source: picture.source,
    })
    writeWhere(file.create_group('where'), geometry)
    const how = file.create_group('how')
    for (const [name, value] of Object.entries(picture.how))
      if (typeof value === 'string') writeText(how, name, value)
      else how.create_attribute(name, value, null, '<d')
    const set = file.create_group('dataset1')
    texts(set.create_group('what'), {
      product: picture.product,
      quantity: 'RATE',
      startdate: date,
      starttime: time,
      enddate: date,
      endtime: time,
    })
    const part = set.create_group('data1')
    const what = part.create_group('what')
    writeText(what, 'quantity', 'RATE')
    for (const [name, value] of Object.entries({ gain: 1, offset: 0, nodata: NO_DATA, undetect: 0 }))
      what.create_attribute(name, value, null, '<d')
    writeImage(
      part,
      rateMmH.map((v) => (v >= 0 ? v : NO_DATA)),
      geometry,
    )
    if (picture.quality) writeQuality(part.create_group('quality1'), picture.quality, geometry)
  })
}

function writeQuality(group: Group, quality: Uint8Array, geometry: GridGeometry): void {
  if (quality.length !== geometry.nrows * geometry.ncols)
    throw new RangeError(`${quality.length} qualities on ${geometry.nrows} x ${geometry.ncols}`)
  const what = group.create_group('what')
  writeText(what, 'quantity', 'QIND')
  for (const [name, value] of Object.entries({
    gain: 0.01,
    offset: 0,
    nodata: QUALITY_UNKNOWN,
    undetect: QUALITY_UNKNOWN,
  }))
    what.create_attribute(name, value, null, '<d')
  const how = group.create_group('how')
  writeText(how, 'task', ODIM_QUALITY_TASK)
  writeImage(group, quality, geometry)
}

function writeImage(group: Group, values: Float32Array | Uint8Array, { nrows, ncols }: GridGeometry): void {
  const data = group.create_dataset({
    name: 'data',
    data: values,
    shape: [nrows, ncols],
    dtype: values instanceof Uint8Array ? '<B' : '<f',
    chunks: [Math.min(nrows, 256), Math.min(ncols, 256)],
    compression: 'gzip',
    compression_opts: 4,
  })
  writeText(data, 'CLASS', 'IMAGE')
  writeText(data, 'IMAGE_VERSION', '1.2')
}

function texts(group: Group, values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) writeText(group, name, value)
}

function writeWhere(where: Group, geometry: GridGeometry): void {
  const { proj4, left, right, top, bottom, nrows, ncols } = geometry
  const toDegrees = proj4 === LONGLAT ? (point: [number, number]) => point : lonLatOf(proj4)
  if (!toDegrees) throw new RangeError(`no inverse of « ${proj4} »`)
  writeText(where, 'projdef', proj4)
  const numbers: Record<string, number> = {
    xscale: (right - left) / ncols,
    yscale: (top - bottom) / nrows,
  }
  const corners = { LL: [left, bottom], UL: [left, top], UR: [right, top], LR: [right, bottom] } as const
  for (const [name, [x, y]] of Object.entries(corners)) {
    const [lon, lat] = toDegrees([x, y])
    numbers[`${name}_lon`] = lon
    numbers[`${name}_lat`] = lat
  }
  for (const [name, value] of Object.entries(numbers)) where.create_attribute(name, value, null, '<d')
  for (const [name, value] of Object.entries({ xsize: ncols, ysize: nrows }))
    where.create_attribute(name, value, null, '<q')
}
