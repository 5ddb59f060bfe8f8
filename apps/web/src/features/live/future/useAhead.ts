import { useMemo } from 'react'
import type { FrameCache } from '../../../map/frames/FrameCache.ts'
import { trustedLeads } from './forecast.ts'
import { type ForecastView, useFuture } from './store.ts'

export interface Ahead {
  frames: FrameCache
  times: readonly string[]
  /** When the lead on the map is valid. */
  time: string
  view: ForecastView
  /** Behind the horizon of skill. */
  beyond: boolean
}

/** What of the forecast is on the map; null while an image of the window is. */
export function useAhead(): Ahead | null {
  const { forecast, pictures, lead } = useFuture()
  const times = useMemo(() => forecast?.leads.map(({ time }) => time) ?? [], [forecast])
  if (!forecast || !pictures || lead === null) return null
  return { ...pictures, times, time: times[lead], beyond: lead >= trustedLeads(forecast) }
}
