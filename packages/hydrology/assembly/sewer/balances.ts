// The nodes' balances and their linear system: src/sewer/step/balances.ts and src/sewer/network/elimination.ts.
import { addF64, f64At, i32At, setF64, takeF64 } from '../arrays'
import {
  CONDUIT_FLOW,
  conduitAt,
  DIAGONAL,
  FLOOD_AREA,
  FLOOD_LEVEL,
  INVERSES,
  LOWER,
  MEAN_FLOW,
  nodeAt,
  PARTNER,
  START,
  UPDATE,
  UPDATE_START,
  UPPER,
  unknowns,
  VECTOR,
} from './memory'
import { VolumeRow } from './records'

const ROW: usize = offsetof<VolumeRow>()

/** What nodes lack, and the surface that stands against it; empties the matrix off its diagonal. */
export function stored(heads: usize, wanted: usize, nodes: usize, count: i32): void {
  for (let j = 0; j < count; j++) {
    const k = i32At(nodes, j)
    const node = nodeAt(k)
    const head = f64At(heads, k)
    const d = head - node.invert
    const n = node.intervals
    let at = d * node.perMetre
    const i = at >= <f64>n ? n - 1 : at > 0 ? <i32>at : 0
    const here = node.rows + <usize>i * ROW
    const row = changetype<VolumeRow>(here)
    const next = changetype<VolumeRow>(here + ROW)
    at -= <f64>i
    let p: f64
    let volume: f64
    if (at < 0) {
      p = row.surface
      volume = p * d
    } else if (at > 1) {
      p = next.surface
      volume = next.volume + (at - 1) * node.metres * p
    } else {
      p = row.surface + at * (next.surface - row.surface)
      volume = row.volume + (at * node.metres * (row.surface + p)) / 2
    }
    const over = head - f64At(FLOOD_LEVEL, k)
    if (over > 0) {
      const area = f64At(FLOOD_AREA, k)
      volume += area * over
      p += area
    }
    setF64(VECTOR, k, f64At(wanted, k) - volume)
    setF64(DIAGONAL, k, p)
    const end = i32At(START, k + 1)
    for (let e = i32At(START, k); e < end; e++) {
      setF64(UPPER, e, 0)
      setF64(LOWER, e, 0)
    }
  }
}

/** Flows of conduits at some heads, and what they bring the balances and the matrix. */
export function flows(dt: f64, heads: usize, conduits: usize, count: i32): void {
  for (let j = 0; j < count; j++) {
    const c = i32At(conduits, j)
    const conduit = conduitAt(c)
    const a = conduit.from
    const b = conduit.to
    let s1 = conduit.fromSlope
    let s2 = conduit.toSlope
    const headFrom = f64At(heads, a)
    let q = conduit.constant + s1 * headFrom - s2 * f64At(heads, b)
    const cap = conduit.high + conduit.highSlope * headFrom
    if (q > cap) {
      q = cap
      s1 = conduit.highSlope
      s2 = 0
    }
    if (q < conduit.low) {
      q = conduit.low
      s1 = 0
      s2 = 0
    }
    setF64(CONDUIT_FLOW, c, q)
    const share = conduit.weight
    const mean = share * q + conduit.carried
    setF64(MEAN_FLOW, c, mean)
    const scale = dt * conduit.barrels
    const volume = scale * mean
    s1 *= scale * share
    s2 *= scale * share
    if (a < unknowns) {
      takeF64(VECTOR, a, volume)
      addF64(DIAGONAL, a, s1)
    }
    if (b < unknowns) {
      addF64(VECTOR, b, volume)
      addF64(DIAGONAL, b, s2)
    }
    const pair = conduit.pair
    if (pair >= 0) {
      const first = a < b
      takeF64(UPPER, pair, first ? s2 : s1)
      takeF64(LOWER, pair, first ? s1 : s2)
    }
  }
}

/** How many balances are open, -1 when one is beyond hope. */
export function openBalances(nodes: usize, count: i32, tolerance: f64, hopeless: f64): i32 {
  let open = 0
  for (let j = 0; j < count; j++) {
    const k = i32At(nodes, j)
    const off = abs<f64>(f64At(VECTOR, k))
    const diagonal = f64At(DIAGONAL, k)
    if (off <= tolerance * diagonal) continue
    if (!(off < hopeless * diagonal)) return -1
    open++
  }
  return open
}

/** Solves for the change of the nodes' heads and adds it to them. */
export function move(heads: usize, nodes: usize, count: i32): void {
  for (let p = 0; p < count; p++) eliminate(i32At(nodes, p))
  for (let p = count - 1; p >= 0; p--) {
    const k = i32At(nodes, p)
    let sum = f64At(VECTOR, k)
    const end = i32At(START, k + 1)
    for (let i = i32At(START, k); i < end; i++) sum -= f64At(UPPER, i) * f64At(VECTOR, i32At(PARTNER, i))
    const change = sum * f64At(INVERSES, k)
    setF64(VECTOR, k, change)
    setF64(heads, k, f64At(heads, k) + change)
  }
}

/** Takes a node out of the balances of those that come after it. */
// @inline
function eliminate(k: i32): void {
  const inverse = 1 / f64At(DIAGONAL, k)
  setF64(INVERSES, k, inverse)
  const right = f64At(VECTOR, k)
  const end = i32At(START, k + 1)
  let at = i32At(UPDATE_START, k)
  for (let i = i32At(START, k); i < end; i++) {
    const factor = f64At(LOWER, i) * inverse
    const m = i32At(PARTNER, i)
    const above = f64At(UPPER, i)
    setF64(DIAGONAL, m, f64At(DIAGONAL, m) - factor * above)
    setF64(VECTOR, m, f64At(VECTOR, m) - factor * right)
    for (let j = i + 1; j < end; j++) {
      const pair = i32At(UPDATE, at)
      at++
      setF64(UPPER, pair, f64At(UPPER, pair) - factor * f64At(UPPER, j))
      setF64(LOWER, pair, f64At(LOWER, pair) - f64At(LOWER, j) * inverse * above)
    }
  }
}
