// Peaks and statistics of a step that was shown: `observe` of src/sewer/results/peaks.ts and statistics.ts.
import { addF64, f64At, i32At, setF64, takeF64 } from '../arrays'
import { header } from './memory'
import { PeakArrays, StatisticArrays } from './records'

/** Water in a conduit that counts as dry, m. */
const DRY_M: f64 = 3.048e-4

let peaks: PeakArrays = changetype<PeakArrays>(0)
let statistics: StatisticArrays = changetype<StatisticArrays>(0)

export function bindPeaks(at: usize): void {
  peaks = changetype<PeakArrays>(at)
}

export function bindStatistics(at: usize): void {
  statistics = changetype<StatisticArrays>(at)
}

/** Keeps the larger value. @returns whether it is the new one */
// @inline
function raise(values: usize, i: i32, value: f64): bool {
  if (!(value > f64At(values, i))) return false
  setF64(values, i, value)
  return true
}

/** @param timeS where the step of `dt` ended */
export function observePeaks(dt: f64, timeS: f64): void {
  const nodes = header.nodeCount
  const arriving = peaks.arriving
  const lateral = header.lateralVolumes
  for (let n = 0; n < nodes; n++) {
    const volume = f64At(lateral, n)
    setF64(arriving, n, volume > 0 ? volume / dt : 0)
  }
  const count = header.linkCount
  for (let i = 0; i < count; i++) observeLink(i, dt, timeS)
  const depths = header.depths
  const heads = header.heads
  for (let n = 0; n < nodes; n++) {
    if (raise(peaks.maxDepth, n, f64At(depths, n))) {
      setF64(peaks.maxHead, n, f64At(heads, n))
      setF64(peaks.depthTimeS, n, timeS)
    }
    raise(peaks.maxInflow, n, f64At(arriving, n))
    addF64(peaks.flooded, n, f64At(header.floodVolumes, n))
    addF64(peaks.left, n, f64At(header.outfallVolumes, n))
  }
}

// @inline
function observeLink(i: i32, dt: f64, timeS: f64): void {
  const q = f64At(header.flows, i)
  const from = i32At(peaks.from, i)
  const to = i32At(peaks.to, i)
  if (q > 0) addF64(peaks.arriving, to, q)
  else takeF64(peaks.arriving, from, q)
  if (raise(peaks.maxAbsFlow, i, abs<f64>(q))) setF64(peaks.flowTimeS, i, timeS)
  raise(peaks.maxVelocity, i, abs<f64>(f64At(header.velocities, i)))
  addF64(peaks.passed, i, q * dt)
  const full = f64At(peaks.fullDepth, i)
  if (!(full > 0)) return
  const y = f64At(header.linkDepths, i)
  if (raise(peaks.deepest, i, y)) setF64(peaks.maxFullDepthRatio, i, y / full)
  if (
    f64At(header.heads, from) >= f64At(peaks.crowns, 2 * i) &&
    f64At(header.heads, to) >= f64At(peaks.crowns, 2 * i + 1)
  )
    addF64(peaks.surchargedS, i, dt)
}

/** Of links and nodes; pumps, storage and outfalls, which are few, are the host's. @param timeS where the step of `dt` ended */
export function observeStatistics(dt: f64, timeS: f64): void {
  const nodes = header.nodeCount
  for (let n = 0; n < nodes; n++) {
    setF64(statistics.arriving, n, 0)
    setF64(statistics.leaving, n, 0)
  }
  const count = header.linkCount
  for (let i = 0; i < count; i++) countLink(i, dt)
  for (let n = 0; n < nodes; n++) countNode(n, dt, timeS)
}

// @inline
function countLink(i: i32, dt: f64): void {
  const q = f64At(header.flows, i)
  const from = i32At(statistics.from, i)
  const to = i32At(statistics.to, i)
  addF64(statistics.arriving, q > 0 ? to : from, abs<f64>(q))
  addF64(statistics.leaving, q > 0 ? from : to, abs<f64>(q))
  if (!(f64At(statistics.fullDepth, i) > 0)) return
  const up = f64At(header.heads, from) >= f64At(statistics.crowns, 2 * i)
  const down = f64At(header.heads, to) >= f64At(statistics.crowns, 2 * i + 1)
  if (up) addF64(statistics.fullUpS, i, dt)
  if (down) addF64(statistics.fullDownS, i, dt)
  if (up && down) addF64(statistics.fullS, i, dt)
  if (f64At(header.linkDepths, i) <= DRY_M) addF64(statistics.dryS, i, dt)
}

// @inline
function countNode(n: i32, dt: f64, timeS: f64): void {
  const volume = f64At(header.lateralVolumes, n)
  const lateral = volume / dt
  raise(statistics.maxLateral, n, lateral)
  addF64(statistics.lateralVolume, n, volume)
  const inflow = f64At(statistics.arriving, n) + max<f64>(0, lateral)
  addF64(statistics.inflowVolume, n, inflow * dt)
  if (raise(statistics.maxInflow, n, inflow)) setF64(statistics.inflowTimeS, n, timeS)
  if (f64At(header.heads, n) > f64At(statistics.crown, n)) addF64(statistics.surchargedS, n, dt)
  const flooding = f64At(header.floodVolumes, n) / dt
  if (!(flooding > 0)) return
  addF64(statistics.floodedS, n, dt)
  if (raise(statistics.maxFlooding, n, flooding)) setF64(statistics.floodTimeS, n, timeS)
}
