import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api/errors.ts'

/** A call that the server refused is not repeated; a lost one is, once. */
function shouldRetry(failures: number, error: unknown): boolean {
  const refused = error instanceof ApiError && error.status !== null && error.status < 500
  return !refused && failures < 1
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: shouldRetry, retryDelay: 1000, refetchOnWindowFocus: false, staleTime: 30_000 },
  },
})
