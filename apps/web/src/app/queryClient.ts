import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { retryByItself } from '#base/selfRetry.ts'
import { session } from '#base/session.ts'
import { notify } from '#kit/notify.tsx'

/** Queries whose screen reports failures itself set `reportsFailure`. */
declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      reportsFailure?: true
      /** Figures without patients' data, that may stay in the browser: see base/knownAnswers.ts. */
      known?: true
      live?: readonly (string | { path: string; id: number })[]
      everyMs?: number
    } & Record<string, unknown>
  }
}

/** A toast for a failed read, whatever the screen shows; refusals, missing records and the network have their own texts. */
function reportFailedRead(error: Error): void {
  if (!(error instanceof ApiError) || [0, 401, 403, 404].includes(error.status)) return
  notify.error(errorMessage(error), { title: 'Ошибка при загрузке данных', id: 'read-failed' })
}

/** Server state of all screens. A refusal is not retried; a broken connection or a server fault is, once. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => query.meta?.reportsFailure === true || isRepeated(query) || reportFailedRead(error),
  }),
  defaultOptions: {
    queries: {
      // By default calls without a network are paused and sent later: here they fail at once with a message.
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 15_000,
      gcTime: 5 * 60_000,
      retry: (count, error) => count < 1 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

const isRepeated = retryByItself(queryClient)

session.onLeave(() => queryClient.clear())
