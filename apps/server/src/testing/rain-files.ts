import type { Site } from '@radx/contracts'
import { radarFileName } from '@radx/demo'
import { writeRainbowProduct } from '@radx/formats/rainbow5/product'

export interface RainFileOptions {
  product?: string
  timeMs: number
  /** mm/h of cell i; NaN is no data. */
  rate?: (i: number) => number
  /** Size of the file's grid; that of the product by default. */
  steps?: number
}

/** A Rainbow 5 product of a site, with rain in part of it unless told otherwise. */
export function rainFile(site: Site, options: RainFileOptions): { name: string; bytes: Uint8Array } {
  const { product: name = site.defaultProduct, timeMs, rate = stripes(timeMs) } = options
  const product = site.products.find(({ shortName }) => shortName === name)!
  const { ul, lr } = product.bounds
  const steps = options.steps ?? product.steps
  const { position, altitudeM, wavelengthM, beamwidthDeg } = site.radar
  return {
    name: radarFileName(name, timeMs),
    bytes: writeRainbowProduct({
      name: name.toUpperCase(),
      type: name,
      datetime: new Date(timeMs).toISOString().replace(/\.\d+/, ''),
      sensor: {
        id: 'X',
        name: site.radar.name,
        lat: position.lat,
        lon: position.lng,
        altitudeM,
        wavelengthM,
        beamwidthDeg,
      },
      ncols: steps,
      nrows: steps,
      corners: { latUl: ul.lat, lonUl: ul.lng, latLr: lr.lat, lonLr: lr.lng },
      projection: { kind: 'latlon' },
      coding: { depth: 16, unit: 'linear' },
      rateMmH: Float32Array.from({ length: steps * steps }, (_, i) => rate(i)),
    }),
  }
}

/** Rain that differs from instant to instant; cell 0 has no data. */
const stripes = (timeMs: number) => (i: number) =>
  i === 0 ? Number.NaN : (i * 7 + timeMs / 1000) % 11 < 3 ? ((i * 13 + timeMs / 1000) % 900) / 100 : 0
