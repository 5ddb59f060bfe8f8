// What nodes enter a step with, and how its solution becomes their state: src/sewer/step/entry.ts, src/sewer/results/ledger.ts
// and src/sewer/step/refine.ts, in their order of operations.
import { addF64, f64At, i32At, setF64, takeF64 } from '../arrays'
import { GRAVITY } from '../gravity'
import { flows, move, openBalances, stored } from './balances'
import { TINY_M } from './free-ends'
import {
  AREA,
  CAN_LEAVE,
  CONDUIT_FLOW,
  conduitAt,
  FLOOD_AREA,
  FLOOD_LEVEL,
  FLOW,
  LAST_STEP_S,
  MEAN_FLOW,
  NEXT_AREA,
  nodeAt,
  unknowns,
} from './memory'
import { prepare } from './momentum'
import { StepHeader } from './records'

const LEAST_OVER_M: f64 = 0.01
const LEAST_OVER_ROOT: f64 = sqrt<f64>((2 * GRAVITY) / LEAST_OVER_M)
const EMPTIED: f64 = 0.5
const ORIFICE_COEFFICIENT: f64 = 0.6
const FLOOD_AREA_M2: f64 = 1e4
const DRY_M: f64 = 0.02
const HEAP_M: f64 = 0.1

let header: StepHeader = changetype<StepHeader>(0)
let HEAD: usize = 0
let TRIAL: usize = 0
let RATE: usize = 0
let VOLUME: usize = 0
let WANTED: usize = 0
let LATERAL: usize = 0
let NODE_OF: usize = 0
let INSIDE: usize = 0
let NET: usize = 0
let ARRIVING: usize = 0

/** Reads where the arrays of a step lie. */
export function bindSteps(at: usize): void {
  header = changetype<StepHeader>(at)
  HEAD = header.head
  TRIAL = header.trial
  RATE = header.rate
  VOLUME = header.volume
  WANTED = header.wanted
  LATERAL = header.lateral
  NODE_OF = header.nodeOf
  INSIDE = header.inside
  NET = header.net
  ARRIVING = header.arriving
}

/** Sets what nodes begin a step of `dt` with: a share of what enters, and heads that go on as they went. */
export function enter(dt: f64, share: f64, nodes: usize, count: i32): void {
  for (let j = 0; j < count; j++) enterNode(i32At(nodes, j), dt, share)
}

// @inline
function enterNode(k: i32, dt: f64, share: f64): void {
  const head = f64At(HEAD, k)
  const volume = f64At(VOLUME, k)
  let leaves: u8 = 0
  if (head - nodeAt(k).invert > TINY_M && volume > 0)
    leaves = dt * f64At(header.leaving, k) > EMPTIED * volume ? 2 : 1
  store<u8>(CAN_LEAVE + <usize>k, leaves)
  const n = i32At(NODE_OF, k)
  let level = f64At(header.rim, n)
  let opening = Infinity
  if (header.coupled) {
    level = max<f64>(level, f64At(header.surfaceLevels, n))
    opening = f64At(header.openingAreas, n)
  }
  setF64(FLOOD_LEVEL, k, level)
  setF64(FLOOD_AREA, k, floodArea(dt, head - level, level, opening))
  setF64(WANTED, k, volume + share * f64At(LATERAL, n))
  setF64(TRIAL, k, head + dt * f64At(RATE, k))
}

// @inline
function floodArea(dt: f64, over: f64, level: f64, opening: f64): f64 {
  if (level === Infinity) return 0
  if (opening === Infinity) return FLOOD_AREA_M2
  const root: f64 = over > LEAST_OVER_M ? sqrt<f64>((2 * GRAVITY) / over) : LEAST_OVER_ROOT
  return dt * ORIFICE_COEFFICIENT * opening * root
}

/** How far heads are off the line on which they moved, at most, m; with `outside` without the nodes of parts. */
export function bend(dt: f64, nodes: usize, count: i32, outside: bool): f64 {
  let most: f64 = 0
  for (let j = 0; j < count; j++) {
    const k = i32At(nodes, j)
    if (outside && load<u8>(INSIDE + <usize>k) !== 0) continue
    const off = abs<f64>(f64At(TRIAL, k) - f64At(HEAD, k) - dt * f64At(RATE, k))
    if (off > most) most = off
  }
  return most
}

/** Whether a dry node is heaped up. */
export function heapsUp(nodes: usize, count: i32): bool {
  for (let j = 0; j < count; j++) {
    const k = i32At(nodes, j)
    const head = f64At(HEAD, k)
    if (head - nodeAt(k).invert < DRY_M && f64At(TRIAL, k) - head > HEAP_M) return true
  }
  return false
}

/** Shares what enters in `wholeS` out to `dt` of it. */
export function shareOut(given: usize, dt: f64, wholeS: f64, count: i32): void {
  for (let n = 0; n < count; n++) setF64(LATERAL, n, (f64At(given, n) * dt) / wholeS)
}

/** Takes the flows of a step over the network: of parts what they carried. */
export function acceptConduits(dt: f64): void {
  const count = header.conduitCount
  const passed = header.passed
  for (let c = 0; c < count; c++) {
    const conduit = conduitAt(c)
    const a = conduit.from
    const b = conduit.to
    const sign = f64At(header.direction, c)
    const link = i32At(header.link, c)
    if (load<u8>(header.conduitInside + <usize>c) === 1) {
      const moved = f64At(header.carried, c)
      addF64(passed, link, sign * moved)
      takeF64(NET, a, moved)
      addF64(NET, b, moved)
      continue
    }
    const q = f64At(CONDUIT_FLOW, c)
    setF64(FLOW, c, q)
    setF64(AREA, c, f64At(NEXT_AREA, c))
    setF64(LAST_STEP_S, c, dt)
    const barrels = conduit.barrels
    const mean = barrels * f64At(MEAN_FLOW, c)
    const moved = mean * dt
    takeF64(NET, a, moved)
    addF64(NET, b, moved)
    addF64(passed, link, sign * mean * dt)
    if (mean > 0) addF64(ARRIVING, b, mean)
    else takeF64(ARRIVING, a, mean)
    if (q > 0) addF64(header.leaving, a, barrels * q)
    else takeF64(header.leaving, b, barrels * q)
  }
}

/** Takes the heads of a step over the network, and volumes by what links brought. @returns what rose above rims, m3 */
export function acceptNodes(dt: f64): f64 {
  const floods = header.floodVolumes
  const overflows = header.overflows
  let left: f64 = 0
  for (let k = 0; k < unknowns; k++) {
    const n = i32At(NODE_OF, k)
    if (load<u8>(INSIDE + <usize>k) === 1) {
      const flooded = f64At(header.flooded, k)
      addF64(floods, n, flooded)
      left += flooded
      continue
    }
    const head = f64At(HEAD, k)
    const trial = f64At(TRIAL, k)
    const level = f64At(FLOOD_LEVEL, k)
    const over = trial - level
    const flooded: f64 = over > 0 ? f64At(FLOOD_AREA, k) * over : 0
    setF64(VOLUME, k, f64At(WANTED, k) + f64At(NET, k) - flooded)
    addF64(floods, n, flooded)
    left += flooded
    addF64(ARRIVING, k, f64At(LATERAL, n) / dt)
    setF64(RATE, k, (trial - head) / dt)
    setF64(HEAD, k, overflows && over > 0 ? level : trial)
  }
  return left
}

/**
 * Solves a piece of `ds` of a part's step of `dt` by Newton's method. Nothing but pipes joins nodes of a part.
 * @returns looks at its balances, or -1 when they stayed open
 */
export function solvePart(
  ds: f64,
  dt: f64,
  nodes: usize,
  count: i32,
  conduits: usize,
  conduitCount: i32,
  looks: i32,
  tolerance: f64,
  hopeless: f64,
): i32 {
  const share = ds / dt
  for (let j = 0; j < count; j++) {
    const k = i32At(nodes, j)
    enterNode(k, ds, share)
    addF64(WANTED, k, f64At(header.incoming, k) * ds)
  }
  prepare(ds, HEAD, conduits, conduitCount)
  for (let i = 1; i <= looks; i++) {
    stored(TRIAL, WANTED, nodes, count)
    flows(ds, TRIAL, conduits, conduitCount)
    const open = openBalances(nodes, count, tolerance, hopeless)
    if (open === 0) return i
    if (open < 0) return -1
    move(TRIAL, nodes, count)
  }
  return -1
}

/** Takes a piece of a part's step: what its conduits carried becomes their state, and its nodes' heads and volumes. */
export function acceptPart(ds: f64, nodes: usize, count: i32, conduits: usize, conduitCount: i32): void {
  const brought = header.brought
  for (let j = 0; j < count; j++) setF64(brought, i32At(nodes, j), 0)
  for (let j = 0; j < conduitCount; j++) {
    const c = i32At(conduits, j)
    const conduit = conduitAt(c)
    setF64(FLOW, c, f64At(CONDUIT_FLOW, c))
    setF64(AREA, c, f64At(NEXT_AREA, c))
    setF64(LAST_STEP_S, c, ds)
    const moved = conduit.barrels * f64At(MEAN_FLOW, c) * ds
    addF64(header.carried, c, moved)
    if (conduit.from < unknowns) takeF64(brought, conduit.from, moved)
    if (conduit.to < unknowns) addF64(brought, conduit.to, moved)
  }
  for (let j = 0; j < count; j++) {
    const k = i32At(nodes, j)
    const head = f64At(HEAD, k)
    const trial = f64At(TRIAL, k)
    const over = trial - f64At(FLOOD_LEVEL, k)
    const out: f64 = over > 0 ? f64At(FLOOD_AREA, k) * over : 0
    setF64(VOLUME, k, f64At(WANTED, k) + f64At(brought, k) - out)
    addF64(header.flooded, k, out)
    setF64(RATE, k, (trial - head) / ds)
    setF64(HEAD, k, trial)
  }
}
