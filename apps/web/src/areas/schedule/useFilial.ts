import { Filial } from '@ordinator/model/areas/filials/filial'
import { zoneFor } from '@ordinator/model/zone'
import { useOwnFilial } from '#areas/filials/index.ts'
import { usePreference } from '#base/preferences.ts'
import { useActor } from '#base/session.ts'
import { zoneNow } from '#kit/clock.ts'
import { useList } from '#records/reads.ts'

const MAX = 200

/** The displayed branch: of the URL, else the last one, else the user's, else the first. */
export function useFilial(wanted: number | undefined) {
  const [last, setLast] = usePreference('calendar-filial', readLast, 'device')
  const { onlyFilials } = useActor()
  const list = useList(
    Filial,
    {
      filter: { active: true, ...(onlyFilials && { id: { in: [...onlyFilials] } }) },
      sort: 'nameFilial',
      limit: MAX,
      fields: ['nameFilial', 'shortFilialName', 'timeZone'],
    },
    { staleTime: 60_000 },
  )
  const own = useOwnFilial(wanted === undefined && last.id === undefined)
  const filials = list.data?.items ?? []
  const named = (id: number | undefined) => filials.find((one) => one.id === id)
  const filial = named(wanted) ?? (wanted === undefined ? (named(last.id) ?? named(own.id) ?? filials[0]) : undefined)
  return {
    list,
    isPending: list.isPending || own.isPending,
    filials,
    filial: own.isPending ? undefined : filial,
    timeZone: zoneFor(zoneNow(), filial?.timeZone),
    remember: (id: number) => {
      if (id !== last.id) setLast({ id })
    },
  }
}

const readLast = (stored: unknown): { id?: number } => {
  const { id } = (stored ?? {}) as { id?: unknown }
  return typeof id === 'number' ? { id } : {}
}
