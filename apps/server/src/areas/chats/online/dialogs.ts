/** Lines between a patient and the clinic, and their effect on the dialogue; every change holds the lock of its row. */
import {
  EDIT_MINUTES,
  MISSED_HOURS,
  OnlineDialog,
  OnlineFile,
  OnlineMessage,
  OnlineMessageFile,
  onlineStatuses,
} from '@ordinator/model/areas/chats/online'
import type { Row } from '@ordinator/model/entity'
import { addWorkingMinutes, workingMinutesBetween } from '@ordinator/model/workingTime'
import sql, { type Sql } from 'sql-template-tag'
import { ofOpenCard } from '#areas/customers/index.ts'
import { fileRecords } from '#areas/files/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { announce } from '#platform/fanout.ts'
import { type RowCondition, records } from '#records/define.ts'
import { labelSql } from '#records/labels.ts'
import type { SystemRecords } from '#records/records.ts'
import { withLine, workingOf } from '../lines.ts'

export type Dialog = Row<typeof OnlineDialog>
type Message = Row<typeof OnlineMessage>

/** Channel of news for waiting patients: the id of the dialogue. */
export const ONLINE_NEWS = 'online'
const LAST_WORDS = 200

const counterOf = (row: Sql, field: 'readIn' | 'readOut' | 'deliveredOut') =>
  ({
    readIn: sql`(select c."readIn" from service_online c where c."id" = ${row}."idDialog")`,
    readOut: sql`(select c."readOut" from service_online c where c."id" = ${row}."idDialog")`,
    deliveredOut: sql`(select c."deliveredOut" from service_online c where c."id" = ${row}."idDialog")`,
  })[field]

/** SQL condition: no answer before it was closed, or within a day. */
export const missedSql = (row: Sql): Sql => sql`(${row}."dateFirstAnswer" is null and ${row}."inCount" > 0
  and (${row}."dateClosed" is not null or ${row}."dateCreate" < now() - make_interval(hours => ${MISSED_HOURS})))`

/** SQL of the seconds from assignment to close, less those of waiting for the patient. */
export const handleSql = (
  row: Sql,
): Sql => sql`(case when ${row}."dateClosed" is not null and ${row}."dateAssigned" is not null
  then greatest(0, extract(epoch from ${row}."dateClosed" - ${row}."dateAssigned") - ${row}."waitSum")::int end)`

/** SQL condition: it is to be answered: a paid dialogue has been paid. */
export const standsSql = (row: Sql): Sql => sql`(${row}."paidSum" is null or ${row}."datePaid" is not null)`

/** SQL of the state of a paid dialogue. */
export const paidStateSql = (row: Sql): Sql => sql`(case when ${row}."paidSum" is null then null
  when ${row}."dateRefunded" is not null then 'refunded' when ${row}."dateRefundDue" is not null then 'refundDue'
  when ${row}."datePaid" is null then 'ordered' when ${row}."status" = 'closed' then 'closed'
  when ${row}."dateFirstAnswer" is not null then 'open' else 'paid' end)`

/** Messages to a doctor are visible to that doctor; those of a restricted card to users who opened it with a reason. */
export const seesDialog: RowCondition = ({ row, me }) => sql`((${row}."kind" <> 'doctor' or ${row}."idUser" = ${me}
  or (select ${holdsSql(me, 'superviseLiveAssist')})) and ${standsSql(row)} and ${ofOpenCard({ row, me })})`

const dialogs = records(OnlineDialog, {
  scope: { view: seesDialog },
  thread: {
    of: 'customers',
    kind: 'dialogs',
    name: 'Чат с пациентом',
    when: 'dateCreate',
    belongs: ({ row }, id) => sql`${row}."idCustomer" = ${id}`,
    title: ({ row }) => sql`coalesce(${row}."lastMessage", 'Диалог в личном кабинете')`,
    hint: ({ row }) => labelSql(sql`${row}."status"`, onlineStatuses),
    opens: ({ row, holds }) => (holds('onlineChat') ? sql`'/service-online?dialog=' || ${row}."id"` : sql`null`),
    author: ({ row }) => sql`${row}."idUser"`,
  },
  computed: {
    numberOfUnreadMessages: ({ row }) => sql`greatest(0, ${row}."inCount" - ${row}."readIn")`,
    averageAnswerTime: ({ row }) => sql`round(${row}."answerSum"::numeric / nullif(${row}."answerCount", 0))::int`,
    handleTime: ({ row }) => handleSql(row),
    isMissed: ({ row }) => missedSql(row),
    paidState: ({ row }) => paidStateSql(row),
  },
})

const messages = records(OnlineMessage, {
  computed: {
    state: ({ row }) => sql`(case ${row}."author" when 'system' then 'read'
      when 'patient' then (case when ${row}."no" <= ${counterOf(row, 'readIn')} then 'read' else 'delivered' end)
      else (case when ${row}."no" <= ${counterOf(row, 'readOut')} then 'read'
        when ${row}."no" <= ${counterOf(row, 'deliveredOut')} then 'delivered' else 'sent' end) end)`,
  },
})

export const onlineRecords = [
  dialogs,
  messages,
  fileRecords(OnlineFile),
  records(OnlineMessageFile, { hooks: withLine }),
]

/** Locks a dialogue until the transaction ends. @returns its current row */
export async function lockDialog(system: SystemRecords, tx: Tx, id: number): Promise<Dialog> {
  await tx.query(sql`select 1 from service_online where "id" = ${id} for update`)
  return system.row(OnlineDialog, id)
}

export interface OnlineLine {
  author: 'patient' | 'staff' | 'system'
  clientId: string
  text: string
  /** Stored files of the dialogue. */
  files?: readonly { id: number; name: string }[]
  idUser?: number
  /** Time of the message, ISO; absent: now. */
  at?: string
}

/** Adds a line to a locked dialogue: its number, the counters, the turn, and the wait state. */
export async function addOnlineLine(
  system: SystemRecords,
  tx: Tx,
  dialog: Dialog,
  { author, clientId, text, files = [], idUser, at = new Date().toISOString() }: OnlineLine,
  more: Partial<Dialog> = {},
): Promise<{ message: Message; dialog: Dialog }> {
  const seq = dialog.lastSeq + 1
  const no = author === 'patient' ? dialog.inCount + 1 : author === 'staff' ? dialog.outCount + 1 : 0
  const message = await system.create(OnlineMessage, {
    idDialog: dialog.id,
    seq,
    no,
    author,
    clientId,
    text,
    dateCreate: at,
    ...(idUser === undefined ? {} : { idUser }),
  })
  for (const { id } of files) await system.create(OnlineMessageFile, { idMessage: message.id, idFile: id })
  const shown = text || files.map(({ name }) => name).join(', ')
  const next = await system.update(OnlineDialog, dialog.id, {
    lastSeq: seq,
    ...(author === 'system' ? {} : { lastMessage: shown.slice(0, LAST_WORDS), dateLast: at }),
    ...(author === 'patient' ? { inCount: no, ...(await asked(tx, dialog, at)) } : {}),
    ...(author === 'staff' ? { outCount: no, ...(await answered(tx, dialog, at)) } : {}),
    ...more,
  })
  await announce(tx, ONLINE_NEWS, [String(dialog.id)])
  return { message, dialog: next }
}

const timeOf = (tx: Queryable, { idFilial }: Dialog) => workingOf(tx, { idFilial, idDomain: null, idChannel: null })

/** The patient waits since the first unanswered message. */
async function asked(tx: Queryable, dialog: Dialog, at: string): Promise<Partial<Dialog>> {
  const waits = {
    status: dialog.idUser === null ? ('new' as const) : ('active' as const),
    ...(dialog.waitFrom && {
      waitFrom: null,
      waitSum: dialog.waitSum + Math.max(0, Math.round((Date.parse(at) - Date.parse(dialog.waitFrom)) / 1000)),
    }),
  }
  if (dialog.queuedAt !== null) return waits
  const { minutes, time } = await timeOf(tx, dialog)
  const due = addWorkingMinutes(Date.parse(at), minutes, time)
  return { ...waits, queuedAt: at, nextDueAt: due === undefined ? null : new Date(due).toISOString() }
}

/** A person's answer ends the wait, and counts into the answer time in working hours. */
async function answered(tx: Queryable, dialog: Dialog, at: string): Promise<Partial<Dialog>> {
  const waits = { status: 'waitPatient' as const, waitFrom: dialog.waitFrom ?? at }
  if (dialog.queuedAt === null) return { ...waits, dateFirstAnswer: dialog.dateFirstAnswer ?? at }
  const { time } = await timeOf(tx, dialog)
  const waited = Math.round(workingMinutesBetween(Date.parse(dialog.queuedAt), Date.parse(at), time) * 60)
  return {
    ...waits,
    queuedAt: null,
    nextDueAt: null,
    answerSum: dialog.answerSum + waited,
    answerCount: dialog.answerCount + 1,
    firstAnswerTime: dialog.firstAnswerTime ?? waited,
    dateFirstAnswer: dialog.dateFirstAnswer ?? at,
  }
}

/** The existing line of the dialogue with this key. */
export const onlineLineOf = (tx: Queryable, idDialog: number, clientId: string) =>
  tx.one<{ id: number; seq: number; text: string; idUser: number | null; author: string }>(
    sql`select "id", "seq", "text", "idUser", "author" from service_online_messages
      where "idDialog" = ${idDialog} and "clientId" = ${clientId}`,
  )

/** Whether the author may still edit a message. */
export const isFresh = ({ dateCreate }: Message): boolean =>
  Date.now() - Date.parse(dateCreate as string) < EDIT_MINUTES * 60_000
