/** Notices about changes of visits and shifts for the performers, by their own switches (spec §3). */
import { Message } from '@ordinator/model/areas/messages/message'
import { type EventType, eventTypes, StaffEvent } from '@ordinator/model/areas/visits/shift'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import type { Row } from '@ordinator/model/entity'
import { formatDay } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import type { WriteContext } from '#records/define.ts'

type Context = Pick<WriteContext, 'actor' | 'tx' | 'records'>
type VisitRow = Row<typeof Appointment>

const visitWords = {
  create: { kind: 'appointmentCreate.new', title: 'Новая запись' },
  change: { kind: 'appointmentChange.changed', title: 'Запись изменена' },
  delete: { kind: 'appointmentDelete.cancelled', title: 'Запись отменена' },
} as const

/** The patient is not named: notices may leave by mail. */
export function notifyOfVisit(
  context: Context,
  what: keyof typeof visitWords,
  visit: VisitRow,
  idUsers: readonly number[],
): Promise<void> {
  const { kind, title } = visitWords[what]
  return notify(context, idUsers, {
    kind,
    title,
    text: `${formatDay(visit.localDate)} в ${visit.localStart}`,
    path: Appointment.path,
    idEntity: visit.id,
    link: `/calendar?filial=${visit.idFilial}&day=${visit.localDate}&visit=${visit.id}`,
  })
}

/**
 * Notifies the sender about a patient's reply to a message other than a reminder; without a sender, the branch's desk.
 */
export async function notifyOfReply(
  context: Context,
  { id, idAuthor, idFilial }: { id: number; idAuthor: number | null; idFilial: number | null },
): Promise<void> {
  const desks =
    idAuthor === null && idFilial !== null
      ? await context.tx.query<{ idUser: number }>(
          sql`select distinct "idUser" from filials_desks where "idFilial" = ${idFilial} and not "deleted"`,
        )
      : []
  await notify(context, idAuthor === null ? desks.map(({ idUser }) => idUser) : [idAuthor], {
    kind: 'messageReply.told',
    title: 'Пациент ответил на СМС',
    text: 'Откройте сообщение, чтобы прочитать ответ',
    path: Message.path,
    idEntity: id,
    link: `/journal/messages?open=${id}`,
  })
}

/** Notifies the branch's desk about a patient's own action. The patient is not named. */
export async function notifyDesk(
  context: Context,
  {
    idAppointment,
    idFilial,
    localDate,
    localStart,
  }: Pick<VisitRow, 'idFilial' | 'localDate' | 'localStart'> & {
    idAppointment: number
  },
  title: string,
  what = 'откройте запись',
): Promise<void> {
  const desks = await context.tx.query<{ idUser: number }>(
    sql`select distinct "idUser" from filials_desks where "idFilial" = ${idFilial} and not "deleted"`,
  )
  await notify(
    context,
    desks.map(({ idUser }) => idUser),
    {
      kind: 'visitReply.told',
      title,
      text: `${formatDay(localDate)} в ${localStart}: ${what}`,
      path: Appointment.path,
      idEntity: idAppointment,
      link: `/calendar?filial=${idFilial}&day=${localDate}&visit=${idAppointment}`,
    },
  )
}

const shiftWords = {
  new: { kind: 'scheduleNew.added', title: 'в расписании' },
  update: { kind: 'scheduleUpdate.changed', title: 'изменено в расписании' },
  delete: { kind: 'scheduleDelete.removed', title: 'убрано из расписания' },
} as const

interface ShiftNotice {
  type: EventType
  localDate: string
  localFrom: string
  localTo: string
}

/** @param rows of one employee, in order of days; several days make one notice */
export function notifyOfShifts(
  context: Context,
  what: keyof typeof shiftWords,
  idUser: number,
  rows: readonly ShiftNotice[],
): Promise<void> {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return Promise.resolve()
  const { kind, title } = shiftWords[what]
  const days =
    rows.length === 1 ? formatDay(first.localDate) : `${formatDay(first.localDate)} – ${formatDay(last.localDate)}`
  return notify(context, [idUser], {
    kind,
    title: `${eventTypes[first.type]}: ${title}`,
    text: rows.length === 1 ? `${days}, ${first.localFrom}–${first.localTo}` : `${days}, дней: ${rows.length}`,
    path: StaffEvent.path,
  })
}
