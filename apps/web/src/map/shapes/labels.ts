import type { ShapeFeature, ShapeGeometry } from '@radx/contracts/shapefiles'
import { featureName } from './names.ts'

type Position = readonly number[]

export interface Label {
  name: string
  /** [lng, lat] */
  at: [number, number]
  /** Points stand closer together than surfaces and lines, and are named later. */
  kind: 'point' | 'shape'
}

/**
 * Where the names of a layer's features stand: inside a surface, halfway along a line, at a point. Of several
 * parts the largest is named. Features without `Text` and `node_id` have no label.
 */
export function labelsOf(features: readonly ShapeFeature[]): Label[] {
  return features.flatMap(({ properties, geometry }) => {
    const name = featureName(properties)
    const at = place(geometry)
    return at === null || name === null
      ? []
      : [{ name, at, kind: geometry.type.endsWith('Point') ? 'point' : 'shape' } as const]
  })
}

function place(geometry: ShapeGeometry): [number, number] | null {
  switch (geometry.type) {
    case 'Point':
      return lngLat(geometry.coordinates)
    case 'MultiPoint':
      return lngLat(geometry.coordinates[0])
    case 'LineString':
      return halfway(geometry.coordinates)
    case 'MultiLineString':
      return halfway(largest(geometry.coordinates, lengthOf))
    case 'Polygon':
      return inside(geometry.coordinates)
    case 'MultiPolygon':
      return inside(largest(geometry.coordinates, (rings) => Math.abs(areaOf(rings[0] ?? []))))
  }
}

const lngLat = (at: Position | undefined): [number, number] | null =>
  at === undefined || at.length < 2 ? null : [at[0], at[1]]

const largest = <T>(parts: readonly T[], size: (part: T) => number): T | undefined =>
  parts.reduce<T | undefined>(
    (best, part) => (best === undefined || size(part) > size(best) ? part : best),
    undefined,
  )

const distance = (a: Position, b: Position) => Math.hypot(b[0] - a[0], b[1] - a[1])

const lengthOf = (line: readonly Position[]) =>
  line.slice(1).reduce((sum, at, i) => sum + distance(line[i], at), 0)

function halfway(line: readonly Position[] | undefined): [number, number] | null {
  if (line === undefined || line.length === 0) return null
  let left = lengthOf(line) / 2
  for (let i = 1; i < line.length; i++) {
    const step = distance(line[i - 1], line[i])
    if (step >= left && step > 0) {
      const share = left / step
      return [
        line[i - 1][0] + share * (line[i][0] - line[i - 1][0]),
        line[i - 1][1] + share * (line[i][1] - line[i - 1][1]),
      ]
    }
    left -= step
  }
  return lngLat(line[0])
}

/** Twice the signed area of a ring. */
const areaOf = (ring: readonly Position[]) =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length]
    return sum + x * nextY - nextX * y
  }, 0)

/** Middle of the widest stretch that lies inside at half height: also inside what is bent or has holes. */
function inside(rings: readonly (readonly Position[])[] | undefined): [number, number] | null {
  const outer = rings?.[0]
  if (rings === undefined || outer === undefined || outer.length < 3) return null
  const heights = outer.map(([, y]) => y)
  const y = (Math.min(...heights) + Math.max(...heights)) / 2
  const crossings = rings
    .flatMap((ring) =>
      ring.flatMap(([x1, y1], i) => {
        const [x2, y2] = ring[(i + 1) % ring.length]
        return y1 <= y === y2 <= y ? [] : [x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)]
      }),
    )
    .sort((a, b) => a - b)
  const stretches = crossings.flatMap((from, i) =>
    i % 2 === 0 && i + 1 < crossings.length ? [[from, crossings[i + 1]]] : [],
  )
  const widest = largest(stretches, ([from, to]) => to - from)
  return widest === undefined ? lngLat(outer[0]) : [(widest[0] + widest[1]) / 2, y]
}
