export type Polygon = [x: number, y: number][]

/** Corners of a polygon file: a line a corner, `x,y`. */
export function parsePolygon(csv: string): Polygon {
  return csv
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(',').map(Number) as [number, number])
}

/** Even-odd rule. */
export function isInside(polygon: Polygon, x: number, y: number): boolean {
  let inside = false
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i]
    const [xj, yj] = polygon[j]
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside
  }
  return inside
}
