import type { LinkBody, ShortLink, ShortLinks } from '@radx/contracts/links'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callJson } from '../app/api/client.ts'

const LINKS = ['short-links']

export const linksQuery = queryOptions({
  queryKey: LINKS,
  queryFn: ({ signal }) => callJson<ShortLinks>('/api/links', { signal }),
  staleTime: 0,
})

export function useNewLink() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: LinkBody) => callJson<ShortLink>('/api/links', { method: 'POST', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: LINKS }),
  })
}

export function useRemoveLink() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) =>
      callJson<{ removed: boolean }>(`/api/links/${encodeURIComponent(name)}`, { method: 'DELETE' }),
    onSettled: () => client.invalidateQueries({ queryKey: LINKS }),
  })
}
