import { Customer, sameAddress } from '@ordinator/model/areas/customers/customer'
import type { Row } from '@ordinator/model/entity'
import { IconCopy } from '@tabler/icons-react'
import { useFormContext } from 'react-hook-form'
import { ActionButton } from '#kit/ActionButton.tsx'
import { FormSections, type Sections } from '#records/form/FormSections.tsx'
import { RegistryForm } from '#records/registry/RegistryRecord.tsx'
import { SimilarTyped } from './SimilarCustomers.tsx'

interface Props {
  customer: Row<typeof Customer>
}

/** «Основное»: person, contacts, medical warnings, source. */
export const mainSections: Sections = {
  Клиент: ['surname', 'name', 'middleName', 'birthday', 'gender', 'cardNumber'],
  Связь: [
    'phone',
    'phoneExtended',
    'phoneMother',
    'phoneFather',
    'phoneWork',
    'email',
    'languages',
    'noMessenger',
    'noSms',
    'noEmail',
  ],
  'Важно для врача': ['allergies', 'bloodGroup', 'disability', 'benefitCode', 'dateDeath'],
  'Откуда узнал о клинике': ['idSource', 'promoter'],
  'Работа и семья': ['work', 'post', 'addressWork', 'employment', 'educationLevel', 'familyStatus'],
  Карта: ['idStatus', 'secretLevel', 'note'],
}

const documentSections: Sections = {
  'Документ, удостоверяющий личность': [
    'documentType',
    'numberPassport',
    'datePassport',
    'issuedByPassportCode',
    'issuedByPassport',
  ],
  Номера: ['snils', 'inn'],
}

export const DocumentsForm = ({ customer }: Props) => (
  <RegistryForm
    entity={Customer}
    row={customer}
    saved="Документы сохранены"
    draft="documents"
    form={() => (
      <>
        <FormSections sections={documentSections} />
        <SimilarTyped names={{ snils: 'snils' }} except={customer.id} />
      </>
    )}
  />
)

export const AddressesForm = ({ customer }: Props) => (
  <RegistryForm
    entity={Customer}
    row={customer}
    saved="Адреса сохранены"
    draft="addresses"
    form={{
      'Адрес регистрации': Object.keys(sameAddress),
      'Адрес проживания': { fields: [...Object.values(sameAddress), 'regionCodeFact'], tool: <SameAddress /> },
    }}
  />
)

/** «Совпадают»: copies the address of registration to that of residence. */
function SameAddress() {
  const form = useFormContext()
  return (
    <ActionButton
      label="Совпадают"
      variant="subtle"
      size="compact-sm"
      icon={IconCopy}
      onClick={() => {
        for (const [from, to] of Object.entries(sameAddress))
          form.setValue(to, form.getValues(from), { shouldDirty: true })
      }}
    />
  )
}
