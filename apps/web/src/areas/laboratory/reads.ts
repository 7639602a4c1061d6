/** What the screens of the laboratory read, and what is read again when it changes. */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type Answer, api } from '../../base/api.ts'
import { useAccount } from '../../base/session.ts'
import { retries } from '../../records/reads.ts'

/** Paths whose changes change any of these answers. */
const live = [
  'laboratory/orders',
  'laboratory/order-items',
  'laboratory/samples',
  'laboratory/results',
  'laboratory/shipments',
]

export const labKey = 'laboratory-calls'
/** Reads all of these again: after a write of one's own. */
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
    meta: { live: [...live, 'laboratory/strays', 'laboratory/control-runs'], everyMs: 10_000 },
  })
}

/** Told with the account, asked again when results change; null of one whose words have not come yet. */
export function useCriticals(): (Critical | null)[] {
  const told = useAccount().user.alerts.criticals as (Critical | null)[] | undefined
  const { data } = useQuery({
    queryKey: [labKey, 'criticals', told],
    queryFn: async ({ signal }) =>
      (await api('GET /laboratory/results/criticals', {}, { signal, forbidden: 'silent' })).items,
    retry: retries,
    initialData: (told ?? []) as Critical[],
    staleTime: Number.POSITIVE_INFINITY,
    meta: { live: ['laboratory/results'] },
  })
  return data
}
export type Critical = Answer<'GET /laboratory/results/criticals'>['items'][number]

export { live as laboratoryLive }
