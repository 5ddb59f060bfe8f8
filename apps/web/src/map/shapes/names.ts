import type { ShapeFeature } from '@radx/contracts/shapefiles'

/** What a feature of a personal layer is called: its `Text`, else its `node_id`; null without either. */
export function featureName(properties: ShapeFeature['properties']): string | null {
  for (const key of ['Text', 'node_id']) {
    const value = properties[key]
    if (value !== null && value !== undefined && String(value).trim() !== '') return String(value)
  }
  return null
}
