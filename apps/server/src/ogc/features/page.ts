import { type Geometry, meets, moved } from './geometry.ts'
import { type FeatureQuery, toPlane, toSystem } from './query.ts'

export interface Feature {
  type: 'Feature'
  id: string
  /** Longitude and latitude; null for what lies nowhere that is known. */
  geometry: Geometry | null
  properties: Record<string, string | number | boolean | null>
  links?: { href: string; rel: string; type: string; title?: string }[]
}

/** Features of a page, as they are sent. */
export interface FeaturePage {
  /** A JSON list. */
  features: string
  matched: number
  returned: number
}

/** The features that are wanted, in the order of their collection. */
export function pageOfFeatures(all: readonly Feature[], query: FeatureQuery): FeaturePage {
  const { bbox, limit, offset, crs } = query
  const found = bbox ? all.filter(isInBox(bbox)) : all
  const page = found.slice(offset, offset + limit).map((feature) => inSystem(feature, crs))
  return { features: JSON.stringify(page), matched: found.length, returned: page.length }
}

/** A feature with its positions in the system that was asked for. */
export const inSystem = (feature: Feature, crs: string): Feature => ({
  ...feature,
  geometry: feature.geometry && moved(feature.geometry, toSystem(crs)),
})

function isInBox({ boxes, crs }: NonNullable<FeatureQuery['bbox']>): (feature: Feature) => boolean {
  const place = toPlane(crs)
  return ({ geometry }) => geometry !== null && meets(moved(geometry, place), boxes)
}
