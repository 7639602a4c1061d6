import type { Page } from '../../page.ts'
import { moneyView } from '../money/access.ts'

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
  {
    key: 'invites',
    path: 'invites',
    title: 'Приведи друга',
    help: 'Кто кого пригласил, что начислено обоим и почему не начислено',
    section: 'clients',
    icon: 'invites',
    any: moneyView,
    entity: 'invites',
  },
  {
    key: 'reviews',
    path: 'reviews',
    title: 'Отзывы',
    help: 'Ответы на вопрос о визите и отзывы с карт: кто ждёт ответа, о ком и чем ответить',
    section: 'contact',
    icon: 'reviews',
    any: ['viewAppeals'],
    entity: 'reviews',
    makes: { label: 'Новый отзыв', any: ['editAppeals'], rare: true },
  },
  {
    key: 'reportReviews',
    path: 'reports/reviews',
    title: 'Отзывы и ответы',
    help: 'Средняя оценка по площадкам и врачам, на сколько отзывов отвечено и за сколько часов',
    section: 'contact',
    icon: 'reports',
    report: true,
    any: ['viewAppealAnalytics'],
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
  {
    key: 'reviewRoutes',
    path: 'settings/review-routes',
    title: 'Страницы отзывов',
    help: 'Страницы филиалов на картах, которые пациент видит после вопроса о визите',
    section: 'settings',
    group: 'links',
    icon: 'reviews',
    any: ['mainSettings'],
    entity: 'review-routes',
    makes: { label: 'Новая страница отзывов', any: ['mainSettings'], rare: true },
  },
] as const satisfies readonly Page[]
