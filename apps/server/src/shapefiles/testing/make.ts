import { deflateRawSync } from 'node:zlib'

/** Writers of small, real layer files for tests: ESRI shapefile (1998 white paper), dBASE III, zip. */

/** A .shp of points in the file's own coordinates. */
export function makePointShp(points: [number, number][]): Buffer {
  const records = points.map(([x, y], i) => {
    const record = Buffer.alloc(28)
    record.writeInt32BE(i + 1, 0)
    record.writeInt32BE(10, 4)
    record.writeInt32LE(1, 8)
    record.writeDoubleLE(x, 12)
    record.writeDoubleLE(y, 20)
    return record
  })
  return shpFile(1, records)
}

/** A .shp with one polygon record; rings as in the file, outer ones clockwise. */
export function makePolygonShp(rings: [number, number][][]): Buffer {
  const points = rings.flat()
  const content = Buffer.alloc(44 + 4 * rings.length + 16 * points.length)
  content.writeInt32LE(5, 0)
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  ;[Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].forEach((v, i) => {
    content.writeDoubleLE(v, 4 + 8 * i)
  })
  content.writeInt32LE(rings.length, 36)
  content.writeInt32LE(points.length, 40)
  let start = 0
  rings.forEach((ring, i) => {
    content.writeInt32LE(start, 44 + 4 * i)
    start += ring.length
  })
  points.forEach(([x, y], i) => {
    content.writeDoubleLE(x, 44 + 4 * rings.length + 16 * i)
    content.writeDoubleLE(y, 52 + 4 * rings.length + 16 * i)
  })
  const header = Buffer.alloc(8)
  header.writeInt32BE(1, 0)
  header.writeInt32BE(content.length / 2, 4)
  return shpFile(5, [Buffer.concat([header, content])])
}

function shpFile(shapeType: number, records: Buffer[]): Buffer {
  const header = Buffer.alloc(100)
  header.writeInt32BE(9994, 0)
  header.writeInt32BE((100 + records.reduce((sum, r) => sum + r.length, 0)) / 2, 24)
  header.writeInt32LE(1000, 28)
  header.writeInt32LE(shapeType, 32)
  return Buffer.concat([header, ...records])
}

/** A .dbf with text columns of 40 bytes. */
export function makeDbf(columns: string[], rows: string[][], encoding: 'utf8' | 'latin1' = 'utf8'): Buffer {
  const width = 40
  const header = Buffer.alloc(32 + 32 * columns.length + 1)
  header.writeUInt8(3, 0)
  header.writeUInt32LE(rows.length, 4)
  header.writeUInt16LE(header.length, 8)
  header.writeUInt16LE(1 + width * columns.length, 10)
  columns.forEach((name, i) => {
    header.write(name, 32 + 32 * i, 'ascii')
    header.write('C', 32 + 32 * i + 11, 'ascii')
    header.writeUInt8(width, 32 + 32 * i + 16)
  })
  header.writeUInt8(13, header.length - 1)
  const records = rows.map((row) => {
    const record = Buffer.alloc(1 + width * columns.length, ' ')
    row.forEach((text, i) => {
      Buffer.from(text, encoding).copy(record, 1 + width * i, 0, width)
    })
    return record
  })
  return Buffer.concat([header, ...records, Buffer.from([26])])
}

/** A zip archive of deflated files. */
export function makeZip(files: Record<string, Uint8Array | string>): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content as Uint8Array)
    const packed = deflateRawSync(bytes)
    const path = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(bytes.length, 22)
    local.writeUInt16LE(path.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 6)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(bytes.length, 24)
    entry.writeUInt16LE(path.length, 28)
    entry.writeUInt32LE(offset, 42)
    locals.push(local, path, packed)
    directory.push(entry, path)
    offset += local.length + path.length + packed.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, central, end])
}

export const LAMBERT93_PRJ =
  'PROJCS["RGF_1993_Lambert_93",GEOGCS["GCS_RGF_1993",DATUM["D_RGF_1993",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",700000.0],PARAMETER["False_Northing",6600000.0],PARAMETER["Central_Meridian",3.0],PARAMETER["Standard_Parallel_1",44.0],PARAMETER["Standard_Parallel_2",49.0],PARAMETER["Latitude_Of_Origin",46.5],UNIT["Meter",1.0]]'

export const LAMBERT2E_PRJ =
  'PROJCS["NTF_Paris_Lambert_Zone_II",GEOGCS["GCS_NTF_Paris",DATUM["D_NTF",SPHEROID["Clarke_1880_IGN",6378249.2,293.4660212936265]],PRIMEM["Paris",2.337229166666667],UNIT["Grad",0.01570796326794897]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",600000.0],PARAMETER["False_Northing",2200000.0],PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",52.0],PARAMETER["Scale_Factor",0.99987742],PARAMETER["Latitude_Of_Origin",52.0],UNIT["Meter",1.0]]'

export const WGS84_PRJ =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]'
