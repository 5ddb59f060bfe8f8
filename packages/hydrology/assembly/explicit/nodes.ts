// Depths of the nodes in a trial: src/sewer/explicit/nodes.ts, which says what is what.
import { f64At, setF64 } from '../arrays'
import { exponential } from './env'
import { FILM_M, FILM_M3S, RELAXATION, TERMINAL_SHARE } from './limits'
import {
  ACTIVE,
  DEPTH,
  HEAD,
  header,
  INFLOW,
  LATERAL,
  nodeAt,
  OLD_DEPTH,
  OLD_NET,
  OLD_OWN,
  OPEN_SURFACE,
  OUTFLOW,
  OVERFLOW,
  OWN,
  RISE,
  SAMPLED,
  SETTLED,
  SLOPES,
  SURFACE,
  unknowns,
} from './memory'
import { ExplicitNode } from './records'
import { surfaceOf, waterOf } from './tanks'

/** Surfaces, flows and slopes of the nodes that the trial takes in as they are before links bring theirs. */
export function beginNodes(): void {
  const count = header.nodeCount
  for (let p = 0; p < count; p++) {
    if (load<u8>(ACTIVE + <usize>p) === 0) continue
    const node = nodeAt(p)
    const y = f64At(DEPTH, p)
    let surface: f64 = 0
    if (node.pondedArea > 0 && y > node.fullDepth) surface = node.pondedArea
    else if (node.tank) surface = surfaceOf(node, p, y)
    const sampled = f64At(SAMPLED, p)
    setF64(SURFACE, p, surface)
    setF64(INFLOW, p, max<f64>(0, sampled))
    setF64(OUTFLOW, p, max<f64>(0, -sampled))
    setF64(SLOPES, p, 0)
  }
}

/** New depths; whether all stand still. */
export function settleNodes(dt: f64, first: bool): bool {
  let all = true
  const tolerance = header.toleranceM
  for (let p = 0; p < unknowns; p++) {
    const last = f64At(DEPTH, p)
    const y = settle(p, dt, first, last)
    const still = !(abs<f64>(y - last) > tolerance)
    store<u8>(SETTLED + <usize>p, still ? 1 : 0)
    if (!still) all = false
  }
  return all
}

// @inline
function settle(p: i32, dt: f64, first: bool, last: f64): f64 {
  const node = nodeAt(p)
  const full = node.fullDepth
  const canPond = node.pondedArea > 0
  const ponded = canPond && last > full
  const area = max<f64>(f64At(SURFACE, p), header.leastSurface)
  const old = f64At(OLD_DEPTH, p)
  const gain = (0.5 * (f64At(OLD_NET, p) + f64At(INFLOW, p) - f64At(OUTFLOW, p)) + f64At(LATERAL, p)) * dt
  let overflow: f64 = 0
  let y: f64
  if (isPressed(node, p, last, ponded)) y = pressed(node, p, dt, last)
  else {
    y = old + gain / area
    if (!ponded) setF64(OPEN_SURFACE, p, area)
    if (!first) y = (1 - RELAXATION) * last + RELAXATION * y
    if (ponded && y < full) y = full - FILM_M
  }
  if (!(y > 0)) y = 0
  const top = full + (canPond ? 0 : node.surcharge)
  if (y > top) {
    if (!canPond) {
      overflow = gain / dt
      setF64(OWN, p, node.fullOwn)
      y = top
    } else {
      const before = f64At(OLD_OWN, p)
      const own = max<f64>(before + gain, node.fullOwn)
      setF64(OWN, p, own)
      overflow = (own - max<f64>(before, node.fullOwn)) / dt
    }
    if (overflow < FILM_M3S) overflow = 0
  } else setF64(OWN, p, node.tank ? waterOf(node, p, y) : 0)
  setF64(OVERFLOW, p, overflow)
  setF64(RISE, p, abs<f64>(y - old))
  setF64(DEPTH, p, y)
  setF64(HEAD, p, node.invert + y)
  return y
}

// @inline
function isPressed(node: ExplicitNode, p: i32, last: f64, ponded: bool): bool {
  if (header.slot || ponded) return false
  if (node.tank) return node.surcharge > 0 && last > node.fullDepth && f64At(SLOPES, p) !== 0
  return node.crown > 0 && last > node.crown
}

/** Depth of a node that is under pressure. */
function pressed(node: ExplicitNode, p: i32, dt: f64, last: f64): f64 {
  const slopes = f64At(SLOPES, p)
  const crown = node.crown
  let resisting = slopes
  if (last < 1.25 * crown) {
    const share = exponential((-15 * (last - crown)) / crown)
    resisting += (f64At(OPEN_SURFACE, p) / dt - slopes) * share
  }
  const net = f64At(INFLOW, p) - f64At(OUTFLOW, p) + f64At(LATERAL, p)
  const part: f64 = node.terminal ? TERMINAL_SHARE : 1
  let y = last + (resisting === 0 ? 0 : (part * net) / resisting)
  if (y < crown) y = crown - FILM_M
  if (node.pondedArea > 0 && y > node.fullDepth) y = node.fullDepth + FILM_M
  return y
}
