import type { CustomerCard } from '#areas/customers/index.ts'
import { part } from '#kit/chunk.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'

const CustomerExaminations = part(() => import('./CustomerExaminations.tsx'), <LinesSkeleton lines={5} />)

/** Parts of the area in the card of a patient. */
export const customerCard: CustomerCard = {
  name: 'examinations',
  tabs: {
    examinations: {
      label: 'Осмотры',
      any: ['viewExaminations'],
      panel: ({ id }) => <CustomerExaminations idCustomer={id} />,
    },
  },
}
