import CustomersPage from '#areas/customers/CustomersPage.tsx'
import { useMailCustomers } from '#areas/messages/useMailCustomers.tsx'

/** Клиенты, with the bulk actions of other areas. */
export default function CustomersScreen() {
  return <CustomersPage bulk={useMailCustomers()} />
}
