/**
 * Patients are reminded of their visits a day and two hours before, in the hours of messages, and answer «1» or «0». A
 * reminder goes by one channel, the first in the clinic's order by which the patient can be reached; what refuses it hands
 * it on to the next, and what may have carried it ends the matter: nobody is reminded twice of the same.
 */
import {
  mayWrite,
  meaningOf,
  type ReminderChannel,
  type ReminderKind,
  remindAt,
  reminderHours,
} from '@ordinator/model/areas/visits/reminders'
import { Appointment, VisitReminder } from '@ordinator/model/areas/visits/visit'
import { formatDay } from '@ordinator/model/format'
import { phoneOf } from '@ordinator/model/phone'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Tx } from '../../platform/db.ts'
import { createMailer, type Mailer } from '../../platform/mail.ts'
import { type SmsReply, smsGateway } from '../../platform/sms.ts'
import { systemActor } from '../../records/actor.ts'
import type { AppContext } from '../../records/context.ts'
import { records, type WriteContext } from '../../records/define.ts'
import type { Records } from '../../records/records.ts'
import { escaped } from '../../records/sanitize.ts'
import { fateOf, tellableSql, tellPatient } from '../chats/index.ts'
import { notify } from '../notifications/index.ts'
import { readCommonSettings } from '../settings/index.ts'
import { zoneSql } from './times.ts'

/** Visits that one run looks at, and messages that it sends: the next minute goes on. */
const AT_ONCE = 1000
const SENT_AT_ONCE = 100
/** Messages to which the gateway falls silent before it is left alone until the next run. */
const SILENT_AT_ONCE = 3
/** Days for which an answer is taken for one to a reminder. */
const ANSWER_DAYS = 3

export const visitReminders = records(VisitReminder)

/** What there is to remind by: the gateway, the post; messengers are there where patients have written. */
interface Ways {
  smsUrl: string | undefined
  mailer: Mailer | undefined
  order: readonly ReminderChannel[]
}

/** Each step may be repeated: a reminder is one row, its message one key, an answer one number. */
export function remind(app: AppContext): void {
  const { smsUrl, smtpUrl, mailFrom } = app.config
  const mailer = smtpUrl && mailFrom ? createMailer({ url: smtpUrl, from: mailFrom }) : undefined
  app.jobs.register('visits.reminders', {
    cron: '* * * * *',
    async handler() {
      const { reminderChannels } = await readCommonSettings(app.db)
      const order = reminderChannels.filter((one) => (one === 'sms' ? smsUrl : one === 'email' ? mailer : true))
      const ways = { smsUrl, mailer, order }
      if (order.length > 0) {
        await queueReminders(app, ways)
        await sendReminders(app, ways)
      }
      if (smsUrl !== undefined) await takeReplies(app, smsUrl)
      await takeChatReplies(app)
    },
  })
}

/** SQL of whether a way reaches the patient of card `p`. */
const reaches: Record<ReminderChannel, Sql> = {
  sms: raw('coalesce(p."phone", p."phoneMother", p."phoneFather") is not null'),
  email: raw(`nullif(p."email", '') is not null`),
  messenger: sql`exists (select from live_assist c where c."idCustomer" = p."id" and ${tellableSql})`,
}

interface Due {
  id: number
  localDate: string
  localStart: string
  dateFrom: string
  phone: string | null
  email: string | null
  /** Of the branch's clock, 'YYYY-MM-DD HH:mm'. */
  now: string
  booked: string
  /** They have answered to another time, and were told of this one by nothing yet. */
  moved: boolean
}

async function queueReminders(app: AppContext, { order }: Ways): Promise<void> {
  const { messageHours } = await readCommonSettings(app.db)
  const clock = (moment: string) => sql`to_char(${raw(moment)} at time zone ${zoneSql(raw('f'))}, 'YYYY-MM-DD HH24:MI')`
  const rows = await app.db.query<Due>(sql`
    select a."id", a."localDate", a."localStart", a."dateFrom", coalesce(p."phone", p."phoneMother", p."phoneFather") as phone,
      nullif(p."email", '') as email,
      ${clock('now()')} as now, ${clock('a."dateCreate"')} as booked,
      exists (select 1 from appointments_reminders r where r."idAppointment" = a."id" and r."dateFrom" <> a."dateFrom"
        and r."meaning" is not null) and not exists (select 1 from appointments_reminders r
        where r."idAppointment" = a."id" and r."dateFrom" = a."dateFrom") as moved
    from appointments a join filials f on f."id" = a."idFilial" join customers p on p."id" = a."idCustomer"
    where a."dateFrom" > now() and a."dateFrom" < now() + interval '3 days' and a."visitStatus" in ('booked', 'confirmed')
      and not a."deleted" and (${join(
        order.map((one) => reaches[one]),
        ' or ',
      )})
      and not exists (select 1 from appointments_reminders r where r."idAppointment" = a."id" and r."dateFrom" = a."dateFrom"
        and r."kind" = 'hours')
    order by a."dateFrom", a."id" limit ${AT_ONCE}`)
  const due = rows.flatMap((one) => {
    if (!mayWrite(one.now.slice(11), messageHours)) return []
    const kind = kindOf(one, messageHours)
    return kind ? [{ idAppointment: one.id, kind, dateFrom: one.dateFrom, phone: one.phone, email: one.email }] : []
  })
  if (due.length === 0) return
  await app.engine.for(systemActor).tx(async (own, tx) => {
    // Whoever comes second finds what the first has put there.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('visit reminders', 0))`)
    await own.asSystem.createFrom(
      VisitReminder,
      sql`jsonb_to_recordset(${JSON.stringify(due)}::jsonb) as d("idAppointment" bigint, "kind" text, "dateFrom" timestamptz, "phone" text, "email" text)
        where not exists (select 1 from appointments_reminders r where r."idAppointment" = d."idAppointment"
          and r."kind" = d."kind" and r."dateFrom" = d."dateFrom")`,
      {
        idAppointment: raw('d."idAppointment"'),
        kind: raw('d."kind"'),
        dateFrom: raw('d."dateFrom"'),
        phone: raw('d."phone"'),
        email: raw('d."email"'),
      },
    )
  })
}

/** Of those whose time has come the last: who books late, or a server that stood still, is not reminded twice at once. */
function kindOf(one: Due, hours: { start: string; end: string }): ReminderKind | undefined {
  for (const kind of ['hours', 'day'] as const) {
    const at = remindAt(one, reminderHours[kind], hours)
    if (at <= one.now) return at >= one.booked ? kind : undefined
  }
  return one.moved ? 'moved' : undefined
}

interface Queued {
  id: number
  idCustomer: number
  phone: string | null
  email: string | null
  channel: ReminderChannel | null
  tried: ReminderChannel[]
  idMessage: number | null
  mayHaveGone: boolean
  /** The visit is where the message says, and still to come. */
  still: boolean
  words: string
  /** Of the branch's clock. */
  clock: string
  office: string | null
}

/** What becomes of a reminder at once: it is done with, it waits, or it is to be tried by this way outside. */
interface Step {
  letter?: { to: string; words: string; office: string | null }
  /** What the gateway did not say a word of, or was not asked about after that. */
  sms?: 'unknown' | 'left'
}

async function sendReminders(app: AppContext, ways: Ways): Promise<void> {
  const { clinicName, messageHours } = await readCommonSettings(app.db)
  const name = clinicName ? `${clinicName}. ` : ''
  // What the gateway was silent about comes last, and not always the same of it first.
  const queued = await app.db.query<{ id: number }>(sql`
    select r."id" from appointments_reminders r where r."status" = 'queued'
    order by ${mayHaveGone}, case when ${mayHaveGone} then random() end, r."id" limit ${AT_ONCE}`)
  let sent = 0
  let silent = 0
  for (const { id } of queued) {
    if (sent === SENT_AT_ONCE) return
    const step = await app.engine.for(systemActor).tx(async (own, tx): Promise<Step> => {
      // Whoever sends holds the row: no other server sends it, and one that is killed leaves it as it was. The gateway
      // knows the key of what has gone out already.
      const row = await heldOf(tx, id)
      if (!row) return {}
      if (!row.still) {
        await own.asSystem.update(VisitReminder, id, { status: 'failed', reason: 'Визит изменился раньше' })
        return {}
      }
      if (!mayWrite(row.clock, messageHours)) return {}
      return tryNext(app, own, tx, row, { ...ways, isSilent: silent >= SILENT_AT_ONCE }, name)
    })
    if (step.letter && ways.mailer) await sendLetter(app, ways, id, name, step.letter)
    if (step.sms === 'unknown') silent++
    if (step.sms !== 'left') sent++
  }
}

/** SQL of whether the text message of the reminder `r` may be out: the gateway said neither yes nor no. */
const mayHaveGone = raw(`(r."channel" is not distinct from 'sms' and not 'sms' = any (r."tried"))`)

/** A reminder that nobody else is at just now. */
const heldOf = (tx: Tx, id: number): Promise<Queued | undefined> =>
  tx.one<Queued>(sql`
    select r."id", a."idCustomer", r."phone", r."email", r."channel", r."tried", r."idMessage", ${mayHaveGone} as "mayHaveGone",
      a."dateFrom" = r."dateFrom" and a."dateFrom" > now() and not a."deleted"
        and a."visitStatus" in ('booked', 'confirmed') as still,
      to_char(a."localDate", 'DD.MM.YYYY') || ' в ' || a."localStart" || coalesce(', ' || nullif(f."filialAddressFact", ''), '') as words,
      to_char(now() at time zone ${zoneSql(raw('f'))}, 'HH24:MI') as clock, nullif(f."filialPhone", '') as office
    from appointments_reminders r join appointments a on a."id" = r."idAppointment" join filials f on f."id" = a."idFilial"
    where r."id" = ${id} and r."status" = 'queued' for update of r skip locked`)

/** Goes on with a reminder: asks what its messenger has made of it, or tries the ways that are left, one after another. */
async function tryNext(
  app: AppContext,
  own: Records,
  tx: Tx,
  row: Queued,
  ways: Ways & { isSilent: boolean },
  name: string,
): Promise<Step> {
  const { id, idCustomer, phone, email, words } = row
  const update = (value: Parameters<typeof own.asSystem.update<typeof VisitReminder>>[2]) =>
    own.asSystem.update(VisitReminder, id, value)
  const dateSent = () => new Date().toISOString()
  const tried = new Set(row.tried)
  let reason = 'Нечем написать'
  if (row.channel === 'messenger') {
    const told = await fateOf(tx, row.idMessage)
    if (told.fate === 'waits') return {}
    if (told.fate !== 'refused') {
      await update({ status: told.fate === 'sent' ? 'accepted' : 'unknown', dateSent: dateSent() })
      return {}
    }
    tried.add('messenger')
    reason = told.reason
  }
  const text = `${name}Ждём вас ${words}. Ответьте 1, если придёте, или 0, если нет.`
  // What may have gone out by a text message goes by nothing else until the gateway has refused it.
  if (row.mayHaveGone && ways.smsUrl === undefined) return {}
  const order = row.mayHaveGone ? (['sms', ...ways.order.filter((one) => one !== 'sms')] as const) : ways.order
  for (const channel of order) {
    if (tried.has(channel)) continue
    const kept = { channel, tried: [...tried] }
    if (channel === 'messenger') {
      const clientId = `visit-reminder-${id}`
      const idMessage = await tellPatient(app, own, tx, { idCustomer, clientId, text })
      if (idMessage === undefined) continue
      await update({ ...kept, idMessage })
      return {}
    }
    if (channel === 'email') {
      if (!email) continue
      // Marked before it goes: a server that is killed meanwhile leaves what nobody knows, and no second letter.
      await update({ ...kept, status: 'unknown', dateSent: dateSent() })
      return { letter: { to: email, words, office: row.office } }
    }
    if (!phone || ways.smsUrl === undefined) continue
    if (ways.isSilent) return { sms: 'left' }
    const answer = await smsGateway(ways.smsUrl).send({ to: phone, key: `visit-reminder-${id}`, text })
    if (answer.outcome === 'accepted') await update({ ...kept, status: 'accepted', dateSent: dateSent() })
    // Of a silent gateway nothing is known: the same key is sent again until the visit.
    if (answer.outcome === 'unknown') {
      await update(kept)
      return { sms: 'unknown' }
    }
    if (answer.outcome === 'accepted') return {}
    tried.add('sms')
    reason = answer.reason
  }
  await update({ status: 'failed', tried: [...tried], reason: reason.slice(0, 500) })
  return {}
}

/** A letter goes out past any transaction: it takes long, and cannot be called back. */
async function sendLetter(
  app: AppContext,
  ways: Ways,
  id: number,
  name: string,
  { to, words, office }: NonNullable<Step['letter']>,
): Promise<void> {
  const text = `${name}Ждём вас ${words}.${office ? ` Планы изменились — позвоните нам: ${office}.` : ''}`
  const letter = { to, subject: 'Напоминание о визите', text, html: `<p>${escaped(text)}</p>` }
  const { outcome, error } = await (ways.mailer as Mailer).send(letter)
  if (outcome === 'unknown') return
  await app.engine.for(systemActor).tx(async (own, tx) => {
    const row = await tx.one<{ tried: ReminderChannel[] }>(
      sql`select "tried" from appointments_reminders where "id" = ${id} and "status" = 'unknown' for update`,
    )
    if (!row) return
    if (outcome === 'sent') {
      await own.asSystem.update(VisitReminder, id, { status: 'accepted' })
      return
    }
    app.log.warn({ err: error, idReminder: id, outcome }, 'visits: a letter was not taken')
    // With nothing left to try, what is not taken now is tried again until the visit.
    const isLast = ways.order.at(-1) === 'email'
    const again = outcome === 'later' && isLast
    const tried = again ? row.tried : [...row.tried, 'email' as const]
    const isOver = isLast && !again
    await own.asSystem.update(VisitReminder, id, {
      tried,
      dateSent: null,
      status: isOver ? 'failed' : 'queued',
      ...(isOver && { reason: 'Почта не приняла письмо' }),
    })
  })
}

async function takeReplies(app: AppContext, smsUrl: string): Promise<void> {
  const last = await app.db.one<{ number: number }>(sql`select "number" from sms_replies_read`)
  for (const reply of await smsGateway(smsUrl).repliesAfter(last?.number ?? 0))
    await app.engine.for(systemActor).tx(async (own, tx) => {
      const taken = await tx.query(sql`
        insert into sms_replies_read ("id", "number") values (1, ${reply.number})
        on conflict ("id") do update set "number" = excluded."number" where sms_replies_read."number" < excluded."number"
        returning 1`)
      if (taken.length > 0) await takeReply({ records: own, tx, actor: systemActor }, reply)
    })
}

interface Asked {
  /** Reminders of one visit to all of which this is the answer. */
  ids: number[]
  idAppointment: number
  idFilial: number
  visitStatus: string
  localDate: string
  localStart: string
  /** The visit stands where the message said. */
  same: boolean
}

/** SQL of whether a patient may still answer the reminder `r` of the visit `a`. */
const openSql = sql`r."reply" is null and r."dateSent" > now() - make_interval(days => ${ANSWER_DAYS})
  and a."dateFrom" > now() and not a."deleted"`

/** SQL of the visits of reminders `r` that a patient was sent and has not answered. */
const askedSql = (which: Sql) => sql`
    select distinct on (a."id") jsonb_agg(r."id") over (partition by a."id") as "ids", a."id" as "idAppointment", a."idFilial", a."visitStatus", a."localDate", a."localStart",
      r."dateFrom" = a."dateFrom" as same
    from appointments_reminders r join appointments a on a."id" = r."idAppointment"
    where ${which} and ${openSql}
    order by a."id", r."id" desc`

/** An answer is one to all visits that this phone was reminded of and has not answered: of two children «1» confirms both. */
async function takeReply(context: WriteContext, { from, text }: SmsReply): Promise<void> {
  const which = sql`r."phone" = ${phoneOf(from) ?? from} and r."channel" = 'sms' and r."status" = 'accepted'`
  await answer(context, await context.tx.query<Asked>(askedSql(which)), text)
}

/** Chats in which one run looks for answers. */
const CHATS_AT_ONCE = 200

/**
 * What a patient has written in the chat after a reminder is the answer to it. The line stays in the chat, where whoever
 * sits there reads it too.
 */
async function takeChatReplies(app: AppContext): Promise<void> {
  const answered = (more: Sql) => sql`
    select m."idLiveAssist" as "idChat", v."id", v."message" from appointments_reminders r
    join appointments a on a."id" = r."idAppointment" join live_assist_messages m on m."id" = r."idMessage"
    cross join lateral (select w."id", w."message" from live_assist_messages w where w."idLiveAssist" = m."idLiveAssist"
      and w."seq" > m."seq" and w."kind" = 'visitor' and not w."deleted" order by w."seq" limit 1) v
    where r."channel" = 'messenger' and r."status" in ('accepted', 'unknown') and ${openSql} ${more}`
  const found = await app.db.query<{ idChat: number }>(
    sql`select s."idChat" from (${answered(sql``)}) s group by 1 order by min(s."id") limit ${CHATS_AT_ONCE}`,
  )
  for (const { idChat } of found)
    await app.engine.for(systemActor).tx(async (own, tx) => {
      // Of two servers the second finds it answered.
      await tx.query(sql`select 1 from live_assist where "id" = ${idChat} for update`)
      const said = await tx.one<{ id: number; message: string }>(
        sql`select s."id", s."message" from (${answered(sql`and m."idLiveAssist" = ${idChat}`)}) s order by s."id" limit 1`,
      )
      if (!said) return
      const which = sql`r."channel" = 'messenger' and r."status" in ('accepted', 'unknown') and exists (select
        from live_assist_messages m join live_assist_messages w on w."idLiveAssist" = m."idLiveAssist" and w."id" = ${said.id}
        where m."id" = r."idMessage" and m."seq" < w."seq")`
      const context = { records: own, tx, actor: systemActor } as WriteContext
      await answer(context, await tx.query<Asked>(askedSql(which)), said.message)
    })
}

async function answer(context: WriteContext, asked: readonly Asked[], text: string): Promise<void> {
  const own = context.records
  const meaning = meaningOf(text)
  for (const one of asked) {
    // Who was reminded twice answers once.
    const reply = { reply: text.slice(0, 500), meaning, dateReply: new Date().toISOString() }
    for (const id of one.ids) await own.asSystem.update(VisitReminder, id, reply)
    if (meaning === 'confirm' && one.same) {
      if (one.visitStatus === 'booked') await confirmVisit(own, one)
    } else await tellDesk(context, one, meaning === 'decline' ? 'Пациент не придёт' : 'Пациент ответил на напоминание')
  }
}

async function confirmVisit(own: WriteContext['records'], { idAppointment }: Asked): Promise<void> {
  await own.asSystem.update(Appointment, idAppointment, {
    visitStatus: 'confirmed',
    dateConfirmed: new Date().toISOString(),
  })
}

/** What is no plain yes is for a person: the desk of the branch reads it, and calls. Silence never cancels. */
async function tellDesk(context: WriteContext, one: Asked, title: string): Promise<void> {
  const desks = await context.tx.query<{ idUser: number }>(
    sql`select distinct "idUser" from filials_desks where "idFilial" = ${one.idFilial} and not "deleted"`,
  )
  await notify(
    context,
    desks.map(({ idUser }) => idUser),
    {
      kind: 'visitReply.told',
      title,
      text: `${formatDay(one.localDate)} в ${one.localStart}: откройте запись и позвоните`,
      path: Appointment.path,
      idEntity: one.idAppointment,
      link: `/calendar?filial=${one.idFilial}&day=${one.localDate}&visit=${one.idAppointment}`,
    },
  )
}
