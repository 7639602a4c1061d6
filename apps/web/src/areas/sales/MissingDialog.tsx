import { Text } from '@mantine/core'
import { Contact } from '@ordinator/model/areas/sales/contact'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { Offer } from '@ordinator/model/areas/sales/offer'
import { requirableFields } from '@ordinator/model/areas/sales/rules'
import { checkBody } from '@ordinator/model/check'
import type { Entity } from '@ordinator/model/entity'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FieldError } from '#base/apiError.ts'
import { recordsWith } from '#base/client.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { uiOf } from '#records/fields/registry.ts'
import { invalidateRecords } from '#records/keys.ts'
import type { StageRow, WithMove } from './stageMove.ts'

interface Props {
  lead: { id: number; title: string }
  stage: StageRow
  /** Missing fields reported by the server. */
  missing: readonly FieldError[]
  /** undefined: cancelled, the deal does not move. */
  onAnswer: (filled?: WithMove) => void
}

/** Asks for missing required fields, then continues the move. */
export function MissingDialog({ lead, stage, missing, onAnswer }: Props) {
  const cache = useQueryClient()
  const [values, setValues] = useState<Record<string, unknown>>({})
  const names = [...new Set(missing.map(({ field }) => field))].filter((name) => name !== 'offers')
  const wantsOffer = missing.some(({ field }) => field === 'offers')

  const run = async () => {
    const written = (ofContact: boolean) =>
      Object.fromEntries(
        names
          .filter((name) => name.startsWith(OF_CONTACT) === ofContact)
          .map((name) => [ofContact ? name.slice(OF_CONTACT.length) : name, values[name]]),
      )
    const contact = written(true)
    if (Object.keys(contact).length) {
      await saveContact(lead.id, contact)
      await invalidateRecords(cache, Contact.path)
    }
    if (wantsOffer) {
      await quiet.create(Offer, { idLead: lead.id, name: 'Предложение' })
      await invalidateRecords(cache, Offer.path)
    }
    onAnswer(written(false))
  }
  return (
    <ActionDialog
      title={`Чтобы перейти на этап «${stage.name}», заполните`}
      action="Заполнить и перейти"
      faults={wrongOf(names, values)}
      run={run}
      onClose={onAnswer}
    >
      {(errorOf) => (
        <>
          {names.map((name, at) => (
            <MissingField
              key={name}
              name={name}
              autoFocus={at === 0}
              value={values[name]}
              // Errors of the contact use its own field names.
              error={errorOf(name) ?? errorOf(placeOf(name).own)}
              onChange={(value) => setValues((now) => ({ ...now, [name]: value }))}
            />
          ))}
          {wantsOffer && (
            <Text size="sm">В сделке ещё нет предложения. Будет создано пустое: услуги добавите в карточке.</Text>
          )}
        </>
      )}
    </ActionDialog>
  )
}

const OF_CONTACT = 'contacts.'
const quiet = recordsWith({ forbidden: 'toast' })

/** Entity of a required field: the deal, or its contact. */
function placeOf(name: string): { entity: Entity; own: string } {
  return name.startsWith(OF_CONTACT)
    ? { entity: Contact, own: name.slice(OF_CONTACT.length) }
    : { entity: Lead, own: name }
}

interface FieldProps {
  name: string
  value: unknown
  error: string | undefined
  autoFocus: boolean
  onChange: (value: unknown) => void
}

function MissingField({ name, value, error, autoFocus, onChange }: FieldProps) {
  const { entity, own } = placeOf(name)
  const f = entity.all[own]
  const Input = f && uiOf(f).Input
  if (!f || !Input) return null
  return (
    <Input
      entity={entity}
      name={own}
      f={f}
      value={value ?? null}
      onChange={onChange}
      label={requirableFields[name] ?? f.options.label}
      error={error}
      required
      autoFocus={autoFocus}
    />
  )
}

function wrongOf(names: readonly string[], values: Record<string, unknown>): Record<string, string> {
  const wrong: Record<string, string> = {}
  for (const name of names) {
    const { entity, own } = placeOf(name)
    const value = values[name]
    if (value === undefined || value === null || value === '') wrong[name] = 'Заполните поле'
    else for (const { message } of checkBody(entity, { [own]: value }, 'update').errors ?? []) wrong[name] ??= message
  }
  return wrong
}

/** Fills the first contact, or creates one. */
async function saveContact(idLead: number, values: Record<string, unknown>): Promise<void> {
  const { items } = await quiet.list(Contact, { filter: { idLead }, limit: 1 })
  const [first] = items
  if (first) await quiet.update(Contact, first.id, { ...values, _version: first._version })
  else await quiet.create(Contact, { idLead, ...values })
}
