import type { RunFlows } from '@radx/contracts/flood'
import type { MontanaTable } from '@radx/contracts/storms'
import { DURATIONS_MIN, largestDepths } from '@radx/rainfall/storms/depth-duration'
import { returnPeriod, returnPeriodFr } from '@radx/rainfall/storms/montana'
import { rarestDepth } from '@radx/rainfall/storms/rarest'

const MINUTE_S = 60

/**
 * The duration whose largest depth over the catchment comes back least often by a table, and how often that is; null where
 * the table says nothing of any. Durations shorter than the moments of the run are apart are not known.
 */
export function rarityOf(
  { timesS, rainMmH }: Pick<RunFlows, 'timesS' | 'rainMmH'>,
  { laws }: Pick<MontanaTable, 'laws'>,
): { durationMin: number; label: string } | null {
  if (timesS.length < 2) return null
  const edgesMin = timesS.map((timeS) => timeS / MINUTE_S)
  const longest = edgesMin.slice(1).reduce((most, edge, k) => Math.max(most, edge - edgesMin[k]), 0)
  const durations = DURATIONS_MIN.filter((minutes) => minutes >= longest)
  // Rates are means since the moment before; the first has none.
  const depths = largestDepths({ edgesMin, ratesMmH: rainMmH.slice(1) }, durations).map(
    ({ durationMin, depthMm }) => {
      const period = returnPeriod(laws, durationMin, depthMm)
      const years = 'years' in period ? period.years : null
      return { durationMin, label: returnPeriodFr(period), period: { kind: period.kind, years } }
    },
  )
  return rarestDepth({ depths })
}
