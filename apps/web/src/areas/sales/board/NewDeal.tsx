import { TextInput } from '@mantine/core'
import { Contact } from '@ordinator/model/areas/sales/contact'
import { WORK } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { splitPhone } from '@ordinator/model/phone'
import { useState } from 'react'
import { recordsWith } from '#base/client.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { uiOf } from '#records/fields/registry.ts'
import { RecordField } from '#records/form/RecordField.tsx'
import { RecordForm } from '#records/RecordForm.tsx'
import type { StageRow } from './deals.ts'

interface Props {
  stages: readonly StageRow[]
  onCreated: (id: number) => void
  onClose: () => void
}

const MAX_NAME = 64
const nobody = { name: '', phone: null as unknown }
type Typed = typeof nobody
const Phone = uiOf(Contact.fields.phone).Input

/** Moves a number typed together with the name into its own field. */
function parted(contact: Typed): Typed {
  const { phone, words } = splitPhone(contact.name)
  return contact.phone || !phone ? { ...contact, name: contact.name.trim() } : { name: words, phone }
}

/** New deal in the funnel's first stage, with a contact; the rest follows in the opened card. */
export function NewDeal({ stages, onCreated, onClose }: Props) {
  const idStage = stages.find((stage) => stage.idType === WORK)?.id
  const [contact, setContact] = useState(nobody)
  const { name, phone } = parted(contact)
  const checked = phone ? Contact.fields.phone.check(phone) : undefined
  const wrong = checked && !checked.ok ? checked.message : undefined
  const parts = {
    dirty: name !== '' || Boolean(phone),
    wait: wrong && `Телефон контакта: ${wrong}`,
    async save(idLead: number) {
      if (name || phone)
        await quiet.create(Contact, { idLead, name: name || null, phone: (phone as string | null) || null })
    },
    discard: () => setContact(nobody),
  }
  return (
    <Dialog onClose={onClose} title="Новая сделка" size={480}>
      <RecordForm
        entity={Lead}
        fixed={{ idStage }}
        draft={`stage:${idStage}`}
        saveLabel="Создать"
        onSaved={(row) => onCreated(row.id)}
        onCancel={onClose}
        parts={parts}
      >
        <RecordField name="title" autoFocus />
        <TextInput
          label="Контакт"
          placeholder="Имя, можно сразу с телефоном"
          maxLength={MAX_NAME}
          value={contact.name}
          onChange={(event) => {
            const { value } = event.currentTarget
            setContact((now) => ({ ...now, name: value }))
          }}
          onBlur={() => setContact(parted)}
        />
        {Phone && (
          <Phone
            entity={Contact}
            name="contactPhone"
            f={Contact.fields.phone}
            label="Телефон контакта"
            value={contact.phone}
            onChange={(phone) => setContact((now) => ({ ...now, phone }))}
            error={wrong}
          />
        )}
        <RecordField name="price" />
        <RecordField name="idSource" />
      </RecordForm>
    </Dialog>
  )
}

const quiet = recordsWith({ forbidden: 'toast' })
