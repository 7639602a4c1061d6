/** What other areas may use of the schedule. */
import { lazy } from 'react'
import { part } from '../../base/chunk.ts'

/** The visits of a patient, for the card. */
export const CustomerVisits = lazy(() => import('./visit/CustomerVisits.tsx'))
/** The block of the dashboard: whom one receives today. */
export const MyVisits = part(() => import('./visit/MyVisits.tsx'))
/** The block of the dashboard: how the day of the own branch goes. */
export const TodayNumbers = part(() => import('./sheet/TodayNumbers.tsx'))
/** Books services of an agreed treatment plan. */
export { PlanBooking } from './booking/PlanBooking.tsx'
