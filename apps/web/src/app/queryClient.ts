import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './apiError.ts'
import { session } from './session.ts'

/** Server state of all screens. A refusal is not repeated; a broken connection or a server fault is, once. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 5 * 60_000,
      retry: (count, error) => count < 1 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
    },
    mutations: { retry: false },
  },
})

session.onLeave(() => queryClient.clear())
