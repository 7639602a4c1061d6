import { totals } from '@ordinator/model/areas/discounts/calculate'
import { type BasketBody, discountCalls } from '@ordinator/model/areas/discounts/calls'
import { DiscountUse } from '@ordinator/model/areas/discounts/discountUse'
import { kopecks, refundOf, rubles, scaled } from '@ordinator/model/money'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { HttpError, notFound, ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { lockRules } from './discounts.ts'
import { type Asked, ask } from './question.ts'
import { type AskedBy, customerUsesSql } from './questionFacts.ts'

export const discountUses = records(DiscountUse)

export const calculateDiscounts = operation(discountCalls.calculate, async ({ records, app, body }) => {
  const { calculation, lines, date, time, codeRefusal } = await ask(records, app.db, body)
  return {
    date,
    time,
    lines: calculation.lines.map((line, at) => {
      const { idService, name, quantity, price } = lines[at] as (typeof lines)[number]
      return {
        idService,
        name,
        quantity,
        price,
        base: rubles(line.base),
        discount: rubles(line.discount),
        final: rubles(line.final),
        applied: line.applied.map(({ amount, ...one }) => ({ ...one, amount: rubles(amount) })),
        refused: [...line.refused],
      }
    }),
    ...totals(calculation),
    needApproval: [...calculation.needApproval],
    codeRefusal,
  }
})

export const applyDiscounts = operation(discountCalls.apply, ({ records, body }) =>
  records.tx((inside, tx) => give(inside, tx, body)),
)

/** An order of a basket: `key` identifies it, so that a repeat changes nothing. */
export interface Order extends BasketBody {
  key: string
  idCoupon?: number | undefined
}

/**
 * Applies discounts to a basket and stores each use. Limits are checked by counters locked until the end of the
 * transaction: of many concurrent requests for the last use one succeeds, the others get 409 `exhausted`.
 * @returns rubles given, and the ids of the uses
 * @throws ValidationError where something needs another person's approval
 */
export async function give(
  records: Records,
  tx: Tx,
  order: Order,
  by?: AskedBy,
): Promise<{ uses: number[]; discount: number }> {
  const { key } = order
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`discount order ${key}`}, 0))`)
  const before = await tx.query<{ id: number; amount: number }>(
    sql`select "id", "amount"::float8 as amount from discounts_uses where "order" = ${key} order by "id"`,
  )
  if (before.length)
    return {
      uses: before.map(({ id }) => id),
      discount: rubles(before.reduce((all, { amount }) => all + kopecks(amount), 0n)),
    }
  await lockRules(tx, true)
  const asked = await ask(records, tx, order, by)
  const { calculation, codeRefusal } = asked
  if (codeRefusal) throw new ValidationError([{ field: 'code', message: codeRefusal }])
  if (order.manual && calculation.needApproval.includes(null))
    throw new ValidationError([
      { field: 'manual', message: 'Выше вашего предела: нужно согласование другого сотрудника' },
    ])
  const given = sumsOf(asked)
  await holdApprovals(tx, asked, given)
  await hold(tx, asked, given)
  const made = await records.asSystem.createMany(DiscountUse, usesOf(order, asked))
  return { uses: made.map(({ id }) => id), discount: totals(calculation).discount }
}

/** Kopecks of each discount over all lines; of the manual one under null. */
function sumsOf({ calculation }: Asked): Map<number | null, bigint> {
  const sums = new Map<number | null, bigint>()
  for (const { applied } of calculation.lines)
    for (const { idDiscount, amount } of applied) sums.set(idDiscount, (sums.get(idDiscount) ?? 0n) + amount)
  return sums
}

/** Marks approvals as used: once each, and up to their sum. */
async function holdApprovals(tx: Tx, { approvals }: Asked, given: ReadonlyMap<number | null, bigint>): Promise<void> {
  for (const { id, idDiscount, amount } of approvals) {
    await tx.query(sql`select 1 from discounts_approvals where "id" = ${id} for update`)
    const used = await tx.one(
      sql`select 1 from discounts_uses where "idApproval" = ${id} and "reversedQuantity" < "quantity" limit 1`,
    )
    if (used) throw new HttpError(409, 'Согласование уже использовано', { code: 'exhausted' })
    if ((given.get(idDiscount) ?? 0n) > kopecks(amount))
      throw new ValidationError([{ field: 'approvals', message: `Согласовано не больше ${amount} ₽` }])
  }
}

/** Stands for a limit that a promise did not have. */
const MOST_USES = 2_000_000_000

/** Counts the uses; locks the counter of each discount in the order of ids, that of the code last. */
async function hold(tx: Tx, asked: Asked, given: ReadonlyMap<number | null, bigint>): Promise<void> {
  const { idCustomer, code, promisedRules } = asked
  const ids = [...given.keys()].filter((id) => id !== null).sort((a, b) => a - b)
  for (const id of ids) {
    // A limit that was lowered after a promise does not take it back.
    const promised = promisedRules.get(id)
    const total = promised ? sql`greatest(d."totalUses", ${promised.totalUses ?? MOST_USES}::int)` : sql`d."totalUses"`
    const own = promised
      ? sql`greatest(d."usesPerCustomer", ${promised.usesPerCustomer ?? MOST_USES}::int)`
      : sql`d."usesPerCustomer"`
    const counted = await tx.one<{ isOver: boolean; name: string; perCustomer: number | null }>(sql`
      with counted as (
        insert into discount_counters ("idDiscount", "uses", "sum")
        values (${id}, 1, ${rubles(given.get(id) ?? 0n)}::numeric)
        on conflict ("idDiscount") do update
          set "uses" = discount_counters."uses" + 1, "sum" = discount_counters."sum" + excluded."sum"
        returning "uses"
      )
      select d."name", ${own} as "perCustomer", coalesce(c."uses" > ${total}, false) as "isOver"
      from counted c join discounts d on d."id" = ${id}`)
    if (counted?.isOver) throw exhausted(`Скидка «${counted.name}» исчерпана`)
    if (counted?.perCustomer && idCustomer !== null) {
      const before = await tx.one<{ count: number }>(customerUsesSql(idCustomer, [id]))
      if ((before?.count ?? 0) >= counted.perCustomer)
        throw exhausted(`Скидку «${counted.name}» клиент уже получил столько раз, сколько можно`)
    }
  }
  if (!code || !given.has(code.idDiscount)) return
  const counted = await tx.one<{ isOver: boolean }>(sql`
    with counted as (
      insert into discount_code_counters ("idCode", "uses") values (${code.id}, 1)
      on conflict ("idCode") do update set "uses" = discount_code_counters."uses" + 1 returning "uses"
    )
    select coalesce(c."uses" > p."limit", false) as "isOver" from counted c join discounts_promo_codes p on p."id" = ${code.id}`)
  if (counted?.isOver) throw exhausted('Код уже использован')
}

const exhausted = (message: string) => new HttpError(409, `${message}, пока вы оформляли заказ`, { code: 'exhausted' })

const usesOf = ({ key, idCoupon }: Order, { calculation, lines, code, approvals, idCustomer, idFilial }: Asked) =>
  calculation.lines.flatMap((line, at) => {
    const { idService, quantity, idCouponService } = lines[at] as (typeof lines)[number]
    let left = line.base
    return line.applied.map(({ idDiscount, amount, why }) => {
      const base = left
      left -= amount
      return {
        order: key,
        idDiscount,
        idCode: code && code.idDiscount === idDiscount ? code.id : null,
        idCoupon: idCoupon ?? null,
        idCouponService,
        idService,
        idCustomer,
        idFilial,
        quantity,
        base: rubles(base),
        amount: rubles(amount),
        reason: why,
        idApproval: approvals.find((one) => one.idDiscount === idDiscount)?.id ?? null,
      }
    })
  })

interface Kept {
  id: number
  idDiscount: number | null
  idCode: number | null
  quantity: number
  amount: number
  reversedQuantity: number
  reversedAmount: number
}

export const reverseUses = operation(discountCalls.reverse, ({ records, body }) =>
  records.tx(async (inside, tx) => ({ reversed: await reverseOrder(inside, tx, body) })),
)

/**
 * Reverses the uses of an order, or a part of one of them.
 * @returns rubles
 * @throws HttpError 404 if there is none, 409 if all is reversed already
 */
export async function reverseOrder(
  records: Records,
  tx: Tx,
  body: { order: string; idUse?: number | undefined; quantity?: number | undefined; reason: string },
): Promise<number> {
  const all = await tx.query<Kept>(sql`select "id", "idDiscount", "idCode", "quantity"::float8 as quantity,
      "amount"::float8 as amount, "reversedQuantity"::float8 as "reversedQuantity",
      "reversedAmount"::float8 as "reversedAmount"
    from discounts_uses where "order" = ${body.order} order by "id" for update`)
  const asked = body.idUse === undefined ? all : all.filter(({ id }) => id === body.idUse)
  if (asked.length === 0) throw notFound()
  const open = asked.filter((one) => one.reversedQuantity < one.quantity)
  if (open.length === 0) throw new HttpError(409, 'Всё уже возвращено')
  let reversed = 0n
  const byDiscount = open.toSorted((a, b) => (a.idDiscount ?? 0) - (b.idDiscount ?? 0) || a.id - b.id)
  for (const use of byDiscount) reversed += await takeBack(records, tx, all, use, body)
  return rubles(reversed)
}

/** Reverses a part of a use, or its rest; the last reversal of an order decrements its counters. */
async function takeBack(
  records: Records,
  tx: Tx,
  order: readonly Kept[],
  use: Kept,
  { quantity, reason }: { quantity?: number | undefined; reason: string },
): Promise<bigint> {
  const whole = scaled(use.quantity, 3)
  const before = scaled(use.reversedQuantity, 3)
  const parts = quantity === undefined ? whole - before : scaled(quantity, 3)
  if (before + parts > whole) throw new ValidationError([{ field: 'quantity', message: 'Больше, чем осталось' }])
  const back = refundOf(kopecks(use.amount), whole, parts, before)
  use.reversedQuantity = Number(before + parts) / 1000
  await records.asSystem.update(DiscountUse, use.id, {
    reversedQuantity: use.reversedQuantity,
    reversedAmount: rubles(kopecks(use.reversedAmount) + back),
    reverseReason: reason,
    dateReversed: new Date().toISOString(),
  })
  const { idDiscount, idCode } = use
  if (idDiscount === null) return back
  const isLast = order.every((one) => one.idDiscount !== idDiscount || one.reversedQuantity >= one.quantity)
  await tx.query(sql`update discount_counters set "uses" = "uses" - ${isLast ? 1 : 0}::int,
    "sum" = "sum" - ${rubles(back)}::numeric where "idDiscount" = ${idDiscount}`)
  if (isLast && idCode !== null)
    await tx.query(sql`update discount_code_counters set "uses" = "uses" - 1 where "idCode" = ${idCode}`)
  return back
}
