import type { NodePath } from '@radx/contracts/simulation'
import type { OUTPUT_FLOW, OUTPUT_HEIGHT } from '@radx/contracts/simulation-constants'
import { queryOptions } from '@tanstack/react-query'
import { callJson } from '../../../../app/api/client.ts'
import { outputQuery } from '../state.ts'
import { joinPaths, piecesOf } from './pieces.ts'

interface Ends {
  jobId: string
  catchmentId: string
  start: string
  end: string
  /** A node that the way passes through; '' or absent for the shortest. */
  via?: string
}

/**
 * What a run did in each junction or link, without the series: those of a large network have some tens of megabytes.
 */
export const peaksQuery = <T extends typeof OUTPUT_HEIGHT | typeof OUTPUT_FLOW>(
  jobId: string,
  outputType: T,
) => outputQuery(jobId, outputType, { series: 'peak' })

/** The series of a few junctions or links. */
export const seriesQuery = <T extends typeof OUTPUT_HEIGHT | typeof OUTPUT_FLOW>(
  jobId: string,
  outputType: T,
  names: readonly string[],
) => ({
  ...outputQuery(jobId, outputType, { names: names.join('\t') }),
  enabled: jobId !== '' && names.length > 0,
})

/** Names of the nodes on the shortest way between two, through a third if there is one. */
export const pathQuery = ({ jobId, catchmentId, start, end, via = '' }: Ends) =>
  queryOptions({
    queryKey: ['sewer-path', catchmentId, jobId, start, end, via],
    queryFn: ({ signal }) =>
      callJson<string[]>(`/api/pathfinder/catchmentId/${catchmentId}`, {
        query: { start, end, jobId, ...(via && { via }) },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Nodes of one call: servers and proxies refuse addresses much longer than that. */
const CALL_NODES = 400

/** Water along a path, every ten minutes. */
export const nodePathQuery = (jobId: string, path: readonly string[]) =>
  queryOptions({
    queryKey: ['sewer-profile', jobId, path],
    queryFn: async ({ signal }) => {
      const parts: NodePath[] = []
      for (const nodes of piecesOf(path, CALL_NODES))
        parts.push(
          await callJson<NodePath>('/api/multihydro/file/nodepath', {
            query: { jobId, nodePath: nodes.join(',') },
            signal,
            timeoutMs: 60_000,
          }),
        )
      return joinPaths(parts)
    },
    staleTime: Number.POSITIVE_INFINITY,
    enabled: path.length > 1,
  })
