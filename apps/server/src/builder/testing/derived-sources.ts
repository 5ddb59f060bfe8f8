import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SewerConduit } from '@radx/contracts/sewer'
import { type EsriGrid, writeEsriAscii } from '@radx/formats/esri-ascii'
import { writeGeoTiff } from '@radx/formats/geotiff'
import type { CatchmentPackage } from '../../simulation/api.ts'

const feature = (type: string, coordinates: unknown, properties: Record<string, unknown>) => ({
  type: 'Feature',
  properties,
  geometry: { type, coordinates },
})

/** A layer in a projected system, as GDAL names it in GeoJSON of before RFC 7946. */
export const layerText = (crs: string, features: unknown[]): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    crs: { type: 'name', properties: { name: `urn:ogc:def:crs:${crs.replace(':', '::')}` } },
    features,
  })

/** Part of a grid as a GeoTIFF. */
export function tile(
  grid: EsriGrid,
  [col0, row0, col1, row1]: [number, number, number, number],
  epsg: number,
): Uint8Array {
  const { ncols, nrows, xll, yll, cellSize, data } = grid
  const values = new Float32Array((col1 - col0) * (row1 - row0))
  for (let row = row0; row < row1; row++)
    values.set(data.subarray(row * ncols + col0, row * ncols + col1), (row - row0) * (col1 - col0))
  return writeGeoTiff({
    ncols: col1 - col0,
    nrows: row1 - row0,
    values,
    left: xll + col0 * cellSize,
    top: yll + (nrows - row0) * cellSize,
    cellWidth: cellSize,
    cellHeight: cellSize,
    crs: { kind: 'projected', epsg },
    nodata: -9999,
  })
}

/** Cells of one code in one row, side by side, as rectangles. */
function runs({ ncols, nrows, xll, yll, cellSize, data }: EsriGrid, names: Record<number, string>) {
  const features: unknown[] = []
  for (let row = 0; row < nrows; row++)
    for (let col = 0; col < ncols; col++) {
      const code = data[row * ncols + col]
      const from = col
      while (col + 1 < ncols && data[row * ncols + col + 1] === code) col++
      if (Number.isNaN(code)) continue
      const [west, east] = [xll + from * cellSize, xll + (col + 1) * cellSize]
      const [north, south] = [yll + (nrows - row) * cellSize, yll + (nrows - row - 1) * cellSize]
      const ring = [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ]
      features.push(feature('Polygon', [ring], { nature: names[code] }))
    }
  return features
}

/** What a polygon layer calls the codes. */
export const NATURES: Record<number, string> = {
  1: 'Bois',
  2: 'Route',
  3: 'Herbe',
  4: 'Bâti',
  5: 'Bouche',
  6: 'Eau',
}

const round = (value: number) => Number(value.toFixed(4))

/** Pipes and manholes of a package as layers. */
function networkLayers({ network, catchment }: CatchmentPackage) {
  const manholes = network.nodes.map((node) =>
    feature('Point', [node.x, node.y], {
      ID: node.name,
      TN: node.kind === 'outfall' ? null : round(node.invertM + node.fullDepthM),
      RADIER: round(node.invertM),
      TYPE: node.kind === 'outfall' ? 'Exutoire' : 'Regard',
    }),
  )
  const pipes = network.links.map((link) => {
    const { name, from, to, vertices, section, roughness, lengthM, inOffsetM, outOffsetM } =
      link as SewerConduit
    const [a, b] = [network.nodes[from], network.nodes[to]]
    return feature('LineString', [[a.x, a.y], ...vertices, [b.x, b.y]], {
      ID: name,
      AMONT: a.name,
      AVAL: b.name,
      // As surveys have it: millimetres, and lengths in French.
      DN: round(section.dims[0] * 1000),
      RUGO: roughness,
      LONG: String(round(lengthM)).replace('.', ','),
      ZAM: round(a.invertM + inOffsetM),
      ZAV: round(b.invertM + outOffsetM),
    })
  })
  return { manholes: layerText(catchment.crs, manholes), pipes: layerText(catchment.crs, pipes) }
}

/**
 * Writes sources that a package could have been made from: terrain as four GeoTIFF tiles, land use as polygons and as a
 * raster, network as layers and as it is, gullies as a table of places.
 * @returns a recipe that makes the package again
 */
export function writeSources(dir: string, given: CatchmentPackage): Record<string, unknown> {
  mkdirSync(dir, { recursive: true })
  const { catchment, elevation, landUse, networkText, gullies } = given
  const { ncols, nrows, xll, yll, cellSize } = elevation
  const epsg = Number(catchment.crs.slice('EPSG:'.length))
  const [col, row] = [Math.floor(ncols / 2) + 1, Math.floor(nrows / 3)]
  const tiles: [number, number, number, number][] = [
    [0, 0, col, row],
    [col, 0, ncols, row],
    [0, row, col, nrows],
    [col, row, ncols, nrows],
  ]
  const write = (name: string, content: string | Uint8Array) => writeFileSync(join(dir, name), content)
  for (const [k, window] of tiles.entries()) write(`mnt-${k}.tif`, tile(elevation, window, epsg))
  write('sols.geojson', layerText(catchment.crs, runs(landUse, NATURES)))
  write('sols.tif', tile(landUse, [0, 0, ncols, nrows], epsg))
  const layers = networkLayers(given)
  write('regards.geojson', layers.manholes)
  write('conduites.geojson', layers.pipes)
  write('reseau.inp', networkText ?? '')
  const middle = (r: number, c: number) => [xll + (c + 0.5) * cellSize, yll + (nrows - r - 0.5) * cellSize]
  const rows = gullies.map((gully) => [gully.name, ...middle(gully.row, gully.col), gully.junction].join(','))
  write('avaloirs.csv', `gully,x,y,junction\n${rows.join('\n')}\n`)
  for (const [id, mask] of given.masks) write(`${id}.asc`, writeEsriAscii({ ...elevation, data: mask }, 0))
  return {
    id: catchment.id,
    display: catchment.display,
    crs: catchment.crs,
    cellSize,
    outline: { bounds: [xll, yll, xll + ncols * cellSize, yll + nrows * cellSize] },
    terrain: { files: tiles.map((_, k) => `mnt-${k}.tif`) },
    landUse: {
      permanentWaterCode: catchment.permanentWaterCode,
      layers: [
        {
          kind: 'polygons',
          file: 'sols.geojson',
          column: 'nature',
          map: Object.fromEntries(Object.entries(NATURES).map(([code, name]) => [name, Number(code)])),
        },
      ],
    },
    sewer: {
      pipes: {
        file: 'conduites.geojson',
        columns: {
          name: 'ID',
          from: 'AMONT',
          to: 'AVAL',
          diameter: 'DN',
          roughness: 'RUGO',
          length: 'LONG',
          fromInvert: 'ZAM',
          toInvert: 'ZAV',
        },
      },
      manholes: {
        file: 'regards.geojson',
        columns: { name: 'ID', rim: 'TN', invert: 'RADIER', kind: 'TYPE' },
      },
      outfallKinds: ['Exutoire'],
      diameterUnit: 'mm',
    },
    gullies: { file: 'avaloirs.csv' },
    caseStudies: catchment.caseStudies.map(({ id, display }) => ({ id, display, file: `${id}.asc` })),
  }
}
