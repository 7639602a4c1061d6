import { Customer, CustomerSource, CustomerTag } from '@ordinator/model/areas/customers/customer'
import type { Expanded } from '@ordinator/model/client'
import { IconBuildingBroadcastTower, IconTag } from '@tabler/icons-react'
import { part } from '#kit/chunk.ts'
import { isNamed } from '#kit/isNamed.ts'
import type { NamedTag } from '#kit/TagPicker.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import type { BulkAction } from '#records/table/BulkBar.tsx'
import { BulkPanel } from '#records/table/BulkPanel.tsx'
import { bulkRecords, bulkToggle, useBulkRun } from '#records/table/useBulkRun.ts'

const KnownTagPicker = part(async () => ({ default: (await import('./card/CustomerTags.tsx')).KnownTagPicker }))

type Line = Expanded<typeof Customer, 'tags' | 'source'>

/** Bulk actions on customers, each with undo. */
export function useBulkCustomers(): BulkAction<Line>[] {
  const run = useBulkRun<Line>({
    forms: ['клиент', 'клиента', 'клиентов'],
    nameOf: ({ fio }) => fio,
    paths: [Customer.path],
  })

  const setSource = (all: Line[], idSource: number | null) =>
    run(all, Customer, 'Источник изменён', async (customers) => {
      const before = customers.map((customer) => ({ id: customer.id, idSource: customer.idSource }))
      await bulkRecords.batch(Customer, { update: customers.map(({ id }) => ({ id, idSource })) })
      return () => bulkRecords.batch(Customer, { update: before })
    })

  const toggleTag = (all: Line[], { name, color, icon }: NamedTag) =>
    bulkToggle(
      run,
      CustomerTag,
      { on: 'Метка добавлена', off: 'Метка снята' },
      ({ tags }) => tags.filter(isNamed(name)).map(({ id }) => id),
      ({ id }) => ({ idCustomer: id, name, color, icon }),
    )(all)

  return [
    {
      key: 'source',
      label: 'Источник',
      icon: IconBuildingBroadcastTower,
      render: (customers) => (
        <BulkPanel label="Источник" icon={IconBuildingBroadcastTower}>
          {(close) => (
            <RefSelect
              to={CustomerSource.path}
              label="Новый источник"
              value={null}
              onChange={(id) => {
                close()
                if (id !== null) void setSource(customers, id)
              }}
            />
          )}
        </BulkPanel>
      ),
    },
    {
      key: 'tags',
      label: 'Метки',
      icon: IconTag,
      render: (customers) => (
        <BulkPanel label="Метки" icon={IconTag}>
          {() => (
            <KnownTagPicker
              tags={(customers[0]?.tags ?? []).filter(({ name }) =>
                customers.every(({ tags }) => tags.some(isNamed(name))),
              )}
              onToggle={(tag) => void toggleTag(customers, tag)}
            />
          )}
        </BulkPanel>
      ),
    },
  ]
}
