// Linear law of every conduit for one step: src/sewer/step/momentum.ts, which says what is what.
import {
  AREA,
  AT_OUTFALL,
  BETA,
  CAN_LEAVE,
  CAP_BY_FROUDE,
  CAP_BY_SLOPE,
  CARRIED,
  CLOSED,
  CONDUIT,
  CONDUITS,
  CONSTANT,
  CROWN,
  CULVERT,
  DAMP_FULL,
  DAMP_NONE,
  DEPTH,
  DROP1,
  DROP2,
  END_DEPTH,
  FLAGS,
  FLAP_AGAINST,
  FLAP_ALONG,
  FLOW,
  FORCE_MAIN,
  FRICTION,
  FROM,
  FROM_SLOPE,
  GATES,
  HIGH,
  HIGH_SLOPE,
  IMPLICIT,
  INTERVALS,
  INVERT,
  LAST_STEP,
  LENGTH,
  LIMITED,
  LOSSY,
  LOSS_IN,
  LOSS_MEAN,
  LOSS_OUT,
  LOW,
  MAX_FLOW,
  NEXT_AREA,
  NODE,
  NODES,
  OPEN,
  PER_LENGTH,
  ROW,
  ROWS,
  SCALE,
  SLOT,
  TABLE,
  TO,
  TO_SLOPE,
  WEIGHT,
  Z1,
  Z2,
  options,
  unknowns,
} from './memory'
import { freeDepth } from './tables'

/** Flow area of a conduit above its crown, with the slot of SURCHARGE_METHOD SLOT. */
@external("env", "slotArea")
declare function slotArea(c: i32, depth: f64): f64

/** Friction of a full force main at a speed, 1/s. */
@external("env", "forceMain")
declare function forceMain(c: i32, speed: f64): f64

/** Flow that a culvert's inlet lets in at a depth, m3/s, and how it grows, m2/s. */
@external("env", "inletFlow")
declare function inletFlow(c: i32, depth: f64): f64

@external("env", "inletSlope")
declare function inletSlope(c: i32, depth: f64): f64

const TINY_M: f64 = 3.048e-5
const MAX_SPEED: f64 = 15.24
const G: f64 = 9.80665
const THETA: f64 = 0.65

// @ts-ignore: decorator
@inline
function invertOf(position: i32): f64 {
  return load<f64>(NODES + (<usize>position >> 3) * NODE, INVERT)
}

export function prepare(dt: f64, heads: usize, conduits: usize, count: i32): void {
  const slot = (options & SLOT) != 0
  for (let j = 0; j < count; j++) {
    const c = load<i32>(conduits + (<usize>j << 2))
    const rec = CONDUITS + <usize>c * CONDUIT
    const c8 = <usize>c << 3
    const a = load<i32>(rec, FROM)
    const b = load<i32>(rec, TO)
    const flags = load<i32>(rec, FLAGS)
    const headA = load<f64>(heads + <usize>a)
    const headB = load<f64>(heads + <usize>b)
    const z1 = load<f64>(rec, Z1)
    const z2 = load<f64>(rec, Z2)
    let h1 = headA
    let h2 = headB
    if (h1 < z1) h1 = z1
    if (h2 < z2) h2 = z2
    let y1 = h1 - z1
    let y2 = h2 - z2
    const q = load<f64>(FLOW + c8)
    const crown = load<f64>(rec, CROWN)
    const table = <usize>load<u32>(rec, TABLE)
    let hold1 = false
    let hold2 = false
    let dry = false
    const wet1 = y1 > TINY_M
    const wet2 = y2 > TINY_M
    const drop1 = a < unknowns ? load<f64>(rec, DROP1) : max<f64>(0, load<f64>(rec, DROP1) - (headA - invertOf(a)))
    const drop2 = b < unknowns ? load<f64>(rec, DROP2) : max<f64>(0, load<f64>(rec, DROP2) - (headB - invertOf(b)))

    // --- which ends the water leaves freely
    if (wet1 && wet2) {
      if (drop1 > 0 || drop2 > 0) {
        if (q < 0) {
          if (drop1 > 0 && y1 < crown) {
            const y = max<f64>(TINY_M, freeDepth(table, -q, load<f64>(rec, BETA)))
            if (y1 < y) {
              hold1 = true
              y1 = y
              h1 = z1 + y1
            }
          }
        } else if (drop2 > 0 && y2 < crown) {
          const y = max<f64>(TINY_M, freeDepth(table, q, load<f64>(rec, BETA)))
          store<f64>(END_DEPTH + c8, y)
          if (y2 < y) {
            hold2 = true
            y2 = y
            h2 = z2 + y2
          }
        }
      }
    } else {
      if (!wet1) y1 = TINY_M
      if (!wet2) y2 = TINY_M
      if (!wet1 && !wet2) dry = true
      else if (wet2) {
        if (h2 < z1) dry = true
        else if (drop1 > 0) {
          hold1 = true
          y1 = max<f64>(TINY_M, freeDepth(table, abs<f64>(q), load<f64>(rec, BETA)))
          h1 = z1 + y1
        }
      } else if (h1 < z2) dry = true
      else if (drop2 > 0) {
        hold2 = true
        y2 = max<f64>(TINY_M, freeDepth(table, abs<f64>(q), load<f64>(rec, BETA)))
        store<f64>(END_DEPTH + c8, y2)
        h2 = z2 + y2
      }
    }
    const limited = !(hold1 || hold2)
    if (h1 == z1) hold1 = true
    if (h2 == z2) hold2 = true

    // --- geometry at both ends and in the middle: rows hold area, width, radius^(4/3) and section factor
    const scale = load<f64>(rec, SCALE)
    const rows = table + ROWS
    const isFull = y1 >= crown && y2 >= crown
    const yc1 = slot || y1 < crown ? y1 : crown
    const yc2 = slot || y2 < crown ? y2 : crown
    const yMid = 0.5 * (yc1 + yc2)
    let at = yc1 * scale
    let i = rowOf(at)
    let row = rows + <usize>i * ROW
    let share = f64x2.splat(at - <f64>i)
    let first = v128.load(row)
    const ends = f64x2.add(first, f64x2.mul(share, f64x2.sub(v128.load(row, ROW), first)))
    first = v128.load(row, 16)
    const rise = f64x2.sub(v128.load(row, ROW + 16), first)
    const inner = f64x2.add(first, f64x2.mul(share, rise))
    let area1 = f64x2.extract_lane(ends, 0)
    const width1 = f64x2.extract_lane(ends, 1)
    const r1 = f64x2.extract_lane(inner, 0)
    const factor1 = f64x2.extract_lane(inner, 1)
    const factorSlope = f64x2.extract_lane(rise, 1) * scale
    at = yc2 * scale
    i = rowOf(at)
    row = rows + <usize>i * ROW
    let area2 = load<f64>(row)
    area2 += (at - <f64>i) * (load<f64>(row, ROW) - area2)
    at = yMid * scale
    i = rowOf(at)
    row = rows + <usize>i * ROW
    const shareMid = at - <f64>i
    first = v128.load(row)
    const mid = f64x2.add(
      first,
      f64x2.mul(f64x2.splat(shareMid), f64x2.sub(v128.load(row, ROW), first)),
    )
    let areaMid = f64x2.extract_lane(mid, 0)
    const widthMid = f64x2.extract_lane(mid, 1)
    let rMid = load<f64>(row, 16)
    rMid += shareMid * (load<f64>(row, ROW + 16) - rMid)
    if (slot && (flags & CLOSED) != 0) {
      if (yc1 * scale >= <f64>INTERVALS) area1 = slotArea(c, yc1)
      if (yc2 * scale >= <f64>INTERVALS) area2 = slotArea(c, yc2)
      if (yMid * scale >= <f64>INTERVALS) areaMid = slotArea(c, yMid)
    }
    store<f64>(NEXT_AREA + c8, areaMid)
    store<f64>(DEPTH + c8, min<f64>(yMid, crown))

    let low = -Infinity
    let high = Infinity
    let highSlope: f64 = 0
    let weight: f64 = 1
    let carried: f64 = 0
    let fixed: f64 = 0
    let s1: f64 = 0
    let s2: f64 = 0
    if (!(dry || load<u8>(OPEN + <usize>c) == 0 || areaMid < 1e-9)) {
      // --- momentum
      let v = q / areaMid
      if (v > MAX_SPEED) v = MAX_SPEED
      else if (v < -MAX_SPEED) v = -MAX_SPEED
      const speed = abs<f64>(v)
      let sigma: f64 = 1
      if ((flags & CLOSED) == 0 || crown - yMid > TINY_M) {
        const square = speed * speed * widthMid
        const wave = G * areaMid
        if (square > 0.25 * wave) sigma = square >= wave ? 0 : 2 * (1 - sqrt<f64>(square / wave))
      }
      const rho: f64 = !isFull && q > 0 && h1 >= h2 ? sigma : 1
      const areaW = area1 + (areaMid - area1) * rho
      const rW = r1 + (rMid - r1) * rho
      if ((options & DAMP_NONE) != 0) sigma = 1
      else if ((options & DAMP_FULL) != 0) sigma = 0
      if (isFull && (flags & CLOSED) != 0) sigma = 0
      const perLength = load<f64>(rec, PER_LENGTH)
      const crossings = dt * speed * perLength
      if (crossings > 1) sigma /= crossings
      let drag =
        (flags & FORCE_MAIN) != 0 && isFull ? forceMain(c, speed) : (load<f64>(rec, FRICTION) * speed) / rW
      if ((flags & LOSSY) != 0) {
        drag +=
          ((load<f64>(rec, LOSS_IN) / max<f64>(area1, 1e-9) +
            load<f64>(rec, LOSS_OUT) / max<f64>(area2, 1e-9) +
            load<f64>(rec, LOSS_MEAN) / areaMid) *
            abs<f64>(q)) /
          (2 * load<f64>(rec, LENGTH))
      }
      const inverse = 1 / (1 + dt * drag)
      const slope = G * dt * areaW * inverse * perLength
      let inertia: f64 = 0
      if (sigma > 0) {
        const lastStep = load<f64>(LAST_STEP + c8)
        const ratio: f64 = lastStep > 0 ? dt / lastStep : 0
        inertia =
          sigma * (v * (areaMid - load<f64>(AREA + c8)) * ratio + dt * v * v * (area2 - area1) * perLength)
      }
      if ((options & IMPLICIT) == 0 && !isFull && leaves(a) && leaves(b)) {
        weight = THETA
        carried = (1 - THETA) * q
      }
      const ahead = weight * slope
      fixed = (q + inertia) * inverse + (slope - ahead) * (h1 - h2)
      s1 = ahead
      s2 = ahead
      if (hold1) {
        fixed += ahead * h1
        s1 = 0
      }
      if (hold2) {
        fixed -= ahead * h2
        s2 = 0
      }

      // --- caps
      const guess = fixed + s1 * headA - s2 * headB
      if ((flags & CULVERT) != 0 && guess > 0 && !isFull) {
        const through = inletFlow(c, y1)
        if (through < guess) {
          highSlope = hold1 ? 0 : inletSlope(c, y1)
          high = through - highSlope * headA
        }
      } else if (limited && guess > 0 && y1 <= crown + TINY_M) {
        const bySlope = (options & CAP_BY_SLOPE) != 0 || ((options & CAP_BY_FROUDE) != 0 && (flags & AT_OUTFALL) != 0)
        let capped = bySlope && y1 < y2
        if (!capped && (options & CAP_BY_FROUDE) != 0 && (flags & AT_OUTFALL) == 0)
          capped = guess * guess * width1 >= G * area1 * area1 * area1
        if (capped) {
          const beta = load<f64>(rec, BETA)
          const growth: f64 = factorSlope > 0 && !hold1 ? beta * factorSlope : 0
          highSlope = growth
          high = beta * factor1 - growth * headA
        }
      }
      if ((flags & LIMITED) != 0) {
        const most = load<f64>(rec, MAX_FLOW)
        if (high + highSlope * headA > most) {
          high = most
          highSlope = 0
        }
        low = -most
      }
      if ((flags & FLAP_ALONG) != 0) low = 0
      else if ((flags & FLAP_AGAINST) != 0) {
        high = 0
        highSlope = 0
      }
      if (shut(a)) {
        high = 0
        highSlope = 0
      }
      if (shut(b) && low < 0) low = 0
    }
    store<f64>(rec, fixed, CONSTANT)
    store<f64>(rec, weight, WEIGHT)
    store<f64>(rec, carried, CARRIED)
    store<f64>(rec, s1, FROM_SLOPE)
    store<f64>(rec, s2, TO_SLOPE)
    store<f64>(rec, low, LOW)
    store<f64>(rec, high, HIGH)
    store<f64>(rec, highSlope, HIGH_SLOPE)
  }
}

/** Row of a table; behind the last one it stands once more, so that nothing changes from there on. */
// @ts-ignore: decorator
@inline
function rowOf(at: f64): i32 {
  const i = <i32>at
  return i < INTERVALS ? i : INTERVALS
}

/** Whether a node has water enough to go on letting out what it did. */
// @ts-ignore: decorator
@inline
function leaves(position: i32): bool {
  return load<u8>(CAN_LEAVE + (<usize>position >> 3)) == 1
}

/** Whether a node lets nothing out: a dry one, or an outfall with a gate. */
// @ts-ignore: decorator
@inline
function shut(position: i32): bool {
  if (load<u8>(CAN_LEAVE + (<usize>position >> 3)) == 0) return true
  return position >= unknowns && load<u8>(GATES + (<usize>(position - unknowns) >> 3)) == 1
}
