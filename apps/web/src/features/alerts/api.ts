import type { Alert, AlertLog, AlertRule, AlertRuleBody, Alerts } from '@radx/contracts/alerts'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callJson, send } from '../../app/api/client.ts'

/** Values go on changing without anything to tell. */
const REFRESH_MS = 30_000

export const alertsQuery = queryOptions({
  queryKey: ['alerts', 'all'],
  queryFn: ({ signal }) => callJson<Alerts>('/api/alerts', { signal }),
  refetchInterval: REFRESH_MS,
})

export const logQuery = infiniteQueryOptions({
  queryKey: ['alerts', 'log'],
  queryFn: ({ signal, pageParam }) =>
    callJson<AlertLog>('/api/alerts/log', { query: { before: pageParam }, signal }),
  initialPageParam: null as number | null,
  getNextPageParam: ({ next }) => next,
})

/** What changes alerts or rules: all that shows them is asked for again. */
function useChange<In, Out>(change: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: ['alerts'] }),
  })
}

export const useSaveRule = () =>
  useChange(({ id, body }: { id: string | null; body: AlertRuleBody }) =>
    id === null
      ? callJson<AlertRule>('/api/alerts/rules', { method: 'POST', body })
      : callJson<AlertRule>(`/api/alerts/rules/${id}`, { method: 'PUT', body }),
  )

export const useRemoveRule = () =>
  useChange((id: string) => send(`/api/alerts/rules/${id}`, { method: 'DELETE' }))

export const useAlertAction = () =>
  useChange(({ id, action }: { id: string; action: 'acknowledge' | 'snooze' | 'end' }) =>
    callJson<Alert>(`/api/alerts/${id}/${action}`, {
      method: 'POST',
      ...(action === 'snooze' && { body: { minutes: 30 } }),
    }),
  )
