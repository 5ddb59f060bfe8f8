// What leaves a cell through its faces is scaled to what it holds.
import { HF, QX, QY, RECORD, RECORDS, RECORD_SHIFT, down, quads, share, touchedQuads, words } from './memory'
import { toWest } from './vectors'

/** Scales what leaves the cells of a quad to what they hold. What leaves: east and south positive, west and north negative. */
// @ts-ignore: decorator
@inline export function limitQuad(at: usize, h: v128, east: v128, south: v128, most: v128, above: usize): void {
  const zero = f32x4.splat(0)
  const west = toWest(v128.load(at - RECORD, QX), east)
  const out = v128.sub<f32>(
    v128.add<f32>(v128.pmax<f32>(east, zero), v128.pmax<f32>(south, zero)),
    v128.add<f32>(v128.pmin<f32>(west, zero), v128.pmin<f32>(v128.load(at - above, QY), zero)),
  )
  const over = v128.gt<f32>(out, v128.mul<f32>(h, most))
  if (v128.any_true(over)) limitCells(at)
}

/** Limits of quads whose own faces were not computed: water may leave through those of their neighbours. */
export function limitOthers(row: i32, w: i32, done: u64): void {
  const most = f32x4.splat(<f32>0.999999 / share)
  const from = RECORDS + (<usize>(row * quads + (w << 6)) << RECORD_SHIFT)
  let bits = touchedQuads(row, w) & ~done
  while (bits) {
    const at = from + (<usize>ctz(bits) << RECORD_SHIFT)
    bits &= bits - 1
    limitQuad(at, v128.load(at, HF), v128.load(at, QX), v128.load(at, QY), most, down)
  }
}

/** Limits of a row whose fluxes, and those of the row above, are known. */
export function limitRow(row: i32): void {
  for (let w = 0; w < words; w++) limitOthers(row, w, 0)
}

export function limitCells(at: usize): void {
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const cell = at + lane
    const beside = lane === 0 ? at - RECORD + 12 : cell - 4
    const above = cell - down
    const e = load<f32>(cell, QX)
    const w = load<f32>(beside, QX)
    const s = load<f32>(cell, QY)
    const n = load<f32>(above, QY)
    const out = (max<f32>(e, 0) + max<f32>(-w, 0) + (max<f32>(s, 0) + max<f32>(-n, 0))) * share
    const held = load<f32>(cell, HF) * 0.999999
    if (out <= held) continue
    const factor = held / out
    if (e > 0) store<f32>(cell, e * factor, QX)
    if (w < 0) store<f32>(beside, w * factor, QX)
    if (s > 0) store<f32>(cell, s * factor, QY)
    if (n < 0) store<f32>(above, n * factor, QY)
  }
}
