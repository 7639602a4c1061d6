import { IconBuildingStore, IconGift, IconMessageStar, IconWorldPin } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const outside = {
  icons: {
    bookingChannels: IconBuildingStore,
    invites: IconGift,
    outsideBookings: IconWorldPin,
    reviews: IconMessageStar,
  },
  screens: {
    bookingChannels: () => import('./BookingChannelsPage.tsx'),
    outsideBookings: () => import('./OutsideBookingsPage.tsx'),
    reviews: () => import('./ReviewsPage.tsx'),
  },
} satisfies Area
