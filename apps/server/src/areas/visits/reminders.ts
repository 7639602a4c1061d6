/**
 * Reminders of visits, a day and two hours before, in the allowed hours and by the clinic's templates; patients reply
 * «1» or «0». A reminder is a row with its message, which `areas/messages` sends.
 */

import type { MessageEvent } from '@ordinator/model/areas/messages/events'
import { Message } from '@ordinator/model/areas/messages/message'
import {
  mayWrite,
  meaningOf,
  type ReminderKind,
  remindAt,
  reminderEvents,
  reminderHours,
} from '@ordinator/model/areas/visits/reminders'
import { Appointment, VisitReminder } from '@ordinator/model/areas/visits/visit'
import { phoneOf } from '@ordinator/model/phone'
import sql, { raw, type Sql } from 'sql-template-tag'
import {
  emailSql,
  keepReply,
  phoneSql,
  reachedSql,
  sendQueued,
  spokenOfSql,
  type Ways,
  waysOf,
} from '#areas/messages/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import type { SmsGateway, SmsReply } from '#platform/sms.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { records, type WriteContext } from '#records/define.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { notifyDesk, notifyOfReply } from './notices.ts'
import { zoneSql } from './times.ts'

/** Maximum number of visits per run: the next minute continues. */
const AT_ONCE = 1000
/** Days for which a text counts as a reply to a reminder. */
const ANSWER_DAYS = 3

/** SQL of a field of a reminder's message. */
const ofMessage =
  (field: string) =>
  ({ row }: { row: Sql }) =>
    sql`(select m.${raw(`"${field}"`)} from messages m where m."id" = ${row}."idMessage")`

export const visitReminders = records(VisitReminder, {
  computed: {
    channel: ofMessage('channel'),
    tried: ofMessage('tried'),
    status: ofMessage('status'),
    reason: ofMessage('reason'),
    dateSent: ofMessage('dateSent'),
  },
})

/** Each step is idempotent: a reminder is one row, its message one key, a reply one number. */
export function remind(app: AppContext): void {
  app.jobs.register('visits.reminders', {
    cron: '* * * * *',
    async handler() {
      const ways = await waysOf(app)
      const { sms } = ways
      const steps = [
        () => takeChatReplies(app),
        ...(sms ? [() => takeReplies(app, sms)] : []),
        ...(ways.order.length === 0 ? [] : [() => queueReminders(app, ways), () => sendQueued(app)]),
      ]
      // A failing step does not stop the others.
      const failed: unknown[] = []
      for (const step of steps) await step().catch((error: unknown) => failed.push(error))
      if (failed.length > 0) throw failed[0]
    },
  })
}

interface Due {
  id: number
  idCustomer: number
  idFilial: number
  /** Reminder events for which the clinic has a template. */
  spoken: MessageEvent[]
  localDate: string
  localStart: string
  dateFrom: string
  phone: string | null
  email: string | null
  /** In the branch's time zone, 'YYYY-MM-DD HH:mm'. */
  now: string
  booked: string
  /** The patient replied to an earlier time, and no message has announced this one yet. */
  moved: boolean
}

async function queueReminders(app: AppContext, { order }: Ways): Promise<void> {
  const { messageHours } = await readCommonSettings(app.db)
  const clock = (moment: string) => sql`to_char(${raw(moment)} at time zone ${zoneSql(raw('f'))}, 'YYYY-MM-DD HH24:MI')`
  const rows = await app.db.query<Due>(sql`
    select a."id", a."idCustomer", a."idFilial", a."localDate", a."localStart", a."dateFrom", ${phoneSql} as phone, ${emailSql} as email,
      ${spokenOfSql(['reminder24h', 'reminder2h'], raw('a."idFilial"'), raw('a."id"'))} as spoken,
      ${clock('now()')} as now, ${clock('a."dateCreate"')} as booked,
      exists (select 1 from appointments_reminders r where r."idAppointment" = a."id" and r."dateFrom" <> a."dateFrom"
        and r."meaning" is not null) and not exists (select 1 from appointments_reminders r
        where r."idAppointment" = a."id" and r."dateFrom" = a."dateFrom") as moved
    from appointments a join filials f on f."id" = a."idFilial" join customers p on p."id" = a."idCustomer"
    where a."dateFrom" > now() and a."dateFrom" < now() + interval '3 days' and a."visitStatus" in ('booked', 'confirmed')
      and not a."deleted" and ${reachedSql(order)}
      and not exists (select 1 from appointments_reminders r where r."idAppointment" = a."id" and r."dateFrom" = a."dateFrom"
        and r."kind" = 'hours')
    order by a."dateFrom", a."id" limit ${AT_ONCE}`)
  const due = rows.flatMap((one) => {
    if (!mayWrite(one.now.slice(11), messageHours)) return []
    const kind = kindOf(one, messageHours)
    if (!kind) return []
    const { id, idCustomer, idFilial, dateFrom, phone, email } = one
    const event = reminderEvents[kind]
    const key = `visit-${kind}-${id}-${new Date(dateFrom).getTime() / 1000}`
    return [{ idAppointment: id, idCustomer, idFilial, kind, event, key, dateFrom, phone, email }]
  })
  if (due.length === 0) return
  const from = sql`jsonb_to_recordset(${JSON.stringify(due)}::jsonb) as d("idAppointment" bigint, "idCustomer" bigint,
    "idFilial" bigint, "kind" text, "event" text, "key" text, "dateFrom" timestamptz, "phone" text, "email" text)`
  const of = (...names: string[]) => Object.fromEntries(names.map((name) => [name, raw(`d."${name}"`)]))
  await app.engine.for(systemActor).tx(async (own, tx) => {
    // The second transaction finds the rows of the first.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('visit reminders', 0))`)
    const fresh = sql`not exists (select 1 from appointments_reminders r where r."idAppointment" = d."idAppointment"
      and r."kind" = d."kind" and r."dateFrom" = d."dateFrom")`
    await own.asSystem.createFrom(
      Message,
      sql`${from} where ${fresh}`,
      of('idCustomer', 'idAppointment', 'idFilial', 'event', 'key', 'dateFrom', 'phone', 'email'),
      { skipTaken: true },
    )
    await own.asSystem.createFrom(
      VisitReminder,
      sql`${from} join messages m on lower(m."key") = d."key" where ${fresh}`,
      { ...of('idAppointment', 'kind', 'dateFrom'), idMessage: raw('m."id"') },
    )
  })
}

/** The latest due reminder: after a late booking or a downtime the patient is not reminded twice at once. */
function kindOf(one: Due, hours: { start: string; end: string }): ReminderKind | undefined {
  for (const kind of ['hours', 'day'] as const) {
    if (!one.spoken.includes(reminderEvents[kind])) continue
    const at = remindAt(one, reminderHours[kind], hours)
    if (at <= one.now) return at >= one.booked ? kind : undefined
  }
  return one.moved && one.spoken.includes(reminderEvents.moved) ? 'moved' : undefined
}

async function takeReplies(app: AppContext, sms: SmsGateway): Promise<void> {
  const last = await app.db.one<{ number: number }>(sql`select "number" from sms_replies_read`)
  const replies = await sms.repliesAfter(last?.number ?? 0)
  const take = (reply: SmsReply) =>
    app.engine.for(systemActor).tx(async (own, tx) => {
      if (await isFirst(tx, reply)) await takeReply({ records: own, tx, actor: systemActor }, reply)
    })
  // In order. A failing reply is logged, and the ones after it are processed.
  await oneByOne(
    app,
    'visits.reminders',
    replies.map((reply) => ({ ...reply, id: reply.number })),
    take,
  )
}

/** Marks the reply, and all before it, as processed. */
const isFirst = async (tx: Tx, { number }: SmsReply): Promise<boolean> =>
  (
    await tx.query(sql`
      insert into sms_replies_read ("id", "number") values (1, ${number})
      on conflict ("id") do update set "number" = excluded."number" where sms_replies_read."number" < excluded."number"
      returning 1`)
  ).length > 0

/** Statuses of a message that was sent. */
const TAKEN = raw(`'accepted', 'delivered', 'read'`)

interface Asked {
  /** Reminders of one visit that share this reply. */
  ids: number[]
  idAppointment: number
  idFilial: number
  visitStatus: string
  localDate: string
  localStart: string
  /** The visit still has the time of the message. */
  same: boolean
}

/** SQL condition: a patient may still reply to the reminder `r` of the visit `a`, sent by the message `g`. */
const openSql = sql`r."reply" is null and g."dateSent" > now() - make_interval(days => ${ANSWER_DAYS})
  and a."dateFrom" > now() and not a."deleted"`

/** SQL of the visits of reminders `r` that were sent and not replied to. */
const askedSql = (which: Sql) => sql`
    select distinct on (a."id") jsonb_agg(r."id") over (partition by a."id") as "ids", a."id" as "idAppointment", a."idFilial", a."visitStatus", a."localDate", a."localStart",
      r."dateFrom" = a."dateFrom" as same
    from appointments_reminders r join messages g on g."id" = r."idMessage" join appointments a on a."id" = r."idAppointment"
    where ${which} and ${openSql}
    order by a."id", r."id" desc`

/**
 * A reply applies to all visits that this phone was reminded of without a reply: «1» confirms the visits of both
 * children.
 */
async function takeReply(context: WriteContext, reply: SmsReply): Promise<void> {
  const { from, text } = reply
  const which = sql`g."phone" = ${phoneOf(from) ?? from} and g."channel" = 'sms' and g."status" in (${TAKEN})`
  const asked = await context.tx.query<Asked>(askedSql(which))
  const kept = await keepReply(context, reply)
  if (asked.length > 0) await answer(context, asked, text)
  else if (kept) await notifyOfReply(context, kept)
}

/** Maximum number of chats searched for replies per run. */
const CHATS_AT_ONCE = 200

/** A patient's chat message after a reminder is the reply to it. The message stays in the chat for its operator. */
async function takeChatReplies(app: AppContext): Promise<void> {
  const answered = (more: Sql) => sql`
    select m."idLiveAssist" as "idChat", v."id", v."message" from appointments_reminders r join messages g on g."id" = r."idMessage"
    join appointments a on a."id" = r."idAppointment" join live_assist_messages m on m."id" = g."idLine"
    cross join lateral (select w."id", w."message" from live_assist_messages w where w."idLiveAssist" = m."idLiveAssist"
      and w."seq" > m."seq" and w."kind" = 'visitor' and not w."deleted" order by w."seq" limit 1) v
    where g."channel" = 'messenger' and g."status" in (${TAKEN}, 'unknown') and ${openSql} ${more}`
  const found = await app.db.query<{ id: number }>(
    sql`select s."idChat" as "id" from (${answered(sql``)}) s group by 1 order by min(s."id") limit ${CHATS_AT_ONCE}`,
  )
  const take = ({ id: idChat }: { id: number }) =>
    app.engine.for(systemActor).tx(async (own, tx) => {
      // Of two servers the second finds it processed.
      await tx.query(sql`select 1 from live_assist where "id" = ${idChat} for update`)
      const message = await tx.one<{ id: number; message: string }>(
        sql`select s."id", s."message" from (${answered(sql`and m."idLiveAssist" = ${idChat}`)}) s order by s."id" limit 1`,
      )
      if (!message) return
      const which = sql`g."channel" = 'messenger' and g."status" in (${TAKEN}, 'unknown') and exists (select
        from live_assist_messages m join live_assist_messages w on w."idLiveAssist" = m."idLiveAssist" and w."id" = ${message.id}
        where m."id" = g."idLine" and m."seq" < w."seq")`
      const context = { records: own, tx, actor: systemActor } as WriteContext
      await answer(context, await tx.query<Asked>(askedSql(which)), message.message)
    })
  await oneByOne(app, 'visits.reminders', found, take)
}

async function answer(context: WriteContext, asked: readonly Asked[], text: string): Promise<void> {
  const own = context.records
  const meaning = meaningOf(text)
  for (const one of asked) {
    // Two reminders of a visit share one reply.
    const reply = { reply: text.slice(0, 500), meaning, dateReply: new Date().toISOString() }
    for (const id of one.ids) await own.asSystem.update(VisitReminder, id, reply)
    if (meaning === 'confirm' && one.same) {
      if (one.visitStatus === 'booked') await confirmVisit(own, one)
    } else {
      // Anything but a plain yes is left to a person: the desk of the branch reads it and calls. No reply never
      // cancels.
      const title = meaning === 'decline' ? 'Пациент не придёт' : 'Пациент ответил на напоминание'
      await notifyDesk(context, one, title, 'откройте запись и позвоните')
    }
  }
}

async function confirmVisit(own: WriteContext['records'], { idAppointment }: Asked): Promise<void> {
  await own.asSystem.update(Appointment, idAppointment, {
    visitStatus: 'confirmed',
    dateConfirmed: new Date().toISOString(),
  })
}
