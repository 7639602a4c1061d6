import { IconGift } from '@tabler/icons-react'
import type { CustomerCard } from '#areas/customers/index.ts'
import { FriendCodeDialog } from './FriendCodeDialog.tsx'

/** Parts of the area in the card of a patient. */
export const customerCard: CustomerCard = {
  name: 'outside',
  items: [
    {
      label: 'Код друга…',
      icon: IconGift,
      may: (_, { friendReward, friendGift }) => Number(friendReward ?? 0) + Number(friendGift ?? 0) > 0,
      Dialog: ({ customer, onClose }) => <FriendCodeDialog idCustomer={customer.id} onClose={onClose} />,
    },
  ],
}
