export interface Point {
  x: number
  y: number
}

export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)

export const between = (a: Point, b: Point, t: number): Point => ({
  x: a.x + (b.x - a.x) * t,
  y: a.y + (b.y - a.y) * t,
})

/** Points at most `step` apart on a Catmull-Rom curve through the given ones. */
export function smooth(points: readonly Point[], step: number): Point[] {
  const out: Point[] = []
  for (let i = 0; i + 1 < points.length; i++) {
    const p0 = points[Math.max(0, i - 1)]
    const p1 = points[i]
    const p2 = points[i + 1]
    const p3 = points[Math.min(points.length - 1, i + 2)]
    const n = Math.ceil(distance(p1, p2) / step)
    for (let k = 0; k < n; k++) {
      const t = k / n
      const at = (a: number, b: number, c: number, d: number) =>
        0.5 *
        (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)
      out.push({ x: at(p0.x, p1.x, p2.x, p3.x), y: at(p0.y, p1.y, p2.y, p3.y) })
    }
  }
  out.push(points[points.length - 1])
  return out
}

/** Nearest place on a polyline: distance and the length along it. */
export function nearestOn(line: readonly Point[], p: Point): { distance: number; along: number } {
  let best = Number.POSITIVE_INFINITY
  let along = 0
  let walked = 0
  for (let i = 0; i + 1 < line.length; i++) {
    const a = line[i]
    const b = line[i + 1]
    const dx = b.x - a.x
    const dy = b.y - a.y
    const length2 = dx * dx + dy * dy
    const t = Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2))
    const d = (p.x - a.x - t * dx) ** 2 + (p.y - a.y - t * dy) ** 2
    const length = Math.sqrt(length2)
    if (d < best) {
      best = d
      along = walked + t * length
    }
    walked += length
  }
  return { distance: Math.sqrt(best), along }
}

export function lengthOf(line: readonly Point[]): number {
  let sum = 0
  for (let i = 0; i + 1 < line.length; i++) sum += distance(line[i], line[i + 1])
  return sum
}

export function inside(polygon: readonly Point[], p: Point): boolean {
  let odd = false
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const a = polygon[i]
    const b = polygon[j]
    if (a.y > p.y !== b.y > p.y && p.x < ((b.x - a.x) * (p.y - a.y)) / (b.y - a.y) + a.x) odd = !odd
  }
  return odd
}
