/** A treatment plan sold as a package: a membership for what is neither given nor paid of it, at the plan's prices. */
import { membershipCalls } from '@ordinator/model/areas/memberships/calls'
import type { MembershipTerms } from '@ordinator/model/areas/memberships/terms'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { partOf } from '@ordinator/model/areas/plans/rules'
import { formatDay } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { isCountedSql, visitLinesSql } from '#areas/counted/index.ts'
import type { Tx } from '#platform/db.ts'
import { operation } from '#records/operation.ts'
import { dayOf } from './ledger.ts'
import { linePaidSql } from './lines.ts'
import { isReturnedSql } from './memberships.ts'

interface Item {
  id: number
  idService: number
  qty: number
  price: number | null
  discount: number
  /** Given, paid or of a membership: not sold again. */
  taken: number
  takenSum: number
}

const total = (sums: readonly number[]): number => sums.reduce((all, sum) => all + sum, 0)

/**
 * The terms of a package of a plan today. The plan is locked: of two sales at once one sells.
 * @returns the reason in Russian why it is not sold
 */
export async function planTerms(tx: Tx, idPlan: number): Promise<MembershipTerms | string> {
  await tx.query(sql`select 1 from customer_plans where "id" = ${idPlan} for update`)
  const plan = await tx.one<{ name: string; isAgreed: boolean; validTo: string | null; isSold: boolean }>(sql`
    select p."name", p."dateAgreed" is not null and p."dateRefused" is null as "isAgreed", p."validTo"::text as "validTo",
      exists (select 1 from memberships m where m."idPlan" = p."id" and not m."deleted" and not ${isReturnedSql(sql`m`)}
        and exists (select 1 from membership_units u where u."idMembership" = m."id" and u."idLine" is null)) as "isSold"
    from customer_plans p where p."id" = ${idPlan} and not p."deleted"`)
  if (!plan?.isAgreed) return 'Пакетом продают согласованный план'
  if (plan.isSold) return 'По этому плану уже продан пакет: используйте его или верните за него деньги'
  if (plan.validTo !== null && plan.validTo < (await dayOf(tx, null)))
    return `Цены плана действовали по ${formatDay(plan.validTo)}: продлите их или составьте новый план`
  const items = await tx.query<Item>(sql`select i."id"::int as id, i."idService"::int as "idService", i."qty",
      i."price"::float8 as price, i."discount"::float8 as discount, t.taken, t."takenSum"
    from customer_plans_items i join customer_plans_stages s on s."id" = i."idStage" and not s."deleted"
      cross join lateral (select coalesce(sum(l."qty"), 0)::int as taken, coalesce(sum(l."planSum"), 0)::float8 as "takenSum"
        from ${visitLinesSql} where l."idPlanItem" = i."id" and ${isCountedSql}
          and (l."completed" or l."idMembership" is not null or ${linePaidSql(raw('l'))} > 0)) t
    where s."idPlan" = ${idPlan} and not i."deleted" and not i."cancelled" order by s."order", i."order", i."id"`)
  const covers = items.flatMap((item) => {
    const used = { qty: item.taken, kopecks: BigInt(kopecks(item.takenSum)) }
    const sums = Array.from({ length: Math.max(0, item.qty - item.taken) }, () => {
      const part = partOf(item, 1, used)
      used.qty += 1
      used.kopecks += part
      return Number(part)
    })
    return sums.length
      ? [{ idService: item.idService, idGroup: null, qty: sums.length, idPlanItem: item.id, sums }]
      : []
  })
  const price = covers.reduce((all, { sums }) => all + total(sums), 0)
  if (price === 0) return 'В плане не осталось услуг, за которые ещё платить'
  return {
    ...{ idType: null, idPlan, name: `План «${plan.name}»`.slice(0, 128), price: rubles(price), covers },
    ...{ visits: null, days: null, freezeDays: 0, whose: 'one', startsAt: 'sale', refundRule: 'share' },
  }
}

export const packageOf = operation(membershipCalls.package, async ({ records, params: { id } }) => {
  await records.row(TreatmentPlan, id)
  return records.tx(async (_inside, tx) => {
    const terms = await planTerms(tx, id)
    if (typeof terms === 'string') return { price: 0, why: terms, lines: [] }
    const names = await tx.query<{
      id: number
      name: string
    }>(sql`select "id"::int as id, "nameService" as name from services
      where "id" = any (${terms.covers.map(({ idService }) => idService)}::bigint[])`)
    const nameOf = new Map(names.map(({ id: idService, name }) => [idService, name]))
    const lines = terms.covers.map(({ idService, qty, sums = [] }) => ({
      service: nameOf.get(idService ?? 0) ?? '',
      qty: qty ?? 0,
      sum: rubles(total(sums)),
    }))
    return { price: terms.price, why: null, lines }
  })
})
