import { GRAVITY } from '@radx/contracts/constants'
import { forceMainFriction } from '../sections/friction.ts'
import {
  criticalDepth,
  EXTRAN_FROM,
  normalDepth,
  slotWidth,
  TABLE_INTERVALS,
  TABLE_STRIDE,
  tableAt,
} from '../sections/section-table.ts'
import type { ExplicitInput } from './arrays.ts'
import { FASTEST_MS, FILM_M, FILM_M2, FILM_M3S, RELAXATION, TURNING_M3S } from './limits.ts'

/** How water stands in a conduit (SWMM Reference Manual II, 3.3.4). */
const DRY = 0
const FROM_DRY = 1
const TO_DRY = 2
const SUBCRITICAL = 3
const FROM_CRITICAL = 4
const TO_CRITICAL = 5

/** Momentum of all conduits in a trial. */
export interface ConduitFlows {
  /** New flows and what they bring to the nodes' surfaces and slopes; `first`: no trial of this step went before. */
  trial(dt: number, first: boolean): void
}

/**
 * Explicit momentum along each conduit at the heads of the trial before (SWMM Reference Manual II, eq. 3-14 and 3.3): normal
 * flow, free falls, gates and dry nodes within, half of the answer taken from the second trial on.
 */
export function createConduitFlows(input: ExplicitInput): ConduitFlows {
  const { network, plan, sections, arrays } = input
  const { options } = network
  const { conduits, unknowns, invert } = plan
  const { from, to, fromInvert, toInvert, length, barrels, friction, beta, tables } = conduits
  const { rows, firstRow, perMetre, fullDepth, closed } = sections
  const { head, depth } = arrays
  const slot = options.surchargeMethod === 'SLOT'
  const undamped = options.inertialDamping === 'NONE'
  const damped = options.inertialDamping === 'FULL'
  const bySlope = options.normalFlowLimited === 'SLOPE' || options.normalFlowLimited === 'BOTH'
  const byFroude = options.normalFlowLimited === 'FROUDE' || options.normalFlowLimited === 'BOTH'
  const limited = bySlope || byFroude
  const crown = slot ? Infinity : EXTRAN_FROM
  const lossy = Uint8Array.from(tables, (_, c) =>
    conduits.lossIn[c] + conduits.lossOut[c] + conduits.lossMean[c] > 0 ? 1 : 0,
  )
  const atOutfall = Uint8Array.from(tables, (_, c) => (from[c] >= unknowns || to[c] >= unknowns ? 1 : 0))
  const gates = gatesOf(input)
  const rimmed = limitedAtRim(input)
  // Of the conduit that is at work: depths and heads of its ends, how water stands in it, surfaces.
  let y1 = 0
  let y2 = 0
  let h1 = 0
  let h2 = 0
  let state = DRY
  let share = 1
  let surface1 = 0
  let surface2 = 0

  const look = (c: number, y: number, column: number): number => {
    const at = y * perMetre[c]
    if (at >= TABLE_INTERVALS) return rows[firstRow[c] + TABLE_INTERVALS * TABLE_STRIDE + column]
    const k = at | 0
    const row = firstRow[c] + k * TABLE_STRIDE + column
    return rows[row] + (at - k) * (rows[row + TABLE_STRIDE] - rows[row])
  }
  const width = (c: number, y: number): number => {
    if (closed[c] === 0) return look(c, y, 1)
    if (!slot) return look(c, Math.min(y, crown * fullDepth[c]), 1)
    return slotWidth(tables[c], y / fullDepth[c]) || look(c, y, 1)
  }
  const areaAt = (c: number, y: number): number => (slot && y > fullDepth[c] ? sections.slotArea(c, y) : look(c, y, 0))
  const froudeAt = (c: number, v: number, y: number): number => {
    if (y <= FILM_M || (closed[c] === 1 && fullDepth[c] - y <= FILM_M)) return 0
    return Math.abs(v) / Math.sqrt((GRAVITY * look(c, y, 0)) / look(c, y, 1))
  }

  /** Height of an end over the water in its node, which an outfall's stage lowers. */
  const dropAt = (p: number, end: number) =>
    p >= unknowns ? Math.max(0, end - invert[p] - depth[p]) : end - invert[p]

  const fallDepth = (c: number, q: number) =>
    Math.max(FILM_M, Math.min(normalDepth(tables[c], q, beta[c]), criticalDepth(tables[c], q)))

  /** Sets `state`, and `share` of the surface of the lower half that counts. */
  const classify = (c: number, q: number): void => {
    state = SUBCRITICAL
    share = 1
    const wet1 = y1 > FILM_M
    const wet2 = y2 > FILM_M
    if (wet1 && wet2) {
      if (q < 0) {
        if (dropAt(from[c], fromInvert[c]) > 0 && y1 < Math.min(normalDepth(tables[c], -q, beta[c]), criticalDepth(tables[c], -q)))
          state = FROM_CRITICAL
      } else if (dropAt(to[c], toInvert[c]) > 0) {
        const normal = normalDepth(tables[c], q, beta[c])
        const critical = criticalDepth(tables[c], q)
        const low = Math.min(normal, critical)
        const high = Math.max(normal, critical)
        if (y2 < low) state = TO_CRITICAL
        else if (y2 < high) share = high - low < FILM_M ? 0 : (high - y2) / (high - low)
      }
    } else if (!wet1 && !wet2) state = DRY
    else if (wet2) {
      if (h2 < fromInvert[c]) state = FROM_DRY
      else if (dropAt(from[c], fromInvert[c]) > 0) state = FROM_CRITICAL
    } else if (h1 < toInvert[c]) state = TO_DRY
    else if (dropAt(to[c], toInvert[c]) > 0) state = TO_CRITICAL
  }

  /** Surfaces of a conduit's two halves; depths and heads of free ends. */
  const stand = (c: number, q: number): void => {
    if (y1 >= fullDepth[c] && y2 >= fullDepth[c]) {
      state = SUBCRITICAL
      share = 1
    } else classify(c, q)
    const L = length[c]
    surface1 = 0
    surface2 = 0
    if (state === DRY) {
      surface1 = surface2 = (FILM_M * L) / 2
      return
    }
    if (state === FROM_CRITICAL) {
      y1 = fallDepth(c, Math.abs(q))
      h1 = fromInvert[c] + y1
    } else if (state === TO_CRITICAL) {
      y2 = fallDepth(c, Math.abs(q))
      h2 = toInvert[c] + y2
    } else if (state === FROM_DRY) y1 = FILM_M
    else if (state === TO_DRY) y2 = FILM_M
    const middle = width(c, Math.max(FILM_M, 0.5 * (y1 + y2)))
    if (state === FROM_CRITICAL) surface2 = (middle + width(c, y2)) * L * 0.5
    else if (state === TO_CRITICAL) surface1 = (width(c, y1) + middle) * L * 0.5
    else {
      if (state !== FROM_DRY || fromInvert[c] - invert[from[c]] <= 0)
        surface1 = (width(c, y1) + middle) * L * 0.25
      if (state !== TO_DRY || toInvert[c] - invert[to[c]] <= 0)
        surface2 = (width(c, y2) + middle) * L * 0.25 * share
    }
  }

  const seepage = (c: number, dt: number): number => {
    const y = arrays.middle[c]
    const speed = conduits.seepage[c]
    if (speed <= 0 || y <= FILM_M) return 0
    const table = tables[c]
    const wide = tableAt(table, Math.min(y, table.widestDepthM), 1)
    return Math.min(speed * wide * length[c], (arrays.endArea[c] * length[c]) / dt)
  }

  /** Normal flow where it governs and is less than `q`. */
  const normalFlow = (c: number, q: number, a1: number): number => {
    let governs = (bySlope || atOutfall[c] === 1) && y1 < y2
    if (!governs && byFroude && atOutfall[c] === 0 && y1 > FILM_M && y2 > FILM_M)
      governs = froudeAt(c, q / a1, y1) >= 1
    if (!governs) return q
    const most = beta[c] * look(c, y1, 3)
    return most < q ? most : q
  }

  /** What gates, limits and dry nodes leave of a flow. */
  const cut = (c: number, q: number): number => {
    const most = conduits.maxFlow[c]
    if (most > 0 && Math.abs(q) > most) q = Math.sign(q) * most
    if ((q < 0 && gates.back(c)) || (q > 0 && gates.forth(c))) q = 0
    if (q > FILM_M3S && depth[from[c]] <= FILM_M) q = FILM_M3S
    if (q < -FILM_M3S && depth[to[c]] <= FILM_M) q = -FILM_M3S
    return q
  }

  const { flow, oldFlow, area, oldArea, endArea, middle, froude, slope } = arrays

  const stop = (c: number, dt: number, a1: number, a2: number, aMid: number, yMid: number): void => {
    area[c] = 0.5 * (a1 + a2)
    endArea[c] = area[c]
    flow[c] = 0
    slope[c] = ((GRAVITY * dt * aMid) / length[c]) * barrels[c]
    froude[c] = 0
    middle[c] = Math.min(yMid, fullDepth[c])
  }

  const move = (c: number, dt: number, first: boolean): void => {
    const full = fullDepth[c]
    const last = flow[c]
    h1 = Math.max(head[from[c]], fromInvert[c])
    h2 = Math.max(head[to[c]], toInvert[c])
    y1 = Math.max(h1 - fromInvert[c], FILM_M)
    y2 = Math.max(h2 - toInvert[c], FILM_M)
    if (!slot) {
      y1 = Math.min(y1, full)
      y2 = Math.min(y2, full)
    }
    stand(c, last)
    arrays.fromSurface[c] = surface1 * barrels[c]
    arrays.toSurface[c] = surface2 * barrels[c]
    const a1 = areaAt(c, y1)
    const a2 = areaAt(c, y2)
    const yMid = 0.5 * (y1 + y2)
    const aMid = areaAt(c, yMid)
    const isFull = y1 >= full && y2 >= full
    if (state === DRY || state === FROM_DRY || state === TO_DRY || arrays.open[c] === 0 || aMid <= FILM_M2) {
      stop(c, dt, a1, a2, aMid, yMid)
      return
    }
    let v = last / aMid
    if (v > FASTEST_MS) v = FASTEST_MS
    else if (v < -FASTEST_MS) v = -FASTEST_MS
    const fr = froudeAt(c, v, yMid)
    froude[c] = fr
    let sigma = fr <= 0.5 ? 1 : fr >= 1 ? 0 : 2 * (1 - fr)
    const rho = !isFull && last > 0 && h1 >= h2 ? sigma : 1
    const aWtd = a1 + (aMid - a1) * rho
    const rMid = look(c, yMid, 2)
    const rWtd = rho === 1 ? rMid : rho === 0 ? look(c, y1, 2) : blend(look(c, y1, 2), rMid, rho)
    if (undamped) sigma = 1
    else if (damped) sigma = 0
    if (isFull && closed[c] === 1) sigma = 0
    const speed = Math.abs(v)
    const rubbing =
      conduits.forceMain[c] > 0 && isFull
        ? forceMainFriction(conduits.forceMain[c], speed, tables[c].fullRadiusM, options.forceMainEquation)
        : (friction[c] / rWtd) * speed
    let resisting = 1 + dt * rubbing
    const L = length[c]
    let q = oldFlow[c] - (dt * GRAVITY * aWtd * (h2 - h1)) / L
    if (sigma > 0)
      q += sigma * (2 * v * (aMid - Math.max(oldArea[c], FILM_M2)) + (dt * v * v * (a2 - a1)) / L)
    if (lossy[c] === 1) {
      let losses = 0
      if (a1 > FILM_M2) losses += conduits.lossIn[c] / a1
      if (a2 > FILM_M2) losses += conduits.lossOut[c] / a2
      if (aMid > FILM_M2) losses += conduits.lossMean[c] / aMid
      resisting += (losses * Math.abs(last) * dt) / (2 * L)
    }
    if (conduits.seepage[c] > 0) {
      const loss = seepage(c, dt)
      arrays.loss[c] = loss * barrels[c]
      q += (loss * 2.5 * dt * v) / L
    }
    q /= resisting
    slope[c] = ((GRAVITY * dt * aWtd) / (L * resisting)) * barrels[c]
    if (q > 0) {
      if (conduits.inlets[c] !== null && !isFull) q = Math.min(q, sections.inletFlow(c, h1 - fromInvert[c]))
      else if (limited && (y1 < full || (rimmed[c] === 1 && y1 <= full + FILM_M)) && state === SUBCRITICAL) q = normalFlow(c, q, a1)
    }
    if (!first) {
      q = (1 - RELAXATION) * last + RELAXATION * q
      if (q * last < 0) q = Math.sign(q) * TURNING_M3S
    }
    q = cut(c, q)
    flow[c] = q
    area[c] = aMid
    endArea[c] = 0.5 * (a1 + a2)
    middle[c] = Math.min(yMid, full)
  }

  return {
    trial(dt, first) {
      const { bypassed } = arrays
      for (let c = 0; c < conduits.count; c++) if (bypassed[c] === 0) move(c, dt, first)
    },
  }
}

/** Radius^(4/3) of a radius between two, given theirs. */
function blend(r1: number, rMid: number, rho: number): number {
  const a = r1 ** 0.75
  return (a + (rMid ** 0.75 - a) * rho) ** (4 / 3)
}

const FT = 0.3048

/**
 * 1 for conduits that normal flow limits although the node above stands at its rim, which is their top. EPA SWMM asks for a depth below the top, and
 * reckons it in feet as (depth + bottom) - bottom: rounding decides, and is done here as there.
 */
function limitedAtRim({ plan }: ExplicitInput): Uint8Array {
  const { conduits, invert, fullDepth } = plan
  return Uint8Array.from(conduits.tables, ({ fullDepthM }, c) => {
    const p = conduits.from[c]
    const bottom = invert[p] / FT
    const end = bottom + (conduits.fromInvert[c] - invert[p]) / FT
    return fullDepth[p] / FT + bottom - end < fullDepthM / FT ? 1 : 0
  })
}

/** Whether a conduit's own gate or that of its outfall lets nothing along it, or nothing back. */
function gatesOf({ network, plan }: ExplicitInput) {
  const { conduits, unknowns, nodeOf } = plan
  const shut = (p: number) => {
    if (p < unknowns) return false
    const node = network.nodes[nodeOf[p]]
    return node.kind === 'outfall' && node.flapGate
  }
  const back = new Uint8Array(conduits.count)
  const forth = new Uint8Array(conduits.count)
  for (let c = 0; c < conduits.count; c++) {
    const own = conduits.flapGate[c] === 1
    back[c] = (own && conduits.direction[c] > 0) || shut(conduits.to[c]) ? 1 : 0
    forth[c] = (own && conduits.direction[c] < 0) || shut(conduits.from[c]) ? 1 : 0
  }
  return { back: (c: number) => back[c] === 1, forth: (c: number) => forth[c] === 1 }
}
