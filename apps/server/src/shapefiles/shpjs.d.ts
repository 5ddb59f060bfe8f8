declare module 'shpjs' {
  /** One GeoJSON geometry a record; null for a null shape. Without `prj` the file's own coordinates. */
  export function parseShp(shp: Uint8Array, prj?: string): (Record<string, unknown> | null)[]
  /** One object of attributes a record. */
  export function parseDbf(dbf: Uint8Array, encoding?: string): Record<string, unknown>[]
}
