/** A patient's operations on the own dialogue, authenticated by the patients' sign-in. */
import { join } from 'node:path'
import { CHAT_FILE_MAX } from '@ordinator/model/areas/chats/chatFiles'
import { OnlineDialog, OnlineFile } from '@ordinator/model/areas/chats/online'
import { onlineCalls, type PatientLine, type PatientTalk } from '@ordinator/model/areas/chats/onlineCalls'
import type { Row } from '@ordinator/model/entity'
import type { FileMeta } from '@ordinator/model/storedFile'
import sql, { raw } from 'sql-template-tag'
import {
  addOnlineLine,
  createWaiters,
  lockDialog,
  ONLINE_NEWS,
  onlineLineOf,
  type Waiters,
} from '#areas/chats/index.ts'
import { asPerson, keep, type Received, receive, sendStored, withinQuota } from '#areas/files/index.ts'
import { notify } from '#areas/notifications/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { forbidden, HttpError, notFound, tooMany } from '#platform/errors.ts'
import { previewKey } from '#platform/storage.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { mustBeByCode } from './data.ts'
import { patientCall } from './sessions.ts'

type Dialog = Row<typeof OnlineDialog>

const SHOWN = 50
const MAX_RECIPIENTS = 100
const MESSAGES_IN_10_S = 10
const MESSAGES_IN_10_MIN = 60
const DIALOGS_A_DAY = 10
/** Bytes per patient. */
const FILES_IN_DAY = 100 * 1024 * 1024

const waitersOf = new WeakMap<AppContext, Waiters>()
export function startChat(app: AppContext): void {
  const waiters = createWaiters(app.fanout, ONLINE_NEWS)
  waitersOf.set(app, waiters)
  app.onClose(() => waiters.close())
}

async function mustBeOn(db: Queryable): Promise<void> {
  if (!(await readCommonSettings(db)).portalActions.includes('chat'))
    throw forbidden('Клиника пока не отвечает в личном кабинете: позвоните', 'off')
}

/**
 * The last dialogue with the clinic, or the given one with a doctor. @throws HttpError 404 if it is not the patient's
 */
async function lastOf(db: Queryable, idCustomer: number, asked?: number): Promise<{ id: number } | undefined> {
  const found = await db.one<{ id: number }>(sql`select "id" from service_online
    where "idCustomer" = ${idCustomer} and not "deleted" and ${
      asked === undefined ? sql`"paidSum" is null` : sql`"id" = ${asked} and "paidSum" is not null`
    } order by "id" desc limit 1`)
  if (asked !== undefined && !found) throw notFound('Такого разговора в вашем кабинете нет')
  return found
}

const talk = patientCall(
  onlineCalls.talk,
  async ({ app, patient, query: { cursor, wait, dialog: of }, request, reply, recordView }) => {
    mustBeByCode(patient)
    if (of === undefined) await mustBeOn(app.db)
    const last = await lastOf(app.db, patient.idCustomer, of)
    if (!last) return { dialog: null, lines: [], cursor: 0 }
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    // Subscribe before reading, so that no event in between is missed.
    const waiting = wait === 0 ? undefined : waitersOf.get(app)?.wait(last.id, wait * 1000, gone.signal)
    const first = await talkOf(app, last.id)
    if (!waiting || first.cursor > cursor) {
      gone.abort()
      if (cursor === 0)
        await recordView(
          patient.idCustomer,
          OnlineDialog.path,
          of === undefined ? 'чат с клиникой' : 'разговор с врачом',
        )
      return first
    }
    if (!(await request.waitAside(waiting))) return first
    const next = await lastOf(app.db, patient.idCustomer, of)
    return next ? talkOf(app, next.id) : first
  },
)

async function talkOf(app: AppContext, id: number): Promise<PatientTalk> {
  const system = app.engine.for(systemActor).asSystem
  const dialog = await system.row(OnlineDialog, id)
  const lines = await app.db.query<PatientLine>(sql`
    select m."seq", m."author", case when m."author" = 'patient' then m."clientId" end as "clientId", m."text",
      coalesce((select jsonb_agg(jsonb_build_object('id', f."id", 'name', f."name",
          'isPicture', coalesce(f."meta" -> 'previews' ? 'medium', false),
          'isSound', f."meta" ->> 'category' = 'audio') order by a."id")
        from service_online_message_files a join service_online_files f on f."id" = a."idFile" and not f."deleted"
        where a."idMessage" = m."id" and not a."deleted"), '[]') as files,
      case when m."author" = 'staff' then u."name" end as by, m."dateCreate", m."dateEdited" is not null as "isEdited",
      m."dateRemoved" is not null as "isRemoved",
      case when m."author" <> 'patient' or m."no" <= ${dialog.readIn} then 'read' else 'sent' end as state
    from service_online_messages m left join users u on u."id" = m."idUser"
    where m."idDialog" = ${id} order by m."seq" desc limit ${SHOWN}`)
  if (dialog.deliveredOut < dialog.outCount) await reached(app, id, 'deliveredOut', dialog.outCount)
  return {
    dialog: {
      id,
      status: dialog.status,
      unread: Math.max(0, dialog.outCount - dialog.readOut),
      mayRate: mayRate(dialog),
    },
    lines: lines.toReversed(),
    cursor: dialog.lastSeq,
  }
}

const mayRate = ({ status, rating, outCount }: Dialog): boolean =>
  status === 'closed' && rating === null && outCount > 0

/** The patient's positions only grow. */
const reached = (app: AppContext, id: number, field: 'deliveredOut' | 'readOut', no: number) =>
  app.engine.for(systemActor).asSystem.updateWhere(
    OnlineDialog,
    ({ row }) => sql`${row}."id" = ${id} and ${row}.${raw(`"${field}"`)} < ${no}`,
    ({ row }) => ({
      [field]: sql`greatest(${row}.${raw(`"${field}"`)}, ${no}::int)`,
      ...(field === 'readOut' && { deliveredOut: sql`greatest(${row}."deliveredOut", ${no}::int)` }),
    }),
  )

const say = patientCall(onlineCalls.say, async ({ app, patient, query: { dialog: of }, body, reply }) => {
  mustBeByCode(patient)
  if (of === undefined) await mustBeOn(app.db)
  const { line, repeated } = await receiveLine(app, patient.idCustomer, of, body)
  return reply.code(repeated ? 200 : 201).send({ seq: line.seq, clientId: body.clientId })
})

const sendFile = patientCall(onlineCalls.sendFile, async ({ app, patient, query, request, reply }) => {
  mustBeByCode(patient)
  const { dialog: of, clientId } = query
  if (of === undefined) await mustBeOn(app.db)
  const { idCustomer } = patient
  const upload = { ...OnlineFile.upload, maxSize: CHAT_FILE_MAX } as NonNullable<typeof OnlineFile.upload>
  const { line, repeated } = await app.scratch.use(async (folder) => {
    const received = await receive(request, join(folder, 'file'), { upload })
    const last = await lastOf(app.db, idCustomer, of)
    const known = last && (await onlineLineOf(app.db, last.id, clientId))
    if (known) return { line: known, repeated: true }
    await mustBeSayable(app.db, idCustomer, last?.id)
    return receiveLine(app, idCustomer, of, { clientId, text: '', files: [await keepFile(app, idCustomer, received)] })
  })
  return reply.code(repeated ? 200 : 201).send({ seq: line.seq, clientId })
})

/** Stores a patient's file, within the daily limits of one and of all patients. @throws HttpError 429 `uploadQuota` */
async function keepFile(
  app: AppContext,
  idCustomer: number,
  received: Received,
): Promise<{ id: number; name: string }> {
  // Files need an owner among the staff; this one gets the clinic's first.
  const keeper = await app.db.one<{ id: number }>(
    sql`select "id"::int as id from users where not "deleted" order by "id" limit 1`,
  )
  const instead = 'Напишите нам словами или отправьте его завтра'
  const all = { ...asPerson(app, { id: 0 }), who: 'patients', instead }
  const own = { who: `patient:${idCustomer}`, most: Math.min(all.most, FILES_IN_DAY), instead }
  const records = app.engine.for({ ...systemActor, id: keeper?.id ?? 0 })
  const file = await withinQuota(app, [own, all], received.size, () => keep(OnlineFile, app, records, received, true))
  return { id: file.id as number, name: String(file.name) }
}

const file = patientCall(onlineCalls.file, async ({ app, patient, params, query, request, reply, recordView }) => {
  mustBeByCode(patient)
  const found = await app.db.one<{ name: string; key: string; meta: FileMeta }>(sql`
    select f."name", f."key", f."meta" from service_online_files f
      join service_online_message_files a on a."idFile" = f."id" and not a."deleted"
      join service_online_messages m on m."id" = a."idMessage" and m."dateRemoved" is null
      join service_online d on d."id" = m."idDialog" and not d."deleted" and d."idCustomer" = ${patient.idCustomer}
    where f."id" = ${params.id} and not f."deleted" limit 1`)
  if (!found) throw notFound('Такого файла в вашем кабинете нет')
  const small = query.small !== undefined && found.meta.previews?.includes('medium')
  if (!small) await recordView(patient.idCustomer, OnlineDialog.path, 'файл из разговора')
  return sendStored(
    app,
    request,
    reply,
    small
      ? { key: previewKey(found.key, 'medium'), type: 'image/webp', name: found.name }
      : { key: found.key, type: found.meta.type, name: found.name },
    false,
  )
})

/** @throws HttpError 409 before the payment or after the close; 429 */
async function mustBeSayable(db: Queryable, idCustomer: number, idDialog: number | undefined): Promise<void> {
  const dialog = await db.one<{ isOrdered: boolean; isOver: boolean }>(sql`
    select "paidSum" is not null and "datePaid" is null as "isOrdered", "paidSum" is not null and "status" = 'closed' as "isOver"
    from service_online where "id" = ${idDialog ?? null}`)
  if (dialog?.isOrdered) throw new HttpError(409, 'Врач прочитает вопрос после оплаты', { code: 'unpaid' })
  if (dialog?.isOver) throw new HttpError(409, 'Разговор завершён: задайте новый вопрос', { code: 'closed' })
  await refuseFlood(db, idCustomer)
}

interface PatientMessage {
  clientId: string
  text: string
  files?: readonly { id: number; name: string }[]
}

/** Adds a patient's message: to the given dialogue, to the last one with the clinic, or to a new one. */
async function receiveLine(app: AppContext, idCustomer: number, of: number | undefined, body: PatientMessage) {
  return app.engine.for(systemActor).tx(async (inside, tx) => {
    const system = inside.asSystem
    // Messages of a patient are serialized, so that two first ones begin one dialogue.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`online ${idCustomer}`}, 0))`)
    const last = await lastOf(tx, idCustomer, of)
    let dialog = last && (await lockDialog(system, tx, last.id))
    const first = dialog && (await onlineLineOf(tx, dialog.id, body.clientId))
    if (first) {
      if (first.text !== body.text)
        throw new HttpError(409, 'С этим ключом уже отправлено другое сообщение', { code: 'repeated' })
      return { repeated: true, line: first }
    }
    await mustBeSayable(tx, idCustomer, dialog?.id)
    if (!dialog || dialog.status === 'closed')
      dialog = await system.create(OnlineDialog, { idCustomer, idFilial: await filialOf(tx, idCustomer) })
    const made = await addOnlineLine(system, tx, dialog, { author: 'patient', ...body })
    if (dialog.queuedAt === null) await notifyStaff(inside, tx, made.dialog)
    return { repeated: false, line: made.message }
  })
}

/** @throws HttpError 429 */
async function refuseFlood(tx: Queryable, idCustomer: number): Promise<void> {
  const sent = await tx.one<{ seconds: number; minutes: number; dialogs: number }>(sql`
    select count(*) filter (where l."dateCreate" > now() - interval '10 seconds')::int as seconds,
      count(*) filter (where l."dateCreate" > now() - interval '10 minutes')::int as minutes,
      (select count(*)::int from service_online where "idCustomer" = ${idCustomer}
        and "dateCreate" > now() - interval '1 day') as dialogs
    from (select m."dateCreate" from service_online_messages m
      join (select "id" from service_online where "idCustomer" = ${idCustomer} order by "id" desc limit 3) d on d."id" = m."idDialog"
      where m."author" = 'patient' order by m."id" desc limit ${MESSAGES_IN_10_MIN}) l`)
  if ((sent?.seconds ?? 0) >= MESSAGES_IN_10_S)
    throw tooMany(10, 'Слишком много сообщений сразу. Подождите несколько секунд')
  if ((sent?.minutes ?? 0) >= MESSAGES_IN_10_MIN) throw tooMany(120, 'Слишком много сообщений. Подождите пару минут')
  if ((sent?.dialogs ?? 0) > DIALOGS_A_DAY)
    throw tooMany(3600, 'Сегодня начато слишком много разговоров: позвоните нам')
}

/** The branch of the patient's nearest visit, else of the latest. */
export const filialOf = async (tx: Tx, idCustomer: number): Promise<number | null> =>
  (
    await tx.one<{ idFilial: number }>(sql`select "idFilial"::int as "idFilial" from appointments
      where "idCustomer" = ${idCustomer} and not "deleted"
      order by "dateFrom" < now(), abs(extract(epoch from "dateFrom" - now())) limit 1`)
  )?.idFilial ?? null

/** Notifies the dialogue's operator about a waiting patient; while unassigned, all operators of patients. */
export async function notifyStaff(inside: Records, tx: Tx, dialog: Dialog): Promise<void> {
  const recipients = await tx.query<{ id: number }>(sql`select u."id" from users u
    where not u."deleted" and not u."isBlocked" and ${holdsSql(sql`u."id"`, 'onlineChat')}
      and (u."id" = ${dialog.idUser} or ${dialog.idUser}::bigint is null and u."isLiveAssist")
    order by u."id" limit ${MAX_RECIPIENTS}`)
  const card = await tx.one<{ name: string; isSealed: boolean }>(
    sql`select ${shortFioSql(raw('c'))} as name, c."secretLevel" <> 'none' as "isSealed" from customers c where c."id" = ${dialog.idCustomer}`,
  )
  const isSealed = card?.isSealed !== false
  await notify(
    { actor: systemActor, tx, records: inside },
    recipients.map(({ id }) => id),
    {
      kind: 'dialog.message',
      title: `${isSealed ? 'Пациент' : card.name} ждёт ответа`,
      // Messages to a doctor, or of a sealed card, are shown only in the dialogue.
      ...(!isSealed && dialog.kind !== 'doctor' && dialog.lastMessage && { text: dialog.lastMessage }),
      path: OnlineDialog.path,
      idEntity: dialog.id,
      // The card asks for the reason.
      link: isSealed ? `/customers/edit?id=${dialog.idCustomer}` : `/service-online?dialog=${dialog.id}`,
    },
  )
}

const seen = patientCall(onlineCalls.seen, async ({ app, patient, query }) => {
  mustBeByCode(patient)
  const last = await lastOf(app.db, patient.idCustomer, query.dialog)
  if (!last) return
  const { outCount } = await app.engine.for(systemActor).asSystem.row(OnlineDialog, last.id)
  await reached(app, last.id, 'readOut', outCount)
})

const rate = patientCall(onlineCalls.rate, async ({ app, patient, query, body }) => {
  mustBeByCode(patient)
  const last = await lastOf(app.db, patient.idCustomer, query.dialog)
  await app.engine.for(systemActor).tx(async (inside, tx) => {
    const dialog = last && (await lockDialog(inside.asSystem, tx, last.id))
    if (!dialog || !mayRate(dialog)) throw new HttpError(409, 'Этот разговор уже не оценивают', { code: 'rated' })
    await inside.asSystem.update(OnlineDialog, dialog.id, { rating: body.rating })
  })
})

export const chatCalls = [talk, say, sendFile, file, seen, rate]
