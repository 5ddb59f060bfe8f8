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
  const isFilled = y1 >= full && y2 >= full
  if (!isFilled && (conduit.falls || !(y1 > FILM_M && y2 > FILM_M))) {
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
  const wide1 = f64x2.extract_lane(water1, 1)
  const wideMid = f64x2.extract_lane(waterMid, 1)
  const width1 = storingWidth(conduit, c, y1, wide1)
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
  let v = last / aMid
  if (v > FASTEST_MS) v = FASTEST_MS
  else if (v < -FASTEST_MS) v = -FASTEST_MS
  const speed = abs<f64>(v)
  const wave = GRAVITY * f64x2.extract_lane(waterMid, 0)
  const square: f64 = waves(conduit, yMid) ? speed * speed * wideMid : 0
  setF64(SQUARE, c, square)
  setF64(WAVE, c, wave)
  let sigma: f64 = square <= 0.25 * wave ? 1 : square >= wave ? 0 : 2 * (1 - sqrt<f64>(square / wave))
  const rho: f64 = !isFull && last > 0 && h1 >= h2 ? sigma : 1
  const aWtd = a1 + (aMid - a1) * rho
  if (header.dampNone) sigma = 1
  else if (header.dampFull) sigma = 0
  if (isFull && conduit.closed) sigma = 0
  const pace = dt * conduit.perLength
  const pull = GRAVITY * pace * aWtd
  let q = f64At(OLD_FLOW, c) + pull * (h1 - h2)
  if (sigma > 0)
    q += sigma * (2 * v * (aMid - max<f64>(f64At(OLD_AREA, c), FILM_M2)) + pace * v * v * (a2 - a1))
  if (conduit.seeping) {
    const loss = seepage(conduit, c, dt)
    setF64(LOSS, c, loss * conduit.barrels)
    q += loss * 2.5 * pace * v
  }
  const rubbing = conduit.friction * dt * speed
  let left: f64
  const rMid = radiusAt(rowMid, shareMid)
  const r = rho === 1 ? rMid : blend(radiusAt(row1, share1), rMid, rho)
  if (conduit.plain) left = r / (r + rubbing)
  else {
    let resisting: f64 = 1
    if (conduit.forceMain && isFull) resisting += dt * forceMain(c, speed)
    else resisting += rubbing / r
    if (conduit.lossy) resisting += 0.5 * pace * abs<f64>(last) * losses(conduit, a1, a2, aMid)
    left = 1 / resisting
  }
  q *= left
  setF64(SLOPE, c, pull * left * conduit.barrels)
  if (q > 0) {
    if (conduit.culvert && !isFull) q = min<f64>(q, inletFlow(c, h1 - conduit.fromInvert))
    else if ((header.capBySlope || header.capByFroude) && state === SUBCRITICAL) {
      if (
        (y1 < full || (conduit.rimmed && y1 <= full + FILM_M)) &&
        runsNormal(conduit, q, a1, y1, y2, water1)
      ) {
        const most = conduit.beta * factorAt(row1, share1)
        if (most < q) q = most
      }
    }
  }
  if (!first) {
    q = (1 - RELAXATION) * last + RELAXATION * q
    if (q * last < 0) q = copysign<f64>(TURNING_M3S, q)
  }
  setF64(FLOW, c, cut(conduit, q))
  setF64(AREA, c, aMid)
  setF64(END_AREA, c, 0.5 * (a1 + a2))
  setF64(MIDDLE, c, min<f64>(yMid, full))
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
  setF64(AREA, c, area)
  setF64(END_AREA, c, area)
  setF64(FLOW, c, 0)
  setF64(SLOPE, c, GRAVITY * (dt * conduit.perLength) * aMid * conduit.barrels)
  setF64(SQUARE, c, 0)
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
