import type {
  CellSeries,
  RunFigures,
  SectionFlow,
  SewerMoments,
  SewerPeakTable,
  StreetDepths,
} from '@radx/contracts/figures'
import type { RunFlows } from '@radx/contracts/flood'
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

/** Rain, flows and volumes over time. */
export const flowsQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['run-flows', jobId],
    queryFn: ({ signal }) =>
      callJson<RunFlows>(`/api/multihydro/file/${jobId}/flows`, { signal, timeoutMs: TIMEOUT_MS }),
    ...kept,
  })

export const sewerPeaksQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['run-sewer', jobId],
    queryFn: ({ signal }) =>
      callJson<SewerPeakTable>(`/api/multihydro/file/${jobId}/sewer`, { signal, timeoutMs: TIMEOUT_MS }),
    ...kept,
  })

/** The network over time: its moments, and for each of them a byte a link and a byte a node (see `SEWER_FULL`). */
export const sewerMomentsQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['run-sewer-moments', jobId],
    queryFn: async ({ signal }) => {
      const path = `/api/multihydro/file/${jobId}/sewer/moments`
      const asked = { signal, timeoutMs: TIMEOUT_MS }
      const [index, codes] = await Promise.all([
        callJson<SewerMoments>(path, asked),
        send(`${path}/codes`, asked).then((response) => response.arrayBuffer()),
      ])
      return { ...index, codes: new Uint8Array(codes) }
    },
    ...kept,
    // Numbers by the million are not worth comparing.
    structuralSharing: false,
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
      const codes = new Uint16Array(await response.arrayBuffer())
      const values = new Float32Array(codes.length)
      // Not `from`: on millions of cells it holds the page up.
      for (let k = 0; k < values.length; k++)
        values[k] = codes[k] === TOWN_OUTSIDE ? Number.NaN : codes[k] / perUnit
      return values
    },
    ...kept,
    // Numbers by the million are not worth comparing.
    structuralSharing: false,
  })
