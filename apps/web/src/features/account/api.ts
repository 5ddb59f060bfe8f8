import type { NewToken, OwnTokens, TokenBody } from '@radx/contracts/access-tokens'
import type { CsvDialectName, LoginAnswer, LoginBody } from '@radx/contracts/accounts'
import type {
  EraseBody,
  OwnData,
  OwnSessions,
  RecoveryCodes,
  Security,
  TotpStart,
} from '@radx/contracts/own-account'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callJson, send } from '../../app/api/client.ts'
import { ApiError, serverErrorText } from '../../app/api/errors.ts'
import { keepCsvSetting, keepDevice, keepRoles, knownDevice } from '../../app/auth/kept.ts'
import { closeSession, openSession } from '../../app/auth/session.ts'
import { useAuth } from '../../app/auth/store.ts'
import { securityTexts } from '../../texts/security.ts'
import { errorTexts } from '../../texts/shell.ts'

/** The password was right, and a second factor is asked for. */
export const asksFactor = (error: unknown) =>
  error instanceof ApiError && error.code === 'accounts.secondFactor'

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
    onError: (error) => useAuth.setState({ error: asksFactor(error) ? null : serverErrorText(error) }),
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

const SESSIONS = ['account', 'sessions']

export const ownSessionsQuery = queryOptions({
  queryKey: SESSIONS,
  queryFn: ({ signal }) => callJson<OwnSessions>('/api/users/sessions', { signal }),
  staleTime: 0,
})

/** Ends one of one's own sessions, or all others for null. */
export function useEndSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string | null) =>
      callJson<{ ended: number }>(id === null ? '/api/users/sessions' : `/api/users/sessions/${id}`, {
        method: 'DELETE',
      }),
    onSettled: () => client.invalidateQueries({ queryKey: SESSIONS }),
  })
}

/** Changes one's own password; this browser is then known by the new one. */
export function useOwnPassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { current: string; password: string }) =>
      callJson<{ device: string }>('/api/users/password', { method: 'PUT', body }),
    onSuccess: async ({ device }) => {
      keepDevice(device)
      await client.invalidateQueries({ queryKey: SESSIONS })
    },
  })
}

/** Signs in with a passkey of this device. */
export function usePasskeyLogin() {
  return useMutation({
    mutationFn: async () => {
      const { options } = await callJson<{ options: string }>('/api/users/login/passkey/options', {
        method: 'POST',
      })
      const { startAuthentication } = await passkeys()
      const response = await given(startAuthentication({ optionsJSON: JSON.parse(options) }))
      const device = knownDevice() ?? undefined
      return callJson<LoginAnswer>('/api/users/login/passkey', { method: 'POST', body: { response, device } })
    },
    onMutate: () => useAuth.setState({ error: null }),
    onSuccess: (answer) => openSession(answer),
    onError: (error) => useAuth.setState({ error: serverErrorText(error) }),
  })
}

/** Whether passkeys can be used at this address: it needs TLS, or the machine's own. */
export const hasPasskeys = () => window.isSecureContext && 'PublicKeyCredential' in window

/** Comes after a call of the server: without a network that one is refused, in words, and no script is asked for. */
const passkeys = () =>
  import('@simplewebauthn/browser').catch(() => {
    throw new Error(errorTexts.network)
  })

/** What the browser's dialog gave. A dialog that was closed is told in French, not in the browser's words. */
const given = <T>(dialog: Promise<T>): Promise<T> =>
  dialog.catch(() => {
    throw new Error(securityTexts.factor.cancelled)
  })

const SECURITY = ['account', 'security']

export const securityQuery = queryOptions({
  queryKey: SECURITY,
  queryFn: async ({ signal }) => {
    const security = await callJson<Security>('/api/users/security', { signal })
    // Rights come with the factor, and go with it.
    keepRoles(security.roles)
    return security
  },
  staleTime: 0,
})

/** What is done to one's own second factor; each ends with the state read again. */
export function useFactorAction<Body, Answer>(act: (body: Body) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: SECURITY })
      await client.invalidateQueries({ queryKey: SESSIONS })
    },
  })
}

const post = <T>(path: string, body: unknown, method: 'POST' | 'PUT' = 'POST') =>
  callJson<T>(path, { method, body })

export const startTotp = (password: string) => post<TotpStart>('/api/users/totp', { password })
export const confirmTotp = (code: string) => post<RecoveryCodes>('/api/users/totp', { code }, 'PUT')
export const removeTotp = (password: string) => post('/api/users/totp/remove', { password })
export const renewCodes = (password: string) => post<RecoveryCodes>('/api/users/recovery-codes', { password })
export const removePasskey = (id: string, password: string) =>
  post('/api/users/passkeys/remove', { id, password })

/** Has the device make a passkey and keeps it. */
export async function addPasskey(name: string, password: string): Promise<RecoveryCodes> {
  const { options } = await post<{ options: string }>('/api/users/passkeys/options', { password })
  const { startRegistration } = await passkeys()
  const response = await given(startRegistration({ optionsJSON: JSON.parse(options) }))
  return post<RecoveryCodes>('/api/users/passkeys', { name, response })
}

const TOKENS = ['account', 'tokens']

export const ownTokensQuery = queryOptions({
  queryKey: TOKENS,
  queryFn: ({ signal }) => callJson<OwnTokens>('/api/users/tokens', { signal }),
  staleTime: 0,
})

/** Makes an access token; the answer is the only one that holds it. */
export function useNewToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: TokenBody) => post<NewToken>('/api/users/tokens', body),
    onSuccess: () => client.invalidateQueries({ queryKey: TOKENS }),
  })
}

export function useRevokeToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      callJson<{ revoked: boolean }>(`/api/users/tokens/${id}`, { method: 'DELETE' }),
    onSettled: () => client.invalidateQueries({ queryKey: TOKENS }),
  })
}

/** Sets a password with a manager's link. */
export function useLinkPassword() {
  return useMutation({
    mutationFn: (body: { token: string; password: string }) =>
      post<{ name: string }>('/api/users/password-link', body),
  })
}

export const ownDataQuery = queryOptions({
  queryKey: ['account', 'data'],
  queryFn: ({ signal }) => callJson<OwnData>('/api/users/data', { signal }),
  staleTime: 0,
  retry: false,
})

/** Erases the account; nobody is signed in afterwards. */
export function useErase() {
  return useMutation({
    mutationFn: (body: EraseBody) =>
      callJson('/api/users/erase', { method: 'POST', body, timeoutMs: 10 * 60_000 }),
    onSuccess: () => closeSession(),
  })
}
