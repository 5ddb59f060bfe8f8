import type {
  AlertPerson,
  AlertPersonBody,
  NewWebhook,
  PushBody,
  Webhook,
  WebhookBody,
  WebhookTest,
} from '@radx/contracts/alert-notices'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callJson, send } from '../../../app/api/client.ts'

export const personQuery = queryOptions({
  queryKey: ['alerts', 'person'],
  queryFn: ({ signal }) => callJson<AlertPerson>('/api/alerts/person', { signal }),
})

export const webhooksQuery = queryOptions({
  queryKey: ['alerts', 'webhooks'],
  queryFn: ({ signal }) => callJson<Webhook[]>('/api/alerts/webhooks', { signal }),
})

/** What the account is told by; the answer is how things stand after it. */
function usePerson<In>(change: (input: In) => Promise<AlertPerson>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (person) => client.setQueryData(personQuery.queryKey, person),
  })
}

export const useSavePerson = () =>
  usePerson((body: AlertPersonBody) => callJson<AlertPerson>('/api/alerts/person', { method: 'PUT', body }))

export const useConfirmEmail = () =>
  usePerson((code: string) =>
    callJson<AlertPerson>('/api/alerts/person/confirm', { method: 'POST', body: { code } }),
  )

export const useSubscribe = () =>
  usePerson(async (subscription: () => Promise<PushBody>) =>
    callJson<AlertPerson>('/api/alerts/push', { method: 'POST', body: await subscription() }),
  )

export const useUnsubscribe = () =>
  usePerson((id: string) => callJson<AlertPerson>(`/api/alerts/push/${id}`, { method: 'DELETE' }))

function useHooks<In, Out>(change: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: webhooksQuery.queryKey })
      return client.invalidateQueries({ queryKey: personQuery.queryKey })
    },
  })
}

export const useAddWebhook = () =>
  useHooks((body: WebhookBody) => callJson<NewWebhook>('/api/alerts/webhooks', { method: 'POST', body }))

export const useRemoveWebhook = () =>
  useHooks((id: string) => send(`/api/alerts/webhooks/${id}`, { method: 'DELETE' }))

export const useTestWebhook = () =>
  useHooks(async ({ id, name }: { id: string; name: string }) => ({
    name,
    ...(await callJson<WebhookTest>(`/api/alerts/webhooks/${id}/test`, { method: 'POST' })),
  }))
