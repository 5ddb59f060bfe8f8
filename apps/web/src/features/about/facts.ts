import type { PublicSite } from '@radx/contracts/site'
import { LOCALE } from '@radx/locale/language'
import type { RadarFacts } from '../../texts/about.ts'

/** Speed of light in vacuum, m/s (exact, SI 2019). */
const LIGHT_M_S = 299_792_458
/** Length of a degree of latitude on the mean sphere of 6,371 km, km. */
const KM_PER_DEGREE = 111.195

const number = (value: number, digits = 0) =>
  value.toLocaleString(LOCALE, { minimumFractionDigits: 0, maximumFractionDigits: digits })

/** What the prose says of the radar, from the site's configuration. */
export function radarFacts({ radar, products, defaultProduct }: PublicSite): RadarFacts {
  const product = products.find((item) => item.shortName === defaultProduct) ?? products[0]
  const cellM = ((product.bounds.ul.lat - product.bounds.lr.lat) / product.steps) * KM_PER_DEGREE * 1000
  return {
    name: radar.name,
    wavelength: `${number(radar.wavelengthM * 100, 1)} cm`,
    frequency: `${number(LIGHT_M_S / radar.wavelengthM / 1e9, 1)} GHz`,
    beamwidth: `${number(radar.beamwidthDeg, 1)}°`,
    altitude: `${number(radar.altitudeM)} m`,
    range: `${number(radar.rangeKm)} km`,
    frame: duration(product.frameSeconds),
    cell: `${number(Math.round(cellM / 10) * 10)} m`,
    product: product.shortName,
  }
}

function duration(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), Math.round(seconds % 60)]
  if (minutes === 0) return `${rest} s`
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
}
