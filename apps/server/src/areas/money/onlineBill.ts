/** What a patient has to pay online: lines of visits and memberships. */

import { membershipMoves } from '@ordinator/model/areas/memberships/membership'
import { type MembershipState, membershipStates, restWords } from '@ordinator/model/areas/memberships/rules'
import { type PaymentMethod, paymentMethods } from '@ordinator/model/areas/money/methods'
import { AWAITING, DECLINED, DONE, IN_WORK, paymentKinds, paymentStatuses } from '@ordinator/model/areas/money/payment'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import type {
  PortalBillLine,
  PortalBills,
  PortalMembership,
  PortalPayment,
} from '@ordinator/model/areas/portal/billCalls'
import { formatDay } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { isCountedSql, visitIsOpenSql, visitLinesSql } from '#areas/counted/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { labelSql } from '#records/labels.ts'
import { balances, sumsOf } from './account.ts'
import { lineDueSql, linePaidSql } from './lines.ts'
import { membershipRestSql, membershipStateSql } from './memberships.ts'
import { discountsNow, dueNow, type StoredPrice, storedPriceSql } from './visitPrices.ts'

const MOST_LINES = 100
const MOST_PAYMENTS = 50

export const statuses: Readonly<Record<number, PortalPayment['status']>> = {
  [IN_WORK]: 'work',
  [DONE]: 'done',
  [DECLINED]: 'declined',
  [AWAITING]: 'waits',
}

/** SQL of the organization that sells the line `l` of the coupon `c`, whose ledger line is `p`. */
const organizationSql = sql`coalesce((select o."idOrganization" from ledger_accounts o where o."id" = p."idAccount"),
  (select o."id" from organizations o left join cash_desks d on d."idOrganization" = o."id" and d."idFilial" = c."idFilial"
      and d."active" and not d."deleted"
    where o."kind" = 'own' and not o."deleted" order by d."id" nulls last, o."id" limit 1))`

/** SQL condition: the desk `d` takes payments of patients. */
export const openDesk = sql`d."isOnline" and d."active" and not d."deleted" and (d."terminalMode" = 'simulator'
  or (d."terminalMode" = 'yookassa' and d."datePaySecret" is not null))`

interface Line extends PortalBillLine {
  idOrganization: number | null
}

/** Unpaid rest of a patient's visits, given and upcoming, with the discounts of now. */
export async function linesOf(app: AppContext, idCustomer: number, ids?: readonly number[]): Promise<Line[]> {
  const stored = await app.db.query<Omit<Line, 'rest'> & StoredPrice & { paid: number }>(sql`
    with own as (
      select p."idLine" from ledger_lines p join ledger_accounts o on o."id" = p."idAccount"
        and o."kind" = 'patient' and o."idCustomer" = ${idCustomer} where p."charged" > p."allocated"
      union
      select l."id" from ${visitLinesSql} where a."idCustomer" = ${idCustomer} and ${isCountedSql} and ${visitIsOpenSql()}
          and a."dateFrom" > now() - interval '1 day')
    select l."id"::int as id, c."idAppointment"::int as "idVisit", c."localDate"::text as "localDate",
      s."nameService" as service, ${shortFioSql(raw('u'))} as doctor,
      ${storedPriceSql(raw('l'))}, ${linePaidSql(raw('l'))}::float8 as paid, coalesce(p."charged", 0) > 0 as "isGiven",
      ${organizationSql}::int as "idOrganization",
      exists (select 1 from cash_desks d where ${openDesk} and d."idOrganization" = ${organizationSql}) as "mayPay"
    from own join coupon_services l on l."id" = own."idLine" join coupons c on c."id" = l."idCoupon"
      join services s on s."id" = l."idService" join users u on u."id" = c."idUser"
      left join ledger_lines p on p."idLine" = l."id"
    where (${lineDueSql(raw('l'))} > ${linePaidSql(raw('l'))} or coalesce(p."charged", 0) = 0)
      and (${ids ?? null}::bigint[] is null or l."id" = any (${ids ?? null}::bigint[]))
    order by coalesce(p."charged", 0) > 0 desc, c."dateFrom", l."id" limit ${MOST_LINES}`)
  const ahead = new Set(stored.flatMap(({ isGiven, idVisit }) => (isGiven ? [] : [idVisit])))
  const records = app.engine.for(systemActor)
  const now = new Map<number, number>()
  for (const id of ahead) for (const [line, off] of await discountsNow(records, app.db, id)) now.set(line, off)
  return stored.flatMap(({ cost, discount, others, paid, ...line }) => {
    const due = dueNow({ cost, discount, others }, line.isGiven ? discount : now.get(line.id))
    const rest = rubles(kopecks(due) - kopecks(paid))
    return rest > 0 ? [{ ...line, rest }] : []
  })
}

/** A patient's account as shown in the portal. */
export async function billOf(app: AppContext, idCustomer: number): Promise<PortalBills> {
  const { db } = app
  const { debt, advance } = sumsOf(await balances(db, idCustomer))
  const lines = await linesOf(app, idCustomer)
  const rows = await db.query<
    Omit<PortalPayment, 'status' | 'methods'> & { idStatus: number; methods: PaymentMethod[] }
  >(sql`
    select p."id"::int as id, p."localDate"::text as "localDate", p."kind", ${labelSql(raw('p."kind"'), paymentKinds)} as "kindName",
      p."sum"::float8 as sum, p."idStatus", ${labelSql(raw('p."idStatus"::text'), paymentStatuses)} as "statusName",
      case when p."idStatus" = ${DECLINED} then p."refusal" end as refusal,
      coalesce((select json_agg(t."method" order by t."id") from payments_parts t where t."idPayment" = p."id"), '[]') as methods,
      (select json_build_object('fd', f."fd", 'fpd', f."fpd", 'fn', f."fn", 'date', f."dateDone") from fiscal_tasks f
        where f."idPayment" = p."id" and f."status" = 'done' and f."kind" in ('sell', 'sellReturn') order by f."id" limit 1) as receipt
    from payments p where p."idCustomer" = ${idCustomer} and not p."deleted" order by p."id" desc limit ${MOST_PAYMENTS}`)
  return {
    debt,
    advance,
    lines: lines.map(({ idOrganization: _, ...line }) => line),
    payments: rows.map(({ idStatus, methods, ...one }) => ({
      ...one,
      status: statuses[idStatus] ?? 'work',
      methods: methods.map((method) => paymentMethods[method]).join(', '),
    })),
    memberships: await membershipsOf(db, idCustomer),
    pay: await onlineWay(db),
  }
}

const MOST_MOVES = 10

/** Memberships of a patient for the patient: state, rest, frozen days and the last moves. */
async function membershipsOf(db: Queryable, idCustomer: number): Promise<PortalMembership[]> {
  const rows = await db.query<{
    id: number
    name: string
    state: MembershipState
    total: number | null
    rest: number | null
    dateTo: string | null
    frozenTo: string | null
    moves: { id: number; localDate: string; kind: keyof typeof membershipMoves }[]
  }>(sql`select m."id"::int as id, m."name", ${membershipStateSql(sql`m`)} as state, m."dateTo"::text as "dateTo",
      m."frozenTo"::text as "frozenTo", nullif((select count(*)::int from membership_units u where u."idMembership" = m."id"), 0) as total,
      ${membershipRestSql(sql`m`)} as rest,
      coalesce((select json_agg(json_build_object('id', v."id", 'localDate', v."localDate", 'kind', v."kind") order by v."id" desc) from (
        select * from memberships_moves w where w."idMembership" = m."id" order by w."id" desc limit ${MOST_MOVES}) v), '[]') as moves
    from memberships m where not m."deleted" and exists (select 1 from memberships_users u
      where u."idMembership" = m."id" and u."idCustomer" = ${idCustomer} and not u."deleted") order by m."id" desc limit 20`)
  return rows.map(({ id, name, state, frozenTo, moves, ...of }) => ({
    id,
    name,
    state: [
      membershipStates[state],
      ...(state === 'frozen' && frozenTo ? [`до ${formatDay(frozenTo)}`] : []),
      restWords(of),
    ].join(', '),
    moves: moves.map(({ id: idMove, localDate, kind }) => ({ id: idMove, localDate, what: membershipMoves[kind] })),
  }))
}

/** How patients pay online now. */
export async function onlineWay(db: Queryable): Promise<PortalBills['pay']> {
  const desk = await db.one<{ isSimulated: boolean }>(
    sql`select bool_or(d."terminalMode" = 'simulator') as "isSimulated" from cash_desks d where ${openDesk} having count(*) > 0`,
  )
  return { isOn: desk !== undefined, isSimulated: desk?.isSimulated ?? false }
}

/** Whether patients can pay online now. */
export const takesOnline = async (db: Queryable): Promise<boolean> =>
  (await db.one(sql`select 1 from cash_desks d where ${openDesk} limit 1`)) !== undefined
