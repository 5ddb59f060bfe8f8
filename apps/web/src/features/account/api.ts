import type { CsvDialectName, LoginAnswer, LoginBody } from '@radx/contracts/accounts'
import { useMutation } from '@tanstack/react-query'
import { callJson, send } from '../../app/api/client.ts'
import { ApiError } from '../../app/api/errors.ts'
import { closeSession, keepCsvSetting, knownDevice, openSession } from '../../app/auth/session.ts'
import { useAuth } from '../../app/auth/store.ts'
import { accountTexts } from '../../texts/account.ts'

/** What the server says to a failed login, or what became of the call. */
const loginFailure = (error: unknown) =>
  (error instanceof ApiError && error.serverMessage) ||
  (error instanceof Error ? error.message : accountTexts.failed)

/** Signs in: loading, then a stored session or the error of the auth state. */
export function useLogin() {
  return useMutation({
    mutationFn: (typed: LoginBody) => {
      const device = knownDevice()
      const body = device === null ? typed : { ...typed, device }
      return callJson<LoginAnswer>('/api/users/login', { method: 'POST', body })
    },
    onMutate: () => useAuth.setState({ error: null }),
    onSuccess: (answer) => openSession(answer),
    onError: (error) => useAuth.setState({ error: loginFailure(error) }),
  })
}

/** Signs out on the server and here; a server that does not answer does not keep anyone signed in. */
export function useLogout() {
  return useMutation({
    mutationFn: async () => {
      await send('/api/users/logout', { method: 'POST', timeoutMs: 5_000 }).catch(() => undefined)
    },
    onSettled: () => closeSession(),
  })
}

/** Chooses how the account's CSV files are written. */
export function useCsvSetting() {
  return useMutation({
    mutationFn: (csv: CsvDialectName) =>
      callJson<{ csv: CsvDialectName }>('/api/users/csv', { method: 'PUT', body: { csv } }),
    onSuccess: ({ csv }) => keepCsvSetting(csv),
  })
}
