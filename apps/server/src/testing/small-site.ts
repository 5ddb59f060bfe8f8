import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { catchmentsSchema, type Site, siteSchema } from '@radx/contracts'
import { Catchments } from '../config/catchments.ts'

const square = (lng: number, lat: number, size: number) => [
  [lng, lat],
  [lng + size, lat],
  [lng + size, lat + size],
  [lng, lat + size],
  [lng, lat],
]

/** A site with two products of 40 and 48 steps and two catchments, small enough for quick tests. */
export function smallSite(changes: Partial<Site> = {}): Site {
  return siteSchema.parse({
    id: 'small',
    name: 'Petit site',
    radar: {
      name: 'Radar',
      position: { lat: 48.5, lng: 2.5 },
      altitudeM: 100,
      rangeKm: 60,
      wavelengthM: 0.03,
      beamwidthDeg: 1,
    },
    map: { center: { lat: 48.5, lng: 2.5 }, zoom: 9, minZoom: 9, maxZoom: 13 },
    tiles: { kind: 'none' },
    products: [
      {
        shortName: 'dpsri',
        longName: 'DPSRI',
        activeStatus: true,
        bounds: { ul: { lat: 49, lng: 2 }, lr: { lat: 48, lng: 3 } },
        steps: 40,
      },
      {
        shortName: 'sri',
        longName: 'SRI',
        activeStatus: false,
        bounds: { ul: { lat: 49.2, lng: 1.9 }, lr: { lat: 47.9, lng: 3.1 } },
        steps: 48,
      },
    ],
    defaultProduct: 'dpsri',
    odimProduct: 'dpsri',
    defaultCatchment: 'melun',
    station: {
      name: 'Taranis',
      columns: {
        temperatureC: 'AirTC_Avg',
        pressureHpa: 'BP_mbar_Avg',
        humidityPct: 'RH',
        windSpeedMs: 'WS_ms_S_WVT',
        windDirectionDeg: 'WindDir_D1_WVT',
        sonicSpeedMs: 'Sonic_WS_ms_Avg',
        sonicDirectionDeg: 'Sonic_WD_deg_Avg',
        sonicVerticalMs: 'Sonic_Uz_ms_Avg',
      },
    },
    microRainRadar: null,
    analytics: null,
    embed: { origins: [] },
    ...changes,
  })
}

/** melun: the cell block rows 16-19, columns 16-19 of dpsri; its part `melun-a` the northern half. */
export function smallCatchments(): Catchments {
  return new Catchments(
    catchmentsSchema.parse({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          properties: { key: 'melun', name: 'Melun' },
          geometry: { type: 'Polygon', coordinates: [square(2.4, 48.5, 0.1)] },
        },
        {
          type: 'Feature',
          properties: { key: 'melun-a', name: 'Melun nord', parent: 'melun' },
          geometry: {
            type: 'Polygon',
            coordinates: [
              [
                [2.4, 48.55],
                [2.5, 48.55],
                [2.5, 48.6],
                [2.4, 48.6],
                [2.4, 48.55],
              ],
            ],
          },
        },
        {
          type: 'Feature',
          properties: { key: 'livry', name: 'Livry' },
          geometry: { type: 'Polygon', coordinates: [square(2.7, 48.2, 0.1)] },
        },
      ],
    }),
  )
}

/** Writes the small site as a folder for SITE_DIR. */
export async function writeSmallSite(folder: string): Promise<void> {
  await writeFile(join(folder, 'site.json'), JSON.stringify(smallSite()))
  const features = smallCatchments().all.map(({ key, name, parent, polygons }) => ({
    type: 'Feature',
    properties: { key, name, parent },
    geometry: { type: 'MultiPolygon', coordinates: polygons },
  }))
  await writeFile(join(folder, 'catchments.geojson'), JSON.stringify({ type: 'FeatureCollection', features }))
}
