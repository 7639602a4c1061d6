import { holds } from '@ordinator/model/access'
import { IconReceiptTax } from '@tabler/icons-react'
import type { CustomerCard } from '#areas/customers/index.ts'
import { TaxDialog } from './TaxDialogLazy.ts'

/** Parts of the area in the card of a patient. */
export const customerCard: CustomerCard = {
  name: 'egisz',
  items: [
    {
      label: 'Справка для налоговой…',
      icon: IconReceiptTax,
      may: (actor) => holds(actor, 'manageSignatures') || holds(actor, 'viewAllCashDesks'),
      Dialog: TaxDialog,
    },
  ],
}
