import type { Stateful } from '../../state/state.ts'
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
  const { nodes, links } = sewer.network
  const f64 = (n: number) => new Float64Array(n)
  const link = {
    maxAbsFlow: f64(links.length),
    timeS: f64(links.length),
    maxVelocity: f64(links.length),
    maxFullDepthRatio: f64(links.length),
    volume: f64(links.length),
    surchargedS: f64(links.length),
  }
  const node = {
    maxDepth: sewer.depths.slice(),
    maxHead: sewer.heads.slice(),
    timeS: f64(nodes.length),
    maxInflow: f64(nodes.length),
    floodVolume: f64(nodes.length),
    outfallVolume: f64(nodes.length),
  }
  const arriving = f64(nodes.length)
  const from = Int32Array.from(links, (l) => l.from)
  const to = Int32Array.from(links, (l) => l.to)
  const { linkFullDepths, crowns } = sewer
  const deepest = f64(links.length)
  return {
    link,
    node,
    visit(state) {
      for (const [name, figures] of [
        ['link', { ...link, deepest }],
        ['node', node],
      ] as const)
        state.part(name, (own) => {
          for (const [figure, values] of Object.entries(figures)) own.array(figure, values)
        })
    },
    observe(dtS) {
      const t = sewer.timeS
      const { flows, heads, depths, velocities, linkDepths, lateralVolumes } = sewer
      const { floodVolumes, outfallVolumes } = sewer
      for (let n = 0; n < nodes.length; n++) {
        const volume = lateralVolumes[n]
        arriving[n] = volume > 0 ? volume / dtS : 0
      }
      for (let i = 0; i < links.length; i++) {
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
        const full = linkFullDepths[i]
        if (full > 0) {
          if (linkDepths[i] > deepest[i]) {
            deepest[i] = linkDepths[i]
            link.maxFullDepthRatio[i] = deepest[i] / full
          }
          if (heads[from[i]] >= crowns[2 * i] && heads[to[i]] >= crowns[2 * i + 1]) link.surchargedS[i] += dtS
        }
      }
      for (let n = 0; n < nodes.length; n++) {
        if (depths[n] > node.maxDepth[n]) {
          node.maxDepth[n] = depths[n]
          node.maxHead[n] = heads[n]
          node.timeS[n] = t
        }
        if (arriving[n] > node.maxInflow[n]) node.maxInflow[n] = arriving[n]
        node.floodVolume[n] += floodVolumes[n]
        node.outfallVolume[n] += outfallVolumes[n]
      }
    },
  }
}
