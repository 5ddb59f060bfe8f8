import type { Group } from 'h5wasm'
import { newHdf5, writeText } from '../hdf5/write.ts'

type Values = Record<string, string | number>

function attributes(node: Group, values: Values): void {
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'string') writeText(node, name, value)
    else node.create_attribute(name, value)
}

function group(parent: Group, name: string, values: Values): Group {
  const made = parent.create_group(name)
  attributes(made, values)
  return made
}

/** A variable of a classic netCDF file: numbers, or characters of a text. */
interface ClassicVariable {
  dims: number[]
  values: number[] | string
  attributes?: Record<string, string | number>
}

/** A classic netCDF file of 64-bit offsets; a dimension of length 0 counts `records`. */
export function classicNetcdfBytes(
  dimensions: Record<string, number>,
  attributes: Record<string, string>,
  variables: Record<string, ClassicVariable>,
  records = 0,
): Uint8Array {
  const word = (n: number): Buffer => {
    const out = Buffer.alloc(4)
    out.writeUInt32BE(n)
    return out
  }
  const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])
  const name = (text: string): Buffer =>
    Buffer.concat([word(Buffer.byteLength(text)), padded(Buffer.from(text))])
  const doubles = (values: readonly number[]): Buffer => {
    const out = Buffer.alloc(8 * values.length)
    values.forEach((value, i) => {
      out.writeDoubleBE(value, 8 * i)
    })
    return out
  }
  const described = (values: Record<string, string | number> = {}): Buffer =>
    Buffer.concat([
      word(0x0c),
      word(Object.keys(values).length),
      ...Object.entries(values).flatMap(([key, value]) =>
        typeof value === 'string'
          ? [name(key), word(2), name(value)]
          : [name(key), word(6), word(1), doubles([value])],
      ),
    ])
  const all = Object.entries(variables)
  const lengths = Object.values(dimensions)
  const data = all.map(([, { values }]) =>
    padded(typeof values === 'string' ? Buffer.from(values) : doubles(values)),
  )
  const isRecord = ({ dims }: ClassicVariable): boolean => dims.length > 0 && lengths[dims[0]] === 0
  const header = (begins: readonly number[]): Buffer =>
    Buffer.concat([
      Buffer.from('CDF\u0002'),
      word(records),
      word(0x0a),
      word(lengths.length),
      ...Object.entries(dimensions).flatMap(([key, length]) => [name(key), word(length)]),
      described(attributes),
      word(0x0b),
      word(all.length),
      ...all.flatMap(([key, { dims, values, attributes }], i) => [
        name(key),
        word(dims.length),
        ...dims.map(word),
        described(attributes),
        word(typeof values === 'string' ? 2 : 6),
        word(data[i].length),
        word(0),
        word(begins[i]),
      ]),
    ])
  const begins = all.map(() => 0)
  let at = header(begins).length
  const body: Buffer[] = []
  all.forEach(([, variable], i) => {
    if (isRecord(variable)) return
    begins[i] = at
    at += data[i].length
    body.push(data[i])
  })
  // Records lie one after the other, each of all its variables.
  const rows = all.flatMap(([, variable], i) => (isRecord(variable) ? [i] : []))
  let first = at
  for (const i of rows) {
    begins[i] = first
    first += data[i].length / records
  }
  for (let record = 0; record < records; record++)
    for (const i of rows) {
      const size = data[i].length / records
      body.push(data[i].subarray(record * size, (record + 1) * size))
    }
  return Buffer.concat([header(begins), ...body])
}

/** `cfRadialBytes` in classic netCDF, its rays as records, with what is given changed. */
export function classicCfRadialBytes(changes: Record<string, ClassicVariable> = {}): Uint8Array {
  const one = (value: number): ClassicVariable => ({ dims: [], values: [value] })
  return classicNetcdfBytes(
    { time: 0, range: 2, sweep: 1, text: 32, points: 7 },
    { Conventions: 'CF/Radial-1.3', instrument_name: 'essai' },
    {
      time: { dims: [0], values: [0, 1, 2, 3], attributes: { units: 'seconds since 2024-05-01T12:00:00Z' } },
      azimuth: { dims: [0], values: [0, 90, 180, 270] },
      elevation: { dims: [0], values: [1, 1, 1, 1] },
      fixed_angle: { dims: [2], values: [1] },
      range: { dims: [1], values: [125, 375] },
      sweep_start_ray_index: { dims: [2], values: [0] },
      sweep_end_ray_index: { dims: [2], values: [3] },
      frequency: { dims: [2], values: [5.45e9] },
      latitude: one(48),
      longitude: one(2),
      altitude: one(100),
      reflectivity: { dims: [0, 1], values: [1, 2, 3, 4, 5, 6, 7, 8] },
      ...changes,
    },
    4,
  )
}

const CODES = Uint8Array.of(0, 255, 100, 64, 1, 2, 3, 4)
const SITE = { lat: 48, lon: 2, height: 100 }

/** An ODIM volume of one sweep, 4 rays x 2 gates, DBZH and RHOHV. */
export function odimVolumeBytes(): Promise<Uint8Array> {
  return newHdf5((file) => {
    group(file, 'what', { object: 'PVOL', date: '20240501', time: '120000', source: 'NOD:frtes' })
    group(file, 'where', SITE)
    const set = file.create_group('dataset1')
    group(set, 'where', { elangle: 1.5, rstart: 1, rscale: 250 })
    for (const [i, quantity] of ['DBZH', 'RHOHV'].entries()) {
      const layer = set.create_group(`data${i + 1}`)
      group(layer, 'what', { quantity, gain: 0.5, offset: -32, nodata: 255, undetect: 0 })
      layer.create_dataset({ name: 'data', data: CODES, shape: [4, 2], dtype: '<B' })
    }
  })
}

/** A GAMIC volume of one scan, 4 rays x 2 gates, ZH and ZDR. */
export function gamicBytes(): Promise<Uint8Array> {
  return newHdf5((file) => {
    group(file, 'where', SITE)
    group(file, 'how', { site_name: 'essai' })
    const scan = file.create_group('scan0')
    group(scan, 'how', {
      timestamp: '2024-05-01T12:00:00.000Z',
      elevation: 1.5,
      range_step: 50,
      range_samples: 2,
      range_start: 0,
      radar_wave_length: 0.032,
    })
    for (const [i, moment] of ['Zh', 'ZDR'].entries()) {
      const data = scan.create_dataset({ name: `moment_${i}`, data: CODES, shape: [4, 2], dtype: '<B' })
      writeText(data as unknown as Group, 'moment', moment)
      data.create_attribute('dyn_range_min', -32)
      data.create_attribute('dyn_range_max', 95)
    }
    scan.create_dataset({
      name: 'ray_header',
      data: new Map([
        ['azimuth_start', Float64Array.of(0, 90, 180, 270)],
        ['azimuth_stop', Float64Array.of(90, 180, 270, 360)],
      ]),
      shape: [4],
      dtype: [
        ['azimuth_start', '<d'],
        ['azimuth_stop', '<d'],
      ],
    } as unknown as Parameters<Group['create_dataset']>[0])
  })
}

/** A CfRadial 1 volume of one sweep, 4 rays x 2 gates. */
export function cfRadialBytes(): Promise<Uint8Array> {
  return newHdf5((file) => {
    attributes(file, { Conventions: 'CF/Radial-1.3', instrument_name: 'essai' })
    const table = (name: string, values: number[], shape?: number[]) =>
      file.create_dataset({ name, data: Float64Array.from(values), shape, dtype: '<d' })
    const time = table('time', [0, 1, 2, 3])
    writeText(time as unknown as Group, 'units', 'seconds since 2024-05-01T12:00:00Z')
    table('azimuth', [0, 90, 180, 270])
    table('elevation', [1, 1, 1, 1])
    table('fixed_angle', [1])
    table('range', [125, 375])
    table('sweep_start_ray_index', [0])
    table('sweep_end_ray_index', [3])
    table('frequency', [5.45e9])
    table('latitude', [48])
    table('longitude', [2])
    table('altitude', [100])
    table('reflectivity', [1, 2, 3, 4, 5, 6, 7, 8], [4, 2])
  })
}
