import type {
  Calibration,
  CalibrationBody,
  CalibrationTrials,
  Observation,
  ObservationBody,
  ObservedColumns,
  ObservedRuns,
} from '@radx/contracts/calibration'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callJson, send } from '../../../app/api/client.ts'

/** A table of measurements of half a million lines takes a while to be read. */
const TABLE_TIMEOUT_MS = 120_000
const FIT_REFRESH_MS = 2_000

const SERIES = ['observations']
const FITS = ['calibrations']

/** One's own series of a catchment. */
export const seriesQuery = (catchmentId: string) =>
  queryOptions({
    queryKey: [...SERIES, catchmentId],
    queryFn: ({ signal }) => callJson<Observation[]>('/api/observations', { query: { catchmentId }, signal }),
    staleTime: 0,
    enabled: catchmentId !== '',
  })

/** One's own series beside a run. @param period ISO instants; null for an end of the run */
export const overlaidQuery = (jobId: string, period: { start: string | null; end: string | null }) =>
  queryOptions({
    queryKey: [...SERIES, 'beside', jobId, period],
    queryFn: ({ signal }) =>
      callJson<ObservedRuns>(`/api/multihydro/file/${jobId}/observations`, {
        query: period,
        signal,
        timeoutMs: TABLE_TIMEOUT_MS,
      }),
    staleTime: 0,
  })

export const readColumns = (body: { fileName: string; csv: string; timeZone: string }) =>
  callJson<ObservedColumns>('/api/observations/columns', {
    method: 'POST',
    body,
    timeoutMs: TABLE_TIMEOUT_MS,
  })

export function useKeepSeries() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ObservationBody) =>
      callJson<Observation>('/api/observations', { method: 'POST', body, timeoutMs: TABLE_TIMEOUT_MS }),
    onSuccess: () => client.invalidateQueries({ queryKey: SERIES }),
  })
}

export function useRemoveSeries() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => send(`/api/observations/${id}`, { method: 'DELETE' }),
    onSettled: () => client.invalidateQueries({ queryKey: SERIES }),
  })
}

const isAtWork = ({ status }: Pick<Calibration, 'status'>) => status === 'pending' || status === 'running'

/** One's own fits of a catchment, the newest first. */
export const fitsQuery = (catchmentId: string) =>
  queryOptions({
    queryKey: [...FITS, catchmentId],
    queryFn: ({ signal }) => callJson<Calibration[]>('/api/calibrations', { query: { catchmentId }, signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.some(isAtWork) ? FIT_REFRESH_MS : false),
    enabled: catchmentId !== '',
  })

/** @param isOpen it still works: more will come */
export const trialsQuery = (id: string, isOpen: boolean) =>
  queryOptions({
    queryKey: ['calibration-trials', id, isOpen],
    queryFn: ({ signal }) => callJson<CalibrationTrials>(`/api/calibrations/${id}/trials`, { signal }),
    staleTime: 0,
    refetchInterval: isOpen ? FIT_REFRESH_MS : false,
  })

/** Calls that change fits; each has their list looked up again. */
export function useFits() {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: FITS })
  const start = useMutation({
    mutationFn: (body: CalibrationBody) =>
      callJson<{ id: string; jobId: string }>('/api/calibrations', { method: 'POST', body }),
    onSettled,
  })
  const cancel = useMutation({
    mutationFn: (jobId: string) => callJson(`/api/job/${jobId}/cancel`, { method: 'POST' }),
    onSettled,
  })
  const resume = useMutation({
    mutationFn: (id: string) => callJson(`/api/calibrations/${id}/resume`, { method: 'POST' }),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: (id: string) => send(`/api/calibrations/${id}`, { method: 'DELETE' }),
    onSettled,
  })
  return { start, cancel, resume, remove }
}
