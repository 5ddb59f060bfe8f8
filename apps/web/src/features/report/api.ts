import type { Report } from '@radx/contracts/reports'
import { queryOptions } from '@tanstack/react-query'
import { callJson } from '../../app/api/client.ts'

/** What a report is of, a period or a run, with its parameters as the address has them. */
export type ReportOf = { query: Record<string, string> } & (
  | { kind: 'event' }
  | { kind: 'run'; jobId: string }
)

const TIMEOUT_MS = 120_000

export const pathOf = (of: ReportOf): string =>
  of.kind === 'run' ? `/api/reports/run/${of.jobId}` : '/api/reports/event'

export const pdfPathOf = (of: ReportOf): string =>
  `${of.kind === 'run' ? `/api/reports/run/${of.jobId}/report.pdf` : '/api/reports/event.pdf'}?${new URLSearchParams(of.query)}`

export const reportQuery = (of: ReportOf) =>
  queryOptions({
    queryKey: ['report', of],
    queryFn: ({ signal }) =>
      callJson<Report>(pathOf(of), {
        query: of.query,
        signal,
        timeoutMs: TIMEOUT_MS,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
