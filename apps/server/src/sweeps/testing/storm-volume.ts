import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LatLng } from '@radx/contracts'
import type { RadarSweep, RadarVolume } from '@radx/contracts/radar-volume'
import { seenSweep } from '@radx/demo/volume/radar-view'
import { writeOdimVolume } from '@radx/formats/odim/volume-writer'

/** Where reflectivity is known by the dBZ at each elevation: due east, from 10 to 16 km. */
export const KNOWN = { azimuth: [80, 100], rangeM: [10_000, 16_000], dbz: [45, 25] } as const
const ELEVATIONS = [0.8, 3] as const
const GEOMETRY = { nrays: 180, nbins: 100, rangeStepM: 250 }

/** Rain of 5 mm/h with a storm behind and a place in the east where each sweep has a value that is known. */
export function stormVolume(position: LatLng, datetime: string): RadarVolume {
  const rainAt = (azimuth: number, rangeM: number) =>
    azimuth > 40 && azimuth < 140 && rangeM > 6000 && rangeM < 18_000 ? 60 : 5
  const sweeps = ELEVATIONS.map((elevationDeg, n) => {
    const { sweep } = seenSweep(rainAt, { ...GEOMETRY, datetime, elevationDeg })
    setKnown(sweep, KNOWN.dbz[n])
    return sweep
  })
  const site = { name: 'TES', lat: position.lat, lon: position.lng, altitudeM: 100 }
  return { format: 'odim', site, wavelengthM: 0.032, beamWidthDeg: 1, sweeps, notes: [] }
}

function setKnown({ azimuthDeg, nbins, rangeStepM, moments }: RadarSweep, dbz: number): void {
  const { values } = moments.DBZH!
  for (const [ray, azimuth] of azimuthDeg.entries())
    for (let bin = 0; bin < nbins; bin++) {
      const range = (bin + 0.5) * rangeStepM
      const inside =
        azimuth > KNOWN.azimuth[0] &&
        azimuth < KNOWN.azimuth[1] &&
        range > KNOWN.rangeM[0] &&
        range < KNOWN.rangeM[1]
      if (inside) values[ray * nbins + bin] = dbz
    }
}

/** Puts a volume into the inbox of a data folder, as an instrument does. */
export async function dropVolume(dataDir: string, volume: RadarVolume, name: string): Promise<void> {
  const inbox = join(dataDir, 'inbox')
  await mkdir(inbox, { recursive: true })
  const coming = join(inbox, `.${name}.part`)
  await writeFile(coming, await writeOdimVolume(volume))
  await rename(coming, join(inbox, name))
}
