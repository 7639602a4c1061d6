import type { z } from 'zod'
import { bookingCalls } from './bookingCalls.ts'
import { calendarCalls } from './calendarCalls.ts'
import { lineCalls } from './lineCalls.ts'
import type { booking, visit } from './shapes.ts'

export type { Chain, Hit } from './calendarCalls.ts'
export type { Slot } from './shapes.ts'

/** Maximum days of one request of the grid. */
export const MAX_DAY_SPAN = 31

/** Maximum days of one search for free times. */
export const MAX_SLOT_SPAN = 92

export const visitCalls = {
  ...calendarCalls,
  ...bookingCalls,
  ...lineCalls,
}

export type BookBody = z.output<typeof booking>
export type VisitBody = z.output<typeof visit>
