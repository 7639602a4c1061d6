import { Badge } from '@mantine/core'
import { WaitingEntry } from '@ordinator/model/areas/visits/waiting'
import { urgencies, waitingStatuses } from '@ordinator/model/areas/visits/waitingRules'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import { useAddress } from '#base/address.ts'
import { day as dayValue, id, text } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'
import { VStack } from '#kit/Stacks.tsx'
import { one } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { type Freed, FreedTime } from './FreedTime.tsx'
import { OffersOut } from './OffersOut.tsx'

type Line = Row<typeof WaitingEntry>

const waitingFilters = filters(WaitingEntry, {
  show: one({
    label: 'Показать',
    options: { open: 'Ждут', booked: 'Записаны', all: 'Все' },
    usual: 'open',
    is: (word) =>
      word === 'all' ? undefined : { status: word === 'open' ? { in: ['waiting', 'offered'] } : 'booked' },
    segments: true,
  }),
})

const colors = { waiting: 'gray', offered: 'blue', booked: 'teal' } as const

const columns: readonly ((keyof typeof WaitingEntry.fields & string) | ColumnSpec<Line>)[] = [
  'idCustomer',
  'idService',
  'idFilial',
  {
    key: 'status',
    width: 130,
    cell: ({ status }) => (
      <Badge color={colors[status]} variant="light">
        {waitingStatuses[status]}
      </Badge>
    ),
  },
  { key: 'urgency', width: 120, cell: ({ urgency }) => urgencies[urgency] },
  { key: 'dateCreate', width: 150 },
  'note',
]

const read = (search: Search) => ({
  filial: id(search.filial),
  user: id(search.user),
  day: dayValue(search.day),
  start: text(search.start),
  minutes: id(search.minutes),
})

/** Лист ожидания: waiting patients, ranking for a free time, open offers. */
export default function WaitingPage() {
  const [address, setAddress] = useAddress(read)
  const { filial, user, day, start, minutes } = address
  const freed: Freed | undefined =
    filial && user && day && start && minutes
      ? { idFilial: filial, idUser: user, date: day, start, minutes }
      : undefined
  return (
    <RegistryPage
      page={pageByKey('waitingList')}
      entity={WaitingEntry}
      columns={columns}
      filters={waitingFilters}
      layout={(list) => (
        <VStack gap={16} px="var(--ord-page)" pb="var(--ord-page)">
          {freed && (
            <FreedTime
              key={JSON.stringify(freed)}
              time={freed}
              onClose={() =>
                setAddress({ filial: undefined, user: undefined, day: undefined, start: undefined, minutes: undefined })
              }
            />
          )}
          <OffersOut />
          {list}
        </VStack>
      )}
    />
  )
}
