// The trials of a step, and how long one may be: src/sewer/explicit/scheme.ts and step-length.ts, which say what is what.
import { addF64, f64At, i32At, setF64 } from '../arrays'
import { account } from './books'
import { moveConduit } from './conduits'
import { devices } from './env'
import { FILM_M, FILM_M2, FILM_M3S } from './limits'
import {
  ACTIVE,
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
  OLD_AREA,
  OLD_DEPTH,
  OLD_FLOW,
  OLD_OWN,
  OUTFLOW,
  OWN,
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
import { setOutfalls } from './outfalls'
import { ExplicitConduit } from './records'

/** Trials that take in everything; later ones what still moves. */
const WHOLE_TRIALS: i32 = 2

/** Makes a step. @returns trials made, negative where the last ones still differ */
export function advance(dt: f64): i32 {
  memory.fill(ACTIVE, 1, header.nodeCount)
  remember()
  const used = tryOut(dt)
  account(dt)
  return used
}

function tryOut(dt: f64): i32 {
  const maxTrials = header.maxTrials
  for (let i = 0; i < maxTrials; i++) {
    if (i >= WHOLE_TRIALS) wake()
    beginNodes()
    moveAll(dt, i)
    if (header.deviceCount > 0) devices(dt, i)
    setOutfalls()
    const all = settleNodes(dt, i === 0)
    if (all && i > 0) return i + 1
  }
  return -maxTrials
}

/** State at the step's start. */
function remember(): void {
  const nodes = header.nodeCount
  for (let p = 0; p < nodes; p++) {
    setF64(OLD_DEPTH, p, f64At(DEPTH, p))
    setF64(OLD_OWN, p, f64At(OWN, p))
  }
  const conduits = header.conduitCount
  for (let c = 0; c < conduits; c++) {
    setF64(OLD_FLOW, c, f64At(FLOW, c))
    setF64(OLD_AREA, c, f64At(AREA, c))
  }
  if (header.seeping) for (let c = 0; c < conduits; c++) setF64(header.oldLoss, c, f64At(LOSS, c))
  const count = header.deviceCount
  for (let k = 0; k < count; k++) setF64(header.oldDeviceFlow, k, f64At(header.deviceFlow, k))
}

/** Marks the nodes whose flows and surfaces are added up anew: what moved in the trial before, its neighbours, and shapes. */
function wake(): void {
  const nodes = header.nodeCount
  for (let p = 0; p < nodes; p++) {
    const node = nodeAt(p)
    // Of these the surface goes by the depth.
    store<u8>(ACTIVE + <usize>p, node.tank || node.pondedArea > 0 || !isSettled(p) ? 1 : 0)
  }
  const count = header.conduitCount
  for (let c = 0; c < count; c++) {
    const conduit = conduitAt(c)
    wakeEnds(conduit.from, conduit.to)
  }
  const others = header.deviceCount
  for (let k = 0; k < others; k++) wakeEnds(i32At(header.deviceFrom, k), i32At(header.deviceTo, k))
}

// @inline
function wakeEnds(a: i32, b: i32): void {
  if (isSettled(a) && isSettled(b)) return
  store<u8>(ACTIVE + <usize>a, 1)
  store<u8>(ACTIVE + <usize>b, 1)
}

/** New flows of conduits, and what they bring to the nodes that the trial takes in. */
function moveAll(dt: f64, trial: i32): void {
  const count = header.conduitCount
  const whole = trial < WHOLE_TRIALS
  for (let c = 0; c < count; c++) {
    const conduit = conduitAt(c)
    const a = conduit.from
    const b = conduit.to
    const wakesA = load<u8>(ACTIVE + <usize>a) !== 0
    const wakesB = load<u8>(ACTIVE + <usize>b) !== 0
    if (!wakesA && !wakesB) continue
    if (whole || !(isSettled(a) && isSettled(b))) moveConduit(c, dt, trial === 0)
    if (wakesA && wakesB) give(conduit, c, a, b)
    else giveEnd(conduit, c, a, b, wakesA)
  }
}

/** Adds what a conduit brings to both its nodes. */
// @inline
function give(conduit: ExplicitConduit, c: i32, a: i32, b: i32): void {
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
  if (conduit.seeping) {
    const loss = f64At(LOSS, c)
    if (!(loss > 0)) return
    const each = a < unknowns && b < unknowns ? loss / 2 : loss
    if (a < unknowns) addF64(OUTFLOW, a, each)
    if (b < unknowns) addF64(OUTFLOW, b, each)
  }
}

/** The same to one of them: that at `from`, or that at `to`. */
function giveEnd(conduit: ExplicitConduit, c: i32, a: i32, b: i32, from: bool): void {
  const p = from ? a : b
  const q = f64At(FLOW, c) * conduit.barrels
  if (q >= 0 === from) addF64(OUTFLOW, p, abs<f64>(q))
  else addF64(INFLOW, p, abs<f64>(q))
  addF64(SURFACE, p, f64At(from ? FROM_SURFACE : TO_SURFACE, c))
  addF64(SLOPES, p, f64At(SLOPE, c))
  if (!conduit.seeping || p >= unknowns) return
  const loss = f64At(LOSS, c)
  if (loss > 0) addF64(OUTFLOW, p, a < unknowns && b < unknowns ? loss / 2 : loss)
}

// @inline
function isSettled(p: i32): bool {
  return p < unknowns && load<u8>(SETTLED + <usize>p) === 1
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
    const room = f64At(END_AREA, c) * conduitAt(c).length * courant
    if (isFar(room, q * step, square, wave)) continue
    const fr = sqrt<f64>(square / wave)
    const t = (room * fr) / (q * (1 + fr))
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

/** Whether room fr / (1 + fr), with fr the root of square / wave, is well above `swept`: it is at least half of room times the lesser of fr and 1. */
// @inline
function isFar(room: f64, swept: f64, square: f64, wave: f64): bool {
  const half = 0.49 * room
  return square >= wave ? half > swept : half * half * square > swept * swept * wave
}
