import type { KeptExport } from '@radx/contracts/exports'
import { queryOptions } from '@tanstack/react-query'
import { callPages } from '../../../app/api/pages.ts'

export const keptExportsQuery = queryOptions({
  queryKey: ['exports', 'kept'],
  queryFn: ({ signal }) => callPages<KeptExport>('/api/jobs/exports', { signal }),
})
