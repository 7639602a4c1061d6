import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { clockRule } from './clock.ts'
import { visitAccess, wall } from './visit.ts'

/** Minutes a time is held without renewal, and the maximum while the user is typing. */
export const HOLD_MINUTES = 3
export const MAX_HOLD_MINUTES = 15

/** A time held by a booking in progress: no other user can book it until it expires. */
export const Hold = entity('appointments/holds', {
  label: ['Удержание', 'удержания', 'удержаний'],
  gender: 'n',
  fields: {
    idUser: ref('users', { label: 'Врач', as: 'user', required: true, fixed: true, onDelete: 'cascade' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', required: true, fixed: true, onDelete: 'cascade' }),
    idRoom: ref('filials/rooms', { label: 'Кабинет', as: 'room', fixed: true, onDelete: 'cascade' }),
    localDate: date({ label: 'День', required: true, fixed: true }),
    localStart: text({ label: 'Начало', required: true, fixed: true, max: 5, rule: clockRule }),
    minutes: integer({ label: 'Минут', required: true, fixed: true, min: 1, max: 1440 }),
    dateFrom: wall.dateFrom,
    dateTo: wall.dateTo,
    expiresAt: dateTime({ label: 'Держится до', required: true, readonly: true, clock: 'filial.timeZone' }),
    /** Held for a patient of the waiting list: the employee who offered it has no more right to it than others. */
    isOffered: boolean({ label: 'Предложено из листа ожидания', default: false, readonly: true }),
    idAuthor: ref('users', { label: 'Кто записывает', as: 'author', auto: 'asker' }),
    dateCreate: dateTime({ label: 'С', auto: 'created', clock: 'filial.timeZone' }),
  },
  access: { view: visitAccess.view, create: 'createAppointments', delete: 'createAppointments' },
  sort: 'dateFrom,id',
  soft: true,
})
