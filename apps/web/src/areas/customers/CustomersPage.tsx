import { Text } from '@mantine/core'
import { ageText } from '@ordinator/model/areas/customers/age'
import { Customer, secretLevels } from '@ordinator/model/areas/customers/customer'
import type { Expanded } from '@ordinator/model/client'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { phoneOf } from '@ordinator/model/phone'
import { IconAlertTriangle, IconFileImport } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { ImportDialog } from '#areas/imports/index.ts'
import { useAddress } from '#base/address.ts'
import { text } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { part } from '#kit/chunk.ts'
import { today } from '#kit/clock.ts'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { TagChips } from '#kit/TagChips.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { CustomerFace } from './CustomerFace.tsx'
import type { CustomersBulk } from './parts.ts'
import { useBulkCustomers } from './useBulkCustomers.tsx'

const SimilarTyped = part(async () => ({ default: (await import('./card/SimilarCustomers.tsx')).SimilarOfNew }))

const customerFilters = filters(Customer, {
  source: refs('idSource', { any: 'Любой источник' }),
  status: refs('idStatus', { any: 'Любой статус' }),
  allergies: flag('С аллергией', { allergies: { null: false } }),
})

type Line = Expanded<typeof Customer, 'tags' | 'source'>

const columns: readonly ColumnSpec<Line>[] = [
  {
    key: 'fio',
    label: 'Клиент',
    width: 300,
    sort: 'surname',
    cell: ({ tags, ...customer }) => (
      <HStack gap={6} miw={0}>
        <CustomerFace customer={customer} size={24} />
        <Text span inherit truncate>
          {customer.fio}
        </Text>
        {customer.allergies && (
          <IconAlertTriangle
            size={14}
            color="var(--mantine-color-red-6)"
            aria-label={`Аллергия: ${customer.allergies}`}
          />
        )}
        {customer.secretLevel !== 'none' && <Fine>{secretLevels[customer.secretLevel]}</Fine>}
        {tags.length > 0 && <TagChips tags={tags} max={1} />}
      </HStack>
    ),
  },
  {
    key: 'birthday',
    label: 'Дата рождения',
    width: 200,
    cell: ({ birthday }) =>
      birthday && (
        <span className="tabular">
          {birthday} <Muted>{ageText(birthday, today())}</Muted>
        </span>
      ),
  },
  {
    key: 'phone',
    label: 'Телефон',
    width: 210,
    cell: ({ phone, phoneMother, phoneFather }) => {
      const called = phone ?? phoneMother ?? phoneFather
      return (
        called && (
          <HStack component="span" gap={4}>
            <PhoneLink phone={called} bare />
            {!phone && <Muted>{phoneMother ? 'мать' : 'отец'}</Muted>}
          </HStack>
        )
      )
    },
  },
  { key: 'cardNumber', label: '№ карты', width: 110 },
  { key: 'nameCity', width: 140 },
  { key: 'idStatus', width: 150 },
  { key: 'idSource', width: 180 },
  { key: 'dateCreate', width: 165 },
]

const defaults = { limit: 50 }

/** The number of a new card that the palette was asked for. */
const readNew = (search: Search) => ({ open: text(search.open), phone: text(search.phone) })

/** Initial values of the new card; the number leaves the address with its form. */
function useNewCard(): { phone: string } | undefined {
  const [{ open, phone }, setAddress] = useAddress(readNew)
  useEffect(() => {
    if (phone && open !== 'new') setAddress({ phone: undefined }, { replace: true })
  }, [open, phone, setAddress])
  return useMemo(() => (phone ? { phone: phoneOf(phone) ?? phone } : undefined), [phone])
}

/** Клиенты: the list, with search over all contact data. */
export default function CustomersPage({ bulk }: { bulk: CustomersBulk | undefined }) {
  const mayEdit = useCan('update', Customer)
  const ofEditors = useBulkCustomers()
  const actions = [...(mayEdit ? ofEditors : []), ...(bulk ? [bulk.action] : [])]
  const [importing, setImporting] = useState(false)
  const initial = useNewCard()
  return (
    <>
      <RegistryPage
        page={pageByKey('customers')}
        entity={Customer}
        pageOf={(id) => `${pagePath('customer')}?id=${id}`}
        columns={columns}
        expand={['tags', 'source']}
        filters={customerFilters}
        defaults={defaults}
        initial={initial}
        actions={actions.length > 0 ? actions : undefined}
        selectable={bulk !== undefined}
        tools={
          mayEdit && (
            <ActionButton label="Импорт" variant="default" icon={IconFileImport} onClick={() => setImporting(true)} />
          )
        }
        below={SimilarTyped}
        isMuted={({ dateDeath }) => dateDeath !== null}
      />
      {bulk?.dialog}
      {importing && (
        <ImportDialog
          kind="customers"
          title="Импорт клиентов"
          hint="CSV или XLSX до 100 000 строк, в первой строке — названия колонок; подходит и файл экспорта клиентов"
          options={[
            {
              param: 'twins',
              label:
                'Если карта такого клиента уже есть (СНИЛС, полис, ИНН, документ, ФИО с датой рождения, телефон с именем)',
              choices: { skip: 'Пропустить строку', update: 'Обновить карту', create: 'Завести ещё одну' },
            },
            { param: 'createSources', label: 'Создавать источники, которых ещё нет' },
          ]}
          template
          onClose={() => setImporting(false)}
        />
      )}
    </>
  )
}
