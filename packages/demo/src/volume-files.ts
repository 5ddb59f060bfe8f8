import type { Site } from '@radx/contracts/site'
import { RAINBOW_MOMENTS, writeRainbowVolume } from '@radx/formats/rainbow5/volume-writer'
import { EARTH_RADIUS_M } from '@radx/rainfall/grid'
import { windAloft } from './climate.ts'
import { airTemperatureC, meltingHeightM } from './ground.ts'
import { wordSeed } from './noise.ts'
import type { DemoFile } from './radar-files.ts'
import { OBSTACLES } from './volume/obstacles.ts'
import type { Geometry, RainAt } from './volume/radar-view.ts'
import { type SeenVolume, seenVolume, VOLUME_GEOMETRY } from './volume/volume-view.ts'
import { VOLUME_EVERY_MS } from './volume-product.ts'
import type { Weather } from './weather.ts'

const RAD = Math.PI / 180
/** Cells of the truth over the whole range and back. */
const CELLS = 400

/** Rain at the ground within `rangeM` of the radar. */
function rainAround(weather: Weather, instantMs: number, rangeM: number): RainAt {
  const { lat, lng } = weather.options.origin
  const north = rangeM / (EARTH_RADIUS_M * RAD)
  const east = north / Math.cos(lat * RAD)
  const bounds = { ul: { lat: lat + north, lng: lng - east }, lr: { lat: lat - north, lng: lng + east } }
  const rate = weather.rateField({ bounds, steps: CELLS }, instantMs)
  const cellM = (2 * rangeM) / CELLS
  return (azimuthDeg, at) => {
    const col = Math.floor((rangeM + at * Math.sin(azimuthDeg * RAD)) / cellM)
    const row = Math.floor((rangeM - at * Math.cos(azimuthDeg * RAD)) / cellM)
    return col >= 0 && col < CELLS && row >= 0 && row < CELLS ? rate[row * CELLS + col] : 0
  }
}

/**
 * The demonstration's weather as the site's radar would see it: its rain and the melting layer that the micro rain radar sees,
 * with drop sizes, noise, obstacles and echoes of the ground.
 */
export function weatherVolume(
  site: Pick<Site, 'radar'>,
  weather: Weather,
  instantMs: number,
  geometry: Pick<Geometry, 'nrays' | 'nbins' | 'rangeStepM'> = VOLUME_GEOMETRY,
): SeenVolume {
  const { altitudeM } = site.radar
  const { seed } = weather.options
  const { eastKmH, northKmH } = windAloft(instantMs, seed)
  return seenVolume({
    site,
    instantMs,
    rainAt: rainAround(weather, instantMs, geometry.nbins * geometry.rangeStepM),
    scene: {
      meltingM: meltingHeightM(weather, instantMs) - altitudeM,
      obstacles: OBSTACLES,
      clutter: true,
      groundSeed: wordSeed('ground', seed),
      wind: { eastMS: eastKmH / 3.6, northMS: northKmH / 3.6 },
    },
    // Drops are as warm as the air that they fall through, and water.
    celsius: Math.max(1, airTemperatureC(weather, altitudeM, instantMs)),
    seed: wordSeed(`volume ${Math.floor(instantMs / VOLUME_EVERY_MS)}`, seed) >>> 1,
    geometry,
  })
}

const momentsOf = ({ polarimetry }: Pick<Site, 'polarimetry'>): string[] =>
  polarimetry.moments.filter((moment) => moment in RAINBOW_MOMENTS)

const volumeFileName = (moment: string, instantMs: number): string =>
  `${new Date(instantMs).toISOString().replace(/\D/g, '').slice(0, 14)}00${moment}.vol`

/** The Rainbow 5 files of a volume, one a moment. */
export function volumeFiles(
  site: Pick<Site, 'radar' | 'polarimetry'>,
  weather: Weather,
  instantMs: number,
): DemoFile[] {
  const { volume } = weatherVolume(site, weather, instantMs)
  return momentsOf(site).map((moment) => ({
    name: volumeFileName(moment, instantMs),
    bytes: writeRainbowVolume(volume, moment)!,
  }))
}
