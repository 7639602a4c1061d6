/** Who books on the site: the patient, their card, and the limits per phone number. */

import { Customer } from '@ordinator/model/areas/customers/customer'
import type { PortalNewPerson } from '@ordinator/model/areas/portal/bookingCalls'
import { SiteAcceptance } from '@ordinator/model/areas/site/policy'
import { formatDay } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { takesTimeSql } from '#areas/counted/index.ts'
import { sameOfPhone } from '#areas/customers/index.ts'
import { clinicToday, readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError, tooMany, unauthorized, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { type Booking, consentSql, type placeOf } from './currentBooking.ts'
import { customerOf, type Patient } from './people.ts'

/** Limits: visits booked from one phone per day, and cards it may be written to. */
const BOOKED_OF_PHONE = 5
const CARDS_OF_PHONE = 6
const OLDEST = 120

export type Place = ReturnType<typeof placeOf>

type Whose =
  | { idCustomer: number; phone: string | null }
  | { person: PortalNewPerson; phone: string; idConsent: number }

/**
 * The customer of the booking: the signed-in patient or a represented one, or a new patient with a confirmed phone.
 * @throws HttpError 401 `patient`, 404, ValidationError
 */
export async function whoBooks(
  app: AppContext,
  booking: Booking,
  patient: Patient | undefined,
  body: { patient?: number | undefined; person?: PortalNewPerson | undefined; consent?: number | undefined },
): Promise<Whose> {
  const outside = () => unauthorized('Подтвердите телефон кодом', 'patient')
  const session =
    patient &&
    (await app.db.one<{ phone: string | null }>(
      sql`select "phone" from portal_sessions where "id" = ${patient.idSession}`,
    ))
  const phone = session?.phone ?? booking.phone
  if (!body.person) {
    if (!patient) throw outside()
    if (!patient.isProven)
      throw new HttpError(403, 'По ссылке без даты рождения записаться нельзя: войдите кодом', { code: 'birthday' })
    return { idCustomer: await customerOf(app.db, patient, body.patient), phone: session?.phone ?? null }
  }
  if (!phone) throw outside()
  const { bookingNew } = await readCommonSettings(app.db)
  if (!bookingNew)
    throw new HttpError(409, 'Новых пациентов записывает регистратура: позвоните в клинику', { code: 'new' })
  const facts = await app.db.one<{ idConsent: number | null; isOld: boolean; isAhead: boolean }>(sql`
    select ${consentSql} as "idConsent", ${body.person.birthday}::date > ${clinicToday} as "isAhead",
      ${body.person.birthday}::date < ${clinicToday} - make_interval(years => ${OLDEST}) as "isOld"`)
  if (facts?.isAhead || facts?.isOld)
    throw new ValidationError([{ field: 'person.birthday', message: 'Проверьте дату рождения' }])
  if (!facts?.idConsent)
    throw new HttpError(409, 'Новых пациентов записывает регистратура: позвоните в клинику', { code: 'new' })
  if (body.consent === undefined)
    throw new ValidationError([{ field: 'consent', message: 'Отметьте согласие на обработку персональных данных' }])
  if (body.consent !== facts.idConsent)
    throw new ValidationError([
      { field: 'consent', message: 'Текст согласия изменился: прочитайте его и отметьте ещё раз' },
    ])
  return { person: body.person, phone, idConsent: facts.idConsent }
}

/** The existing card for a confirmed phone, else a new one. */
export async function cardFor(
  records: Records,
  tx: Tx,
  { person, phone: number, idConsent }: { person: PortalNewPerson; phone: string; idConsent: number },
  address: string,
): Promise<{ idCustomer: number; isNew: boolean }> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`portal phone ${number}`}, 0))`)
  const same = await sameOfPhone(tx, { ...person, phone: number })
  if (same !== undefined) return { idCustomer: same, isNew: false }
  const cards = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from customers where "phone" = ${number} and not "deleted"`,
  )
  if ((cards?.count ?? 0) >= CARDS_OF_PHONE)
    throw new HttpError(409, 'На этом номере слишком много пациентов: позвоните в клинику', { code: 'many' })
  const { surname, name, middleName, birthday } = person
  const made = await records.asSystem.create(Customer, {
    ...{ surname, name, phone: number, birthday: formatDay(birthday) },
    ...(middleName && { middleName }),
  })
  await records.asSystem.create(SiteAcceptance, {
    idPolicy: idConsent,
    name: `${surname} ${name}`,
    phone: number,
    page: '/portal',
    address,
  })
  return { idCustomer: made.id, isNew: true }
}

/** @throws HttpError 409 `many`, `own`; 429 */
export async function mustHaveFew(tx: Tx, idCustomer: number, number: string | null, place: Place): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`portal patient ${idCustomer}`}, 0))`)
  const { bookingMost } = await readCommonSettings(tx)
  const found = await tx.one<{ ahead: number; phone: number; own: string | null }>(sql`
    select (select count(*)::int from appointments a where a."idCustomer" = ${idCustomer} and a."channel" = 'site'
        and a."visitStatus" in ('booked', 'confirmed') and a."dateFrom" > now() and not a."deleted") as ahead,
      (select count(*)::int from portal_bookings where "phone" = ${number} and "idAppointment" is not null
        and "dateCreate" > now() - interval '1 day') as phone,
      (select c."localStart" from coupons c join appointments a on a."id" = c."idAppointment"
        where a."idCustomer" = ${idCustomer} and c."localDate" = ${place.localDate}::date and ${takesTimeSql}
          and c."localStart" <= ${place.localStart}
          and c."localStart"::interval + make_interval(mins => c."minutes") > ${place.localStart}::interval limit 1) as own`)
  if (found?.own) throw new HttpError(409, `В этот день в ${found.own} у вас уже есть запись`, { code: 'own' })
  if ((found?.ahead ?? 0) >= bookingMost)
    throw new HttpError(
      409,
      `Открытых записей уже ${found?.ahead}: больше ведёт регистратура. Отмените лишнюю или позвоните в клинику`,
      { code: 'many' },
    )
  if ((found?.phone ?? 0) >= BOOKED_OF_PHONE)
    throw tooMany(3600, 'С этого номера за сутки записано слишком много визитов: позвоните в клинику')
}
