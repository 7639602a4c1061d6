import type { Area } from '../../records/area.ts'
import { customer } from './callers.ts'
import { callLegs, callRecords } from './calls.ts'
import { demo } from './demo.ts'
import { peaks, record } from './recordings.ts'
import { originate, startTelephony } from './telephony/index.ts'

/** Telephone calls. */
export const calls: Area = {
  name: 'calls',
  title: 'Звонки',
  records: [callRecords, callLegs],
  operations: [record, peaks, customer, originate],
  start: startTelephony,
  demo,
}
