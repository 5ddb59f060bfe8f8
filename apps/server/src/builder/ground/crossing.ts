import type { Place } from '../grid.ts'
import type { Rings } from './rasterise.ts'

interface Edge {
  ax: number
  ay: number
  bx: number
  by: number
  west: number
  east: number
}

/**
 * A place where the rings of an area cross themselves or one another; null where none does. Rings may touch in a point; edges
 * that lie on one another count as a crossing.
 */
export function crossingOf(rings: Rings): Place | null {
  const edges: Edge[] = []
  for (const ring of rings)
    for (let n = 0, before = ring.length - 1; n < ring.length; before = n++) {
      const [ax, ay] = ring[before]
      const [bx, by] = ring[n]
      if (ax === bx && ay === by) continue
      edges.push({ ax, ay, bx, by, west: Math.min(ax, bx), east: Math.max(ax, bx) })
    }
  edges.sort((a, b) => a.west - b.west)
  // A sweep from west to east over the edges that the present one can meet.
  let active: Edge[] = []
  for (const edge of edges) {
    active = active.filter((other) => other.east >= edge.west)
    for (const other of active) {
      const at = meeting(edge, other)
      if (at !== null) return at
    }
    active.push(edge)
  }
  return null
}

/** Where two edges cross, or where they begin to lie on one another; null where they only touch, or do not meet. */
function meeting(p: Edge, q: Edge): Place | null {
  if (Math.max(p.ay, p.by) < Math.min(q.ay, q.by) || Math.max(q.ay, q.by) < Math.min(p.ay, p.by)) return null
  const px = p.bx - p.ax
  const py = p.by - p.ay
  const qx = q.bx - q.ax
  const qy = q.by - q.ay
  const cross = px * qy - py * qx
  const rx = q.ax - p.ax
  const ry = q.ay - p.ay
  if (cross === 0) return onOneLine(p, q, px, py, rx, ry)
  const t = (rx * qy - ry * qx) / cross
  const u = (rx * py - ry * px) / cross
  // Inner places of both: an end on the other edge is a touch.
  const slack = 1e-9
  if (t <= slack || t >= 1 - slack || u <= slack || u >= 1 - slack) return null
  return [p.ax + t * px, p.ay + t * py]
}

function onOneLine(p: Edge, q: Edge, px: number, py: number, rx: number, ry: number): Place | null {
  if (rx * py - ry * px !== 0) return null
  const square = px * px + py * py
  const a = (rx * px + ry * py) / square
  const b = ((q.bx - p.ax) * px + (q.by - p.ay) * py) / square
  const from = Math.max(0, Math.min(a, b))
  const to = Math.min(1, Math.max(a, b))
  return to - from > 1e-9 ? [p.ax + from * px, p.ay + from * py] : null
}
