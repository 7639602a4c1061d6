import { allowed, holds } from '@ordinator/model/access'
import { ageText } from '@ordinator/model/areas/customers/age'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { CustomerAttachment, CustomerFile, CustomerPhoto } from '@ordinator/model/areas/customers/files'
import { publishedView } from '@ordinator/model/areas/laboratory/access'
import { moneyView } from '@ordinator/model/areas/money/desk'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import {
  IconArrowMerge,
  IconCalendarPlus,
  IconCash,
  IconFileShredder,
  IconGift,
  IconLink,
  IconLogout,
  IconMessage,
  IconReceiptTax,
  IconTrash,
} from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CustomerConsents } from '#areas/consents/index.ts'
import { TaxDialog } from '#areas/egisz/index.ts'
import { CustomerSickLeaves, SnilsHistory } from '#areas/eln/index.ts'
import { CustomerExaminations } from '#areas/examinations/index.ts'
import { Attachments } from '#areas/files/index.ts'
import { CustomerResults } from '#areas/laboratory/index.ts'
import { CustomerMessages, MailDialog } from '#areas/messages/index.ts'
import { AccountTab, DebtMark, TakeDialog } from '#areas/money/index.ts'
import { FriendCodeDialog } from '#areas/outside/index.ts'
import { CustomerPlans } from '#areas/plans/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { CustomerVisits } from '#areas/schedule/index.ts'
import { useGo } from '#base/address.ts'
import { recordsWith } from '#base/client.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useAccount, useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { today } from '#kit/clock.ts'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { FaceField } from '#records/FaceField.tsx'
import { invalidateRecords } from '#records/keys.ts'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import type { UploadTarget } from '#records/uploads.ts'
import { useRemove, useSave } from '#records/writes.ts'
import { AccessLines } from '../access/AccessLines.tsx'
import { CustomerFace } from '../CustomerFace.tsx'
import { CardNotes } from './CardNotes.tsx'
import { CardSummary } from './CardSummary.tsx'
import { AddressesForm, DocumentsForm, mainSections } from './CustomerForms.tsx'
import { CustomerTags } from './CustomerTags.tsx'
import { CustomerThread } from './CustomerThread.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import { PersonalDataDialog } from './PersonalDataDialog.tsx'
import { Policies } from './Policies.tsx'
import { PortalLinkDialog } from './PortalLinkDialog.tsx'
import { endPortalSessions } from './portalSessions.ts'
import { Relations } from './Relations.tsx'
import { SealedCard } from './SealedCard.tsx'

type CustomerRow = Row<typeof Customer>

const tabs: RecordParts<typeof Customer>['tabs'] = {
  thread: { label: 'Лента', panel: ({ id }) => <CustomerThread idCustomer={id} /> },
  visits: {
    label: 'Записи',
    any: ['viewCalendar', 'viewAllAppointments'],
    panel: ({ id }) => <CustomerVisits idCustomer={id} />,
  },
  plans: {
    label: 'Планы лечения',
    any: ['viewPlans', 'viewCustomerPlansReport'],
    panel: ({ id }) => <CustomerPlans idCustomer={id} />,
  },
  examinations: {
    label: 'Осмотры',
    any: ['viewExaminations'],
    panel: ({ id }) => <CustomerExaminations idCustomer={id} />,
  },
  eln: {
    label: 'Больничные',
    any: ['viewElnList'],
    panel: ({ id }) => <CustomerSickLeaves idCustomer={id} />,
  },
  laboratory: {
    label: 'Анализы',
    any: publishedView,
    panel: ({ id }) => <CustomerResults idCustomer={id} />,
  },
  messages: {
    label: 'Сообщения',
    any: ['viewMessages'],
    panel: ({ id }) => <CustomerMessages idCustomer={id} />,
  },
  documents: {
    label: 'Документы',
    panel: (customer) => (
      <>
        <DocumentsForm customer={customer} />
        <Policies customer={customer} />
        <SnilsHistory idCustomer={customer.id} />
      </>
    ),
  },
  addresses: { label: 'Адреса', panel: (customer) => <AddressesForm customer={customer} /> },
  relations: {
    label: 'Представители',
    panel: (customer) => <Relations customer={customer} idCustomer={customer.id} />,
  },
  account: { label: 'Счёт', any: moneyView, panel: ({ id }) => <AccountTab idCustomer={id} /> },
  consents: { label: 'Согласия', panel: (customer) => <CustomerConsents customer={customer} /> },
  access: {
    label: 'Кто смотрел',
    any: ['viewAccessLog'],
    panel: ({ id }) => <AccessLines filter={{ idCustomer: id }} />,
  },
  files: { label: 'Файлы', panel: ({ id }) => <CustomerFiles idCustomer={id} /> },
}

/** Карта клиента: person, contacts, documents, addresses, representatives, files, changes. */
export default function CustomerPage() {
  return (
    <RegistryRecordPage
      entity={Customer}
      list={pageByKey('customers')}
      start={(customer) => <CardFace customer={customer} />}
      help={helpOf}
      sealed={(id) => <SealedCard key={id} idCustomer={id} />}
      under={(customer) => (
        <>
          <CardNotes customer={customer} />
          <CardSummary key={customer.id} customer={customer} />
        </>
      )}
      actions={(customer) => <CardActions key={customer.id} customer={customer} />}
      form={mainSections}
      tabs={tabs}
      saved="Карта сохранена"
    />
  )
}

function helpOf({ birthday, cardNumber, dateDeath }: CustomerRow): string {
  const age = ageText(birthday, today())
  return [
    birthday && (age ? `${birthday}, ${age}` : birthday),
    dateDeath && 'умер(ла)',
    cardNumber && `карта № ${cardNumber}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Actions on the whole card. */
function CardActions({ customer }: { customer: CustomerRow }) {
  const go = useGo()
  const [merging, setMerging] = useState(false)
  const [linking, setLinking] = useState(false)
  const [taxing, setTaxing] = useState(false)
  const [taking, setTaking] = useState(false)
  const [mailing, setMailing] = useState(false)
  const [friend, setFriend] = useState(false)
  const [personal, setPersonal] = useState(false)
  const { friendReward, friendGift } = useAccount().common.settings
  const hasFriends = Number(friendReward ?? 0) + Number(friendGift ?? 0) > 0
  const actor = useActor()
  const mayTax = holds(actor, 'manageSignatures') || holds(actor, 'viewAllCashDesks')
  const remove = useRemove(Customer)
  return (
    <>
      <OwnPhone customer={customer} />
      <DebtMark idCustomer={customer.id} />
      <CustomerTags idCustomer={customer.id} />
      {allowed(actor, 'createAppointments') && (
        <ActionButton
          label="Записать"
          icon={IconCalendarPlus}
          renderRoot={(props) => <PageLink {...props} page="calendar" search={{ book: 1, customer: customer.id }} />}
        />
      )}
      {allowed(actor, 'takePayments') && (
        <ActionButton label="Принять оплату" icon={IconCash} variant="default" onClick={() => setTaking(true)} />
      )}
      {allowed(actor, 'sendMessages') && (
        <ActionButton label="Написать" icon={IconMessage} variant="default" onClick={() => setMailing(true)} />
      )}
      <PrintMenu entity="customers" id={customer.id} />
      {useCan('update', Customer) && (
        <ActionMenu label="Действия с картой" variant="default">
          <MenuItem label="Объединить с другой картой…" icon={IconArrowMerge} onClick={() => setMerging(true)} />
          <MenuItem label="Личная ссылка в кабинет…" icon={IconLink} onClick={() => setLinking(true)} />
          {hasFriends && <MenuItem label="Код друга…" icon={IconGift} onClick={() => setFriend(true)} />}
          {mayTax && <MenuItem label="Справка для налоговой…" icon={IconReceiptTax} onClick={() => setTaxing(true)} />}
          {allowed(actor, 'personalData') && (
            <MenuItem label="Персональные данные…" icon={IconFileShredder} onClick={() => setPersonal(true)} />
          )}
          <MenuItem
            label="Завершить сеансы в личном кабинете"
            icon={IconLogout}
            onClick={() => void endPortalSessions(customer.id)}
          />
          <MenuItem
            label="Удалить карту"
            danger
            icon={IconTrash}
            onClick={() =>
              remove.mutate(customer.id, { onSuccess: () => void go({ page: 'customers' }, { replace: true }) })
            }
          />
        </ActionMenu>
      )}
      {taking && <TakeDialog idCustomer={customer.id} onClose={() => setTaking(false)} />}
      {mailing && (
        <MailDialog customers={[customer.id]} onSent={() => setMailing(false)} onClose={() => setMailing(false)} />
      )}
      {merging && <MergeDialog customer={customer} onClose={() => setMerging(false)} />}
      {taxing && <TaxDialog customer={customer} onClose={() => setTaxing(false)} />}
      {friend && <FriendCodeDialog idCustomer={customer.id} onClose={() => setFriend(false)} />}
      {personal && <PersonalDataDialog customer={customer} onClose={() => setPersonal(false)} />}
      {linking && <PortalLinkDialog idCustomer={customer.id} onClose={() => setLinking(false)} />}
    </>
  )
}

/** The patient's phone, else a parent's. */
function OwnPhone({ customer: { phone, phoneMother, phoneFather } }: { customer: CustomerRow }) {
  const reached = phone ?? phoneMother ?? phoneFather
  return (
    reached && (
      <HStack component="span" gap={4}>
        {!phone && <Muted>{phoneMother ? 'мать' : 'отец'}</Muted>}
        <PhoneLink phone={reached} />
      </HStack>
    )
  )
}

function CustomerFiles({ idCustomer }: { idCustomer: number }) {
  return (
    <Attachments
      links={CustomerAttachment}
      of={{ idCustomer }}
      target={(cache) => toCustomer(idCustomer, cache)}
      mayEdit={useCan('create', CustomerAttachment)}
      to="к карте"
      order={2}
    />
  )
}

const toCustomer = (idCustomer: number, cache: QueryClient): UploadTarget => ({
  key: `customer:${idCustomer}`,
  stored: CustomerFile,
  whereToLook: 'Откройте карту клиента, чтобы повторить.',
  async take({ id }) {
    await quiet.create(CustomerAttachment, { idCustomer, idFile: id })
    await invalidateRecords(cache, CustomerAttachment.path)
  },
})

/** Errors are shown at the file itself. */
const quiet = recordsWith({ forbidden: 'silent' })

function CardFace({ customer }: { customer: Row<typeof Customer> }) {
  const save = useSave(Customer)
  return (
    <FaceField
      entity={Customer}
      files={CustomerPhoto}
      value={customer.idPhoto}
      onPut={(idPhoto) => save.mutateAsync({ id: customer.id, idPhoto })}
    >
      <CustomerFace customer={customer} size={48} />
    </FaceField>
  )
}
