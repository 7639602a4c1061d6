import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const outsidePages = [
  {
    key: 'outsideBookings',
    path: 'outside-bookings',
    title: 'Записи с площадок',
    help: 'Кто записался через агрегаторы, что проверить и в чём площадкам отказано',
    section: 'reception',
    icon: 'outsideBookings',
    any: ['mainSettings', 'editAppointments'],
    entity: 'outside-bookings',
  },
] as const satisfies readonly Page[]

/** Its set-up. */
export const outsideSetUp = [
  {
    key: 'bookingChannels',
    path: 'settings/booking-channels',
    title: 'Площадки записи',
    help: 'Агрегаторы и партнёры, которые записывают пациентов сами: что им видно и чем они входят',
    section: 'settings',
    group: 'links',
    icon: 'bookingChannels',
    any: ['mainSettings'],
    entity: 'booking-channels',
    makes: { label: 'Новая площадка записи', any: ['mainSettings'], rare: true },
  },
] as const satisfies readonly Page[]
