import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { cellCentre, decodeQualities, decodeRates } from '@radx/rainfall'
import type { Selection } from './selection.ts'
import { zipInto } from './zip-stream.ts'

const compress = promisify(zstdCompress)

/**
 * A selection as Zarr v3 in a zip: `rain_rate` (time, lat, lon) float32 mm/h with NaN for no data, one chunk
 * a frame, zstd; `rain_quality` of the same shape, 0 to 1, where any frame says something of it; coordinates time (s since 1970 UTC), lat and lon (cell centres). CF names and units; read by
 * xarray with `xr.open_zarr(zarr.storage.ZipStore(path))`. Memory stays at a few frames.
 * @throws what `out` fails with, such as a full disk
 */
export async function writeZarr(
  { product, frames, time }: Selection,
  codes: AsyncIterable<Uint16Array>,
  provenance: [string, string | number][],
  out: Writable,
  qualities: AsyncIterable<Uint8Array | null> | null = null,
): Promise<void> {
  const n = product.steps
  const { add, end } = zipInto(out)
  const json = (name: string, value: unknown) => add(name, Buffer.from(JSON.stringify(value, null, 1)))
  const numbers = (values: Float64Array | Float32Array) =>
    compress(Buffer.from(values.buffer, values.byteOffset, values.byteLength), {
      params: { [constants.ZSTD_c_compressionLevel]: 3 },
      // Written into the frame's header, without which zarr-python with numcodecs 0.16.0 refuses to read it.
      pledgedSrcSize: values.byteLength,
    })

  const arrays = {
    rain_rate: array([frames.length, n, n], [1, n, n], ['time', 'lat', 'lon'], 'float32', 'NaN', {
      standard_name: 'rainfall_rate',
      long_name: 'rain rate from weather radar',
      units: 'mm h-1',
    }),
    ...(qualities && {
      rain_quality: array([frames.length, n, n], [1, n, n], ['time', 'lat', 'lon'], 'float32', 'NaN', {
        long_name: 'quality of the radar rain, 0 to 1; missing where nobody knows',
        units: '1',
      }),
    }),
    represented_seconds: array([frames.length], [frames.length], ['time'], 'float64', 'NaN', {
      long_name: 'time that the frame stands for within the selection',
      units: 's',
    }),
    time: array([frames.length], [frames.length], ['time'], 'float64', 'NaN', {
      standard_name: 'time',
      units: 'seconds since 1970-01-01T00:00:00Z',
      calendar: 'standard',
    }),
    lat: array([n], [n], ['lat'], 'float64', 'NaN', { standard_name: 'latitude', units: 'degrees_north' }),
    lon: array([n], [n], ['lon'], 'float64', 'NaN', { standard_name: 'longitude', units: 'degrees_east' }),
  }
  const attributes = {
    Conventions: 'CF-1.11',
    title: `${product.longName}`,
    ...Object.fromEntries(provenance),
  }
  const metadata = Object.fromEntries(Object.entries(arrays))
  await json('zarr.json', {
    zarr_format: 3,
    node_type: 'group',
    attributes,
    consolidated_metadata: { kind: 'inline', must_understand: false, metadata },
  })
  for (const [name, value] of Object.entries(arrays)) await json(`${name}/zarr.json`, value)
  await add('time/c/0', await numbers(Float64Array.from(frames, ({ timeMs }) => timeMs / 1000)))
  await add('represented_seconds/c/0', await numbers(Float64Array.from(time.seconds)))
  await add(
    'lat/c/0',
    await numbers(Float64Array.from({ length: n }, (_, row) => cellCentre(product, row, 0).lat)),
  )
  await add(
    'lon/c/0',
    await numbers(Float64Array.from({ length: n }, (_, col) => cellCentre(product, 0, col).lng)),
  )
  let k = 0
  for await (const frame of codes) {
    await add(`rain_rate/c/${k++}/0/0`, await numbers(decodeRates(frame)))
  }
  k = 0
  // Chunks that are not there are missing values.
  for await (const quality of qualities ?? []) {
    if (quality) await add(`rain_quality/c/${k}/0/0`, await numbers(decodeQualities(quality)))
    k++
  }
  await end()
}

function array(
  shape: number[],
  chunk: number[],
  dimensions: string[],
  type: 'float32' | 'float64',
  fill: 'NaN',
  attributes: Record<string, string>,
) {
  return {
    zarr_format: 3,
    node_type: 'array',
    shape,
    data_type: type,
    chunk_grid: { name: 'regular', configuration: { chunk_shape: chunk } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: fill,
    codecs: [
      { name: 'bytes', configuration: { endian: 'little' } },
      { name: 'zstd', configuration: { level: 3, checksum: false } },
    ],
    attributes,
    dimension_names: dimensions,
  }
}
