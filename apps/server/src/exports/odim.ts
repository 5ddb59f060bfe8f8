import type { Writable } from 'node:stream'
import { RADX_VERSION, type Site } from '@radx/contracts'
import { LONGLAT } from '@radx/formats/projection'
import { decodeRates } from '@radx/rainfall'
import type { StoredProduct } from '../store/catalog.ts'
import { zipInto } from './zip-stream.ts'

/** Frames of a product as they come, to be written as ODIM composites. */
export interface OdimFrames {
  product: StoredProduct
  radar: Pick<Site['radar'], 'name'>
  timesMs: readonly number[]
  codes: AsyncIterable<Uint16Array>
  /** Of the same frames; null for one that says nothing. */
  qualities: AsyncIterable<Uint8Array | null>
  /** Factors that the rain of the frames was adjusted by; null for the original. */
  factors: readonly number[] | null
}

/** Each frame as an ODIM_H5 composite of RATE with its quality, and what the file is called. */
export async function* odimComposites(
  frames: OdimFrames,
): AsyncGenerator<{ name: string; bytes: Uint8Array }> {
  // The library of HDF5 takes a tenth of a second to load.
  const { writeOdimComposite } = await import('@radx/formats/odim/composite-writer')
  const { product, radar, timesMs, codes, qualities, factors } = frames
  const { ul, lr } = product.bounds
  const { steps } = product
  const geometry = {
    proj4: LONGLAT,
    left: ul.lng,
    right: lr.lng,
    top: ul.lat,
    bottom: lr.lat,
    ncols: steps,
    nrows: steps,
  }
  const known = qualities[Symbol.asyncIterator]()
  let k = 0
  for await (const frame of codes) {
    const datetime = new Date(timesMs[k]).toISOString()
    const { value: quality } = await known.next()
    const bytes = await writeOdimComposite({
      geometry,
      datetime,
      source: `ORG:RadX,PLC:${radar.name}`,
      product: 'SURF',
      rateMmH: decodeRates(frame),
      how: { software: 'RadX', sw_version: RADX_VERSION, ...(factors && { bias: factors[k] }) },
      quality,
    })
    yield { name: odimName(product.shortName, datetime), bytes }
    k++
  }
}

/** `dpsri-20210704T155000Z.h5` */
export const odimName = (product: string, datetime: string): string =>
  `${product}-${datetime.slice(0, 19).replace(/[-:]/g, '')}Z.h5`

/** The same in one zip. @throws what `out` fails with, such as a full disk */
export async function writeOdimZip(frames: OdimFrames, out: Writable): Promise<void> {
  const { add, end } = zipInto(out)
  for await (const { name, bytes } of odimComposites(frames)) await add(name, bytes)
  await end()
}
