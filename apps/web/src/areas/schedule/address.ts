import { type SetAddressOptions, useAddress } from '#base/address.ts'
import { day, id, listOf, mark, text, word } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'

/** Views of the schedule; the default, the day by doctors, is not in the URL. */
export const calendarViews = { day: 'День', week: 'Неделя врача', month: 'Загрузка', shifts: 'Смены' } as const
export type CalendarView = keyof typeof calendarViews

export interface CalendarAddress {
  filial?: number
  /** `YYYY-MM-DD` in the branch's time zone; absent: today. */
  day?: string
  view?: CalendarView
  /** Columns are rooms instead of doctors. */
  by?: 'rooms'
  /** Doctor of the week view; doctors shown in the day view. */
  user?: number
  doctors?: number[]
  cancelled?: true
  /** Id of the visit in the side panel. */
  visit?: number
  /** Id of the group in the side panel. */
  group?: number
  /** The booking dialog is open, optionally for this patient. */
  book?: true
  customer?: number
  /** Of a new patient who is booked: the number as typed. */
  phone?: string
  /** The appeal that the booking belongs to. */
  appeal?: number
  /** The dialog of a doctor's absence is open. */
  absent?: true
}

export type SetCalendarAddress = (patch: Partial<CalendarAddress>, options?: SetAddressOptions) => void

export const useCalendarAddress = (): [CalendarAddress, SetCalendarAddress] => useAddress(readAddress)

const bys = { rooms: true } as const

export const readAddress = (search: Search): CalendarAddress => ({
  filial: id(search.filial),
  day: day(search.day),
  view: word(calendarViews, search.view),
  by: word(bys, search.by),
  user: id(search.user),
  doctors: listOf(search.doctors, id),
  cancelled: mark(search.cancelled),
  visit: id(search.visit),
  group: id(search.group),
  book: mark(search.book),
  customer: id(search.customer),
  phone: text(search.phone),
  appeal: id(search.appeal),
  absent: mark(search.absent),
})
