/** Bonuses of a customer: balance, manual credit and write-off, and payment of services. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Bonus } from '@ordinator/model/areas/money/bonus'
import { moneyCalls } from '@ordinator/model/areas/money/calls'
import type { Payment } from '@ordinator/model/areas/money/payment'
import type { TakeBody } from '@ordinator/model/areas/money/paymentCalls'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { isCountedSql } from '#areas/counted/index.ts'
import { assertOpen } from '#areas/customers/index.ts'
import { bonusShares } from '#areas/discounts/index.ts'
import { ifFound, shortFioSql } from '#areas/staff/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { journal, journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { availableTo, give, giveBack, spend, writeOff } from './bonuses.ts'
import { dayOf, lockCustomers } from './ledger.ts'
import { type Chosen, chargeVisit, lineCostSql, lineDueSql, linePaidSql } from './lines.ts'
import type { TakenLine } from './receiptCoverage.ts'

export const bonusesOf = operation(moneyCalls.bonuses, async ({ app, records, actor, params: { id }, query }) => {
  const { before, limit } = query
  await records.asSystem.view(Customer, id, { fields: 'id' })
  await assertOpen(app.db, actor, id)
  const db = app.db.reads
  const available = await availableTo(db, id)
  const day = await dayOf(db, null)
  const byDay = (column: 'dateFrom' | 'dateTo', which: 'ahead' | 'now') =>
    db.query<{ day: string; sum: number }>(sql`
      select ${raw(`"${column}"`)}::text as day, sum("left")::float8 as sum from bonuses
      where "idCustomer" = ${id} and "left" > 0 and ${which === 'ahead' ? sql`"dateFrom" > ${day}::date` : sql`"dateFrom" <= ${day}::date and "dateTo" >= ${day}::date`}
      group by 1 order by 1 limit 50`)
  const asked = query.lines?.split(',').map(Number)
  const rooms = asked && (await roomsOf(records, db, id, asked))
  const most =
    rooms &&
    Math.min(
      available,
      [...rooms.values()].reduce((all, one) => all + one, 0),
    )
  const sums = {
    available: rubles(available),
    coming: await byDay('dateFrom', 'ahead'),
    burning: await byDay('dateTo', 'now'),
    most: most === undefined ? null : rubles(most),
  }
  if (limit === 0) return { ...sums, lines: [], next: null }
  await journal(app.db, {
    ...journalActor(actor),
    action: 'view',
    entityType: Bonus.path,
    idCustomer: id,
    basis: 'бонусы клиента',
  })
  const lines = await db.query<{
    id: number
    localDate: string
    dateCreate: string
    comment: string | null
    idAuthor: number | null
    author: string | null
    sum: number
  }>(sql`
    select t."id", t."localDate", t."dateCreate", t."comment", u."id"::int as "idAuthor", ${ifFound(sql`u`, shortFioSql)} as author, l.amount::float8 / 100 as sum
    from (select e."idTx" as id, -sum(e."amount") as amount
      from ledger_accounts a join ledger_entries e on e."idAccount" = a."id" and e."unit" = 'BONUS'
        and (${before ?? null}::bigint is null or e."idTx" < ${before ?? null}::bigint)
      where a."kind" = 'bonus' and a."idCustomer" = ${id} group by 1 order by 1 desc limit ${limit + 1}) l
    join ledger_txs t on t."id" = l."id" left join users u on u."id" = t."idUser" order by t."id" desc`)
  const shown = lines.slice(0, limit)
  return { ...sums, lines: shown, next: lines.length > limit ? (shown.at(-1)?.id ?? null) : null }
})

/** Kopecks of each line of the customer that bonuses may still pay, limited by the rules and by the unpaid rest. */
async function roomsOf(
  records: Records,
  db: Queryable,
  idCustomer: number,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const line = raw('l')
  const lines = await db.query<{
    id: number
    idAppointment: number
    idFilial: number
    date: string
    time: string
    idService: number
    idUser: number
    cost: number
    bonus: number
    rest: number
  }>(sql`
    with visits as (select distinct c."idAppointment" from coupon_services l join coupons c on c."id" = l."idCoupon"
      where l."id" = any (${ids}::bigint[]))
    select l."id", a."id" as "idAppointment", a."idFilial", a."localDate"::text as date, a."localStart" as time, l."idService",
      c."idUser", ${lineCostSql(line)}::float8 as cost, l."bonus"::float8 as bonus,
      (${lineDueSql(line)} - ${linePaidSql(line)})::float8 as rest
    from visits v join appointments a on a."id" = v."idAppointment" and a."idCustomer" = ${idCustomer}
      join coupons c on c."idAppointment" = a."id" join coupon_services l on l."idCoupon" = c."id" where ${isCountedSql} order by l."id"`)
  const rooms = new Map<number, number>()
  for (const some of Map.groupBy(lines, ({ idAppointment }) => idAppointment).values()) {
    const [first] = some
    if (!first) continue
    const { idAppointment, idFilial, date, time } = first
    const bill = { idAppointment, idCustomer, idFilial, date, time }
    const shares = await bonusShares(records, db, {
      ...bill,
      lines: some.map(({ idService, idUser, cost }) => ({ idService, idUser, price: cost })),
    })
    for (const [at, { id, bonus, rest }] of some.entries())
      if (ids.includes(id)) rooms.set(id, Math.max(0, Math.min(Number(shares[at]) - kopecks(bonus), kopecks(rest))))
  }
  return rooms
}

/**
 * Pays part of the chosen services with bonuses, which lowers their price.
 * @returns the shares left for the money of the payment
 */
export async function payByBonuses(
  records: Records,
  tx: Tx,
  body: Pick<TakeBody, 'bonus' | 'lines' | 'idCustomer' | 'parts'>,
  idPayment: number,
): Promise<Chosen> {
  const { idCustomer, lines = [] } = body
  const bonus = kopecks(body.bonus ?? 0)
  const refuse = (message: string) => new ValidationError([{ field: 'bonus', message }])
  if (lines.length === 0) throw refuse('Выберите услуги, за которые платят бонусами')
  const available = await availableTo(tx, idCustomer)
  if (bonus > available) throw refuse(`Доступно бонусов: ${formatMoney(rubles(available)).replace(/\s*₽/, '')}`)
  const rooms = await roomsOf(
    records,
    tx,
    idCustomer,
    lines.map(({ idCouponService }) => idCouponService),
  )
  const shares = new Map<number, number>()
  let left = bonus
  for (const { idCouponService, sum } of lines) {
    const share = Math.min(left, rooms.get(idCouponService) ?? 0, kopecks(sum))
    left -= share
    if (share > 0) shares.set(idCouponService, share)
  }
  if (left > 0) throw refuse(`Бонусами за эти услуги можно заплатить не больше ${formatMoney(rubles(bonus - left))}`)
  await spend(records, tx, { idCustomer, idPayment, shares })
  await chargeAnew(records, tx, [...shares.keys()])
  let money = body.parts.reduce((all, { sum }) => all + kopecks(sum), 0)
  return lines.flatMap(({ idCouponService, sum }) => {
    const part = Math.min(money, kopecks(sum) - (shares.get(idCouponService) ?? 0))
    money -= part
    return part > 0 ? [{ idCouponService, sum: rubles(part) }] : []
  })
}

/** Returns the bonuses of a line beside a payment, in proportion to the money taken from this line. */
export async function returnBonuses(
  records: Records,
  tx: Tx,
  idPayment: number,
  lines: readonly TakenLine[],
): Promise<void> {
  const spent = await tx.query<{ idLine: number; sum: number }>(sql`
    select "idLine", sum("sum")::float8 as sum from bonus_spends where "idPayment" = ${idPayment} group by 1 order by 1`)
  const freed: number[] = []
  for (const { idLine, sum: bonus } of spent) {
    const line = lines.find((one) => one.id === idLine)
    if (!line) continue
    const which = sql`s."idPayment" = ${idPayment} and s."idLine" = ${idLine}`
    const over = Math.round((bonus * line.sum) / line.stood)
    freed.push(...(await giveBack(records, tx, which, over, 'Оплата возвращена')))
  }
  await chargeAnew(records, tx, freed)
}

/** Releases the bonuses of a refused payment. */
export async function releaseBonuses(
  records: Records,
  tx: Tx,
  { id: idPayment, idCustomer, bonus }: Row<typeof Payment>,
): Promise<void> {
  if (bonus === 0) return
  await lockCustomers(tx, [idCustomer])
  const all = Number.MAX_SAFE_INTEGER
  const freed = await giveBack(records, tx, sql`s."idPayment" = ${idPayment}`, all, 'Оплата не прошла')
  await chargeAnew(records, tx, freed)
}

async function chargeAnew(records: Records, tx: Tx, lines: readonly number[]): Promise<void> {
  if (lines.length === 0) return
  const visits = await tx.query<{ id: number }>(sql`select distinct c."idAppointment" as id from coupon_services l
    join coupons c on c."id" = l."idCoupon" where l."id" = any (${lines}::bigint[]) order by 1`)
  for (const { id } of visits) await chargeVisit(records, tx, id)
}

export const correctBonuses = operation(moneyCalls.correctBonuses, {
  async once({ app, records: inside, tx, actor, params: { id }, body }) {
    await inside.asSystem.view(Customer, id, { fields: 'id' })
    await assertOpen(app.db, actor, id)
    await lockCustomers(tx, [id])
    const amount = kopecks(body.sum)
    const day = await dayOf(tx, null)
    if (body.kind === 'add') {
      const { dateTo = null, reason } = body
      if (dateTo && dateTo < day) throw new ValidationError([{ field: 'dateTo', message: 'Этот день уже прошёл' }])
      const days = { dateFrom: day, dateTo }
      await give(inside, tx, { idCustomer: id, kind: 'manual', sum: amount, ...days, comment: reason, reason })
    } else {
      const available = await availableTo(tx, id)
      if (amount > available)
        throw new ValidationError([
          { field: 'sum', message: `Списать можно не больше ${formatMoney(rubles(available))}` },
        ])
      await writeOff(inside, tx, { idCustomer: id, amount, key: `manual-${body.key}`, comment: body.reason })
    }
    return undefined
  },
  async answer({ app, actor, params: { id } }) {
    await assertOpen(app.db, actor, id)
    return { available: rubles(await availableTo(app.db, id)) }
  },
})
