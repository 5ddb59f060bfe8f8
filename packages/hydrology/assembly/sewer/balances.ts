// The nodes' balances and their linear system: src/sewer/step/balances.ts and src/sewer/network/elimination.ts.
import {
  BARRELS,
  CARRIED,
  CONDUIT,
  CONDUITS,
  CONDUIT_FLOW,
  CONSTANT,
  COUNT,
  DIAGONAL,
  FIRST,
  FLOOD_AREA,
  FLOOD_LEVEL,
  FROM,
  FROM_SLOPE,
  HIGH,
  HIGH_SLOPE,
  INVERSES,
  INVERT,
  LOW,
  LOWER,
  MEAN_FLOW,
  METRES,
  NODE,
  NODES,
  PAIR,
  PARTNER,
  PER_METRE,
  START,
  TO,
  TO_SLOPE,
  UPDATE,
  UPDATE_START,
  UPPER,
  VECTOR,
  WEIGHT,
  unknowns,
} from './memory'

/** What nodes lack, and the surface that stands against it; empties the matrix off its diagonal. */
export function stored(heads: usize, wanted: usize, nodes: usize, count: i32): void {
  for (let j = 0; j < count; j++) {
    const k = <usize>load<i32>(nodes + (<usize>j << 2))
    const k8 = k << 3
    const rec = NODES + k * NODE
    const head = load<f64>(heads + k8)
    const d = head - load<f64>(rec, INVERT)
    const n = load<i32>(rec, COUNT)
    let at = d * load<f64>(rec, PER_METRE)
    const i = at >= <f64>n ? n - 1 : at > 0 ? <i32>at : 0
    const row = <usize>load<u32>(rec, FIRST) + (<usize>i << 4)
    at -= <f64>i
    const v0 = load<f64>(row)
    const p0 = load<f64>(row, 8)
    const p1 = load<f64>(row, 24)
    let p: f64
    let volume: f64
    if (at < 0) {
      p = p0
      volume = p0 * d
    } else if (at > 1) {
      p = p1
      volume = load<f64>(row, 16) + (at - 1) * load<f64>(rec, METRES) * p
    } else {
      p = p0 + at * (p1 - p0)
      volume = v0 + (at * load<f64>(rec, METRES) * (p0 + p)) / 2
    }
    const over = head - load<f64>(FLOOD_LEVEL + k8)
    if (over > 0) {
      const area = load<f64>(FLOOD_AREA + k8)
      volume += area * over
      p += area
    }
    store<f64>(VECTOR + k8, load<f64>(wanted + k8) - volume)
    store<f64>(DIAGONAL + k8, p)
    const end = load<i32>(START + (k << 2), 4)
    for (let e = load<i32>(START + (k << 2)); e < end; e++) {
      store<f64>(UPPER + (<usize>e << 3), 0)
      store<f64>(LOWER + (<usize>e << 3), 0)
    }
  }
}

/** Flows of conduits at some heads, and what they bring the balances and the matrix. */
export function flows(dt: f64, heads: usize, conduits: usize, count: i32): void {
  for (let j = 0; j < count; j++) {
    const c = <usize>load<i32>(conduits + (<usize>j << 2))
    const rec = CONDUITS + c * CONDUIT
    const a = load<i32>(rec, FROM)
    const b = load<i32>(rec, TO)
    let s1 = load<f64>(rec, FROM_SLOPE)
    let s2 = load<f64>(rec, TO_SLOPE)
    const ha = load<f64>(heads + <usize>a)
    let q = load<f64>(rec, CONSTANT) + s1 * ha - s2 * load<f64>(heads + <usize>b)
    const highSlope = load<f64>(rec, HIGH_SLOPE)
    const cap = load<f64>(rec, HIGH) + highSlope * ha
    if (q > cap) {
      q = cap
      s1 = highSlope
      s2 = 0
    }
    const low = load<f64>(rec, LOW)
    if (q < low) {
      q = low
      s1 = 0
      s2 = 0
    }
    store<f64>(CONDUIT_FLOW + (c << 3), q)
    const share = load<f64>(rec, WEIGHT)
    const mean = share * q + load<f64>(rec, CARRIED)
    store<f64>(MEAN_FLOW + (c << 3), mean)
    const scale = dt * load<f64>(rec, BARRELS)
    const volume = scale * mean
    s1 *= scale * share
    s2 *= scale * share
    if (a < unknowns) {
      const vector = VECTOR + <usize>a
      const diagonal = DIAGONAL + <usize>a
      store<f64>(vector, load<f64>(vector) - volume)
      store<f64>(diagonal, load<f64>(diagonal) + s1)
    }
    if (b < unknowns) {
      const vector = VECTOR + <usize>b
      const diagonal = DIAGONAL + <usize>b
      store<f64>(vector, load<f64>(vector) + volume)
      store<f64>(diagonal, load<f64>(diagonal) + s2)
    }
    const pair = load<i32>(rec, PAIR)
    if (pair >= 0) {
      const upper = UPPER + <usize>pair
      const lower = LOWER + <usize>pair
      const first = a < b
      store<f64>(upper, load<f64>(upper) - (first ? s2 : s1))
      store<f64>(lower, load<f64>(lower) - (first ? s1 : s2))
    }
  }
}

/** How many balances are open, -1 when one is beyond hope. */
export function openBalances(nodes: usize, count: i32, tolerance: f64, hopeless: f64): i32 {
  let open = 0
  for (let j = 0; j < count; j++) {
    const k8 = <usize>load<i32>(nodes + (<usize>j << 2)) << 3
    const off = abs<f64>(load<f64>(VECTOR + k8))
    const diagonal = load<f64>(DIAGONAL + k8)
    if (off <= tolerance * diagonal) continue
    if (!(off < hopeless * diagonal)) return -1
    open++
  }
  return open
}

/** Solves for the change of the nodes' heads and adds it to them. */
export function move(heads: usize, nodes: usize, count: i32): void {
  for (let p = 0; p < count; p++) {
    const k = <usize>load<i32>(nodes + (<usize>p << 2))
    const inverse = 1 / load<f64>(DIAGONAL + (k << 3))
    store<f64>(INVERSES + (k << 3), inverse)
    const right = load<f64>(VECTOR + (k << 3))
    const end = load<i32>(START + (k << 2), 4)
    let at = load<i32>(UPDATE_START + (k << 2))
    for (let i = load<i32>(START + (k << 2)); i < end; i++) {
      const i8 = <usize>i << 3
      const below = load<f64>(LOWER + i8)
      const factor = below * inverse
      const m8 = <usize>load<i32>(PARTNER + (<usize>i << 2)) << 3
      const above = load<f64>(UPPER + i8)
      store<f64>(DIAGONAL + m8, load<f64>(DIAGONAL + m8) - factor * above)
      store<f64>(VECTOR + m8, load<f64>(VECTOR + m8) - factor * right)
      for (let j = i + 1; j < end; j++) {
        const pair = <usize>load<i32>(UPDATE + (<usize>at << 2)) << 3
        at++
        const j8 = <usize>j << 3
        store<f64>(UPPER + pair, load<f64>(UPPER + pair) - factor * load<f64>(UPPER + j8))
        store<f64>(LOWER + pair, load<f64>(LOWER + pair) - load<f64>(LOWER + j8) * inverse * above)
      }
    }
  }
  for (let p = count - 1; p >= 0; p--) {
    const k = <usize>load<i32>(nodes + (<usize>p << 2))
    const k8 = k << 3
    let sum = load<f64>(VECTOR + k8)
    const end = load<i32>(START + (k << 2), 4)
    for (let i = load<i32>(START + (k << 2)); i < end; i++) {
      const m8 = <usize>load<i32>(PARTNER + (<usize>i << 2)) << 3
      sum -= load<f64>(UPPER + (<usize>i << 3)) * load<f64>(VECTOR + m8)
    }
    const change = sum * load<f64>(INVERSES + k8)
    store<f64>(VECTOR + k8, change)
    store<f64>(heads + k8, load<f64>(heads + k8) + change)
  }
}
