import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { RADX_VERSION } from '@radx/contracts'
import { cellCentre, decodeRates, representativeness } from '@radx/rainfall'
import { iso } from '../../radar/api.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import type { Span } from '../../store/frame-index.ts'
import type { FramePlace } from '../../store/frame-reader.ts'
import type { Store } from '../../store/open-store.ts'

const compress = promisify(zstdCompress)

/** A period of a product as it is asked for, chunk by chunk. */
export interface ZarrSource {
  store: Store
  product: StoredProduct
  span: Span
  /** Frames of the span, oldest first. */
  places: FramePlace[]
}

type Arrays = Record<string, { array: ArrayMetadata; attributes: Record<string, unknown> }>

interface ArrayMetadata {
  zarr_format: 2
  shape: number[]
  chunks: number[]
  dtype: '<f4' | '<f8'
  compressor: { id: 'zstd'; level: number }
  fill_value: 'NaN'
  order: 'C'
  filters: null
}

/**
 * One object of a Zarr store, format 2 (zarr-specs, version 2): `rain_rate` (time, lat, lon) float32 mm/h with NaN for no
 * data, a chunk a frame, and the coordinates, with CF names and units as xarray reads them. Format 2, since every version
 * of zarr-python reads it. null for a key that the store does not have.
 */
export async function zarrObject(source: ZarrSource, key: string): Promise<Buffer | null> {
  const { product, places, span, store } = source
  const metadata = metadataOf(source)
  if (Object.hasOwn(metadata, key)) return json(metadata[key])
  if (key === '.zmetadata') return json({ zarr_consolidated_format: 1, metadata })
  const timesMs = places.map(({ timeMs }) => timeMs)
  const axis = (at: (k: number) => number) => Float64Array.from({ length: product.steps }, (_, k) => at(k))
  switch (key) {
    case 'time/0':
      return places.length === 0 ? null : packed(Float64Array.from(timesMs, (ms) => ms / 1000))
    case 'represented_seconds/0':
      return places.length === 0
        ? null
        : packed(Float64Array.from(representativeness(timesMs, span, product.frameSeconds).seconds))
    case 'lat/0':
      return packed(axis((row) => cellCentre(product, row, 0).lat))
    case 'lon/0':
      return packed(axis((col) => cellCentre(product, 0, col).lng))
  }
  const [, number] = /^rain_rate\/(\d{1,7})\.0\.0$/.exec(key) ?? []
  const place = number === undefined ? undefined : places[Number(number)]
  if (place === undefined) return null
  for await (const codes of store.index.codes(product, [place]))
    return packed(codes === null ? new Float32Array(product.steps ** 2) : decodeRates(codes))
  return null
}

/** In ASCII: zarr-python 2 reads nothing else. */
const json = (value: unknown): Buffer =>
  Buffer.from(
    JSON.stringify(value).replace(
      /[^\x20-\x7e]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )

const packed = (values: Float64Array | Float32Array): Promise<Buffer> =>
  compress(Buffer.from(values.buffer, values.byteOffset, values.byteLength), {
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
    // Written into the frame's header, without which zarr-python with numcodecs 0.16.0 refuses to read it.
    pledgedSrcSize: values.byteLength,
  })

/** Every small document of the store by its key. */
function metadataOf({ product, places, span }: ZarrSource): Record<string, unknown> {
  const n = product.steps
  const count = places.length
  const arrays: Arrays = {
    rain_rate: described([count, n, n], [1, n, n], '<f4', ['time', 'lat', 'lon'], {
      standard_name: 'rainfall_rate',
      long_name: 'rain rate from weather radar',
      units: 'mm h-1',
    }),
    represented_seconds: described([count], [Math.max(1, count)], '<f8', ['time'], {
      long_name: 'time that the frame stands for within the period',
      units: 's',
    }),
    time: described([count], [Math.max(1, count)], '<f8', ['time'], {
      standard_name: 'time',
      units: 'seconds since 1970-01-01T00:00:00Z',
      calendar: 'standard',
    }),
    lat: described([n], [n], '<f8', ['lat'], { standard_name: 'latitude', units: 'degrees_north' }),
    lon: described([n], [n], '<f8', ['lon'], { standard_name: 'longitude', units: 'degrees_east' }),
  }
  return {
    '.zgroup': { zarr_format: 2 },
    '.zattrs': {
      Conventions: 'CF-1.11',
      title: product.longName,
      source: `RadX ${RADX_VERSION}`,
      product: product.shortName,
      time_coverage_start: iso(span.startMs),
      time_coverage_end: iso(span.endMs),
    },
    ...Object.fromEntries(
      Object.entries(arrays).flatMap(([name, { array, attributes }]) => [
        [`${name}/.zarray`, array],
        [`${name}/.zattrs`, attributes],
      ]),
    ),
  }
}

function described(
  shape: number[],
  chunks: number[],
  dtype: ArrayMetadata['dtype'],
  dimensions: string[],
  attributes: Record<string, string>,
): Arrays[string] {
  return {
    array: {
      ...{ zarr_format: 2, shape, chunks, dtype, compressor: { id: 'zstd', level: 1 } },
      ...{ fill_value: 'NaN', order: 'C', filters: null },
    },
    attributes: { ...attributes, _ARRAY_DIMENSIONS: dimensions },
  }
}
