import { part } from '#kit/chunk.ts'
import type { BookingProps } from './useBooking.ts'

const BookingDialog = part(() => import('./BookingDialog.tsx'))

/** The booking dialog, loaded lazily. */
export const BookingHost = (props: BookingProps) => <BookingDialog {...props} />
