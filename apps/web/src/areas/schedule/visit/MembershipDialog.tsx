import { Membership } from '@ordinator/model/areas/memberships/membership'
import { restWords } from '@ordinator/model/areas/memberships/rules'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { FormDialog } from '#kit/FormDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'
import { readDaysAgain } from '../day.ts'

interface Props {
  /** Id of the line. */
  id: number
  idCustomer: number
  onClose: () => void
}

/** Chooses the membership that pays for a service: of the patient, or one for the bearer. */
export function MembershipDialog({ id, idCustomer, onClose }: Props) {
  const cache = useQueryClient()
  const own = useList(
    Membership,
    { filter: { 'users.idCustomer': idCustomer, state: 'active' }, limit: 20 },
    { forbidden: 'silent' },
  )
  const first = own.data?.items[0]
  return (
    <FormDialog
      title="Оплатить абонементом"
      action="Оплатить"
      draft={{ idMembership: null as number | null }}
      faults={({ idMembership }) => ({ idMembership: !(idMembership ?? first?.id) && 'Выберите абонемент' })}
      send={({ idMembership }) =>
        api('POST /coupon-services/:id/membership', {
          params: { id },
          body: { idMembership: idMembership ?? first?.id ?? null },
        })
      }
      done={async () => {
        await Promise.all([invalidateRecords(cache, Appointment.path), readDaysAgain(cache)])
        notify.success('Услуга оплачена абонементом')
      }}
      onClose={onClose}
    >
      {({ draft: { idMembership }, value }) => (
        <>
          <RefSelect
            to={Membership.path}
            label="Абонемент"
            required
            {...value('idMembership')}
            value={idMembership ?? first?.id ?? null}
          />
          {own.data?.items.map((one) => (
            <Fine key={one.id} component="div">
              {one.name}: {restWords(one)}
            </Fine>
          ))}
        </>
      )}
    </FormDialog>
  )
}
