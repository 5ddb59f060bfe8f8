// Terms of a conduit's momentum: src/sewer/explicit/conduits.ts, which says what is what.
import { f64At, setF64 } from '../arrays'
import { GRAVITY } from '../gravity'
import { powerOf } from '../sections/power'
import { forceMain, inletFlow } from '../sewer/env'
import { FASTEST_MS, FILM_M, FILM_M2, FILM_M3S, RELAXATION, TURNING_M3S } from './limits'
import { DEPTH, END_AREA, header, LOSS, MIDDLE } from './memory'
import { ExplicitConduit } from './records'
import { addressOf, inRows, rowOf, waterAt } from './section-at'

/** Speed in the middle, m/s. */
// @inline
export function velocity(q: f64, aMid: f64): f64 {
  const v = q / aMid
  if (v > FASTEST_MS) return FASTEST_MS
  return v < -FASTEST_MS ? -FASTEST_MS : v
}

/** Share of inertia that counts, by INERTIAL_DAMPING; none in a full pipe. */
// @inline
export function damped(conduit: ExplicitConduit, sigma: f64, isFull: bool): f64 {
  if (isFull && conduit.closed) return 0
  if (header.dampNone) return 1
  return header.dampFull ? 0 : sigma
}

/** Seepage through a barrel, m3/s, that of all barrels noted. */
export function seeped(conduit: ExplicitConduit, c: i32, dt: f64): f64 {
  const loss = seepage(conduit, c, dt)
  setF64(LOSS, c, loss * conduit.barrels)
  return loss
}

/** Share of the flow that friction and local losses leave. */
// @inline
export function kept(
  conduit: ExplicitConduit,
  c: i32,
  dt: f64,
  pace: f64,
  speed: f64,
  r: f64,
  isFull: bool,
  size: f64,
  a1: f64,
  a2: f64,
  aMid: f64,
): f64 {
  const rubbing = conduit.friction * dt * speed
  if (conduit.plain) return r / (r + rubbing)
  let resisting: f64 = 1
  if (conduit.forceMain && isFull) resisting += dt * mainFriction(conduit, c, speed)
  else resisting += rubbing / r
  if (conduit.lossy) resisting += 0.5 * pace * size * losses(conduit, a1, a2, aMid)
  return 1 / resisting
}

/** Friction of a full force main at a speed, 1/s. */
// @inline
export function mainFriction(conduit: ExplicitConduit, c: i32, speed: f64): f64 {
  if (conduit.mainFriction === 0) return forceMain(c, speed)
  return conduit.mainFriction * powerOf(header.hazenPower, header.hazenScales, header.hazenMiddles, speed)
}

/** Flow down the conduit, no more than a culvert's inlet takes or than normal flow. */
// @inline
export function governed(
  conduit: ExplicitConduit,
  c: i32,
  q: f64,
  h1: f64,
  y1: f64,
  y2: f64,
  a1: f64,
  isFull: bool,
  isSubcritical: bool,
  water1: v128,
  factor: f64,
): f64 {
  if (conduit.culvert && !isFull) return min<f64>(q, inletFlow(c, h1 - conduit.fromInvert))
  if (!((header.capBySlope || header.capByFroude) && isSubcritical)) return q
  const isOpen = y1 < conduit.fullDepth || (conduit.rimmed && y1 <= conduit.fullDepth + FILM_M)
  if (!isOpen || !runsNormal(conduit, q, a1, y1, y2, water1)) return q
  return min<f64>(q, conduit.beta * factor)
}

/** Half of the answer, no turn within a trial. */
// @inline
export function eased(last: f64, found: f64): f64 {
  const q = (1 - RELAXATION) * last + RELAXATION * found
  return q * last < 0 ? copysign<f64>(TURNING_M3S, q) : q
}

/** Whether water of a depth has waves: neither a film nor water at a crown. */
// @inline
export function waves(conduit: ExplicitConduit, y: f64): bool {
  return y > FILM_M && !(conduit.closed && conduit.fullDepth - y <= FILM_M)
}

/** Radius^(4/3) of a radius between two, given theirs. */
// @inline
export function blend(r1: f64, rMid: f64, rho: f64): f64 {
  if (rho === 0) return r1
  const a = threeQuarters(r1)
  const r = a + (threeQuarters(rMid) - a) * rho
  return r * Math.cbrt(r)
}

// @inline
export function threeQuarters(x: f64): f64 {
  const root = sqrt<f64>(x)
  return root * sqrt<f64>(root)
}

/** Whether normal flow governs. */
// @inline
export function runsNormal(conduit: ExplicitConduit, q: f64, a1: f64, y1: f64, y2: f64, water1: v128): bool {
  if ((header.capBySlope || conduit.atOutfall) && y1 < y2) return true
  if (!header.capByFroude || conduit.atOutfall || !(y2 > FILM_M) || !waves(conduit, y1)) return false
  return q * q * f64x2.extract_lane(water1, 1) >= GRAVITY * f64x2.extract_lane(water1, 0) * a1 * a1
}

/** What gates, limits and dry nodes leave of a flow. */
// @inline
export function cut(conduit: ExplicitConduit, q: f64): f64 {
  const most = conduit.maxFlow
  if (most > 0 && abs<f64>(q) > most) q = copysign<f64>(most, q)
  if ((q < 0 && conduit.shutBack) || (q > 0 && conduit.shutAlong)) q = 0
  if (q > FILM_M3S && f64At(DEPTH, conduit.from) <= FILM_M) q = FILM_M3S
  if (q < -FILM_M3S && f64At(DEPTH, conduit.to) <= FILM_M) q = -FILM_M3S
  return q
}

/** Local losses over the areas that they act in, 1/m2. */
export function losses(conduit: ExplicitConduit, a1: f64, a2: f64, aMid: f64): f64 {
  let sum: f64 = 0
  if (a1 > FILM_M2) sum += conduit.lossIn / a1
  if (a2 > FILM_M2) sum += conduit.lossOut / a2
  if (aMid > FILM_M2) sum += conduit.lossMean / aMid
  return sum
}

export function seepage(conduit: ExplicitConduit, c: i32, dt: f64): f64 {
  const y = f64At(MIDDLE, c)
  if (y <= FILM_M) return 0
  const at = inRows(conduit, min<f64>(y, conduit.widestDepth))
  const i = rowOf(at)
  const wide = f64x2.extract_lane(waterAt(addressOf(conduit, i), at - <f64>i), 1)
  const L = conduit.length
  return min<f64>(conduit.seepage * wide * L, (f64At(END_AREA, c) * L) / dt)
}
