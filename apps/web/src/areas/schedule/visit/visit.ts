import type { Appointment } from '@ordinator/model/areas/visits/visit'
import type { Expanded } from '@ordinator/model/client'

/** Relations of a visit in the panel. */
export const visitExpand = [
  'customer',
  'filial',
  'user',
  'author',
  'coupons.user',
  'coupons.room',
  'coupons.services.service',
  'coupons.services.membership',
  'coupons.services.performers.user',
  'changes.author',
  'moves.author',
  'reminders',
] as const
export type Visit = Expanded<typeof Appointment, (typeof visitExpand)[number]>
