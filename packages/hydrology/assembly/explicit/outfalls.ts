// Depths of water at the outfalls: src/sewer/devices/outfalls.ts, which says what is what.
import { f64At, i32At, setF64 } from '../arrays'
import { Section } from '../sections/records'
import { criticalDepth, normalDepth } from '../sections/tables'
import { conduitAt, DEPTH, FLOW, HEAD, header, nodeAt, unknowns } from './memory'

const NORMAL: i32 = 1
const STAGE: i32 = 2

export function setOutfalls(): void {
  const count = header.nodeCount - unknowns
  for (let k = 0; k < count; k++) {
    const p = unknowns + k
    const invert = nodeAt(p).invert
    const head = invert + depthOf(k, invert)
    setF64(HEAD, p, head)
    setF64(DEPTH, p, head - invert)
  }
}

function depthOf(k: i32, invert: f64): f64 {
  const kind = i32At(header.outfallKind, k)
  const offset = f64At(header.outfallOffset, k)
  const c = i32At(header.outfallConduit, k)
  if (kind !== STAGE && offset > 0) return 0
  let free: f64 = 0
  if (c >= 0) {
    const conduit = conduitAt(c)
    const section = changetype<Section>(conduit.table)
    const q = abs<f64>(f64At(FLOW, c))
    const normal = normalDepth(section, q, conduit.beta)
    if (kind === NORMAL) return normal
    free = min<f64>(normal, criticalDepth(section, q))
  }
  if (kind !== STAGE) return free
  const stage = f64At(header.stages, k)
  if (invert + offset + free < stage) return stage - invert
  if (!(offset > 0)) return free
  return stage < invert + offset ? max<f64>(0, stage - invert) : offset + free
}
