// Limits of a conduit's flow: src/sewer/step/caps.ts, which says what is what.
import { GRAVITY } from '../gravity'
import { inletFlow, inletSlope } from './env'
import { TINY_M } from './free-ends'
import { CAN_LEAVE, header, OUTFALL_GATE, unknowns } from './memory'
import { Conduit } from './records'

/**
 * @param water1 width of the upper end, m, in the second lane, `wetted1` its section factor likewise
 * @param steep how the section factor grows with the head, 0 where that is held
 */
// @inline
export function caps(
  conduit: Conduit,
  c: i32,
  constant: f64,
  headFrom: f64,
  headTo: f64,
  y1: f64,
  y2: f64,
  area1: f64,
  water1: v128,
  wetted1: v128,
  steep: f64,
  hold1: bool,
  limited: bool,
  isFull: bool,
): void {
  let high = Infinity
  let low = -Infinity
  let growth: f64 = 0
  const guess = constant + conduit.fromSlope * headFrom - conduit.toSlope * headTo
  if (conduit.culvert && guess > 0 && !isFull) {
    const through = inletFlow(c, y1)
    if (through < guess) {
      if (!hold1) growth = inletSlope(c, y1)
      high = through - growth * headFrom
    }
  } else if (limited && guess > 0 && y1 <= conduit.fullDepth + TINY_M) {
    if (runsNormal(conduit, guess, y1, y2, area1, f64x2.extract_lane(water1, 1))) {
      const beta = conduit.beta
      if (steep > 0) growth = beta * steep
      high = beta * f64x2.extract_lane(wetted1, 1) - growth * headFrom
    }
  }
  if (conduit.limited) {
    const most = conduit.maxFlow
    if (high + growth * headFrom > most) {
      high = most
      growth = 0
    }
    low = -most
  }
  if (conduit.flapAlong) low = 0
  if (conduit.flapAgainst || isShut(conduit.from)) {
    high = 0
    growth = 0
  }
  if (low < 0 && isShut(conduit.to)) low = 0
  conduit.high = high
  conduit.highSlope = growth
  conduit.low = low
}

/** Whether the water runs steep or supercritical: RM 3.3.3. */
// @inline
function runsNormal(conduit: Conduit, guess: f64, y1: f64, y2: f64, area1: f64, width1: f64): bool {
  const bySlope = header.capBySlope || (header.capByFroude && conduit.atOutfall)
  if (bySlope && y1 < y2) return true
  if (!header.capByFroude || conduit.atOutfall) return false
  return guess * guess * width1 >= GRAVITY * area1 * area1 * area1
}

/** Whether a node lets nothing out: a dry one, or an outfall with a gate. */
// @inline
function isShut(position: i32): bool {
  if (load<u8>(CAN_LEAVE + <usize>position) === 0) return true
  return position >= unknowns && load<u8>(OUTFALL_GATE + <usize>(position - unknowns)) === 1
}
