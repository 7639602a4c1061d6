import { isDeskRole } from '@ordinator/model/areas/staff/role'
import { Desk } from '@ordinator/model/areas/visits/visit'
import type { Permission } from '@ordinator/model/permissions'
import { useActor } from '#base/session.ts'
import { useList } from '#records/reads.ts'

/** Message for an employee whose role works at a desk but who is at the desk of no branch: no visit is visible. */
export const DESKLESS =
  'Вас нет в регистратуре ни одного филиала: попросите администратора добавить вас («Филиалы», вкладка «Регистратура»).'

/** True for such an employee. */
export function useDeskless(): boolean {
  const { id: idUser, permissions } = useActor()
  const isDesk = isDeskRole((Object.keys(permissions) as Permission[]).filter((name) => permissions[name]))
  const desks = useList(
    Desk,
    { filter: { idUser }, fields: ['idFilial'], limit: 1 },
    { enabled: isDesk, forbidden: 'silent' },
  )
  return isDesk && desks.data?.items.length === 0
}
