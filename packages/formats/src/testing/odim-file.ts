import { File, FS, type Group } from 'h5wasm'

/** The library writes a whole number as one of 64 bits: a very large one has to come as an array. */
export type Attributes = Record<string, string | number | Float64Array>

/** A group of attributes. */
export function attributes(parent: Group, name: string, values: Attributes): Group {
  const made = parent.create_group(name)
  for (const [key, value] of Object.entries(values)) if (value !== '') made.create_attribute(key, value)
  return made
}

/** A dataset with its attributes, and those of its data. */
export interface Layer {
  what: Attributes
  data: Uint8Array | Uint16Array | Int32Array | Float32Array | Float64Array
  dataWhat?: Attributes
  /** @default 2 x 3 */
  shape?: number[]
}

/** Where those cells lie. */
export const WHERE: Attributes = {
  projdef: '+proj=longlat +datum=WGS84 +no_defs',
  LL_lon: 2,
  LL_lat: 48,
  UR_lon: 3.5,
  UR_lat: 49,
  xsize: 3,
  ysize: 2,
}

export const RATE: Layer = { what: { quantity: 'RATE' }, data: Float32Array.of(0, 1, 2, 3, 4, 5) }

let made = 0

/** An ODIM file, of 2 x 3 cells where a layer does not say otherwise; attributes of '' are left out. */
export function odim(
  layers: Layer[],
  {
    what = {},
    where = WHERE,
    how,
    change,
  }: { what?: Attributes; where?: Attributes; how?: Attributes; change?: (file: File) => void } = {},
): Uint8Array {
  const path = `/odim-${made++}.h5`
  const file = new File(path, 'w')
  file.create_attribute('Conventions', 'ODIM_H5/V2_2')
  attributes(file, 'what', { object: 'COMP', date: '20240131', time: '235500', source: 'ORG:247', ...what })
  attributes(file, 'where', where)
  if (how) attributes(file, 'how', how)
  for (const [i, layer] of layers.entries()) {
    const set = file.create_group(`dataset${i + 1}`)
    attributes(set, 'what', layer.what)
    const part = set.create_group('data1')
    if (layer.dataWhat) attributes(part, 'what', layer.dataWhat)
    part.create_dataset({ name: 'data', data: layer.data, shape: layer.shape ?? [2, 3] })
  }
  change?.(file)
  file.close()
  const bytes = (FS as unknown as { readFile(path: string): Uint8Array }).readFile(path)
  FS!.unlink(path)
  return bytes
}
