import type { NodePath } from '@radx/contracts/simulation'
import { PROFILE_GEOMETRY } from '@radx/contracts/simulation-constants'

/** Coordinates by name, x and y in turn: x0, y0, x1, y1... */
export type Corners = Record<string, number>

export interface ProfileNode {
  name: string
  /** Metres along the path. */
  x: number
  invertM: number
  rimM: number
  /** The rim, or the highest level that the water ever has. */
  topM: number
  /** The highest level of the run itself; null where only its means are known. */
  highestM: number | null
}

interface PipeShape {
  x0: number
  x1: number
  /** Invert at the two ends, in the direction of the path. */
  invert0M: number
  invert1M: number
  heightM: number
}

export interface ProfilePipe extends PipeShape {
  name: string
  isCircular: boolean
  lengthM: number
  /** Fall by length along the path; negative where it rises. */
  slope: number
  /** Place among the links of the path. */
  link: number
  /** The highest that its energy line ever stands, m; null where it has none. */
  energyTopM: number | null
}

export interface Profile {
  nodes: readonly ProfileNode[]
  pipes: readonly ProfilePipe[]
  lengthM: number
  /** What the drawing shows, m, its margins included. */
  x: readonly [number, number]
  z: readonly [number, number]
}

/**
 * Places of a path's nodes and pipes in the drawing; the pipes keep clear of the shafts.
 * @param highest highest levels of the run by the names of the nodes, m
 */
export function profileOf(
  { nodes, links, data }: NodePath,
  geometry = PROFILE_GEOMETRY,
  highest?: ReadonlyMap<string, number>,
): Profile {
  const { linkSpacing, nodeWidth, elevationMargin, distanceMargin } = geometry
  const clear = nodeWidth / 2 + linkSpacing
  const shafts: ProfileNode[] = []
  const pipes: ProfilePipe[] = []
  let x = 0
  nodes.forEach((node, k) => {
    const link = links[k - 1]
    if (link) {
      const before = x
      // Pumps, weirs and orifices have no length: room for the two shafts.
      x += Math.max(link.Length, 2 * clear)
      const along = link.From_Node === nodes[k - 1].Name
      const [near, far] = along ? [link.InOffset, link.OutOffset] : [link.OutOffset, link.InOffset]
      const [invert0M, invert1M] = [nodes[k - 1].Elevation + near, node.Elevation + far]
      if (link.Geom1 > 0) {
        const shape = { x0: before + clear, x1: x - clear, invert0M, invert1M, heightM: link.Geom1 }
        pipes.push({
          name: link.Name,
          ...shape,
          isCircular: link.Shape === 'CIRCULAR',
          lengthM: link.Length,
          slope: link.Length > 0 ? (invert0M - invert1M) / link.Length : 0,
          link: k - 1,
          energyTopM: data.reduce<number | null>((top, { depths, speeds }) => {
            const heads = [nodes[k - 1].Elevation + depths[k - 1], node.Elevation + depths[k]] as const
            const levels = energyIn(shape, heads, speeds?.[k - 1])
            return levels === null ? top : Math.max(top ?? levels[0], ...levels)
          }, null),
        })
      }
    }
    const rimM = node.Elevation + node.MaxDepth
    const highestM = highest?.get(node.Name) ?? null
    const topM = data.reduce(
      (top, { depths }) => Math.max(top, node.Elevation + depths[k]),
      Math.max(rimM, highestM ?? rimM),
    )
    shafts.push({ name: node.Name, x, invertM: node.Elevation, rimM, topM, highestM })
  })
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const see = (z: number) => {
    low = Math.min(low, z)
    high = Math.max(high, z)
  }
  for (const { invertM, topM } of shafts) for (const z of [invertM, topM]) see(z)
  for (const { invert0M, invert1M, heightM, energyTopM } of pipes) {
    for (const z of [invert0M, invert1M]) for (const part of [z, z + heightM]) see(part)
    if (energyTopM !== null) see(energyTopM)
  }
  return {
    nodes: shafts,
    pipes,
    lengthM: x,
    x: [-distanceMargin, x + distanceMargin],
    z: [low - elevationMargin, high + elevationMargin],
  }
}

/** What a path holds at a moment: depths at its nodes, m, and where they are known speeds in its links, m/s. */
export interface Moment {
  depths: readonly number[]
  speeds?: readonly number[]
}

/** A path at a moment: linear between the two data; the nearest beyond them. */
export function momentAt(data: NodePath['data'], timeS: number): Moment {
  const next = data.findIndex((entry) => entry.timeS >= timeS)
  if (next === -1) return data.at(-1) ?? { depths: [] }
  if (next === 0) return data[0]
  const [a, b] = [data[next - 1], data[next]]
  const share = (timeS - a.timeS) / (b.timeS - a.timeS)
  const between = (from: readonly number[], to: readonly number[]) =>
    from.map((value, k) => value + share * (to[k] - value))
  return {
    depths: between(a.depths, b.depths),
    ...(a.speeds && b.speeds && { speeds: between(a.speeds, b.speeds) }),
  }
}

/** Standard gravity, m/s2. */
const GRAVITY = 9.80665

/**
 * The energy line of a pipe at its two ends, m: the level of the water there, which never lies below the invert, and
 * the height of its speed; null where nothing flows.
 */
export function energyIn(
  { invert0M, invert1M }: PipeShape,
  [head0M, head1M]: readonly [number, number],
  speedMS: number | undefined,
): [number, number] | null {
  if (speedMS === undefined || !(speedMS > 0)) return null
  const heightM = speedMS ** 2 / (2 * GRAVITY)
  return [Math.max(head0M, invert0M) + heightM, Math.max(head1M, invert1M) + heightM]
}

/** Water in a pipe between the heads at its two ends, clipped by the pipe; null when it is dry. */
export function waterIn(pipe: PipeShape, head0M: number, head1M: number): Corners | null {
  const at = (a: number, b: number, s: number) => a + s * (b - a)
  const { x0, x1, invert0M, invert1M, heightM } = pipe
  const stops = [0, 1]
  for (const above of [0, heightM]) {
    const d0 = head0M - invert0M - above
    const d1 = head1M - invert1M - above
    if (d0 * d1 < 0) stops.push(d0 / (d0 - d1))
  }
  stops.sort((a, b) => a - b)
  const top: [number, number][] = []
  const bottom: [number, number][] = []
  let wet = false
  for (const s of stops) {
    const x = at(x0, x1, s)
    const invert = at(invert0M, invert1M, s)
    const depth = Math.min(heightM, Math.max(0, at(head0M, head1M, s) - invert))
    wet ||= depth > 0
    top.push([x, invert + depth])
    bottom.unshift([x, invert])
  }
  return wet ? corners([...top, ...bottom]) : null
}

export const corners = (points: readonly (readonly [number, number])[]): Corners =>
  Object.fromEntries(
    points.flatMap(([x, y], k) => [
      [`x${k}`, x],
      [`y${k}`, y],
    ]),
  )

export interface Scales {
  x: (metres: number) => number
  y: (metres: number) => number
}

/** A polygon as part of an SVG path. @throws RangeError when a corner has only one of its coordinates */
export function polygonPath(shape: Corners, { x, y }: Scales): string {
  const values = Object.values(shape)
  if (values.length % 2 !== 0)
    throw new RangeError(`a profile polygon has ${values.length} coordinate keys, an odd number`)
  let path = ''
  for (let k = 0; k < values.length; k += 2)
    path += `${k === 0 ? 'M' : 'L'}${x(values[k]).toFixed(1)} ${y(values[k + 1]).toFixed(1)}`
  return `${path}Z`
}

/** The node nearest to a place along the path, m. */
export function nearestNode(nodes: readonly ProfileNode[], x: number): ProfileNode | undefined {
  let best: ProfileNode | undefined
  for (const node of nodes) if (best === undefined || Math.abs(node.x - x) < Math.abs(best.x - x)) best = node
  return best
}

/** Round values inside a range, at most about `count` of them. */
export function ticks([from, to]: readonly [number, number], count: number): number[] {
  const raw = (to - from) / count
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 2, 5, 10].map((m) => m * power).find((candidate) => candidate >= raw) ?? raw
  const values: number[] = []
  for (let k = Math.ceil(from / step); k * step <= to + step * 1e-9; k++) values.push(k * step)
  return values
}
