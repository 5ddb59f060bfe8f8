import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RadxError, type SewerPeakTable } from '@radx/contracts'
import { DURATION_DEPTHS_M } from '@radx/hydrology/surface/hazard'
import proj4 from 'proj4'
import { type Layer, writeLayers } from '../../networks/api.ts'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import { nodesOf } from '../catchment/network.ts'
import { projectionOf } from '../catchment/projection.ts'

/** Cells of a file that other tools still open with ease. */
const MOST_CELLS = 400_000
/** Water that counts: what the maps of hazard look at, m. */
const [FROM_M] = DURATION_DEPTHS_M

/** Maps of a run by column, `[row * ncols + col]`, NaN where nothing is told; the largest depth among them. */
export type CellColumns = Record<string, ArrayLike<number>> & { max_depth_m: ArrayLike<number> }

class TooManyCells extends RadxError {
  constructor(cells: number) {
    super(
      'simulation.tooManyCells',
      422,
      `${cells} mailles ont eu plus de ${100 * FROM_M} cm d’eau, plus qu’un GeoPackage n’en prend ici (${MOST_CELLS}). Prenez les cartes en GeoTIFF.`,
    )
  }
}

/**
 * A run for other tools: cells that had more than 5 cm of water with what each map says of them, nodes and links with
 * their largest values. WGS 84.
 * @throws TooManyCells
 */
export async function runGeoPackage(
  town: CatchmentPackage,
  columns: CellColumns,
  peaks: SewerPeakTable | null,
): Promise<Uint8Array> {
  const layers = [cellLayer(town, columns), ...(peaks ? networkLayers(town, peaks) : [])]
  const dir = await mkdtemp(join(tmpdir(), 'radx-geopackage-'))
  try {
    const path = join(dir, 'run.gpkg')
    writeLayers(path, layers)
    return await readFile(path)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

function cellLayer({ elevation, catchment, streets }: CatchmentPackage, columns: CellColumns): Layer {
  const { nrows, ncols, xll, yll, cellSize } = elevation
  const toWgs84 = proj4(projectionOf(catchment.crs), 'WGS84')
  const names = Object.keys(columns)
  const wet: number[] = []
  for (let cell = 0; cell < nrows * ncols; cell++) if (columns.max_depth_m[cell] > FROM_M) wet.push(cell)
  if (wet.length > MOST_CELLS) throw new TooManyCells(wet.length)
  const corner = (col: number, row: number) =>
    toWgs84.forward([xll + col * cellSize, yll + (nrows - row) * cellSize]) as [number, number]
  const told = (value: number) => (Number.isNaN(value) ? null : Math.round(value * 1e4) / 1e4)
  return {
    name: 'cells',
    title: 'Mailles inondées',
    geometry: 'POLYGON',
    columns: {
      row: 'INTEGER',
      col: 'INTEGER',
      ground_m: 'REAL',
      ...(streets && { street: 'TEXT' as const }),
      ...Object.fromEntries(names.map((name) => [name, 'REAL' as const])),
    },
    rows: wet.map((cell) => {
      const [row, col] = [Math.floor(cell / ncols), cell % ncols]
      return {
        places: [corner(col, row + 1), corner(col + 1, row + 1), corner(col + 1, row), corner(col, row)],
        values: [
          row,
          col,
          told(elevation.data[cell]),
          ...(streets ? [streets.names[streets.ofCell[cell]] ?? null] : []),
          ...names.map((name) => told(columns[name][cell])),
        ],
      }
    }),
  }
}

function networkLayers(town: CatchmentPackage, { nodes, links }: SewerPeakTable): Layer[] {
  const places = nodesOf(town)
  const nodeAt = new Map(nodes.name.map((name, k) => [name, k]))
  const linkAt = new Map(links.name.map((name, k) => [name, k]))
  const of = (values: readonly number[], k: number | undefined) => (k === undefined ? null : values[k])
  return [
    {
      name: 'nodes',
      title: 'Regards et exutoires',
      geometry: 'POINT',
      columns: {
        name: 'TEXT',
        kind: 'TEXT',
        max_depth_m: 'REAL',
        max_head_m: 'REAL',
        time_s: 'REAL',
        max_inflow_m3s: 'REAL',
        flooded_m3: 'REAL',
        outfall_m3: 'REAL',
      },
      rows: places.map(({ name, lon, lat, kind }) => {
        const k = nodeAt.get(name)
        const { depthM, headM, timeS, inflowM3S, floodedM3, outfallM3 } = nodes
        const figures = [depthM, headM, timeS, inflowM3S, floodedM3, outfallM3].map((values) => of(values, k))
        return { places: [[lon, lat]], values: [name, kind, ...figures] }
      }),
    },
    {
      name: 'links',
      title: 'Conduites',
      geometry: 'LINESTRING',
      columns: {
        name: 'TEXT',
        from_node: 'TEXT',
        to_node: 'TEXT',
        max_flow_m3s: 'REAL',
        time_s: 'REAL',
        max_velocity_ms: 'REAL',
        fill: 'REAL',
        volume_m3: 'REAL',
        surcharged_s: 'REAL',
      },
      rows: town.network.links.map(({ name, from, to }) => {
        const k = linkAt.get(name)
        const { flowM3S, timeS, speedMS, filling, volumeM3, surchargedS } = links
        const figures = [flowM3S, timeS, speedMS, filling, volumeM3, surchargedS].map((values) =>
          of(values, k),
        )
        const [a, b] = [places[from], places[to]]
        return {
          places: [
            [a.lon, a.lat],
            [b.lon, b.lat],
          ],
          values: [name, a.name, b.name, ...figures],
        }
      }),
    },
  ]
}
