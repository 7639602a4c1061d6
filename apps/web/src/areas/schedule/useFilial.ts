import { Filial } from '@ordinator/model/areas/filials/filial'
import { StaffEvent } from '@ordinator/model/areas/visits/shift'
import { Desk } from '@ordinator/model/areas/visits/visit'
import { zoneFor } from '@ordinator/model/zone'
import { usePreference } from '#base/preferences.ts'
import { useActor } from '#base/session.ts'
import { today, zoneNow } from '#kit/clock.ts'
import { useList } from '#records/reads.ts'

const MAX = 200

/** The displayed branch: of the URL, else the last one, else the user's, else the first. */
export function useFilial(wanted: number | undefined) {
  const [last, setLast] = usePreference('calendar-filial', readLast, 'device')
  const list = useList(
    Filial,
    { filter: { active: true }, sort: 'nameFilial', limit: MAX, fields: ['nameFilial', 'shortFilialName', 'timeZone'] },
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

/** Branch of the user's next shift or front desk. */
function useOwnFilial(enabled: boolean): { id: number | undefined; isPending: boolean } {
  const idUser = useActor().id
  const options = { enabled, forbidden: 'silent' } as const
  const shift = useList(
    StaffEvent,
    {
      filter: { idUser, type: 'shift', localDate: { gte: today() } },
      sort: 'localDate',
      fields: ['idFilial'],
      limit: 1,
    },
    options,
  )
  const desk = useList(Desk, { filter: { idUser }, fields: ['idFilial'], limit: 1 }, options)
  return {
    id: shift.data?.items[0]?.idFilial ?? desk.data?.items[0]?.idFilial,
    isPending: enabled && (shift.isPending || desk.isPending),
  }
}
