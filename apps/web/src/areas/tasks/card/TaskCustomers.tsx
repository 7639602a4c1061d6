import { Customer } from '@ordinator/model/areas/customers/customer'
import { ClientListItem } from '@ordinator/model/areas/tasks/clientList'
import { CustomerThreads } from '#areas/customers/index.ts'
import { useCan } from '#records/Can.tsx'
import { useList } from '#records/reads.ts'
import { useClientLists } from './ClientLists.tsx'
import type { SectionProps } from './SectionProps.ts'

/** Maximum customers in the sidebar. */
const MAX_NAMED = 100

/** Timelines of the customers in the task's lists. */
export function TaskCustomers({ card }: SectionProps) {
  const ids = useClientLists(card.task.id).things.map(({ record }) => record.id)
  const sees = useCan('view', Customer)
  const items = useList(
    ClientListItem,
    { filter: { idClientList: { in: ids } }, sort: 'order', limit: MAX_NAMED, expand: ['customer'] },
    { forbidden: 'silent', enabled: sees && ids.length > 0 },
  )
  const customers = ids.length > 0 ? (items.data?.items ?? []).flatMap(({ customer }) => customer ?? []) : []
  return <CustomerThreads customers={customers} />
}
