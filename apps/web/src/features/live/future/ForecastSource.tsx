import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useSite } from '../../../app/site.ts'
import { FrameCache, type FrameGrid } from '../../../map/frames/FrameCache.ts'
import { RegriddedFrames } from '../../../map/frames/RegriddedFrames.ts'
import { useNow } from '../../../ui/useNow.ts'
import { forecastQuery, picturesQuery } from './api.ts'
import { forecastOf, isOver } from './forecast.ts'
import { forecastArrived, forecastLeft, forecastMissing, leaveFuture, useFuture } from './store.ts'

/** Keeps the newest forecast for the player and the map, on the grid of the product that is looked at. */
export default function ForecastSource({ grid, newest }: { grid: FrameGrid; newest: string | null }) {
  const now = useNow()
  const { data: about, isError } = useQuery(forecastQuery)
  const found = useMemo(() => (about ? forecastOf(about) : null), [about])
  const over = found !== null && typeof found === 'object' && isOver(found, now)
  const forecast = typeof found === 'object' && !over ? found : null
  const { pictures, failed } = usePictures(forecast, grid)
  const none = useFuture((state) => state.forecast === null)
  const unread = none && ((isError && !about) || failed)
  const missing = over ? 'over' : typeof found === 'string' ? found : unread ? 'failed' : null

  useEffect(() => {
    if (forecast && pictures) forecastArrived(forecast, pictures)
  }, [forecast, pictures])
  useEffect(() => {
    if (missing !== null) forecastMissing(missing)
  }, [missing])

  // The radar gave an image: a forecast follows it.
  const client = useQueryClient()
  const seen = useRef(newest)
  useEffect(() => {
    if (seen.current !== null && newest !== seen.current)
      void client.invalidateQueries({ queryKey: ['nowcast'] })
    seen.current = newest
  }, [client, newest])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another product starts at its newest image
  useEffect(() => leaveFuture, [grid.product])
  useEffect(() => forecastLeft, [])
  return null
}

/** Pictures of the view that the reader chose; undefined while they are on their way, and when they did not come. */
function usePictures(forecast: ReturnType<typeof useFuture.getState>['forecast'], grid: FrameGrid) {
  const site = useSite()
  const view = useFuture((state) => state.view)
  const ready = forecast !== null && (view === 'rain' || forecast.members > 0)
  const { data: frames, isError } = useQuery({
    ...picturesQuery(forecast?.issued ?? '', view),
    enabled: ready,
  })
  const from = site.products.find(({ shortName }) => shortName === forecast?.product)
  const pictures = useMemo(() => {
    if (!frames || !from) return undefined
    const same = from.shortName === grid.product
    const cache = same ? new FrameCache(grid) : new RegriddedFrames(from, grid)
    cache.add(frames)
    return { view, frames: cache }
  }, [frames, from, grid, view])
  useEffect(() => useFuture.setState({ viewFailed: isError }), [isError])
  return { pictures, failed: isError }
}
