// One step of all subcatchments: src/runoff/ground/reference.ts, which says what is what.
import { f64At, i32At, setF64 } from '../arrays'
import {
  cubeRoots,
  drainBegin,
  errors,
  halfM,
  LEAST,
  leftS,
  nextStep,
  recede,
  recedePair,
  recedes,
  rungeKutta,
} from './drainage'
import * as at from './memory'

const ZERO: f64 = 1e-10 * 0.3048
const DRY_RATE: f64 = 0.0000254 / 3600
const DAY_S: f64 = 86_400
/** As `handedOver` has it. */
const MOST_SETTLED: f64 = 0.25
const HOLLOW: i32 = 1
const PERVIOUS: i32 = 2
/** What depths cannot say to the last bit is no runoff, m. */
const NO_RUNOFF_M: f64 = 1e-15
/** Pairs at once: what is worked out for them stays near. `CHUNK` of src/runoff/ground/wasm.ts. */
const CHUNK: i32 = 32
/** From one kind of ground to the next in what is worked out for a chunk. */
const LOCAL: i32 = 2 * CHUNK

/** Moves the water of the pairs from a place in the list of those awake to another; whether any of it runs. */
export function move(dt: f64, first: i32, end: i32): bool {
  let runs = i64x2.splat(0)
  const step = f64x2.splat(dt)
  for (let from = first; from < end; from += CHUNK) {
    const to = min<i32>(from + CHUNK, end)
    finish(begin(from, to, dt), dt)
    fall()
    for (let n = from; n < to; n++) {
      const i = i32At(at.PAIRS, n) << 1
      settle(i, (n - from) << 1, dt)
      runs = v128.or(runs, f64x2.gt(route(i, step), f64x2.splat(DRY_RATE)))
    }
  }
  return v128.any_true(runs)
}

let receding: i32 = 0

/**
 * What comes to each ground and what it loses, two subcatchments at once, and depths where neither Runge and Kutta nor the
 * closed solution are needed; the number of grounds that need the former.
 */
function begin(from: i32, to: i32, dt: f64): i32 {
  waiting = 0
  receding = 0
  for (let k = 0; k < 3; k++)
    for (let n = from; n < to; n++) {
      const i = i32At(at.PAIRS, n) << 1
      const local = k * LOCAL + ((n - from) << 1)
      const lanes = take(i, k, local, dt)
      const g = k * at.stride + i
      if (lanes & 1) start(g, local, dt)
      if (lanes & 2) start(g + 1, local + 1, dt)
    }
  return waiting
}

let waiting: i32 = 0

/** Leaves evaporation, infiltration, supply and what is left of them, m/s; bits of the lanes whose depth is to be found. */
// @inline
function take(i: i32, k: i32, local: i32, dt: f64): i32 {
  const one = (<usize>i) << 3
  const g = (<usize>(k * at.stride + i)) << 3
  const l = (<usize>local) << 3
  const zero = f64x2.splat(0)
  const step = f64x2.splat(dt)
  const rain = v128.load(at.RAIN + one)
  let inflow = v128.load(at.ON_GROUND + one)
  const passed = v128.load(at.PASSED + g)
  const passRate = v128.load(at.PASS_RATE + g)
  if (v128.any_true(v128.or(f64x2.ne(passed, zero), f64x2.ne(passRate, zero)))) {
    const wanted = f64x2.mul(passRate, step)
    const more = f64x2.mul(f64x2.sub(passed, wanted), f64x2.splat(min<f64>(1, dt / DAY_S)))
    const most = f64x2.mul(f64x2.splat(MOST_SETTLED), wanted)
    const given = f64x2.add(wanted, f64x2.max(f64x2.neg(most), f64x2.min(most, more)))
    v128.store(at.PASSED + g, f64x2.sub(passed, given))
    v128.store(at.PASS_RATE + g, zero)
    inflow = f64x2.add(inflow, f64x2.div(f64x2.div(given, v128.load(at.M2 + g)), step))
  }
  const before = v128.load(at.DEPTH + g)
  // Most ground is dry most of the time.
  const busy = v128.and(
    f64x2.gt(v128.load(at.M2 + g), zero),
    v128.or(v128.or(f64x2.ne(before, zero), f64x2.ne(rain, zero)), f64x2.ne(inflow, zero)),
  )
  v128.store(at.BUSY + l, busy)
  if (!v128.any_true(busy)) return 0
  const standing = f64x2.div(before, step)
  const evaporated = f64x2.min(standing, v128.load(at.EVAPORATION + one))
  const supply = f64x2.add(f64x2.add(standing, rain), inflow)
  let infiltrated = zero
  if (k == PERVIOUS) infiltrated = f64x2.min(v128.load(at.TAKEN + one), f64x2.sub(supply, evaporated))
  const net = f64x2.sub(f64x2.sub(f64x2.add(rain, inflow), evaporated), infiltrated)
  v128.store(at.EVAPORATED + l, evaporated)
  v128.store(at.INFILTRATED + l, infiltrated)
  v128.store(at.SUPPLY + l, supply)
  v128.store(at.NET + l, net)
  const kept = f64x2.lt(f64x2.add(evaporated, infiltrated), supply)
  const rough = f64x2.ne(v128.load(at.ROUGH + g), zero)
  return i64x2.bitmask(v128.and(v128.and(busy, kept), rough))
}

/** Depth of one ground, or its place among those that wait. */
function start(g: i32, local: i32, dt: f64): void {
  const alpha = f64At(at.ALPHA, g)
  const y = drainBegin(f64At(at.DEPTH, g) - f64At(at.STORE, g), f64At(at.NET, local), alpha, dt)
  setF64(at.MADE, local, y)
  if (leftS == 0) return
  if (recedes) {
    store<i32>(at.RECEDING + ((<usize>receding) << 2), local)
    setF64(at.RECEDING_X, receding, y)
    setF64(at.RECEDING_HALF, receding, halfM)
    setF64(at.RECEDING_S, receding, leftS)
    setF64(at.RECEDING_ALPHA, receding, alpha)
    receding++
    return
  }
  setF64(at.SLOPES, local, alpha)
  store<i32>(at.WAITING + ((<usize>waiting) << 2), local)
  setF64(at.WAITING_S, waiting, leftS)
  setF64(at.WAITING_H, waiting, leftS)
  waiting++
}

/** Runge and Kutta's depths: a step of all that wait, then one of those that are not through, and so on. */
function finish(begun: i32, dt: f64): void {
  let rest = begun
  for (let n = 0; n < MOST_TRIALS && rest > 0; n++) {
    let kept = 0
    // An odd one goes beside itself.
    for (let w = 0; w < rest; w += 2) {
      const other = w + 1 < rest ? w + 1 : w
      const a = i32At(at.WAITING, w)
      const b = i32At(at.WAITING, other)
      const y = pairAt(at.MADE, a, b)
      const inflow = pairAt(at.NET, a, b)
      const h = pairAt(at.WAITING_H, w, other)
      const made = rungeKutta(y, inflow, pairAt(at.SLOPES, a, b), h)
      const error = errors
      kept = proceed(w, a, kept, f64x2.extract_lane(made, 0), f64x2.extract_lane(error, 0), dt)
      if (other > w)
        kept = proceed(other, b, kept, f64x2.extract_lane(made, 1), f64x2.extract_lane(error, 1), dt)
    }
    rest = kept
  }
}

const MOST_TRIALS: i32 = 10_000

/** Takes or refuses a step of one ground. @returns how many are kept for the next trial */
// @inline
function proceed(w: i32, local: i32, kept: i32, made: f64, error: f64, dt: f64): i32 {
  const h = f64At(at.WAITING_H, w)
  let left = f64At(at.WAITING_S, w)
  if (!(error > 1)) {
    setF64(at.MADE, local, made)
    left -= h
    if (!(left > 1e-12 * dt)) return kept
  }
  store<i32>(at.WAITING + ((<usize>kept) << 2), local)
  setF64(at.WAITING_S, kept, left)
  setF64(at.WAITING_H, kept, min<f64>(left, nextStep(h, error)))
  return kept + 1
}

// @inline
function pairAt(values: usize, a: i32, b: i32): v128 {
  return f64x2.replace_lane(f64x2.splat(f64At(values, a)), 1, f64At(values, b))
}

/** Depths of the grounds that run dry. */
function fall(): void {
  let r = 0
  for (; r + 1 < receding; r += 2) {
    const there = (<usize>r) << 3
    const x = v128.load(at.RECEDING_X + there)
    if (i64x2.bitmask(f64x2.lt(x, f64x2.splat(LEAST))) != 0) {
      fallAlone(r)
      fallAlone(r + 1)
      continue
    }
    const half = v128.load(at.RECEDING_HALF + there)
    const made = recedePair(x, v128.load(at.RECEDING_ALPHA + there), v128.load(at.RECEDING_S + there))
    const y = f64x2.add(made, half)
    setF64(at.MADE, i32At(at.RECEDING, r), f64x2.extract_lane(y, 0))
    setF64(at.MADE, i32At(at.RECEDING, r + 1), f64x2.extract_lane(y, 1))
  }
  if (r < receding) fallAlone(r)
}

function fallAlone(r: i32): void {
  const y = recede(f64At(at.RECEDING_X, r), f64At(at.RECEDING_ALPHA, r), f64At(at.RECEDING_S, r))
  setF64(at.MADE, i32At(at.RECEDING, r), y + f64At(at.RECEDING_HALF, r))
}

/** New depths of two subcatchments, and what left. */
// @inline
function settle(i: i32, place: i32, dt: f64): void {
  const one = (<usize>i) << 3
  const zero = f64x2.splat(0)
  const step = f64x2.splat(dt)
  let evaporation = zero
  let infiltration = zero
  for (let k = 0; k < 3; k++) {
    const g = (<usize>(k * at.stride + i)) << 3
    const l = (<usize>(k * LOCAL + place)) << 3
    const busy = v128.load(at.BUSY + l)
    if (!v128.any_true(busy)) {
      v128.store(at.LEFT + g, zero)
      v128.store(at.RATE + g, zero)
      continue
    }
    const before = v128.load(at.DEPTH + g)
    const hollows = v128.load(at.STORE + g)
    const evaporated = v128.load(at.EVAPORATED + l)
    const infiltrated = v128.load(at.INFILTRATED + l)
    const supply = v128.load(at.SUPPLY + l)
    const smooth = f64x2.eq(v128.load(at.ROUGH + g), zero)
    let after = f64x2.max(zero, f64x2.add(hollows, v128.load(at.MADE + l)))
    if (v128.any_true(smooth)) {
      const all = f64x2.add(before, f64x2.mul(v128.load(at.NET + l), step))
      after = v128.bitselect(f64x2.min(all, f64x2.max(hollows, zero)), after, smooth)
    }
    after = v128.andnot(after, f64x2.ge(f64x2.add(evaporated, infiltrated), supply))
    const gone = f64x2.sub(f64x2.mul(f64x2.sub(f64x2.sub(supply, evaporated), infiltrated), step), after)
    const little = f64x2.le(gone, f64x2.splat(NO_RUNOFF_M))
    after = f64x2.max(zero, v128.bitselect(f64x2.add(after, gone), after, little))
    const left = v128.and(v128.andnot(gone, little), busy)
    v128.store(at.DEPTH + g, v128.bitselect(after, before, busy))
    v128.store(at.LEFT + g, left)
    v128.store(at.RATE + g, v128.and(rates(g, f64x2.sub(after, hollows), left, smooth, step), busy))
    const area = v128.load(at.M2 + g)
    evaporation = f64x2.add(evaporation, v128.and(busy, f64x2.mul(f64x2.mul(evaporated, step), area)))
    infiltration = f64x2.add(infiltration, v128.and(busy, f64x2.mul(f64x2.mul(infiltrated, step), area)))
  }
  v128.store(at.EVAPORATED_M3 + one, evaporation)
  v128.store(at.INFILTRATED_M3 + one, infiltration)
}

/** Rates of two grounds at the step's end, m/s. */
// @inline
function rates(g: usize, above: v128, left: v128, smooth: v128, step: v128): v128 {
  const least = f64x2.splat(ZERO)
  const runs = f64x2.gt(above, least)
  if (!v128.any_true(v128.or(runs, smooth))) return f64x2.splat(0)
  const root = cubeRoots(f64x2.max(above, least))
  const flow = f64x2.mul(f64x2.mul(v128.load(at.ALPHA + g), above), f64x2.mul(root, root))
  return v128.bitselect(f64x2.div(left, step), v128.and(flow, runs), smooth)
}

/** Leads on what left the grounds of two subcatchments; the rates at which water runs before, m/s. */
// @inline
function route(i: i32, step: v128): v128 {
  const one = (<usize>i) << 3
  const whole = f64x2.splat(1)
  let out = f64x2.splat(0)
  let flow = f64x2.splat(0)
  let running = f64x2.splat(0)
  for (let k = 0; k < 3; k++) {
    const g = (<usize>(k * at.stride + i)) << 3
    const m2 = v128.load(at.M2 + g)
    const volume = f64x2.mul(v128.load(at.LEFT + g), m2)
    const onward = v128.load(at.ONWARD + g)
    const rate = v128.load(at.RATE + g)
    const flowing = f64x2.mul(rate, m2)
    const to = (<usize>((k == PERVIOUS ? HOLLOW : PERVIOUS) * at.stride + i)) << 3
    add(at.PASSED + to, f64x2.mul(volume, onward))
    add(at.PASS_RATE + to, f64x2.mul(flowing, onward))
    const straight = f64x2.sub(whole, onward)
    out = f64x2.add(out, f64x2.mul(volume, straight))
    flow = f64x2.add(flow, f64x2.mul(flowing, straight))
    running = f64x2.add(running, f64x2.mul(rate, v128.load(at.SHARE + g)))
    add((k == PERVIOUS ? at.PERVIOUS_M3 : at.IMPERVIOUS_M3) + one, volume)
    add((k == PERVIOUS ? at.RATED_PERVIOUS_M3 : at.RATED_IMPERVIOUS_M3) + one, f64x2.mul(flowing, step))
  }
  v128.store(at.OUT_M3 + one, out)
  v128.store(at.FLOW + one, flow)
  return running
}

// @inline
function add(to: usize, more: v128): void {
  v128.store(to, f64x2.add(v128.load(to), more))
}

/** Adds the step to the sums. */
export function note(dt: f64, endS: f64, first: i32, past: i32): void {
  const step = f64x2.splat(dt)
  const end = f64x2.splat(endS)
  for (let n = first; n < past; n++) {
    const one = (<usize>i32At(at.PAIRS, n)) << 4
    const drained = v128.load(at.DRAINED_M3 + one)
    add(at.RAIN_M3 + one, f64x2.mul(f64x2.mul(v128.load(at.RAIN + one), step), v128.load(at.AREA_M2 + one)))
    add(at.RUNON_SUM_M3 + one, v128.load(at.USED_M3 + one))
    add(at.EVAPORATION_M3 + one, v128.load(at.EVAPORATED_M3 + one))
    add(at.INFILTRATION_M3 + one, v128.load(at.INFILTRATED_M3 + one))
    add(at.RUNOFF_M3 + one, f64x2.add(v128.load(at.OUT_M3 + one), drained))
    add(at.RATED_M3 + one, f64x2.add(f64x2.mul(v128.load(at.FLOW + one), step), drained))
    const peak = f64x2.add(v128.load(at.FLOW + one), f64x2.div(drained, step))
    const before = v128.load(at.PEAK + one)
    const higher = f64x2.gt(peak, before)
    if (!v128.any_true(higher)) continue
    v128.store(at.PEAK + one, v128.bitselect(peak, before, higher))
    v128.store(at.PEAK_S + one, v128.bitselect(end, v128.load(at.PEAK_S + one), higher))
  }
}
