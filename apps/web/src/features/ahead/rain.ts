import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSite } from '../../app/site.ts'
import { FrameCache } from '../../map/frames/FrameCache.ts'
import { rainQuery } from './api.ts'

/** Pictures of forecast rain, and their moments. */
export interface ForecastRain {
  cache: FrameCache
  times: string[]
}

/** Forecast rain of an issue, and how far that is; it may take the server some seconds to make. */
export function useRain(issued: string, wanted: boolean) {
  const { products } = useSite()
  const { data, isFetching, isError } = useQuery({ ...rainQuery(issued), enabled: wanted })
  const rain = useMemo((): ForecastRain | null => {
    const product = products.find(({ shortName }) => shortName === data?.product)
    if (!data || !product || !wanted) return null
    const cache = new FrameCache({ product: product.shortName, bounds: product.bounds, steps: data.steps })
    cache.add(data.frames)
    return { cache, times: data.frames.map(({ time }) => time) }
  }, [data, products, wanted])
  return {
    rain,
    state: !wanted || rain ? 'there' : isError ? 'missing' : isFetching ? 'coming' : 'there',
  } as const
}
