import type { EventScalingAnswer } from '@radx/contracts/scaling'
import { queryOptions } from '@tanstack/react-query'
import { callJson } from '../app/api/client.ts'

const TIMEOUT_MS = 130_000

/** Multifractal analysis of a period; asked for when it is wanted. */
export const scalingQuery = (query: { p: string; s: string; e: string }) =>
  queryOptions({
    queryKey: ['scaling', query],
    queryFn: ({ signal }) =>
      callJson<EventScalingAnswer>('/api/scaling/event', { query, signal, timeoutMs: TIMEOUT_MS }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
