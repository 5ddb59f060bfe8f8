// Linear law of every conduit for one step: src/sewer/step/momentum.ts, which says what is what.
import { f64At, i32At, setF64 } from '../arrays'
import { GRAVITY } from '../gravity'
import { Section } from '../sections/records'
import { caps } from './caps'
import { forceMain, slotArea } from './env'
import { Ends, freeEnds, mayFall, TINY_M } from './free-ends'
import { AREA, CAN_LEAVE, conduitAt, DEPTH, FLOW, header, LAST_STEP_S, NEXT_AREA, OPEN } from './memory'
import { Conduit } from './records'
import { areaAt, INTERVALS, ROW, radiusAt, riseAt, rowOf, waterAt, wettedAt } from './section-at'

const MAX_SPEED: f64 = 15.24

export function prepare(dt: f64, heads: usize, conduits: usize, count: i32): void {
  for (let j = 0; j < count; j++) findLaw(i32At(conduits, j), dt, heads)
}

/** The law of a conduit. What its terms hand on to each other stays in locals, which the machine keeps in registers. */
function findLaw(c: i32, dt: f64, heads: usize): void {
  const conduit = conduitAt(c)
  const full = conduit.fullDepth
  const headFrom = f64At(heads, conduit.from)
  const headTo = f64At(heads, conduit.to)
  const q = f64At(FLOW, c)
  let h1 = max<f64>(headFrom, conduit.fromInvert)
  let h2 = max<f64>(headTo, conduit.toInvert)
  let y1 = h1 - conduit.fromInvert
  let y2 = h2 - conduit.toInvert
  let hold1 = false
  let hold2 = false
  let dry = false
  let limited = true
  if (!(y1 > TINY_M && y2 > TINY_M) || mayFall(conduit)) {
    freeEnds(conduit, c, q, headFrom, headTo)
    h1 = Ends.h1
    h2 = Ends.h2
    y1 = Ends.y1
    y2 = Ends.y2
    hold1 = Ends.hold1
    hold2 = Ends.hold2
    dry = Ends.dry
    limited = Ends.limited
  }
  const isFull = y1 >= full && y2 >= full
  const scale = conduit.perMetre
  const rows = changetype<Section>(conduit.table).rows
  const end1 = header.slot || y1 < full ? y1 : full
  const end2 = header.slot || y2 < full ? y2 : full
  const yMid = 0.5 * (end1 + end2)
  const at1 = end1 * scale
  const at2 = end2 * scale
  const atMid = yMid * scale
  const i1 = rowOf(at1)
  const iMid = rowOf(atMid)
  const row1 = rows + <usize>i1 * ROW
  const rowMid = rows + <usize>iMid * ROW
  const shareMid = atMid - <f64>iMid
  const water1 = waterAt(row1, at1 - <f64>i1)
  const waterMid = waterAt(rowMid, shareMid)
  const area1 = flowArea(conduit, c, end1, at1, f64x2.extract_lane(water1, 0))
  const area2 = flowArea(conduit, c, end2, at2, areaAt(rows, at2))
  const areaMid = flowArea(conduit, c, yMid, atMid, f64x2.extract_lane(waterMid, 0))
  setF64(NEXT_AREA, c, areaMid)
  setF64(DEPTH, c, min<f64>(yMid, full))
  if (dry || load<u8>(OPEN + <usize>c) === 0 || areaMid < 1e-9) {
    standStill(conduit)
    return
  }
  const rise1 = riseAt(row1)
  const wetted1 = wettedAt(row1, at1 - <f64>i1, rise1)
  const v = velocity(q, areaMid)
  const speed = abs<f64>(v)
  const wave = waveDamping(conduit, speed, areaMid, yMid, f64x2.extract_lane(waterMid, 1))
  const rho: f64 = !isFull && q > 0 && h1 >= h2 ? wave : 1
  const areaW = area1 + (areaMid - area1) * rho
  const radius1 = f64x2.extract_lane(wetted1, 0)
  const radiusW = radius1 + (radiusAt(rowMid, shareMid) - radius1) * rho
  const perLength = conduit.perLength
  const sigma = damping(conduit, wave, dt * speed * perLength, isFull)
  const inverse = 1 / (1 + dt * drag(conduit, c, q, speed, radiusW, area1, area2, areaMid, isFull))
  const slope = GRAVITY * dt * areaW * inverse * perLength
  let inertia: f64 = 0
  if (sigma > 0) inertia = sigma * (local(c, dt, v, areaMid) + dt * v * v * (area2 - area1) * perLength)
  const share = isFull ? header.thetaFull : header.theta
  const weight: f64 = leaves(conduit.from) && leaves(conduit.to) ? share : 1
  const constant = pressure(conduit, q, (q + inertia) * inverse, slope, weight, h1, h2, hold1, hold2)
  const steep = hold1 ? 0 : f64x2.extract_lane(rise1, 1) * scale
  caps(conduit, c, constant, headFrom, headTo, y1, y2, area1, water1, wetted1, steep, hold1, limited, isFull)
}

/** Area at a depth, m2, with what the slot holds above a crown; `at` is the depth in rows. */
// @inline
function flowArea(conduit: Conduit, c: i32, y: f64, at: f64, area: f64): f64 {
  return header.slot && conduit.closed && at >= <f64>INTERVALS ? slotArea(c, y) : area
}

/** The law of a conduit that carries nothing. */
function standStill(conduit: Conduit): void {
  conduit.constant = 0
  conduit.fromSlope = 0
  conduit.toSlope = 0
  conduit.weight = 1
  conduit.carried = 0
  conduit.low = -Infinity
  conduit.high = Infinity
  conduit.highSlope = 0
}

/** Speed in the middle, m/s. */
// @inline
function velocity(q: f64, areaMid: f64): f64 {
  const v = q / areaMid
  if (v > MAX_SPEED) return MAX_SPEED
  return v < -MAX_SPEED ? -MAX_SPEED : v
}

/** How water speeds up where it stands, by the change of the middle area over the last step. */
// @inline
function local(c: i32, dt: f64, v: f64, areaMid: f64): f64 {
  const lastStep = f64At(LAST_STEP_S, c)
  const ratio: f64 = lastStep > 0 ? dt / lastStep : 0
  return v * (areaMid - f64At(AREA, c)) * ratio
}

/** The law: of the slope of heads a share stands at the step's end; heads that are held move into the constant. @returns that */
// @inline
function pressure(
  conduit: Conduit,
  q: f64,
  carriedOver: f64,
  slope: f64,
  weight: f64,
  h1: f64,
  h2: f64,
  hold1: bool,
  hold2: bool,
): f64 {
  conduit.weight = weight
  conduit.carried = (1 - weight) * q
  const ahead = weight * slope
  let constant = carriedOver + (slope - ahead) * (h1 - h2)
  if (hold1) constant += ahead * h1
  if (hold2) constant -= ahead * h2
  conduit.fromSlope = hold1 ? 0 : ahead
  conduit.toSlope = hold2 ? 0 : ahead
  conduit.constant = constant
  return constant
}

/** Share of inertia by the Froude number: 1 up to 0.5, 0 from 1 on; 1 at the crown of closed conduits. */
// @inline
function waveDamping(conduit: Conduit, speed: f64, areaMid: f64, yMid: f64, widthMid: f64): f64 {
  if (conduit.closed && conduit.fullDepth - yMid <= TINY_M) return 1
  const square = speed * speed * widthMid
  const wave = GRAVITY * areaMid
  if (square >= wave) return 0
  return square > 0.25 * wave ? 2 * (1 - sqrt<f64>(square / wave)) : 1
}

/** Share of inertia that acts, by INERTIAL_DAMPING; `crossings`: how often water runs through the conduit in the step. */
// @inline
function damping(conduit: Conduit, wave: f64, crossings: f64, isFull: bool): f64 {
  let sigma: f64 = header.dampNone ? 1 : header.dampFull ? 0 : wave
  if (isFull && conduit.closed) sigma = 0
  return crossings > 1 ? sigma / crossings : sigma
}

/** By which factor momentum decays a second, 1/s. */
// @inline
function drag(
  conduit: Conduit,
  c: i32,
  q: f64,
  speed: f64,
  radiusW: f64,
  area1: f64,
  area2: f64,
  areaMid: f64,
  isFull: bool,
): f64 {
  const friction = conduit.forceMain && isFull ? forceMain(c, speed) : (conduit.friction * speed) / radiusW
  if (!conduit.lossy) return friction
  const losses =
    conduit.lossIn / max<f64>(area1, 1e-9) +
    conduit.lossOut / max<f64>(area2, 1e-9) +
    conduit.lossMean / areaMid
  return friction + (losses * abs<f64>(q)) / (2 * conduit.length)
}

/** Whether a node has water enough to go on letting out what it did. */
// @inline
function leaves(position: i32): bool {
  return load<u8>(CAN_LEAVE + <usize>position) === 1
}
