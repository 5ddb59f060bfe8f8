import type { EnsembleAnswer, EnsembleElement } from '@radx/contracts/ensemble'
import { DEPTH_FRAME_NO_DATA } from '@radx/contracts/flood-constants'
import { queryOptions } from '@tanstack/react-query'
import { callJson, send } from '../../../../app/api/client.ts'

const TIMEOUT_MS = 120_000
/** Files of a finished run never change. */
const kept = { staleTime: Number.POSITIVE_INFINITY, gcTime: 5 * 60_000 }
const at = (jobId: string) => `/api/multihydro/file/${jobId}/ensemble`

export const ensembleQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['ensemble', jobId],
    queryFn: ({ signal }) => callJson<EnsembleAnswer>(at(jobId), { signal, timeoutMs: TIMEOUT_MS }),
    ...kept,
  })

export const ensembleElementQuery = (jobId: string, kind: 'link' | 'node', name: string) =>
  queryOptions({
    queryKey: ['ensemble-element', jobId, kind, name],
    queryFn: ({ signal }) =>
      callJson<EnsembleElement>(`${at(jobId)}/element`, { query: { kind, name }, signal }),
    ...kept,
  })

/** Largest depths of a band or a member in cm, NaN outside. */
export const ensembleMapQuery = (jobId: string, of: string) =>
  queryOptions({
    queryKey: ['ensemble-map', jobId, of],
    queryFn: async ({ signal }) => {
      const response = await send(`${at(jobId)}/depth`, { query: { of }, signal, timeoutMs: TIMEOUT_MS })
      const mm = new Uint16Array(await response.arrayBuffer())
      return Float32Array.from(mm, (depth) => (depth === DEPTH_FRAME_NO_DATA ? Number.NaN : depth / 10))
    },
    ...kept,
    structuralSharing: false,
  })
