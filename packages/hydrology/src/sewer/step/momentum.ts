import { criticalDepth, G, normalDepth, TABLE_INTERVALS, TABLE_STRIDE } from '../sections/section-table.ts'
import type { KernelInput, SewerKernel, SewerState } from './kernel.ts'

/** A depth or a height below this counts as none, m (0.0001 ft). */
export const TINY_M = 3.048e-5
/** Velocities are reckoned up to this, m/s (50 ft/s). */
const MAX_SPEED = 15.24

/**
 * Linear law of every conduit for one step, a barrel:
 * `Q = clamp(constant + fromSlope H_from - toSlope H_to, low, high + highSlope H_from)`.
 */
export interface ConduitLaws {
  constant: Float64Array
  fromSlope: Float64Array
  toSlope: Float64Array
  low: Float64Array
  high: Float64Array
  highSlope: Float64Array
  /** What a step carries is `weight` times the flow at its end plus `carried`, a share of that at its start. */
  weight: Float64Array
  carried: Float64Array
}

/**
 * Weight of a step's end in what it carries and in the heads that drive it (docs/formulas/sewer.md): 0.5 would be of second
 * order in time and let waves ring for ever, 1 (backward Euler) flattens their peaks.
 */
const THETA = 0.65

/**
 * Saint-Venant momentum along a conduit (SWMM Reference Manual II, eq. 3-14 and 3.3): friction implicit, heads
 * implicit, inertia by the damping asked for, areas upstream-weighted with the Froude number, flow capped at
 * normal flow where the water runs steep or supercritical. The cap follows the upper head within the step.
 */
export function createMomentum(
  { plan: { conduits: plan, invert, unknowns }, sections, options, implicit }: KernelInput,
  state: SewerState,
): { laws: ConduitLaws; prepare: SewerKernel['prepare'] } {
  const { canLeave, outfallGate, open, flow, area, lastStepS, nextArea, depth, endDepth } = state
  const f64 = () => new Float64Array(plan.count)
  const constant = f64()
  const fromSlope = f64()
  const toSlope = f64()
  const low = f64()
  const high = f64()
  const highSlope = f64()
  const weight = f64()
  const carried = f64()
  const { rows, firstRow, perMetre, fullDepth, closed, slotArea, forceMain, inletFlow, inletSlope } = sections
  const slotMethod = options.surchargeMethod === 'SLOT'
  const lossy = Uint8Array.from(plan.lossIn, (loss, c) =>
    loss + plan.lossOut[c] + plan.lossMean[c] > 0 ? 1 : 0,
  )
  const capBySlope = options.normalFlowLimited === 'SLOPE' || options.normalFlowLimited === 'BOTH'
  const capByFroude = options.normalFlowLimited === 'FROUDE' || options.normalFlowLimited === 'BOTH'
  const atOutfall = Uint8Array.from(plan.from, (from, c) =>
    from >= unknowns || plan.to[c] >= unknowns ? 1 : 0,
  )
  const { from, to, fromInvert, toInvert, length, friction, beta } = plan
  const perLength = length.map((metres) => 1 / metres)
  // Heights of the ends above their nodes' bottoms: water falls free from there.
  const dropFrom = Float64Array.from(from, (p, c) => fromInvert[c] - invert[p])
  const dropTo = Float64Array.from(to, (p, c) => toInvert[c] - invert[p])
  const dampNone = options.inertialDamping === 'NONE'
  const dampFull = options.inertialDamping === 'FULL'
  const last = TABLE_INTERVALS
  const stride = TABLE_STRIDE

  const prepare: SewerKernel['prepare'] = (dt, heads, { conduits, conduitCount }) => {
    for (let j = 0; j < conduitCount; j++) {
      const c = conduits[j]
      const ratio = lastStepS[c] > 0 ? dt / lastStepS[c] : 0
      const a = from[c]
      const b = to[c]
      const z1 = fromInvert[c]
      const z2 = toInvert[c]
      let h1 = heads[a]
      let h2 = heads[b]
      if (h1 < z1) h1 = z1
      if (h2 < z2) h2 = z2
      let y1 = h1 - z1
      let y2 = h2 - z2
      const q = flow[c]
      const crown = fullDepth[c]
      let hold1 = false
      let hold2 = false
      let dry = false
      let limited = true
      const wet1 = y1 > TINY_M
      const wet2 = y2 > TINY_M
      if (!wet1) y1 = TINY_M
      if (!wet2) y2 = TINY_M

      // --- which ends the water leaves freely (SWMM Reference Manual II, 3.3.4)
      let drop1 = dropFrom[c]
      let drop2 = dropTo[c]
      if (a >= unknowns) drop1 = Math.max(0, drop1 - (heads[a] - invert[a]))
      if (b >= unknowns) drop2 = Math.max(0, drop2 - (heads[b] - invert[b]))
      if (wet1 && wet2) {
        if (q < 0) {
          if (drop1 > 0 && y1 < crown) {
            const y = freeDepth(c, -q)
            if (y1 < y) {
              hold1 = true
              y1 = y
              h1 = z1 + y1
            }
          }
        } else if (drop2 > 0 && y2 < crown) {
          const y = freeDepth(c, q)
          endDepth[c] = y
          if (y2 < y) {
            hold2 = true
            y2 = y
            h2 = z2 + y2
          }
        }
      } else if (!wet1 && !wet2) dry = true
      else if (wet2) {
        if (h2 < z1) dry = true
        else if (drop1 > 0) {
          hold1 = true
          y1 = Math.max(TINY_M, freeDepth(c, Math.abs(q)))
          h1 = z1 + y1
        }
      } else if (h1 < z2) dry = true
      else if (drop2 > 0) {
        hold2 = true
        y2 = Math.max(TINY_M, freeDepth(c, Math.abs(q)))
        endDepth[c] = y2
        h2 = z2 + y2
      }
      if (hold1 || hold2) limited = false
      if (h1 === z1 && !hold1) hold1 = true
      if (h2 === z2 && !hold2) hold2 = true

      // --- geometry at both ends and in the middle
      const table = firstRow[c]
      const scale = perMetre[c]
      const isFull = y1 >= crown && y2 >= crown
      const yc1 = slotMethod || y1 < crown ? y1 : crown
      const yc2 = slotMethod || y2 < crown ? y2 : crown
      const yMid = 0.5 * (yc1 + yc2)
      let at = yc1 * scale
      let i = at | 0
      let row = table + i * stride
      let area1: number
      let r1: number
      let width1: number
      let factor1: number
      let factorSlope = 0
      if (i < last) {
        at -= i
        area1 = rows[row] + at * (rows[row + 4] - rows[row])
        width1 = rows[row + 1] + at * (rows[row + 5] - rows[row + 1])
        r1 = rows[row + 2] + at * (rows[row + 6] - rows[row + 2])
        factor1 = rows[row + 3] + at * (rows[row + 7] - rows[row + 3])
        factorSlope = (rows[row + 7] - rows[row + 3]) * scale
      } else {
        row = table + last * stride
        area1 = slotMethod && closed[c] ? slotArea(c, yc1) : rows[row]
        width1 = rows[row + 1]
        r1 = rows[row + 2]
        factor1 = rows[row + 3]
      }
      at = yc2 * scale
      i = at | 0
      row = table + i * stride
      let area2: number
      if (i < last) area2 = rows[row] + (at - i) * (rows[row + 4] - rows[row])
      else area2 = slotMethod && closed[c] ? slotArea(c, yc2) : rows[table + last * stride]
      at = yMid * scale
      i = at | 0
      row = table + i * stride
      let areaMid: number
      let widthMid: number
      let rMid: number
      if (i < last) {
        at -= i
        areaMid = rows[row] + at * (rows[row + 4] - rows[row])
        widthMid = rows[row + 1] + at * (rows[row + 5] - rows[row + 1])
        rMid = rows[row + 2] + at * (rows[row + 6] - rows[row + 2])
      } else {
        row = table + last * stride
        areaMid = slotMethod && closed[c] ? slotArea(c, yMid) : rows[row]
        widthMid = rows[row + 1]
        rMid = rows[row + 2]
      }
      nextArea[c] = areaMid
      depth[c] = Math.min(yMid, crown)

      low[c] = -Infinity
      high[c] = Infinity
      highSlope[c] = 0
      weight[c] = 1
      carried[c] = 0
      if (dry || open[c] === 0 || areaMid < 1e-9) {
        constant[c] = 0
        fromSlope[c] = 0
        toSlope[c] = 0
        continue
      }

      // --- momentum
      let v = q / areaMid
      if (v > MAX_SPEED) v = MAX_SPEED
      else if (v < -MAX_SPEED) v = -MAX_SPEED
      const speed = v < 0 ? -v : v
      let sigma = 1
      if (closed[c] === 0 || crown - yMid > TINY_M) {
        // Squares: few pipes need the root.
        const square = speed * speed * widthMid
        const wave = G * areaMid
        if (square >= wave) sigma = 0
        else if (square > 0.25 * wave) sigma = 2 * (1 - Math.sqrt(square / wave))
      }
      const rho = !isFull && q > 0 && h1 >= h2 ? sigma : 1
      const areaW = area1 + (areaMid - area1) * rho
      const rW = r1 + (rMid - r1) * rho
      if (dampNone) sigma = 1
      else if (dampFull) sigma = 0
      if (isFull && closed[c] === 1) sigma = 0
      // Inertia is explicit: where the water crosses the conduit more than once in a step it would run away.
      const crossings = dt * speed * perLength[c]
      if (crossings > 1) sigma /= crossings
      let drag = plan.forceMain[c] > 0 && isFull ? forceMain(c, speed) : (friction[c] * speed) / rW
      if (lossy[c] === 1) {
        const flowing = q < 0 ? -q : q
        drag +=
          ((plan.lossIn[c] / Math.max(area1, 1e-9) +
            plan.lossOut[c] / Math.max(area2, 1e-9) +
            plan.lossMean[c] / areaMid) *
            flowing) /
          (2 * length[c])
      }
      const inverse = 1 / (1 + dt * drag)
      const slope = G * dt * areaW * inverse * perLength[c]
      // The term 2 v dA of the manual acts half in EPA SWMM as it runs: with two trials a step, as it takes nearly
      // always, the first sees no change of area and the flow is the mean of both. Measured: docs/validation.md.
      let inertia = 0
      if (sigma > 0) {
        inertia = sigma * (v * (areaMid - area[c]) * ratio + dt * v * v * (area2 - area1) * perLength[c])
      }
      // Full pipes have next to no storage to keep waves apart, emptying nodes not the water for a share of what was.
      if (!implicit && !isFull && canLeave[a] === 1 && canLeave[b] === 1) {
        weight[c] = THETA
        carried[c] = (1 - THETA) * q
      }
      const ahead = weight[c] * slope
      let fixed = (q + inertia) * inverse + (slope - ahead) * (h1 - h2)
      let s1 = ahead
      let s2 = ahead
      if (hold1) {
        fixed += ahead * h1
        s1 = 0
      }
      if (hold2) {
        fixed -= ahead * h2
        s2 = 0
      }
      constant[c] = fixed
      fromSlope[c] = s1
      toSlope[c] = s2

      // --- caps
      const guess = fixed + s1 * heads[a] - s2 * heads[b]
      if (plan.inlets[c] !== null && guess > 0 && !isFull) {
        const through = inletFlow(c, y1)
        if (through < guess) {
          highSlope[c] = hold1 ? 0 : inletSlope(c, y1)
          high[c] = through - highSlope[c] * heads[a]
        }
      } else if (limited && guess > 0 && y1 <= crown + TINY_M) {
        let capped = (capBySlope || (capByFroude && atOutfall[c] === 1)) && y1 < y2
        if (!capped && capByFroude && atOutfall[c] === 0) {
          capped = guess * guess * width1 >= G * area1 * area1 * area1
        }
        if (capped) {
          const growth = factorSlope > 0 && !hold1 ? beta[c] * factorSlope : 0
          highSlope[c] = growth
          high[c] = beta[c] * factor1 - growth * heads[a]
        }
      }
      if (plan.maxFlow[c] > 0) {
        if (high[c] + highSlope[c] * heads[a] > plan.maxFlow[c]) {
          high[c] = plan.maxFlow[c]
          highSlope[c] = 0
        }
        low[c] = -plan.maxFlow[c]
      }
      if (plan.flapGate[c] === 1) {
        if (plan.direction[c] > 0) low[c] = 0
        else {
          high[c] = 0
          highSlope[c] = 0
        }
      }
      if (canLeave[a] === 0 || (a >= unknowns && outfallGate[a - unknowns] === 1)) {
        high[c] = 0
        highSlope[c] = 0
      }
      if (canLeave[b] === 0 || (b >= unknowns && outfallGate[b - unknowns] === 1)) {
        if (low[c] < 0) low[c] = 0
      }
    }
  }

  /** Depth at a free end: the lower of normal and critical depth, m. */
  function freeDepth(c: number, q: number): number {
    const table = plan.tables[c]
    return Math.max(TINY_M, Math.min(normalDepth(table, q, beta[c]), criticalDepth(table, q)))
  }

  return { laws: { constant, fromSlope, toSlope, low, high, highSlope, weight, carried }, prepare }
}
