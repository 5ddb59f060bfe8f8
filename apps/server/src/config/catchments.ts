import type { Bounds, CatchmentCollection } from '@radx/contracts'
import { boundsOfPolygons } from '@radx/rainfall'

/** A catchment or sub-catchment of the site. */
export interface Catchment {
  key: string
  name: string
  /** Key of the parent catchment; null for a catchment itself. */
  parent: string | null
  /** Where the outline comes from and how good it is. */
  note: string | null
  /** Polygons of rings of [lng, lat]; the first ring of a polygon is its outline, the others holes. */
  polygons: number[][][][]
  bounds: Bounds
}

/** The site's catchments, in the order of the file. */
export class Catchments {
  readonly all: readonly Catchment[]
  private readonly byKey: Map<string, Catchment>

  constructor(collection: CatchmentCollection) {
    this.all = collection.features.map(({ properties, geometry }) => {
      const polygons: number[][][][] =
        geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
      return {
        key: properties.key,
        name: properties.name,
        parent: properties.parent,
        note: properties.note ?? null,
        polygons,
        bounds: boundsOfPolygons(polygons),
      }
    })
    this.byKey = new Map(this.all.map((c) => [c.key, c]))
  }

  /** The catchments as GeoJSON; `new Catchments` of it are the same again. */
  collection(): CatchmentCollection {
    return {
      type: 'FeatureCollection',
      features: this.all.map(({ key, name, parent, note, polygons }) => ({
        type: 'Feature',
        properties: { key, name, parent, ...(note === null ? {} : { note }) },
        geometry: { type: 'MultiPolygon', coordinates: polygons as never },
      })),
    }
  }

  /** Catchments without parent. */
  get parents(): Catchment[] {
    return this.all.filter((c) => c.parent === null)
  }

  /** Sub-catchments of a catchment; empty for an unknown key. */
  childrenOf(key: string): Catchment[] {
    return this.all.filter((c) => c.parent === key)
  }

  get(key: string): Catchment | undefined {
    return this.byKey.get(key)
  }

  /**
   * The zone that a call names by `c` and `sc`: the sub-catchment when one is given, else the catchment;
   * undefined when either does not exist or the second is no part of the first.
   */
  find(catchment: string, subcatchment?: string | null): Catchment | undefined {
    const parent = this.byKey.get(catchment)
    if (!parent || parent.parent !== null) return undefined
    if (!subcatchment) return parent
    const child = this.byKey.get(subcatchment)
    return child?.parent === catchment ? child : undefined
  }
}
