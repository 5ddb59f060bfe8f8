// What enters, moves and is shown: src/sewer/explicit/books.ts, which says what is what.
import { addF64, f64At, i32At, setF64 } from '../arrays'
import {
  AREA,
  conduitAt,
  DEPTH,
  FLOW,
  HEAD,
  header,
  INFLOW,
  LATERAL,
  LOSS,
  MIDDLE,
  nodeAt,
  OLD_NET,
  OUTFLOW,
  OVERFLOW,
  OWN,
  SAMPLED,
  unknowns,
} from './memory'

/** A film has no meaningful velocity, m. */
const SLOW_M: f64 = 0.01 * 0.3048

export function enter(dt: f64): void {
  const count = header.nodeCount
  const nodeOf = header.nodeOf
  const rates = header.rates
  const oldRates = header.oldRates
  const entering = header.entering
  for (let p = 0; p < count; p++) {
    const n = i32At(nodeOf, p)
    const rate = f64At(rates, n)
    setF64(SAMPLED, p, rate)
    setF64(entering, n, f64At(LATERAL, p) * dt + 0.5 * (f64At(oldRates, n) + rate) * dt)
    setF64(oldRates, n, rate)
  }
}

export function account(dt: f64): void {
  const count = header.nodeCount
  const nodeOf = header.nodeOf
  const entering = header.entering
  const carried = header.carried
  const lateralVolumes = header.lateralVolumes
  const floodVolumes = header.floodVolumes
  let entered: f64 = 0
  let flooded: f64 = 0
  let left: f64 = 0
  let back: f64 = 0
  for (let p = 0; p < count; p++) {
    const n = i32At(nodeOf, p)
    const net = f64At(INFLOW, p) - f64At(OUTFLOW, p)
    const gain = 0.5 * (f64At(OLD_NET, p) + net) * dt + f64At(LATERAL, p) * dt
    setF64(OLD_NET, p, net)
    const more = f64At(entering, n)
    entered += more
    addF64(lateralVolumes, n, more)
    if (p >= unknowns) {
      addF64(header.outfallVolumes, n, gain)
      left += gain
      if (gain < 0) back -= gain
      continue
    }
    const overflow = f64At(OVERFLOW, p)
    if (!(overflow > 0 && f64At(OWN, p) <= nodeAt(p).fullOwn)) {
      addF64(carried, p, gain)
      continue
    }
    const over = overflow * dt
    addF64(carried, p, gain - over)
    addF64(floodVolumes, n, over)
    flooded += over
  }
  const sums = header.sums
  addF64(sums, 0, entered)
  addF64(sums, 1, flooded)
  addF64(sums, 2, left)
  addF64(sums, 4, back)
  if (header.seeping) seep(dt)
}

function seep(dt: f64): void {
  const count = header.conduitCount
  const old = header.oldLoss
  for (let c = 0; c < count; c++) {
    const loss = f64At(LOSS, c) + f64At(old, c)
    if (loss > 0) addF64(header.sums, 3, 0.5 * loss * dt)
  }
}

export function forget(): void {
  const count = header.nodeCount
  const flooded = header.floodVolumes
  const left = header.outfallVolumes
  const lateral = header.lateralVolumes
  for (let n = 0; n < count; n++) {
    setF64(flooded, n, 0)
    setF64(left, n, 0)
    setF64(lateral, n, 0)
  }
}

export function publish(): void {
  const count = header.nodeCount
  const nodeOf = header.nodeOf
  const heads = header.heads
  const depths = header.depths
  const volumes = header.volumes
  const carried = header.carried
  for (let p = 0; p < count; p++) {
    const n = i32At(nodeOf, p)
    setF64(heads, n, f64At(HEAD, p))
    setF64(depths, n, f64At(DEPTH, p))
    setF64(volumes, n, f64At(carried, p))
  }
  publishLinks()
}

function publishLinks(): void {
  const count = header.conduitCount
  const linkOf = header.linkOf
  const direction = header.direction
  const fullAreas = header.fullAreas
  const flows = header.flows
  const depths = header.linkDepths
  const velocities = header.velocities
  for (let c = 0; c < count; c++) {
    const i = i32At(linkOf, c)
    const y = f64At(MIDDLE, c)
    const q = f64At(direction, c) * f64At(FLOW, c)
    setF64(flows, i, q * conduitAt(c).barrels)
    setF64(depths, i, y)
    setF64(velocities, i, y > SLOW_M ? q / min<f64>(f64At(AREA, c), f64At(fullAreas, c)) : 0)
  }
  const devices = header.deviceCount
  for (let k = 0; k < devices; k++) setF64(flows, i32At(header.deviceLink, k), f64At(header.deviceFlow, k))
}
