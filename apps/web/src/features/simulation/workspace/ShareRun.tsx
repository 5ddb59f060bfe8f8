import type { GridPlace } from '@radx/contracts/flood'
import { useQueryClient } from '@tanstack/react-query'
import { useSite } from '../../../app/site.ts'
import { useRadxMap } from '../../../map/context.ts'
import type { PlateLegend } from '../../../share/plate.ts'
import { ShareButton } from '../../../share/ShareButton.tsx'
import type { CodeClass } from '../../../town/WaterFrames.ts'
import type { SimulationJob } from '../api.ts'

export interface SeenRun {
  job: SimulationJob
  place: GridPlace
  /** Moments of the kept depths, s; undefined where there are none. */
  timesS: readonly number[] | undefined
  title: string
  /** The layer follows the clock. */
  isNow: boolean
  bands: PlateLegend['classes']
  /** Classes of water, for the animation. */
  water: readonly CodeClass[]
  waterBands: PlateLegend['classes']
}

/** Sharing of a result: the map as it is, and its water over time. */
export function ShareRun(seen: SeenRun) {
  const radx = useRadxMap()
  const site = useSite()
  const client = useQueryClient()
  return (
    <ShareButton
      load={async () => (await import('./share.ts')).runSubject({ radx, site, client, ...seen })}
    />
  )
}
