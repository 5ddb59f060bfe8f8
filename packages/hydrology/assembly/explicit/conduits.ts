// Momentum of a conduit in a trial: src/sewer/explicit/conduits.ts, which says what is what.
import { f64At, setF64 } from '../arrays'
import { GRAVITY } from '../gravity'
import { forceMain, inletFlow } from '../sewer/env'
import { DRY, Ends, FROM_CRITICAL, FROM_DRY, meet, SUBCRITICAL, TO_CRITICAL, TO_DRY } from './ends'
import { FASTEST_MS, FILM_M, FILM_M2, FILM_M3S, RELAXATION, TURNING_M3S } from './limits'
import {
  AREA,
  conduitAt,
  DEPTH,
  END_AREA,
  FLOW,
  FROM_SURFACE,
  FROUDE,
  header,
  LOSS,
  MIDDLE,
  OLD_AREA,
  OLD_FLOW,
  OPEN,
  SLOPE,
  TO_SURFACE,
} from './memory'
import { ExplicitConduit } from './records'
import { At, factorAt, flowArea, keepUpper, lookAt, radiusAt, storingWidth, Upper } from './section-at'

/** New flow of a conduit. */
export function moveConduit(c: i32, dt: f64, first: bool): void {
  const conduit = conduitAt(c)
  const full = conduit.fullDepth
  const last = f64At(FLOW, c)
  meet(conduit, last)
  const y1 = Ends.y1
  const y2 = Ends.y2
  const state = Ends.state
  const yMid = 0.5 * (y1 + y2)
  lookAt(conduit, y1)
  keepUpper()
  const width1 = storingWidth(conduit, c, y1)
  const a1 = flowArea(conduit, c, y1)
  lookAt(conduit, y2)
  const width2 = storingWidth(conduit, c, y2)
  const a2 = flowArea(conduit, c, y2)
  lookAt(conduit, yMid)
  const widthMid = storingWidth(conduit, c, yMid)
  const aMid = flowArea(conduit, c, yMid)
  surfaces(conduit, c, width1, width2, widthMid)
  const isFull = y1 >= full && y2 >= full
  if (state < SUBCRITICAL || load<u8>(OPEN + <usize>c) === 0 || aMid <= FILM_M2) {
    stop(conduit, c, dt, a1, a2, aMid, yMid)
    return
  }
  let v = last / aMid
  if (v > FASTEST_MS) v = FASTEST_MS
  else if (v < -FASTEST_MS) v = -FASTEST_MS
  const fr = froudeAt(conduit, v, yMid, At.area, At.width)
  setF64(FROUDE, c, fr)
  let sigma: f64 = fr <= 0.5 ? 1 : fr >= 1 ? 0 : 2 * (1 - fr)
  const rho: f64 = !isFull && last > 0 && Ends.h1 >= Ends.h2 ? sigma : 1
  const aWtd = a1 + (aMid - a1) * rho
  const rMid = radiusAt(At.row, At.share)
  const rWtd = rho === 1 ? rMid : blend(radiusAt(Upper.row, Upper.share), rMid, rho)
  if (header.dampNone) sigma = 1
  else if (header.dampFull) sigma = 0
  if (isFull && conduit.closed) sigma = 0
  const speed = abs<f64>(v)
  const rubbing = conduit.forceMain && isFull ? forceMain(c, speed) : (conduit.friction / rWtd) * speed
  let resisting = 1 + dt * rubbing
  const L = conduit.length
  let q = f64At(OLD_FLOW, c) - (dt * GRAVITY * aWtd * (Ends.h2 - Ends.h1)) / L
  if (sigma > 0)
    q += sigma * (2 * v * (aMid - max<f64>(f64At(OLD_AREA, c), FILM_M2)) + (dt * v * v * (a2 - a1)) / L)
  if (conduit.lossy) resisting += (losses(conduit, a1, a2, aMid) * abs<f64>(last) * dt) / (2 * L)
  if (conduit.seeping) {
    const loss = seepage(conduit, c, dt)
    setF64(LOSS, c, loss * conduit.barrels)
    q += (loss * 2.5 * dt * v) / L
  }
  q /= resisting
  setF64(SLOPE, c, ((GRAVITY * dt * aWtd) / (L * resisting)) * conduit.barrels)
  if (q > 0) {
    if (conduit.culvert && !isFull) q = min<f64>(q, inletFlow(c, Ends.h1 - conduit.fromInvert))
    else if ((header.capBySlope || header.capByFroude) && state === SUBCRITICAL) {
      if (y1 < full || (conduit.rimmed && y1 <= full + FILM_M)) q = normalFlow(conduit, q, a1, y1, y2)
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
function surfaces(conduit: ExplicitConduit, c: i32, width1: f64, width2: f64, middle: f64): void {
  const state = Ends.state
  const L = conduit.length
  let surface1: f64 = 0
  let surface2: f64 = 0
  if (state === DRY) surface1 = surface2 = (FILM_M * L) / 2
  else if (state === FROM_CRITICAL) surface2 = (middle + width2) * L * 0.5
  else if (state === TO_CRITICAL) surface1 = (width1 + middle) * L * 0.5
  else {
    if (state !== FROM_DRY || conduit.dropFrom <= 0) surface1 = (width1 + middle) * L * 0.25
    if (state !== TO_DRY || conduit.dropTo <= 0) surface2 = (width2 + middle) * L * 0.25 * Ends.share
  }
  setF64(FROM_SURFACE, c, surface1 * conduit.barrels)
  setF64(TO_SURFACE, c, surface2 * conduit.barrels)
}

function stop(conduit: ExplicitConduit, c: i32, dt: f64, a1: f64, a2: f64, aMid: f64, yMid: f64): void {
  const area = 0.5 * (a1 + a2)
  setF64(AREA, c, area)
  setF64(END_AREA, c, area)
  setF64(FLOW, c, 0)
  setF64(SLOPE, c, ((GRAVITY * dt * aMid) / conduit.length) * conduit.barrels)
  setF64(FROUDE, c, 0)
  setF64(MIDDLE, c, min<f64>(yMid, conduit.fullDepth))
}

// @inline
function froudeAt(conduit: ExplicitConduit, v: f64, y: f64, area: f64, width: f64): f64 {
  if (y <= FILM_M || (conduit.closed && conduit.fullDepth - y <= FILM_M)) return 0
  return abs<f64>(v) / sqrt<f64>((GRAVITY * area) / width)
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

/** Normal flow where it governs and is less than `q`. */
function normalFlow(conduit: ExplicitConduit, q: f64, a1: f64, y1: f64, y2: f64): f64 {
  let governs = (header.capBySlope || conduit.atOutfall) && y1 < y2
  if (!governs && header.capByFroude && !conduit.atOutfall && y1 > FILM_M && y2 > FILM_M)
    governs = froudeAt(conduit, q / a1, y1, Upper.area, Upper.width) >= 1
  if (!governs) return q
  const most = conduit.beta * factorAt(Upper.row, Upper.share)
  return most < q ? most : q
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
  lookAt(conduit, min<f64>(y, conduit.widestDepth))
  const L = conduit.length
  return min<f64>(conduit.seepage * At.width * L, (f64At(END_AREA, c) * L) / dt)
}
