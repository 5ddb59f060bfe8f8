// What flow sees of a row, and fluxes through its faces, four at a time, f32 over levels of f64. The formulas are those of
// src/surface/full/reference-faces.ts, with pushes less that of each cell's own water at rest: still water has none, to the bit.
import { GRAVITY } from '../gravity'
import { narrow } from '../vectors'
import {
  alongX,
  alongY,
  aroundOf,
  BED,
  beforeX,
  beforeY,
  behindX,
  behindY,
  clearState,
  DEPTH,
  edgeAt,
  firstColumn,
  firstEdge,
  firstWall,
  fluxOf,
  G_HALF,
  G1,
  HALF,
  header,
  KIND,
  LEAST,
  lastColumn,
  levelOf,
  MOMENTUM_X,
  MOMENTUM_Y,
  massX,
  massY,
  ONE,
  place32,
  place64,
  QUARTER,
  rows,
  STEEPNESS,
  STEP_X,
  STEP_Y,
  seamOf,
  seenOf,
  speedXOf,
  speedYOf,
  stride,
  WETTER,
  wallAt,
} from './memory'

const G: f32 = <f32>GRAVITY

// @inline
export function splat(x: f32): v128 {
  return f32x4.splat(x)
}

/** Depth that flow sees, levels and speeds of a row, as they are before the step. */
export function see(k: i32, block: i32, from: i32, to: i32): void {
  if (k < 0 || k >= rows) {
    clearState(k)
    return
  }
  const first = firstColumn(k, 4)
  const last = lastColumn(k, 4)
  const own = header.blocks === 1 || (k >= from && k < to)
  const seam = own ? <usize>0 : seamOf(block, k, from, to)
  const depths = own ? DEPTH + place64(k) : seam
  const momentaX = own ? MOMENTUM_X + place32(k) : seam + ((<usize>stride) << 3)
  const momentaY = own ? MOMENTUM_Y + place32(k) : seam + ((<usize>stride) << 3) + ((<usize>stride) << 2)
  const beds = BED + place64(k)
  const kinds = KIND + place32(k)
  const seen = seenOf(k)
  const speedX = speedXOf(k)
  const speedY = speedYOf(k)
  const levels = levelOf(k)
  const dry = v128.load(WETTER)
  const zero = splat(0)
  const one = v128.load(ONE)
  for (let column = first; column <= last; column += 4) {
    const at = (<usize>column) << 2
    const at2 = (<usize>column) << 3
    let low = v128.load(depths + at2)
    let high = v128.load(depths + at2, 16)
    const live = v128.shr<i32>(v128.load(kinds + at), 31)
    if (!v128.all_true<i32>(live)) {
      low = v128.and(low, v128.shuffle<i32>(live, live, 0, 0, 1, 1))
      high = v128.and(high, v128.shuffle<i32>(live, live, 2, 2, 3, 3))
    }
    const h = narrow(low, high)
    v128.store(seen + at, h)
    v128.store(levels + at2, v128.add<f64>(v128.load(beds + at2), low))
    v128.store(levels + at2, v128.add<f64>(v128.load(beds + at2, 16), high), 16)
    const wet = v128.gt<f32>(h, dry)
    if (!v128.any_true(wet)) {
      v128.store(speedX + at, zero)
      v128.store(speedY + at, zero)
      continue
    }
    const thin = v128.and(v128.div<f32>(one, h), wet)
    v128.store(speedX + at, v128.and(v128.mul<f32>(v128.load(momentaX + at), thin), wet))
    v128.store(speedY + at, v128.and(v128.mul<f32>(v128.load(momentaY + at), thin), wet))
  }
}

/** The deepest water of the cells of a row and of those beside them. */
export function lookAround(k: i32): void {
  const last = lastColumn(k, 3)
  const seen = seenOf(k)
  const north = seenOf(k - 1)
  const south = seenOf(k + 1)
  const around = aroundOf(k)
  for (let column = firstColumn(k, 3); column <= last; column += 4) {
    const at = (<usize>column) << 2
    const h = v128.load(seen + at)
    const beside = v128.pmax<f32>(v128.load(seen + at - 4), v128.load(seen + at + 4))
    const across = v128.pmax<f32>(v128.load(north + at), v128.load(south + at))
    v128.store(around + at, v128.pmax<f32>(h, v128.pmax<f32>(beside, across)))
  }
}

/**
 * A face between two states. Stored: mass, momentum across as the cell before the face and that behind it feel it (less
 * half g h2 of each), momentum along.
 *
 * @param step bed before less bed behind, m; `drop` likewise of levels
 */
// @inline
function pass(
  hL: v128,
  hR: v128,
  speedL: v128,
  speedR: v128,
  vL: v128,
  vR: v128,
  bedStep: v128,
  levelDrop: v128,
  flowing: v128,
  MASS: usize,
  BEFORE: usize,
  BEHIND: usize,
  ALONG: usize,
  zero: v128,
  half: v128,
  quarter: v128,
  one: v128,
  g: v128,
  halfG: v128,
  least: v128,
  steepness: v128,
): void {
  // Water that falls to a lower bed slides down to it whole: of both sides at most one does, the other way round below 0.
  let slideL = v128.pmax<f32>(zero, v128.pmin<f32>(bedStep, levelDrop))
  let slideR = v128.pmin<f32>(zero, v128.pmax<f32>(bedStep, levelDrop))
  // In water that is deep beside it only a part counts: pools would begin to swing of themselves.
  const upper = v128.bitselect(hL, hR, v128.gt<f32>(slideL, zero))
  const steep = v128.div<f32>(
    v128.mul<f32>(steepness, v128.sub<f32>(slideL, slideR)),
    v128.pmax<f32>(least, upper),
  )
  const counts = v128.pmin<f32>(one, steep)
  slideL = v128.mul<f32>(slideL, counts)
  slideR = v128.mul<f32>(slideR, counts)
  const drop = v128.sub<f32>(levelDrop, v128.add<f32>(slideL, slideR))
  // Depths above the bed at the face: what the other side has and the drop, exact where that is none, or all of its own.
  const sL = v128.pmax<f32>(zero, v128.pmin<f32>(v128.add<f32>(hR, drop), hL))
  const sR = v128.pmax<f32>(zero, v128.pmin<f32>(v128.sub<f32>(hL, drop), hR))
  // HLLC; a dry side has the speed of the front that runs into it, by which its waves are the right ones.
  const cL = v128.sqrt<f32>(v128.mul<f32>(g, sL))
  const cR = v128.sqrt<f32>(v128.mul<f32>(g, sR))
  const frontL = v128.sub<f32>(speedR, v128.add<f32>(cR, cR))
  const frontR = v128.add<f32>(speedL, v128.add<f32>(cL, cL))
  const uL = v128.bitselect(frontL, speedL, v128.le<f32>(sL, zero))
  const uR = v128.bitselect(frontR, speedR, v128.le<f32>(sR, zero))
  const middleC = v128.pmax<f32>(
    zero,
    v128.add<f32>(v128.mul<f32>(half, v128.add<f32>(cL, cR)), v128.mul<f32>(quarter, v128.sub<f32>(uL, uR))),
  )
  const middleU = v128.sub<f32>(v128.add<f32>(v128.mul<f32>(half, v128.add<f32>(uL, uR)), cL), cR)
  // Where both waves go one way the formulas below give that side's flux.
  const first = v128.pmin<f32>(zero, v128.pmin<f32>(v128.sub<f32>(uL, cL), v128.sub<f32>(middleU, middleC)))
  const last = v128.pmax<f32>(zero, v128.pmax<f32>(v128.add<f32>(uR, cR), v128.add<f32>(middleU, middleC)))
  const width = v128.div<f32>(one, v128.pmax<f32>(least, v128.sub<f32>(last, first)))
  const qL = v128.mul<f32>(sL, uL)
  const qR = v128.mul<f32>(sR, uR)
  const mL = v128.mul<f32>(qL, uL)
  const mR = v128.mul<f32>(qR, uR)
  const deeper = v128.sub<f32>(sR, sL)
  const pressure = v128.mul<f32>(halfG, v128.mul<f32>(deeper, v128.add<f32>(sR, sL)))
  const across = v128.add<f32>(
    v128.sub<f32>(v128.mul<f32>(last, qL), v128.mul<f32>(first, qR)),
    v128.mul<f32>(v128.mul<f32>(first, last), deeper),
  )
  const mass = v128.and(v128.mul<f32>(across, width), flowing)
  const jump = v128.sub<f32>(
    v128.mul<f32>(last, v128.sub<f32>(qR, qL)),
    v128.add<f32>(v128.sub<f32>(mR, mL), pressure),
  )
  const push = v128.add<f32>(mL, v128.mul<f32>(v128.mul<f32>(first, width), jump))
  // Of the weight on the bed between cell and face nothing is left but that of what slides, or falls freely: the rest is that
  // of water at rest.
  const fallL = v128.add<f32>(slideL, v128.pmax<f32>(zero, v128.sub<f32>(drop, hL)))
  const fallR = v128.add<f32>(slideR, v128.pmin<f32>(zero, v128.add<f32>(drop, hR)))
  const before = v128.sub<f32>(push, v128.mul<f32>(v128.mul<f32>(g, hL), fallL))
  const behind = v128.add<f32>(v128.sub<f32>(push, pressure), v128.mul<f32>(v128.mul<f32>(g, hR), fallR))
  v128.store(MASS, mass)
  v128.store(BEFORE, v128.and(before, flowing))
  v128.store(BEHIND, v128.and(behind, flowing))
  v128.store(ALONG, v128.mul<f32>(mass, v128.bitselect(vL, vR, v128.ge<f32>(mass, zero))))
}

// @inline
function still(MASS: usize, BEFORE: usize, BEHIND: usize, ALONG: usize): void {
  const zero = splat(0)
  v128.store(MASS, zero)
  v128.store(BEFORE, zero)
  v128.store(BEHIND, zero)
  v128.store(ALONG, zero)
}

/** Fluxes through the eastern and southern faces of a row. */
export function facesOf(k: i32): void {
  const film = splat(header.film)
  const first = firstColumn(k, 2)
  const last = lastColumn(k, 2)
  if (first > last) return
  const flux = fluxOf(k)
  const seen = seenOf(k)
  const u = speedXOf(k)
  const v = speedYOf(k)
  const level = levelOf(k)
  const around = aroundOf(k)
  const seenBelow = seenOf(k + 1)
  const uBelow = speedXOf(k + 1)
  const vBelow = speedYOf(k + 1)
  const levelBelow = levelOf(k + 1)
  const aroundBelow = aroundOf(k + 1)
  const stepsX = STEP_X + place32(k)
  const stepsY = STEP_Y + place32(k)
  const MX = massX(flux)
  const BX = beforeX(flux)
  const HX = behindX(flux)
  const AX = alongX(flux)
  const MY = massY(flux)
  const BY = beforeY(flux)
  const HY = behindY(flux)
  const AY = alongY(flux)
  const zero = splat(0)
  const half = v128.load(HALF)
  const quarter = v128.load(QUARTER)
  const one = v128.load(ONE)
  const g = v128.load(G1)
  const halfG = v128.load(G_HALF)
  const least = v128.load(LEAST)
  const steepness = v128.load(STEEPNESS)
  for (let column = first; column <= last; column += 4) {
    const at = (<usize>column) << 2
    const at2 = (<usize>column) << 3
    const near = v128.load(around + at)
    const flowingX = v128.gt<f32>(v128.pmax<f32>(near, v128.load(around + at + 4)), film)
    if (v128.any_true(flowingX)) {
      const drop = narrow(
        v128.sub<f64>(v128.load(level + at2), v128.load(level + at2, 8)),
        v128.sub<f64>(v128.load(level + at2, 16), v128.load(level + at2, 24)),
      )
      pass(
        v128.load(seen + at),
        v128.load(seen + at, 4),
        v128.load(u + at),
        v128.load(u + at, 4),
        v128.load(v + at),
        v128.load(v + at, 4),
        v128.load(stepsX + at),
        drop,
        flowingX,
        MX + at,
        BX + at,
        HX + at,
        AX + at,
        zero,
        half,
        quarter,
        one,
        g,
        halfG,
        least,
        steepness,
      )
    } else still(MX + at, BX + at, HX + at, AX + at)
    const flowingY = v128.gt<f32>(v128.pmax<f32>(near, v128.load(aroundBelow + at)), film)
    if (v128.any_true(flowingY)) {
      const drop = narrow(
        v128.sub<f64>(v128.load(level + at2), v128.load(levelBelow + at2)),
        v128.sub<f64>(v128.load(level + at2, 16), v128.load(levelBelow + at2, 16)),
      )
      pass(
        v128.load(seen + at),
        v128.load(seenBelow + at),
        v128.load(v + at),
        v128.load(vBelow + at),
        v128.load(u + at),
        v128.load(uBelow + at),
        v128.load(stepsY + at),
        drop,
        flowingY,
        MY + at,
        BY + at,
        HY + at,
        AY + at,
        zero,
        half,
        quarter,
        one,
        g,
        halfG,
        least,
        steepness,
      )
    } else still(MY + at, BY + at, HY + at, AY + at)
  }
  wallsOf(k, first, last + 3)
  edgesOf(k)
}

/** Push of water on a wall that it meets with a speed `u`, less that of water at rest: see src/surface/full/edges.ts. */
// @inline
function push(h: f32, u: f32): f32 {
  const c = sqrt<f32>(G * h)
  const fastest = max<f32>(max<f32>(c - u, c + 0.5 * u), 0)
  return max<f32>(<f32>-0.5 * G * h * h, h * u * (u + fastest))
}

function wallsOf(k: i32, first: i32, last: i32): void {
  const end = firstWall(k + 1)
  for (let i = firstWall(k); i < end; i++) {
    const wall = wallAt(i)
    const column = wall.column
    const side = wall.side & 3
    if (column < first || column > last) continue
    const row = side === 3 ? k + 1 : k
    const at = (<usize>column) << 2
    const h = load<f32>(seenOf(row) + at)
    // Along stairs water does not meet the wall: see STAIR in src/surface/full/water.ts.
    const speed: f32 = wall.side > 3 ? 0 : load<f32>((side < 2 ? speedXOf(row) : speedYOf(row)) + at)
    place(k, column, side, 0, push(h, side & 1 ? -speed : speed), 0)
  }
}

function edgesOf(k: i32): void {
  const end = firstEdge(k + 1)
  for (let i = firstEdge(k); i < end; i++) {
    const edge = edgeAt(i)
    place(k, edge.column, edge.side, edge.mass, edge.push, edge.along)
  }
}

/** Puts a flux at a side of a cell; `k` is the row of the face. */
function place(k: i32, column: i32, side: i32, mass: f32, pushed: f32, along: f32): void {
  const flux = fluxOf(k)
  const at = (<usize>(side === 1 ? column - 1 : column)) << 2
  const vertical = side > 1
  store<f32>((vertical ? massY(flux) : massX(flux)) + at, mass)
  store<f32>((vertical ? alongY(flux) : alongX(flux)) + at, along)
  const before = vertical ? beforeY(flux) : beforeX(flux)
  const behind = vertical ? behindY(flux) : behindX(flux)
  store<f32>((side & 1 ? behind : before) + at, pushed)
}
