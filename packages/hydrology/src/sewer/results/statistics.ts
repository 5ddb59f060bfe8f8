import type { Sewer } from '../types.ts'

/** What a report says of a run beside its peaks, in SI and in the order of the network; times s since the start. */
export interface SewerStatistics {
  node: {
    /** Sum of the depths at reporting times and the largest of them, m. */
    depthSum: Float64Array
    reportedDepth: Float64Array
    maxLateral: Float64Array
    maxInflow: Float64Array
    inflowTimeS: Float64Array
    /** m3 since the start: from outside, and with what links bring. */
    lateralVolume: Float64Array
    inflowVolume: Float64Array
    surchargedS: Float64Array
    floodedS: Float64Array
    maxFlooding: Float64Array
    floodTimeS: Float64Array
    /** Storage: sum of volumes at reporting times, largest volume, when, and largest outflow. */
    volumeSum: Float64Array
    maxVolume: Float64Array
    volumeTimeS: Float64Array
    maxOutflow: Float64Array
    /** Outfalls: reporting times with flow, and the sum of these flows. */
    flowing: Float64Array
    flowSum: Float64Array
  }
  link: {
    /** Hours full: both ends, upstream, downstream, s. */
    fullS: Float64Array
    fullUpS: Float64Array
    fullDownS: Float64Array
    dryS: Float64Array
    /** Pumps: s on, starts, smallest and summed flow while on. */
    onS: Float64Array
    starts: Float64Array
    minFlow: Float64Array
  }
  /** Largest sum of the outfalls' flows, m3/s. */
  maxOutfall: number
  reports: number
  observe(dtS: number): void
  /** Takes a reporting time. */
  report(): void
}

/** Flow of an outfall that counts as one, m3/s (0.001 ft3/s). */
const LEAST_FLOW = 0.001 * 0.3048 ** 3
/** Water in a conduit that counts as dry, m. */
const DRY_M = 3.048e-4

export function createStatistics(sewer: Sewer): SewerStatistics {
  const { nodes, links } = sewer.network
  const perNode = () => new Float64Array(nodes.length)
  const perLink = () => new Float64Array(links.length)
  const node = {
    depthSum: perNode(),
    reportedDepth: perNode(),
    maxLateral: perNode(),
    maxInflow: perNode(),
    inflowTimeS: perNode(),
    lateralVolume: perNode(),
    inflowVolume: perNode(),
    surchargedS: perNode(),
    floodedS: perNode(),
    maxFlooding: perNode(),
    floodTimeS: perNode(),
    volumeSum: perNode(),
    maxVolume: perNode(),
    volumeTimeS: perNode(),
    maxOutflow: perNode(),
    flowing: perNode(),
    flowSum: perNode(),
  }
  const link = {
    fullS: perLink(),
    fullUpS: perLink(),
    fullDownS: perLink(),
    dryS: perLink(),
    onS: perLink(),
    starts: perLink(),
    minFlow: perLink().fill(Infinity),
  }
  const crown = highestCrowns(sewer)
  const arriving = perNode()
  const leaving = perNode()
  const isOn = new Uint8Array(links.length)
  const storage = nodes.flatMap((one, n) => (one.kind === 'storage' ? [n] : []))
  const outfalls = nodes.flatMap((one, n) => (one.kind === 'outfall' ? [n] : []))
  const pumps = links.flatMap((one, i) => (one.kind === 'pump' ? [i] : []))

  function observeLinks(dt: number) {
    const { flows, heads, crowns, linkFullDepths, linkDepths } = sewer
    for (let i = 0; i < links.length; i++) {
      const { from, to } = links[i]
      const q = flows[i]
      arriving[q > 0 ? to : from] += Math.abs(q)
      leaving[q > 0 ? from : to] += Math.abs(q)
      if (!(linkFullDepths[i] > 0)) continue
      const up = heads[from] >= crowns[2 * i]
      const down = heads[to] >= crowns[2 * i + 1]
      if (up) link.fullUpS[i] += dt
      if (down) link.fullDownS[i] += dt
      if (up && down) link.fullS[i] += dt
      if (linkDepths[i] <= DRY_M) link.dryS[i] += dt
    }
    for (const i of pumps) {
      const q = flows[i]
      if (q > 0) {
        link.onS[i] += dt
        link.minFlow[i] = Math.min(link.minFlow[i], q)
        if (isOn[i] === 0) link.starts[i]++
      }
      isOn[i] = q > 0 ? 1 : 0
    }
  }

  const statistics: SewerStatistics = {
    node,
    link,
    maxOutfall: 0,
    reports: 0,
    observe(dt) {
      const { timeS, heads, lateralVolumes, floodVolumes, volumes } = sewer
      arriving.fill(0)
      leaving.fill(0)
      observeLinks(dt)
      for (let n = 0; n < nodes.length; n++) {
        const lateral = lateralVolumes[n] / dt
        node.maxLateral[n] = Math.max(node.maxLateral[n], lateral)
        node.lateralVolume[n] += lateralVolumes[n]
        const inflow = arriving[n] + Math.max(0, lateral)
        node.inflowVolume[n] += inflow * dt
        if (inflow > node.maxInflow[n]) {
          node.maxInflow[n] = inflow
          node.inflowTimeS[n] = timeS
        }
        if (heads[n] > crown[n]) node.surchargedS[n] += dt
        const flooding = floodVolumes[n] / dt
        if (flooding <= 0) continue
        node.floodedS[n] += dt
        if (flooding > node.maxFlooding[n]) {
          node.maxFlooding[n] = flooding
          node.floodTimeS[n] = timeS
        }
      }
      for (const n of storage) {
        node.maxOutflow[n] = Math.max(node.maxOutflow[n], leaving[n])
        if (volumes[n] <= node.maxVolume[n]) continue
        node.maxVolume[n] = volumes[n]
        node.volumeTimeS[n] = timeS
      }
      let out = 0
      for (const n of outfalls) out += sewer.outfallVolumes[n] / dt
      statistics.maxOutfall = Math.max(statistics.maxOutfall, out)
    },
    report() {
      statistics.reports++
      for (let n = 0; n < nodes.length; n++) {
        node.depthSum[n] += sewer.depths[n]
        node.reportedDepth[n] = Math.max(node.reportedDepth[n], sewer.depths[n])
      }
      for (const n of storage) node.volumeSum[n] += sewer.volumes[n]
      for (const n of outfalls) {
        const flow = arriving[n]
        if (flow < LEAST_FLOW) continue
        node.flowing[n]++
        node.flowSum[n] += flow
      }
    },
  }
  return statistics
}

/** Elevation of the highest crown at each node, m; Infinity where no conduit ends. */
export function highestCrowns(sewer: Sewer): Float64Array {
  const { nodes, links } = sewer.network
  const crown = new Float64Array(nodes.length).fill(-Infinity)
  links.forEach((link, i) => {
    if (link.kind !== 'conduit' || !(sewer.linkFullDepths[i] > 0)) return
    crown[link.from] = Math.max(crown[link.from], sewer.crowns[2 * i])
    crown[link.to] = Math.max(crown[link.to], sewer.crowns[2 * i + 1])
  })
  return crown.map((value) => (value === -Infinity ? Infinity : value))
}
