import { IconBuildingStore, IconWorldPin, type TablerIcon } from '@tabler/icons-react'

/** Icons of the pages of this area by their keys in the page list; `app/icons.ts` joins them. */
export const icons = {
  bookingChannels: IconBuildingStore,
  outsideBookings: IconWorldPin,
} satisfies Readonly<Record<string, TablerIcon>>
