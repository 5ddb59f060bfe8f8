import type {
  CellSeries,
  RunFigures,
  SectionFlow,
  SewerPeakTable,
  StreetDepths,
} from '@radx/contracts/figures'
import { RUN_MAPS, type RunMap, TOWN_OUTSIDE } from '@radx/contracts/town-constants'
import { queryOptions } from '@tanstack/react-query'
import { callJson, send } from '../../../app/api/client.ts'
import type { GridLine } from './address.ts'

/** A grid over a whole town on a slow line. */
const TIMEOUT_MS = 120_000
/** Files of a finished run never change; large ones are not kept for long. */
const kept = { staleTime: Number.POSITIVE_INFINITY, gcTime: 5 * 60_000 }

export const figuresQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['run-figures', jobId],
    queryFn: ({ signal }) =>
      callJson<RunFigures>(`/api/multihydro/file/${jobId}/figures`, { signal, timeoutMs: TIMEOUT_MS }),
    ...kept,
  })

export const sewerPeaksQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['run-sewer', jobId],
    queryFn: ({ signal }) =>
      callJson<SewerPeakTable>(`/api/multihydro/file/${jobId}/sewer`, { signal, timeoutMs: TIMEOUT_MS }),
    ...kept,
  })

export const streetsQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['run-streets', jobId],
    queryFn: ({ signal }) =>
      callJson<StreetDepths>(`/api/multihydro/file/${jobId}/streets`, { signal, timeoutMs: TIMEOUT_MS }),
    ...kept,
  })

export const cellQuery = (jobId: string, row: number, col: number) =>
  queryOptions({
    queryKey: ['run-cell', jobId, row, col],
    queryFn: ({ signal }) =>
      callJson<CellSeries>(`/api/multihydro/file/${jobId}/cell`, {
        query: { row, col },
        signal,
        timeoutMs: TIMEOUT_MS,
      }),
    ...kept,
  })

export const sectionQuery = (jobId: string, { x1, y1, x2, y2 }: GridLine) =>
  queryOptions({
    queryKey: ['run-section', jobId, x1, y1, x2, y2],
    queryFn: ({ signal }) =>
      callJson<SectionFlow>(`/api/multihydro/file/${jobId}/section`, {
        query: { x1, y1, x2, y2 },
        signal,
        timeoutMs: TIMEOUT_MS,
      }),
    ...kept,
  })

/** A map over the whole run in its unit, `[row * ncols + col]`, row 0 north, NaN where nothing is told. */
export const runMapQuery = (jobId: string, map: RunMap) =>
  queryOptions({
    queryKey: ['run-map', jobId, map],
    queryFn: async ({ signal }) => {
      const response = await send(`/api/multihydro/file/${jobId}/map/${map}`, {
        signal,
        timeoutMs: TIMEOUT_MS,
      })
      const { perUnit } = RUN_MAPS[map]
      return Float32Array.from(new Uint16Array(await response.arrayBuffer()), (code) =>
        code === TOWN_OUTSIDE ? Number.NaN : code / perUnit,
      )
    },
    ...kept,
    // Numbers by the million are not worth comparing.
    structuralSharing: false,
  })
