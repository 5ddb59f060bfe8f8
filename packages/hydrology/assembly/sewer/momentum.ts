// Linear law of every conduit for one step: src/sewer/step/momentum.ts, which says what is what.
import { f64At, i32At } from '../arrays'
import { GRAVITY } from '../gravity'
import { caps } from './caps'
import { forceMain } from './env'
import { freeEnds, TINY_M } from './free-ends'
import { AREA, CAN_LEAVE, conduitAt, FLOW, header, LAST_STEP_S, OPEN } from './memory'
import { Conduit } from './records'
import { sectionAt } from './section-at'
import { Terms } from './terms'

const MAX_SPEED: f64 = 15.24
const THETA: f64 = 0.65

export function prepare(dt: f64, heads: usize, conduits: usize, count: i32): void {
  for (let j = 0; j < count; j++) {
    const c = i32At(conduits, j)
    const conduit = conduitAt(c)
    const headFrom = f64At(heads, conduit.from)
    const headTo = f64At(heads, conduit.to)
    const q = f64At(FLOW, c)
    freeEnds(conduit, c, q, headFrom, headTo)
    const y1 = Terms.y1
    const y2 = Terms.y2
    const isFull = y1 >= conduit.fullDepth && y2 >= conduit.fullDepth
    const areaMid = sectionAt(conduit, c, y1, y2)
    conduit.low = -Infinity
    conduit.high = Infinity
    conduit.highSlope = 0
    if (Terms.dry || load<u8>(OPEN + <usize>c) === 0 || areaMid < 1e-9) {
      standStill(conduit)
      continue
    }
    momentumTerms(conduit, c, q, dt, areaMid, isFull)
    caps(conduit, c, headFrom, headTo, y1, y2, isFull)
  }
}

/** The law of a conduit that carries nothing. */
// @inline
function standStill(conduit: Conduit): void {
  conduit.constant = 0
  conduit.fromSlope = 0
  conduit.toSlope = 0
  conduit.weight = 1
  conduit.carried = 0
}

/** Friction, pressure and inertia, and what of a step's start counts in its flow. */
// @inline
function momentumTerms(conduit: Conduit, c: i32, q: f64, dt: f64, areaMid: f64, isFull: bool): void {
  const perLength = conduit.perLength
  let v = q / areaMid
  if (v > MAX_SPEED) v = MAX_SPEED
  else if (v < -MAX_SPEED) v = -MAX_SPEED
  const speed = abs<f64>(v)
  const wave = waveDamping(conduit, speed, areaMid)
  const rho: f64 = !isFull && q > 0 && Terms.h1 >= Terms.h2 ? wave : 1
  const areaW = Terms.area1 + (areaMid - Terms.area1) * rho
  const radiusW = Terms.radius1 + (Terms.radiusMid - Terms.radius1) * rho
  const sigma = damping(conduit, wave, dt * speed * perLength, isFull)
  const inverse = 1 / (1 + dt * drag(conduit, c, q, speed, radiusW, areaMid, isFull))
  const slope = GRAVITY * dt * areaW * inverse * perLength
  let inertia: f64 = 0
  if (sigma > 0) {
    const lastStep = f64At(LAST_STEP_S, c)
    const ratio: f64 = lastStep > 0 ? dt / lastStep : 0
    const local = v * (areaMid - f64At(AREA, c)) * ratio
    inertia = sigma * (local + dt * v * v * (Terms.area2 - Terms.area1) * perLength)
  }
  pressure(conduit, q, (q + inertia) * inverse, slope, isFull)
}

/** The law: of the slope of heads a share stands at the step's end; heads that are held move into the constant. */
// @inline
function pressure(conduit: Conduit, q: f64, carriedOver: f64, slope: f64, isFull: bool): void {
  const shared = !header.implicit && !isFull && leaves(conduit.from) && leaves(conduit.to)
  const weight: f64 = shared ? THETA : 1
  conduit.weight = weight
  conduit.carried = shared ? (1 - THETA) * q : 0
  const ahead = weight * slope
  let constant = carriedOver + (slope - ahead) * (Terms.h1 - Terms.h2)
  if (Terms.hold1) constant += ahead * Terms.h1
  if (Terms.hold2) constant -= ahead * Terms.h2
  conduit.fromSlope = Terms.hold1 ? 0 : ahead
  conduit.toSlope = Terms.hold2 ? 0 : ahead
  conduit.constant = constant
}

/** Share of inertia by the Froude number: 1 up to 0.5, 0 from 1 on; 1 at the crown of closed conduits. */
// @inline
function waveDamping(conduit: Conduit, speed: f64, areaMid: f64): f64 {
  if (conduit.closed && conduit.fullDepth - Terms.yMid <= TINY_M) return 1
  const square = speed * speed * Terms.widthMid
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
function drag(conduit: Conduit, c: i32, q: f64, speed: f64, radiusW: f64, areaMid: f64, isFull: bool): f64 {
  const friction = conduit.forceMain && isFull ? forceMain(c, speed) : (conduit.friction * speed) / radiusW
  if (!conduit.lossy) return friction
  const losses =
    conduit.lossIn / max<f64>(Terms.area1, 1e-9) +
    conduit.lossOut / max<f64>(Terms.area2, 1e-9) +
    conduit.lossMean / areaMid
  return friction + (losses * abs<f64>(q)) / (2 * conduit.length)
}

/** Whether a node has water enough to go on letting out what it did. */
// @inline
function leaves(position: i32): bool {
  return load<u8>(CAN_LEAVE + <usize>position) === 1
}
