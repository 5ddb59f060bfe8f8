import type { RadarVolume } from '@radx/contracts/radar-volume'
import { seenSweep } from '@radx/demo/volume/radar-view'
import { writeOdimVolume } from '@radx/formats/odim/volume-writer'
import { gamicBytes } from '@radx/formats/testing/polar-file'
import { rainFromReflectivity } from '@radx/polarimetry/rain'
import { expect, test } from 'vitest'
import { smallSite } from '../testing/small-site.ts'
import { FrameDecoder } from './frame-decoder.ts'

const site = smallSite()
const { position, altitudeM, wavelengthM } = site.radar
const decoder = new FrameDecoder(site.products, { ...position, altitudeM, wavelengthM }, site.polarimetry)
const decode = (bytes: Uint8Array) =>
  decoder.decode(Buffer.from(bytes), { kind: 'odim', name: 'x.h5', product: null, fallbackProduct: 'dpsri' })

/** Rain of 5 mm/h with a storm of 50 mm/h in the north-east, from 8 to 14 km. */
function stormVolume(changes: Partial<RadarVolume> = {}): RadarVolume {
  const rainAt = (azimuth: number, rangeM: number) =>
    azimuth < 90 && rangeM > 8000 && rangeM < 14_000 ? 50 : 5
  const geometry = { datetime: '2024-06-01T12:00:00Z', nrays: 90, nbins: 200, rangeStepM: 200 }
  const { sweep } = seenSweep(rainAt, { ...geometry, elevationDeg: 1 })
  const place = { name: 'NOD:frtes', lat: 48.5, lon: 2.5, altitudeM: 100 }
  return { format: 'odim', site: place, wavelengthM: null, sweeps: [sweep], notes: [], ...changes }
}

const meanAround = (codes: Uint16Array, lat: number, lng: number): number => {
  const { ul, lr } = site.products[0].bounds
  const row = Math.floor(((ul.lat - lat) / (ul.lat - lr.lat)) * 40)
  const col = Math.floor(((lng - ul.lng) / (lr.lng - ul.lng)) * 40)
  let sum = 0
  // Over several patches of drop sizes.
  for (let r = row - 2; r <= row + 2; r++) for (let c = col - 2; c <= col + 2; c++) sum += codes[r * 40 + c]
  return sum / 2500
}

test('a polarimetric volume in HDF5 becomes a frame of its product, with the rain behind a storm put back', async () => {
  const volume = stormVolume()
  const frame = await decode(await writeOdimVolume(volume))
  expect([frame.product.shortName, frame.timeMs]).toEqual(['dpsri', Date.parse('2024-06-01T12:00:00Z')])
  expect(frame.sensor.wavelengthM).toBe(0.03)
  const measured = volume.sweeps[0].moments.DBZH!.values[11 * 200 + 125]
  expect(rainFromReflectivity(measured)).toBeLessThan(2)
  for (const [lat, lng] of [
    [48.66, 2.74],
    [48.34, 2.26],
  ]) {
    expect(meanAround(frame.codes, lat, lng), `${lat}`).toBeGreaterThan(3)
    expect(meanAround(frame.codes, lat, lng), `${lat}`).toBeLessThan(8)
  }
})

test('what holds no reflectivity, lies elsewhere or is no volume is refused with its reason', async () => {
  const { sweeps } = stormVolume()
  const { DBZH, ...without } = sweeps[0].moments
  expect(DBZH).toBeDefined()
  await expect(
    decode(await writeOdimVolume(stormVolume({ sweeps: [{ ...sweeps[0], moments: without }] }))),
  ).rejects.toMatchObject({ code: 'odim.noReflectivity' })
  const far = { name: 'x', lat: 40, lon: -3, altitudeM: 100 }
  await expect(decode(await writeOdimVolume(stormVolume({ site: far })))).rejects.toMatchObject({
    code: 'ingest.wrongGrid',
  })
  const gamic = await gamicBytes()
  await expect(decode(gamic.subarray(0, gamic.length >> 1))).rejects.toMatchObject({
    code: expect.stringMatching(/^odim\./),
  })
})
