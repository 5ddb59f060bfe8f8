// Depths from fluxes, rain, interception and infiltration.
import { ACT, ALIVE, CAPSH, DEPTH, HF, INFIL, KEPT, KH, LEAVING, LIVE, MAXH, PACE, QX, QY, RAIN, RECORD, RECORDS, RECORD_SHIFT, ROW_MAX, ROW_SPREAD, SOAK, SOIL, SOILMD, down, dt, existing, quads, setWord, share64, touchedQuads, vDry, vDt, word, words } from './memory'
import { largestLane, narrow, toWest, upper, widen } from './vectors'

/** A film moves too little water to count where flow spreads, m; as in src/surface/types.ts. */
export const SPREAD_FROM: f32 = 0.01

/** (west - east) + (north - south) of two cells, f64. */
// @ts-ignore: decorator
@inline export function gain(west: v128, east: v128, north: v128, south: v128, share2: v128): v128 {
  return v128.mul<f64>(
    v128.add<f64>(v128.sub<f64>(west, east), v128.sub<f64>(north, south)),
    share2,
  )
}

/** What leaves each cell of a quad through all of its faces, m2/s. */
// @ts-ignore: decorator
@inline export function outflow(at: usize, above: usize): v128 {
  const zero = f32x4.splat(0)
  const east = v128.load(at, QX)
  const west = toWest(v128.load(at - RECORD, QX), east)
  return v128.sub<f32>(
    v128.add<f32>(v128.pmax<f32>(east, zero), v128.pmax<f32>(v128.load(at, QY), zero)),
    v128.add<f32>(v128.pmin<f32>(west, zero), v128.pmin<f32>(v128.load(at - above, QY), zero)),
  )
}

/** Rain of two cells that reaches the ground; interception is filled first. */
// @ts-ignore: decorator
@inline export function netRain(at: usize, intercepting: bool): v128 {
  const rain = v128.mul<f64>(v128.load(RAIN + at), f64x2.splat(dt))
  if (!intercepting) return rain
  const free = v128.load(KEPT + at)
  const kept = v128.pmin<f64>(rain, free)
  v128.store(KEPT + at, v128.sub<f64>(free, kept))
  return v128.sub<f64>(rain, kept)
}

/** Continuity, rain, interception and infiltration of a row, and its new masks. */
export function balanceRow(row: i32, raining: bool, intercepting: bool): void {
  const zero = f32x4.splat(0)
  const zero64 = f64x2.splat(0)
  const dryLine = vDry
  const share2 = f64x2.splat(share64)
  const above = down
  const deep = f32x4.splat(SPREAD_FROM)
  let most = zero
  let spread = zero
  for (let w = 0; w < words; w++) {
    const touched = touchedQuads(row, w)
    let act = word(ACT, row, w)
    let soak = word(SOAK, row, w)
    const soils = word(SOIL, row, w)
    const alive = word(ALIVE, row, w)
    const leaving = word(LEAVING, row, w)
    const first = <usize>(row * quads + (w << 6))
    const from = RECORDS + (first << RECORD_SHIFT)
    let bits = touched | soak
    if (raining) bits = existing(w)
    let still = act & ~bits
    while (still) {
      most = v128.pmax<f32>(most, v128.load(from + (<usize>ctz(still) << RECORD_SHIFT), HF))
      still &= still - 1
    }
    while (bits) {
      const k = <usize>ctz(bits)
      const bit = <u64>1 << k
      bits &= bits - 1
      const at = from + (k << RECORD_SHIFT)
      let low = v128.load(at, DEPTH)
      let high = v128.load(at, DEPTH + 16)
      if (touched & bit) {
        const x = at + QX
        const y = at + QY
        const before = v128.load(at, HF)
        let out = outflow(at, above)
        if (leaving & bit) out = v128.mul<f32>(out, v128.load(PACE + ((first + k) << 4)))
        out = v128.and(out, v128.gt<f32>(before, deep))
        // Few quads are the fastest yet: the others need no division.
        if (v128.any_true(v128.gt<f32>(out, v128.mul<f32>(before, spread))))
          spread = v128.pmax<f32>(spread, v128.div<f32>(out, v128.pmax<f32>(before, deep)))
        const east = widen(x)
        const beforeEast = widen(x - RECORD + 8)
        const west = v128.shuffle<i64>(beforeEast, east, 1, 2)
        low = v128.add<f64>(low, gain(west, east, widen(y - above), widen(y), share2))
        high = v128.add<f64>(high, gain(widen(x + 4), widen(x + 8), widen(y - above + 8), widen(y + 8), share2))
      }
      if (raining) {
        const own = (first + k) << 5
        low = v128.add<f64>(low, netRain(own, intercepting))
        high = v128.add<f64>(high, netRain(own + 16, intercepting))
      }
      let h = narrow(low, high)
      if (soils & bit) {
        const kh = v128.load(at, KH)
        const infiltratedLow = v128.load(at, INFIL)
        const infiltratedHigh = v128.load(at, INFIL + 16)
        const F = narrow(infiltratedLow, infiltratedHigh)
        const kdt = v128.mul<f32>(kh, vDt)
        const c = v128.mul<f32>(v128.add<f32>(v128.load(at, CAPSH), h), v128.load(at, SOILMD))
        const numerator = v128.mul<f32>(v128.mul<f32>(f32x4.splat(4), kdt), v128.add<f32>(F, c))
        const b = v128.sub<f32>(v128.add<f32>(F, F), kdt)
        const root = v128.sqrt<f32>(
          v128.add<f32>(v128.mul<f32>(b, b), v128.add<f32>(numerator, numerator)),
        )
        const divisor = v128.pmax<f32>(v128.add<f32>(b, root), f32x4.splat(1e-30))
        const d = v128.and(v128.div<f32>(numerator, divisor), v128.gt<f32>(numerator, zero))
        const dLow = v128.pmin<f64>(f64x2.promote_low_f32x4(d), low)
        const dHigh = v128.pmin<f64>(f64x2.promote_low_f32x4(upper(d)), high)
        v128.store(at, v128.add<f64>(infiltratedLow, dLow), INFIL)
        v128.store(at, v128.add<f64>(infiltratedHigh, dHigh), INFIL + 16)
        low = v128.sub<f64>(low, dLow)
        high = v128.sub<f64>(high, dHigh)
        h = narrow(low, high)
        const wetLow = v128.gt<f64>(low, zero64)
        const wetHigh = v128.gt<f64>(high, zero64)
        const wet = v128.shuffle<i32>(wetLow, wetHigh, 0, 2, 4, 6)
        soak = v128.any_true(v128.and(wet, v128.gt<f32>(kh, zero))) ? soak | bit : soak & ~bit
      }
      v128.store(at, low, DEPTH)
      v128.store(at, high, DEPTH + 16)
      if (!(alive & bit)) h = v128.mul<f32>(h, v128.load(at, LIVE))
      v128.store(at, h, HF)
      v128.store(at, v128.pmax<f32>(v128.load(at, MAXH), h), MAXH)
      most = v128.pmax<f32>(most, h)
      act = v128.any_true(v128.gt<f32>(h, dryLine)) ? act | bit : act & ~bit
    }
    setWord(ACT, row, w, act)
    setWord(SOAK, row, w, soak)
  }
  store<f32>(ROW_SPREAD + (<usize>row << 2), largestLane(spread))
  store<f32>(ROW_MAX + (<usize>row << 2), largestLane(most))
}
