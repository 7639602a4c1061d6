import { publishedView } from '@ordinator/model/areas/laboratory/access'
import type { CustomerCard } from '#areas/customers/index.ts'
import { part } from '#kit/chunk.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'

const CustomerResults = part(() => import('./CustomerResults.tsx'), <LinesSkeleton lines={6} />)

/** Parts of the area in the card of a patient. */
export const customerCard: CustomerCard = {
  name: 'laboratory',
  tabs: {
    laboratory: { label: 'Анализы', any: publishedView, panel: ({ id }) => <CustomerResults idCustomer={id} /> },
  },
}
