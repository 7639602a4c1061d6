import type { Slot } from '@ordinator/model/areas/visits/calls'
import { plusDays } from '@ordinator/model/zone'
import { useQueries, useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { retries } from '#records/reads.ts'
import { dayPaths } from '../day.ts'

/** Days searched. */
const SPAN = 60
/** Free times are read again so often, as the clock takes them away. */
const PASSING_MS = 60_000

export interface SlotQuery {
  services: readonly number[]
  idFilial?: number
  idUser?: number
  from: string
  limit: number
}

/** Duration and price of a service, from its next free time. */
const first = (idService: number, { idUser, idFilial, from }: Omit<SlotQuery, 'services' | 'limit'>) => ({
  queryKey: ['appointments/slots', 'first', idService, idFilial, idUser, from],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Slot | null> =>
    (await ask({ services: [idService], idUser, idFilial, from, limit: 1 }, undefined, signal))[0] ?? null,
  retry: retries,
})

/** Free times for consecutive services with one doctor. */
export function useSlots(query: SlotQuery) {
  const { services, idFilial, idUser, from, limit } = query
  const each = useQueries({ queries: services.map((id) => first(id, { idUser, idFilial, from })) })
  const single = services.length === 1
  const known = each.every(({ data }) => data !== undefined)
  const minutes = known ? each.reduce((sum, { data }) => sum + (data?.minutes ?? 0), 0) : undefined
  const slots = useQuery({
    queryKey: ['appointments/slots', services, idFilial, idUser, from, limit, single ? undefined : minutes],
    queryFn: ({ signal }) => ask(query, single ? undefined : minutes, signal),
    enabled: services.length > 0 && (single || (minutes ?? 0) > 0),
    retry: retries,
    placeholderData: (before) => before,
    // A time that has passed leaves the list.
    refetchInterval: PASSING_MS,
    meta: { live: dayPaths },
  })
  return { slots, minutes, prices: each.map(({ data }) => data?.price ?? null) }
}

async function ask(
  { services, idFilial, idUser, from, limit }: SlotQuery,
  minutes: number | undefined,
  signal: AbortSignal,
) {
  const { items } = await api(
    'GET /appointments/slots',
    {
      query: {
        idService: services[0] as number,
        idFilial,
        idUser,
        from,
        to: plusDays(from, SPAN),
        limit,
        minutes,
      },
    },
    { signal, forbidden: 'silent' },
  )
  return items
}
