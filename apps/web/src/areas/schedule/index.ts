/** What other areas may use of the schedule. */
import { createElement } from 'react'
import { part } from '#base/chunk.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'

/** The visits of a patient, for the card. */
export const CustomerVisits = part(
  () => import('./visit/CustomerVisits.tsx'),
  createElement(LinesSkeleton, { lines: 6 }),
)
/** The block of the dashboard: whom one receives today. */
export const MyVisits = part(() => import('./visit/MyVisits.tsx'))
/** The block of the dashboard: how the day of the own branch goes. */
export const TodayNumbers = part(() => import('./sheet/TodayNumbers.tsx'))
/** The timetable of an employee, for the card. */
export const UserSchedule = part(() => import('./shifts/UserSchedule.tsx'), createElement(LinesSkeleton, { lines: 4 }))
/** Books from another screen, for a patient who is known or new. */
export { PatientBooking } from './booking/PatientBooking.tsx'
/** Books services of an agreed treatment plan. */
export { PlanBooking } from './booking/PlanBooking.tsx'
