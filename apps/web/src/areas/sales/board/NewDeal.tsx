import { Autocomplete } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Contact } from '@ordinator/model/areas/sales/contact'
import { WORK } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { splitPhone } from '@ordinator/model/phone'
import { nameParts } from '@ordinator/model/spelling'
import { useState } from 'react'
import { searchCustomers } from '#areas/customers/index.ts'
import { recordsWith } from '#base/client.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { submitOnEnter } from '#kit/submitOnEnter.ts'
import { type AjaxOption, useAjaxOptions } from '#kit/useAjaxOptions.ts'
import { useCan } from '#records/Can.tsx'
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
const nobody = { name: '', phone: null as unknown, idCustomer: null as number | null }
type Typed = typeof nobody
const Phone = uiOf(Contact.fields.phone).Input

/** Moves a number typed together with the name into its own field. */
function parted(contact: Typed): Typed {
  const { phone, words } = splitPhone(contact.name)
  return contact.phone || !phone ? { ...contact, name: contact.name.trim() } : { ...contact, name: words, phone }
}

/** New deal in the funnel's first stage, with a contact; the rest follows in the opened card. */
export function NewDeal({ stages, onCreated, onClose }: Props) {
  const idStage = stages.find((stage) => stage.idType === WORK)?.id
  const [contact, setContact] = useState(nobody)
  const { name, phone, idCustomer } = parted(contact)
  const [seeks, setSeeks] = useState(false)
  const cards = useCan('view', Customer)
  const { options } = useAjaxOptions(searchCustomers, contact.name, cards && seeks && contact.idCustomer === null)
  const found = new Map(options.map((option) => [[option.label, option.hint].filter(Boolean).join(' · '), option]))
  const take = async ({ value, label }: AjaxOption) => {
    setContact({ name: label, phone: contact.phone, idCustomer: value })
    const card = await quiet.view(Customer, value, { fields: ['phone'] })
    setContact((now) => (now.idCustomer === value ? { ...now, phone: now.phone || card.phone } : now))
  }
  const checked = phone ? Contact.fields.phone.check(phone) : undefined
  const wrong = checked && !checked.ok ? checked.message : undefined
  const parts = {
    dirty: name !== '' || Boolean(phone),
    wait: wrong && `Телефон контакта: ${wrong}`,
    async save(idLead: number) {
      if (!name && !phone) return
      const parts = idCustomer === null ? { name: name || null } : nameParts(name)
      await quiet.create(Contact, { idLead, ...parts, phone: (phone as string | null) || null, idCustomer })
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
        <Autocomplete
          label="Контакт"
          placeholder="Имя, можно сразу с телефоном: карты подскажутся"
          maxLength={MAX_NAME}
          data={seeks ? [...found.keys()] : []}
          filter={({ options }) => options}
          value={contact.name}
          onChange={(value) => {
            const card = found.get(value)
            if (card) void take(card)
            else setContact((now) => ({ ...now, name: value, idCustomer: null }))
          }}
          onKeyDown={submitOnEnter}
          onFocus={() => setSeeks(true)}
          onBlur={() => {
            setSeeks(false)
            setContact(parted)
          }}
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
