import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { NetworkModel, NetworkPeaks } from '@radx/contracts'

/** "GPKG" and version 1.3.0, as OGC 12-128r17 wants them in the header of the file. */
const APPLICATION_ID = 0x47504b47
const USER_VERSION = 10_300
/** Undefined cartesian and geographic systems, and WGS 84. */
const CARTESIAN = -1
const WGS84 = 4326

const POINT = 1
const LINE = 2
const POLYGON = 3
type Place = readonly [number, number]

/** A table of a GeoPackage, whose rows have a place. */
export interface Layer {
  name: string
  title: string
  geometry: 'POINT' | 'LINESTRING' | 'POLYGON'
  /** SQL types by column. */
  columns: Record<string, 'TEXT' | 'REAL' | 'INTEGER'>
  rows: { places: readonly Place[]; values: (string | number | null)[] }[]
}

/**
 * Writes a network with its largest values as a GeoPackage (OGC 12-128r17) of nodes, links and subcatchments. Positions are
 * the file's own: WGS 84 where it says degrees, else of a plane that no file of EPA SWMM names.
 */
export function writeGeoPackage(path: string, model: NetworkModel, peaks: NetworkPeaks): void {
  writeLayers(path, layersOf(model, peaks), model.placed === 'degrees' ? WGS84 : CARTESIAN)
}

/** Writes layers into a new GeoPackage. @param srs system of their places; WGS 84, longitude first, unless told */
export function writeLayers(path: string, layers: readonly Layer[], srs: number = WGS84): void {
  const database = new DatabaseSync(path)
  try {
    // One transaction, and a file that is thrown away where it is not whole.
    database.exec(BEGIN)
    writeHead(database)
    for (const layer of layers) writeLayer(database, layer, srs)
    database.exec(COMMIT)
  } finally {
    database.close()
  }
}

function writeHead(database: DatabaseSync): void {
  database.exec(HEAD)
  const add = database.prepare('insert into gpkg_spatial_ref_sys values (?, ?, ?, ?, ?, ?)')
  add.run('Undefined Cartesian SRS', CARTESIAN, 'NONE', CARTESIAN, 'undefined', 'plan du fichier')
  add.run('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', null)
  add.run('WGS 84 geodetic', WGS84, 'EPSG', WGS84, WGS84_WKT, null)
}

function writeLayer(
  database: DatabaseSync,
  { name, title, geometry, columns, rows }: Layer,
  srs: number,
): void {
  const kinds = Object.entries(columns)
  const made = `create table ${name} (fid integer primary key autoincrement not null, geom ${geometry},
    ${kinds.map(([column, type]) => `${column} ${type}`).join(', ')})`
  database.exec(made)
  const [low, high] = cornersOf(rows.flatMap(({ places }) => places))
  database
    .prepare(
      `insert into gpkg_contents (table_name, data_type, identifier, description, min_x, min_y, max_x, max_y, srs_id)
        values (?, 'features', ?, '', ?, ?, ?, ?, ?)`,
    )
    .run(name, title, ...low, ...high, srs)
  database
    .prepare(`insert into gpkg_geometry_columns values (?, 'geom', ?, ?, 0, 0)`)
    .run(name, geometry, srs)
  const add: StatementSync = database.prepare(
    `insert into ${name} (geom, ${kinds.map(([column]) => column).join(', ')}) values (?${', ?'.repeat(kinds.length)})`,
  )
  for (const { places, values } of rows)
    add.run(places.length > 0 ? geometryOf(places, geometry, srs) : null, ...values)
}

/** Header of GeoPackage without an envelope, then ISO WKB; little-endian. */
function geometryOf(places: readonly Place[], geometry: Layer['geometry'], srs: number): Uint8Array {
  const ring = geometry === 'POLYGON' ? closed(places) : places
  const counts = geometry === 'POINT' ? 0 : geometry === 'LINESTRING' ? 1 : 2
  const bytes = new Uint8Array(8 + 5 + 4 * counts + 16 * ring.length)
  const view = new DataView(bytes.buffer)
  bytes.set([0x47, 0x50, 0, 1])
  view.setInt32(4, srs, true)
  bytes[8] = 1
  view.setUint32(9, geometry === 'POINT' ? POINT : geometry === 'LINESTRING' ? LINE : POLYGON, true)
  let at = 13
  const count = (value: number) => {
    view.setUint32(at, value, true)
    at += 4
  }
  if (geometry === 'POLYGON') count(1)
  if (geometry !== 'POINT') count(ring.length)
  for (const [x, y] of ring) {
    view.setFloat64(at, x, true)
    view.setFloat64(at + 8, y, true)
    at += 16
  }
  return bytes
}

const closed = (ring: readonly Place[]): readonly Place[] => {
  const [first, last] = [ring[0], ring[ring.length - 1]]
  return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first]
}

function cornersOf(places: readonly Place[]): [(number | null)[], (number | null)[]] {
  if (places.length === 0)
    return [
      [null, null],
      [null, null],
    ]
  const low = [...places[0]]
  const high = [...places[0]]
  for (const place of places)
    for (const axis of [0, 1]) {
      low[axis] = Math.min(low[axis], place[axis])
      high[axis] = Math.max(high[axis], place[axis])
    }
  return [low, high]
}

const layersOf = (model: NetworkModel, { nodes, links, subcatchments }: NetworkPeaks): Layer[] => [
  {
    name: 'nodes',
    title: 'Nœuds',
    geometry: 'POINT',
    columns: {
      name: 'TEXT',
      kind: 'TEXT',
      invert_m: 'REAL',
      depth_m: 'REAL',
      max_depth_m: 'REAL',
      max_head_m: 'REAL',
      max_inflow_m3s: 'REAL',
      flooded_m3: 'REAL',
    },
    rows: model.nodes.map((node, n) => ({
      places: [node.at],
      values: [
        node.name,
        node.kind,
        node.invertM,
        node.depthM,
        nodes.maxDepthM[n],
        nodes.maxHeadM[n],
        nodes.maxInflowM3S[n],
        nodes.floodedM3[n],
      ],
    })),
  },
  {
    name: 'links',
    title: 'Liens',
    geometry: 'LINESTRING',
    columns: {
      name: 'TEXT',
      kind: 'TEXT',
      from_node: 'TEXT',
      to_node: 'TEXT',
      length_m: 'REAL',
      shape: 'TEXT',
      height_m: 'REAL',
      max_flow_m3s: 'REAL',
      max_velocity_ms: 'REAL',
      fill: 'REAL',
      volume_m3: 'REAL',
      surcharged_s: 'REAL',
    },
    rows: model.links.map((link, i) => ({
      places: [model.nodes[link.from].at, ...link.bends, model.nodes[link.to].at],
      values: [
        link.name,
        link.kind,
        model.nodes[link.from].name,
        model.nodes[link.to].name,
        link.lengthM,
        link.shape,
        link.heightM,
        links.maxFlowM3S[i],
        links.maxVelocityMS[i],
        links.fill[i],
        links.volumeM3[i],
        links.surchargedS[i],
      ],
    })),
  },
  {
    name: 'subcatchments',
    title: 'Bassins versants',
    geometry: 'POLYGON',
    columns: {
      name: 'TEXT',
      area_m2: 'REAL',
      impervious_share: 'REAL',
      outlet: 'TEXT',
      rain_mm: 'REAL',
      infiltration_mm: 'REAL',
      runoff_mm: 'REAL',
      peak_m3s: 'REAL',
    },
    rows: model.subcatchments.map((one, k) => ({
      places: one.ring.length > 2 ? one.ring : [],
      values: [
        one.name,
        one.areaM2,
        one.imperviousShare,
        one.outlet,
        subcatchments.rainMm[k] ?? null,
        subcatchments.infiltrationMm[k] ?? null,
        subcatchments.runoffMm[k] ?? null,
        subcatchments.peakM3S[k] ?? null,
      ],
    })),
  },
]

const WGS84_WKT =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]'

const BEGIN = `pragma journal_mode = off; pragma synchronous = off;
  pragma application_id = ${APPLICATION_ID}; pragma user_version = ${USER_VERSION}; begin`
const COMMIT = 'commit'
const HEAD = `
    create table gpkg_spatial_ref_sys (srs_name text not null, srs_id integer primary key, organization text not null,
      organization_coordsys_id integer not null, definition text not null, description text);
    create table gpkg_contents (table_name text not null primary key, data_type text not null, identifier text unique,
      description text default '', last_change datetime not null default (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
      min_x double, min_y double, max_x double, max_y double, srs_id integer,
      constraint fk_gc_r_srs_id foreign key (srs_id) references gpkg_spatial_ref_sys (srs_id));
    create table gpkg_geometry_columns (table_name text not null, column_name text not null,
      geometry_type_name text not null, srs_id integer not null, z tinyint not null, m tinyint not null,
      constraint pk_geom_cols primary key (table_name, column_name), constraint uk_gc_table_name unique (table_name),
      constraint fk_gc_tn foreign key (table_name) references gpkg_contents (table_name),
      constraint fk_gc_srs foreign key (srs_id) references gpkg_spatial_ref_sys (srs_id))`
