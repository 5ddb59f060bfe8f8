// Depths from fluxes, rain, interception and infiltration.
import { deepLine, dueCells, LASTS_OF, LASTS32_OF, LEVEL, leveled, part, SHARE_OF, want } from './levels'
import {
  ACTIVE,
  ALIVE,
  CELL_HALVES,
  CELL_QUARTERS,
  DEPTH,
  down,
  INFILTRATED,
  INTERCEPTION,
  KH,
  LEVELS,
  LIVE,
  MAX_DEPTH,
  QUAD,
  QX,
  QY,
  quads,
  RAIN,
  RAINED,
  ROW_MAX,
  recordOf,
  rows,
  SHALLOW,
  SOAKING,
  SOIL,
  SOIL_QUAD,
  SOIL_QUADS,
  SOILMD,
  SUCTION,
  setWord,
  touchedQuads,
  vDry,
  word,
  words,
} from './memory'
import { largestLane, narrow, some, upper, widen } from './vectors'

/** (west - east) + (north - south) of two cells, f64. */
// @inline
export function gain(west: v128, east: v128, north: v128, south: v128, share2: v128): v128 {
  return v128.mul<f64>(v128.add<f64>(v128.sub<f64>(west, east), v128.sub<f64>(north, south)), share2)
}

/** Rain of two cells that reaches the ground in `lasts`; interception is filled first. */
// @inline
export function netRain(at: usize, lasts: v128, intercepting: bool): v128 {
  const rain = v128.mul<f64>(v128.load(RAIN + at), lasts)
  if (!intercepting) return rain
  const free = v128.load(INTERCEPTION + at)
  const kept = v128.pmin<f64>(rain, free)
  v128.store(INTERCEPTION + at, v128.sub<f64>(free, kept))
  return v128.sub<f64>(rain, kept)
}

/** Marks the quads on which rain falls, after it has changed. */
export function rainChanged(): void {
  for (let row = 0; row < rows; row++) {
    for (let w = 0; w < words; w++) {
      let rained: u64 = 0
      const first = row * quads + (w << 6)
      const count = min(64, quads - (w << 6))
      for (let k = 0; k < count; k++) {
        const at = RAIN + ((<usize>(first + k)) << 5)
        if (v128.any_true(v128.or(v128.load(at), v128.load(at, 16)))) rained |= (<u64>1) << (<u64>k)
      }
      setWord(RAINED, row, w, rained)
    }
  }
}

/** Levels of quads by the depth of their cells. */
function wantDeep(row: i32, w: i32, from: usize, quads: u64): void {
  let halves: u64 = 0
  let quarters: u64 = 0
  while (quads) {
    const bit = quads & (0 - quads)
    const h = largestLane(v128.load(from + <usize>ctz(quads) * QUAD, SHALLOW))
    if (h > deepLine) halves |= bit
    if (h > 4 * deepLine) quarters |= bit
    quads ^= bit
  }
  want(row, w, halves, quarters)
}

/** Continuity, rain, interception and infiltration of a row's cells, each for its part of the step, and new masks. */
export function balanceRow(row: i32, raining: bool, intercepting: bool): void {
  if (leveled) balances(row, raining, intercepting, true)
  else balances(row, raining, intercepting, false)
}

// @inline
function balances(row: i32, raining: bool, intercepting: bool, byLevel: bool): void {
  const zero = f32x4.splat(0)
  const dryLine = vDry
  const deep = f32x4.splat(deepLine)
  const whole = part === 0
  let level = LEVELS
  const above = down
  let most = whole ? zero : f32x4.splat(load<f32>(ROW_MAX + ((<usize>row) << 2)))
  for (let w = 0; w < words; w++) {
    const due = byLevel ? dueCells(row, w) : ~(<u64>0)
    const touched = touchedQuads(row, w) & due
    let act = word(ACTIVE, row, w)
    let soak = word(SOAKING, row, w)
    const soils = word(SOIL, row, w)
    const alive = word(ALIVE, row, w)
    const halves = byLevel ? word(CELL_HALVES, row, w) : 0
    const quarters = byLevel ? word(CELL_QUARTERS, row, w) : 0
    const first = <usize>(row * quads + (w << 6))
    const from = recordOf(first)
    let bits = touched | ((raining ? soak | word(RAINED, row, w) : soak) & due)
    if (whole) {
      let still = act & ~bits
      while (still) {
        const k = <usize>ctz(still)
        const h = v128.load(from + k * QUAD, SHALLOW)
        still &= still - 1
        most = v128.pmax<f32>(most, h)
      }
    }
    const done = bits
    while (bits) {
      const k = <usize>ctz(bits)
      const bit = bits & (0 - bits)
      bits ^= bit
      const at = from + k * QUAD
      let low = v128.load(at, DEPTH)
      let high = v128.load(at, DEPTH + 16)
      if (byLevel) level = LEVELS + (<usize>((halves & bit) != 0) + <usize>((quarters & bit) != 0)) * LEVEL
      if (touched & bit) {
        const share2 = v128.load(level, SHARE_OF)
        const x = at + QX
        const y = at + QY
        const east = widen(x)
        const beforeEast = widen(x - QUAD + 8)
        const west = v128.shuffle<i64>(beforeEast, east, 1, 2)
        low = v128.add<f64>(low, gain(west, east, widen(y - above), widen(y), share2))
        high = v128.add<f64>(
          high,
          gain(widen(x + 4), widen(x + 8), widen(y - above + 8), widen(y + 8), share2),
        )
      }
      if (raining) {
        const own = (first + k) << 5
        const lasts = v128.load(level, LASTS_OF)
        low = v128.add<f64>(low, netRain(own, lasts, intercepting))
        high = v128.add<f64>(high, netRain(own + 16, lasts, intercepting))
      }
      let h = narrow(low, high)
      if (soils & bit) {
        const ground = SOIL_QUADS + (first + k) * SOIL_QUAD
        const kh = v128.load(ground, KH)
        const infiltrated = INFILTRATED + ((first + k) << 5)
        const infiltratedLow = v128.load(infiltrated)
        const infiltratedHigh = v128.load(infiltrated, 16)
        const F = narrow(infiltratedLow, infiltratedHigh)
        // numerator and root of green-ampt.ts; what does not need h first, since h comes late.
        const kdt = v128.mul<f32>(kh, v128.load(level, LASTS32_OF))
        const kdt4 = v128.mul<f32>(f32x4.splat(4), kdt)
        const perDepth = v128.mul<f32>(kdt4, v128.load(ground, SOILMD))
        const dryPart = v128.mul<f32>(kdt4, v128.add<f32>(F, v128.load(ground, SUCTION)))
        const b = v128.sub<f32>(v128.add<f32>(F, F), kdt)
        const square = v128.add<f32>(v128.mul<f32>(b, b), v128.add<f32>(dryPart, dryPart))
        const ponded = v128.mul<f32>(perDepth, h)
        const root = v128.sqrt<f32>(v128.add<f32>(square, v128.add<f32>(ponded, ponded)))
        const divisor = v128.pmax<f32>(v128.add<f32>(b, root), f32x4.splat(1e-30))
        const d = v128.div<f32>(v128.add<f32>(dryPart, ponded), divisor)
        const dLow = v128.pmin<f64>(f64x2.promote_low_f32x4(d), low)
        const dHigh = v128.pmin<f64>(f64x2.promote_low_f32x4(upper(d)), high)
        v128.store(infiltrated, v128.add<f64>(infiltratedLow, dLow))
        v128.store(infiltrated, v128.add<f64>(infiltratedHigh, dHigh), 16)
        low = v128.sub<f64>(low, dLow)
        high = v128.sub<f64>(high, dHigh)
        h = narrow(low, high)
        soak = some(v128.and(v128.gt<f32>(h, zero), v128.gt<f32>(kh, zero))) ? soak | bit : soak & ~bit
      }
      v128.store(at, low, DEPTH)
      v128.store(at, high, DEPTH + 16)
      if (!(alive & bit)) h = v128.mul<f32>(h, v128.load(LIVE + ((first + k) << 4)))
      v128.store(at, h, SHALLOW)
      const deepest = MAX_DEPTH + ((first + k) << 4)
      const before = v128.load(deepest)
      if (some(v128.gt<f32>(h, before))) v128.store(deepest, v128.pmax<f32>(before, h))
      most = v128.pmax<f32>(most, h)
      act = some(v128.gt<f32>(h, dryLine)) ? act | bit : act & ~bit
    }
    // Few rows have water so deep that its waves count.
    if (some(v128.gt<f32>(most, deep))) wantDeep(row, w, from, whole ? act | done : done)
    setWord(ACTIVE, row, w, act)
    setWord(SOAKING, row, w, soak)
  }
  store<f32>(ROW_MAX + ((<usize>row) << 2), largestLane(most))
}
