import type {
  BuilderBuild,
  BuilderDraft,
  BuilderDraftDetail,
  BuilderPreview,
  BuilderSource,
  DraftRecipe,
} from '@radx/contracts/builder'
import type { BuilderStep } from '@radx/contracts/builder-constants'
import type { CatchmentUploaded } from '@radx/contracts/catchment-upload'
import type { CatchmentSummary } from '@radx/contracts/simulation'
import { queryOptions } from '@tanstack/react-query'
import { callJson, send } from '../../app/api/client.ts'
import { uploadJson } from '../../app/api/upload.ts'
import type { Way } from '../../ui/useSending.ts'

const PREVIEW_TIMEOUT_MS = 180_000
const IMPORT_TIMEOUT_MS = 300_000
const REFRESH_MS = 2_000

export const isOpen = ({ status }: Pick<BuilderBuild, 'status'>) =>
  status === 'pending' || status === 'running'

export const draftsQuery = queryOptions({
  queryKey: ['builder-drafts'],
  queryFn: ({ signal }) => callJson<BuilderDraft[]>('/api/builder/drafts', { signal }),
  staleTime: 0,
})

export type Draft = Omit<BuilderDraftDetail, 'recipe'> & { recipe: DraftRecipe }

export const draftQuery = (id: string) =>
  queryOptions({
    queryKey: ['builder-draft', id],
    queryFn: ({ signal }) => callJson<Draft>(`/api/builder/drafts/${id}`, { signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.builds.some(isOpen) ? REFRESH_MS : false),
  })

/** @param of what the step is made of, so that a change of something else does not make it anew */
export const previewQuery = (id: string, step: BuilderStep, of: string) =>
  queryOptions({
    queryKey: ['builder-preview', id, step, of],
    queryFn: ({ signal }) =>
      callJson<BuilderPreview>(`/api/builder/drafts/${id}/preview`, {
        query: { step },
        signal,
        timeoutMs: PREVIEW_TIMEOUT_MS,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5 * 60_000,
    structuralSharing: false,
    retry: false,
  })

/** Catchments that are here, with how long their runs take. */
export const catchmentsQuery = queryOptions({
  queryKey: ['simulation-catchments'],
  queryFn: ({ signal }) => callJson<CatchmentSummary[]>('/api/multihydro/catchments', { signal }),
})

export const createDraft = (name: string) =>
  callJson<{ id: string }>('/api/builder/drafts', { method: 'POST', body: { name } })
export const saveRecipe = (id: string, recipe: DraftRecipe) =>
  send(`/api/builder/drafts/${id}`, {
    method: 'PUT',
    body: { recipe, ...(recipe.display ? { name: recipe.display.slice(0, 120) } : {}) },
  })
export const removeDraft = (id: string) => send(`/api/builder/drafts/${id}`, { method: 'DELETE' })

export const uploadSource = (id: string, file: File, way: Way) =>
  uploadJson<{ name: string; holds: BuilderSource }>(`/api/builder/drafts/${id}/files`, file, {
    query: { name: file.name },
    ...way,
  })
export const removeSource = (id: string, name: string) =>
  send(`/api/builder/drafts/${id}/files/${encodeURIComponent(name)}`, { method: 'DELETE' })

export const startBuild = (id: string) =>
  callJson<{ jobId: string }>(`/api/builder/drafts/${id}/builds`, { method: 'POST' })
export const stopBuild = (jobId: string) => send(`/api/job/${jobId}/cancel`, { method: 'POST' })
export const keepBuilt = (jobId: string) =>
  callJson<CatchmentUploaded>(`/api/builder/builds/${jobId}/catchment`, {
    method: 'POST',
    timeoutMs: IMPORT_TIMEOUT_MS,
  })
export const zipPath = (jobId: string) => `/api/builder/builds/${jobId}/bassin.zip`
export const reportPath = (jobId: string) => `/api/builder/builds/${jobId}/rapport.md`
