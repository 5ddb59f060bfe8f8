/**
 * Streets that look like a town: avenues from the centre, quays along the water, and blocks made by
 * splitting land again and again across its longer side, all bent by smooth noise.
 */
import { between, distance, inside, type Point, smooth } from './geometry.ts'
import { noise, sequence } from './noise.ts'
import { PLACES, toWater } from './terrain.ts'

export interface StreetGraph {
  nodes: Point[]
  /** Pairs of node numbers with the street's rank: 2 avenue or quay, 1 street. */
  edges: { a: number; b: number; rank: number }[]
}

interface Segment {
  a: Point
  b: Point
  rank: number
}

/** Wanted block area in m2: small in the centre, large at the edge of the town. */
function blockArea(p: Point): number {
  return 10_000 + 24_000 * Math.min(1, distance(p, PLACES.centre) / 1300)
}

/** How built-up a place is, 1 in the centre and below 0 outside the town. */
export function density(p: Point): number {
  return 1.05 - distance(p, PLACES.centre) / 1300 + 0.3 * noise(p.x / 420, p.y / 420, 21)
}

/** Above 0 in the woods, which stand off the denser town. */
export function woodiness(p: Point): number {
  const patches = noise(p.x / 380, p.y / 380, 61) + 0.35 * noise(p.x / 120, p.y / 120, 62)
  return patches - 0.22 - 0.75 * Math.max(0, density(p))
}

function splitBlocks(corners: Point[], seed: number): Segment[] {
  const random = sequence(seed)
  const out: Segment[] = []
  const split = (polygon: Point[]) => {
    let area = 0
    let cx = 0
    let cy = 0
    polygon.forEach((p, i) => {
      const q = polygon[(i + 1) % polygon.length]
      area += (p.x * q.y - q.x * p.y) / 2
      cx += p.x / polygon.length
      cy += p.y / polygon.length
    })
    area = Math.abs(area)
    if (area < blockArea({ x: cx, y: cy }) * (0.8 + 0.7 * random())) return
    // Across the longest edge, near its middle, roughly at a right angle.
    let longest = 0
    for (let i = 1; i < polygon.length; i++)
      if (
        distance(polygon[i], polygon[(i + 1) % polygon.length]) >
        distance(polygon[longest], polygon[(longest + 1) % polygon.length])
      )
        longest = i
    const a = polygon[longest]
    const b = polygon[(longest + 1) % polygon.length]
    const m = between(a, b, 0.5 + 0.16 * (random() - 0.5))
    const turn = Math.PI / 2 + 0.24 * (random() - 0.5)
    const heading = Math.atan2(b.y - a.y, b.x - a.x) + turn
    const dx = Math.cos(heading)
    const dy = Math.sin(heading)
    let best: { t: number; i: number; p: Point } | null = null
    for (let i = 0; i < polygon.length; i++) {
      if (i === longest) continue
      const p = polygon[i]
      const q = polygon[(i + 1) % polygon.length]
      const ex = q.x - p.x
      const ey = q.y - p.y
      const det = ex * dy - ey * dx
      if (Math.abs(det) < 1e-9) continue
      const t = ((p.y - m.y) * ex - (p.x - m.x) * ey) / det
      const u = (dx * (p.y - m.y) - dy * (p.x - m.x)) / det
      if (u < 0 || u > 1 || Math.abs(t) < 1e-6) continue
      if (best === null || Math.abs(t) < Math.abs(best.t))
        best = { t, i, p: { x: m.x + dx * t, y: m.y + dy * t } }
    }
    if (best === null) return
    out.push({ a: m, b: best.p, rank: 1 })
    const walk = (from: number, to: number): Point[] => {
      const list: Point[] = []
      for (let i = (from + 1) % polygon.length; ; i = (i + 1) % polygon.length) {
        list.push(polygon[i])
        if (i === to) return list
      }
    }
    split([m, ...walk(longest, best.i), best.p])
    split([best.p, ...walk(best.i, longest), m])
  }
  split(corners)
  return out
}

function bend(p: Point): Point {
  return {
    x: p.x + 55 * noise(p.x / 900, p.y / 900, 31) + 14 * noise(p.x / 260, p.y / 260, 32),
    y: p.y + 55 * noise(p.x / 900, p.y / 900, 33) + 14 * noise(p.x / 260, p.y / 260, 34),
  }
}

const pieces = (line: readonly Point[], rank: number): Segment[] =>
  line.slice(1).map((b, i) => ({ a: line[i], b, rank }))

function avenue(...corners: Point[]): Segment[] {
  return pieces(smooth(corners, 60), 2)
}

/** A line that keeps a distance to the water, followed from a start on the given side. */
function quay(start: Point, towards: number, length: number, offset: number): Segment[] {
  const line: Point[] = [start]
  let heading = towards
  for (let walked = 0; walked < length; walked += 40) {
    const p = line[line.length - 1]
    let best: Point | null = null
    let score = Number.POSITIVE_INFINITY
    for (let k = -6; k <= 6; k++) {
      const h = heading + k * 0.14
      const q = { x: p.x + 40 * Math.cos(h), y: p.y + 40 * Math.sin(h) }
      const s = Math.abs(toWater(q) - offset) + 1.2 * Math.abs(k)
      if (s < score) {
        score = s
        best = q
      }
    }
    if (best === null || toWater(best) < offset * 0.6) break
    heading = Math.atan2(best.y - p.y, best.x - p.x)
    line.push(best)
  }
  return pieces(line, 2)
}

/** Cuts segments at every crossing and joins nodes that lie within `snap` metres. */
function toGraph(segments: readonly Segment[], snap: number): StreetGraph {
  const cuts: Point[][] = segments.map(() => [])
  for (let i = 0; i < segments.length; i++)
    for (let j = i + 1; j < segments.length; j++) {
      const { a, b } = segments[i]
      const { a: c, b: d } = segments[j]
      if (
        Math.max(a.x, b.x) + 1 < Math.min(c.x, d.x) ||
        Math.max(c.x, d.x) + 1 < Math.min(a.x, b.x) ||
        Math.max(a.y, b.y) + 1 < Math.min(c.y, d.y) ||
        Math.max(c.y, d.y) + 1 < Math.min(a.y, b.y)
      )
        continue
      const det = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x)
      if (Math.abs(det) < 1e-9) continue
      const t = ((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x)) / det
      const u = ((c.x - a.x) * (b.y - a.y) - (c.y - a.y) * (b.x - a.x)) / det
      const slackT = 6 / distance(a, b)
      const slackU = 6 / distance(c, d)
      if (t < -slackT || t > 1 + slackT || u < -slackU || u > 1 + slackU) continue
      const p = between(a, b, t)
      cuts[i].push(p)
      cuts[j].push(p)
    }
  const graph: StreetGraph = { nodes: [], edges: [] }
  const buckets = new Map<string, number[]>()
  const nodeAt = (p: Point): number => {
    const gx = Math.floor(p.x / snap)
    const gy = Math.floor(p.y / snap)
    for (let i = gx - 1; i <= gx + 1; i++)
      for (let j = gy - 1; j <= gy + 1; j++)
        for (const n of buckets.get(`${i},${j}`) ?? []) if (distance(graph.nodes[n], p) < snap) return n
    const n = graph.nodes.push(p) - 1
    const key = `${gx},${gy}`
    buckets.set(key, [...(buckets.get(key) ?? []), n])
    return n
  }
  const seen = new Set<string>()
  segments.forEach((segment, i) => {
    const points = [segment.a, ...cuts[i], segment.b].sort(
      (p, q) => distance(segment.a, p) - distance(segment.a, q),
    )
    for (let k = 0; k + 1 < points.length; k++) {
      const a = nodeAt(points[k])
      const b = nodeAt(points[k + 1])
      const key = a < b ? `${a}-${b}` : `${b}-${a}`
      if (a === b || seen.has(key)) continue
      seen.add(key)
      graph.edges.push({ a, b, rank: segment.rank })
    }
  })
  return graph
}

/** Drops edges that fail the test, dead ends shorter than a house row, and small loose parts. */
function prune(graph: StreetGraph, keep: (a: Point, b: Point) => boolean): StreetGraph {
  let edges = graph.edges.filter(({ a, b }) => keep(graph.nodes[a], graph.nodes[b]))
  for (let round = 0; round < 3; round++) {
    const degree = new Map<number, number>()
    for (const { a, b } of edges) for (const n of [a, b]) degree.set(n, (degree.get(n) ?? 0) + 1)
    edges = edges.filter(
      ({ a, b }) =>
        distance(graph.nodes[a], graph.nodes[b]) > 30 || (degree.get(a) !== 1 && degree.get(b) !== 1),
    )
  }
  const part = graph.nodes.map((_, i) => i)
  const root = (i: number): number => {
    while (part[i] !== i) {
      part[i] = part[part[i]]
      i = part[i]
    }
    return i
  }
  for (const { a, b } of edges) part[root(a)] = root(b)
  const size = new Map<number, number>()
  for (const { a } of edges) size.set(root(a), (size.get(root(a)) ?? 0) + 1)
  edges = edges.filter(({ a }) => (size.get(root(a)) ?? 0) >= 12)
  const number = new Map<number, number>()
  const nodes: Point[] = []
  const renumber = (n: number): number => {
    const known = number.get(n)
    if (known !== undefined) return known
    number.set(n, nodes.length)
    return nodes.push(graph.nodes[n]) - 1
  }
  const renumbered = edges.map(({ a, b, rank }) => ({ a: renumber(a), b: renumber(b), rank }))
  return { nodes, edges: renumbered }
}

export function makeStreets(): StreetGraph {
  const rect = (x0: number, y0: number, x1: number, y1: number): Point[] => [
    { x: x0, y: y0 },
    { x: x1, y: y0 + 40 },
    { x: x1 - 60, y: y1 },
    { x: x0 + 30, y: y1 - 50 },
  ]
  const blocks = [
    ...splitBlocks(rect(60, 1150, 3350, 3350), 41),
    ...splitBlocks(rect(60, 60, 3350, 1500), 42),
  ].flatMap(({ a, b, rank }) => {
    const n = Math.max(1, Math.ceil(distance(a, b) / 60))
    return pieces(
      Array.from({ length: n + 1 }, (_, k) => bend(between(a, b, k / n))),
      rank,
    )
  })
  const { centre } = PLACES
  const avenues = [
    avenue(centre, { x: 1400, y: 2150 }, { x: 1000, y: 2750 }, { x: 700, y: 3280 }),
    avenue(centre, { x: 1980, y: 2250 }, { x: 2150, y: 2900 }, { x: 2200, y: 3330 }),
    avenue(centre, { x: 1250, y: 1800 }, { x: 650, y: 1850 }, { x: 120, y: 1750 }),
    avenue({ x: 1650, y: 1210 }, { x: 1500, y: 700 }, { x: 1350, y: 80 }),
    avenue({ x: 1450, y: 1120 }, { x: 950, y: 650 }, { x: 450, y: 180 }),
    avenue({ x: 2500, y: 1250 }, { x: 2950, y: 1500 }, { x: 3300, y: 1650 }),
    avenue({ x: 1700, y: 1330 }, { x: 1900, y: 1270 }, { x: 2000, y: 1225 }),
  ].flat()
  const quays = [
    quay({ x: 2000, y: 1440 }, Math.PI * 0.85, 2300, 34),
    quay({ x: 2050, y: 1040 }, Math.PI * 0.8, 2000, 34),
    quay({ x: 2110, y: 1010 }, -Math.PI * 0.25, 1000, 34),
    quay({ x: 2300, y: 1830 }, Math.PI * 0.25, 1100, 26),
    quay({ x: 2330, y: 1500 }, -Math.PI * 0.4, 900, 34),
  ].flat()
  const sites = [PLACES.eogn, PLACES.oxygene]
  const clear = (p: Point) => toWater(p) > 20 && !sites.some((site) => inside(site, p))
  return prune(toGraph([...avenues, ...quays, ...blocks], 16), (a, b) => {
    const m = between(a, b, 0.5)
    return (
      density(m) > 0 && woodiness(m) < 0 && [a, between(a, b, 0.25), m, between(a, b, 0.75), b].every(clear)
    )
  })
}
