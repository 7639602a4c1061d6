import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  bookingChannels: () => import('./BookingChannelsPage.tsx'),
  outsideBookings: () => import('./OutsideBookingsPage.tsx'),
  reviews: () => import('./ReviewsPage.tsx'),
} satisfies Screens
