// Momentum of a conduit in a trial: src/sewer/explicit/conduits.ts, which says what is what.
import { f64At, setF64 } from '../arrays'
import { GRAVITY } from '../gravity'
import { forceMain, inletFlow } from '../sewer/env'
import { DRY, Ends, FROM_CRITICAL, FROM_DRY, freeEnds, SUBCRITICAL, TO_CRITICAL, TO_DRY } from './ends'
import { FASTEST_MS, FILM_M, FILM_M2, FILM_M3S, RELAXATION, TURNING_M3S } from './limits'
import {
  AREA,
  conduitAt,
  DEPTH,
  END_AREA,
  FLOW,
  FROM_SURFACE,
  HEAD,
  header,
  LOSS,
  MIDDLE,
  OLD_AREA,
  OLD_FLOW,
  OPEN,
  SLOPE,
  SQUARE,
  TO_SURFACE,
  WAVE,
} from './memory'
import { ExplicitConduit } from './records'
import { addressOf, factorAt, flowArea, inRows, radiusAt, rowOf, storingWidth, waterAt } from './section-at'

/** New flow of a conduit. */
export function moveConduit(c: i32, dt: f64, first: bool): void {
  const conduit = conduitAt(c)
  const full = conduit.fullDepth
  const last = f64At(FLOW, c)
  let h1 = max<f64>(f64At(HEAD, conduit.from), conduit.fromInvert)
  let h2 = max<f64>(f64At(HEAD, conduit.to), conduit.toInvert)
  let y1 = max<f64>(h1 - conduit.fromInvert, FILM_M)
  let y2 = max<f64>(h2 - conduit.toInvert, FILM_M)
  if (!header.slot) {
    y1 = min<f64>(y1, full)
    y2 = min<f64>(y2, full)
  }
  let state = SUBCRITICAL
  let share: f64 = 1
  if (!(y1 >= full && y2 >= full) && (conduit.falls || !(y1 > FILM_M && y2 > FILM_M))) {
    Ends.y1 = y1
    Ends.y2 = y2
    Ends.h1 = h1
    Ends.h2 = h2
    freeEnds(conduit, last)
    y1 = Ends.y1
    y2 = Ends.y2
    h1 = Ends.h1
    h2 = Ends.h2
    state = Ends.state
    share = Ends.share
  }
  const yMid = 0.5 * (y1 + y2)
  const at1 = inRows(conduit, y1)
  const at2 = inRows(conduit, y2)
  const atMid = inRows(conduit, yMid)
  const i1 = rowOf(at1)
  const i2 = rowOf(at2)
  const iMid = rowOf(atMid)
  const row1 = addressOf(conduit, i1)
  const rowMid = addressOf(conduit, iMid)
  const share1 = at1 - <f64>i1
  const shareMid = atMid - <f64>iMid
  const water1 = waterAt(row1, share1)
  const water2 = waterAt(addressOf(conduit, i2), at2 - <f64>i2)
  const waterMid = waterAt(rowMid, shareMid)
  const wideMid = f64x2.extract_lane(waterMid, 1)
  const width1 = storingWidth(conduit, c, y1, f64x2.extract_lane(water1, 1))
  const width2 = storingWidth(conduit, c, y2, f64x2.extract_lane(water2, 1))
  surfaces(conduit, c, state, share, width1, width2, storingWidth(conduit, c, yMid, wideMid))
  const a1 = flowArea(conduit, c, y1, f64x2.extract_lane(water1, 0))
  const a2 = flowArea(conduit, c, y2, f64x2.extract_lane(water2, 0))
  const aMid = flowArea(conduit, c, yMid, f64x2.extract_lane(waterMid, 0))
  const isFull = y1 >= full && y2 >= full
  if (state < SUBCRITICAL || load<u8>(OPEN + <usize>c) === 0 || aMid <= FILM_M2) {
    stop(conduit, c, dt, a1, a2, aMid, yMid)
    return
  }
  const v = velocity(last, aMid)
  const speed = abs<f64>(v)
  const wave = GRAVITY * f64x2.extract_lane(waterMid, 0)
  const square: f64 = waves(conduit, yMid) ? speed * speed * wideMid : 0
  setF64(SQUARE, c, square)
  setF64(WAVE, c, wave)
  let sigma: f64 = square <= 0.25 * wave ? 1 : square >= wave ? 0 : 2 * (1 - sqrt<f64>(square / wave))
  const rho: f64 = !isFull && last > 0 && h1 >= h2 ? sigma : 1
  const aWtd = a1 + (aMid - a1) * rho
  sigma = damped(conduit, sigma, isFull)
  const pace = dt * conduit.perLength
  const pull = GRAVITY * pace * aWtd
  let q = f64At(OLD_FLOW, c) + pull * (h1 - h2)
  if (sigma > 0)
    q += sigma * (2 * v * (aMid - max<f64>(f64At(OLD_AREA, c), FILM_M2)) + pace * v * v * (a2 - a1))
  if (conduit.seeping) q += seeped(conduit, c, dt) * 2.5 * pace * v
  const rMid = radiusAt(rowMid, shareMid)
  const r = rho === 1 ? rMid : blend(radiusAt(row1, share1), rMid, rho)
  const left = kept(conduit, c, dt, pace, speed, r, isFull, abs<f64>(last), a1, a2, aMid)
  q *= left
  setF64(SLOPE, c, pull * left * conduit.barrels)
  if (q > 0)
    q = governed(conduit, c, q, h1, y1, y2, a1, isFull, state === SUBCRITICAL, water1, factorAt(row1, share1))
  if (!first) q = eased(last, q)
  setF64(FLOW, c, cut(conduit, q))
  keepShape(conduit, c, aMid, 0.5 * (a1 + a2), yMid)
}

/** Speed in the middle, m/s. */
// @inline
function velocity(q: f64, aMid: f64): f64 {
  const v = q / aMid
  if (v > FASTEST_MS) return FASTEST_MS
  return v < -FASTEST_MS ? -FASTEST_MS : v
}

/** Share of inertia that counts, by INERTIAL_DAMPING; none in a full pipe. */
// @inline
function damped(conduit: ExplicitConduit, sigma: f64, isFull: bool): f64 {
  if (isFull && conduit.closed) return 0
  if (header.dampNone) return 1
  return header.dampFull ? 0 : sigma
}

/** Seepage through a barrel, m3/s, that of all barrels noted. */
function seeped(conduit: ExplicitConduit, c: i32, dt: f64): f64 {
  const loss = seepage(conduit, c, dt)
  setF64(LOSS, c, loss * conduit.barrels)
  return loss
}

/** Share of the flow that friction and local losses leave. */
// @inline
function kept(
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
  if (conduit.forceMain && isFull) resisting += dt * forceMain(c, speed)
  else resisting += rubbing / r
  if (conduit.lossy) resisting += 0.5 * pace * size * losses(conduit, a1, a2, aMid)
  return 1 / resisting
}

/** Flow down the conduit, no more than a culvert's inlet takes or than normal flow. */
// @inline
function governed(
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
function eased(last: f64, found: f64): f64 {
  const q = (1 - RELAXATION) * last + RELAXATION * found
  return q * last < 0 ? copysign<f64>(TURNING_M3S, q) : q
}

/** Surfaces of the conduit's two halves, all barrels. */
// @inline
function surfaces(
  conduit: ExplicitConduit,
  c: i32,
  state: i32,
  share: f64,
  width1: f64,
  width2: f64,
  middle: f64,
): void {
  const L = conduit.length
  let surface1: f64 = 0
  let surface2: f64 = 0
  if (state === SUBCRITICAL) {
    surface1 = (width1 + middle) * L * 0.25
    surface2 = (width2 + middle) * L * 0.25 * share
  } else if (state === DRY) surface1 = surface2 = (FILM_M * L) / 2
  else if (state === FROM_CRITICAL) surface2 = (middle + width2) * L * 0.5
  else if (state === TO_CRITICAL) surface1 = (width1 + middle) * L * 0.5
  else {
    if (state !== FROM_DRY || conduit.dropFrom <= 0) surface1 = (width1 + middle) * L * 0.25
    if (state !== TO_DRY || conduit.dropTo <= 0) surface2 = (width2 + middle) * L * 0.25 * share
  }
  setF64(FROM_SURFACE, c, surface1 * conduit.barrels)
  setF64(TO_SURFACE, c, surface2 * conduit.barrels)
}

function stop(conduit: ExplicitConduit, c: i32, dt: f64, a1: f64, a2: f64, aMid: f64, yMid: f64): void {
  const area = 0.5 * (a1 + a2)
  keepShape(conduit, c, area, area, yMid)
  setF64(FLOW, c, 0)
  setF64(SLOPE, c, GRAVITY * (dt * conduit.perLength) * aMid * conduit.barrels)
  setF64(SQUARE, c, 0)
}

/** Areas and depth for the next trial. */
// @inline
function keepShape(conduit: ExplicitConduit, c: i32, area: f64, endArea: f64, yMid: f64): void {
  setF64(AREA, c, area)
  setF64(END_AREA, c, endArea)
  setF64(MIDDLE, c, min<f64>(yMid, conduit.fullDepth))
}

/** Whether water of a depth has waves: neither a film nor water at a crown. */
// @inline
function waves(conduit: ExplicitConduit, y: f64): bool {
  return y > FILM_M && !(conduit.closed && conduit.fullDepth - y <= FILM_M)
}

/** Radius^(4/3) of a radius between two, given theirs. */
// @inline
function blend(r1: f64, rMid: f64, rho: f64): f64 {
  if (rho === 0) return r1
  const a = threeQuarters(r1)
  const r = a + (threeQuarters(rMid) - a) * rho
  return r * Math.cbrt(r)
}

// @inline
function threeQuarters(x: f64): f64 {
  const root = sqrt<f64>(x)
  return root * sqrt<f64>(root)
}

/** Whether normal flow governs. */
// @inline
function runsNormal(conduit: ExplicitConduit, q: f64, a1: f64, y1: f64, y2: f64, water1: v128): bool {
  if ((header.capBySlope || conduit.atOutfall) && y1 < y2) return true
  if (!header.capByFroude || conduit.atOutfall || !(y2 > FILM_M) || !waves(conduit, y1)) return false
  return q * q * f64x2.extract_lane(water1, 1) >= GRAVITY * f64x2.extract_lane(water1, 0) * a1 * a1
}

/** What gates, limits and dry nodes leave of a flow. */
// @inline
function cut(conduit: ExplicitConduit, q: f64): f64 {
  const most = conduit.maxFlow
  if (most > 0 && abs<f64>(q) > most) q = copysign<f64>(most, q)
  if ((q < 0 && conduit.shutBack) || (q > 0 && conduit.shutAlong)) q = 0
  if (q > FILM_M3S && f64At(DEPTH, conduit.from) <= FILM_M) q = FILM_M3S
  if (q < -FILM_M3S && f64At(DEPTH, conduit.to) <= FILM_M) q = -FILM_M3S
  return q
}

/** Local losses over the areas that they act in, 1/m2. */
function losses(conduit: ExplicitConduit, a1: f64, a2: f64, aMid: f64): f64 {
  let sum: f64 = 0
  if (a1 > FILM_M2) sum += conduit.lossIn / a1
  if (a2 > FILM_M2) sum += conduit.lossOut / a2
  if (aMid > FILM_M2) sum += conduit.lossMean / aMid
  return sum
}

function seepage(conduit: ExplicitConduit, c: i32, dt: f64): f64 {
  const y = f64At(MIDDLE, c)
  if (y <= FILM_M) return 0
  const at = inRows(conduit, min<f64>(y, conduit.widestDepth))
  const i = rowOf(at)
  const wide = f64x2.extract_lane(waterAt(addressOf(conduit, i), at - <f64>i), 1)
  const L = conduit.length
  return min<f64>(conduit.seepage * wide * L, (f64At(END_AREA, c) * L) / dt)
}
