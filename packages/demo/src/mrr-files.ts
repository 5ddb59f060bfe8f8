import type { Site } from '@radx/contracts/site'
import { writeMrrPro } from '@radx/formats/mrrpro/mrrpro'
import { columnAbove, PROFILE_MS } from './column.ts'
import type { DemoFile } from './radar-files.ts'
import type { Weather } from './weather.ts'

/** Length of a file of the micro rain radar. */
export const MRR_FILE_MS = 600_000

/** MRR-PRO netCDF file of the ten minutes from startMs on, such as `20230322_014000.nc`. */
export async function microRainRadarFile(
  site: Site,
  instrument: NonNullable<Site['microRainRadar']>,
  weather: Weather,
  startMs: number,
): Promise<DemoFile> {
  const { altitudeM } = site.radar
  const column = columnAbove(weather, instrument.position, altitudeM, startMs, MRR_FILE_MS / PROFILE_MS)
  const { timesMs, heightsM, Z, Za, RR, LWC, VEL, WIDTH, SNR, PIA, ML } = column
  const digits = new Date(startMs).toISOString().replace(/\D/g, '')
  return {
    name: `${digits.slice(0, 8)}_${digits.slice(8, 14)}.nc`,
    bytes: await writeMrrPro({
      instrumentName:
        'METEK MRR Pro 1.2.5, ID: MRRPro00, METEK Serial Number:  0000000000, Software:  MRR Pro 1.2.5',
      siteName: `${site.id} demonstration`,
      lat: instrument.position.lat,
      lon: instrument.position.lng,
      altitudeM,
      timesMs,
      heightsM,
      // Drops are small against the wavelength: equivalent and true reflectivity are taken as one.
      variables: { Za, Z, Zea: Za, Ze: Z, RR, LWC, PIA, VEL, WIDTH, ML, SNR },
    }),
  }
}
