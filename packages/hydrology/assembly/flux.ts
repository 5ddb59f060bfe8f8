// Discharge through the faces of cells.
import { limitCells, limitOthers, limitQuad } from './limit'
import { ACT, EDGES, EDGE_ROWS, FLOW, FRICX, FRICY, HF, LEAVING, NORMX, NORMY, PACEX, PACEY, QX, QY, RECORD, RECORDS, RECORD_SHIFT, ROW_SPEED, SPEEDX, SPEEDY, STEPX, STEPY, down, dry, froude, quads, setWord, share, vDry, vDt4, vFroude2, vGravity, word, words } from './memory'
import { cube, discharge, flowDepth, inverseCubeRoot, largestLane, limited, toEast } from './vectors'

export function clearFaces(from: usize, bits: u64): void {
  while (bits) {
    const at = from + (<usize>ctz(bits) << RECORD_SHIFT)
    v128.store(at, f32x4.splat(0), QX)
    v128.store(at, f32x4.splat(0), QY)
    bits &= bits - 1
  }
}

/**
 * Faces east and south of the cells of a row, and unless `open` their limits: a quad's other faces are those of the
 * quad before it and of the row above. Constants are locals: a loop keeps those in registers but loads globals.
 */
export function fluxRow(row: i32, sample: bool, open: bool): void {
  const zero = f32x4.splat(0)
  const dryLine = vDry
  const gravity = vGravity
  const step4 = vDt4
  const froude2 = vFroude2
  const most = f32x4.splat(<f32>0.999999 / share)
  const below = down
  const normX = NORMX
  const normY = NORMY
  let fastest = zero
  for (let w = 0; w < words; w++) {
    const act = word(ACT, row, w)
    const next = w + 1 < words ? word(ACT, row, w + 1) : 0
    const faces = act | (act >> 1) | (next << 63) | word(ACT, row + 1, w)
    const old = word(FLOW, row, w)
    const leaving = word(LEAVING, row, w)
    const first = <usize>(row * quads + (w << 6))
    const from = RECORDS + (first << RECORD_SHIFT)
    if (old & ~faces) clearFaces(from, old & ~faces)
    let flows: u64 = 0
    let bits = faces
    while (bits) {
      const k = <usize>ctz(bits)
      const bit = <u64>1 << k
      const at = from + (k << RECORD_SHIFT)
      bits &= bits - 1
      const h = v128.load(at, HF)
      const stepX = v128.load(at, STEPX)
      const stepY = v128.load(at, STEPY)
      const otherX = v128.add<f32>(toEast(h, v128.load(at, HF + RECORD)), stepX)
      const otherY = v128.add<f32>(v128.load(at + below, HF), stepY)
      const flowX = flowDepth(h, otherX, stepX)
      const flowY = flowDepth(h, otherY, stepY)
      const wetX = v128.gt<f32>(flowX, dryLine)
      const wetY = v128.gt<f32>(flowY, dryLine)
      let x = zero
      let y = zero
      let squareX = zero
      let squareY = zero
      if (v128.any_true(v128.or(wetX, wetY))) {
        const hX = v128.pmax<f32>(flowX, dryLine)
        const hY = v128.pmax<f32>(flowY, dryLine)
        const cbrtX = inverseCubeRoot(hX)
        const cbrtY = inverseCubeRoot(hY)
        const inverseX = cube(cbrtX)
        const inverseY = cube(cbrtY)
        const riseX = v128.sub<f32>(otherX, h)
        const riseY = v128.sub<f32>(otherY, h)
        x = discharge(v128.load(at, QX), hX, riseX, cbrtX, inverseX, v128.load(at, FRICX), gravity, step4)
        y = discharge(v128.load(at, QY), hY, riseY, cbrtY, inverseY, v128.load(at, FRICY), gravity, step4)
        x = v128.and(x, wetX)
        y = v128.and(y, wetY)
        const speedX = v128.mul<f32>(x, inverseX)
        const speedY = v128.mul<f32>(y, inverseY)
        squareX = v128.mul<f32>(speedX, speedX)
        squareY = v128.mul<f32>(speedY, speedY)
        const fastX = v128.mul<f32>(froude2, hX)
        const fastY = v128.mul<f32>(froude2, hY)
        // Squares: few faces need the roots.
        if (v128.any_true(v128.or(v128.gt<f32>(squareX, fastX), v128.gt<f32>(squareY, fastY)))) {
          const own = (first + k) << 4
          x = limited(x, hX, fastX, cbrtX, normX + own)
          y = limited(y, hY, fastY, cbrtY, normY + own)
          const slowX = v128.mul<f32>(x, inverseX)
          const slowY = v128.mul<f32>(y, inverseY)
          squareX = v128.mul<f32>(slowX, slowX)
          squareY = v128.mul<f32>(slowY, slowY)
        }
        const square = v128.pmax<f32>(squareX, squareY)
        if (v128.any_true(square)) flows |= bit
        if (leaving & bit) {
          const own = (first + k) << 4
          const pacedX = v128.mul<f32>(squareX, v128.load(PACEX + own))
          const pacedY = v128.mul<f32>(squareY, v128.load(PACEY + own))
          fastest = v128.pmax<f32>(fastest, v128.pmax<f32>(pacedX, pacedY))
        } else fastest = v128.pmax<f32>(fastest, square)
      }
      v128.store(at, x, QX)
      v128.store(at, y, QY)
      if (sample) {
        const own = (first + k) << 4
        v128.store(SPEEDX + own, v128.sqrt<f32>(squareX))
        v128.store(SPEEDY + own, v128.sqrt<f32>(squareY))
      }
      if (!open) limitQuad(at, h, x, y, most, below)
    }
    setWord(FLOW, row, w, flows)
    if (!open) limitOthers(row, w, faces)
  }
  store<f32>(ROW_SPEED + (<usize>row << 2), sqrt<f32>(largestLane(fastest)))
  edgesOfRow(row, open)
}

/**
 * Normal-depth outflow at open edges: entries of 16 bytes: addresses of depth and flux, factor f32, sign f32. It comes
 * on top of what limits have seen, so that the cell's are looked at again; cells of the row below still have theirs
 * to come.
 */
export function edgesOfRow(row: i32, open: bool): void {
  let k = load<i32>(EDGE_ROWS + (<usize>row << 2))
  const end = load<i32>(EDGE_ROWS + (<usize>(row + 1) << 2))
  for (; k < end; k++) {
    const at = EDGES + (<usize>k << 4)
    const h = load<f32>(<usize>load<u32>(at))
    if (h <= dry) continue
    // h^(5/3) = h^2 h^(-1/3)
    const free = load<f32>(at, 8) * (h * h) * f32x4.extract_lane(inverseCubeRoot(f32x4.splat(h)), 0)
    const q = min<f32>(free, froude * h * sqrt<f32>(h)) * load<f32>(at, 12)
    const face = <usize>load<u32>(at, 4)
    store<f32>(face, q)
    const quad = <i32>((face - RECORDS) >> RECORD_SHIFT) - row * quads
    setWord(FLOW, row, quad >> 6, word(FLOW, row, quad >> 6) | (<u64>1 << (quad & 63)))
    const cell = <i32>((<usize>load<u32>(at) - RECORDS) >> RECORD_SHIFT)
    if (!open && cell < (row + 1) * quads) limitCells(RECORDS + (<usize>cell << RECORD_SHIFT))
  }
}
