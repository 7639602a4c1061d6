import type { CustomerCard } from '#areas/customers/index.ts'
import { part } from '#kit/chunk.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'

const CustomerPlans = part(() => import('./CustomerPlans.tsx'), <LinesSkeleton lines={6} />)

/** Parts of the area in the card of a patient. */
export const customerCard: CustomerCard = {
  name: 'plans',
  tabs: {
    plans: {
      label: 'Планы лечения',
      any: ['viewPlans', 'viewCustomerPlansReport'],
      panel: ({ id }) => <CustomerPlans idCustomer={id} />,
    },
  },
}
