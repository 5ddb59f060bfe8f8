import type { NOWCAST_CHANCES_MM_H } from '@radx/contracts/nowcast'
import { create } from 'zustand'
import type { FrameCache } from '../../../map/frames/FrameCache.ts'
import { type Forecast, type NoForecast, sameMoment } from './forecast.ts'

/** Rain whose probability is forecast, mm/h (`NOWCAST_CHANCES_MM_H`, whose module brings its schemas along). */
export const CHANCES_MM_H: typeof NOWCAST_CHANCES_MM_H = [0.4, 3, 10]
/** What of a forecast is on the map: its rain, or the probability of more rain than this, mm/h. */
export type ForecastView = 'rain' | (typeof CHANCES_MM_H)[number]

/** Pictures of one view, on the grid of the product that the reader looks at. */
export interface ForecastPictures {
  view: ForecastView
  frames: FrameCache
}

interface Future {
  /** One whose pictures are here. */
  forecast: Forecast | null
  pictures: ForecastPictures | null
  /** Why there is nothing to show; null while there is, or while nothing is known. */
  missing: NoForecast | null
  /** Lead on the map; null while an image of the window is. */
  lead: number | null
  /** What the reader wants to see; pictures of the view before stay until these are here. */
  view: ForecastView
  /** Its pictures did not come. */
  viewFailed: boolean
  arrows: boolean
}

const NOTHING: Future = {
  forecast: null,
  pictures: null,
  missing: null,
  lead: null,
  view: 'rain',
  viewFailed: false,
  arrows: false,
}

/** The part of the live page that is still to come; it stands beside the live state, which knows images only. */
export const useFuture = create<Future>()(() => NOTHING)

export const currentLead = ({ forecast, lead }: Pick<Future, 'forecast' | 'lead'>) =>
  lead === null ? null : (forecast?.leads[lead] ?? null)

/** A forecast with its pictures. The moment on the map stays, as the nearest lead of the new one. */
export function forecastArrived(forecast: Forecast, pictures: ForecastPictures): void {
  useFuture.setState((before) => {
    const shown = currentLead(before)
    return { forecast, pictures, missing: null, lead: shown && sameMoment(shown.time, forecast.leads) }
  })
}

export const forecastMissing = (missing: NoForecast | null) =>
  useFuture.setState({ forecast: null, pictures: null, lead: null, missing })

export const forecastLeft = () => useFuture.setState(NOTHING)
export const leaveFuture = () => useFuture.setState({ lead: null })
