import type { CatchmentCollection } from '@radx/contracts/catchments'
import type { DaySummary, HourRow, Weight } from '@radx/contracts/radar'
import { queryOptions } from '@tanstack/react-query'
import { callJson } from '../app/api/client.ts'

/** Place that calls name: catchment and sub-catchment keys. */
export interface Place {
  catchment: string | null
  subcatchment: string | null
}

const placeQuery = ({ catchment, subcatchment }: Place) => ({ c: catchment, sc: subcatchment })

export const catchmentsQuery = queryOptions({
  queryKey: ['catchments'],
  queryFn: ({ signal }) => callJson<CatchmentCollection>('/api/catchments', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Days of a month that have data; every basin's values come with each, so the place does not matter. */
export const monthQuery = (product: string, month: string) =>
  queryOptions({
    queryKey: ['month', product, month],
    queryFn: ({ signal }) =>
      callJson<DaySummary[]>(`/api/products/month/${month}`, { query: { p: product }, signal }),
  })

/** Months that have data, `YYYY-MM`, in order. */
export const monthsQuery = (product: string) =>
  queryOptions({
    queryKey: ['months', product],
    queryFn: ({ signal }) => callJson<string[]>('/api/products/months', { query: { p: product }, signal }),
  })

export const hoursQuery = (product: string, day: string | null, place: Place) =>
  queryOptions({
    queryKey: ['hours', product, day, place.catchment, place.subcatchment],
    queryFn: ({ signal }) =>
      callJson<HourRow[]>(`/api/products/hours/${day}`, {
        query: { p: product, ...placeQuery(place) },
        signal,
      }),
    enabled: day !== null,
  })

export const weightQuery = (
  product: string,
  period: { s: string; e: string } | null,
  step: number | null = null,
) =>
  queryOptions({
    queryKey: ['weight', product, period?.s, period?.e, step],
    queryFn: ({ signal }) =>
      callJson<Weight>('/api/products/weight', { query: { p: product, ...period, step }, signal }),
    enabled: period !== null,
    // A refusal is final; a count that was lost may be asked for again by hand.
    retry: false,
  })
