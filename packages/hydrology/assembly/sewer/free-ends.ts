// Which ends the water leaves freely: src/sewer/step/free-ends.ts, which says what is what.
import { setF64 } from '../arrays'
import { Section } from '../sections/records'
import { freeDepth } from '../sections/tables'
import { END_DEPTH, nodeAt, unknowns } from './memory'
import { Conduit } from './records'

export const TINY_M: f64 = 3.048e-5

/** What `freeEnds` finds. Ends that are both wet and cannot fall do without: globals are not kept in registers. */
export class Ends {
  static h1: f64 = 0
  static h2: f64 = 0
  static y1: f64 = 0
  static y2: f64 = 0
  static hold1: bool = false
  static hold2: bool = false
  static dry: bool = false
  static limited: bool = false
}

/** Whether water may fall free at an end; at an outfall that hangs on its level. */
// @inline
export function mayFall(conduit: Conduit): bool {
  return conduit.dropFrom > 0 || conduit.dropTo > 0 || conduit.from >= unknowns || conduit.to >= unknowns
}

export function freeEnds(conduit: Conduit, c: i32, q: f64, headFrom: f64, headTo: f64): void {
  const z1 = conduit.fromInvert
  const z2 = conduit.toInvert
  const h1 = max<f64>(headFrom, z1)
  const h2 = max<f64>(headTo, z2)
  const wet1 = h1 - z1 > TINY_M
  const wet2 = h2 - z2 > TINY_M
  Ends.h1 = h1
  Ends.h2 = h2
  Ends.y1 = wet1 ? h1 - z1 : TINY_M
  Ends.y2 = wet2 ? h2 - z2 : TINY_M
  Ends.hold1 = false
  Ends.hold2 = false
  Ends.dry = !wet1 && !wet2
  const drop1 = dropTo(conduit.dropFrom, conduit.from, headFrom)
  const drop2 = dropTo(conduit.dropTo, conduit.to, headTo)
  if (wet1 && wet2) {
    if (drop1 > 0 || drop2 > 0) fallAtOne(conduit, c, q, drop1, drop2)
  } else if (wet2) {
    if (h2 < z1) Ends.dry = true
    else if (drop1 > 0) holdFrom(conduit, depthOfFall(conduit, abs<f64>(q)))
  } else if (wet1) {
    if (h1 < z2) Ends.dry = true
    else if (drop2 > 0) {
      const y = depthOfFall(conduit, abs<f64>(q))
      setF64(END_DEPTH, c, y)
      holdTo(conduit, y)
    }
  }
  Ends.limited = !(Ends.hold1 || Ends.hold2)
  if (Ends.h1 === z1) Ends.hold1 = true
  if (Ends.h2 === z2) Ends.hold2 = true
}

/** Height of an end above the water or, in a manhole, the bottom it falls to. */
// @inline
function dropTo(drop: f64, position: i32, head: f64): f64 {
  if (position < unknowns) return drop
  return max<f64>(0, drop - (head - nodeAt(position).invert))
}

/** Both ends are wet: the one that the flow leaves may hang. */
function fallAtOne(conduit: Conduit, c: i32, q: f64, drop1: f64, drop2: f64): void {
  const crown = conduit.fullDepth
  if (q < 0) {
    if (!(drop1 > 0 && Ends.y1 < crown)) return
    const y = depthOfFall(conduit, -q)
    if (Ends.y1 < y) holdFrom(conduit, y)
  } else if (drop2 > 0 && Ends.y2 < crown) {
    const y = depthOfFall(conduit, q)
    setF64(END_DEPTH, c, y)
    if (Ends.y2 < y) holdTo(conduit, y)
  }
}

// @inline
function depthOfFall(conduit: Conduit, q: f64): f64 {
  return max<f64>(TINY_M, freeDepth(changetype<Section>(conduit.table), q, conduit.beta))
}

// @inline
function holdFrom(conduit: Conduit, y: f64): void {
  Ends.hold1 = true
  Ends.y1 = y
  Ends.h1 = conduit.fromInvert + y
}

// @inline
function holdTo(conduit: Conduit, y: f64): void {
  Ends.hold2 = true
  Ends.y2 = y
  Ends.h2 = conduit.toInvert + y
}
