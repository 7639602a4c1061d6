/**
 * A visit as a file for the patient's own calendar. Calendars are synchronised to other companies and shown on locked
 * screens: the file names the clinic, the place and the doctor, and neither the patient nor the services.
 */
import { clockOf, DAY_MINUTES, minutesOf } from '@ordinator/model/areas/visits/clock'
import { icalOf } from '@ordinator/model/areas/visits/ical'
import type { FastifyReply } from 'fastify'
import sql, { raw } from 'sql-template-tag'
import { clinicZone, readCommonSettings } from '#areas/settings/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { notFound } from '#platform/errors.ts'

interface Row {
  day: string
  from: string
  minutes: number
  zone: string
  doctor: string
  location: string
  phone: string | null
  changed: string
}

/** Answers with the visit's file. @throws HttpError 404 for a visit that is not ahead */
export async function sendCalendar(db: Queryable, reply: FastifyReply, idAppointment: number): Promise<FastifyReply> {
  const visit = await db.one<Row>(sql`
    select a."localDate"::text as day, a."localStart" as "from", (extract(epoch from a."dateTo" - a."dateFrom") / 60)::int as minutes,
      coalesce(nullif(f."timeZone", ''), ${clinicZone}) as zone, ${shortFioSql(raw('u'))} as doctor, f."filialPhone" as phone,
      concat_ws(', ', f."nameFilial", coalesce(nullif(f."filialAddressFact", ''), f."filialAddress")) as location,
      a."dateChange" as changed
    from appointments a join users u on u."id" = a."idUser" join filials f on f."id" = a."idFilial"
    where a."id" = ${idAppointment} and not a."deleted" and a."visitStatus" not in ('cancelled', 'moved', 'noShow', 'completed')`)
  if (!visit) throw notFound('Этого визита впереди нет')
  const { clinicName } = await readCommonSettings(db)
  const { minutes, doctor, phone, ...at } = visit
  const file = icalOf({
    name: clinicName,
    events: [
      {
        ...at,
        // The same in every answer: a moved visit replaces its former time in the calendar.
        uid: `patient-visit-${idAppointment}@ordinator`,
        to: clockOf(Math.min(DAY_MINUTES, (minutesOf(at.from) as number) + minutes)),
        summary: clinicName ? `Приём: ${clinicName}` : 'Приём в клинике',
        description: [doctor, phone].filter(Boolean).join(', '),
        busy: true,
      },
    ],
  })
  return reply
    .type('text/calendar; charset=utf-8')
    .header('content-disposition', 'attachment; filename="visit.ics"')
    .header('cache-control', 'private, no-store')
    .send(file)
}
