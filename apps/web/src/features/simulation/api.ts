import type {
  CatchmentSummary,
  Job,
  LuseComparison,
  LuseData,
  LuseFile,
  NetworkNode,
  OutputFile,
  SimulationInput,
  SimulationListItem,
  WaterBalance,
} from '@radx/contracts'
import type { AdjustedAtSource, RainMethod } from '@radx/contracts/radar'
import { queryOptions } from '@tanstack/react-query'
import { callJson, send } from '../../app/api/client.ts'
import { callPages } from '../../app/api/pages.ts'
import type { TownOf } from '../../town/api.ts'

/** How often unfinished runs are asked for, ms; the socket tells more in between. */
const LIST_REFRESH_MS = 5_000
const DETAIL_REFRESH_MS = 3_000

export const isOpen = (status: string) => status === 'pending' || status === 'running'

/** Whether a finished run is of rain outside the account's dates: any other one has a result. */
export const isWithheld = ({ status, result }: Pick<SimulationJob, 'status' | 'result'>): boolean =>
  status === 'done' && result === null

export const simulationsQuery = queryOptions({
  queryKey: ['simulations'],
  queryFn: ({ signal }) => callPages<SimulationListItem>('/api/jobs/multihydro', { signal }),
  staleTime: 0,
  // The first of a new installation come by themselves too.
  refetchInterval: ({ state: { data } }) =>
    data?.length === 0 || data?.some(({ status }) => isOpen(status)) ? LIST_REFRESH_MS : false,
})

export const catchmentsQuery = queryOptions({
  queryKey: ['simulation-catchments'],
  queryFn: ({ signal }) => callJson<CatchmentSummary[]>('/api/multihydro/catchments', { signal }),
  // How long runs take here changes with each that ends.
  staleTime: 0,
  refetchInterval: ({ state: { data } }) => (data?.length === 0 ? LIST_REFRESH_MS : false),
})

export const luseFilesQuery = (catchmentId: string) =>
  queryOptions({
    queryKey: ['luse-files', catchmentId],
    queryFn: ({ signal }) =>
      callPages<LuseFile>('/api/multihydro/files', { query: { c: catchmentId, n: 'luse.asc' }, signal }),
    staleTime: 0,
  })

/** Files never change once they are kept. */
export const luseFileQuery = (id: string) =>
  queryOptions({
    queryKey: ['luse-file', id],
    queryFn: ({ signal }) => callJson<LuseFile>(`/api/multihydro/file/${id}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Grid, elevation and every code that may be used with a file. */
export const luseDataQuery = (id: string) =>
  queryOptions({
    queryKey: ['luse-data', id],
    queryFn: ({ signal }) =>
      callJson<LuseData>(`/api/multihydro/file/${id}/dataJson`, {
        query: { allCodes: true, elevation: true },
        signal,
        timeoutMs: 60_000,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })

/** Cells that a case study lets change, `[row][col]`, row 0 north, 1 may be edited. */
export const maskQuery = (caseStudyId: string) =>
  queryOptions({
    queryKey: ['luse-mask', caseStudyId],
    queryFn: async ({ signal }) => {
      const { data } = await callJson<{ data: string }>(`/api/multihydro/file/mask/${caseStudyId}`, {
        signal,
      })
      return JSON.parse(data) as number[][]
    },
    staleTime: Number.POSITIVE_INFINITY,
    enabled: caseStudyId !== '',
  })

export const comparisonQuery = (query: { catchmentId: string; luseId: string; caseStudyId: string }) =>
  queryOptions({
    queryKey: ['luse-compare', query],
    queryFn: ({ signal }) => callJson<LuseComparison>('/api/multihydro/file/compare', { query, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Of the network as a run saw it. */
export const nodesQuery = (catchmentId: string, jobId: string) =>
  queryOptions({
    queryKey: ['network-nodes', catchmentId, jobId],
    queryFn: ({ signal }) =>
      callJson<NetworkNode[]>(`/api/multihydro/${catchmentId}/nodes`, { query: { jobId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** A simulation as its job tells it. */
export type SimulationJob = Omit<Job, 'input' | 'result'> & {
  /** With what the version of the catchment that it was made on says of itself. */
  input: SimulationInput & {
    /** Another version has taken its place since. */
    catchmentOutdated?: boolean
    catchmentSynthetic?: boolean
    /** null where the version is no longer known. */
    catchmentCorners?: CatchmentSummary['corners'] | null
  }
  result: {
    balance: WaterBalance
    run: { steps: number; wallSeconds: number; simulatedSeconds: number; [fact: string]: unknown }
    rainSparkline: number[]
    rainMissingShare: number | null
    /** How the rain was taken between images; runs of before do not say. */
    rainMethod?: RainMethod | null
    /** Images that came adjusted to gauges; runs of before do not say. */
    rainAdjusted?: AdjustedAtSource | null
  } | null
}

/** The ground that a run was made on. */
export const townOfRun = ({ input: { catchmentId, luseId } }: SimulationJob): TownOf => ({
  catchmentId,
  // Runs of before name their land use otherwise.
  ...(/^[0-9a-f-]{36}$/.test(luseId) ? { luseId } : {}),
})

/** Length of a finished run, s. */
export const runSeconds = (job: SimulationJob): number =>
  job.result?.run.simulatedSeconds ?? job.input.simulationDuration * 3600

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['simulation', id],
    queryFn: ({ signal }) => callJson<SimulationJob>(`/api/job/${id}`, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isOpen(state.data.status) ? DETAIL_REFRESH_MS : false),
  })

export const outputsQuery = (id: string) =>
  queryOptions({
    queryKey: ['simulation-outputs', id],
    queryFn: ({ signal }) => callJson<OutputFile[]>(`/api/job/output/${id}`, { signal }),
  })

export const notesQuery = (id: string) =>
  queryOptions({
    queryKey: ['simulation-notes', id],
    queryFn: async ({ signal }) => (await send(`/api/multihydro/${id}/comment`, { signal })).text(),
  })
