import type { Site, SiteProduct } from '@radx/contracts/site'
import { writeRainbowProduct } from '@radx/formats/rainbow5/product'
import { isoSeconds } from '@radx/locale/time'

export interface DemoFile {
  name: string
  bytes: Uint8Array
}

/** Name as the radar gives it: time to the hundredth, type, extension. */
export function radarFileName(product: string, instantMs: number): string {
  const digits = new Date(instantMs).toISOString().replace(/\D/g, '')
  return `${digits.slice(0, 14)}00${product}.${product}`
}

/** A Rainbow 5 product of 8 bits in dBR with its flag map. Rates in mm/h, NaN where the radar sees nothing. */
export function radarFile(
  site: Site,
  product: SiteProduct,
  instantMs: number,
  rateMmH: Float32Array,
): DemoFile {
  const { radar } = site
  const { ul, lr } = product.bounds
  return {
    name: radarFileName(product.shortName, instantMs),
    bytes: writeRainbowProduct({
      name: product.shortName,
      type: product.shortName,
      datetime: isoSeconds(instantMs),
      sensor: {
        id: site.id.toUpperCase(),
        name: radar.name,
        lat: radar.position.lat,
        lon: radar.position.lng,
        altitudeM: radar.altitudeM,
        wavelengthM: radar.wavelengthM,
        beamwidthDeg: radar.beamwidthDeg,
      },
      ncols: product.steps,
      nrows: product.steps,
      corners: { latUl: ul.lat, lonUl: ul.lng, latLr: lr.lat, lonLr: lr.lng },
      projection: { kind: 'latlon' },
      coding: { depth: 8, unit: 'dBR' },
      rateMmH,
    }),
  }
}
