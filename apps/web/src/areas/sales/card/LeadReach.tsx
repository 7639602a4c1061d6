import { holds } from '@ordinator/model/access'
import { Contact } from '@ordinator/model/areas/sales/contact'
import { pageAllowed, pageByKey } from '@ordinator/model/pages'
import { phoneText } from '@ordinator/model/phone'
import { IconCalendarPlus, IconMessage, IconPhone } from '@tabler/icons-react'
import { useState } from 'react'
import { MailDialog } from '#areas/messages/index.ts'
import { PatientBooking } from '#areas/schedule/index.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useCallProps } from '#kit/PhoneLink.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { useSave } from '#records/writes.ts'
import { useContacts } from './useContacts.ts'

/** What is done with the deal's patient next: a booking, a call, a message. */
export function LeadReach({ idLead, mayEdit }: { idLead: number; mayEdit: boolean }) {
  const actor = useActor()
  const contacts = useContacts(idLead).data?.items ?? []
  const contact =
    contacts.find(({ idCustomer }) => idCustomer !== null) ?? contacts.find(({ phone }) => phone) ?? contacts[0]
  const save = useSave(Contact, { toast: false })
  const [open, setOpen] = useState<'book' | 'write'>()
  if (!contact) return null
  const { id, idCustomer, surname, name, middleName, phone } = contact
  const called = phone ?? contact.customer?.phone ?? null
  const mayBook = holds(actor, 'createAppointments') && pageAllowed(pageByKey('calendar'), actor)
  const mayWrite = holds(actor, 'sendMessages') && idCustomer !== null
  return (
    <HStack wrap gap={6}>
      {mayBook && (
        <ActionButton
          label="Записать"
          icon={IconCalendarPlus}
          size="compact-sm"
          variant="light"
          onClick={() => setOpen('book')}
        />
      )}
      {called && <CallButton phone={called} />}
      {mayWrite && (
        <ActionButton
          label="Написать"
          icon={IconMessage}
          size="compact-sm"
          variant="default"
          onClick={() => setOpen('write')}
        />
      )}
      {open === 'book' && (
        <PatientBooking
          idCustomer={idCustomer ?? undefined}
          {...(idCustomer === null && {
            fresh: {
              ...{ surname: surname ?? '', name: name ?? '', middleName: middleName ?? '' },
              ...{ phone: called ? phoneText(called) : '', birthday: null },
            },
          })}
          idFilial={undefined}
          onPatient={(made) => mayEdit && save.mutate({ id, idCustomer: made })}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'write' && idCustomer !== null && (
        <MailDialog customers={[idCustomer]} onSent={() => setOpen(undefined)} onClose={() => setOpen(undefined)} />
      )}
    </HStack>
  )
}

const CallButton = ({ phone }: { phone: string }) => {
  const call = useCallProps(phone)
  return (
    <ActionButton
      label="Позвонить"
      icon={IconPhone}
      size="compact-sm"
      variant="default"
      title={phoneText(phone)}
      renderRoot={(props) => <a {...props} {...call} />}
    />
  )
}
