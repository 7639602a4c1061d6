import { allowed } from '@ordinator/model/access'
import { ageText } from '@ordinator/model/areas/customers/age'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { CustomerAttachment, CustomerFile, CustomerPhoto } from '@ordinator/model/areas/customers/files'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import {
  IconArrowMerge,
  IconCalendarPlus,
  IconFileShredder,
  IconLink,
  IconLogout,
  IconTrash,
} from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CustomerConsents } from '#areas/consents/index.ts'
import { Attachments } from '#areas/files/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
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
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import type { UploadTarget } from '#records/uploads.ts'
import { useRemove, useSave } from '#records/writes.ts'
import { AccessLines } from '../access/AccessLines.tsx'
import { CustomerFace } from '../CustomerFace.tsx'
import type { CardAction, CardTabs, CustomerCard } from '../parts.ts'
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

const joined = (tabs: readonly CustomerCard['tabs'][]): CardTabs => Object.assign({}, ...tabs)

const tabsOf = (cards: readonly CustomerCard[]): CardTabs => ({
  thread: { label: 'Лента', panel: ({ id }) => <CustomerThread idCustomer={id} /> },
  ...joined(cards.map((card) => card.tabs)),
  documents: {
    label: 'Документы',
    panel: (customer) => (
      <>
        <DocumentsForm customer={customer} />
        <Policies customer={customer} />
        {cards.map(({ name, Papers }) => Papers && <Papers key={name} idCustomer={customer.id} />)}
      </>
    ),
  },
  addresses: { label: 'Адреса', panel: (customer) => <AddressesForm customer={customer} /> },
  relations: {
    label: 'Представители',
    panel: (customer) => <Relations customer={customer} idCustomer={customer.id} />,
  },
  ...joined(cards.map((card) => card.laterTabs)),
  consents: { label: 'Согласия', panel: (customer) => <CustomerConsents customer={customer} /> },
  access: {
    label: 'Кто смотрел',
    any: ['viewAccessLog'],
    panel: ({ id }) => <AccessLines filter={{ idCustomer: id }} />,
  },
  files: { label: 'Файлы', panel: ({ id }) => <CustomerFiles idCustomer={id} /> },
})

/**
 * Карта клиента: person, contacts, documents, addresses, representatives, files, changes.
 * @param cards the parts of other areas
 */
export default function CustomerPage({ cards }: { cards: readonly CustomerCard[] }) {
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
          <CardSummary key={customer.id} customer={customer} cards={cards} />
        </>
      )}
      actions={(customer) => <CardActions key={customer.id} customer={customer} cards={cards} />}
      form={mainSections}
      tabs={tabsOf(cards)}
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
function CardActions({ customer, cards }: { customer: CustomerRow; cards: readonly CustomerCard[] }) {
  const go = useGo()
  const [merging, setMerging] = useState(false)
  const [linking, setLinking] = useState(false)
  const [personal, setPersonal] = useState(false)
  const [opened, setOpened] = useState<CardAction>()
  const { settings } = useAccount().common
  const actor = useActor()
  const remove = useRemove(Customer)
  const shown = (of: 'buttons' | 'items') =>
    cards.flatMap((card) => card[of] ?? []).filter(({ may }) => may(actor, settings))
  return (
    <>
      <OwnPhone customer={customer} />
      {cards.map(({ name, Mark }) => Mark && <Mark key={name} idCustomer={customer.id} />)}
      <CustomerTags idCustomer={customer.id} />
      {allowed(actor, 'createAppointments') && (
        <ActionButton
          label="Записать"
          icon={IconCalendarPlus}
          renderRoot={(props) => <PageLink {...props} page="calendar" search={{ book: 1, customer: customer.id }} />}
        />
      )}
      {shown('buttons').map((action) => (
        <ActionButton
          key={action.label}
          label={action.label}
          icon={action.icon}
          variant="default"
          onClick={() => setOpened(action)}
        />
      ))}
      <PrintMenu entity="customers" id={customer.id} />
      {useCan('update', Customer) && (
        <ActionMenu label="Действия с картой" variant="default">
          <MenuItem label="Объединить с другой картой…" icon={IconArrowMerge} onClick={() => setMerging(true)} />
          <MenuItem label="Личная ссылка в кабинет…" icon={IconLink} onClick={() => setLinking(true)} />
          {shown('items').map((action) => (
            <MenuItem key={action.label} label={action.label} icon={action.icon} onClick={() => setOpened(action)} />
          ))}
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
      {opened && <opened.Dialog customer={customer} onClose={() => setOpened(undefined)} />}
      {merging && <MergeDialog customer={customer} onClose={() => setMerging(false)} />}
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
