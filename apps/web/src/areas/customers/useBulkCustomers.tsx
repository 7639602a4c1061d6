import { Customer, CustomerSource, CustomerTag } from '@ordinator/model/areas/customers/customer'
import type { Expanded } from '@ordinator/model/client'
import { IconBuildingBroadcastTower, IconTag } from '@tabler/icons-react'
import type { NamedTag } from '../../kit/TagPicker.tsx'
import { RefSelect } from '../../records/fields/RefSelect.tsx'
import type { BulkAction } from '../../records/table/BulkBar.tsx'
import { BulkPanel } from '../../records/table/BulkPanel.tsx'
import { bulkRecords, useBulkRun } from '../../records/table/useBulkRun.ts'
import { KnownTagPicker } from './card/CustomerTags.tsx'

type Line = Expanded<typeof Customer, 'tags' | 'source'>

/** What can be done with many customers at once, each with its way back. */
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

  const toggleTag = (all: Line[], { name, color, icon }: NamedTag) => {
    const isIt = (tag: { name: string }) => tag.name.toLowerCase() === name.toLowerCase()
    const without = all.filter(({ tags }) => !tags.some(isIt))
    if (without.length === 0)
      return run(all, CustomerTag, 'Метка снята', async (customers) => {
        const there = customers.flatMap(({ id, tags }) =>
          tags.filter(isIt).map((tag) => ({ id: tag.id, body: { idCustomer: id, name: tag.name, color, icon } })),
        )
        await bulkRecords.batch(CustomerTag, { delete: there.map(({ id }) => id) })
        return () => bulkRecords.batch(CustomerTag, { create: there.map(({ body }) => body) })
      })
    return run(without, CustomerTag, 'Метка добавлена', async (customers) => {
      const made = await bulkRecords.batch(CustomerTag, {
        create: customers.map(({ id }) => ({ idCustomer: id, name, color, icon })),
      })
      return () => bulkRecords.batch(CustomerTag, { delete: made.create.map(({ id }) => id) })
    })
  }

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
                customers.every(({ tags }) => tags.some((tag) => tag.name.toLowerCase() === name.toLowerCase())),
              )}
              onToggle={(tag) => void toggleTag(customers, tag)}
            />
          )}
        </BulkPanel>
      ),
    },
  ]
}
