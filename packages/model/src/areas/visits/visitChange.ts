import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { visitStatuses } from './rules.ts'
import { ofVisit, visitAccess } from './visit.ts'

/** A visit was moved to another time or another doctor. */
export const AppointmentMove = entity('appointments/moves', {
  label: ['Перенос', 'переноса', 'переносов'],
  gender: 'm',
  fields: {
    idAppointment: ofVisit(),
    fromDate: date({ label: 'С дня', required: true, readonly: true }),
    fromStart: text({ label: 'С начала', required: true, readonly: true, max: 5 }),
    toDate: date({ label: 'На день', required: true, readonly: true }),
    toStart: text({ label: 'На начало', required: true, readonly: true, max: 5 }),
    idUserFrom: ref('users', { label: 'От врача', as: 'userFrom', readonly: true, whenDeleted: 'stays' }),
    idUserTo: ref('users', { label: 'К врачу', as: 'userTo', readonly: true, whenDeleted: 'stays' }),
    reason: text({ label: 'Причина', max: 500, readonly: true }),
    idAuthor: ref('users', { label: 'Кто перенёс', as: 'author', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created', clock: 'appointment.filial.timeZone' }),
  },
  access: { view: visitAccess.view },
  within: 'idAppointment',
  sort: 'id',
})

/** A status change of a visit: time and author. */
export const VisitChange = entity('appointments/changes', {
  label: ['Смена состояния', 'смены состояния', 'смен состояния'],
  gender: 'f',
  fields: {
    idAppointment: ofVisit(),
    fromStatus: choice(visitStatuses, { label: 'Было', readonly: true, required: true }),
    toStatus: choice(visitStatuses, { label: 'Стало', readonly: true, required: true }),
    reason: text({ label: 'Причина', max: 500, readonly: true }),
    /** null: an automatic rule of the clinic. */
    idAuthor: ref('users', { label: 'Кто', as: 'author', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created', clock: 'appointment.filial.timeZone' }),
  },
  access: { view: visitAccess.view },
  within: 'idAppointment',
  sort: 'id',
})
