import { heap, type Room } from '../network/room.ts'
import type { Sewer } from '../types.ts'
import { facts } from './peaks.ts'

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

const NODE_FIGURES = [
  'depthSum',
  'reportedDepth',
  'maxLateral',
  'maxInflow',
  'inflowTimeS',
  'lateralVolume',
  'inflowVolume',
  'surchargedS',
  'floodedS',
  'maxFlooding',
  'floodTimeS',
  'volumeSum',
  'maxVolume',
  'volumeTimeS',
  'maxOutflow',
  'flowing',
  'flowSum',
] as const
/** Those that the compiled loop fills. */
const COMPILED_NODE_FIGURES = [
  'maxLateral',
  'lateralVolume',
  'inflowVolume',
  'maxInflow',
  'inflowTimeS',
  'surchargedS',
  'floodedS',
  'maxFlooding',
  'floodTimeS',
] as const
const COMPILED_LINK_FIGURES = ['fullS', 'fullUpS', 'fullDownS', 'dryS'] as const
const LINK_FIGURES = ['fullS', 'fullUpS', 'fullDownS', 'dryS', 'onS', 'starts', 'minFlow'] as const

const zeros = <N extends string>(room: Room, names: readonly N[], count: number) =>
  Object.fromEntries(names.map((name) => [name, room.f64(count)])) as Record<N, Float64Array>

export function createStatistics(sewer: Sewer): SewerStatistics {
  return new Statistics(sewer)
}

class Statistics implements SewerStatistics {
  readonly node: SewerStatistics['node']
  readonly link: SewerStatistics['link']
  maxOutfall = 0
  reports = 0
  private readonly sewer: Sewer
  private readonly crown: Float64Array
  /** Flows that links bring and take in the step, m3/s, by node, and 1 for pumps that run, by link. */
  private readonly arriving: Float64Array
  private readonly leaving: Float64Array
  private readonly isOn: Uint8Array
  /** Of each link, side by side: a look into every link's own object takes four times as long. */
  private readonly facts: ReturnType<typeof facts>
  private readonly storage: number[]
  private readonly outfalls: number[]
  private readonly pumps: number[]

  private readonly compiled: ((dtS: number) => void) | undefined

  constructor(sewer: Sewer) {
    const { nodes, links } = sewer.network
    const own = sewer.observers?.statistics()
    const room = own?.room ?? heap
    this.sewer = sewer
    this.node = zeros(heap, NODE_FIGURES, nodes.length)
    this.link = zeros(heap, LINK_FIGURES, links.length)
    Object.assign(this.node, zeros(room, COMPILED_NODE_FIGURES, nodes.length))
    Object.assign(this.link, zeros(room, COMPILED_LINK_FIGURES, links.length))
    this.link.minFlow.fill(Infinity)
    this.crown = room.f64(nodes.length)
    this.crown.set(highestCrowns(sewer))
    this.arriving = room.f64(nodes.length)
    this.leaving = room.f64(nodes.length)
    this.isOn = new Uint8Array(links.length)
    this.facts = facts(sewer, room)
    this.storage = nodes.flatMap((one, n) => (one.kind === 'storage' ? [n] : []))
    this.outfalls = nodes.flatMap((one, n) => (one.kind === 'outfall' ? [n] : []))
    this.pumps = links.flatMap((one, i) => (one.kind === 'pump' ? [i] : []))
    const { arriving, leaving, crown } = this
    this.compiled = own?.bind({ ...this.facts, arriving, leaving, crown, ...this.node, ...this.link })
  }

  observe(dt: number): void {
    if (this.compiled) this.compiled(dt)
    else this.observeAll(dt)
    this.observePumps(dt)
    this.observeStorage()
    let out = 0
    for (const n of this.outfalls) out += this.sewer.outfallVolumes[n] / dt
    this.maxOutfall = Math.max(this.maxOutfall, out)
  }

  report(): void {
    const { node, sewer, arriving } = this
    this.reports++
    for (let n = 0; n < sewer.depths.length; n++) {
      node.depthSum[n] += sewer.depths[n]
      node.reportedDepth[n] = Math.max(node.reportedDepth[n], sewer.depths[n])
    }
    for (const n of this.storage) node.volumeSum[n] += sewer.volumes[n]
    for (const n of this.outfalls) {
      const flow = arriving[n]
      if (flow < LEAST_FLOW) continue
      node.flowing[n]++
      node.flowSum[n] += flow
    }
  }

  /** Links and nodes; what the compiled loop (assembly/explicit/observe.ts) is held against. */
  private observeAll(dt: number): void {
    this.arriving.fill(0)
    this.leaving.fill(0)
    this.observeLinks(dt)
    this.observeNodes(dt)
  }

  private observeLinks(dt: number): void {
    const { link, arriving, leaving } = this
    const { flows, heads, linkDepths } = this.sewer
    const { fullDepth, crowns } = this.facts
    for (let i = 0; i < flows.length; i++) {
      const from = this.facts.from[i]
      const to = this.facts.to[i]
      const q = flows[i]
      arriving[q > 0 ? to : from] += Math.abs(q)
      leaving[q > 0 ? from : to] += Math.abs(q)
      if (!(fullDepth[i] > 0)) continue
      const up = heads[from] >= crowns[2 * i]
      const down = heads[to] >= crowns[2 * i + 1]
      if (up) link.fullUpS[i] += dt
      if (down) link.fullDownS[i] += dt
      if (up && down) link.fullS[i] += dt
      if (linkDepths[i] <= DRY_M) link.dryS[i] += dt
    }
  }

  private observePumps(dt: number): void {
    const { link, isOn, sewer } = this
    for (const i of this.pumps) {
      const q = sewer.flows[i]
      if (q > 0) {
        link.onS[i] += dt
        link.minFlow[i] = Math.min(link.minFlow[i], q)
        if (isOn[i] === 0) link.starts[i]++
      }
      isOn[i] = q > 0 ? 1 : 0
    }
  }

  private observeNodes(dt: number): void {
    const { node, crown, arriving } = this
    const { timeS, heads, lateralVolumes, floodVolumes } = this.sewer
    for (let n = 0; n < heads.length; n++) {
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
  }

  private observeStorage(): void {
    const { node, leaving } = this
    const { timeS, volumes } = this.sewer
    for (const n of this.storage) {
      node.maxOutflow[n] = Math.max(node.maxOutflow[n], leaving[n])
      if (volumes[n] <= node.maxVolume[n]) continue
      node.maxVolume[n] = volumes[n]
      node.volumeTimeS[n] = timeS
    }
  }
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
