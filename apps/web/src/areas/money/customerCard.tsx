import { allowed } from '@ordinator/model/access'
import { moneyView } from '@ordinator/model/areas/money/access'
import { IconCash } from '@tabler/icons-react'
import type { CustomerCard } from '#areas/customers/index.ts'
import { AccountTab } from './account/AccountTab.tsx'
import { DebtMark } from './account/DebtMark.tsx'
import { TakeDialog } from './desk/TakeDialog.tsx'

/** Parts of the area in the card of a patient. */
export const customerCard: CustomerCard = {
  name: 'money',
  laterTabs: { account: { label: 'Счёт', any: moneyView, panel: ({ id }) => <AccountTab idCustomer={id} /> } },
  Mark: DebtMark,
  buttons: [
    {
      label: 'Принять оплату',
      icon: IconCash,
      may: (actor) => allowed(actor, 'takePayments'),
      Dialog: ({ customer, onClose }) => <TakeDialog idCustomer={customer.id} onClose={onClose} />,
    },
  ],
}
