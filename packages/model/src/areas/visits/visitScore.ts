import { entity } from '../../entity.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { text } from '../../fields/text.ts'
import { ofVisit, visitAccess } from './visit.ts'

/** Days after a visit in which its patient may answer how likely they are to recommend the clinic. */
export const SCORE_DAYS = 30
export const MAX_SCORE = 10
/** NPS: from 9 a promoter, up to 6 a detractor. */
export const PROMOTER_FROM = 9
export const DETRACTOR_TO = 6

/** A patient's answer after a visit to «посоветуете ли вы клинику», from 0 to 10: once per visit. */
export const VisitScore = entity('appointments/scores', {
  label: ['Оценка визита', 'оценки визита', 'оценок визитов'],
  gender: 'f',
  fields: {
    idAppointment: ofVisit(),
    score: integer({ label: 'Оценка', required: true, readonly: true, min: 0, max: MAX_SCORE }),
    comment: text({ label: 'Отзыв', max: 1000, multiline: true, readonly: true }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created', clock: 'appointment.filial.timeZone' }),
  },
  access: { view: visitAccess.view },
  within: 'idAppointment',
  unique: [['idAppointment']],
  sort: '-id',
})
