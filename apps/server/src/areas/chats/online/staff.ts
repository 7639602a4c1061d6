/**
 * Staff operations on a dialogue with a patient. Each call locks its row, so that concurrent calls run one after
 * another.
 */
import { randomUUID } from 'node:crypto'
import { holds } from '@ordinator/model/access'
import { OnlineDialog, OnlineFile, OnlineMessage, OnlineMessageFile } from '@ordinator/model/areas/chats/online'
import { type OnlineFigures, onlineCalls } from '@ordinator/model/areas/chats/onlineCalls'
import sql, { raw } from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { clinicZone } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import { forbidden, HttpError, notFound, ValidationError } from '#platform/errors.ts'
import { announce } from '#platform/fanout.ts'
import type { ServerActor } from '#records/actor.ts'
import { inOwnBranch } from '#records/branches.ts'
import { countedCall } from '#records/countedCall.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { SUPERVISES } from '../availability.ts'
import { countIn, type Held, holdingOf, mayServe, nameOf, refuseOther } from '../held.ts'
import { filesOf } from '../lines.ts'
import {
  addOnlineLine,
  type Dialog,
  handleSql,
  isFresh,
  lockDialog,
  missedSql,
  ONLINE_NEWS,
  onlineLineOf,
  seesDialog,
  standsSql,
} from './dialogs.ts'

/** Seconds within which a first answer is in time. */
const TARGET = 900

const holding = holdingOf(OnlineDialog, 'dialog', lockDialog)

async function refuseTaken({ tx, dialog, actor }: Held<'dialog', Dialog>): Promise<void> {
  if (dialog.idUser === null || dialog.idUser === actor.id) return
  const name = await nameOf(tx, dialog.idUser)
  throw new HttpError(409, `Этот диалог ведёт ${name ?? 'другой сотрудник'}`, { code: 'taken' })
}

/** @throws HttpError 409 `closed` */
function refuseClosed({ status }: Dialog): void {
  if (status === 'closed') throw new HttpError(409, 'Диалог закрыт: его можно только читать', { code: 'closed' })
}

const mine = (dialog: Dialog, idUser: number): Partial<Dialog> => ({
  idUser,
  dateAssigned: dialog.idUser === idUser && dialog.dateAssigned ? dialog.dateAssigned : new Date().toISOString(),
  ...(dialog.status === 'new' && { status: 'active' as const }),
})

const send = operation(onlineCalls.send, async ({ records, actor, params, body, reply }) => {
  const { repeated, message } = await holding(records, params.id, async (held) => {
    const { inside, tx, system, dialog } = held
    const known = await onlineLineOf(tx, dialog.id, body.clientId)
    if (known) {
      refuseOther(known, { idUser: actor.id, text: body.text })
      return { repeated: true, message: await inside.row(OnlineMessage, known.id) }
    }
    refuseClosed(dialog)
    await refuseTaken(held)
    if (body.text === '' && body.files.length === 0)
      throw new ValidationError([{ field: 'text', message: 'Напишите сообщение или приложите файл' }])
    const files = await filesOf(tx, OnlineFile, OnlineMessageFile, body.files, actor.id)
    const line = { author: 'staff', clientId: body.clientId, text: body.text, files, idUser: actor.id } as const
    const more = { ...mine(dialog, actor.id), status: 'waitPatient' as const, readIn: dialog.inCount }
    const made = await addOnlineLine(system, tx, dialog, line, more)
    return { repeated: false, message: await inside.row(OnlineMessage, made.message.id) }
  })
  // Respond only after the commit.
  return reply.code(repeated ? 200 : 201).send(message)
})

/** Edits the user's own recent message; its former text is kept in the history. */
async function change(records: Records, id: number, what: { text: string; isRemoved?: true }) {
  const { idDialog } = await records.row(OnlineMessage, id)
  return holding(records, idDialog, async ({ inside, tx, system, dialog, actor }) => {
    const message = await inside.row(OnlineMessage, id)
    if (message.author !== 'staff' || message.idUser !== actor.id) throw forbidden('Менять можно только свои сообщения')
    if (message.dateRemoved !== null) throw new HttpError(409, 'Сообщение уже удалено', { code: 'removed' })
    if (!isFresh(message))
      throw new HttpError(409, 'Прошло больше 15 минут: напишите новое сообщение', { code: 'late' })
    const at = new Date().toISOString()
    if (what.isRemoved)
      await system.deleteWhere(OnlineMessageFile, ({ row }) => sql`${row}."idMessage" = ${id}`, {
        pastHooks: 'They are taken back with their line',
      })
    await system.update(OnlineMessage, id, {
      text: what.text,
      ...(what.isRemoved ? { dateRemoved: at } : { dateEdited: at }),
    })
    if (message.seq === dialog.lastSeq)
      await system.update(OnlineDialog, dialog.id, {
        lastMessage: what.isRemoved ? 'Сообщение удалено' : what.text.slice(0, 200),
      })
    await announce(tx, ONLINE_NEWS, [String(dialog.id)])
    return inside.row(OnlineMessage, id)
  })
}

const edit = operation(onlineCalls.edit, ({ records, params, body }) => change(records, params.id, body))
const remove = operation(onlineCalls.remove, ({ records, params }) =>
  change(records, params.id, { text: '', isRemoved: true }),
)

const take = operation(onlineCalls.take, ({ records, actor, params, body }) =>
  holding(records, params.id, async (held) => {
    const { dialog, system } = held
    refuseClosed(dialog)
    if (dialog.idUser === actor.id) return dialog
    if (dialog.idUser !== body.from || !holds(actor, SUPERVISES)) await refuseTaken(held)
    return system.update(OnlineDialog, dialog.id, mine(dialog, actor.id))
  }),
)

const transfer = operation(onlineCalls.transfer, ({ records, actor, params, body: { idUser, kind } }) =>
  holding(records, params.id, async (held) => {
    const { inside, tx, system, dialog } = held
    refuseClosed(dialog)
    if (!holds(actor, SUPERVISES)) await refuseTaken(held)
    if (dialog.paidSum !== null && ((kind ?? 'doctor') !== 'doctor' || idUser !== dialog.idUser))
      throw new HttpError(409, 'Пациент заплатил за ответ этого врача: передать такой диалог нельзя', { code: 'paid' })
    if (idUser === null && (kind ?? dialog.kind) === 'doctor')
      throw new ValidationError([{ field: 'idUser', message: 'Диалог с врачом передают врачу: выберите сотрудника' }])
    if (idUser !== null && !(await mayServe(tx, idUser, 'onlineChat')))
      throw new ValidationError([{ field: 'idUser', message: 'Этот сотрудник не пишет пациентам' }])
    const next = await system.update(OnlineDialog, dialog.id, {
      ...(kind && { kind }),
      ...(idUser === null
        ? { idUser: null, dateAssigned: null, status: dialog.queuedAt === null ? dialog.status : 'new' }
        : mine(dialog, idUser)),
    })
    if (idUser !== null)
      await notify({ actor, tx, records: inside }, [idUser], {
        kind: 'dialog.transfer',
        title: 'Вам передали диалог с пациентом',
        path: OnlineDialog.path,
        idEntity: dialog.id,
        link: `/service-online?dialog=${dialog.id}`,
      })
    return next
  }),
)

const close = operation(onlineCalls.close, ({ records, actor, params, body }) =>
  holding(records, params.id, async (held) => {
    const { tx, system, dialog } = held
    if (dialog.status === 'closed') return dialog
    if (!holds(actor, SUPERVISES)) await refuseTaken(held)
    const at = new Date()
    const line = { author: 'system', clientId: randomUUID(), text: 'Разговор завершён', idUser: actor.id } as const
    const closed = await addOnlineLine(system, tx, dialog, line, {
      ...mine(dialog, dialog.idUser ?? actor.id),
      status: 'closed',
      closeReason: body.reason,
      dateClosed: at.toISOString(),
      readIn: dialog.inCount,
      queuedAt: null,
      nextDueAt: null,
      ...(dialog.waitFrom && {
        waitFrom: null,
        waitSum: dialog.waitSum + Math.max(0, Math.round((at.getTime() - Date.parse(dialog.waitFrom)) / 1000)),
      }),
    })
    return closed.dialog
  }),
)

const read = operation(onlineCalls.read, async ({ records, actor, params, body }) => {
  // A viewer changes nothing.
  if ((await records.row(OnlineDialog, params.id)).idUser !== actor.id) return
  await records.asSystem.updateWhere(
    OnlineDialog,
    ({ row }) => sql`${row}."id" = ${params.id} and ${row}."idUser" = ${actor.id}`,
    ({ row }) => ({ readIn: sql`greatest(${row}."readIn", least(${body.no}::int, ${row}."inCount"))` }),
  )
})

const counts = operation(onlineCalls.counts, async ({ app, actor }) => {
  const of = countIn(sql`service_online d where "status" <> 'closed' and ${inOwnBranch(actor, sql`"idFilial"`)}`)
  const own = sql`"idUser" = ${actor.id}`
  const isVisible = seesDialog({ row: raw('d'), me: sql`${actor.id}` })
  const row = await app.db.reads.one<{ mine: number; waiting: number; unread: number }>(sql`
    select ${of(sql`${own} and ${isVisible}`)} as mine, ${of(sql`"queuedAt" is not null and ${isVisible}`)} as waiting,
      ${of(sql`${own} and "inCount" > "readIn" and ${isVisible}`)} as unread`)
  if (!row) throw notFound()
  return row
})

interface FiguresAsked {
  from: string
  to: string
  idFilial?: number | undefined
}

async function figuresOf(
  db: Queryable,
  { from, to, idFilial }: FiguresAsked,
  actor: ServerActor,
): Promise<OnlineFigures> {
  const row = raw('d')
  const figures = await db.one<OnlineFigures>(sql`
    select count(*)::int as count, round(avg(d."firstAnswerTime"))::int as frt,
      round(sum(d."answerSum")::numeric / nullif(sum(d."answerCount"), 0))::int as art,
      round(avg(${handleSql(row)}))::int as aht,
      (count(*) filter (where d."firstAnswerTime" <= ${TARGET}))::float8 / nullif(count(d."firstAnswerTime"), 0) as sla,
      (count(*) filter (where d."rating" >= 4))::float8 / nullif(count(d."rating"), 0) as csat,
      (count(*) filter (where ${missedSql(row)}))::int as missed
    from service_online d where not d."deleted" and ${standsSql(row)}
      and d."dateCreate" >= (${from}::date)::timestamp at time zone ${clinicZone}
      and d."dateCreate" < (${to}::date + 1)::timestamp at time zone ${clinicZone}
      and ${inOwnBranch(actor, sql`d."idFilial"`)} and (${idFilial ?? null}::bigint is null or d."idFilial" = ${idFilial ?? null})`)
  if (!figures) throw notFound()
  return figures
}

export const onlineFigures = countedCall(onlineCalls.figures, {
  asked: ({ query }) => query,
  count: figuresOf,
  empty: () => ({ count: 0, frt: null, art: null, aht: null, sla: null, csat: null, missed: 0 }),
})

export const onlineStaffCalls = [send, edit, remove, take, transfer, close, read, counts]
