import type { CustomerCard } from '#areas/customers/index.ts'
import { part } from '#kit/chunk.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'

const CustomerVisits = part(() => import('./visit/CustomerVisits.tsx'), <LinesSkeleton lines={6} />)

/** Parts of the area in the card of a patient. */
export const customerCard: CustomerCard = {
  name: 'schedule',
  tabs: {
    visits: {
      label: 'Записи',
      any: ['viewCalendar', 'viewAllAppointments'],
      panel: ({ id }) => <CustomerVisits idCustomer={id} />,
    },
  },
}
