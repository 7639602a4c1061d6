import { Filial } from '@ordinator/model/areas/filials/filial'
import { zoneFor } from '@ordinator/model/zone'
import { usePreference } from '../../base/preferences.ts'
import { zoneNow } from '../../kit/clock.ts'
import { useList } from '../../records/reads.ts'

const MAX = 200

/** The branch whose day is shown: that of the address, else the last one, else the first. */
export function useFilial(wanted: number | undefined) {
  const [last, setLast] = usePreference('calendar-filial', readLast, 'device')
  const list = useList(
    Filial,
    { filter: { active: true }, sort: 'nameFilial', limit: MAX, fields: ['nameFilial', 'shortFilialName', 'timeZone'] },
    { staleTime: 60_000 },
  )
  const filials = list.data?.items ?? []
  const filial =
    filials.find(({ id }) => id === wanted) ??
    (wanted === undefined ? (filials.find(({ id }) => id === last.id) ?? filials[0]) : undefined)
  return {
    list,
    filials,
    filial,
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
