// The trials of a step, and how long one may be: src/sewer/explicit/scheme.ts and step-length.ts, which say what is what.
import { addF64, f64At } from '../arrays'
import { moveConduit } from './conduits'
import { devices, outfalls } from './env'
import { FILM_M, FILM_M2, FILM_M3S } from './limits'
import {
  AREA,
  conduitAt,
  DEPTH,
  END_AREA,
  FLOW,
  FROM_SURFACE,
  header,
  INFLOW,
  LOSS,
  nodeAt,
  OUTFLOW,
  RISE,
  SETTLED,
  SLOPE,
  SLOPES,
  SQUARE,
  SURFACE,
  TO_SURFACE,
  unknowns,
  WAVE,
} from './memory'
import { beginNodes, settleNodes } from './nodes'

/** @returns trials made, negative where the last ones still differ */
export function step(dt: f64): i32 {
  const maxTrials = header.maxTrials
  for (let i = 0; i < maxTrials; i++) {
    beginNodes()
    moveAll(dt, i)
    if (header.devices) devices(dt, i)
    outfalls()
    const all = settleNodes(dt, i === 0)
    if (all && i > 0) return i + 1
  }
  return -maxTrials
}

/** New flows of conduits; from the third trial on only of those between nodes that still move. */
function moveAll(dt: f64, trial: i32): void {
  const count = header.conduitCount
  for (let c = 0; c < count; c++) {
    const conduit = conduitAt(c)
    const a = conduit.from
    const b = conduit.to
    if (trial < 2 || !(isSettled(a) && isSettled(b))) moveConduit(c, dt, trial === 0)
    const q = f64At(FLOW, c) * conduit.barrels
    if (q >= 0) {
      addF64(OUTFLOW, a, q)
      addF64(INFLOW, b, q)
    } else {
      addF64(INFLOW, a, -q)
      addF64(OUTFLOW, b, -q)
    }
    addF64(SURFACE, a, f64At(FROM_SURFACE, c))
    addF64(SURFACE, b, f64At(TO_SURFACE, c))
    const slope = f64At(SLOPE, c)
    addF64(SLOPES, a, slope)
    addF64(SLOPES, b, slope)
    if (conduit.seeping) lose(a, b, f64At(LOSS, c))
  }
}

// @inline
function isSettled(p: i32): bool {
  return p < unknowns && load<u8>(SETTLED + <usize>p) === 1
}

/** Takes seepage out of the ends that are no outfalls. */
function lose(a: i32, b: i32, loss: f64): void {
  if (!(loss > 0)) return
  const each = a < unknowns && b < unknowns ? loss / 2 : loss
  if (a < unknowns) addF64(OUTFLOW, a, each)
  if (b < unknowns) addF64(OUTFLOW, b, each)
}

/** Longest step that is stable, s, not yet within the file's shortest one; `lastS`: how long the last one was. */
export function stableStep(lastS: f64): f64 {
  let step = header.longestStepS
  const count = header.conduitCount
  const courant = header.courant
  for (let c = 0; c < count; c++) {
    const q = abs<f64>(f64At(FLOW, c))
    const square = f64At(SQUARE, c)
    const wave = f64At(WAVE, c)
    if (q <= FILM_M3S || square <= 1e-4 * wave || f64At(AREA, c) <= FILM_M2) continue
    const fr = sqrt<f64>(square / wave)
    const t = (f64At(END_AREA, c) * conduitAt(c).length * courant * fr) / (q * (1 + fr))
    if (t < step) step = t
  }
  const film = FILM_M * lastS
  for (let p = 0; p < unknowns; p++) {
    const rise = f64At(RISE, p)
    if (rise < film) continue
    const top = nodeAt(p).crown
    const y = f64At(DEPTH, p)
    if (y <= FILM_M || y + FILM_M >= top || top * 0.25 < FILM_M) continue
    const t = (top * 0.25 * lastS) / rise
    if (t < step) step = t
  }
  return step
}
