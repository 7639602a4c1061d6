import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, errorMessage } from '../base/apiError.ts'
import { session } from '../base/session.ts'
import { notify } from '../kit/notify.tsx'

/** A query whose own screen tells of its failure says so. */
declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      tells?: true
      live?: readonly (string | { path: string; id: number })[]
      everyMs?: number
    } & Record<string, unknown>
  }
}

/** A read that failed is told of once, whatever the screen shows in its place; refusals, absences and the network have their own words. */
function tellFailedRead(error: Error): void {
  if (!(error instanceof ApiError) || [0, 401, 403, 404].includes(error.status)) return
  notify.error(errorMessage(error), { title: 'Ошибка при загрузке данных', id: 'read-failed' })
}

/** Server state of all screens. A refusal is not repeated; a broken connection or a server fault is, once. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => query.meta?.tells === true || tellFailedRead(error) }),
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
