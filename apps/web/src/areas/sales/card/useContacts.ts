import { Customer } from '@ordinator/model/areas/customers/customer'
import { Contact } from '@ordinator/model/areas/sales/contact'
import { useCan } from '#records/Can.tsx'
import { useList } from '#records/reads.ts'

/** Contacts of a deal, with customers if the user may see them. */
export function useContacts(idLead: number) {
  const seesCustomers = useCan('view', Customer)
  return useList(
    Contact,
    { filter: { idLead }, expand: seesCustomers ? ['customer'] : [], sort: 'id', limit: 100 },
    { forbidden: 'silent' },
  )
}
