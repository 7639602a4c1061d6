import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../base/apiError.ts'
import { session } from '../base/session.ts'

/** Server state of all screens. A refusal is not repeated; a broken connection or a server fault is, once. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // By default calls without network wait in silence and are sent later: here they fail at once and say why.
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 15_000,
      gcTime: 5 * 60_000,
      retry: (count, error) => count < 1 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

session.onLeave(() => queryClient.clear())
