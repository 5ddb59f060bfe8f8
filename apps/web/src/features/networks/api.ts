import type {
  Network,
  NetworkComparison,
  NetworkCurves,
  NetworkDetail,
  NetworkFile,
  NetworkModel,
  NetworkPeaks,
  NetworkRun,
  NetworkRunBody,
  NetworkUploaded,
} from '@radx/contracts/networks'
import type { NodePath } from '@radx/contracts/simulation'
import { queryOptions } from '@tanstack/react-query'
import { callJson, send } from '../../app/api/client.ts'
import { callPages } from '../../app/api/pages.ts'
import { uploadJson } from '../../app/api/upload.ts'
import type { Way } from '../../ui/useSending.ts'

const READ_TIMEOUT_MS = 120_000
const REFRESH_MS = 2_000

export const isOpen = ({ status }: Pick<NetworkRun, 'status'>) => status === 'pending' || status === 'running'

export const networksQuery = (all: boolean) =>
  queryOptions({
    queryKey: ['networks', all],
    queryFn: ({ signal }) => callPages<Network>('/api/networks', { query: all ? { all: 1 } : {}, signal }),
    staleTime: 0,
  })

export const networkQuery = (id: string) =>
  queryOptions({
    queryKey: ['network', id],
    queryFn: ({ signal }) => callJson<NetworkDetail>(`/api/networks/${id}`, { signal }),
    staleTime: 0,
  })

/** A version never changes. */
export const modelQuery = (id: string, version: number, crs: string | null) =>
  queryOptions({
    queryKey: ['network-model', id, version, crs],
    queryFn: ({ signal }) =>
      callJson<NetworkModel>(`/api/networks/${id}/versions/${version}/model`, {
        query: { crs },
        signal,
        timeoutMs: READ_TIMEOUT_MS,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })

export const runsQuery = (id: string) =>
  queryOptions({
    queryKey: ['network-runs', id],
    queryFn: ({ signal }) => callPages<NetworkRun>(`/api/networks/${id}/runs`, { signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.some(isOpen) ? REFRESH_MS : false),
  })

const lasting = { staleTime: Number.POSITIVE_INFINITY, gcTime: 60_000 } as const

export const peaksQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['network-peaks', jobId],
    queryFn: ({ signal }) =>
      callJson<NetworkPeaks>(`/api/networks/runs/${jobId}/peaks`, { signal, timeoutMs: READ_TIMEOUT_MS }),
    ...lasting,
  })

export const curvesQuery = (
  jobId: string,
  of: 'node' | 'link' | 'subcatchment',
  what: string,
  names: readonly string[],
) =>
  queryOptions({
    queryKey: ['network-curves', jobId, of, what, names],
    queryFn: ({ signal }) =>
      callJson<NetworkCurves>(`/api/networks/runs/${jobId}/curves`, {
        query: { of, what, names: names.join('\n') },
        signal,
        timeoutMs: READ_TIMEOUT_MS,
      }),
    ...lasting,
    enabled: jobId !== '' && names.length > 0,
  })

export const profileQuery = (id: string, version: number, ends: readonly string[], jobId: string | null) =>
  queryOptions({
    queryKey: ['network-profile', id, version, ends, jobId],
    queryFn: ({ signal }) =>
      callJson<NodePath>(`/api/networks/${id}/versions/${version}/profile`, {
        query: { start: ends[0], end: ends[1], run: jobId },
        signal,
        timeoutMs: READ_TIMEOUT_MS,
      }),
    ...lasting,
    enabled: ends.length === 2,
  })

export const filesQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['network-files', jobId],
    queryFn: ({ signal }) => callJson<NetworkFile[]>(`/api/networks/runs/${jobId}/files`, { signal }),
    ...lasting,
  })

export const comparisonQuery = (jobId: string, other: string) =>
  queryOptions({
    queryKey: ['network-compare', jobId, other],
    queryFn: ({ signal }) =>
      callJson<NetworkComparison>(`/api/networks/runs/${jobId}/compare`, {
        query: { with: other },
        signal,
        timeoutMs: READ_TIMEOUT_MS,
      }),
    ...lasting,
    enabled: other !== '',
  })

/** @param into a network that gets a version; null finds or makes one by the file's name */
export const uploadNetwork = (file: File, into: string | null, way?: Way): Promise<NetworkUploaded> =>
  uploadJson(into === null ? '/api/networks' : `/api/networks/${into}/versions`, file, {
    query: { name: file.name },
    ...way,
  })

export const compareWithFile = (jobId: string, file: File): Promise<NetworkComparison> =>
  uploadJson(`/api/networks/runs/${jobId}/compare`, file, { query: { name: file.name } })

/** @param key names this submission: sent again, it is the same run */
export const submitRun = (id: string, body: NetworkRunBody, key: string) =>
  callJson<{ id: string }>(`/api/networks/${id}/runs`, {
    method: 'POST',
    body,
    headers: { 'idempotency-key': key },
  })

export const renameNetwork = (id: string, name: string) =>
  send(`/api/networks/${id}/name`, { method: 'PUT', body: { name } })
/** @param crs `EPSG:2154`, or null for a plane of the file */
export const placeNetwork = (id: string, crs: string | null) =>
  send(`/api/networks/${id}/crs`, { method: 'PUT', body: { crs } })
export const removeNetwork = (id: string) => send(`/api/networks/${id}`, { method: 'DELETE' })
export const removeRun = (jobId: string) => send(`/api/job/${jobId}`, { method: 'DELETE' })
export const stopRun = (jobId: string) => send(`/api/job/${jobId}/cancel`, { method: 'POST' })
