import { Customer } from '@ordinator/model/areas/customers/customer'
import { Contact } from '@ordinator/model/areas/sales/contact'
import { useCan } from '#records/Can.tsx'
import { useList } from '#records/reads.ts'

/** The contacts of a deal, with their customers for those who may see customers. */
export function useContacts(idLead: number) {
  const seesCustomers = useCan('view', Customer)
  return useList(
    Contact,
    { filter: { idLead }, expand: seesCustomers ? ['customer'] : [], sort: 'id', limit: 100 },
    { forbidden: 'silent' },
  )
}
