import type { AuditAnswer, AuditChain } from '@radx/contracts/audit'
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callJson } from '../../../app/api/client.ts'

export interface JournalFilter {
  actor: string
  action: string
  /** Instant. */
  since: string | null
}

const JOURNAL = ['admin', 'audit']

export const journalQuery = ({ actor, action, since }: JournalFilter) =>
  infiniteQueryOptions({
    queryKey: [...JOURNAL, actor, action, since],
    queryFn: ({ signal, pageParam }) =>
      callJson<AuditAnswer>('/api/admin/audit', {
        signal,
        query: { actor: actor || null, action: action || null, since, before: pageParam },
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
    staleTime: 0,
  })

/** Has every hash computed again. */
export function useVerifyChain() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callJson<AuditChain>('/api/admin/audit/chain', { timeoutMs: 10 * 60_000 }),
    onSuccess: () => client.invalidateQueries({ queryKey: JOURNAL }),
  })
}
