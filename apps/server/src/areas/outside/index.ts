import type { Area } from '#records/area.ts'
import { outsideOperations } from './calls.ts'
import { demo } from './demo.ts'
import { bookingRecords, channelRecords } from './records.ts'

/** Bookings through sellers outside the clinic: aggregators, maps, partners. */
export const outside: Area = {
  name: 'outside',
  title: 'Запись с площадок',
  records: [channelRecords, bookingRecords],
  operations: outsideOperations,
  demo,
}
