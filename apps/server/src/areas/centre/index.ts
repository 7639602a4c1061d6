import type { Area } from '../../records/area.ts'
import { handoverCalls } from './handover.ts'

/** What the contact centre does over chats, calls and appeals together. */
export const centre: Area = {
  name: 'centre',
  title: 'Контакт-центр',
  records: [],
  operations: handoverCalls,
}
