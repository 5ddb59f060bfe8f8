import type { HomeMessage } from '@radx/contracts/articles'
import type { Security } from '@radx/contracts/own-account'
import type { Status } from '@radx/contracts/radar'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callJson } from '../../app/api/client.ts'

const ADMIN_MESSAGE = ['admin', 'home-message']
/** Key under which the home page keeps what visitors see. */
const PUBLIC_MESSAGE = ['home-message']

/** The message with its state; only the first item counts, and before the first save there is none. */
export const adminMessageQuery = queryOptions({
  queryKey: ADMIN_MESSAGE,
  queryFn: async ({ signal }): Promise<HomeMessage> => {
    const list = await callJson<HomeMessage[]>('/api/admin/article/home-message', { signal })
    return list[0] ?? { main: '', isPublished: false }
  },
  staleTime: 0,
})

/** What the server says of itself; asked for again while the page is open. */
export const statusQuery = queryOptions({
  queryKey: ['admin', 'status'],
  queryFn: ({ signal }) => callJson<Status>('/api/status', { signal }),
  staleTime: 0,
  refetchInterval: 30_000,
})

/** Of whoever has no manager's right: whether it waits for a second factor. */
export const ownSecurityQuery = queryOptions({
  queryKey: ['admin', 'own-security'],
  queryFn: ({ signal }) => callJson<Security>('/api/users/security', { signal }),
  staleTime: 0,
})

/** Saves, then reloads what the server kept. */
export function useSaveMessage() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: HomeMessage) => callJson('/api/article/home-message', { method: 'PUT', body }),
    onSuccess: async () => {
      void client.invalidateQueries({ queryKey: PUBLIC_MESSAGE })
      await client.invalidateQueries({ queryKey: ADMIN_MESSAGE })
    },
  })
}
