import { ageText } from '@ordinator/model/areas/customers/age'
import { Customer, secretLevels } from '@ordinator/model/areas/customers/customer'
import type { Expanded } from '@ordinator/model/client'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { phoneText } from '@ordinator/model/phone'
import { IconAlertTriangle } from '@tabler/icons-react'
import { today } from '../../kit/clock.ts'
import { HStack } from '../../kit/Stacks.tsx'
import { TagChips } from '../../kit/TagChips.tsx'
import { Fine, Muted } from '../../kit/Words.tsx'
import { filters } from '../../records/filters/filters.ts'
import { flag } from '../../records/filters/flag.tsx'
import { refs } from '../../records/filters/ref.tsx'
import { FormSections, type Sections } from '../../records/form/FormSections.tsx'
import { RegistryPage } from '../../records/RegistryPage.tsx'
import type { ColumnSpec } from '../../records/table/columns.ts'
import { SimilarTyped } from './card/SimilarCustomers.tsx'

const customerFilters = filters(Customer, {
  source: refs('idSource', { any: 'Любой источник' }),
  allergies: flag('С аллергией', { allergies: { null: false } }),
})

type Line = Expanded<typeof Customer, 'tags' | 'source'>

const columns: readonly ColumnSpec<Line>[] = [
  {
    key: 'fio',
    label: 'Клиент',
    width: 300,
    sort: 'surname',
    cell: ({ fio, tags, allergies, secretLevel }) => (
      <HStack gap={6} miw={0}>
        <span className="ellipsis">{fio}</span>
        {allergies && (
          <IconAlertTriangle size={14} color="var(--mantine-color-red-6)" aria-label={`Аллергия: ${allergies}`} />
        )}
        {secretLevel !== 'none' && <Fine>{secretLevels[secretLevel]}</Fine>}
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
    cell: ({ phone, phoneMother, phoneFather }) => (
      <span className="tabular">
        {phoneText(phone ?? phoneMother ?? phoneFather)}{' '}
        {!phone && (phoneMother ? <Muted>мать</Muted> : phoneFather && <Muted>отец</Muted>)}
      </span>
    ),
  },
  { key: 'cardNumber', label: '№ карты', width: 110 },
  { key: 'nameCity', width: 140 },
  { key: 'idSource', width: 180 },
  { key: 'dateCreate', width: 165 },
]

const defaults = { limit: 50 }

/** Клиенты: everybody whom the clinic knows, found by whatever is known of them. */
export default function CustomersPage() {
  return (
    <RegistryPage
      page={pageByKey('customers')}
      entity={Customer}
      pageOf={(id) => `${pagePath('customer')}?id=${id}`}
      columns={columns}
      expand={['tags', 'source']}
      filters={customerFilters}
      defaults={defaults}
      form={() => (
        <>
          <FormSections sections={Customer.registry?.form as Sections} autoFocus />
          <SimilarTyped />
        </>
      )}
      isMuted={({ dateDeath }) => dateDeath !== null}
    />
  )
}
