// Discharge through the faces of cells.
import {
  crowdLine,
  dueFaces,
  dueLevel,
  GRAVITY_OF,
  LEVEL,
  leveled,
  levelOf,
  part,
  STEP4_OF,
  squareLine,
  want,
} from './levels'
import { limitCells, limitOthers, limitQuad } from './limit'
import {
  ACTIVE,
  down,
  dry,
  EDGE_ROWS,
  EDGES,
  FACE_HALVES,
  FACE_QUARTERS,
  FIXED_QUAD,
  FIXED_QUADS,
  FLOW_DEPTHS,
  FLOWING,
  FRICTION_X,
  FRICTION_Y,
  froude,
  LEAVING,
  LEVELS,
  NORMAL_X,
  NORMAL_Y,
  PACE_X,
  PACE_Y,
  QUAD,
  QUADS,
  QX,
  QY,
  quads,
  ROW_SPEED,
  ROW_SPREAD,
  recordOf,
  SHALLOW,
  SPEED_X,
  SPEED_Y,
  STEP_X,
  STEP_Y,
  setWord,
  vDry,
  vFroude2,
  WANT_HALVES,
  WANT_QUARTERS,
  word,
  words,
} from './memory'
import { Edge } from './records'
import { discharge, flowDepth, inverseCubeRoot, largestLane, limited, some, toEast } from './vectors'

export function clearFaces(from: usize, bits: u64): void {
  while (bits) {
    const at = from + <usize>ctz(bits) * QUAD
    v128.store(at, f32x4.splat(0), QX)
    v128.store(at, f32x4.splat(0), QY)
    bits &= bits - 1
  }
}

/**
 * Faces east and south of the cells of a row, and unless `open` their limits: a quad's other faces are those of the
 * quad before it and of the row above.
 */
export function fluxRow(row: i32, sample: bool, open: bool): void {
  if (part === 0) {
    store<f32>(ROW_SPEED + ((<usize>row) << 2), 0)
    store<f32>(ROW_SPREAD + ((<usize>row) << 2), 0)
  }
  // One level needs no look at it: compiled twice.
  const fastest = leveled ? faces(row, sample, open, true) : faces(row, sample, open, false)
  const at = ROW_SPEED + ((<usize>row) << 2)
  store<f32>(at, max<f32>(load<f32>(at), sqrt<f32>(fastest)))
  edgesOfRow(row, open)
}

/**
 * Constants are locals: a loop keeps those in registers but loads globals. Discharges come first for all quads of a word,
 * each a long chain of operations of which the processor works on several quads' at once; what looks at them would take
 * up its room while it waits for them.
 * @returns the largest squared speed of quads that are worth a look
 */
// @inline
function faces(row: i32, sample: bool, open: bool, byLevel: bool): f32 {
  const zero = f32x4.splat(0)
  const dryLine = vDry
  const froude2 = vFroude2
  const line = f32x4.splat(squareLine)
  const crowd = f32x4.splat(crowdLine)
  const levels = LEVELS
  let gravity = v128.load(levels, GRAVITY_OF)
  let step4 = v128.load(levels, STEP4_OF)
  const below = down
  const depthsFrom = FLOW_DEPTHS
  const normX = NORMAL_X
  const normY = NORMAL_Y
  let fastest = zero
  for (let w = 0; w < words; w++) {
    const act = word(ACTIVE, row, w)
    const next = w + 1 < words ? word(ACTIVE, row, w + 1) : 0
    const due = byLevel ? dueFaces(row, w) : ~(<u64>0)
    const wet = act | (act >> 1) | (next << 63) | word(ACTIVE, row + 1, w)
    const old = word(FLOWING, row, w)
    if (part === 0) {
      setWord(WANT_HALVES, row, w, 0)
      setWord(WANT_QUARTERS, row, w, 0)
    }
    let bits = wet & due
    const done = bits
    const leaving = word(LEAVING, row, w)
    const halves = byLevel ? word(FACE_HALVES, row, w) : 0
    const quarters = byLevel ? word(FACE_QUARTERS, row, w) : 0
    const first = <usize>(row * quads + (w << 6))
    const from = recordOf(first)
    const fixedFrom = FIXED_QUADS + first * FIXED_QUAD
    if (old & due & ~wet) clearFaces(from, old & due & ~wet)
    let flows: u64 = old & ~due
    let wants1: u64 = 0
    let wants2: u64 = 0
    while (bits) {
      const k = <usize>ctz(bits)
      const bit = bits & (0 - bits)
      const at = from + k * QUAD
      bits ^= bit
      if (byLevel) {
        const level = levels + (<usize>((halves & bit) != 0) + <usize>((quarters & bit) != 0)) * LEVEL
        gravity = v128.load(level, GRAVITY_OF)
        step4 = v128.load(level, STEP4_OF)
      }
      const h = v128.load(at, SHALLOW)
      const fixed = fixedFrom + k * FIXED_QUAD
      const stepX = v128.load(fixed, STEP_X)
      const stepY = v128.load(fixed, STEP_Y)
      const otherX = v128.add<f32>(toEast(h, v128.load(at, SHALLOW + QUAD)), stepX)
      const otherY = v128.add<f32>(v128.load(at + below, SHALLOW), stepY)
      const flowX = flowDepth(h, otherX, stepX)
      const flowY = flowDepth(h, otherY, stepY)
      const wetX = v128.gt<f32>(flowX, dryLine)
      const wetY = v128.gt<f32>(flowY, dryLine)
      const hX = v128.pmax<f32>(flowX, dryLine)
      const hY = v128.pmax<f32>(flowY, dryLine)
      let x = zero
      let y = zero
      if (some(v128.or(wetX, wetY))) {
        const riseX = v128.sub<f32>(otherX, h)
        const riseY = v128.sub<f32>(otherY, h)
        x = discharge(v128.load(at, QX), hX, riseX, v128.load(fixed, FRICTION_X), gravity, step4)
        y = discharge(v128.load(at, QY), hY, riseY, v128.load(fixed, FRICTION_Y), gravity, step4)
        x = v128.and(x, wetX)
        y = v128.and(y, wetY)
        if (v128.any_true(v128.or(x, y))) flows |= bit
      }
      v128.store(at, x, QX)
      v128.store(at, y, QY)
      const depths = depthsFrom + (k << 5)
      v128.store(depths, hX)
      v128.store(depths, hY, 16)
    }
    bits = done
    while (bits) {
      const k = <usize>ctz(bits)
      const bit = bits & (0 - bits)
      bits ^= bit
      const at = from + k * QUAD
      const depths = depthsFrom + (k << 5)
      let x = v128.load(at, QX)
      let y = v128.load(at, QY)
      const hX = v128.load(depths)
      const hY = v128.load(depths, 16)
      // Squared discharges against depths: few faces are fast enough for a look at the speed itself.
      let qqX = v128.mul<f32>(x, x)
      let qqY = v128.mul<f32>(y, y)
      const hhX = v128.mul<f32>(hX, hX)
      const hhY = v128.mul<f32>(hY, hY)
      const fastX = v128.mul<f32>(froude2, hX)
      const fastY = v128.mul<f32>(froude2, hY)
      const quickX = v128.gt<f32>(qqX, v128.mul<f32>(hhX, v128.pmin<f32>(fastX, line)))
      const quickY = v128.gt<f32>(qqY, v128.mul<f32>(hhY, v128.pmin<f32>(fastY, line)))
      if (some(v128.or(quickX, quickY))) {
        const own = (first + k) << 4
        const overX = v128.gt<f32>(qqX, v128.mul<f32>(hhX, fastX))
        const overY = v128.gt<f32>(qqY, v128.mul<f32>(hhY, fastY))
        if (some(v128.or(overX, overY))) {
          x = limited(x, hX, fastX, normX + own)
          y = limited(y, hY, fastY, normY + own)
          v128.store(at, x, QX)
          v128.store(at, y, QY)
          qqX = v128.mul<f32>(x, x)
          qqY = v128.mul<f32>(y, y)
        }
        let squareX = v128.div<f32>(qqX, hhX)
        let squareY = v128.div<f32>(qqY, hhY)
        if (leaving & bit) {
          squareX = v128.mul<f32>(squareX, v128.load(PACE_X + own))
          squareY = v128.mul<f32>(squareY, v128.load(PACE_Y + own))
        }
        const square = v128.pmax<f32>(squareX, squareY)
        fastest = v128.pmax<f32>(fastest, square)
        if (some(v128.gt<f32>(square, line))) {
          wants1 |= bit
          if (some(v128.gt<f32>(square, v128.mul<f32>(line, f32x4.splat(4))))) wants2 |= bit
        }
      }
      if (sample) {
        const own = (first + k) << 4
        v128.store(SPEED_X + own, v128.div<f32>(v128.abs<f32>(x), hX))
        v128.store(SPEED_Y + own, v128.div<f32>(v128.abs<f32>(y), hY))
      }
      if (!open) limitQuad(row, w, k, at, v128.load(at, SHALLOW), x, y, crowd, below)
    }
    setWord(FLOWING, row, w, flows)
    want(row, w, wants1, wants2)
    if (!open) limitOthers(row, w, done)
  }
  return largestLane(fastest)
}

/**
 * Normal-depth outflow at open edges: entries of 16 bytes: addresses of depth and flux, factor f32, sign f32. It comes
 * on top of what limits have seen, so that the cell's are looked at again; cells of the row below still have theirs
 * to come. Edges do not bound the step, but have a level.
 */
export function edgesOfRow(row: i32, open: bool): void {
  let k = load<i32>(EDGE_ROWS + ((<usize>row) << 2))
  const end = load<i32>(EDGE_ROWS + ((<usize>(row + 1)) << 2))
  for (; k < end; k++) {
    const at = changetype<Edge>(EDGES + <usize>k * offsetof<Edge>())
    const face = <usize>at.face
    const quad = <i32>((face - QUADS) / QUAD) - row * quads
    if (levelOf(row, quad) < dueLevel) continue
    const h = load<f32>(<usize>at.depth)
    if (h <= dry) continue
    // h^(5/3) = h^2 h^(-1/3)
    const free = at.factor * (h * h) * f32x4.extract_lane(inverseCubeRoot(f32x4.splat(h)), 0)
    const q = min<f32>(free, froude * h * sqrt<f32>(h))
    store<f32>(face, q * at.sign)
    const w = quad >> 6
    const bit = (<u64>1) << (quad & 63)
    setWord(FLOWING, row, w, word(FLOWING, row, w) | bit)
    const square = (q / h) * (q / h)
    if (square > squareLine) want(row, w, bit, square > 4 * squareLine ? bit : 0)
    const cell = <i32>((<usize>at.depth - QUADS) / QUAD) - row * quads
    if (!open && cell < quads) limitCells(row, cell)
  }
}
