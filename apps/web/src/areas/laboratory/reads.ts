/** Queries of the laboratory's screens, and their invalidation. */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type Answer, api } from '#base/api.ts'
import { retries } from '#records/reads.ts'

/** Paths whose changes invalidate these queries. */
const live = [
  'laboratory/orders',
  'laboratory/order-items',
  'laboratory/samples',
  'laboratory/results',
  'laboratory/shipments',
]

export const labKey = 'laboratory-calls'
/** Invalidates all of them after a write. */
export const readLaboratory = (cache: QueryClient): Promise<void> => cache.invalidateQueries({ queryKey: [labKey] })

export function useLines(id: number) {
  return useQuery({
    queryKey: [labKey, 'lines', id],
    queryFn: ({ signal }) => api('GET /laboratory/orders/:id/lines', { params: { id } }, { signal }),
    retry: retries,
    meta: { live },
  })
}
export type OrderLines = Answer<'GET /laboratory/orders/:id/lines'>

export function useNow() {
  return useQuery({
    queryKey: [labKey, 'now'],
    queryFn: ({ signal }) => api('GET /laboratory/now', {}, { signal }),
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: [...live, 'laboratory/strays', 'laboratory/control-runs'], everyMs: 10_000, known: true },
  })
}

export function useCriticals() {
  return useQuery({
    queryKey: [labKey, 'criticals'],
    queryFn: ({ signal }) => api('GET /laboratory/results/criticals', {}, { signal, forbidden: 'silent' }),
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: ['laboratory/results'] },
  })
}
export type Critical = Answer<'GET /laboratory/results/criticals'>['items'][number]

/** Published values that their approver is asked to look at again. */
export function useReviews() {
  return useQuery({
    queryKey: [labKey, 'reviews'],
    queryFn: ({ signal }) => api('GET /laboratory/results/reviews', {}, { signal, forbidden: 'silent' }),
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: ['laboratory/results'] },
  })
}
export type Reviewed = Answer<'GET /laboratory/results/reviews'>['items'][number]

export { live as laboratoryLive }
