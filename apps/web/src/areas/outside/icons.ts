import { IconBuildingStore, IconGift, IconMessageStar, IconWorldPin, type TablerIcon } from '@tabler/icons-react'

/** Icons of the pages of this area by their keys in the page list; `app/icons.ts` joins them. */
export const icons = {
  bookingChannels: IconBuildingStore,
  invites: IconGift,
  outsideBookings: IconWorldPin,
  reviews: IconMessageStar,
} satisfies Readonly<Record<string, TablerIcon>>
