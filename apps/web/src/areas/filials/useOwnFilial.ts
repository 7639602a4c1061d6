import { can } from '@ordinator/model/access'
import { StaffEvent } from '@ordinator/model/areas/visits/shift'
import { Desk } from '@ordinator/model/areas/visits/visit'
import type { Entity } from '@ordinator/model/entity'
import { useActor } from '#base/session.ts'
import { today } from '#kit/clock.ts'
import { useList } from '#records/reads.ts'

/** Branch of the user's next shift or front desk. */
export function useOwnFilial(enabled: boolean): { id: number | undefined; isPending: boolean } {
  const actor = useActor()
  const idUser = actor.id
  const asked = (entity: Entity) => ({ enabled: enabled && can(actor, 'view', entity) })
  const shift = useList(
    StaffEvent,
    {
      filter: { idUser, type: 'shift', localDate: { gte: today() } },
      sort: 'localDate',
      fields: ['idFilial'],
      limit: 1,
    },
    asked(StaffEvent),
  )
  const desk = useList(Desk, { filter: { idUser }, fields: ['idFilial'], limit: 1 }, asked(Desk))
  return {
    id: shift.data?.items[0]?.idFilial ?? desk.data?.items[0]?.idFilial,
    isPending: shift.isLoading || desk.isLoading,
  }
}
