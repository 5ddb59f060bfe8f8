import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api/errors.ts'

/** A call that the server refused is not repeated; a lost one is, once. */
function shouldRetry(failures: number, error: unknown): boolean {
  const refused = error instanceof ApiError && error.status !== null && error.status < 500
  return !refused && failures < 1
}

/** What a server that is starting, or gone for a moment, could not answer is asked again by itself, ms. */
const AWAY_RETRY_MS = 5_000

const isAway = (error: unknown) =>
  error instanceof ApiError && (error.kind === 'network' || error.code === 'database.unavailable')

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      retryDelay: 1000,
      refetchInterval: ({ state }) => isAway(state.error) && AWAY_RETRY_MS,
      refetchOnWindowFocus: false,
      staleTime: 30_000,
    },
    // What a person sends without a network fails at once and is told; kept back, it would be sent unasked later.
    mutations: { networkMode: 'always' },
  },
})
