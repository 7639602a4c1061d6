/** Lines of a chat, and their effect on it; every change holds the lock of its row. */
import { ChatMessage, ChatMessageFile, LiveAssist, type MessageKind } from '@ordinator/model/areas/chats/liveAssist'
import type { Entity, Row } from '@ordinator/model/entity'
import type { Holiday, WorkingHours } from '@ordinator/model/hours'
import {
  ALWAYS,
  addWorkingMinutes,
  timeOfBranch,
  type WorkingTime,
  workingMinutesBetween,
} from '@ordinator/model/workingTime'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicToday, clinicZone } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { forbidden, ValidationError } from '#platform/errors.ts'
import { announce } from '#platform/fanout.ts'
import type { WriteContext } from '#records/define.ts'
import type { SystemRecords } from '#records/records.ts'

export type Chat = Row<typeof LiveAssist>
export type Message = Row<typeof ChatMessage>

/** Channel of news for waiting visitors: the id of the chat, prefixed by `t` when an operator is typing. */
export const NEWS = 'chats'
export const LAST_WORDS = 200
const DEFAULT_MINUTES = 15

/** Locks a chat until the transaction ends. @returns its current row */
export async function lockChat(system: SystemRecords, tx: Tx, id: number): Promise<Chat> {
  await tx.query(sql`select 1 from live_assist where "id" = ${id} for update`)
  return system.row(LiveAssist, id)
}

/** SQL condition: message `m` is still to be sent, if its chat has a channel. */
export const unsentSql = (m: Sql) => sql`(${m}."kind" in ('staff', 'robot') and ${m}."idExternal" is null
  and ${m}."failure" is null and ${m}."dateRemoved" is null and not ${m}."deleted")`

export interface Line {
  kind: MessageKind
  clientId: string
  text: string
  idUser?: number
  /** Stored files of the chat. */
  files?: readonly { id: number; name: string }[]
  /** Time of the message, ISO; absent: now. */
  at?: string
}

/**
 * Adds a line to a locked chat: its number, the counters, the preview for lists, and the wait state.
 * @param more other changes of the chat
 */
export async function addLine(
  system: SystemRecords,
  tx: Tx,
  chat: Chat,
  { kind, clientId, text, idUser, files = [], at = new Date().toISOString() }: Line,
  more: Partial<Chat> = {},
): Promise<{ message: Message; chat: Chat }> {
  const seq = chat.lastSeq + 1
  const isOurs = kind === 'staff' || kind === 'robot'
  const no = kind === 'visitor' ? chat.inCount + 1 : isOurs ? chat.outCount + 1 : 0
  const message = await system.create(ChatMessage, {
    idLiveAssist: chat.id,
    seq,
    no,
    kind,
    clientId,
    message: text,
    dateCreate: at,
    ...(idUser === undefined ? {} : { idUser }),
  })
  for (const { id } of files) await system.create(ChatMessageFile, { idMessage: message.id, idFile: id })
  const shown = text || files.map(({ name }) => name).join(', ')
  const next = await system.update(LiveAssist, chat.id, {
    lastSeq: seq,
    ...(kind === 'visitor' ? { inCount: no } : isOurs ? { outCount: no } : {}),
    ...(kind === 'system' ? {} : { lastMessage: shown.slice(0, LAST_WORDS), dateLast: at }),
    ...(kind === 'visitor' ? await asked(tx, chat, at) : {}),
    ...(kind === 'staff' ? await answered(tx, chat, at) : {}),
    ...more,
  })
  if (kind !== 'visitor') await announce(tx, NEWS, [String(chat.id)])
  return { message, chat: next }
}

/** Assigns the chat to this operator; the date is kept if it was theirs already. */
export const givenTo = ({ status, handler, idUser, dateAssigned }: Chat, to: number): Partial<Chat> => ({
  status: 'active',
  handler: 'human',
  idUser: to,
  lastUser: to,
  dateAssigned:
    status === 'active' && handler === 'human' && idUser === to && dateAssigned
      ? dateAssigned
      : new Date().toISOString(),
})

/** Its next step is still to be done. */
export const owesStep = ({ dateNextStep, idOutcome }: Chat): boolean => dateNextStep !== null && idOutcome === null

/** The visitor waits since the first unanswered message. */
async function asked(tx: Queryable, chat: Chat, at: string): Promise<Partial<Chat>> {
  if (chat.queuedAt !== null) return {}
  const { minutes, time } = await workingOf(tx, chat)
  const due = addWorkingMinutes(Date.parse(at), minutes, time)
  return { queuedAt: at, nextDueAt: due === undefined ? null : new Date(due).toISOString() }
}

/** A person's answer ends the wait, and counts into the answer time in working hours. */
async function answered(tx: Queryable, chat: Chat, at: string): Promise<Partial<Chat>> {
  if (chat.queuedAt === null) return {}
  const { time } = await workingOf(tx, chat)
  const waited = Math.round(workingMinutesBetween(Date.parse(chat.queuedAt), Date.parse(at), time) * 60)
  return {
    queuedAt: null,
    nextDueAt: null,
    returns: 0,
    answerSum: chat.answerSum + waited,
    answerCount: chat.answerCount + 1,
    firstAnswerTime: chat.firstAnswerTime ?? waited,
  }
}

/** Working hours of a chat's branch (always, if it has none), and the promised minutes to answer. */
export async function workingOf(
  db: Queryable,
  { idFilial, idDomain, idChannel }: Pick<Chat, 'idFilial' | 'idDomain' | 'idChannel'>,
): Promise<{ time: WorkingTime; minutes: number }> {
  const row = await db.one<{
    week: WorkingHours | null
    timeZone: string
    minutes: number | null
    days: Holiday[]
  }>(sql`select f."workingHours" as week, coalesce(f."timeZone", ${clinicZone}) as "timeZone",
      coalesce((select d."answerMinutes" from live_assist_domains d where d."id" = ${idDomain}),
        (select c."answerMinutes" from live_assist_channels c where c."id" = ${idChannel})) as minutes,
      coalesce((select jsonb_agg(jsonb_build_object('day', h."day", 'start', h."start", 'end', h."end"))
        from filials_holidays h where h."idFilial" = f."id" and not h."deleted" and h."day" >= ${clinicToday} - 31), '[]') as days
    from (select 1) one left join filials f on f."id" = ${idFilial}`)
  return {
    time: row?.week ? timeOfBranch(row.week, row.days, row.timeZone) : ALWAYS,
    minutes: row?.minutes ?? DEFAULT_MINUTES,
  }
}

/** The existing line of the chat with this key. */
export async function lineOf(tx: Queryable, idLiveAssist: number, clientId: string) {
  return tx.one<{
    id: number
    seq: number
    kind: MessageKind
    message: string
    idUser: number | null
    dateCreate: string
  }>(
    sql`select "id", "seq", "kind", "message", "idUser", "dateCreate" from live_assist_messages
      where "idLiveAssist" = ${idLiveAssist} and "clientId" = ${clientId} and not "deleted"`,
  )
}

/**
 * Files uploaded by the operator and not attached yet, for a line.
 * @throws ValidationError on `files`
 */
export async function filesOf(
  tx: Queryable,
  stored: Entity,
  attached: Entity,
  ids: readonly number[],
  idUser: number,
): Promise<{ id: number; name: string }[]> {
  const asked = [...new Set(ids)]
  if (asked.length === 0) return []
  const found = await tx.query<{ id: number; name: string }>(sql`select f."id", f."name" from ${raw(stored.table)} f
    where f."id" = any(${asked}::bigint[]) and f."idUser" = ${idUser} and not f."deleted"
      and not exists (select 1 from ${raw(attached.table)} m where m."idFile" = f."id" and not m."deleted")
    order by array_position(${asked}::bigint[], f."id")`)
  if (found.length !== asked.length)
    throw new ValidationError([{ field: 'files', message: 'Файл не найден: приложите его ещё раз' }])
  return found
}

/** Files are attached only together with their line, never to an existing one. */
export const withLine = {
  beforeCreate({ actor }: Pick<WriteContext, 'actor'>): void {
    if (!actor.system) throw forbidden('Файл прикладывают к новому сообщению')
  },
}
