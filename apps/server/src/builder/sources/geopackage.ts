import { DatabaseSync } from 'node:sqlite'
import { SourceRefused } from '../findings.ts'
import type { RawFeature } from './layer.ts'

const KINDS: Record<number, string> = {
  1: 'Point',
  2: 'LineString',
  3: 'Polygon',
  4: 'MultiPoint',
  5: 'MultiLineString',
  6: 'MultiPolygon',
}

/** Reads a layer of a GeoPackage (OGC 12-128r17). @throws SourceRefused with what is wrong and what to do */
export const readGeoPackage = (
  path: string,
  name: string,
  layer: string | undefined,
): { features: RawFeature[]; crs: string | null } =>
  opened(path, name, (database) => readLayer(database, name, layer))

/** Names of the layers of a GeoPackage. @throws SourceRefused with what is wrong and what to do */
export const layersOf = (path: string, name: string): string[] =>
  opened(path, name, (database) => tablesOf(database).map((table) => table.table_name))

function opened<T>(path: string, name: string, use: (database: DatabaseSync) => T): T {
  let database: DatabaseSync
  try {
    database = new DatabaseSync(path, { readOnly: true })
  } catch (error) {
    throw new SourceRefused(`${name} ne peut être lu (${(error as Error).message}).`)
  }
  try {
    return use(database)
  } catch (error) {
    if (error instanceof SourceRefused) throw error
    throw new SourceRefused(
      `${name} : ce GeoPackage est endommagé ou n’en est pas un (${(error as Error).message}). Exportez la couche de nouveau.`,
    )
  } finally {
    database.close()
  }
}

const tablesOf = (database: DatabaseSync) =>
  database.prepare('select table_name, column_name, srs_id from gpkg_geometry_columns').all() as {
    table_name: string
    column_name: string
    srs_id: number
  }[]

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

function readLayer(database: DatabaseSync, name: string, layer: string | undefined) {
  const tables = tablesOf(database)
  const names = tables.map((table) => table.table_name)
  const found =
    layer === undefined && tables.length === 1 ? tables[0] : tables.find((t) => t.table_name === layer)
  if (found === undefined)
    throw new SourceRefused(
      layer === undefined
        ? `${name} a ${tables.length} couches : ajoutez "layer" avec l’une de ces valeurs : ${names.join(', ')}.`
        : `${name} n’a pas de couche « ${layer} » ; il a : ${names.join(', ')}.`,
    )
  const system = database
    .prepare(
      'select organization, organization_coordsys_id as code from gpkg_spatial_ref_sys where srs_id = ?',
    )
    .get(found.srs_id) as { organization: string; code: number } | undefined
  const known = system !== undefined && system.organization.toUpperCase() === 'EPSG' && system.code > 0
  const rows = database.prepare(`select * from ${quoted(found.table_name)}`).iterate() as Iterable<
    Record<string, unknown>
  >
  const features: RawFeature[] = []
  for (const { [found.column_name]: geometry, ...properties } of rows)
    features.push({
      geometry: geometry instanceof Uint8Array ? geometryOf(geometry, name) : null,
      properties,
    })
  return { features, crs: known ? `EPSG:${system.code}` : null }
}

/** Bytes of the envelope by its indicator (2.1.3). */
const ENVELOPE = [0, 32, 48, 48, 64]

/** A geometry blob: header of GeoPackage, then WKB. Heights and measures are left aside. */
function geometryOf(blob: Uint8Array, name: string): RawFeature['geometry'] {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength)
  if (blob[0] !== 0x47 || blob[1] !== 0x50) throw new Error('no geometry of GeoPackage')
  const flags = blob[3]
  if (flags & 0x10) return null
  const reader = new WkbReader(view, 8 + ENVELOPE[(flags >> 1) & 7], name)
  return reader.geometry()
}

class WkbReader {
  private readonly view: DataView
  private readonly name: string
  private at: number
  private little = true
  private dimensions = 2

  constructor(view: DataView, at: number, name: string) {
    this.view = view
    this.at = at
    this.name = name
  }

  private count(): number {
    const value = this.view.getUint32(this.at, this.little)
    this.at += 4
    // A position takes 16 bytes, a ring at least 4: no list is longer than the rest of the blob.
    if (value > (this.view.byteLength - this.at) / 4) throw new Error('a list that leaves its blob')
    return value
  }

  private position = (): [number, number] => {
    const place: [number, number] = [
      this.view.getFloat64(this.at, this.little),
      this.view.getFloat64(this.at + 8, this.little),
    ]
    this.at += 8 * this.dimensions
    return place
  }

  private list<T>(item: () => T): T[] {
    const count = this.count()
    return Array.from({ length: count }, item)
  }

  private head(): string {
    this.little = this.view.getUint8(this.at) === 1
    const code = this.view.getUint32(this.at + 1, this.little)
    this.at += 5
    // ISO has thousands for Z, M and ZM; older writers set the highest bits.
    const iso = Math.floor((code & 0xfffffff) / 1000)
    const z = iso === 1 || iso === 3 || (code & 0x80000000) !== 0
    const m = iso === 2 || iso === 3 || (code & 0x40000000) !== 0
    this.dimensions = 2 + (z ? 1 : 0) + (m ? 1 : 0)
    const kind = KINDS[(code & 0xfffffff) % 1000]
    if (kind === undefined)
      throw new SourceRefused(
        `${this.name} : une géométrie de type ${code} n’est pas prise en charge : points, lignes et polygones seulement. Convertissez les courbes en lignes (QGIS : Convertir en type de géométrie).`,
      )
    return kind
  }

  geometry(): { type: string; coordinates: unknown } {
    const type = this.head()
    const part = () => this.geometry().coordinates
    const lines = () => this.list(this.position)
    const coordinates =
      type === 'Point'
        ? this.position()
        : type === 'LineString'
          ? lines()
          : type === 'Polygon'
            ? this.list(lines)
            : this.list(part)
    return { type, coordinates }
  }
}
