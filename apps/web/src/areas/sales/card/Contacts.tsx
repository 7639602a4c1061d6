import { Alert, Anchor, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Contact } from '@ordinator/model/areas/sales/contact'
import { IconPencil, IconPlus, IconTrash, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { CustomerChip } from '#areas/customers/index.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { FailedLoad } from '#kit/FailedLoad.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { Block, HStack, Tiles } from '#kit/Stacks.tsx'
import { RecordField } from '#records/form/RecordField.tsx'
import { RecordForm } from '#records/RecordForm.tsx'
import { useRemove } from '#records/writes.ts'
import type { ContactRow } from './fullLead.ts'
import classes from './Lead.module.css'
import { Section } from './Section.tsx'
import { useContacts } from './useContacts.ts'

interface Props {
  idLead: number
  mayEdit: boolean
}

/** Contacts of a deal, optionally linked to customers. */
export function Contacts({ idLead, mayEdit }: Props) {
  const [editing, setEditing] = useState<number | 'new'>()
  const list = useContacts(idLead)
  const remove = useRemove(Contact, { message: 'Контакт удалён' })
  const contacts = list.data?.items ?? []
  const form = (contact?: ContactRow) => (
    <Block framed mt={8} p={12} bg="var(--ord-canvas)">
      <ContactForm idLead={idLead} contact={contact} onDone={() => setEditing(undefined)} />
    </Block>
  )
  return (
    <Section
      title="Контакты"
      count={contacts.length}
      actions={
        mayEdit &&
        editing !== 'new' && (
          <ActionButton
            label="Контакт"
            size="compact-sm"
            variant="default"
            icon={IconPlus}
            onClick={() => setEditing('new')}
          />
        )
      }
    >
      {list.isError && !list.data && <FailedLoad what="Контакты не загрузились" load={list} />}
      {list.isSuccess && contacts.length === 0 && editing === undefined && <Text c="dimmed">Контактов нет</Text>}
      <ul className={classes.list}>
        {contacts.map((contact) =>
          editing === contact.id ? (
            <li key={contact.id}>{form(contact)}</li>
          ) : (
            <HStack key={contact.id} component="li" framed pl={12} pr={4} py={4} mih={36}>
              <Text component="div" miw={0} flex={1} className="breaks">
                {contact.fio || 'Без имени'}
                <HStack gap="2px 12px" align="stretch" wrap c="dimmed" fz="xs" lh="xs">
                  {contact.phone && <PhoneLink phone={contact.phone} />}
                  {contact.email && (
                    <Anchor inherit href={`mailto:${contact.email}`}>
                      {contact.email}
                    </Anchor>
                  )}
                  {contact.birthday && <span className="tabular">{contact.birthday}</span>}
                  {contact.city && <span>{contact.city}</span>}
                </HStack>
              </Text>
              {contact.customer && <CustomerChip customer={contact.customer} />}
              {mayEdit && (
                <>
                  <IconButton
                    icon={IconPencil}
                    label={`Изменить контакт: ${contact.fio}`}
                    onClick={() => setEditing(contact.id)}
                  />
                  <IconButton
                    icon={IconTrash}
                    label={`Удалить контакт: ${contact.fio}`}
                    onClick={() => remove.mutate(contact.id)}
                  />
                </>
              )}
            </HStack>
          ),
        )}
      </ul>
      {editing === 'new' && form()}
    </Section>
  )
}

interface FormProps {
  idLead: number
  contact: ContactRow | undefined
  onDone: () => void
}

const fields = [
  'surname',
  'name',
  'middleName',
  'phone',
  'email',
  'birthday',
  'gender',
  'city',
  'address',
  'idCustomer',
]

function ContactForm({ idLead, contact, onDone }: FormProps) {
  return (
    <RecordForm
      entity={Contact}
      record={contact}
      fixed={{ idLead }}
      draft={`lead:${idLead}`}
      saveLabel={contact ? undefined : 'Добавить'}
      onSaved={onDone}
      onCancel={onDone}
    >
      <Tiles tile={180} fit gap={12}>
        {fields.map((name, at) => (
          <RecordField key={name} name={name} autoFocus={at === 0} />
        ))}
        <div className={classes.wide}>
          <SameContacts idLead={idLead} />
        </div>
      </Tiles>
    </RecordForm>
  )
}

const TYPING_MS = 400

/** Other open deals and customers with this phone or e-mail. */
function SameContacts({ idLead }: { idLead: number }) {
  const form = useFormContext()
  const [phone, email, idCustomer] = useWatch({ name: ['phone', 'email', 'idCustomer'] }) as unknown[]
  const [sought] = useDebouncedValue(`${phone ?? ''}\n${email ?? ''}`, TYPING_MS)
  const [soughtPhone, soughtEmail] = sought.split('\n')
  const found = useQuery({
    queryKey: ['sameContacts', idLead, sought],
    queryFn: ({ signal }) =>
      api(
        'GET /sales-management/contacts/duplicates',
        { query: { phone: soughtPhone || undefined, email: soughtEmail || undefined, idLead } },
        { signal, forbidden: 'silent', quiet: true },
      ),
    enabled: sought.trim() !== '',
  })
  const leads = found.data?.leads ?? []
  const customers = (found.data?.customers ?? []).filter(({ id }) => id !== idCustomer)
  if (sought.trim() === '' || (leads.length === 0 && customers.length === 0)) return null
  return (
    <Alert color="yellow" variant="light" icon={<IconUsers size={18} />} title="Такой контакт уже есть">
      {leads.map(({ id, title, idFunnel }) => (
        <div key={`l${id}`}>
          Сделка{' '}
          <Anchor
            renderRoot={(props) => (
              <PageLink {...props} page="deals" search={{ lead: id, funnel: idFunnel ?? undefined }} />
            )}
          >
            {title}
          </Anchor>
        </div>
      ))}
      {customers.map(({ id, fio }) => (
        <div key={`c${id}`}>
          Клиент {fio}{' '}
          <ActionButton
            label="Связать"
            size="compact-xs"
            variant="light"
            onClick={() => form.setValue('idCustomer', id, { shouldDirty: true })}
          />
        </div>
      ))}
    </Alert>
  )
}
