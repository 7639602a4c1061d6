/** Deposits required at booking: the amount, and the payment link. */
import { visitCalls } from '@ordinator/model/areas/visits/calls'
import type { DepositStatus } from '@ordinator/model/areas/visits/deposit'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import sql, { raw } from 'sql-template-tag'
import { couponCountsSql, lineCountsSql } from '#areas/counted/index.ts'
import {
  lackAhead,
  lineDueSql,
  linePaidSql,
  linkBodyOf,
  makeLink,
  organizationOf,
  sendLink,
} from '#areas/money/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'

/** Days for which the link is valid; the deposit's deadline comes earlier. */
const LINK_DAYS = 60
const ABOUT = 'Предоплата за приём'

interface Booked {
  id: number
  idCustomer: number
  idFilial: number
  dateFrom: string
}

/** Requests the deposit of a visit just booked, with its prices; the patient's advance counts. */
export async function askDeposit(tx: Tx, { id, idCustomer, idFilial, dateFrom }: Booked): Promise<void> {
  if (Date.parse(dateFrom) < Date.now()) return
  const asked = await tx.one<{ sum: number; due: number }>(sql`
    select coalesce(sum(least(coalesce(s."deposit", 0) * l."qty", ${lineDueSql(raw('l'))})) * 100, 0)::float8 as sum,
      coalesce(sum(${lineDueSql(raw('l'))}) * 100, 0)::float8 as due
    from coupon_services l join coupons c on c."id" = l."idCoupon" and ${couponCountsSql()} join services s on s."id" = l."idService"
    where c."idAppointment" = ${id} and ${lineCountsSql()}`)
  if (!asked?.sum) return
  const lack = await lackAhead(tx, idCustomer, idFilial)
  const sum = Math.round(Math.min(asked.sum, lack - (asked.due - asked.sum)))
  if (sum <= 0) return
  const { depositMinutes } = await readCommonSettings(tx)
  await tx.query(sql`insert into visit_deposits ("idAppointment", "sum", "dateTo") values (${id}, ${sum}::numeric / 100,
    least(now() + make_interval(mins => ${depositMinutes}), ${dateFrom}::timestamptz))`)
}

/**
 * Creates and sends the link of a deposit, once; without a desk that takes money by links the deposit is paid at the
 * desk.
 */
export async function openDeposit(app: AppContext, idAppointment: number): Promise<void> {
  const found = await app.db.one<{ sum: number; idCustomer: number; idFilial: number; contact: string | null }>(sql`
    select d."sum"::float8 as sum, a."idCustomer"::int as "idCustomer", a."idFilial"::int as "idFilial",
      coalesce(nullif(p."email", ''), p."phone") as contact
    from visit_deposits d join appointments a on a."id" = d."idAppointment" join customers p on p."id" = a."idCustomer"
    where d."idAppointment" = ${idAppointment} and d."status" = 'waiting' and d."idLink" is null`)
  if (!found) return
  const { sum, idCustomer, idFilial, contact } = found
  const lines = await linesFor(app.db, idAppointment, sum)
  try {
    const link = await makeLink(app.engine.for(systemActor), {
      key: `deposit-${idAppointment}`,
      idOrganization: await organizationOf(app.db, idFilial),
      ...{ idCustomer, sum, lines, contact, about: ABOUT, days: LINK_DAYS },
    })
    await app.db.query(sql`update visit_deposits set "idLink" = ${link.id} where "idAppointment" = ${idAppointment}`)
    await sendLink(app, link.id)
  } catch (error) {
    if (!(error instanceof HttpError && error.code === 'off')) throw error
  }
}

/** Services of the visit that the deposit pays for, in order. */
async function linesFor(db: Queryable, idAppointment: number, sum: number) {
  const lines = await db.query<{ id: number; rest: number }>(sql`
    select l."id"::int as id, (${lineDueSql(raw('l'))} - ${linePaidSql(raw('l'))})::float8 as rest
    from coupon_services l join coupons c on c."id" = l."idCoupon" and ${couponCountsSql()}
    where c."idAppointment" = ${idAppointment} and ${lineCountsSql()}
      and ${lineDueSql(raw('l'))} > ${linePaidSql(raw('l'))} order by l."id"`)
  let left = Math.round(sum * 100)
  return lines.flatMap(({ id, rest }) => {
    const part = Math.min(left, Math.round(rest * 100))
    left -= part
    return part > 0 ? [{ idCouponService: id, sum: part / 100 }] : []
  })
}

/** The deposit of a visit for responses; null if none is required. */
export async function depositOf(app: AppContext, idAppointment: number) {
  const row = await app.db.one<{ sum: number; status: DepositStatus; dateTo: string; idLink: number | null }>(sql`
    select "sum"::float8 as sum, "status", to_char("dateTo" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "dateTo",
      "idLink"::int as "idLink" from visit_deposits where "idAppointment" = ${idAppointment}`)
  if (!row) return null
  const { idLink, ...deposit } = row
  return { ...deposit, link: idLink === null ? null : await linkBodyOf(app, idLink) }
}

export const deposit = operation(visitCalls.deposit, async ({ app, records, params: { id } }) => {
  await records.row(Appointment, id)
  return { deposit: await depositOf(app, id) }
})
