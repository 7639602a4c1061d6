/** Freezing of memberships: the term is longer by its days, and no visit of these days is paid. */
import { membershipCalls } from '@ordinator/model/areas/memberships/calls'
import { Membership } from '@ordinator/model/areas/memberships/membership'
import { daysBetween } from '@ordinator/model/areas/memberships/rules'
import { rubles } from '@ordinator/model/areas/money/rules'
import { counted, formatDay } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { dayOf, lockMemberships, moved, refundQuote } from '#areas/money/index.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'

const days = (count: number) => counted(count, ['день', 'дня', 'дней'])

export const refund = operation(membershipCalls.refund, async ({ app, records, params: { id } }) => {
  const membership = await records.row(Membership, id)
  const db = app.db.reads
  const { sum, formula, why } = await refundQuote(db, membership, await dayOf(db, null))
  const sale = await db.one<{ id: number }>(
    sql`select "id" from payments where "idMembership" = ${id} and "kind" = 'payment' order by "id" limit 1`,
  )
  return { idPayment: sale?.id ?? null, sum: rubles(sum), formula, why }
})

export const freeze = operation(membershipCalls.freeze, ({ records, params: { id }, body }) =>
  records.tx(async (inside, tx) => {
    await lockMemberships(tx, [id])
    const row = await inside.row(Membership, id)
    const today = await dayOf(tx, null)
    const wrong = (field: string, message: string) => new ValidationError([{ field, message }])
    if (row.state !== 'active' && row.state !== 'waiting')
      throw new HttpError(409, 'Замораживают действующий абонемент', { code: 'transition' })
    if (row.dateTo === null) throw new HttpError(409, 'У абонемента нет срока', { code: 'transition' })
    const left = row.freezeDays - row.frozenDays
    if (body.days > left)
      throw wrong('days', left > 0 ? `Осталось ${days(left)} заморозки` : 'Дней заморозки не осталось')
    if (body.dateFrom < today) throw wrong('dateFrom', 'Заморозить можно с сегодняшнего дня')
    if (body.dateFrom > row.dateTo) throw wrong('dateFrom', `Абонемент действует по ${formatDay(row.dateTo)}`)
    if (row.frozenTo !== null && row.frozenTo >= today)
      throw new HttpError(409, `Абонемент уже заморожен по ${formatDay(row.frozenTo)}`, { code: 'transition' })
    const frozenTo = plusDays(body.dateFrom, body.days - 1)
    const booked = await tx.one<{ day: string }>(sql`select min(c."localDate")::text as day from membership_units u
      join coupon_services l on l."id" = u."idLine" join coupons c on c."id" = l."idCoupon"
      where u."idMembership" = ${id} and u."idTx" is null and c."localDate" between ${body.dateFrom}::date and ${frozenTo}::date`)
    if (booked?.day) throw wrong('dateFrom', `Есть запись на ${formatDay(booked.day)}: перенесите её`)
    await inside.asSystem.update(Membership, id, {
      frozenFrom: body.dateFrom,
      frozenTo,
      frozenDays: row.frozenDays + body.days,
      dateTo: plusDays(row.dateTo, body.days),
    })
    const comment = `${formatDay(body.dateFrom)} – ${formatDay(frozenTo)}`
    await moved(inside, { idMembership: id, kind: 'freeze', localDate: today, comment })
    return inside.row(Membership, id)
  }),
)

export const unfreeze = operation(membershipCalls.unfreeze, ({ records, params: { id } }) =>
  records.tx(async (inside, tx) => {
    await lockMemberships(tx, [id])
    const row = await inside.row(Membership, id)
    const today = await dayOf(tx, null)
    const { frozenFrom, frozenTo, dateTo } = row
    if (frozenFrom === null || frozenTo === null || frozenTo < today || dateTo === null)
      throw new HttpError(409, 'Абонемент не заморожен', { code: 'transition' })
    const begin = today > frozenFrom ? today : frozenFrom
    const back = daysBetween(begin, frozenTo) + 1
    await inside.asSystem.update(Membership, id, {
      ...(begin === frozenFrom ? { frozenFrom: null, frozenTo: null } : { frozenTo: plusDays(begin, -1) }),
      frozenDays: row.frozenDays - back,
      dateTo: plusDays(dateTo, -back),
    })
    await moved(inside, { idMembership: id, kind: 'unfreeze', localDate: today, comment: `Вернулось ${days(back)}` })
    return inside.row(Membership, id)
  }),
)
