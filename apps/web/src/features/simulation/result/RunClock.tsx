import { runStartMs } from '@radx/contracts/simulation-constants'
import { useSite } from '../../../app/site.ts'
import { ClockBar } from '../../../player/run/ClockBar.tsx'
import type { SimulationJob } from '../api.ts'

/** Player of a run's clock. */
export function RunClock({ job: { input } }: { job: SimulationJob }) {
  const { timeZone } = useSite()
  return (
    <ClockBar
      startMs={input.rainfallSelection === 'virtual' ? null : runStartMs(input)}
      timeZone={timeZone}
    />
  )
}
