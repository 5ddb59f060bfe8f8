// Fluxes through faces, two at a time; the formulas, in their order, are those of src/surface/full/reference.ts.
import { GRAVITY } from '../gravity'
import {
  ACROSS_SLOPE_X,
  ACROSS_SLOPE_Y,
  ALONG_SLOPE_X,
  ALONG_SLOPE_Y,
  ALONG_X,
  ALONG_Y,
  BED,
  BEFORE_X,
  BEFORE_Y,
  BEHIND_X,
  BEHIND_Y,
  changesFrom,
  changesTo,
  DEPTH,
  DEPTH_SLOPE_X,
  DEPTH_SLOPE_Y,
  DRY,
  deepestAround,
  down,
  header,
  LEVEL_SLOPE_X,
  LEVEL_SLOPE_Y,
  LIVE,
  MASS_X,
  MASS_Y,
  MOMENTUM_X,
  MOMENTUM_Y,
  placeOf,
  rows,
  SEEN,
  SPEED_X,
  SPEED_Y,
  WALLS,
} from './memory'
import { splat } from './vectors'

/** A film thinner than this has no slope within its cell, m; as in src/surface/full/reference.ts. */
const SLOPE_FROM: f64 = 1e-5
const THETA: f64 = 1.5

/** What flow sees of a row's cells. */
function speedsOf(row: i32, from: i32, to: i32): void {
  const zero = splat(0)
  const one = splat(1)
  const dry = splat(DRY)
  const end = placeOf(row, to)
  for (let at = placeOf(row, from); at <= end; at += 16) {
    const h = v128.mul<f64>(v128.load(DEPTH + at), v128.load(LIVE + at))
    const wet = v128.gt<f64>(h, dry)
    v128.store(SEEN + at, h)
    if (!v128.any_true(wet)) {
      v128.store(SPEED_X + at, zero)
      v128.store(SPEED_Y + at, zero)
      continue
    }
    const thin = v128.div<f64>(one, h)
    v128.store(SPEED_X + at, v128.and(v128.mul<f64>(v128.load(MOMENTUM_X + at), thin), wet))
    v128.store(SPEED_Y + at, v128.and(v128.mul<f64>(v128.load(MOMENTUM_Y + at), thin), wet))
  }
}

// @inline
function limited(back: v128, ahead: v128): v128 {
  const zero = splat(0)
  const theta = splat(THETA)
  const middle = v128.mul<f64>(splat(0.5), v128.add<f64>(back, ahead))
  const b = v128.mul<f64>(theta, back)
  const a = v128.mul<f64>(theta, ahead)
  const rising = v128.pmin<f64>(v128.pmin<f64>(b, middle), a)
  const falling = v128.pmax<f64>(v128.pmax<f64>(b, middle), a)
  const slope = v128.bitselect(rising, falling, v128.gt<f64>(back, zero))
  return v128.bitselect(slope, zero, v128.gt<f64>(v128.mul<f64>(back, ahead), zero))
}

// @inline
function slopesOf(
  row: i32,
  from: i32,
  to: i32,
  next: usize,
  U: usize,
  V: usize,
  LEVEL: usize,
  DEPTHS: usize,
  ACROSS: usize,
  ALONG: usize,
): void {
  const thin = splat(SLOPE_FROM)
  const end = placeOf(row, to)
  for (let at = placeOf(row, from); at <= end; at += 16) {
    const h = v128.load(SEEN + at)
    const hB = v128.load(SEEN + at - next)
    const hA = v128.load(SEEN + at + next)
    const whole = v128.and(v128.gt<f64>(h, thin), v128.and(v128.gt<f64>(hB, thin), v128.gt<f64>(hA, thin)))
    let level = splat(0)
    let depth = splat(0)
    let across = splat(0)
    let along = splat(0)
    if (v128.any_true(whole)) {
      const eta = v128.add<f64>(h, v128.load(BED + at))
      const etaB = v128.add<f64>(hB, v128.load(BED + at - next))
      const etaA = v128.add<f64>(hA, v128.load(BED + at + next))
      const u = v128.load(U + at)
      const v = v128.load(V + at)
      level = v128.and(limited(v128.sub<f64>(eta, etaB), v128.sub<f64>(etaA, eta)), whole)
      depth = v128.and(limited(v128.sub<f64>(h, hB), v128.sub<f64>(hA, h)), whole)
      across = v128.and(
        limited(v128.sub<f64>(u, v128.load(U + at - next)), v128.sub<f64>(v128.load(U + at + next), u)),
        whole,
      )
      along = v128.and(
        limited(v128.sub<f64>(v, v128.load(V + at - next)), v128.sub<f64>(v128.load(V + at + next), v)),
        whole,
      )
    }
    v128.store(LEVEL + at, level)
    v128.store(DEPTHS + at, depth)
    v128.store(ACROSS + at, across)
    v128.store(ALONG + at, along)
  }
}

/** What of a slide counts in the second order: as in src/surface/full/reference-faces.ts. */
// @inline
function rough(slide: v128, h: v128): v128 {
  const zero = splat(0)
  const share = v128.sub<f64>(v128.mul<f64>(splat(10), v128.div<f64>(slide, h)), splat(1))
  const counted = v128.mul<f64>(slide, v128.pmax<f64>(zero, v128.pmin<f64>(splat(1), share)))
  return v128.and(counted, v128.gt<f64>(h, zero))
}

/** Weight of a column over g on the bed between its cell and the face, along the axis, m2. */
// @inline
function weightOn(h: v128, s: v128, rise: v128, slide: v128): v128 {
  const submerged = v128.mul<f64>(v128.mul<f64>(splat(0.5), v128.add<f64>(h, s)), rise)
  return v128.sub<f64>(submerged, v128.mul<f64>(h, slide))
}

// @inline
function facesOf(
  row: i32,
  from: i32,
  to: i32,
  next: usize,
  U: usize,
  V: usize,
  LEVEL: usize,
  DEPTHS: usize,
  ACROSS: usize,
  ALONGS: usize,
  MASS: usize,
  BEFORE: usize,
  BEHIND: usize,
  ALONG: usize,
): void {
  const zero = splat(0)
  const half = splat(0.5)
  const two = splat(2)
  const g = splat(GRAVITY)
  const halfG = splat(0.5 * GRAVITY)
  const film = splat(header.film)
  const end = placeOf(row, to)
  for (let at = placeOf(row, from); at <= end; at += 16) {
    const other = at + next
    const flowing = v128.gt<f64>(v128.pmax<f64>(deepestAround(at), deepestAround(other)), film)
    if (!v128.any_true(flowing)) {
      v128.store(MASS + at, zero)
      v128.store(BEFORE + at, zero)
      v128.store(BEHIND + at, zero)
      v128.store(ALONG + at, zero)
      continue
    }
    let hL = v128.load(SEEN + at)
    let hR = v128.load(SEEN + other)
    let zL = v128.load(BED + at)
    let zR = v128.load(BED + other)
    let uL = v128.load(U + at)
    let uR = v128.load(U + other)
    let vL = v128.load(V + at)
    let vR = v128.load(V + other)
    const dL = v128.mul<f64>(half, v128.load(DEPTHS + at))
    const dR = v128.mul<f64>(half, v128.load(DEPTHS + other))
    const wetL = v128.gt<f64>(hL, zero)
    const wetR = v128.gt<f64>(hR, zero)
    const back = v128.and(v128.mul<f64>(half, v128.div<f64>(v128.sub<f64>(hL, dL), hL)), wetL)
    const ahead = v128.and(v128.mul<f64>(half, v128.div<f64>(v128.add<f64>(hR, dR), hR)), wetR)
    uL = v128.add<f64>(uL, v128.mul<f64>(back, v128.load(ACROSS + at)))
    vL = v128.add<f64>(vL, v128.mul<f64>(back, v128.load(ALONGS + at)))
    uR = v128.sub<f64>(uR, v128.mul<f64>(ahead, v128.load(ACROSS + other)))
    vR = v128.sub<f64>(vR, v128.mul<f64>(ahead, v128.load(ALONGS + other)))
    zL = v128.add<f64>(zL, v128.sub<f64>(v128.mul<f64>(half, v128.load(LEVEL + at)), dL))
    zR = v128.sub<f64>(zR, v128.sub<f64>(v128.mul<f64>(half, v128.load(LEVEL + other)), dR))
    hL = v128.add<f64>(hL, dL)
    hR = v128.sub<f64>(hR, dR)
    // Water that falls to a lower bed slides down to it whole.
    const step = v128.sub<f64>(zL, zR)
    const drop = v128.sub<f64>(v128.add<f64>(zL, hL), v128.add<f64>(zR, hR))
    let slideL = v128.pmax<f64>(zero, v128.pmin<f64>(step, drop))
    let slideR = v128.pmax<f64>(zero, v128.pmin<f64>(v128.neg<f64>(step), v128.neg<f64>(drop)))
    slideL = rough(slideL, hL)
    slideR = rough(slideR, hR)
    zL = v128.sub<f64>(zL, slideL)
    zR = v128.sub<f64>(zR, slideR)
    const levelL = v128.add<f64>(zL, hL)
    const levelR = v128.add<f64>(zR, hR)
    const z = v128.pmin<f64>(v128.pmax<f64>(zL, zR), v128.pmin<f64>(levelL, levelR))
    const sL = v128.pmax<f64>(zero, v128.pmin<f64>(v128.sub<f64>(levelL, z), hL))
    const sR = v128.pmax<f64>(zero, v128.pmin<f64>(v128.sub<f64>(levelR, z), hR))
    // HLLC between what stands above the bed at the face.
    const cL = v128.sqrt<f64>(v128.mul<f64>(g, sL))
    const cR = v128.sqrt<f64>(v128.mul<f64>(g, sR))
    const middleC = v128.add<f64>(
      v128.mul<f64>(half, v128.add<f64>(cL, cR)),
      v128.mul<f64>(splat(0.25), v128.sub<f64>(uL, uR)),
    )
    const middleU = v128.sub<f64>(v128.add<f64>(v128.mul<f64>(half, v128.add<f64>(uL, uR)), cL), cR)
    const middle = v128.pmax<f64>(middleC, zero)
    const leftWave = v128.sub<f64>(uL, cL)
    const rightWave = v128.add<f64>(uR, cR)
    const dryL = v128.le<f64>(sL, zero)
    const dryR = v128.le<f64>(sR, zero)
    let first = v128.pmin<f64>(leftWave, v128.sub<f64>(middleU, middle))
    let last = v128.pmax<f64>(rightWave, v128.add<f64>(middleU, middle))
    first = v128.bitselect(v128.sub<f64>(uR, v128.mul<f64>(two, cR)), first, dryL)
    last = v128.bitselect(rightWave, last, dryL)
    first = v128.bitselect(leftWave, first, dryR)
    last = v128.bitselect(v128.add<f64>(uL, v128.mul<f64>(two, cL)), last, dryR)
    const qL = v128.mul<f64>(sL, uL)
    const qR = v128.mul<f64>(sR, uR)
    const pL = v128.add<f64>(v128.mul<f64>(qL, uL), v128.mul<f64>(v128.mul<f64>(halfG, sL), sL))
    const pR = v128.add<f64>(v128.mul<f64>(qR, uR), v128.mul<f64>(v128.mul<f64>(halfG, sR), sR))
    const width = v128.div<f64>(splat(1), v128.sub<f64>(last, first))
    const both = v128.mul<f64>(first, last)
    let mass = v128.mul<f64>(
      v128.add<f64>(
        v128.sub<f64>(v128.mul<f64>(last, qL), v128.mul<f64>(first, qR)),
        v128.mul<f64>(both, v128.sub<f64>(sR, sL)),
      ),
      width,
    )
    let push = v128.mul<f64>(
      v128.add<f64>(
        v128.sub<f64>(v128.mul<f64>(last, pL), v128.mul<f64>(first, pR)),
        v128.mul<f64>(both, v128.sub<f64>(qR, qL)),
      ),
      width,
    )
    const toRight = v128.ge<f64>(first, zero)
    const toLeft = v128.andnot(v128.le<f64>(last, zero), toRight)
    mass = v128.bitselect(qL, v128.bitselect(qR, mass, toLeft), toRight)
    push = v128.bitselect(pL, v128.bitselect(pR, push, toLeft), toRight)
    const passes = v128.andnot(flowing, v128.and(dryL, dryR))
    mass = v128.and(mass, passes)
    push = v128.and(push, passes)
    const along = v128.mul<f64>(mass, v128.bitselect(vL, vR, v128.ge<f64>(mass, zero)))
    v128.store(MASS + at, mass)
    const before = v128.add<f64>(push, v128.mul<f64>(g, weightOn(hL, sL, v128.sub<f64>(z, zL), slideL)))
    const behind = v128.add<f64>(push, v128.mul<f64>(g, weightOn(hR, sR, v128.sub<f64>(z, zR), slideR)))
    v128.store(BEFORE + at, v128.and(before, flowing))
    v128.store(BEHIND + at, v128.and(behind, flowing))
    v128.store(ALONG + at, along)
  }
}

// @inline
function push(h: f64, u: f64): f64 {
  const c = sqrt<f64>(GRAVITY * h)
  const fastest = max<f64>(max<f64>(c - u, c + 0.5 * u), 0)
  return max<f64>(0, h * u * (u + fastest) + 0.5 * GRAVITY * h * h)
}

/** Faces behind which there is nothing: pairs of a cell's place, bytes, and its side. */
export function walls(): void {
  const count = header.wallCount
  for (let k = 0; k < count; k++) {
    const at = <usize>load<u32>(WALLS + ((<usize>k) << 3))
    const mark = load<u32>(WALLS + ((<usize>k) << 3), 4)
    const side = mark & 3
    const h = load<f64>(SEEN + at)
    // Along stairs water does not meet the wall: see STAIR in src/surface/full/water.ts.
    const speed: f64 = mark > 3 ? 0 : load<f64>((side < 2 ? SPEED_X : SPEED_Y) + at)
    if (side === 0) wall(at, push(h, speed), MASS_X, BEFORE_X, ALONG_X)
    else if (side === 1) wall(at - 8, push(h, -speed), MASS_X, BEHIND_X, ALONG_X)
    else if (side === 2) wall(at, push(h, speed), MASS_Y, BEFORE_Y, ALONG_Y)
    else wall(at - down, push(h, -speed), MASS_Y, BEHIND_Y, ALONG_Y)
  }
}

// @inline
function wall(face: usize, pushed: f64, MASS: usize, PUSH: usize, ALONG: usize): void {
  store<f64>(MASS + face, 0)
  store<f64>(PUSH + face, pushed)
  store<f64>(ALONG + face, 0)
}

/** Slopes within cells of these rows. */
export function slopesOfRows(fromRow: i32, toRow: i32): void {
  for (let row = fromRow; row < toRow; row++) {
    const from = changesFrom(row)
    const to = changesTo(row)
    if (from > to) continue
    slopesOf(row, from, to, 8, SPEED_X, SPEED_Y, LEVEL_SLOPE_X, DEPTH_SLOPE_X, ACROSS_SLOPE_X, ALONG_SLOPE_X)
    slopesOf(
      row,
      from,
      to,
      down,
      SPEED_Y,
      SPEED_X,
      LEVEL_SLOPE_Y,
      DEPTH_SLOPE_Y,
      ACROSS_SLOPE_Y,
      ALONG_SLOPE_Y,
    )
  }
}

/** What flow sees of these rows. */
export function speedsOfRows(fromRow: i32, toRow: i32): void {
  for (let row = fromRow; row < toRow; row++) {
    const from = changesFrom(row)
    const to = changesTo(row)
    if (from <= to) speedsOf(row, from, to)
  }
}

/** Fluxes through the eastern and southern faces of these rows. */
export function facesOfRows(fromRow: i32, toRow: i32): void {
  for (let row = fromRow; row < toRow; row++) {
    const from = changesFrom(row)
    const to = changesTo(row)
    if (from <= to)
      facesOf(
        row,
        from - 1,
        to,
        8,
        SPEED_X,
        SPEED_Y,
        LEVEL_SLOPE_X,
        DEPTH_SLOPE_X,
        ACROSS_SLOPE_X,
        ALONG_SLOPE_X,
        MASS_X,
        BEFORE_X,
        BEHIND_X,
        ALONG_X,
      )
    // Cells of the row below need the faces above them.
    const below = row < rows - 2
    const wideFrom = below ? min(from, changesFrom(row + 1)) : from
    const wideTo = below ? max(to, changesTo(row + 1)) : to
    if (wideFrom <= wideTo)
      facesOf(
        row,
        wideFrom,
        wideTo,
        down,
        SPEED_Y,
        SPEED_X,
        LEVEL_SLOPE_Y,
        DEPTH_SLOPE_Y,
        ACROSS_SLOPE_Y,
        ALONG_SLOPE_Y,
        MASS_Y,
        BEFORE_Y,
        BEHIND_Y,
        ALONG_Y,
      )
  }
}
