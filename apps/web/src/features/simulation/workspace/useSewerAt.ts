import { SEWER_DRY, SEWER_FULL } from '@radx/contracts/simulation-constants'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useClock } from '../../../player/run/clock.ts'
import type { SimulationJob } from '../api.ts'
import { heldAt } from '../result/timeline/moments.ts'
import { sewerMomentsQuery } from './api.ts'

/** What the network does at a moment. */
export interface SewerAt {
  /** Depth over full depth of each link with a section, 1 where it runs full. */
  filling: ReadonlyMap<string, number>
  /** What comes out of each node that overflows, l/s. */
  overflowLS: ReadonlyMap<string, number>
}

/** What came together at the end of an interval, at the moment of the clock; null while it is not known or not wanted. */
export function useSewerAt(job: SimulationJob, enabled: boolean): SewerAt | null {
  const { data } = useQuery({ ...sewerMomentsQuery(job.id), enabled })
  const at = useClock(({ timeS }) =>
    enabled && data && timeS >= (data.timesS[0] ?? Number.POSITIVE_INFINITY)
      ? heldAt(data.timesS, timeS).before
      : -1,
  )
  return useMemo(() => {
    if (!enabled || !data) return null
    const { links, nodes, codes } = data
    // Before the end of the first interval nothing is told: the network is as it began.
    const from = at * (links.length + nodes.length)
    const code = (k: number) => (at < 0 ? 0 : codes[from + k])
    return {
      filling: new Map(
        links.flatMap((name, k) => (code(k) === SEWER_DRY ? [] : [[name, code(k) / SEWER_FULL]])),
      ),
      overflowLS: new Map(
        nodes.flatMap((name, k) => {
          const litres = code(links.length + k)
          return litres > 0 ? [[name, litres]] : []
        }),
      ),
    }
  }, [enabled, data, at])
}
