import { lazy, Suspense } from 'react'
import type { BookingProps } from './BookingDialog.tsx'

const BookingDialog = lazy(() => import('./BookingDialog.tsx'))

/** The booking dialog; its script comes when somebody books. */
export const BookingHost = (props: BookingProps) => (
  <Suspense fallback={null}>
    <BookingDialog {...props} />
  </Suspense>
)
