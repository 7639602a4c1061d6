/** Patients are reminded of their visits a day and two hours before, in the hours of messages, and answer «1» or «0». */
import {
  mayWrite,
  meaningOf,
  type ReminderKind,
  remindAt,
  reminderHours,
} from '@ordinator/model/areas/visits/reminders'
import { Appointment, VisitReminder } from '@ordinator/model/areas/visits/visit'
import { formatDay } from '@ordinator/model/format'
import { phoneOf } from '@ordinator/model/phone'
import sql, { raw } from 'sql-template-tag'
import { type SmsReply, smsGateway } from '../../platform/sms.ts'
import { systemActor } from '../../records/actor.ts'
import type { AppContext } from '../../records/context.ts'
import { records, type WriteContext } from '../../records/define.ts'
import { notify } from '../notifications/index.ts'
import { readCommonSettings } from '../settings/index.ts'
import { zoneSql } from './times.ts'

/** Visits that one run looks at, and messages that it sends: the next minute goes on. */
const AT_ONCE = 1000
const SENT_AT_ONCE = 100
/** Days for which an answer is taken for one to a reminder. */
const ANSWER_DAYS = 3

export const visitReminders = records(VisitReminder)

/** Each step may be repeated: a reminder is one row, its message one key, an answer one number. */
export function remind(app: AppContext): void {
  const { smsUrl } = app.config
  app.jobs.register('visits.reminders', {
    cron: '* * * * *',
    async handler() {
      if (smsUrl === undefined) return
      await queueReminders(app)
      await sendReminders(app, smsUrl)
      await takeReplies(app, smsUrl)
    },
  })
}

interface Due {
  id: number
  localDate: string
  localStart: string
  dateFrom: string
  phone: string
  /** Of the branch's clock, 'YYYY-MM-DD HH:mm'. */
  now: string
  booked: string
  /** They have answered to another time, and were told of this one by nothing yet. */
  moved: boolean
}

async function queueReminders(app: AppContext): Promise<void> {
  const { messageHours } = await readCommonSettings(app.db)
  const clock = (moment: string) => sql`to_char(${raw(moment)} at time zone ${zoneSql(raw('f'))}, 'YYYY-MM-DD HH24:MI')`
  const rows = await app.db.query<Due>(sql`
    select a."id", a."localDate", a."localStart", a."dateFrom", coalesce(p."phone", p."phoneMother", p."phoneFather") as phone,
      ${clock('now()')} as now, ${clock('a."dateCreate"')} as booked,
      exists (select 1 from appointments_reminders r where r."idAppointment" = a."id" and r."dateFrom" <> a."dateFrom"
        and r."meaning" is not null) and not exists (select 1 from appointments_reminders r
        where r."idAppointment" = a."id" and r."dateFrom" = a."dateFrom") as moved
    from appointments a join filials f on f."id" = a."idFilial" join customers p on p."id" = a."idCustomer"
    where a."dateFrom" > now() and a."dateFrom" < now() + interval '3 days' and a."visitStatus" in ('booked', 'confirmed')
      and not a."deleted" and coalesce(p."phone", p."phoneMother", p."phoneFather") is not null
      and not exists (select 1 from appointments_reminders r where r."idAppointment" = a."id" and r."dateFrom" = a."dateFrom"
        and r."kind" = 'hours')
    order by a."dateFrom", a."id" limit ${AT_ONCE}`)
  const due = rows.flatMap((one) => {
    if (!mayWrite(one.now.slice(11), messageHours)) return []
    const kind = kindOf(one, messageHours)
    return kind ? [{ idAppointment: one.id, kind, dateFrom: one.dateFrom, phone: one.phone }] : []
  })
  if (due.length === 0) return
  await app.engine.for(systemActor).tx(async (own, tx) => {
    // Whoever comes second finds what the first has put there.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('visit reminders', 0))`)
    await own.asSystem.createFrom(
      VisitReminder,
      sql`jsonb_to_recordset(${JSON.stringify(due)}::jsonb) as d("idAppointment" bigint, "kind" text, "dateFrom" timestamptz, "phone" text)
        where not exists (select 1 from appointments_reminders r where r."idAppointment" = d."idAppointment"
          and r."kind" = d."kind" and r."dateFrom" = d."dateFrom")`,
      {
        idAppointment: raw('d."idAppointment"'),
        kind: raw('d."kind"'),
        dateFrom: raw('d."dateFrom"'),
        phone: raw('d."phone"'),
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

async function sendReminders(app: AppContext, smsUrl: string): Promise<void> {
  const { clinicName } = await readCommonSettings(app.db)
  let after = 0
  for (let sent = 0; sent < SENT_AT_ONCE; sent++) {
    const id = await app.engine.for(systemActor).tx(async (own, tx) => {
      // Whoever sends holds the row: no other server sends it, and one that is killed leaves it as it was. The gateway
      // knows the key of what has gone out already.
      const [row] = await tx.query<{ id: number; phone: string; still: boolean; words: string }>(sql`
        select r."id", r."phone", a."dateFrom" = r."dateFrom" and a."dateFrom" > now() and not a."deleted"
            and a."visitStatus" in ('booked', 'confirmed') as still,
          to_char(a."localDate", 'DD.MM.YYYY') || ' в ' || a."localStart" || coalesce(', ' || nullif(f."filialAddressFact", ''), '') as words
        from appointments_reminders r join appointments a on a."id" = r."idAppointment" join filials f on f."id" = a."idFilial"
        where r."status" = 'queued' and r."id" > ${after} order by r."id" limit 1 for update of r skip locked`)
      if (!row) return undefined
      const update = (value: Parameters<typeof own.asSystem.update<typeof VisitReminder>>[2]) =>
        own.asSystem.update(VisitReminder, row.id, value)
      if (!row.still) {
        await update({ status: 'failed', reason: 'Визит изменился раньше' })
        return row.id
      }
      const answer = await smsGateway(smsUrl).send({
        to: row.phone,
        key: `visit-reminder-${row.id}`,
        text: `${clinicName ? `${clinicName}. ` : ''}Ждём вас ${row.words}. Ответьте 1, если придёте, или 0, если нет.`,
      })
      // Of a silent gateway nothing is known: the same key is sent again until the visit.
      if (answer.outcome === 'accepted') await update({ status: 'accepted', dateSent: new Date().toISOString() })
      else if (answer.outcome === 'failed') await update({ status: 'failed', reason: answer.reason.slice(0, 500) })
      return row.id
    })
    if (id === undefined) return
    after = id
  }
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
  id: number
  idAppointment: number
  idFilial: number
  visitStatus: string
  localDate: string
  localStart: string
  /** The visit stands where the message said. */
  same: boolean
}

/** An answer is one to all visits that this phone was reminded of and has not answered: of two children «1» confirms both. */
async function takeReply(context: WriteContext, { from, text }: SmsReply): Promise<void> {
  const { records: own, tx } = context
  const asked = await tx.query<Asked>(sql`
    select distinct on (a."id") r."id", a."id" as "idAppointment", a."idFilial", a."visitStatus", a."localDate", a."localStart",
      r."dateFrom" = a."dateFrom" as same
    from appointments_reminders r join appointments a on a."id" = r."idAppointment"
    where r."phone" = ${phoneOf(from) ?? from} and r."status" = 'accepted' and r."dateSent" > now() - make_interval(days => ${ANSWER_DAYS})
      and r."reply" is null and a."dateFrom" > now() and not a."deleted"
    order by a."id", r."id" desc`)
  const meaning = meaningOf(text)
  for (const one of asked) {
    await own.asSystem.update(VisitReminder, one.id, {
      reply: text.slice(0, 500),
      meaning,
      dateReply: new Date().toISOString(),
    })
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
