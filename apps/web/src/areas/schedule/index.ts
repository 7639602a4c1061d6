/** Public parts of the schedule area. */
import { createElement } from 'react'
import { part } from '#kit/chunk.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'

/** Dashboard block: the user's patients today. */
export const MyVisits = part(() => import('./visit/MyVisits.tsx'))
/** Dashboard block: progress of the day in the user's branch. */
export const TodayNumbers = part(() => import('./sheet/TodayNumbers.tsx'))
/** The timetable of an employee, for the card. */
export const UserSchedule = part(() => import('./shifts/UserSchedule.tsx'), createElement(LinesSkeleton, { lines: 4 }))
/** Booking on other screens, for a known or new patient. */
export { PatientBooking } from './booking/PatientBooking.tsx'
/** Booking of services of an agreed treatment plan. */
export { PlanBooking } from './booking/PlanBooking.tsx'
