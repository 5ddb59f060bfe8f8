import type { SavedEvent, SavedEventBody } from '@radx/contracts/events'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callJson, send } from '../../../app/api/client.ts'
import { callPages } from '../../../app/api/pages.ts'

export const eventsQuery = queryOptions({
  queryKey: ['events'],
  queryFn: ({ signal }) => callPages<SavedEvent>('/api/users/events', { signal }),
})

/** Saves a selection; the list is fetched again. */
export function useSaveEvent() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: SavedEventBody) => callJson<SavedEvent>('/api/users/events', { method: 'PUT', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: eventsQuery.queryKey }),
  })
}

/** Changes an event on the screen first, then on the server; what the server refuses is as it was. */
export function useUpdateEvent() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ _id, createdAt: _, cumul, ...body }: SavedEvent) =>
      callJson<SavedEvent>(`/api/users/events/${_id}`, { method: 'PUT', body: { ...body, cumul } }),
    onMutate: async (event) => {
      await client.cancelQueries({ queryKey: eventsQuery.queryKey })
      const before = client.getQueryData(eventsQuery.queryKey)
      client.setQueryData(eventsQuery.queryKey, (list) =>
        list?.map((other) => (other._id === event._id ? event : other)),
      )
      return { before }
    },
    onError: (_error, _event, context) => client.setQueryData(eventsQuery.queryKey, context?.before),
    onSettled: () => client.invalidateQueries({ queryKey: eventsQuery.queryKey }),
  })
}

/** Removes an event from the screen first, then from the server; what the server refuses comes back. */
export function useDeleteEvent() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (event: SavedEvent) => send(`/api/users/events/${event._id}`, { method: 'DELETE' }),
    onMutate: async (event) => {
      await client.cancelQueries({ queryKey: eventsQuery.queryKey })
      const before = client.getQueryData(eventsQuery.queryKey)
      client.setQueryData(eventsQuery.queryKey, (list) => list?.filter(({ _id }) => _id !== event._id))
      return { before }
    },
    onError: (_error, _event, context) => client.setQueryData(eventsQuery.queryKey, context?.before),
    onSettled: () => client.invalidateQueries({ queryKey: eventsQuery.queryKey }),
  })
}
