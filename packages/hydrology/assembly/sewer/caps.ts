// Limits of a conduit's flow: src/sewer/step/caps.ts, which says what is what.
import { GRAVITY } from '../gravity'
import { inletFlow, inletSlope } from './env'
import { TINY_M } from './free-ends'
import { CAN_LEAVE, header, OUTFALL_GATE, unknowns } from './memory'
import { Conduit } from './records'
import { Terms } from './terms'

// @inline
export function caps(
  conduit: Conduit,
  c: i32,
  headFrom: f64,
  headTo: f64,
  y1: f64,
  y2: f64,
  isFull: bool,
): void {
  const guess = conduit.constant + conduit.fromSlope * headFrom - conduit.toSlope * headTo
  if (conduit.culvert && guess > 0 && !isFull) inletControl(conduit, c, guess, headFrom, y1)
  else if (Terms.limited && guess > 0 && y1 <= conduit.fullDepth + TINY_M) {
    if (runsNormal(conduit, guess, y1, y2)) normalFlow(conduit, headFrom)
  }
  if (conduit.limited) {
    const most = conduit.maxFlow
    if (conduit.high + conduit.highSlope * headFrom > most) stopAt(conduit, most)
    conduit.low = -most
  }
  if (conduit.flapAlong) conduit.low = 0
  if (conduit.flapAgainst) stopAt(conduit, 0)
  if (isShut(conduit.from)) stopAt(conduit, 0)
  if (isShut(conduit.to) && conduit.low < 0) conduit.low = 0
}

// @inline
function stopAt(conduit: Conduit, most: f64): void {
  conduit.high = most
  conduit.highSlope = 0
}

function inletControl(conduit: Conduit, c: i32, guess: f64, headFrom: f64, y1: f64): void {
  const through = inletFlow(c, y1)
  if (!(through < guess)) return
  const growth: f64 = Terms.hold1 ? 0 : inletSlope(c, y1)
  conduit.highSlope = growth
  conduit.high = through - growth * headFrom
}

/** Whether the water runs steep or supercritical: RM 3.3.3. */
// @inline
function runsNormal(conduit: Conduit, guess: f64, y1: f64, y2: f64): bool {
  const bySlope = header.capBySlope || (header.capByFroude && conduit.atOutfall)
  if (bySlope && y1 < y2) return true
  if (!header.capByFroude || conduit.atOutfall) return false
  const area1 = Terms.area1
  return guess * guess * Terms.width1 >= GRAVITY * area1 * area1 * area1
}

// @inline
function normalFlow(conduit: Conduit, headFrom: f64): void {
  const beta = conduit.beta
  const growth: f64 = Terms.factorSlope > 0 && !Terms.hold1 ? beta * Terms.factorSlope : 0
  conduit.highSlope = growth
  conduit.high = beta * Terms.factor1 - growth * headFrom
}

/** Whether a node lets nothing out: a dry one, or an outfall with a gate. */
// @inline
function isShut(position: i32): bool {
  if (load<u8>(CAN_LEAVE + <usize>position) === 0) return true
  return position >= unknowns && load<u8>(OUTFALL_GATE + <usize>(position - unknowns)) === 1
}
