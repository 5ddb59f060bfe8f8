import { LIVE_WINDOW_SECONDS } from '@radx/contracts/constants'
import { GaugePanel } from '../../../gauges/GaugePanel.tsx'
import type { Gauges } from '../../../gauges/useGauges.ts'
import { nearestImage } from '../../../player/nearest.ts'
import { currentImage, dispatch, useLive } from '../state/store.ts'

function pick(instantMs: number): void {
  const { data } = useLive.getState()
  const index = data && nearestImage(data.images, new Date(instantMs).toISOString())
  if (index !== null) dispatch({ type: 'chosen', counter: index })
}

/** Gauges of a signed-in user over the live window. */
export default function LiveGaugePanel({ gauges }: { gauges: Gauges }) {
  const current = useLive((state) => currentImage(state)?.datetime ?? null)
  return <GaugePanel gauges={gauges} current={current} onPick={pick} periodSeconds={LIVE_WINDOW_SECONDS} />
}
