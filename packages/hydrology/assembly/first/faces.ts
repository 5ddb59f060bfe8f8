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
  DRY,
  edgeAt,
  firstColumn,
  firstEdge,
  firstWall,
  fluxOf,
  header,
  KIND,
  lastColumn,
  levelOf,
  MOMENTUM_X,
  MOMENTUM_Y,
  massX,
  massY,
  place32,
  place64,
  rows,
  STEP_X,
  STEP_Y,
  seamOf,
  seenOf,
  speedXOf,
  speedYOf,
  stride,
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
  const dry = splat(DRY)
  const zero = splat(0)
  const one = splat(1)
  for (let column = first; column <= last; column += 4) {
    const at = (<usize>column) << 2
    const at2 = (<usize>column) << 3
    const live = v128.shr<i32>(v128.load(kinds + at), 31)
    const low = v128.and(v128.load(depths + at2), v128.shuffle<i32>(live, live, 0, 0, 1, 1))
    const high = v128.and(v128.load(depths + at2, 16), v128.shuffle<i32>(live, live, 2, 2, 3, 3))
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
  uL: v128,
  uR: v128,
  vL: v128,
  vR: v128,
  bedStep: v128,
  levelDrop: v128,
  flowing: v128,
  MASS: usize,
  BEFORE: usize,
  BEHIND: usize,
  ALONG: usize,
): void {
  const zero = splat(0)
  const half = splat(0.5)
  const g = splat(G)
  const halfG = splat(0.5 * G)
  // Water that falls to a lower bed slides down to it whole.
  const slideL = v128.pmax<f32>(zero, v128.pmin<f32>(bedStep, levelDrop))
  const slideR = v128.pmax<f32>(zero, v128.neg<f32>(v128.pmax<f32>(bedStep, levelDrop)))
  const slid = v128.sub<f32>(slideR, slideL)
  const step = v128.add<f32>(bedStep, slid)
  const drop = v128.add<f32>(levelDrop, slid)
  // Depths above the bed at the face. The higher side keeps its own; what differs is the drop, exact where it is small.
  const higherL = v128.ge<f32>(step, zero)
  const overR = v128.pmax<f32>(zero, v128.pmin<f32>(v128.sub<f32>(hL, drop), hR))
  const overL = v128.pmax<f32>(zero, v128.pmin<f32>(v128.add<f32>(hR, drop), hL))
  const sL = v128.bitselect(hL, overL, higherL)
  const sR = v128.bitselect(overR, hR, higherL)
  // HLLC.
  const cL = v128.sqrt<f32>(v128.mul<f32>(g, sL))
  const cR = v128.sqrt<f32>(v128.mul<f32>(g, sR))
  const middleC = v128.add<f32>(
    v128.mul<f32>(half, v128.add<f32>(cL, cR)),
    v128.mul<f32>(splat(0.25), v128.sub<f32>(uL, uR)),
  )
  const middleU = v128.sub<f32>(v128.add<f32>(v128.mul<f32>(half, v128.add<f32>(uL, uR)), cL), cR)
  const middle = v128.pmax<f32>(middleC, zero)
  const leftWave = v128.sub<f32>(uL, cL)
  const rightWave = v128.add<f32>(uR, cR)
  const dryL = v128.le<f32>(sL, zero)
  const dryR = v128.le<f32>(sR, zero)
  let first = v128.pmin<f32>(leftWave, v128.sub<f32>(middleU, middle))
  let last = v128.pmax<f32>(rightWave, v128.add<f32>(middleU, middle))
  first = v128.bitselect(v128.sub<f32>(uR, v128.add<f32>(cR, cR)), first, dryL)
  last = v128.bitselect(rightWave, last, dryL)
  first = v128.bitselect(leftWave, first, dryR)
  last = v128.bitselect(v128.add<f32>(uL, v128.add<f32>(cL, cL)), last, dryR)
  // Where both waves go one way the formulas below give that side's flux.
  first = v128.pmin<f32>(first, zero)
  last = v128.pmax<f32>(last, zero)
  const qL = v128.mul<f32>(sL, uL)
  const qR = v128.mul<f32>(sR, uR)
  const mL = v128.mul<f32>(qL, uL)
  const mR = v128.mul<f32>(qR, uR)
  const deeper = v128.sub<f32>(sR, sL)
  const pressure = v128.mul<f32>(halfG, v128.mul<f32>(deeper, v128.add<f32>(sR, sL)))
  const wet = v128.andnot(flowing, v128.and(dryL, dryR))
  const width = v128.div<f32>(splat(1), v128.sub<f32>(last, first))
  const mass = v128.and(
    v128.mul<f32>(
      v128.add<f32>(
        v128.sub<f32>(v128.mul<f32>(last, qL), v128.mul<f32>(first, qR)),
        v128.mul<f32>(v128.mul<f32>(first, last), deeper),
      ),
      width,
    ),
    wet,
  )
  const jump = v128.sub<f32>(
    v128.mul<f32>(last, v128.sub<f32>(qR, qL)),
    v128.add<f32>(v128.sub<f32>(mR, mL), pressure),
  )
  const push = v128.and(v128.add<f32>(mL, v128.mul<f32>(v128.mul<f32>(first, jump), width)), wet)
  // Of the weight on the bed between cell and face nothing is left but that of what slides: the rest is that of water at rest.
  const slidesL = v128.mul<f32>(v128.mul<f32>(g, hL), slideL)
  const slidesR = v128.mul<f32>(v128.mul<f32>(g, hR), slideR)
  v128.store(MASS, mass)
  v128.store(BEFORE, v128.and(v128.sub<f32>(push, slidesL), flowing))
  v128.store(BEHIND, v128.and(v128.sub<f32>(v128.sub<f32>(push, pressure), slidesR), flowing))
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
    const side = wall.side
    if (column < first || column > last) continue
    const row = side === 3 ? k + 1 : k
    const at = (<usize>column) << 2
    const h = load<f32>(seenOf(row) + at)
    const speed = load<f32>((side < 2 ? speedXOf(row) : speedYOf(row)) + at)
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
