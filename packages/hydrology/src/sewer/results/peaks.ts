import type { Stateful } from '../../state/state.ts'
import { heap, type Room } from '../network/room.ts'
import type { Sewer } from '../types.ts'

/** Flows of peaks are means over at most this long, s, or over one internal step where that is longer. */
export const PEAKS_OVER_S = 5

/** Makes a step of the caller and observes it in spells of `PEAKS_OVER_S`; `observe`: given how long one was, s. */
export function stepObserved(sewer: Sewer, dtS: number, observe: (dtS: number) => void): void {
  sewer.begin(dtS)
  let shownS = sewer.timeS
  while (sewer.proceed()) {
    if (sewer.timeS - shownS < sewer.peaksOverS) continue
    observe(sewer.show())
    shownS = sewer.timeS
  }
  observe(sewer.end())
}

/** What a run is remembered by, in SI and in the order of the network; times s since the start. */
export interface SewerPeaks extends Stateful {
  link: {
    maxAbsFlow: Float64Array
    timeS: Float64Array
    maxVelocity: Float64Array
    /** Largest middle depth over full depth; 0 for links without a section. */
    maxFullDepthRatio: Float64Array
    /** Net volume that passed from `from` to `to`, m3. */
    volume: Float64Array
    /** Time with both ends above the crown, s. */
    surchargedS: Float64Array
  }
  node: {
    maxDepth: Float64Array
    maxHead: Float64Array
    timeS: Float64Array
    maxInflow: Float64Array
    floodVolume: Float64Array
    /** Net volume out, m3; outfalls only. */
    outfallVolume: Float64Array
  }
  /** Takes the step of `dtS` seconds that the sewer has just made. */
  observe(dtS: number): void
}

/** Starts with the state that the sewer has now; call `observe` after every step of at most a few seconds. */
export function createPeaks(sewer: Sewer): SewerPeaks {
  const own = sewer.observers?.peaks()
  const room = own?.room ?? heap
  const { nodes, links } = sewer.network
  const f64 = () => room.f64(links.length)
  const link = {
    ...{ maxAbsFlow: f64(), timeS: f64(), maxVelocity: f64(), maxFullDepthRatio: f64(), volume: f64() },
    surchargedS: f64(),
  }
  const perNode = () => room.f64(nodes.length)
  const node = {
    ...{ maxDepth: perNode(), maxHead: perNode(), timeS: perNode(), maxInflow: perNode() },
    ...{ floodVolume: perNode(), outfallVolume: perNode() },
  }
  node.maxDepth.set(sewer.depths)
  node.maxHead.set(sewer.heads)
  const deepest = f64()
  const figures: Figures = { link, node, deepest, arriving: perNode(), ...facts(sewer, room) }
  return {
    link,
    node,
    visit(state) {
      for (const [name, columns] of [
        ['link', { ...link, deepest }],
        ['node', node],
      ] as const)
        state.part(name, (part) => {
          for (const [figure, values] of Object.entries(columns)) part.array(figure, values)
        })
    },
    observe: own?.bind(asCompiled(figures)) ?? observing(sewer, figures),
  }
}

interface Figures extends ReturnType<typeof facts>, Pick<SewerPeaks, 'link' | 'node'> {
  /** Largest depth by link, m. */
  deepest: Float64Array
  /** Flow that comes to each node, m3/s. */
  arriving: Float64Array
}

/** What stays of links, in a room: their nodes, full depths and crowns. */
export function facts(sewer: Sewer, room: Room) {
  const { links } = sewer.network
  const from = room.i32(links.length)
  const to = room.i32(links.length)
  from.set(links.map((link) => link.from))
  to.set(links.map((link) => link.to))
  const fullDepth = room.f64(links.length)
  fullDepth.set(sewer.linkFullDepths)
  const crowns = room.f64(2 * links.length)
  crowns.set(sewer.crowns)
  return { from, to, fullDepth, crowns }
}

const asCompiled = ({ link, node, ...rest }: Figures) => ({
  ...rest,
  maxAbsFlow: link.maxAbsFlow,
  flowTimeS: link.timeS,
  maxVelocity: link.maxVelocity,
  maxFullDepthRatio: link.maxFullDepthRatio,
  passed: link.volume,
  surchargedS: link.surchargedS,
  maxDepth: node.maxDepth,
  maxHead: node.maxHead,
  depthTimeS: node.timeS,
  maxInflow: node.maxInflow,
  flooded: node.floodVolume,
  left: node.outfallVolume,
})

/** What the compiled loop (assembly/explicit/observe.ts) is held against. */
function observing(sewer: Sewer, figures: Figures): SewerPeaks['observe'] {
  const { link, node, deepest, arriving, from, to, fullDepth, crowns } = figures
  return (dtS) => {
    const t = sewer.timeS
    const { flows, heads, depths, velocities, linkDepths, lateralVolumes } = sewer
    const { floodVolumes, outfallVolumes } = sewer
    for (let n = 0; n < arriving.length; n++) {
      const volume = lateralVolumes[n]
      arriving[n] = volume > 0 ? volume / dtS : 0
    }
    for (let i = 0; i < from.length; i++) {
      const q = flows[i]
      if (q > 0) arriving[to[i]] += q
      else arriving[from[i]] -= q
      const size = Math.abs(q)
      if (size > link.maxAbsFlow[i]) {
        link.maxAbsFlow[i] = size
        link.timeS[i] = t
      }
      const v = Math.abs(velocities[i])
      if (v > link.maxVelocity[i]) link.maxVelocity[i] = v
      link.volume[i] += q * dtS
      const full = fullDepth[i]
      if (full > 0) {
        if (linkDepths[i] > deepest[i]) {
          deepest[i] = linkDepths[i]
          link.maxFullDepthRatio[i] = deepest[i] / full
        }
        if (heads[from[i]] >= crowns[2 * i] && heads[to[i]] >= crowns[2 * i + 1]) link.surchargedS[i] += dtS
      }
    }
    for (let n = 0; n < arriving.length; n++) {
      if (depths[n] > node.maxDepth[n]) {
        node.maxDepth[n] = depths[n]
        node.maxHead[n] = heads[n]
        node.timeS[n] = t
      }
      if (arriving[n] > node.maxInflow[n]) node.maxInflow[n] = arriving[n]
      node.floodVolume[n] += floodVolumes[n]
      node.outfallVolume[n] += outfallVolumes[n]
    }
  }
}
