import { part } from '#base/chunk.ts'
import type { BookingProps } from './BookingDialog.tsx'

const BookingDialog = part(() => import('./BookingDialog.tsx'))

/** The booking dialog; its script comes when somebody books. */
export const BookingHost = (props: BookingProps) => <BookingDialog {...props} />
