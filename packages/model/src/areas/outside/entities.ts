import { BookingChannel, OutsideBooking } from './channel.ts'

/** Entities of this area. */
export const entities = [BookingChannel, OutsideBooking] as const
