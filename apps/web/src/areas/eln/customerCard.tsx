import type { CustomerCard } from '#areas/customers/index.ts'
import { part } from '#kit/chunk.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'

const CustomerSickLeaves = part(() => import('./CustomerSickLeaves.tsx'), <LinesSkeleton lines={6} />)

/** Parts of the area in the card of a patient: sick leaves, and the search for the СНИЛС. */
export const customerCard: CustomerCard = {
  name: 'eln',
  tabs: {
    eln: { label: 'Больничные', any: ['viewElnList'], panel: ({ id }) => <CustomerSickLeaves idCustomer={id} /> },
  },
  Papers: part(() => import('./SnilsHistory.tsx'), null),
}
