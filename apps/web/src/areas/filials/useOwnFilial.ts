import { StaffEvent } from '@ordinator/model/areas/visits/shift'
import { Desk } from '@ordinator/model/areas/visits/visit'
import { useActor } from '#base/session.ts'
import { today } from '#kit/clock.ts'
import { useList } from '#records/reads.ts'

/** Branch of the user's next shift or front desk. */
export function useOwnFilial(enabled: boolean): { id: number | undefined; isPending: boolean } {
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
