// How water stands in a conduit, and the surface that it brings to the nodes: `stand` of src/sewer/explicit/conduits.ts.
import { f64At } from '../arrays'
import { Section } from '../sections/records'
import { criticalDepth, normalDepth } from '../sections/tables'
import { FILM_M } from './limits'
import { DEPTH, unknowns } from './memory'
import { ExplicitConduit } from './records'

/** How water stands in a conduit. */
export const DRY: i32 = 0
export const FROM_DRY: i32 = 1
export const TO_DRY: i32 = 2
export const SUBCRITICAL: i32 = 3
export const FROM_CRITICAL: i32 = 4
export const TO_CRITICAL: i32 = 5

/** What the terms of one conduit hand on to each other. */
export class Ends {
  static y1: f64 = 0
  static y2: f64 = 0
  static h1: f64 = 0
  static h2: f64 = 0
  static state: i32 = 0
  static share: f64 = 1
}

/** Sets how water stands in a conduit that may be dry or have free ends, and their depths and heads. */
export function freeEnds(conduit: ExplicitConduit, q: f64): void {
  Ends.state = SUBCRITICAL
  Ends.share = 1
  classify(conduit, q)
  const state = Ends.state
  if (state === FROM_CRITICAL) {
    Ends.y1 = fallDepth(conduit, abs<f64>(q))
    Ends.h1 = conduit.fromInvert + Ends.y1
  } else if (state === TO_CRITICAL) {
    Ends.y2 = fallDepth(conduit, abs<f64>(q))
    Ends.h2 = conduit.toInvert + Ends.y2
  } else if (state === FROM_DRY) Ends.y1 = FILM_M
  else if (state === TO_DRY) Ends.y2 = FILM_M
}

// @inline
function classify(conduit: ExplicitConduit, q: f64): void {
  const wet1 = Ends.y1 > FILM_M
  const wet2 = Ends.y2 > FILM_M
  if (wet1 && wet2) {
    if (q < 0) {
      if (conduit.dropFrom > 0 || conduit.atOutfall) backFall(conduit, -q)
    } else if (conduit.dropTo > 0 || conduit.atOutfall) fall(conduit, q)
  } else if (!wet1 && !wet2) Ends.state = DRY
  else if (wet2) {
    if (Ends.h2 < conduit.fromInvert) Ends.state = FROM_DRY
    else if (dropAt(conduit.from, conduit.dropFrom) > 0) Ends.state = FROM_CRITICAL
  } else if (Ends.h1 < conduit.toInvert) Ends.state = TO_DRY
  else if (dropAt(conduit.to, conduit.dropTo) > 0) Ends.state = TO_CRITICAL
}

/** Height of an end over the water in its node, which an outfall's stage lowers. */
// @inline
function dropAt(p: i32, drop: f64): f64 {
  return p >= unknowns ? max<f64>(0, drop - f64At(DEPTH, p)) : drop
}

function backFall(conduit: ExplicitConduit, q: f64): void {
  if (!(dropAt(conduit.from, conduit.dropFrom) > 0)) return
  const section = changetype<Section>(conduit.table)
  if (Ends.y1 < min<f64>(normalDepth(section, q, conduit.beta), criticalDepth(section, q)))
    Ends.state = FROM_CRITICAL
}

function fall(conduit: ExplicitConduit, q: f64): void {
  if (!(dropAt(conduit.to, conduit.dropTo) > 0)) return
  const section = changetype<Section>(conduit.table)
  const normal = normalDepth(section, q, conduit.beta)
  const critical = criticalDepth(section, q)
  const low = min<f64>(normal, critical)
  const high = max<f64>(normal, critical)
  if (Ends.y2 < low) Ends.state = TO_CRITICAL
  else if (Ends.y2 < high) Ends.share = high - low < FILM_M ? 0 : (high - Ends.y2) / (high - low)
}

function fallDepth(conduit: ExplicitConduit, q: f64): f64 {
  const section = changetype<Section>(conduit.table)
  return max<f64>(FILM_M, min<f64>(normalDepth(section, q, conduit.beta), criticalDepth(section, q)))
}
