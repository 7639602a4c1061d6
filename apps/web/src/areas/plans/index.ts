/** What other areas may use of treatment plans. */
import { lazy } from 'react'

/** The plans of a patient, for the card. */
export const CustomerPlans = lazy(() => import('./CustomerPlans.tsx'))
