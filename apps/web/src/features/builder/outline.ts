import type { DraftRecipe } from '@radx/contracts/builder'
import type { LngLat } from './useBuilder.ts'

export const DEFAULT_CRS = 'EPSG:2154'
export const DEFAULT_CELL_M = 10

/** An outline as the recipe has it: drawn, chosen or told by its sides. */
export interface OutlineRecipe {
  bounds?: [number, number, number, number]
  file?: string
  layer?: string
  crs?: string
  repair?: boolean
  features?: unknown[]
  margin?: number
}

export const outlineOf = ({ outline }: DraftRecipe) => outline as OutlineRecipe | undefined

/** A recipe with another outline, and with what a grid needs beside it. */
export const withOutline = (before: DraftRecipe, next: OutlineRecipe | undefined): DraftRecipe => {
  const margin = outlineOf(before)?.margin
  return {
    ...before,
    crs: before.crs ?? DEFAULT_CRS,
    cellSize: before.cellSize ?? DEFAULT_CELL_M,
    id: before.id ?? idOf(before.display ?? ''),
    outline: next && { ...next, ...(margin === undefined ? {} : { margin }) },
  }
}

/** An outline through places of the map. */
export const drawnOutline = (vertices: readonly LngLat[]): OutlineRecipe => ({
  crs: 'EPSG:4326',
  features: [
    {
      type: 'Feature',
      properties: {},
      geometry: { type: 'Polygon', coordinates: [[...vertices, vertices[0]]] },
    },
  ],
})

/** How many vertices a drawn outline has; 0 where none was drawn. */
export function verticesOf(outline: OutlineRecipe | undefined): number {
  const [feature] = (outline?.features ?? []) as { geometry?: { coordinates?: unknown[][] } }[]
  const ring = feature?.geometry?.coordinates?.[0]
  return ring ? ring.length - 1 : 0
}

/** A name as an identifier; undefined where nothing of it can be one. */
export function idOf(name: string): string | undefined {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 64)
  return plain === '' ? undefined : plain
}
