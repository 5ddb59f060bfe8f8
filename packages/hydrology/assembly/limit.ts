// What leaves a cell through its faces is scaled to what it holds.
import { crowdLine, dueCells, dueLevel, heldOf, levelOf, SPREAD_FROM, spreadLine, want } from './levels'
import {
  down,
  LEAVING,
  PACE,
  QUAD,
  QX,
  QY,
  quads,
  ROW_SPREAD,
  recordOf,
  SHALLOW,
  touchedQuads,
  word,
  words,
} from './memory'
import { largestLane, some, toWest } from './vectors'

/** Looks whether much leaves the cells of a quad. What leaves: east and south positive, west and north negative. */
// @inline
export function limitQuad(
  row: i32,
  w: i32,
  k: usize,
  at: usize,
  h: v128,
  east: v128,
  south: v128,
  crowd: v128,
  above: usize,
): void {
  const zero = f32x4.splat(0)
  const west = toWest(v128.load(at - QUAD, QX), east)
  const out = v128.sub<f32>(
    v128.add<f32>(v128.pmax<f32>(east, zero), v128.pmax<f32>(south, zero)),
    v128.add<f32>(v128.pmin<f32>(west, zero), v128.pmin<f32>(v128.load(at - above, QY), zero)),
  )
  if (some(v128.gt<f32>(out, v128.mul<f32>(h, crowd)))) crowded(row, (w << 6) + <i32>k, h, out)
}

/** Much leaves some cell of a quad, `out` m2/s: perhaps more than it holds, or so fast that it takes a shorter part. */
function crowded(row: i32, quad: i32, h: v128, out: v128): void {
  const level = min(levelOf(row, quad), min(levelOf(row, quad - 1), levelOf(row - 1, quad)))
  if (some(v128.gt<f32>(out, v128.mul<f32>(h, f32x4.splat(<f32>0.999999 / heldOf(level))))))
    return limitCells(row, quad)
  let spread = v128.and(v128.div<f32>(out, h), v128.gt<f32>(h, f32x4.splat(SPREAD_FROM)))
  if ((word(LEAVING, row, quad >> 6) >> (<u64>quad & 63)) & 1)
    spread = v128.mul<f32>(spread, v128.load(PACE + ((<usize>(row * quads + quad)) << 4)))
  spreads(row, quad, largestLane(spread))
}

/** Notes how fast the cells of a quad empty, m/s. */
function spreads(row: i32, quad: i32, fastest: f32): void {
  if (fastest <= spreadLine) return
  const at = ROW_SPREAD + ((<usize>row) << 2)
  store<f32>(at, max<f32>(load<f32>(at), fastest))
  const bit = (<u64>1) << (quad & 63)
  want(row, quad >> 6, bit, fastest > 2 * spreadLine ? bit : 0)
}

/** Limits of quads whose own faces were not computed: water may leave through those of their neighbours. */
export function limitOthers(row: i32, w: i32, done: u64): void {
  const crowd = f32x4.splat(crowdLine)
  const from = recordOf(<usize>(row * quads + (w << 6)))
  let bits = touchedQuads(row, w) & dueCells(row, w) & ~done
  while (bits) {
    const k = <usize>ctz(bits)
    const at = from + k * QUAD
    bits &= bits - 1
    limitQuad(row, w, k, at, v128.load(at, SHALLOW), v128.load(at, QX), v128.load(at, QY), crowd, down)
  }
}

/** Limits of a row whose fluxes, and those of the row above, are known. */
export function limitRow(row: i32): void {
  for (let w = 0; w < words; w++) limitOthers(row, w, 0)
}

/**
 * Scales the new discharges out of each cell to what it holds beside that which older ones will still take, and looks
 * how fast it empties. A face keeps its discharge for the time of its level.
 */
export function limitCells(row: i32, quad: i32): void {
  const at = recordOf(<usize>(row * quads + quad))
  const own = levelOf(row, quad)
  const west = levelOf(row, quad - 1)
  const north = levelOf(row - 1, quad)
  const slow = (word(LEAVING, row, quad >> 6) >> (<u64>quad & 63)) & 1
  let emptiest: f32 = 0
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const cell = at + lane
    const beside = lane === 0 ? at - QUAD + 12 : cell - 4
    const above = cell - down
    const e = load<f32>(cell, QX)
    const w = load<f32>(beside, QX)
    const s = load<f32>(cell, QY)
    const n = load<f32>(above, QY)
    const h = load<f32>(cell, SHALLOW)
    const besideLevel = lane === 0 ? west : own
    const ownOut = max<f32>(e, 0) + max<f32>(s, 0)
    const westOut = max<f32>(-w, 0)
    const northOut = max<f32>(-n, 0)
    let out = ownOut + westOut + northOut
    const all = ownOut * heldOf(own) + westOut * heldOf(besideLevel) + northOut * heldOf(north)
    if (all > h * 0.999999) {
      let older: f32 = 0
      if (own < dueLevel) older += ownOut * heldOf(own)
      if (besideLevel < dueLevel) older += westOut * heldOf(besideLevel)
      if (north < dueLevel) older += northOut * heldOf(north)
      const newer = all - older
      if (newer > 0) {
        const factor = max<f32>(h * 0.999999 - older, 0) / newer
        if (factor < 1) {
          if (own >= dueLevel) {
            if (e > 0) store<f32>(cell, e * factor, QX)
            if (s > 0) store<f32>(cell, s * factor, QY)
          }
          if (w < 0 && besideLevel >= dueLevel) store<f32>(beside, w * factor, QX)
          if (n < 0 && north >= dueLevel) store<f32>(above, n * factor, QY)
          out =
            max<f32>(load<f32>(cell, QX), 0) +
            max<f32>(load<f32>(cell, QY), 0) -
            min<f32>(load<f32>(beside, QX), 0) -
            min<f32>(load<f32>(above, QY), 0)
        }
      }
    }
    if (h > SPREAD_FROM) {
      const pace: f32 = slow ? load<f32>(PACE + ((<usize>(row * quads + quad)) << 4) + lane) : 1
      emptiest = max<f32>(emptiest, (out * pace) / h)
    }
  }
  spreads(row, quad, emptiest)
}
