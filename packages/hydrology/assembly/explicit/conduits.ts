// Momentum of a conduit in a trial: src/sewer/explicit/conduits.ts, which says what is what.
import { f64At, setF64 } from '../arrays'
import { GRAVITY } from '../gravity'
import { DRY, Ends, FROM_CRITICAL, FROM_DRY, freeEnds, SUBCRITICAL, TO_CRITICAL, TO_DRY } from './ends'
import { FILM_M, FILM_M2 } from './limits'
import {
  AREA,
  conduitAt,
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
import { blend, cut, damped, eased, governed, kept, seeped, velocity, waves } from './terms'

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
  if (y1 <= FILM_M && y2 <= FILM_M) {
    stayDry(conduit, c, dt)
    return
  }
  if (y1 >= full && y2 >= full && conduit.closed && !header.slot && load<u8>(OPEN + <usize>c) !== 0) {
    moveFull(conduit, c, dt, first, last, h1 - h2)
    return
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
  moveWet(conduit, c, dt, first, last, y1, y2, h1, h2, state, share)
}

/** The same given the depths and heads of its ends, and how water stands in it. */
// @inline
function moveWet(
  conduit: ExplicitConduit,
  c: i32,
  dt: f64,
  first: bool,
  last: f64,
  y1: f64,
  y2: f64,
  h1: f64,
  h2: f64,
  state: i32,
  share: f64,
): void {
  const full = conduit.fullDepth
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

/** The same of a closed conduit that is full at both ends, under EXTRAN: it has its largest section all along and no waves. */
function moveFull(conduit: ExplicitConduit, c: i32, dt: f64, first: bool, last: f64, drop: f64): void {
  const area = conduit.fullArea
  const surface = (conduit.topWidth + conduit.topWidth) * conduit.length * 0.25 * conduit.barrels
  setF64(FROM_SURFACE, c, surface)
  setF64(TO_SURFACE, c, surface)
  const v = velocity(last, area)
  const pace = dt * conduit.perLength
  const pull = GRAVITY * pace * area
  let q = f64At(OLD_FLOW, c) + pull * drop
  if (conduit.seeping) q += seeped(conduit, c, dt) * 2.5 * pace * v
  const left = kept(
    conduit,
    c,
    dt,
    pace,
    abs<f64>(v),
    conduit.fullRadius43,
    true,
    abs<f64>(last),
    area,
    area,
    area,
  )
  q *= left
  setF64(SLOPE, c, pull * left * conduit.barrels)
  if (!first) q = eased(last, q)
  setF64(FLOW, c, cut(conduit, q))
  setF64(SQUARE, c, 0)
  setF64(WAVE, c, GRAVITY * area)
  keepShape(conduit, c, area, area, conduit.fullDepth)
}

/** What `stop` leaves of a conduit that is dry at both ends, without a look at its section. */
function stayDry(conduit: ExplicitConduit, c: i32, dt: f64): void {
  const area = conduit.filmArea
  const surface = ((FILM_M * conduit.length) / 2) * conduit.barrels
  setF64(FROM_SURFACE, c, surface)
  setF64(TO_SURFACE, c, surface)
  keepShape(conduit, c, area, area, FILM_M)
  setF64(FLOW, c, 0)
  setF64(SLOPE, c, GRAVITY * (dt * conduit.perLength) * area * conduit.barrels)
  setF64(SQUARE, c, 0)
  if (conduit.seeping) setF64(LOSS, c, 0)
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
  if (conduit.seeping) setF64(LOSS, c, 0)
}

/** Areas and depth for the next trial. */
// @inline
function keepShape(conduit: ExplicitConduit, c: i32, area: f64, endArea: f64, yMid: f64): void {
  setF64(AREA, c, area)
  setF64(END_AREA, c, endArea)
  setF64(MIDDLE, c, min<f64>(yMid, conduit.fullDepth))
}
