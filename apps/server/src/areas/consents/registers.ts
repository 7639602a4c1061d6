import { INQUIRY_HOURS, Incident, NOTICE_HOURS } from '@ordinator/model/areas/consents/incident'
import { ANSWER_DAYS, MORE_DAYS, PatientRequest } from '@ordinator/model/areas/consents/request'
import type { Row, Update } from '@ordinator/model/entity'
import { addWorkingDays } from '@ordinator/model/workingTime'
import sql, { raw, type Sql } from 'sql-template-tag'
import { readCalendar } from '#areas/filials/index.ts'
import { clinicToday } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { clinicDay } from './consents.ts'

const wrong = (field: string, message: string) => new ValidationError([{ field, message }])
type RequestValues = Update<typeof PatientRequest>
type RequestRow = Row<typeof PatientRequest>

export const requestStatusSql = (
  row: Sql,
): Sql => sql`case when ${row}."dateAnswered" <= ${row}."dateDue" then 'answered'
  when ${row}."dateAnswered" is not null then 'late' when ${row}."dateDue" < ${clinicToday} then 'overdue' else 'open' end`

export const requests = records(PatientRequest, {
  computed: { status: ({ row }) => requestStatusSql(row) },
  hooks: {
    beforeCreate: ({ tx }, value) => countTerm(tx, value),
    beforeUpdate: ({ tx }, value, before) => countTerm(tx, value, before),
  },
})

/** Validates the days of a request, and computes its due day by the working calendar. */
async function countTerm(tx: Tx, value: RequestValues, before?: RequestRow): Promise<void> {
  const { dateReceived, dateAnswered, answer, extended, extensionReason } = { ...before, ...value }
  if (!dateReceived) return
  const now = await clinicDay(tx)
  if (dateReceived > now) throw wrong('dateReceived', 'Этот день ещё не наступил')
  if (dateAnswered && dateAnswered > now) throw wrong('dateAnswered', 'Этот день ещё не наступил')
  if (dateAnswered && dateAnswered < dateReceived) throw wrong('dateAnswered', 'Ответ раньше запроса')
  if (dateAnswered && !answer) throw wrong('answer', 'Напишите, что ответили')
  if (extended && !extensionReason) throw wrong('extensionReason', 'Напишите, почему нужен больший срок')
  if (before && before.dateReceived === dateReceived && before.extended === extended) return
  const days = ANSWER_DAYS + (extended ? MORE_DAYS : 0)
  const dateDue = addWorkingDays(dateReceived, days, await readCalendar(tx, dateReceived))
  // Clients cannot set it.
  Object.assign(value, before ? { dateDue } : { dateDue, ...value })
}

const due = (row: Sql, hours: number): Sql => sql`(${row}."dateDetected" + interval '${raw(String(hours))} hours')`

export const incidents = records(Incident, {
  computed: {
    dueNotice: ({ row }) => due(row, NOTICE_HOURS),
    dueInquiry: ({ row }) => due(row, INQUIRY_HOURS),
    status: ({ row }) => sql`case when ${row}."inquiryAt" is not null then 'closed'
      when ${row}."notifiedAt" is null and ${due(row, NOTICE_HOURS)} < now() then 'noticeLate'
      when ${row}."notifiedAt" is null then 'notice'
      when ${due(row, INQUIRY_HOURS)} < now() then 'inquiryLate' else 'inquiry' end`,
  },
  hooks: {
    prepare(value, before) {
      const { dateDetected, notifiedAt, inquiryAt, inquiry } = { ...before, ...value }
      if (!dateDetected) return
      const detected = Date.parse(dateDetected)
      if (detected > Date.now()) throw wrong('dateDetected', 'Это время ещё не наступило')
      if (notifiedAt && Date.parse(notifiedAt) < detected) throw wrong('notifiedAt', 'Уведомление раньше обнаружения')
      if (inquiryAt && !notifiedAt) throw wrong('notifiedAt', 'Сначала уведомите Роскомнадзор')
      if (inquiryAt && notifiedAt && Date.parse(inquiryAt) < Date.parse(notifiedAt))
        throw wrong('inquiryAt', 'Результаты раньше уведомления')
      if (inquiryAt && !inquiry) throw wrong('inquiry', 'Напишите, что выяснили')
    },
  },
})
