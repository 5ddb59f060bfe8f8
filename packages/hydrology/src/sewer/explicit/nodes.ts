import type { SewerNode } from '@radx/contracts'
import type { ExplicitInput } from './arrays.ts'
import { FILM_M, FILM_M3S, RELAXATION, TERMINAL_SHARE } from './limits.ts'
import { SHAPES, type TankShape, tankShape } from './tanks.ts'

/** What stays of nodes, by position: heights of rim and highest crown above the bottom, m, and traits, 0 or 1. */
export interface NodeFacts {
  tank: Uint8Array
  /** No link leads to it. */
  terminal: Uint8Array
  invert: Float64Array
  fullDepth: Float64Array
  /** Where water may pond, else 0, m2. */
  pondedArea: Float64Array
  surcharge: Float64Array
  crown: Float64Array
  /** Water of the node's own shape up to its rim, m3. */
  fullOwn: Float64Array
  /** Of other nodes than tanks there is no surface and no water. */
  shapes: TankShape[]
}

/** Depths of the nodes in a trial. */
export interface NodeDepths {
  /** Surfaces, flows and slopes of the nodes that the trial takes in as they are before links bring theirs. */
  begin(): void
  /** New depths from the balances; whether all stand still within `toleranceM`. */
  trial(dt: number, first: boolean, toleranceM: number): boolean
}

export function nodeFacts(input: ExplicitInput): NodeFacts {
  const { network, plan } = input
  const { nodeOf, fullDepth, invert } = plan
  const { options, nodes } = network
  const shapes = Array.from(nodeOf, (n) => tankShape(shapeOf(nodes[n])))
  return {
    tank: Uint8Array.from(shapes, ({ kind }) => (kind === SHAPES.none ? 0 : 1)),
    terminal: terminalsOf(input),
    invert,
    fullDepth,
    pondedArea: Float64Array.from(nodeOf, (n) => (options.allowPonding ? nodes[n].pondedAreaM2 : 0)),
    surcharge: Float64Array.from(nodeOf, (n) => nodes[n].surchargeDepthM),
    crown: crownsOf(input),
    fullOwn: Float64Array.from(shapes, (shape, p) => shape.volume(fullDepth[p])),
    shapes,
  }
}

/** Depths from the mean of the net flows at a step's two ends over the surface; above the crown from the links' slopes (EXTRAN). */
export function createNodeDepths(input: ExplicitInput, facts: NodeFacts): NodeDepths {
  const { network, plan, arrays } = input
  const { unknowns, nodeOf } = plan
  const { depth, oldDepth, head, surface, openSurface, inflow, outflow, oldNet, lateral, slopes } = arrays
  const { overflow, rise, settled, active, own, oldOwn } = arrays
  const { tank, invert, fullDepth, pondedArea, surcharge, fullOwn, shapes } = facts
  const least = network.options.minSurfaceAreaM2
  const { pressed, isPressed } = underPressure(input, facts)

  const settle = (p: number, dt: number, first: boolean): void => {
    const last = depth[p]
    const canPond = pondedArea[p] > 0
    const ponded = canPond && last > fullDepth[p]
    const area = Math.max(surface[p], least)
    const gain = (0.5 * (oldNet[p] + inflow[p] - outflow[p]) + lateral[p]) * dt
    overflow[p] = 0
    let y: number
    if (isPressed(p, last, ponded)) y = pressed(p, dt, last)
    else {
      y = oldDepth[p] + gain / area
      if (!ponded) openSurface[p] = area
      if (!first) y = (1 - RELAXATION) * last + RELAXATION * y
      if (ponded && y < fullDepth[p]) y = fullDepth[p] - FILM_M
    }
    if (!(y > 0)) y = 0
    const top = fullDepth[p] + (canPond ? 0 : surcharge[p])
    if (y > top) {
      if (!canPond) {
        overflow[p] = gain / dt
        own[p] = fullOwn[p]
        y = top
      } else {
        own[p] = Math.max(oldOwn[p] + gain, fullOwn[p])
        overflow[p] = (own[p] - Math.max(oldOwn[p], fullOwn[p])) / dt
      }
      if (overflow[p] < FILM_M3S) overflow[p] = 0
    } else own[p] = tank[p] === 1 ? shapes[p].volume(y) : 0
    rise[p] = Math.abs(y - oldDepth[p])
    depth[p] = y
    head[p] = invert[p] + y
  }

  return {
    begin() {
      for (let p = 0; p < nodeOf.length; p++) {
        if (active[p] === 0) continue
        const y = depth[p]
        if (pondedArea[p] > 0 && y > fullDepth[p]) surface[p] = pondedArea[p]
        else surface[p] = tank[p] === 1 ? shapes[p].area(y) : 0
        inflow[p] = Math.max(0, arrays.sampled[p])
        outflow[p] = Math.max(0, -arrays.sampled[p])
        slopes[p] = 0
      }
    },
    trial(dt, first, toleranceM) {
      let all = true
      for (let p = 0; p < unknowns; p++) {
        const last = depth[p]
        settle(p, dt, first)
        settled[p] = Math.abs(depth[p] - last) > toleranceM ? 0 : 1
        if (settled[p] === 0) all = false
      }
      return all
    },
  }
}

const shapeOf = (node: SewerNode) => (node.kind === 'storage' ? node.shape : null)

/** What a surcharged node does (SWMM Reference Manual II, 3.3.5). */
function underPressure({ network, arrays }: ExplicitInput, facts: NodeFacts) {
  const { crown, tank, terminal, pondedArea, surcharge, fullDepth } = facts
  const { slopes, openSurface, inflow, outflow, lateral } = arrays
  const extran = network.options.surchargeMethod === 'EXTRAN'

  /** Depth of a node that is under pressure. */
  const pressed = (p: number, dt: number, last: number): number => {
    let resisting = slopes[p]
    if (last < 1.25 * crown[p]) {
      const share = Math.exp((-15 * (last - crown[p])) / crown[p])
      resisting += (openSurface[p] / dt - slopes[p]) * share
    }
    const net = inflow[p] - outflow[p] + lateral[p]
    let y = last + (resisting === 0 ? 0 : ((terminal[p] === 1 ? TERMINAL_SHARE : 1) * net) / resisting)
    if (y < crown[p]) y = crown[p] - FILM_M
    if (pondedArea[p] > 0 && y > fullDepth[p]) y = fullDepth[p] + FILM_M
    return y
  }

  const isPressed = (p: number, last: number, ponded: boolean): boolean => {
    if (!extran || ponded) return false
    if (tank[p] === 1) return surcharge[p] > 0 && last > fullDepth[p] && slopes[p] !== 0
    return crown[p] > 0 && last > crown[p]
  }

  return { pressed, isPressed }
}

/** Height of the highest crown that joins a node, regulators' too, m above its bottom. */
function crownsOf({ network, plan }: Pick<ExplicitInput, 'network' | 'plan'>): Float64Array {
  const { conduits, invert, positionOf, nodeOf, sections } = plan
  const crown = new Float64Array(nodeOf.length)
  const raise = (p: number, to: number) => {
    crown[p] = Math.max(crown[p], to)
  }
  for (let c = 0; c < conduits.count; c++) {
    raise(conduits.from[c], conduits.fromInvert[c] + conduits.tables[c].fullDepthM - invert[conduits.from[c]])
    raise(conduits.to[c], conduits.toInvert[c] + conduits.tables[c].fullDepthM - invert[conduits.to[c]])
  }
  for (const i of plan.devices) {
    const link = network.links[i]
    if (!('offsetM' in link)) continue
    const a = positionOf[link.from]
    const b = positionOf[link.to]
    const offset = Math.max(0, link.offsetM, invert[b] - invert[a])
    const height = sections[i]?.fullDepthM ?? 0
    raise(a, offset + height)
    raise(b, Math.max(0, link.offsetM) + height)
  }
  return crown
}

/** 1 for nodes that no link leads to. */
function terminalsOf({ network, plan }: Pick<ExplicitInput, 'network' | 'plan'>): Uint8Array {
  const { conduits, positionOf, nodeOf, unknowns } = plan
  const terminal = new Uint8Array(nodeOf.length).fill(1)
  const reach = (a: number, b: number) => {
    terminal[a >= unknowns ? a : b] = 0
  }
  for (let c = 0; c < conduits.count; c++) reach(conduits.from[c], conduits.to[c])
  for (const i of plan.devices) reach(positionOf[network.links[i].from], positionOf[network.links[i].to])
  return terminal
}
