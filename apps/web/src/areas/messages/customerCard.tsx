import { allowed } from '@ordinator/model/access'
import { IconMessage } from '@tabler/icons-react'
import type { CustomerCard } from '#areas/customers/index.ts'
import { part } from '#kit/chunk.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { MailDialog } from './index.ts'

const CustomerMessages = part(() => import('./CustomerMessages.tsx'), <LinesSkeleton lines={5} />)

/** Parts of the area in the card of a patient. */
export const customerCard: CustomerCard = {
  name: 'messages',
  tabs: {
    messages: { label: 'Сообщения', any: ['viewMessages'], panel: ({ id }) => <CustomerMessages idCustomer={id} /> },
  },
  buttons: [
    {
      label: 'Написать',
      icon: IconMessage,
      may: (actor) => allowed(actor, 'sendMessages'),
      Dialog: ({ customer, onClose }) => <MailDialog customers={[customer.id]} onSent={onClose} onClose={onClose} />,
    },
  ],
}
