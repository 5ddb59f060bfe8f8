import type {
  Gauge,
  GaugeAdjustment,
  GaugeComparison,
  GaugeFlag,
  GaugeMethod,
  GaugeUpload,
  GaugeUploaded,
  gaugeFlagBodySchema,
} from '@radx/contracts/gauges'
import type { RainMethod } from '@radx/contracts/radar'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { callJson, send } from '../../../app/api/client.ts'

const TIMEOUT_MS = 130_000

export interface ComparisonQuery {
  p: string
  s: string
  e: string
  step: string
  raw: '0' | '1'
  /** How radar totals take the rain between images. */
  method: RainMethod
  /** Gauge whose series is wanted. */
  g: string | null
}

/** Gauges beside the radar; asked for when it is wanted. */
export const comparisonQuery = (query: ComparisonQuery) =>
  queryOptions({
    queryKey: ['gauge-comparison', query],
    queryFn: ({ signal }) =>
      callJson<GaugeComparison>('/api/gauges/comparison', {
        query: { ...query },
        signal,
        timeoutMs: TIMEOUT_MS,
      }),
    staleTime: 60_000,
    retry: false,
    // Choosing a gauge or a step keeps what stands there until the answer comes.
    placeholderData: (before) => before,
  })

export interface AdjustmentQuery {
  p: string
  s: string
  e: string
  method: GaugeMethod
  mode: 'live' | 'hindsight'
}

/** Factors and errors of the adjusted product. */
export const adjustmentQuery = (query: AdjustmentQuery) =>
  queryOptions({
    queryKey: ['gauge-comparison', 'adjustment', query],
    queryFn: ({ signal }) =>
      callJson<GaugeAdjustment>('/api/gauges/adjustment', {
        query: { ...query },
        signal,
        timeoutMs: TIMEOUT_MS,
      }),
    staleTime: 60_000,
    retry: false,
    placeholderData: (before) => before,
  })

/** Rain of the catchment in both products, with names and factors. */
export const adjustedCsv = async (query: AdjustmentQuery & { c: string | null; sc: string | null }) =>
  (await send('/api/gauges/adjusted.csv', { query: { ...query }, timeoutMs: TIMEOUT_MS })).blob()

export const gaugesQuery = queryOptions({
  queryKey: ['gauges'],
  queryFn: ({ signal }) => callJson<Gauge[]>('/api/gauges', { signal }),
})

function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['gauges'] }),
        client.invalidateQueries({ queryKey: ['gauge-comparison'] }),
      ]),
  })
}

export const useAddGauges = () =>
  useChange((body: GaugeUpload) =>
    callJson<GaugeUploaded>('/api/gauges', { method: 'PUT', body, timeoutMs: TIMEOUT_MS }),
  )

export const useRemoveGauge = () =>
  useChange((id: string) => send(`/api/gauges/${encodeURIComponent(id)}`, { method: 'DELETE' }))

export type FlagBody = z.input<typeof gaugeFlagBodySchema>

export const useFlag = () =>
  useChange(({ gauge, ...body }: FlagBody & { gauge: string }) =>
    callJson<GaugeFlag>(`/api/gauges/${encodeURIComponent(gauge)}/flags`, { method: 'POST', body }),
  )

export const useLiftFlag = () =>
  useChange((id: string) => send(`/api/gauges/flags/${id}`, { method: 'DELETE' }))
