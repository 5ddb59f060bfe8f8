import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLayer } from '../../apps/server/src/shapefiles/read.ts'
import { LAMBERT93_PRJ, makePointShp, makeZip } from '../../apps/server/src/shapefiles/testing/make.ts'
import { hasReferenceData, REFERENCE_DATA } from './reference-data.ts'

const found = hasReferenceData()
const read = (name: string) => readLayer(readFileSync(join(REFERENCE_DATA, 'admin', name)))
const ILE_DE_FRANCE = { ul: { lat: 49.24131, lng: 1.44645 }, lr: { lat: 48.12054, lng: 3.55851 } }

test.skipIf(!found)('layers of the region are read whole: polygons, multipolygons and lines', () => {
  const communes = read('communes-ile-de-france.geojson')
  expect(communes.features).toHaveLength(1276)
  expect(communes.bounds).toEqual(ILE_DE_FRANCE)
  expect(new Set(communes.features.map(({ geometry }) => geometry.type))).toEqual(
    new Set(['Polygon', 'MultiPolygon']),
  )
  expect(read('departements-ile-de-france.geojson').bounds).toEqual(ILE_DE_FRANCE)
  const rivers = read('rivers_ign_idf.geojson')
  expect(rivers.features).toHaveLength(67)
  expect(rivers.features[0].properties).toMatchObject({ name: 'LE THERAIN' })
})

test.skipIf(!found)(
  'a shapefile in Lambert-93 lands where the catchment of Melun says it is, to 0.1 m',
  () => {
    const melun = JSON.parse(readFileSync(join(REFERENCE_DATA, 'melun', 'catchment.json'), 'utf8'))
    const { xll, yll, ncols, nrows, cellSize, corners } = melun
    const [east, north] = [xll + ncols * cellSize, yll + nrows * cellSize]
    const shp = makePointShp([
      [xll, yll],
      [east, yll],
      [east, north],
      [xll, north],
    ])
    const { features } = readLayer(makeZip({ 'coins.shp': shp, 'coins.prj': LAMBERT93_PRJ }))
    const wanted = [corners.sw, corners.se, corners.ne, corners.nw]
    features.forEach(({ geometry }, i) => {
      const [lng, lat] = geometry.coordinates as [number, number]
      expect(Math.abs(lng - wanted[i][0])).toBeLessThan(1e-6)
      expect(Math.abs(lat - wanted[i][1])).toBeLessThan(1e-6)
    })
  },
)
