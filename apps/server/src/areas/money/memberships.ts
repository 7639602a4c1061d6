/**
 * Memberships in the ledger: an account each, filled by a sale and emptied by visits, a passed term and refunds. Its
 * visits are rows of `membership_units`, each with its share of the price: a row holds one line of a visit at most, so that
 * the last visit is booked once. A unit is reserved with the line and used when the line is given: then its share moves to
 * the patient's account and pays the line, and the offset receipt follows as for any prepayment.
 */
import { Membership, MembershipMove, type membershipMoves } from '@ordinator/model/areas/memberships/membership'
import { earnedOf, elapsedOf, refundOf } from '@ordinator/model/areas/memberships/rules'
import { DECLINED, DONE } from '@ordinator/model/areas/money/payment'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import type { Create, Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { records } from '#records/define.ts'
import { moneyText } from '#records/labels.ts'
import type { Records } from '#records/records.ts'
import { openLine, pay, release } from './allocations.ts'
import { type Account, dayOf, holds, post, reverse } from './ledger.ts'

/** The ledger account of a membership. */
export const membershipAccount = (id: number, idOrganization: number): Account => ({
  kind: 'membership',
  idOrganization,
  mark: String(id),
})

/** SQL of the kopecks of a membership in the ledger. @param m its row */
export const membershipHeldSql = (m: Sql): Sql => sql`(select coalesce(-sum(e."amount"), 0) from ledger_accounts a
  join ledger_entries e on e."idAccount" = a."id"
  where a."kind" = 'membership' and a."idOrganization" = ${m}."idOrganization" and a."mark" = ${m}."id"::text)`

/** SQL condition: a unit is given back by a refund that was not declined. @param u its row */
const isRefundedSql = (u: Sql): Sql => sql`exists (select 1 from payments z where z."id" = ${u}."idRefund"
  and z."idStatus" <> ${raw(String(DECLINED))})`
const isFreeSql = (u: Sql): Sql => sql`${u}."idLine" is null and not ${isRefundedSql(u)}`

/** SQL of the kopecks of a line that a membership pays for and has not paid yet. @param l its row */
export const reservedSql = (l: Sql): Sql => sql`coalesce((select sum(u."sum") from membership_units u
  where u."idLine" = ${l}."id" and u."idTx" is null), 0)`

const unitsSql = (row: Sql, which: Sql): Sql =>
  sql`(select count(*)::int from membership_units u where u."idMembership" = ${row}."id" and ${which})`
/** SQL of the visits that are neither booked, used nor returned. @param row the membership */
export const membershipRestSql = (row: Sql): Sql => unitsSql(row, isFreeSql(sql`u`))
const hasUnitsSql = (row: Sql): Sql =>
  sql`exists (select 1 from membership_units u where u."idMembership" = ${row}."id")`

/** SQL condition: a type is offered to patients, and pays for something. @param t its row */
export const isOfferedSql = (t: Sql, where: 'site' | 'portal'): Sql => sql`${t}."active" and not ${t}."deleted"
  and ${t}.${raw(where === 'site' ? '"isOnSite"' : '"isOnline"')}
  and exists (select 1 from membership_types_items i where i."idType" = ${t}."id" and not i."deleted")`

/** SQL condition: the sale of a membership has been paid. @param m its row */
export const isSoldSql = (m: Sql): Sql => sql`exists (select 1 from payments z where z."idMembership" = ${m}."id"
  and z."kind" = 'payment' and z."idStatus" = ${raw(String(DONE))})`
/** SQL condition: it is returned, or about to be. */
export const isReturnedSql = (m: Sql): Sql => sql`exists (select 1 from payments z where z."idMembership" = ${m}."id"
  and z."kind" = 'refund' and z."idStatus" <> ${raw(String(DECLINED))})`
const returnsSql = (
  m: Sql,
  isDone: boolean,
): Sql => sql`exists (select 1 from payments z where z."idMembership" = ${m}."id"
  and z."kind" = 'refund' and z."idStatus" ${raw(isDone ? '=' : '<>')} ${raw(String(DONE))} and z."idStatus" <> ${raw(String(DECLINED))})`

export const membershipStateSql = (row: Sql): Sql => sql`case
  when not ${isSoldSql(row)} then 'pending'
  when ${returnsSql(row, true)} then 'returned'
  when ${returnsSql(row, false)} then 'returning'
  when ${hasUnitsSql(row)} and ${membershipRestSql(row)} = 0
    and ${unitsSql(row, sql`u."idLine" is not null and u."idTx" is null`)} = 0 then 'spent'
  when ${row}."dateTo" < ${clinicToday} then 'expired'
  when ${clinicToday} between ${row}."frozenFrom" and ${row}."frozenTo" then 'frozen'
  when ${row}."dateFrom" is null or ${row}."dateFrom" > ${clinicToday} then 'waiting' else 'active' end`

export const memberships = records(Membership, {
  thread: {
    of: 'customers',
    kind: 'memberships',
    name: 'Абонементы',
    rare: true,
    when: 'dateCreate',
    belongs: ({ row }, id) => sql`(${row}."idBuyer" = ${id} or exists (select 1 from memberships_users u
      where u."idMembership" = ${row}."id" and u."idCustomer" = ${id} and not u."deleted"))`,
    title: ({ row }) => sql`'Абонемент «' || ${row}."name" || '», ' || ${moneyText(sql`${row}."price"`)}`,
    hint: ({ row }) =>
      sql`concat_ws(', ', case when ${hasUnitsSql(row)} then 'осталось посещений: ' || ${membershipRestSql(row)} end,
        'по ' || to_char(${row}."dateTo", 'DD.MM.YYYY'))`,
    opens: ({ row }) => sql`'/memberships?open=' || ${row}."id"`,
  },
  computed: {
    total: ({ row }) => sql`(case when ${hasUnitsSql(row)} then ${unitsSql(row, sql`true`)} end)`,
    used: ({ row }) => unitsSql(row, sql`u."idTx" is not null`),
    reserved: ({ row }) => unitsSql(row, sql`u."idLine" is not null and u."idTx" is null`),
    rest: ({ row }) => sql`(case when ${hasUnitsSql(row)} then ${membershipRestSql(row)} end)`,
    held: ({ row }) => sql`(${membershipHeldSql(row)} / 100.0)::numeric(14,2)`,
    state: ({ row }) => membershipStateSql(row),
  },
  found: {
    on: 'memberships',
    group: 'Абонементы',
    by: ['name'],
    opens: ({ row }) => sql`'/memberships?open=' || ${row}."id"`,
  },
})

/** Writes a line of the history of a membership. */
export const moved = async (
  all: Records,
  row: Pick<Row<typeof MembershipMove>, 'idMembership' | 'localDate'> & {
    kind: keyof typeof membershipMoves
    visits?: number | null
    /** Kopecks. */
    sum?: number
    idCouponService?: number
    comment?: string | null
  },
): Promise<void> => {
  const { sum, ...move } = row
  await all.asSystem.create(MembershipMove, {
    ...move,
    ...(sum !== undefined && { sum: rubles(sum) }),
    idAuthor: all.actor.id || null,
  } as Create<typeof MembershipMove>)
}

/** Locks memberships until the transaction ends, each by ascending id. */
export const lockMemberships = (tx: Tx, ids: readonly number[]) =>
  tx.query(sql`select 1 from memberships where "id" = any (${ids}::bigint[]) order by "id" for update`)

/**
 * Reserves visits of a locked membership for a line.
 * @param item the balance of its own of a service; null: the common one
 * @param listed kopecks of the line by the price list
 * @returns the kopecks of the visits; undefined if there are not as many
 */
export async function reserveUnits(
  tx: Tx,
  of: { idMembership: number; item: number | null; qty: number; idLine: number; listed: number },
): Promise<number | undefined> {
  const { idMembership, item, qty, idLine, listed } = of
  const taken = await tx.query<{ sum: number }>(sql`update membership_units set "idLine" = ${idLine},
      "listed" = ${Math.round(listed / qty)} where "id" in (select u."id" from membership_units u
      where u."idMembership" = ${idMembership} and u."item" is not distinct from ${item}::int and ${isFreeSql(sql`u`)}
      order by u."no" limit ${qty} for update)
    returning "sum"::float8 as sum`)
  if (taken.length === qty) return taken.reduce((all, { sum }) => all + sum, 0)
  await tx.query(sql`update membership_units set "idLine" = null, "listed" = null where "idLine" = ${idLine}`)
  return undefined
}

/** Gives the visits of a line back to their membership; what they have paid is reversed. */
export async function releaseUnits(all: Records, tx: Tx, idLine: number, localDate: string): Promise<void> {
  const units = await tx.query<{ idMembership: number; sum: number; idTx: number | null }>(sql`
    select "idMembership"::int as "idMembership", "sum"::float8 as sum, "idTx"::float8 as "idTx"
    from membership_units where "idLine" = ${idLine} for update`)
  const [first] = units
  if (!first) return
  const { idMembership, idTx } = first
  if (idTx !== null) {
    const sum = units.reduce((total, unit) => total + unit.sum, 0)
    await release(tx, sql`a."idTx" = ${idTx}`, sum)
    await tx.query(sql`update ledger_credits set "free" = "free" - ${sum} where "idTx" = ${idTx}`)
    await reverse(all, tx, idTx, { key: `storno:${idTx}`, localDate, comment: 'Посещение вернулось на абонемент' })
  }
  await tx.query(
    sql`update membership_units set "idLine" = null, "listed" = null, "idTx" = null where "idLine" = ${idLine}`,
  )
  const kind = idTx === null ? 'release' : 'return'
  await moved(all, { idMembership, kind, localDate, visits: units.length, idCouponService: idLine })
}

/** Pays the given lines of a visit from their memberships, each once. */
export async function payByUnits(all: Records, tx: Tx, idAppointment: number): Promise<void> {
  const lines = await tx.query<{
    id: number
    idMembership: number
    idOrganization: number
    idCustomer: number
    idFilial: number
    idSale: number
    name: string
    visits: number
    sum: number
    days: number | null
    isBegun: boolean
  }>(sql`select l."id", m."id"::int as "idMembership", m."idOrganization", a."idCustomer", c."idFilial", m."name", m."days",
      m."dateFrom" is not null as "isBegun", count(*)::int as visits, sum(u."sum")::float8 as sum,
      (select z."id" from payments z where z."idMembership" = m."id" and z."kind" = 'payment' order by z."id" limit 1) as "idSale"
    from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment"
      join membership_units u on u."idLine" = l."id" and u."idTx" is null join memberships m on m."id" = u."idMembership"
    where a."id" = ${idAppointment} and l."completed" group by l."id", m."id", a."id", c."id" order by l."id"`)
  for (const line of lines) {
    const { id, idMembership, idOrganization, idCustomer, name, visits, sum } = line
    const localDate = await dayOf(tx, line.idFilial)
    const owner = { kind: 'patient' as const, idCustomer, idOrganization }
    const turn = await tx.one<{ n: number }>(
      sql`select count(*)::int as n from ledger_txs where "idCouponService" = ${id} and "kind" = 'membershipUsed'`,
    )
    const idTx = await post(all, tx, {
      key: `membership:${id}:${turn?.n ?? 0}`,
      kind: 'membershipUsed',
      localDate,
      idPayment: line.idSale,
      idCouponService: id,
      comment: `${name}: ${counted(visits, ['посещение', 'посещения', 'посещений'])}`,
      entries: [
        { account: membershipAccount(idMembership, idOrganization), amount: sum },
        { account: owner, amount: -sum },
      ],
    })
    if (idTx === undefined) continue
    await openLine(all, tx, id, owner)
    await pay(tx, [{ idTx, free: sum }], id, sum)
    await tx.query(sql`update membership_units set "idTx" = ${idTx} where "idLine" = ${id}`)
    if (!line.isBegun)
      await all.asSystem.update(Membership, idMembership, {
        dateFrom: localDate,
        ...(line.days !== null && { dateTo: plusDays(localDate, line.days - 1) }),
      })
    await moved(all, { idMembership, kind: 'use', localDate, visits, sum, idCouponService: id })
  }
}

export interface Quote {
  sum: number
  formula: string
  why: string | null
}

/** Kopecks that a membership returns on a day, the formula, and the reason why not now. */
export async function refundQuote(db: Queryable, membership: Row<typeof Membership>, day: string): Promise<Quote> {
  const { id, idOrganization, price, refundRule, days, dateFrom, dateTo, frozenFrom, frozenTo } = membership
  const units = await db.one<{ total: number; used: number; reserved: number; unused: number; listed: number }>(sql`
    select count(*)::int as total, count(*) filter (where u."idTx" is not null)::int as used,
      count(*) filter (where u."idLine" is not null and u."idTx" is null)::int as reserved,
      coalesce(sum(u."sum") filter (where ${isFreeSql(sql`u`)}), 0)::float8 as unused,
      coalesce(sum(u."listed") filter (where u."idTx" is not null), 0)::float8 as listed
    from membership_units u where u."idMembership" = ${id}`)
  const { total = 0, used = 0, reserved = 0, unused = 0, listed = 0 } = units ?? {}
  const held = -(await holds(db, membershipAccount(id, idOrganization)))
  const elapsed =
    days === null || dateFrom === null || dateTo === null ? 0 : elapsedOf({ days, dateTo, frozenFrom, frozenTo }, day)
  const quote = refundOf({
    price: kopecks(price),
    rule: refundRule,
    unused,
    visits: { total, used },
    listed,
    held,
    term: total === 0 ? { elapsed, days: days ?? 1 } : null,
  })
  const why =
    reserved > 0
      ? `Записано ${counted(reserved, ['посещение', 'посещения', 'посещений'])}: сначала отмените записи или снимите их с абонемента`
      : membership.state === 'returned' || membership.state === 'returning'
        ? 'Абонемент уже возвращён'
        : membership.state === 'pending'
          ? 'Абонемент ещё не оплачен'
          : quote.sum <= 0
            ? 'Возвращать нечего'
            : null
  return { ...quote, why }
}

/** Marks what a refund gives back, so that it is not booked meanwhile. */
export const giveUnitsBack = (tx: Tx, idMembership: number, idRefund: number) =>
  tx.query(sql`update membership_units u set "idRefund" = ${idRefund}
    where u."idMembership" = ${idMembership} and ${isFreeSql(sql`u`)}`)

/** Kopecks of the passed term that are not in the revenue yet. */
export const unearnedOf = (
  { price, days, dateTo, frozenFrom, frozenTo }: Row<typeof Membership>,
  held: number,
  day: string,
): { sum: number; elapsed: number } => {
  if (days === null || dateTo === null) return { sum: 0, elapsed: 0 }
  const elapsed = elapsedOf({ days, dateTo, frozenFrom, frozenTo }, day)
  // In whole months, and the rest with the last day.
  const counted = elapsed >= days ? days : Math.floor(elapsed / 30) * 30
  return { sum: Math.max(0, earnedOf(kopecks(price), counted, days) - (kopecks(price) - held)), elapsed: counted }
}
