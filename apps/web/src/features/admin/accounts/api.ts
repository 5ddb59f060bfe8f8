import type { AccountEditBody, AdminAccounts, PasswordLink } from '@radx/contracts/administration'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callJson } from '../../../app/api/client.ts'

const ACCOUNTS = ['admin', 'accounts']

export const accountsQuery = queryOptions({
  queryKey: ACCOUNTS,
  queryFn: ({ signal }) => callJson<AdminAccounts>('/api/admin/accounts', { signal }),
  staleTime: 0,
})

/** A one-time link and whose it is. */
export interface Made {
  name: string
  link: PasswordLink
}

type Settings = Omit<AccountEditBody, 'version'>
type Saved = ({ id: string; version: number } | { name: string }) & Settings

/** Edits an account, or makes one and answers its link. The list is read again, also after a refusal. */
export function useSaveAccount() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (saved: Saved): Promise<PasswordLink | null> => {
      if (!('id' in saved))
        return callJson<PasswordLink>('/api/admin/accounts', { method: 'POST', body: saved })
      const { id, ...body } = saved
      await callJson(`/api/admin/accounts/${id}`, { method: 'PUT', body })
      return null
    },
    onSettled: () => client.invalidateQueries({ queryKey: ACCOUNTS }),
  })
}

/** Disables, opens, frees of the second factor, or makes a link. */
export function useAccountAction(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (
      what: 'disable' | 'enable' | 'end-sessions' | 'remove-factors' | 'link',
    ): Promise<PasswordLink | null> => {
      const answer = await callJson<PasswordLink>(`/api/admin/accounts/${id}/${what}`, { method: 'POST' })
      return what === 'link' ? answer : null
    },
    onSettled: () => client.invalidateQueries({ queryKey: ACCOUNTS }),
  })
}
